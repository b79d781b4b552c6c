"""What was measured in; docs/benchmarks.md, with the machine it was measured on, out."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from timing import Cost

HEAD = """\
# Benchmarks

Measured on {date} with `make bench{quick}`; this page is generated.

Each figure is CPU seconds, user and system, of whole processes and their children.
MB is the largest resident size of any of them, at least that of the process that measures.
Short commands are the median of several runs, the file system's caches warm; long ones ran once.
The references are invented: about 1.8 kB a file, an abstract of 140 words, eight citations.
A peer stands in the same run, because a busy machine makes everything dearer.
A target is the number that this project set itself.

Machine: {machine}.
"""
COLUMNS = "| what | CPU s | MB | target | beside it in the same run |\n|---|---:|---:|---|---|"


@dataclass(frozen=True)
class Row:
    """One line of a table."""

    what: str
    cost: Cost
    target: str = ""
    peer: str = ""

    def __str__(self) -> str:
        seconds, size = f"{self.cost.seconds:.2f}", f"{self.cost.megabytes:.0f}"
        target = f"≤ {self.target}" if self.target else ""
        return f"| {self.what} | {seconds} | {size} | {target} | {self.peer} |"


ENGINES = """\
## Engines of words

Each in a process of its own: {queries} questions of four words, the first ten answers; CPU time.
Ours are asked as `find` asks them, both give one order; the others are bare.
MB is the largest memory of the whole run, the documents included.
Above 10,000 documents whoosh alone is left out: its build takes minutes.
"""


def written(
    tables: Mapping[str, Sequence[Row]], engines: Sequence[str] = (), *, quick: bool
) -> str:
    """The page."""
    option = "` in its small size, `python bench/measure.py --quick" if quick else ""
    parts = [HEAD.format(date=date.today().isoformat(), quick=option, machine=machine())]
    for heading, rows in tables.items():
        parts.append("\n".join((f"## {heading}\n", COLUMNS, *map(str, rows))) + "\n")
    if engines:
        parts.append("\n".join((ENGINES.format(queries=60), *engines)) + "\n")
    return "\n".join(parts)


def replaced(page: str, fresh: str, heading: str) -> str:
    """A page with one table of a fresh one in its place; when and where it was measured is said."""
    part = re.compile(rf"## {re.escape(heading)}\n.*?(?=\n## |\Z)", re.S)
    found = part.search(fresh)
    if not found:
        return page
    when = f"Measured on {date.today().isoformat()}, {machine()}.\n\n"
    new = found[0].replace("\n\n", f"\n\n{when}", 1)
    return part.sub(lambda _: new, page, count=1) if part.search(page) else f"{page}\n{new}"


def machine() -> str:
    """Processors, system, Python and git: nothing that names the machine."""
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"\d+(\.\d+)+", git)
    return ", ".join((
        f"{os.cpu_count()} cores ({_processor()})",
        f"{platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}",
        f"git {version[0] if version else 'unknown'}",
        _load(),
    ))  # fmt: skip


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or "unknown"
    found = re.search(r"model name\s*:\s*(.+)", text)
    return found[1].strip() if found else "unknown"


def _load() -> str:
    """How busy the machine was: with more to do than it has cores, CPU seconds grow too."""
    return f"load average {os.getloadavg()[1]:.1f} while measuring"
