"""Imports, updates, edits, renames and undos in any order: what a person set stands."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pressmark.library import Library, Write, create
from pressmark.library.updating import Offer, update
from pressmark.record import Paper, Reference, Topic

FIELDS = ("volume", "venue", "published", "authors", "abstract")
SOURCES = {"file": "csl-json:file", "web": "crossref:10.1000/web 2026-01-02"}

SEEDS = range(40) if os.environ.get("PRESSMARK_FULL") else range(2)
STEPS = 24


def chosen(name: str, number: int) -> str:
    """What a person sets; of authors and dates it is what a source's could continue."""
    if name == "authors":
        return f"Family0, Right{number}"
    return f"{2000 + number}" if name == "published" else f"my {name} {number}"


@dataclass
class Model:
    """A reference of a file, one of the web, and what a person set in each."""

    library: Library
    git: Callable[..., str]
    drawn: random.Random
    mine: dict[str, dict[str, object]] = field(default_factory=lambda: {"file": {}, "web": {}})
    number: int = 0
    said: list[str] = field(default_factory=list)

    def held(self, which: str) -> Reference:
        self.library.refresh()
        return self.library.get(f"doi:10.1000/{which}")

    def offer(self, which: str) -> Paper:
        """What the source says this time; its lists and dates continue what is held."""
        self.number += 1
        year = (self.held(which).published or "2019")[:4] if self.number > 2 else "2019"
        given = tuple(f"Family{n}, Given{self.number}" for n in range(2 + self.number % 3))
        return Paper(
            title=f"Of the {which}", doi=f"10.1000/{which}", sources=(SOURCES[which],),
            volume=f"volume {self.number}", venue=f"venue {self.number}", authors=given,
            published=f"{year}-{self.number % 12 + 1:02}", abstract=f"abstract {self.number}",
        )  # fmt: skip

    def offered(self, which: str) -> None:
        """The file once more, or the same paper by a command that asks a provider."""
        paper, mine = self.offer(which), self.mine[which]
        if which == "file":
            self.library.add([paper], subject="import: a file")
        elif self.drawn.random() < 0.5:
            self.library.add([paper], subject="add: a paper")
        else:
            update(self.library, [Offer(self.held(which).key, paper)], Write())
        held = self.held(which)
        for name in mine.keys() - {"abstract"}:
            value = getattr(paper, name)
            if name == "authors" and len(value) <= len(held.authors):
                continue  # the same families, and no more of them, say nothing new
            shown = "; ".join(value) if isinstance(value, tuple) else value
            line = f"{name}: {shown} ({SOURCES[which].partition(':')[0]})"
            assert line in held.conflicts, (self.said, line)

    def edited(self, which: str) -> None:
        """By our own command, or by an editor, who commits or does not."""
        self.number += 1
        name = self.drawn.choice(FIELDS)
        new, held = chosen(name, self.number), self.held(which)
        how = self.drawn.choice(("command", "editor", "committed"))
        path = self.library.root / self.library.path(held.key)
        old = getattr(held, name)
        if name == "abstract":
            how = "editor" if how == "command" else how
            path.write_text(path.read_text().replace(f"\n{old}\n", f"\n{new}\n"))
        elif how == "command":
            self.library.edit([held.key], set={name: new})
        elif name == "authors":
            path.write_text(path.read_text().replace(old[0], new, 1))
        else:
            path.write_text(path.read_text().replace(f"{name}: {_as(old)}", f"{name}: {_as(new)}"))
        if how == "committed":
            self.git("commit", "-q", "-a", "-m", "By hand")
        self.mine[which][name] = getattr(self.held(which), name)
        assert self.mine[which][name] != old

    def renamed(self, which: str) -> None:
        if not self.git("status", "--porcelain"):
            self.number += 1
            self.library.rename(self.held(which).key, f"key{self.number}")

    def undone(self, which: str) -> None:
        """An offer that was taken goes; what a person set before it stays."""
        if not self.git("status", "--porcelain"):
            before = self.git("rev-parse", "HEAD")
            self.library.add([self.offer(which)], subject="import: a mistake")
            if self.git("rev-parse", "HEAD") != before:
                self.library.undo()

    def step(self) -> None:
        which = self.drawn.choice(("file", "web"))
        act = self.drawn.choice((self.offered,) * 4 + (self.edited,) * 3 + (self.renamed,) * 2
                                + (self.undone,))  # fmt: skip
        self.said.append(f"{act.__name__} {which}")
        act(which)
        for each, values in self.mine.items():
            held = self.held(each)
            assert {name: getattr(held, name) for name in values} == values, self.said
            assert "My prose: abstract 1 and 2 of it." in held.body, self.said


def _as(value: object) -> str:
    text = str(value)
    return f"'{text}'" if text[0].isdigit() else text


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_person_set_stands_whatever_comes_after(
    tmp_path: Path, git: Callable[..., str], seed: int
) -> None:
    create(tmp_path / "lib")
    model = Model(Library.open(tmp_path / "lib"), git, random.Random(seed))
    for which in SOURCES:
        paper = Paper(
            title=f"Of the {which}", doi=f"10.1000/{which}", sources=(SOURCES[which],),
            volume="volume 1", venue="venue 1", published="2019", abstract="abstract 1",
            authors=("Family0, Given0", "Family1, Given0"),
        )  # fmt: skip
        model.library.add([paper], subject="import: a file" if which == "file" else "add: a paper")
        path = model.library.root / model.library.path(model.held(which).key)
        prose = "My prose: abstract 1 and 2 of it.\n\n## Abstract"
        path.write_text(path.read_text().replace("## Abstract", prose))
    git("commit", "-q", "-a", "-m", "Prose")
    for _ in range(STEPS):
        model.step()


def test_what_a_person_shortened_is_not_lengthened_again(tmp_path: Path) -> None:
    create(tmp_path / "lib")
    library = Library.open(tmp_path / "lib")

    def imported(*names: str, date: str) -> Reference:
        paper = Paper(title="One", sources=("csl-json:k",), key_hint="k", authors=names,
                      published=date)  # fmt: skip
        library.add([paper], subject="import: 1 entry of 1 file")
        library.refresh()
        return library.get("k")

    assert imported("Bee, B.", date="2019").authors == ("Bee, B.",)
    grown = imported("Bee, B.", "Cee, C.", date="2019-05")
    assert (grown.authors, grown.published) == (("Bee, B.", "Cee, C."), "2019-05")
    library.edit(["k"], set={"authors": "Bee, Beatrix", "published": "2019"})
    library.refresh()
    held = imported("Bee, B.", "Cee, C.", date="2019-05")
    assert (held.authors, held.published) == (("Bee, Beatrix",), "2019")
    assert held.conflicts == (
        "authors: Bee, B.; Cee, C. (csl-json)",
        "published: 2019-05 (csl-json)",
    )


def test_what_was_merged_and_dropped_comes_back_under_neither_name(tmp_path: Path) -> None:
    create(tmp_path / "lib")
    library = Library.open(tmp_path / "lib")
    topic = Topic(slug="herons", title="Herons", query="herons")

    def ran() -> list[str]:
        papers = [
            Paper(title=f"Herons {n}", doi=f"10.1000/{n}", sources=(f"crossref:10.1000/{n} 2026",))
            for n in (1, 2)
        ]
        added = library.add(papers, stage="candidate", topic="herons", records=[topic])
        library.refresh()
        return [item.outcome for item in added.items]

    assert ran() == ["added", "added"]
    kept = library.key("doi:10.1000/1")
    library.merge(kept, library.key("doi:10.1000/2"))
    library.refresh()
    library.drop([kept], reason="no")
    library.refresh()
    topic = library.topics()[0]
    assert topic.dropped == ("doi:10.1000/1 no", "doi:10.1000/2 no")
    assert ran() == ["dropped", "dropped"]
