"""Score the conversion of real papers against the facts that are known of them.

    make score-fulltext, or python bench/score_fulltext.py [CORPUS]

Prints the table of targets with our figures, and fails below one of them. The corpus stands beside
the project or is named; its facts are counted by the same functions that the tests use.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT / part) for part in ("cli", "tests", "tests/fulltext")]


@dataclass(frozen=True)
class Score:
    """One line of the table: what was counted, out of how many, and how many it must be."""

    what: str
    found: int
    total: int
    reach: int

    def __str__(self) -> str:
        mark = "ok" if self.found >= self.reach else "BELOW"
        return (
            f"{self.what:62} {self.found:>6,} of {self.total:>6,}   reach {self.reach:>6,}   {mark}"
        )


def scores(corpus: Path) -> Iterator[Score]:
    """Every fact of the manifests, by form."""
    yield from pdf(corpus)
    jats = importlib.import_module("test_fulltext_jats")
    counts, lost = jats.kept(corpus)
    headings = sum("heading" in one for one in lost)
    yield Score("JATS: paragraphs whole", counts["p"] - len(lost) + headings, counts["p"], 1120)
    yield Score("JATS: headings", counts["heading"] - headings, counts["heading"], 302)
    yield Score("JATS: references", counts["ref"], counts["ref"], 1242)
    html = importlib.import_module("test_fulltext_html")
    total, missing = html.dollars(corpus)
    yield Score("LaTeXML: formulas in dollars", total - len(missing), 2662, 2662)


def pdf(corpus: Path) -> Iterator[Score]:
    """Sentences, reference lists, headings and named states of the PDFs."""
    from pressmark.fulltext.pdf import second

    facts = importlib.import_module("test_fulltext_pdf")
    backends = dict(second._BACKENDS)
    second._BACKENDS.clear()
    found, total = facts.kept(corpus)
    yield Score("PDF: sentences whole, pypdf alone", found, total, 63)
    second._BACKENDS.update(backends)
    facts.read.cache_clear()
    found, total = facts.kept(corpus)
    name = "PDF: sentences whole, with [fast]"
    yield Score(name if find_spec("pypdfium2") else "PDF: sentences whole", found, total,
                65 if find_spec("pypdfium2") else 63)  # fmt: skip
    yield from lists(corpus, facts)
    outlines = [facts.outlined(corpus, f"{one}.pdf") for one in facts.OUTLINED]
    total = sum(count for _, count in outlines)
    yield Score("PDF: headings of six files' own outlines (58 of 62 is 94 %)",
                sum(one for one, _ in outlines), total, round(total * 58 / 62))  # fmt: skip
    states = facts.STATES
    right = sum(facts.read(corpus, f"{one}.pdf").state == state for one, state in states.items())
    yield Score("PDF: special files with the state they are in", right, len(states), len(states))


def lists(corpus: Path, facts: object) -> Iterator[Score]:
    """Reference lists: found under their heading, found without one, and none where none is."""
    rows = facts.rows(corpus)  # type: ignore[attr-defined]
    headed = [row[0] for row in rows if "ref" in row[8].lower() and not row[8].startswith("none")]
    read = {row[0]: len(facts.read(corpus, row[0]).references) for row in rows}  # type: ignore[attr-defined]
    found = sum(read[one] >= 3 for one in headed)
    yield Score("PDF: reference lists under a heading", found, len(headed), len(headed))
    bare = ["arxiv-0908.0054.pdf", "hep-ph-9412269.pdf"]
    yield Score("PDF: reference lists without a heading", sum(read[o] >= 8 for o in bare), 2, 1)
    stated = dict(facts.REFERENCES)  # type: ignore[attr-defined]
    right = sum(read[f"{name}.pdf"] == count for name, count in stated.items())
    yield Score(
        "PDF: lists with the number of entries that is known", right, len(stated), len(stated)
    )
    none = [row[0] for row in rows if row[9].strip() == "0" and row[8].startswith("none")]
    yield Score("PDF: no list where there is none", sum(not read[one] for one in none), len(none),
                len(none))  # fmt: skip


def main() -> int:
    """Print the table; 1 when a figure is below its target, 2 without the corpus."""
    named = sys.argv[1:] or [str(PROJECT.parent / "shared" / "corpus")]
    corpus = Path(named[0])
    if not (corpus / "pdf" / "MANIFEST.tsv").is_file():
        print(f"{corpus} is no corpus of papers.", file=sys.stderr)
        return 2
    below = 0
    for score in scores(corpus):
        print(score, flush=True)
        below += score.found < score.reach
    return 1 if below else 0


if __name__ == "__main__":
    raise SystemExit(main())
