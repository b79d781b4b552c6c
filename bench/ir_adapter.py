"""Collections of documents in, Pressmark's own ranking out: an adapter for `ir_eval.py`.

    python …/ir_eval.py --adapter bench.ir_adapter:words --only scifact-dev
    python …/ir_eval.py --adapter bench.ir_adapter:hybrid
    IR_LINKS=…/cacm/links.tsv python …/ir_eval.py --adapter bench.ir_adapter:hybrid --only cacm

Every document becomes a Markdown file of a real library, which is indexed and asked by the very
function that the command `find` calls. Vectors are kept in IR_CACHE between runs.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

from pressmark import find, index, page
from pressmark.config import Config
from pressmark.library import Library
from pressmark.record import Reference
from pressmark.text import clean

Document = dict[str, str]


def words(docs: Sequence[Document]) -> Engine:
    """Words and graph, no model."""
    return Engine(docs, model="none")


def hybrid(docs: Sequence[Document]) -> Engine:
    """Words, vectors and graph."""
    return Engine(docs, model="minilm")


class Engine:
    """A library of the documents, indexed."""

    def __init__(
        self, docs: Sequence[Document], model: str, links: Mapping[str, set[str]] | None = None
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ir-")
        root = Path(self._folder.name)
        cache = Path(os.environ.get("IR_CACHE", root / "cache"))
        config = Config(root=root, model=model, cache_dir=cache, state_dir=root / "state")
        _write(root, docs, citations(os.environ.get("IR_LINKS")) if links is None else links)
        self.library = Library(root, config)
        index.build(self.library, progress=_said)

    def search(self, query: str, k: int) -> list[str]:
        """Keys of the best references."""
        return [hit.key for hit in find.find(self.library, query, k=k).hits]

    def weigh(self, **weights: float) -> None:
        """Ask with other weights from now on; without any, with the usual ones."""
        self.library.config = replace(self.library.config, weights=weights)

    def close(self) -> None:
        """Leave nothing behind."""
        self._folder.cleanup()


def _write(root: Path, docs: Sequence[Document], links: Mapping[str, set[str]]) -> None:
    for number, doc in enumerate(docs):
        folder = root / "library" / str(number // 1000)
        folder.mkdir(parents=True, exist_ok=True)
        text = clean(doc["text"])
        reference = Reference(
            key=doc["id"], title=clean(doc["title"]) or "-", doi=f"10.1000/{doc['id'].lower()}",
            cites=tuple(f"doi:10.1000/{each.lower()}" for each in sorted(links.get(doc["id"], ()))),
            body=f"\n## Abstract\n\n{text}\n" if text else "",
        )  # fmt: skip
        (folder / f"{doc['id']}.md").write_bytes(page.write(reference))


def citations(name: str | None) -> dict[str, set[str]]:
    """Citations from CACM's file of `from <tab> type <tab> to` lines."""
    found: dict[str, set[str]] = {}
    for line in Path(name).read_text("utf-8").splitlines()[1:] if name else ():
        one, kind, other = line.split("\t")
        if kind == "5" and one != other:  # of CACM's links those that are citations
            found.setdefault(one, set()).add(other)
    return found


def _said(what: str, done: int, of: int) -> None:
    if done == of or done % 640 == 0:
        print(what, done, of, file=sys.stderr, flush=True)


make: Any = hybrid
