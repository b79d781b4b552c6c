"""Engines of words at several sizes: build, open, ask, refresh one document, and their memory.

    python bench/engines.py ENGINE SIZE          # one engine in this process, as one line of JSON
    python bench/engines.py --all [SIZE…]        # every engine in a process of its own, as a table

Ours are asked through the port that `find` asks. The peers are bare: nothing around them that a
search engine would need, and their own analysis. bm25s is measured where it is installed; it is
no dependency. Documents are invented: 200 words with the skew of a language, and a title.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

SIZES = (1_000, 10_000, 100_000)
ENGINES = {
    "whoosh": "ours over whoosh's codec", "tantivy": "ours over tantivy",
    "bare-whoosh": "whoosh alone", "bare-tantivy": "tantivy alone",
    "fts5": "SQLite FTS5", "bm25s": "bm25s",
}  # fmt: skip
SLOW = {"bare-whoosh": 10_000}
"""Above so many documents a peer is left out of the table: its build takes minutes."""

QUERIES, ASKED = 60, 4


class Engine(Protocol):
    """What is measured."""

    def build(self, folder: Path, texts: list[str]) -> None: ...
    def open(self, folder: Path) -> Callable[[list[str]], int]: ...
    def refresh(self, folder: Path, text: str) -> None: ...


def documents(number: int) -> Iterator[str]:
    """Texts, the same ones every time."""
    rng = random.Random(7)
    syllables = ("ba", "ke", "li", "mo", "nu", "pra", "sta", "tri", "vo", "ze", "gor", "fim")
    words = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(30_000)]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    return (" ".join(rng.choices(words, cum_weights=weights, k=208)) for _ in range(number))


def questions() -> list[list[str]]:
    """Words to ask for: some frequent, some rare."""
    rng = random.Random(3)
    words = list(dict.fromkeys(" ".join(documents(40)).split()))
    return [rng.sample(words, ASKED) for _ in range(QUERIES)]


class Ours:
    """The engine behind the port, as the index uses it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.segments: Any = ()
        self.dead: set[int] = set()

    def build(self, folder: Path, texts: list[str]) -> None:
        from pressmark.index import engines
        from pressmark.index.ports import Document

        writer = engines.extending(self.name, folder, (), (), (), 0)
        for number, text in enumerate(texts, 1):
            writer.add(Document(number, number, text))
        self.segments = writer.finish()
        self.next = len(texts) + 1

    def open(self, folder: Path) -> Callable[[list[str]], int]:
        from pressmark.index import engines

        words = engines.opened(self.name, folder, self.segments, self.dead)
        return lambda asked: len(words.search(words.analyser.bag(" ".join(asked)), 10))

    def refresh(self, folder: Path, text: str) -> None:
        from pressmark.index import engines
        from pressmark.index.ports import Document

        self.dead.add(1)
        writer = engines.extending(self.name, folder, self.segments, self.dead, (1,), 1)
        writer.add(Document(self.next, self.next, text))
        self.segments = writer.finish()
        self.next += 1


class BareWhoosh:
    """One stemmed field, OR of the terms."""

    def build(self, folder: Path, texts: list[str]) -> None:
        from whoosh import analysis, fields, index

        schema = fields.Schema(
            id=fields.ID(stored=True, unique=True),
            text=fields.TEXT(analyzer=analysis.StemmingAnalyzer()),
        )
        writer = index.create_in(str(folder), schema).writer(limitmb=256)
        for number, text in enumerate(texts, 1):
            writer.add_document(id=str(number), text=text)
        writer.commit()

    def open(self, folder: Path) -> Callable[[list[str]], int]:
        from whoosh import analysis, index, query

        searcher, stems = index.open_dir(str(folder)).searcher(), analysis.StemmingAnalyzer()

        def ask(asked: list[str]) -> int:
            terms = [token.text for token in stems(" ".join(asked))]
            return len(searcher.search(query.Or([query.Term("text", t) for t in terms]), limit=10))

        return ask

    def refresh(self, folder: Path, text: str) -> None:
        from whoosh import index

        writer = index.open_dir(str(folder)).writer()
        writer.update_document(id="1", text=text)
        writer.commit(merge=False)


class BareTantivy:
    """One field with tantivy's English stems."""

    def _index(self, folder: Path) -> Any:
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", tokenizer_name="en_stem", index_option="freq")
        builder.add_unsigned_field("id", stored=True, indexed=True)
        return tantivy.Index(builder.build(), path=str(folder))

    def build(self, folder: Path, texts: list[str]) -> None:
        import tantivy

        writer = self._index(folder).writer(64_000_000, 1)
        for number, text in enumerate(texts, 1):
            document = tantivy.Document()
            document.add_text("text", text)
            document.add_unsigned("id", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    def open(self, folder: Path) -> Callable[[list[str]], int]:
        index = self._index(folder)
        searcher = index.searcher()
        return lambda asked: len(
            searcher.search(index.parse_query(" ".join(asked), ["text"]), 10).hits
        )

    def refresh(self, folder: Path, text: str) -> None:
        import tantivy

        index = self._index(folder)
        writer = index.writer(15_000_000, 1)
        writer.delete_documents_by_query(tantivy.Query.term_query(index.schema, "id", 1))
        document = tantivy.Document()
        document.add_text("text", text)
        document.add_unsigned("id", 1)
        writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()


class Fts5:
    """SQLite's own, with its Porter stems."""

    def _connect(self, folder: Path) -> Any:
        import sqlite3

        return sqlite3.connect(folder / "fts.sqlite")

    def build(self, folder: Path, texts: list[str]) -> None:
        with self._connect(folder) as connection:
            connection.execute(
                "CREATE VIRTUAL TABLE t USING fts5(text, tokenize='porter unicode61')"
            )
            connection.executemany("INSERT INTO t(text) VALUES (?)", ([text] for text in texts))

    def open(self, folder: Path) -> Callable[[list[str]], int]:
        connection = self._connect(folder)
        sql = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 10"

        def ask(asked: list[str]) -> int:
            words = " OR ".join(f'"{word}"' for word in asked)
            return len(connection.execute(sql, [words]).fetchall())

        return ask

    def refresh(self, folder: Path, text: str) -> None:
        with self._connect(folder) as connection:
            connection.execute("UPDATE t SET text = ? WHERE rowid = 1", [text])


class Bm25s:
    """All scores at build; one changed document means all of it again."""

    def build(self, folder: Path, texts: list[str]) -> None:
        import bm25s

        made = bm25s.BM25()
        made.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
        made.save(str(folder / "bm25s"))
        self.texts = texts

    def open(self, folder: Path) -> Callable[[list[str]], int]:
        import bm25s

        held = bm25s.BM25.load(str(folder / "bm25s"), mmap=True)

        def ask(asked: list[str]) -> int:
            tokens = bm25s.tokenize([" ".join(asked)], show_progress=False)
            found, _ = held.retrieve(tokens, k=10, show_progress=False)
            return len(found[0])

        return ask

    def refresh(self, folder: Path, text: str) -> None:
        self.build(folder, [text, *self.texts[1:]])


def made(name: str) -> Engine:
    """An engine by its name."""
    bare: dict[str, Callable[[], Engine]] = {
        "bare-whoosh": BareWhoosh, "bare-tantivy": BareTantivy, "fts5": Fts5, "bm25s": Bm25s,
    }  # fmt: skip
    return bare[name]() if name in bare else Ours(name)


def measure(name: str, size: int) -> dict[str, float]:
    """CPU seconds of each step, megabytes of the largest memory, and of the files."""
    engine, texts, asked = made(name), list(documents(size)), questions()
    with tempfile.TemporaryDirectory(prefix="pressmark-bench-") as scratch:
        folder = Path(scratch) / "index"
        folder.mkdir()
        before = _memory()
        start = time.process_time()
        engine.build(folder, texts)
        build = time.process_time() - start
        size_mb = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
        start = time.process_time()
        ask = engine.open(folder)
        ask(asked[0])
        opened = time.process_time() - start
        each = []
        for words in asked:
            start = time.process_time()
            ask(words)
            each.append(time.process_time() - start)
        updated = folder.with_name("updated")
        shutil.copytree(folder, updated)
        start = time.process_time()
        engine.refresh(updated, texts[-1])
        refreshed = time.process_time() - start
    return {
        "build": build, "open": opened, "query": statistics.median(each), "refresh": refreshed,
        "memory": _memory(), "before": before, "disk": size_mb,
    }  # fmt: skip


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def installed(name: str) -> bool:
    """Whether an engine can be measured here."""
    package = {"bare-whoosh": "whoosh", "bare-tantivy": "tantivy", "fts5": "sqlite3"}
    return find_spec(package.get(name, name)) is not None


def table(sizes: list[int]) -> Iterator[str]:
    """The lines of the table, as they are measured."""
    yield "| passages | engine | build | open, first | query | refresh one | MB | disk MB |"
    yield "|---:|---|---:|---:|---:|---:|---:|---:|"
    for size in sizes:
        for name, title in ENGINES.items():
            if not installed(name) or size > SLOW.get(name, size):
                continue
            words = (sys.executable, __file__, name, str(size))
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            got = json.loads(done.stdout)
            yield (
                f"| {size:,} | {title} | {got['build']:.2f} s | {got['open'] * 1e3:.0f} ms | "
                f"{got['query'] * 1e3:.2f} ms | {got['refresh']:.3f} s | {got['memory']:.0f} | "
                f"{got['disk']:.1f} |"
            )


if __name__ == "__main__":
    if sys.argv[1] == "--all":
        for line in table([int(each) for each in sys.argv[2:]] or list(SIZES)):
            print(line, flush=True)
    else:
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
