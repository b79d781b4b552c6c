"""papis and cobib beside Pressmark, in the same run, on the same file: `make bench` calls this.

    python bench/peers.py [--entries 5000] [--papis 200]

Each peer gets a virtual environment of its own below a scratch folder, so it needs the package
index; without it the rows say so. papis is given fewer entries, since each costs it more than the
one before.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

from report import Row
from timing import Bench, Cost

COBIB = "cobib==6.0.3"
PAPIS = "papis==0.16.1"
WORD = "study"


def bibliography(bench: Bench, count: int) -> Path:
    """A .bib file of invented entries, as Pressmark exports them."""
    here = Path(__file__).resolve().parent
    source, library = bench.scratch / f"peers{count}.json", bench.scratch / f"peers{count}"
    bench.run(sys.executable, str(here / "invent.py"), "csl", str(source), str(count))
    bench.pressmark("init", str(library), cwd=bench.scratch)
    bench.pressmark("import", str(source), cwd=library)
    target = bench.scratch / f"peers{count}.bib"
    bench.pressmark("export", "--format", "bibtex", "-o", str(target), cwd=library)
    return target


def installed(bench: Bench, name: str, what: str) -> Path | None:
    """The programs of a peer's own environment; None where it cannot be installed."""
    folder = bench.scratch / name
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", what]
    done = subprocess.run(pip, capture_output=True)
    return folder / "bin" if done.returncode == 0 else None


def ours(bench: Bench, file: Path, name: str) -> dict[str, Cost]:
    """Pressmark's costs, each of a process of its own."""
    library = bench.scratch / name
    bench.pressmark("init", str(library), cwd=bench.scratch)
    costs = {"import": bench.pressmark("import", str(file), cwd=library)}
    bench.pressmark("list", "key:none", cwd=library)
    costs["search"] = bench.pressmark("list", WORD, cwd=library)
    costs["export"] = bench.pressmark("export", "-o", "all.bib", cwd=library)
    return costs


def cobib(bench: Bench, file: Path, programs: Path) -> dict[str, Cost]:
    """cobib's costs: one database, one git commit."""
    home = bench.scratch / "home"
    config = home / ".config/cobib/config.py"
    config.parent.mkdir(parents=True, exist_ok=True)
    base = bench.scratch / "cobib-data/database.yaml"
    config.write_text(
        "from cobib.config import config\n"
        f"config.database.file = {str(base)!r}\nconfig.database.git = True\n"
    )
    program = str(programs / "cobib")
    bench.run(program, "init", "--git")
    costs = {"import": bench.run(program, "add", "-b", str(file), "--skip-download")}
    bench.run(program, "-p", "list", "-l", "1")
    costs["search"] = bench.run(program, "-p", "search", WORD)
    out = bench.scratch / "cobib.bib"
    costs["export"] = bench.run(program, "export", "--bibtex", str(out))
    return costs


def papis(bench: Bench, file: Path, programs: Path) -> dict[str, Cost]:
    """papis' costs: a folder an entry."""
    config = bench.scratch / "home/.config/papis/config"
    config.parent.mkdir(parents=True, exist_ok=True)
    folder = bench.scratch / "papis-data"
    folder.mkdir()
    config.write_text(f"[settings]\ndefault-library = bench\n[bench]\ndir = {folder}\n")
    program = str(programs / "papis")
    words = ("--log", "ERROR", "bibtex", "read", str(file), "import", "--all", "--batch")
    costs = {"import": bench.run(program, *words)}
    bench.run(program, "list", "--all", f"title:{WORD}")
    costs["search"] = bench.run(program, "list", "--all", f"title:{WORD}")
    out = str(bench.scratch / "papis.bib")
    costs["export"] = bench.run(program, "export", "--all", "--batch", "-f", "bibtex", "-o", out)
    return costs


VERBS = {"import": "`import` of", "search": "one word among", "export": "`export` to BibTeX of"}


def rows(bench: Bench, entries: int, few: int) -> Iterator[Row]:
    """A row a verb and size, the peer beside us."""
    for peer, what, run, count in (
        ("cobib", COBIB, cobib, entries),
        ("papis", PAPIS, papis, few),
    ):
        file = bibliography(bench, count)
        mine = ours(bench, file, f"beside-{peer}")
        programs = installed(bench, peer, what)
        theirs = run(bench, file, programs) if programs else {}
        for verb, cost in mine.items():
            beside = f"{what.replace('==', ' ')} {theirs[verb]}" if verb in theirs else (
                f"{peer} could not be installed"
            )  # fmt: skip
            yield Row(f"{VERBS[verb]} {count:,} .bib entries", cost, "", beside)


def main() -> int:
    """Measure the peers alone, and print a line a row."""
    options = argparse.ArgumentParser(description="Pressmark beside papis and cobib.")
    options.add_argument("--entries", type=int, default=5000)
    options.add_argument("--papis", type=int, default=200)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="pressmark-peers-") as folder:
        bench = Bench(Path(folder))
        (bench.scratch / "home").mkdir()
        for row in rows(bench, asked.entries, asked.papis):
            print(row, flush=True)
        for failure in bench.failures:
            print(f"FAILED: {failure}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
