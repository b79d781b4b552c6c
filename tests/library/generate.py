"""A number in, that many made-up references out: the same ones every time.

`python tests/library/generate.py DIR 20000` writes a library of that size for measurements.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from pressmark import page
from pressmark.library import places
from pressmark.record import Paper, reference

FAMILIES = (
    "Šimić", "Müller", "Nguyễn", "Okafor", "Tanaka", "Rossi", "Dubois", "Ivanov", "Cohen", "Silva",
    "Johnson", "Andersson", "Kumar", "Nakamura", "Haddad", "O'Brien", "van der Berg", "Łukasiewicz",
)  # fmt: skip
GIVEN = ("Anna", "José", "Wei", "Priya", "Marie-Claire", "Søren", "Yuki", "Omar", "Elena", "A. B.")
NOUNS = (
    "transformer", "protein", "lattice", "microbiome", "policy", "annealing", "sepsis", "mobility",
    "privacy", "halo", "insulator", "citation", "inference", "climate", "repair", "retrieval",
)  # fmt: skip
VERBS = (
    "Limits of",
    "Scaling",
    "Revisiting",
    "Evidence for",
    "Towards",
    "Measuring",
    "A survey of",
)
VENUES = ("Nature Methods", "PLOS ONE", "eLife", "The Lancet", "Physical Review Letters")
WORDS = [
    "we",
    "present",
    "a",
    "method",
    "that",
    "improves",
    "the",
    "estimate",
    "of",
    "error",
    "in",
    "large",
    "noisy",
    "samples",
    "and",
    "report",
    "limits",
    "of",
    "the",
    "approach",
    "for",
    "small",
    "populations",
    "while",
    "reducing",
    "cost",
    "and",
    "memory",
    "use",
]


def papers(number: int, *, seed: int = 7) -> Iterator[Paper]:
    """Made-up papers, each with its own DOI and title."""
    rng = random.Random(seed)
    for at in range(number):
        year = rng.randint(1990, 2026)
        nouns = rng.sample(NOUNS, 3)
        doi = f"10.5555/made.{seed}.{at}"
        yield Paper(
            title=f"{rng.choice(VERBS)} {nouns[0]} {nouns[1]} and {nouns[2]} {at}",
            authors=tuple(
                f"{rng.choice(FAMILIES)}, {rng.choice(GIVEN)}" for _ in range(rng.randint(1, 6))
            ),
            published=f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            type="article-journal",
            venue=rng.choice(VENUES),
            volume=str(rng.randint(1, 90)),
            pages=f"{at + 1}-{at + 9}",
            doi=doi,
            openalex=f"W{9_000_000 + at}",
            keywords=tuple(sorted(nouns[:2])),
            abstract=" ".join(rng.choice(WORDS) for _ in range(150)) + ".",
            sources=(f"crossref:{doi} 2026-11-30", f"openalex:W{9_000_000 + at} 2026-11-30"),
            cites=tuple(f"doi:10.5555/made.{seed}.{rng.randrange(number)}" for _ in range(8)),
        )


def write_library(root: Path, number: int) -> None:
    """The files of a library of this size; no git."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "pressmark.toml").write_text("format = 1\n")
    for at, paper in enumerate(papers(number)):
        record = reference(paper, f"made{paper.year}paper{at}")
        path = root / places.new(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.write(record))


if __name__ == "__main__":
    write_library(Path(sys.argv[1]), int(sys.argv[2]))
