"""A question and texts in, how well each answers it out, by a cross-encoder in a local folder.

The folder holds `model.onnx`, which takes the tokens of a pair and gives one score (or two, for
no and yes), and `tokenizer.json`. Off unless the user names a folder. Scores only, never text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pressmark.errors import Configuration
from pressmark.index import embed, native

if TYPE_CHECKING:
    from pressmark.config import Config

TOKENS = 512
"""Of question and text together; the longer of the two is cut first."""

ADVICE = "set models.reranker to a folder with model.onnx and tokenizer.json, or remove it"


class Reranker(Protocol):
    """A function from a question and texts to scores."""

    id: str

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, 0 to 1, in their order."""


def load(config: Config) -> CrossEncoder | None:
    """The reranker that the user's settings name; None where they name none."""
    if config.reranker is None:
        return None
    if not (native.installed("onnxruntime") and native.installed("tokenizers")):
        raise Configuration("The reranker needs onnxruntime and tokenizers.", next=embed.INSTALL)
    return CrossEncoder(config.reranker)


class CrossEncoder:
    """A model under onnxruntime that reads question and text together; one pair a run."""

    def __init__(self, folder: Path) -> None:
        for name in ("model.onnx", "tokenizer.json"):
            if not (folder / name).is_file():
                raise Configuration(f"The reranker's folder {folder} has no {name}.", next=ADVICE)
        self.id = embed.local(folder).id.replace("local-", "reranker-")
        self._tokenizer = embed.tokenizer((folder / "tokenizer.json").read_bytes(), TOKENS)
        self._session = self._opened(folder / "model.onnx")
        self._inputs = [each.name for each in self._session.get_inputs()]
        unknown = set(self._inputs) - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            raise Configuration(
                f"{folder} is no cross-encoder: it asks for {', '.join(sorted(unknown))}.",
                next=ADVICE,
            )

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker`."""
        return [self._score(question, text) for text in texts]

    def _score(self, question: str, text: str) -> float:
        import numpy as np

        pair = (embed.readable(question), embed.readable(text))
        encoded = self._tokenizer.encode(*pair)
        fields = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {name: np.array([fields[name]], np.int64) for name in self._inputs}
        given = np.ravel(self._session.run(None, feed)[0]).astype(float)
        if len(given) not in (1, 2) or not np.isfinite(given).all():
            raise Configuration("The reranker gives no score for a pair.", next=ADVICE)
        logit = float(given[-1] - given[0]) if len(given) == 2 else float(given[0])
        return 1 / (1 + math.exp(-min(max(logit, -50.0), 50.0)))

    def _opened(self, model: Path) -> Any:
        runtime = native.onnxruntime()
        assert runtime is not None
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            return runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its own exception classes share no base but this
            raise Configuration(
                f"{model} is no model that onnxruntime can load.", next=ADVICE
            ) from error
