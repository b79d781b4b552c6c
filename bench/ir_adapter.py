"""Collections of documents in, Pressmark's own ranking out: an adapter for `ir_eval.py`.

    python …/ir_eval.py --adapter bench.ir_adapter:words --only scifact-dev
    python …/ir_eval.py --adapter bench.ir_adapter:hybrid
    IR_LINKS=…/cacm/links.tsv python …/ir_eval.py --adapter bench.ir_adapter:hybrid --only cacm

Every document becomes a reference file of a real library, which is indexed and asked as `find`
does it; only the evidence passages are left out. Vectors are kept in IR_CACHE between runs.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

from pressmark import index, page
from pressmark.config import Config
from pressmark.find import asking, finding, fusion
from pressmark.index.rows import REFERENCES_ONLY
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

    def __init__(self, docs: Sequence[Document], model: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ir-")
        root = Path(self._folder.name)
        cache = Path(os.environ.get("IR_CACHE", root / "cache"))
        config = Config(root=root, model=model, cache_dir=cache, state_dir=root / "state")
        _write(root, docs, _links())
        self.library = Library(root, config)
        index.build(self.library, progress=_said)
        self._index = index.open_index(self.library)
        self._citations = finding.citations(self.library)
        self._model = None if model == "none" else asking.embedder(self.library, self._index)

    def search(self, query: str, k: int) -> list[str]:
        """Keys of the best references."""
        asked = asking.question(self.library, self._index, query, self._model)
        channels = asking.ask(self._index, asked, REFERENCES_ONLY)
        found = asking.with_graph(channels, self._citations, _Everything(), fusion.WEIGHTS)
        return [each.key for each in found[:k]]

    def close(self) -> None:
        """Leave nothing behind."""
        self._index.close()
        self._folder.cleanup()


class _Everything:
    def __contains__(self, key: object) -> bool:
        return True


def _write(root: Path, docs: Sequence[Document], links: dict[str, set[str]]) -> None:
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


def _links() -> dict[str, set[str]]:
    """Citations from CACM's file of `from <tab> type <tab> to` lines."""
    found: dict[str, set[str]] = {}
    if name := os.environ.get("IR_LINKS"):
        for line in Path(name).read_text("utf-8").splitlines()[1:]:
            one, kind, other = line.split("\t")
            if kind == "5" and one != other:  # of CACM's links those that are citations
                found.setdefault(one, set()).add(other)
    return found


def _said(what: str, done: int, of: int) -> None:
    if done == of or done % 640 == 0:
        print(what, done, of, file=sys.stderr, flush=True)


make: Any = hybrid
