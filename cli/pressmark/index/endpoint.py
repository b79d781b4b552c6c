"""Texts in, unit vectors out, by an embedding server that the user's own file names.

`ollama:MODEL` speaks Ollama's `/api/embed` (https://docs.ollama.com/api/embed), `openai:MODEL`
the `/embeddings` of OpenAI and of the many servers that take the same form
(https://platform.openai.com/docs/api-reference/embeddings). Every request goes through `http`;
with the network off none is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pressmark.errors import Configuration, SourceBroken

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.index.embed import Vector

SCHEMES = ("ollama", "openai")

OLLAMA = "http://127.0.0.1:11434"
"""Where Ollama listens unless `models.endpoint` says otherwise."""

BATCH = 32
"""Texts in one request."""

MOST_CHARACTERS = 8_000
"""A longer text is cut: servers refuse what is longer than their model reads."""

SECONDS = 120.0
"""What one batch may take: a large model on a small machine is slow."""

_SOURCE = "models"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind an address; its id names both, so that another server never mixes in."""

    scheme: str
    model: str
    address: str
    weight: float = 0.7

    @property
    def id(self) -> str:
        """How the index knows it."""
        host = "" if self.address == OLLAMA else f"@{urlsplit(self.address).netloc}"
        return f"{self.scheme}:{self.model}{host}"


def parse(name: str, address: str | None) -> Endpoint | None:
    """The endpoint that a setting names; None where it names something else."""
    scheme, colon, model = name.partition(":")
    if scheme not in SCHEMES or not colon:
        return None
    if not model.strip():
        raise Configuration(f"{name!r} names no model.", next=f"write {scheme}:MODEL")
    if not address and scheme != "ollama":
        raise Configuration(
            f"{name} needs the address of its server.",
            next='set models.endpoint, such as "https://api.openai.com/v1"',
        )
    address = (address or OLLAMA).rstrip("/")
    if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).hostname:
        raise Configuration(
            f"models.endpoint is {address!r}, which is no http address.",
            next=f'set it to such as "{OLLAMA}"',
        )
    return Endpoint(scheme, model.strip(), address)


class Remote:
    """An `Embedder` behind an endpoint."""

    def __init__(self, endpoint: Endpoint, config: Config) -> None:
        from pressmark.http import open_client  # slow to import, and few have a server

        self.id = endpoint.id
        self.weight = endpoint.weight
        self._endpoint = endpoint
        parts = urlsplit(endpoint.address)
        # The address is the user's own, so it may be on this machine: that is what a base_url says.
        own = {**config.base_urls, _SOURCE: f"{parts.scheme}://{parts.netloc}"}
        self._key = config.keys.get(_SOURCE)
        self._client = open_client(replace(config, base_urls=own, pace={_SOURCE: 0.0}))

    @cached_property
    def dimension(self) -> int:
        """How long its vectors are: one must be asked for to know."""
        return len(self.query("dimension"))

    def query(self, text: str) -> Vector:
        """One vector."""
        return self._asked([text])[0]

    def documents(self, texts: Iterable[str]) -> Iterator[Vector]:
        """Many vectors, in batches."""
        rest = iter(texts)
        while batch := list(islice(rest, BATCH)):
            yield from self._asked(batch)

    def _asked(self, texts: Sequence[str]) -> list[Vector]:
        from pressmark.http import checked

        ollama = self._endpoint.scheme == "ollama"
        path = "/api/embed" if ollama else "/embeddings"
        sent = [text[:MOST_CHARACTERS].encode("utf-8", "replace").decode() or " " for text in texts]
        answer = self._client.post(
            f"{self._endpoint.address}{path}",
            source=_SOURCE,
            content=json.dumps({"model": self._endpoint.model, "input": sent}).encode(),
            headers={"Authorization": f"Bearer {self._key}"} if self._key else None,
            accept="application/json",
            max_bytes=64 * 2**20,
            timeout=SECONDS,
            seconds=SECONDS,
            patient=True,
        )
        try:
            found = json.loads(checked(answer).body)
            given = found["embeddings"] if ollama else _in_order(found["data"])
            return _unit(given, len(texts))
        except (ValueError, TypeError, KeyError) as problem:
            raise SourceBroken(
                f"{self.id} does not answer as an embedding server does.",
                next="check models.embedder and models.endpoint",
            ) from problem


def _in_order(data: list[dict[str, Any]]) -> list[list[float]]:
    """The vectors of an answer whose parts say which text they belong to."""
    return [each["embedding"] for each in sorted(data, key=lambda each: int(each["index"]))]


def _unit(given: list[list[float]], wanted: int) -> list[Vector]:
    import numpy as np

    made = np.array(given, dtype=np.float32)
    if made.ndim != 2 or len(made) != wanted or not made.shape[1] or not np.isfinite(made).all():
        raise ValueError("another number of vectors, or of another shape")
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    return list(made / np.where(lengths > 0, lengths, 1.0))
