"""Notes: begun with a title and what they are about, listed and found by every name they have."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pressmark import notes
from pressmark.config import load
from pressmark.errors import Ambiguous, BadInput, NotFound
from pressmark.library import Library, Write

FILES = {
    "pressmark.toml": "format = 1\n",
    "library/2019/bryl2019message.md": "---\ntitle: Message Passing\n---\n",
    "library/2021/wen2021river.md": "---\ntitle: Rivers\n\ndoi: 10.5555/r.1\n---\n",
    "notes/plain.md": "# A heading of its own\n\nSee [@bryl2019message].\n",
    "notes/deep/reeds.md": "---\ntitle: On Reeds\n\ntags:\n- Água\n---\n\nText.\n",
    "notes/other/reeds.md": "---\nabout:\n- wen2021river\n---\n\nNo heading.\n",
}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return Library.open(tmp_path, load(tmp_path, os.environ, offline=True))


def test_a_note_begins_with_its_title_and_what_it_cites(library: Library) -> None:
    made = notes.begin(
        library, "  What  rivers\x1b[31m say ", about=["10.5555/R.1"], tags=["b", "a", "b"],
        today="2026-01-02",
    )  # fmt: skip
    assert made.commit
    (change,) = made.changes
    assert change.path == "notes/what-rivers-say.md"
    assert change.after == (
        b"---\ntitle: What rivers say\n\nabout:\n- wen2021river\n\ntags:\n- a\n- b\n\n"
        b"created: '2026-01-02'\n---\n\n# What rivers say\n\n[@wen2021river]\n"
    )


def test_a_second_note_of_the_same_title_has_a_name_of_its_own(library: Library) -> None:
    write = Write(commit=False)
    first = notes.begin(library, "Rivers", today="2026-01-02", write=write)
    second = notes.begin(library, "Rivers", today="2026-01-02", write=write)
    assert first.changes[0].path == "notes/rivers.md"
    assert second.changes[0].path != first.changes[0].path


def test_a_note_needs_a_title_and_references_that_are_there(library: Library) -> None:
    with pytest.raises(BadInput, match="needs a title"):
        notes.begin(library, " \x00 ", today="2026-01-02")
    with pytest.raises(NotFound, match="no reference 'nobody'"):
        notes.begin(library, "X", about=["nobody"], today="2026-01-02")


def test_a_list_is_by_name_by_tag_or_by_reference(library: Library) -> None:
    def listed(**asked: object) -> list[tuple[str, str]]:
        found = notes.find(library, notes.NoteQuery(**asked))  # type: ignore[arg-type]
        return [(note.slug, note.title) for note in found.notes]

    assert listed() == [
        ("deep/reeds", "On Reeds"), ("other/reeds", "reeds"), ("plain", "A heading of its own"),
    ]  # fmt: skip
    assert listed(tags_all=("agua",)) == [("deep/reeds", "On Reeds")]
    assert listed(citing="bryl2019message") == [("plain", "A heading of its own")]
    assert listed(about="bryl2019message") == []
    assert listed(about="wen2021river") == [("other/reeds", "reeds")]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("plain", "plain"), ("notes/plain.md", "plain"), ("PLAIN", "plain"),
        ("a heading of its own", "plain"), ("on reeds", "deep/reeds"),
        ("deep/reeds", "deep/reeds"), ("notes/other/reeds.md", "other/reeds"),
    ],
)  # fmt: skip
def test_a_note_answers_to_its_path_its_name_and_its_title(
    library: Library, name: str, slug: str
) -> None:
    assert notes.get(library, name).slug == slug


def test_a_name_that_means_several_or_none(library: Library) -> None:
    (library.root / "notes/deep/more.md").write_text("# More\n")
    (library.root / "notes/other/more.md").write_text("# Even more\n")
    library.refresh()
    with pytest.raises(NotFound):
        notes.get(library, "nothing")
    (library.root / "notes/deep/more.md").write_text("# Same\n")
    (library.root / "notes/other/more.md").write_text("# Same\n")
    library.refresh()
    with pytest.raises(Ambiguous, match="deep/more, other/more") as problem:
        notes.get(library, "more")
    assert problem.value.candidates == ("deep/more", "other/more")
