"""A number in, that many invented references out: the same ones every time, as files or CSL-JSON.

    python bench/invent.py library DIR 20000      # files in a git repository, one commit
    python bench/invent.py csl FILE 5000          # one CSL-JSON file

Nobody's words or names of works are in it: titles and abstracts are drawn, with the skew of a
natural language, from a small vocabulary and a large one of made-up terms.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

from pressmark import ids, page
from pressmark.record import Author, Paper, reference

FAMILIES = (
    "Šimić", "Müller", "Nguyễn", "Okafor", "Tanaka", "Rossi", "Dubois", "Ivanov", "Cohen", "Silva",
    "Johnson", "Andersson", "Kumar", "Nakamura", "Haddad", "O'Brien", "van der Berg", "Łukasiewicz",
    "García", "Dvořák", "Sørensen", "Çelik", "Erdős", "Peña", "Wang", "Li", "Kim", "Patel",
)  # fmt: skip
GIVEN = (
    "Anna", "José", "Wei", "Priya", "Marie-Claire", "Søren", "Yuki", "Omar", "Elena", "A. B.",
    "Björn", "Fatima", "Zoë", "Ivan", "Lucía", "Chen", "Ada", "Paul",
)  # fmt: skip
VENUES = (
    "Journal of Invented Results", "Letters on Made-up Matter", "Imaginary Methods",
    "Annals of Pretend Medicine", "Transactions on Fictional Networks",
)  # fmt: skip
COMMON = (
    "the of and a in to we is for that with on this are by as from which results method model "
    "data show analysis using between two both study effect high low new large small time "
    "more than these our can was were been has have its at an or not also it error estimate "
    "samples population evidence design control trial cost memory gain limit report compare"
)
OPENINGS = ("On the limits of", "Scaling", "Revisiting", "Evidence for", "Towards", "Measuring")
SYLLABLES = (
    "ba be bi bo bu da de di do ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe po "
    "ra re ri ro sa se si so ta te ti to va ve vi vo za ze zo tra pro gra sta"
)
TERMS = 20_000
DATE = "2026-11-30"


class Inventor:
    """Draws papers one after another from one seed."""

    def __init__(self, seed: int = 7, words: int = 140) -> None:
        self._random = random.Random(seed)
        self._words = words

    @cached_property
    def _vocabulary(self) -> tuple[list[str], list[float]]:
        """Words and their cumulative weights: each is as frequent as its rank is small."""
        rng, syllables = random.Random(1), SYLLABLES.split()
        terms = {"".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(TERMS * 2)}
        words = [*COMMON.split(), *rng.sample(sorted(terms), TERMS)]
        return words, list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def papers(self, number: int) -> Iterator[Paper]:
        """Papers, each with its own DOI, title and references to others of the same lot."""
        return (self._paper(at, number) for at in range(number))

    def _paper(self, at: int, number: int) -> Paper:
        rng = self._random
        vocabulary, weights = self._vocabulary
        year = rng.randint(1990, 2026)
        rare = [vocabulary[int(len(vocabulary) * rng.random())] for _ in range(3)]
        doi = f"10.5555/made.{at}"
        text = rng.choices(vocabulary, cum_weights=weights, k=self._words)
        return Paper(
            title=f"{rng.choice(OPENINGS)} {rare[0]} {rare[1]} and {rare[2]}: study {at}",
            authors=tuple(
                f"{rng.choice(FAMILIES)}, {rng.choice(GIVEN)}"
                for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 6, 12)))
            ),
            published=f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            type="article-journal",
            venue=rng.choice(VENUES),
            volume=str(rng.randint(1, 90)),
            pages=f"{at + 1}-{at + 9}",
            doi=doi,
            openalex=f"W{9_000_000 + at}",
            keywords=tuple(sorted(set(rare[:2]))),
            abstract=" ".join(_sentences(text)),
            sources=(f"crossref:{doi} {DATE}", f"openalex:W{9_000_000 + at} {DATE}"),
            cites=tuple(
                f"doi:10.5555/made.{other}"
                for other in dict.fromkeys(rng.randrange(number) for _ in range(8))
            ),
        )


def _sentences(words: Sequence[str]) -> Iterator[str]:
    rest = iter(words)
    while sentence := list(islice(rest, 20)):
        yield f"{' '.join(sentence).capitalize()}."


def write_library(root: Path, number: int, *, words: int = 140) -> None:
    """A library of this size, its files in one commit of a new git repository."""
    root.mkdir(parents=True)
    (root / "pressmark.toml").write_text("format = 1\n", "utf-8")
    (root / ".gitignore").write_text(".pressmark/\n_site/\n", "utf-8")
    for year in range(1990, 2027):
        (root / "library" / str(year)).mkdir(parents=True)
    for at, paper in enumerate(Inventor(words=words).papers(number)):
        key = f"made{paper.year}paper{at}"
        path = root / "library" / ids.folder(key) / f"{key}.md"
        path.write_bytes(page.write(reference(paper, key)))
    commit_all(root)


def commit_all(root: Path) -> None:
    """A repository in `root` with everything in one commit and one pack, as in a clone."""
    for words in (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "--all"),
        ("-c", "gc.auto=0", "commit", "--quiet", "--message", "Invented references"),
        ("repack", "-a", "-d", "--quiet", "--window=0"),
    ):
        subprocess.run(["git", "-C", str(root), *words], check=True)


def csl(papers: Iterator[Paper]) -> list[dict[str, object]]:
    """Papers as the entries of a CSL-JSON file, in the shape that reference managers write."""
    return [_entry(paper) for paper in papers]


def _entry(paper: Paper) -> dict[str, object]:
    people = [Author.parse(name) for name in paper.authors]
    year, month, day = (int(part) for part in (paper.published or "").split("-"))
    number = (paper.doi or "").rpartition(".")[2]
    return {
        "id": f"{ids.make_key(paper, ())}{number}",
        "type": paper.type,
        "title": paper.title,
        "author": [{"family": each.family, "given": each.given} for each in people],
        "issued": {"date-parts": [[year, month, day]]},
        "container-title": paper.venue,
        "volume": paper.volume,
        "page": paper.pages,
        "DOI": paper.doi,
        "keyword": ", ".join(paper.keywords),
        "abstract": paper.abstract,
    }


def main(kind: str, target: str, number: str, words: str = "140") -> None:
    """What the command line asks for."""
    if kind == "library":
        write_library(Path(target), int(number), words=int(words))
    else:
        entries = csl(Inventor(seed=11, words=int(words)).papers(int(number)))
        Path(target).write_text(json.dumps(entries, ensure_ascii=False, indent=1), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
