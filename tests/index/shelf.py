"""A small library in a folder, written file by file, for the tests of `index` and `find`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pressmark import page
from pressmark.config import Config
from pressmark.library import Library
from pressmark.record import FullText, Note, Record, Reference


def reference(key: str, title: str, abstract: str = "", **fields: object) -> Reference:
    """A reference with an abstract."""
    body = f"\n## Abstract\n\n{abstract}\n" if abstract else ""
    return Reference(key=key, title=title, body=body, sources=("test:1",), **fields)  # type: ignore[arg-type]


def place(record: Record) -> str:
    """Where a record's file goes."""
    if isinstance(record, Reference):
        return f"library/nd/{record.key}.md"
    if isinstance(record, FullText):
        return f"library/nd/{record.reference}.fulltext.md"
    assert isinstance(record, Note)
    return f"notes/{record.slug}.md"


def put(root: Path, records: Iterable[Record]) -> None:
    """Write files as an editor would."""
    for record in records:
        path = root / place(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.write(record))


def shelf(
    root: Path, records: Iterable[Record] = (), *, user: Path | None = None, model: str = "none"
) -> Library:
    """A library of some records, opened; `user` holds this user's cache and state."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "pressmark.toml").write_text("format = 1\n", encoding="utf-8")
    put(root, records)
    return reopen(root, user=user, model=model)


def reopen(root: Path, *, user: Path | None = None, model: str = "none") -> Library:
    """The same library as another process sees it."""
    user = user or root.parent / "user"
    config = Config(root=root, model=model, cache_dir=user / "cache", state_dir=user / "state")
    return Library(root, config)


FIELD = (
    reference(
        "vaswani2017attention", "Attention Is All You Need",
        "The dominant sequence transduction models are recurrent. We propose the Transformer, "
        "based solely on attention mechanisms, dispensing with recurrence entirely.",
        authors=("Vaswani, Ashish", "Shazeer, Noam"), arxiv="1706.03762", published="2017",
        tags=("transformers",),
    ),
    reference(
        "hochreiter1997long", "Long Short-Term Memory",
        "Learning to store information over extended time intervals by recurrent backpropagation "
        "takes a very long time. Gated memory cells solve this.",
        authors=("Hochreiter, Sepp",), doi="10.1162/neco.1997.9.8.1735", published="1997",
    ),
    reference(
        "devlin2019bert", "BERT: Pre-training of Deep Bidirectional Transformers",
        "We introduce a language representation model pre-trained on unlabeled text.",
        authors=("Devlin, Jacob",), published="2019", stage="candidate",
        cites=("arxiv:1706.03762", "doi:10.1162/neco.1997.9.8.1735"),
    ),
    reference(
        "page1999pagerank", "Bringing Order to the Web",
        "The importance of a web page is an objective measure of links between documents.",
        authors=("Page, Lawrence",), published="1999", notice="retracted",
    ),
    reference("simic2003nd", "Über Gänse: grasende Vögel am Ufer", authors=("Šimić, Marko",)),
)  # fmt: skip
"""Five references, and who cites whom."""
