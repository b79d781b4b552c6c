"""arXiv's answer to ListSets in; its categories, sorted by code, out (the parse is pure).

https://info.arxiv.org/help/oa/index.html: one answer, no resumption token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark import text
from pressmark.errors import SourceBroken
from pressmark.http import FOREVER, failure
from pressmark.sources.base import Request

if TYPE_CHECKING:
    from pressmark.http import Client, NullClient

_OAI = "{http://www.openarchives.org/OAI/2.0/}"

REQUEST = Request(
    url="https://oaipmh.arxiv.org/oai", params={"verb": "ListSets"}, accept="text/xml", keep=FOREVER
)


@dataclass(frozen=True, slots=True, order=True)
class Category:
    """One category: `cs.CL`, Computation and Language."""

    code: str
    name: str


def categories(
    client: Client | NullClient, *, today: str, refresh: bool | None = None
) -> list[Category]:
    """arXiv's categories; asked for once, then from the cache unless `refresh`."""
    from pressmark.sources import ask

    found, _ = ask(
        client, "arxiv", REQUEST, lambda body, status, kind, _: parse(body, status),
        today=today, patient=True, refresh=refresh,
    )  # fmt: skip
    return found


def parse(body: bytes, status: int) -> list[Category]:
    """Read the sets; SourceBroken when there is none."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if not 200 <= status < 300:
        raise failure("arxiv", status, body)
    try:
        root = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, RecursionError) as problem:
        raise SourceBroken("The list of arXiv's categories is damaged.") from problem
    sets = {
        text.clean(each.findtext(f"{_OAI}setSpec") or ""): text.clean(
            each.findtext(f"{_OAI}setName") or ""
        )
        for each in root.iter(f"{_OAI}set")
    }
    found = leaves(sets)
    if not found:
        raise SourceBroken("The list of arXiv's categories names none.")
    return found


def leaves(sets: dict[str, str]) -> list[Category]:
    """Only sets without sets below them are categories.

    The code drops the outermost segment and joins the rest with a dot: `physics:astro-ph:CO` is
    astro-ph.CO, `physics:hep-th` is hep-th.
    """
    inner = {
        ":".join(spec.split(":")[:end]) for spec in sets for end in range(1, spec.count(":") + 1)
    }
    found = []
    for spec, name in sets.items():
        code = ".".join(spec.split(":")[1:])
        if code and spec not in inner:
            found.append(Category(code, name))
    return sorted(found)
