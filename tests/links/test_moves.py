"""Random renames over a linked library: no link dangles or strays, no text outside links changes.

`PRESSMARK_FULL=1` makes 1,000 of them.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pressmark import ids, notes
from pressmark.config import load
from pressmark.errors import BadInput, Unavailable
from pressmark.library import Library, Write
from pressmark.links import Link, Resolver, prose, rename_edits
from pressmark.links.backlinks import POINTING

RENAMES = 1_000 if os.environ.get("PRESSMARK_FULL") else 40
EXAMPLES = 10 if os.environ.get("PRESSMARK_FULL") else 2

WORDS = ("tide", "reed", "eel", "Salt", "Größe", "delta", "gauge", "ebb", "flow", "silt")
KEYS = [f"{word.lower()}{year}x" for word, year in zip(WORDS, range(2001, 2011), strict=True)]


class World:
    """A library of references, notes and a thesis that all point to each other in every way."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.rng = root, random.Random(seed)
        self.write("pressmark.toml", 'format = 1\n\n[prose]\npaths = ["thesis/**/*"]\n')
        self.keys = [key.replace("ö", "oe").replace("ß", "ss") for key in KEYS[:6]]
        self.notes = ["notes/tide.md", "notes/deep/reed.md", "notes/deep/tide.md", "notes/Eel Pie.md",
                      "notes/a b/salt.md", "notes/Größe.md"]  # fmt: skip
        for at, key in enumerate(self.keys):
            self.write(
                self.place(key),
                f"---\ntitle: About {WORDS[at]} and more\n---\n\n## Remarks\n\n{self.text()}",
            )
        for at, path in enumerate(self.notes):
            front = f"---\nabout:\n- {self.rng.choice(self.keys)}\n---\n\n" if at % 2 else ""
            self.write(path, f"{front}# Heading {at}\n\n{self.text(path)}^block{at}\n")
        self.write("thesis/ch 1/a.md", self.text("thesis/ch 1/a.md"))
        self.write("thesis/b.tex", "".join(f"\\cite{{{k}}} and {k}.\n" for k in self.keys))
        self.write("thesis/c.typ", "".join(f"@{k} and {k}.\n" for k in self.keys))
        self.write("thesis/d.org", "".join(f"[cite:@{k}] and {k}.\n" for k in self.keys))
        self.write(
            "topics/collections/c.md",
            "---\ntitle: C\n\nmembers:\n"
            + "".join(f"- {k}\n" for k in sorted(self.keys))
            + "---\n",
        )
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
            subprocess.run(["git", *words], cwd=root, check=True)
        self.library = Library.open(root, load(root, {}, offline=True))

    def place(self, key: str) -> str:
        return f"library/{ids.folder(key)}/{key}.md"

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def text(self, source: str = "library/2001/x.md") -> str:
        """A dozen lines that point to random things, and say their names without pointing."""
        lines = []
        for _ in range(6):
            key, note = self.rng.choice(self.keys), self.rng.choice(self.notes)
            stem = note.rpartition("/")[2].removesuffix(".md")
            up = "../" * source.count("/")
            encoded = note.replace(" ", "%20")
            lines.append(self.rng.choice((
                f"[@{key}, p. 3] and {key} in words.", f"@{key} [p. 1] says.", f"[[{key}]], {stem}.",
                f"[[@{key}|{stem}]]", f"[x]({up}{self.place(key)}#abstract)", f"[[{stem}|{stem}]]",
                f"[[{note.removesuffix('.md')}#Heading 0]]", f"[[{stem}#^block1]] `[[{stem}]]`",
                f"[{stem}]({up}{encoded})", f"![[{stem}]]", f"[x](/{encoded})", f"```\n[[{stem}]] @{key}\n```\n",
                f"[see][ref{key}]\n\n[ref{key}]: {up}{self.place(key)}\n", f"{stem} {key} (c) {note}",
            )))  # fmt: skip
        return "\n\n".join(lines) + "\n\n"

    def state(self) -> dict[str, list[str]]:
        """Each file of prose: what its links lead to, in order; by the file's own identity."""
        self.library.refresh()
        resolver = Resolver(self.library)
        texts = prose.read(self.library, prose.paths(self.library).items())
        return {
            text.path: [
                target.path if (target := resolver.resolve(link, text.path)) else "nowhere"
                for link in text.links()
                if link.kind in POINTING and not link.external
            ]
            for text in texts
        }

    def bare(self) -> dict[str, str]:
        """Each file of prose with the targets of its links blanked out, its front matter left out."""
        found = {}
        for text in prose.read(self.library, prose.paths(self.library).items()):
            out, at = [], 0
            for link in _targets(text):
                out += [text.text[at : link.target_start], "§"]
                at = link.target_end
            body = "".join(out) + text.text[at:]
            found[text.path] = body.split("---\n", 2)[-1] if body.startswith("---\n") else body
        return found


def _targets(text: prose.Prose) -> list[Link]:
    spans: dict[tuple[int, int], Link] = {}
    for link in text.links():
        if link.kind in POINTING and not link.external:
            spans.setdefault((link.target_start, link.target_end), link)
    return [spans[span] for span in sorted(spans)]


def _follow(world: World, rng: random.Random) -> tuple[str, str] | None:
    """One random rename; the old path and the new one, or None where it was refused."""
    library = world.library
    if rng.random() < 0.5:
        old = rng.choice(world.keys)
        new = f"{rng.choice(WORDS).lower().replace('ö', 'oe').replace('ß', 'ss')}{rng.randint(1990, 2030)}{rng.choice('abc')}"
        before = library.path(old)
        try:
            library.rename(
                old, new, prose=lambda: rename_edits(library, old, new), write=Write(message="x")
            )
        except BadInput:
            return None
        world.keys[world.keys.index(old)] = new
        return before, library.path(new)
    old = rng.choice(world.notes)
    stem = rng.choice((*WORDS, "New name", "tide", "reed", "ebb.flow", "a(b)"))
    new = rng.choice(("", "deep/", "a b/", "far/")) + stem
    try:
        outcome = notes.rename(library, old, f"notes/{new}")
    except (BadInput, Unavailable):
        return None
    moved = next(change.path for change in outcome.changes if change.before is None)
    world.notes[world.notes.index(old)] = moved
    return old, moved


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_random_renames_leave_every_link_where_it_led(tmp_path: Path, seed: int) -> None:
    world = World(tmp_path / "lib", seed)
    rng = random.Random(1000 + seed)
    done: Counter[bool] = Counter()
    state, bare = world.state(), world.bare()
    assert "nowhere" not in {target for targets in state.values() for target in targets}
    while done[True] < RENAMES // EXAMPLES:
        moved = _follow(world, rng)
        done[moved is not None] += 1
        if moved is None:
            assert world.state() == state
            continue
        old, new = moved

        def at(path: str, old: str = old, new: str = new) -> str:
            return new if path == old else path

        after, after_bare = world.state(), world.bare()
        assert after == {
            at(path): [at(each) for each in targets] for path, targets in state.items()
        }, moved
        assert after_bare == {at(path): text for path, text in bare.items()}, moved
        state, bare = after, after_bare
    held = {each for collection in world.library.collections() for each in collection.members}
    assert held == set(world.keys)
    for note in world.library.notes():
        assert set(note.about) <= set(world.keys)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12))
def test_any_name_is_taken_or_refused_whole(tmp_path: Path, name: str) -> None:
    root = tmp_path / "one"
    if not root.exists():
        World(root, 1)
    library = Library.open(root, load(root, {}, offline=True))
    before = {p: p.read_bytes() for p in root.rglob("*.md")}
    source = next(p for p in sorted(library.root.glob("notes/deep/*.md")))
    try:
        outcome = notes.rename(
            library, source.relative_to(root).as_posix(), name, Write(dry_run=True)
        )
    except Exception as error:
        assert type(error).__name__ in ("BadInput", "NotFound"), error
    else:
        new = next(c.path for c in outcome.changes if c.before is None)
        assert new.startswith("notes/") and ".." not in new.split("/")
    assert {p: p.read_bytes() for p in root.rglob("*.md")} == before
