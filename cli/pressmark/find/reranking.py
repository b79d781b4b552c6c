"""The best of the other channels in; one channel more, by a cross-encoder, out, where one is set.

It reads the question beside each paper's evidence, which takes some hundredths of a second a
pair: so only the best are read, and it stands between the fusion and the citations, which start
from what it puts first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pressmark.errors import Configuration
from pressmark.find.asking import Channels, Question
from pressmark.find.choosing import Evidence
from pressmark.find.fusion import fuse
from pressmark.index import Index
from pressmark.index.markup import words
from pressmark.library import Library

if TYPE_CHECKING:
    from pressmark.index.rerank import Reranker

READ = 50
"""Papers that are read again."""


def rerank(
    library: Library, index: Index, channels: Channels, text: str, asked: Question,
    weights: Mapping[str, float],
) -> None:  # fmt: skip
    """Add the channel `rerank` where the user has a reranker; what is wrong with it is said."""
    if library.config.reranker is None or not weights.get("rerank") or not text.strip():
        return
    try:
        model = _kept(library)
        with index.turn:
            texts = _texts(library, index, channels, asked, weights)
        if model is not None and texts:
            scores = model.scores(text, list(texts.values()))
            channels.scores["rerank"] = dict(zip(texts, scores, strict=True))
    except Configuration as error:
        asked.warnings.append(f"{error} Nothing was reranked.")


def _texts(
    library: Library, index: Index, channels: Channels, asked: Question,
    weights: Mapping[str, float],
) -> dict[str, str]:  # fmt: skip
    """Title and evidence of the best so far."""
    best = fuse(channels.lists(), weights)[:READ]
    evidence = Evidence(index, asked.bag, {e.key: channels.leads.get(e.key, []) for e in best})
    found = {}
    for each in best:
        reference, passage = library.catalogue.get(each.key), evidence.passage(each.key)
        if reference is not None:
            found[each.key] = f"{reference.title} {words(passage.text) if passage else ''}".strip()
    return found


def _kept(library: Library) -> Reranker | None:
    """The model, loaded once for a process."""
    from pressmark.index import rerank as models

    with library.keeping:
        if "reranker" not in library.kept:
            library.kept["reranker"] = models.load(library.config)
        return library.kept["reranker"]  # type: ignore[return-value]
