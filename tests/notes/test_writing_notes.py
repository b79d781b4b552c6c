"""Notes begun, changed, renamed and removed; what is not named stays, and prose is the user's."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from pressmark import notes
from pressmark.errors import BadInput, NotFound
from pressmark.library import Library
from pressmark.notes import Anchor, NoteChange
from shell import Inside


def body(shell: Inside, path: str) -> str:
    return (shell.root / path).read_bytes().decode()


def test_a_quotation_keeps_its_place(shell: Inside) -> None:
    shell("note", "new", "Claim", "--about", "10.5555/r.1",
          "--quote", "messages run against the stream until nothing changes", "--comment", "Why?")  # fmt: skip
    text = body(shell, "notes/claim.md")
    assert text.startswith("---\ntitle: Claim\n\nabout:\n- wen2021river\n\ncreated: '")
    assert "  exact: Messages run against the stream until nothing changes\n" in text
    assert "  suffix: any more." in text
    assert "  page: '1'\n  section: Introduction\n  paragraph: '2'\n  comment: Why?\n" in text
    assert (
        "# Claim\n\n[@wen2021river]\n\n"
        "> Messages run against the stream until nothing changes [@wen2021river, p. 1]\n\nWhy?\n"
    ) in text
    assert shell("check").status == 0


def test_words_that_are_not_there_are_said_and_kept(shell: Inside) -> None:
    done = shell("note", "new", "Doubt", "--about", "wen2021river", "--page", "7",
                 "--quote", "no river has ever been seen to do anything of the kind")  # fmt: skip
    assert "are not in the full text of wen2021river" in done.err
    assert "exact: no river has ever been seen" in body(shell, "notes/doubt.md")
    found = shell("check", "--json", status=3).data["findings"]
    assert [(f["code"], f["path"]) for f in found] == [("LOST-QUOTE", "notes/doubt.md")]


def test_a_title_comes_from_the_reference_or_the_day(shell: Inside) -> None:
    shell("note", "new", "--about", "wen2021river")
    assert "title: On How Rivers Branch\n" in body(shell, "notes/on-how-rivers-branch.md")
    assert shell("note", "new", status=2).err.startswith("pressmark: A note needs a title.")
    assert shell("note", "new", "X", "--quote", "a", status=2).err.startswith(
        "pressmark: A quotation needs the reference it is from."
    )


def test_an_identifier_of_no_known_kind_is_bad_input(held: Library) -> None:
    with pytest.raises(BadInput, match="scopus is no kind of identifier"):
        notes.compose(held, "X", about=["scopus:123"], today="2026-01-02")
    with pytest.raises(NotFound):
        notes.compose(held, "X", about=["doi:10.5555/nobody"], today="2026-01-02")


def test_somebody_elses_note_carries_a_name(shell: Inside) -> None:
    shell("note", "new", "Hers", "--author", "Ruth Penhallow")
    assert "author: Ruth Penhallow\n" in body(shell, "notes/hers.md")


def test_templates_are_filled_and_are_no_notes(shell: Inside) -> None:
    folder = shell.root / "notes/templates"
    folder.mkdir()
    (folder / "paper.md").write_text(
        "---\ntitle: 'Notes: {{paper}}'\ntags: [reading]\nrating: '{{ doi }}'\n---\n\n"
        "{{cite}}\n\n{{people}} {{year}}, {{venue}}{{date}} {{unknown}} {{date:YYYY}}\n\n{{quotes}}\n"
    )
    done = shell("note", "new", "--about", "wen2021river", "--template", "paper", "-t", "x")
    assert done.err == "The template's {{unknown}} is no field and stays.\n"
    (made,) = [line.split()[-1] for line in done.lines]
    text = body(shell, made)
    assert "title: 'Notes: How Rivers Branch'\n" in text
    assert "rating: 10.5555/r.1\n" in text
    assert "tags:\n- reading\n- x\n" in text
    assert "[@wen2021river]\n\nWen 2021, 20" in text
    assert "{{unknown}} {{date:YYYY}}" in text
    assert [n["slug"] for n in shell("note", "list", "--json").data].count("templates/paper") == 0
    assert shell("check").status == 0
    assert (
        "There is no template nothing"
        in shell("note", "new", "X", "--template", "nothing", status=1).err
    )


def test_a_literature_note_says_what_it_is_about(shell: Inside) -> None:
    shell(
        "note",
        "new",
        "--about",
        "wen2021river",
        "--template",
        "literature",
        "--quote",
        "counted every branch",
    )
    text = body(shell, "notes/on-how-rivers-branch.md")
    assert text.partition("# On How")[2].startswith(
        " Rivers Branch\n\nWen 2021 — How Rivers Branch.\n[@wen2021river]\n\n## What it says\n\n"
        "> counted every branch [@wen2021river, p. 2]\n\n## What I make of it\n"
    )
    assert "tags:\n- literature\n" in text


def test_a_title_cannot_break_the_front_matter_of_a_template(shell: Inside) -> None:
    (shell.root / "notes/templates").mkdir()
    (shell.root / "notes/templates/odd.md").write_text(
        "---\ntitle: {{title}}\n---\n\n# {{title}}\n"
    )
    shell("note", "new", "a: b\n- c # [x] 'q' {{key}}", "--template", "odd")
    (note,) = [n for n in shell("note", "list", "--json").data if n["slug"].startswith("a-b")]
    assert note["title"] == "a: b - c # [x] 'q' {{key}}"


def test_a_day_has_one_note(shell: Inside) -> None:
    shell("note", "new", "--template", "daily")
    (slug,) = [n["slug"] for n in shell("note", "list", "--tag", "daily", "--json").data]
    assert slug.count("-") == 2
    again = shell("note", "new", "--template", "daily", status=2)
    assert (
        again.err == f"pressmark: notes/{slug}.md is there already.\n  pressmark note edit {slug}\n"
    )


def test_the_editor_has_the_new_note_first(shell: Inside, tmp_path: Path) -> None:
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\necho 'Written in it.' >> \"$1\"\n")
    script.chmod(0o755)
    shell.env["EDITOR"] = str(script)
    shell("note", "new", "Mine", "--edit")
    assert body(shell, "notes/mine.md").endswith("# Mine\nWritten in it.\n")
    script.write_text('#!/bin/sh\n: > "$1"\n')
    assert shell("note", "new", "Other", "--edit").out == "Nothing to change.\n"
    assert not (shell.root / "notes/other.md").exists()


def test_what_is_not_named_stays_and_an_empty_value_clears(shell: Inside) -> None:
    shell("note", "edit", "tides", "--set", "rating=5", "--set", "mood=calm", "--add-tag", "sea")
    assert body(shell, "notes/tides.md") == (
        "---\nabout:\n- pen2008tables\n\ntags:\n- sea\n\ncreated: '2026-05-06'\n\nrating: '5'\n\n"
        "mood: calm\n---\n\nTides come and go.\n"
    )
    shell("note", "edit", "tides", "--set", "rating=", "--set", "mood=", "--remove-tag", "SEA")
    assert body(shell, "notes/tides.md") == (
        "---\nabout:\n- pen2008tables\n\ncreated: '2026-05-06'\n---\n\nTides come and go.\n"
    )
    for field in ("about", "author", "created"):
        done = shell("note", "edit", "tides", "--set", f"{field}=x", status=2)
        assert f"{field} cannot be set here." in done.err
    assert shell("note", "edit", "tides", "--set", "tags=a b", status=2).err.startswith(
        "pressmark: 'a b' cannot be a tag."
    )


def test_a_note_without_front_matter_gets_none_for_nothing(shell: Inside) -> None:
    before = body(shell, "notes/plain.md")
    assert shell("note", "edit", "plain", "--remove-tag", "none").out == "Nothing to change.\n"
    assert body(shell, "notes/plain.md") == before
    shell("note", "edit", "plain", "--add-tag", "x")
    assert body(shell, "notes/plain.md") == f"---\ntags:\n- x\n---\n{before}"


def test_an_agent_changes_its_note_as_a_whole(held: Library) -> None:
    change = NoteChange(
        title="Tides", tags=["b", "a"], anchors=[Anchor(exact="x", page="1")],
        metadata={"agent": "yes"}, text="Anew.",
    )  # fmt: skip
    notes.update(held, "tides", change)
    note = notes.get(held, "tides")
    assert (note.title, note.tags, note.body) == ("Tides", ("a", "b"), "\nAnew.\n")
    assert dict(note.extra) == {"agent": "yes"}
    assert note.anchors == ({"exact": "x", "page": "1"},)
    notes.update(held, "tides", NoteChange(anchors=[], tags=[], metadata={}))
    note = notes.get(held, "tides")
    assert (note.anchors, note.tags, dict(note.extra), note.title) == ((), (), {}, "Tides")
    assert note.about == ("pen2008tables",)


def test_an_anchor_that_says_nothing_is_refused() -> None:
    from pressmark.notes.anchor import from_data, to_data

    data = {
        "location": {"page_number": 3, "section_heading": "Method", "paragraph_index": 2},
        "selectors": {"exact_text_quote": "so", "prefix_context": None, "suffix_context": "then"},
    }
    anchor = from_data(data)
    assert (anchor.page, anchor.section, anchor.paragraph) == ("3", "Method", "2")
    assert to_data(anchor)["location"] == {
        "page_number": "3", "section_heading": "Method", "paragraph_index": "2",
    }  # fmt: skip
    assert (
        to_data(from_data({"location": None, "selectors": {"exact_text_quote": "a"}}))["location"]
        is None
    )
    for empty in (
        {},
        {"location": None, "selectors": None},
        {"location": {}, "selectors": {"prefix_context": "a"}},
    ):
        with pytest.raises(BadInput, match="says nothing"):
            from_data(empty)
    with pytest.raises(BadInput, match="has no colour"):
        from_data({"colour": "red"})
    with pytest.raises(BadInput, match="is a text"):
        from_data({"location": {"page_number": [1]}})


def test_removing_what_is_not_there_is_no_error(shell: Inside) -> None:
    assert shell("note", "remove", "tides", "--json").data["removed"] is True
    assert not (shell.root / "notes/tides.md").exists()
    done = shell("note", "remove", "tides", "--json")
    assert (done.status, done.data["removed"], done.data["changes"]) == (0, False, [])
    assert shell("note", "remove", "tides").err == "There is no note tides.\n"


def test_a_rename_takes_every_link_along_and_leaves_an_alias(shell: Inside) -> None:
    (shell.root / "thesis").mkdir()
    (shell.root / "thesis/a.md").write_text(
        "[[plain]] ![[notes/plain#A heading of its own|x]] [y](../notes/plain.md#a) [[A heading of its own]]\n"
    )
    shell.git("add", "."), shell.git("commit", "-qm", "Thesis")
    dry = shell("rename", "notes/plain.md", "archive/Salt water", "--dry-run").out
    assert "[[Salt water]]" in dry and "--- new notes/archive/Salt water.md" in dry
    shell("rename", "notes/plain.md", "archive/Salt water")
    assert body(shell, "thesis/a.md") == (
        "[[Salt water]] ![[Salt water#A heading of its own|x]] "
        "[y](../notes/archive/Salt%20water.md#a) [[A heading of its own]]\n"
    )
    assert body(shell, "notes/deep/reeds.md").endswith("salinity. [[Salt water]]\n")
    assert body(shell, "notes/archive/Salt water.md").startswith(
        "---\naliases:\n- plain\n---\n# A heading"
    )
    assert shell.subjects()[0] == "rename: note plain to archive/Salt water"
    assert shell("note", "show", "plain", "--json").data["slug"] == "archive/Salt water"
    assert shell("check").status == 0
    shell("undo")
    assert body(shell, "notes/plain.md").startswith("# A heading")


def test_the_relative_links_of_a_note_move_with_it(shell: Inside) -> None:
    (shell.root / "notes/tides.md").write_text(
        "[p](plain.md) [r](./deep/reeds.md) [w](../library/2021/wen2021river.md)\n"
    )
    shell.git("commit", "-qam", "Mine")
    shell("rename", "notes/tides.md", "deep/tides")
    assert body(shell, "notes/deep/tides.md") == (
        "[p](../plain.md) [r](./reeds.md) [w](../../library/2021/wen2021river.md)\n"
    )


def test_a_name_that_would_take_another_link_is_written_as_a_path(shell: Inside) -> None:
    (shell.root / "notes/deep/salt.md").write_text("# Salt\n\nIt.\n")
    (shell.root / "notes/who.md").write_text("[[salt]] and [[plain]]\n")
    shell("rename", "plain", "notes/salt.md")
    assert body(shell, "notes/who.md") == "[[deep/salt]] and [[salt]]\n"
    assert shell("check").status == 0


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("a[b", "cannot be a note's name"), ("wen2021river", "is the name of the reference"),
        ("plain", "is its name already"), ("tides", "is already there"), ("", "cannot be a note's name"),
        ("templates/x", "holds templates"), ("../x", ""), ("x/", "cannot be a note's name"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be(shell: Inside, new: str, said: str) -> None:
    before = shell.files()
    assert said in shell("rename", "notes/plain.md", new, status=2).err
    assert shell.files() == before


def test_an_undo_says_which_drafts_still_say_the_new_name(shell: Inside) -> None:
    path = shell.root / "notes/tides.md"
    path.write_text(path.read_text() + "A draft [@wen2021river].\n")
    done = shell("rename", "wen2021river", "wen2021branch", "--json")
    assert done.data["left_uncommitted"] == ["notes/tides.md"]
    assert path.read_text().endswith("A draft [@wen2021branch].\n")
    undone = shell("undo")
    assert "notes/tides.md:" in undone.err
    assert "still says wen2021branch: it was not in the commit." in undone.err
    assert path.read_text().endswith("A draft [@wen2021branch].\n")


def test_unlinked_mentions_are_offered_and_nothing_is_written(shell: Inside) -> None:
    (shell.root / "notes/tides.md").write_text(
        "# Tides\n\nA Short History of Tide Tables tells it; on reeds see `on reeds` and [[deep/reeds|On Reeds]].\n"
        "Here pen2008tables is bare.\n\n## On reeds\n"
    )
    before = shell.files()
    data = shell("note", "mentions", "--json").data
    assert [(m["path"], m["line"], m["column"], m["words"], m["write"]) for m in data] == [
        ("notes/tides.md", 3, 1, "A Short History of Tide Tables", "A Short History of Tide Tables [@pen2008tables]"),
        ("notes/tides.md", 3, 42, "on reeds", "[[reeds|on reeds]]"),
        ("notes/tides.md", 4, 6, "pen2008tables", "@pen2008tables"),
    ]  # fmt: skip
    one = shell("note", "mentions", "on reeds", "--json").data
    assert [m["words"] for m in one] == ["on reeds"]
    assert shell.files() == before


ODD: dict[str, bytes] = {
    "crlf.md": b"---\r\ntitle: CRLF\r\n---\r\n\r\nText [[plain]].\r\n",
    "tabs.md": b"#\tTabs\n\n-\titem [@wen2021river]\n",
    "bare.md": b"No front matter, no heading.\n",
    "broken.md": b"---\ntitle: [\nabout: x\n---\n\n[[plain]]\n",
    "unclosed.md": b"---\ntitle: never closed\n\n[[plain]]\n",
    "binary.md": b"\x00\x01\xff\xfe[[plain]]\x80",
    "with space.md": b"[[plain]]\n",
    "\U0001f986.md": b"# Duck\n\n[[plain]]\n",
    "a#b.md": b"[[plain]]\n",
    unicodedata.normalize("NFD", "Größe.md"): b"# Gr\xc3\xb6\xc3\x9fe\n\n[[plain]]\n",
    "deep/plain.md": b"# Its twin\n",
    "cycle.md": b"[[other cycle]]\n",
    "other cycle.md": b"[[cycle]]\n",
    "gone.md": b"---\nabout:\n- gone2001one\nanchors:\n- exact: words of nobody\n---\n",
    "code.md": b"```\n[@nobody2001]\n[[nowhere]]\n```\n",
}


@pytest.fixture
def odd(shell: Inside, tmp_path: Path) -> Inside:
    for name, data in ODD.items():
        path = shell.root / "notes" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "secret.md").write_text("# Secret\n\nNot of the library.\n")
    (shell.root / "notes/link.md").symlink_to(tmp_path / "secret.md")
    lines = b"Many words and no link at all, line after line.\n" * 200 + b"\n[[plain]]\n\n"
    (shell.root / "notes/big.md").write_bytes(b"# Big\n\n" + lines * 1_000)
    shell.git("add", ".")
    shell.git("commit", "--quiet", "-m", "Odd")
    return shell


def test_odd_notes_are_listed_reported_and_left_byte_for_byte(odd: Inside) -> None:
    before = odd.files()
    done = odd("note", "list", "--json")
    slugs = {n["slug"] for n in done.data}
    assert {"crlf", "tabs", "bare", "with space", "\U0001f986", "a#b", "cycle", "gone", "big", "plain",
            "deep/plain"} <= slugs  # fmt: skip
    assert not slugs & {"broken", "unclosed", "binary", "link"}
    assert "Secret" not in done.out
    for name in ("broken", "unclosed", "binary"):
        assert any(f"notes/{name}.md" in warning for warning in done.answer["warnings"])
    found = odd("check", "--json", status=3).data["findings"]
    codes = {(each["code"], each["path"]) for each in found}
    for name in ("broken", "unclosed", "binary"):
        assert ("UNREADABLE", f"notes/{name}.md") in codes
    assert ("DANGLING", "notes/gone.md") in codes
    assert not any(path == "notes/code.md" for _, path in codes)
    assert odd("note", "find", "words").status == 0
    assert odd("note", "mentions").status == 0
    assert odd("note", "show", "größe", "--json").data["title"] == "Größe"
    assert odd("note", "show", "notes/a#b.md").status == 0
    assert odd("note", "show", "broken", status=3).err.startswith("pressmark: notes/broken.md:2")
    assert odd.files() == before


def test_a_rename_among_odd_notes_touches_links_alone(odd: Inside) -> None:
    before = odd.files()
    odd("rename", "notes/plain.md", "salt")
    after = odd.files()
    # What cannot be read as a note may still be prose, and its links follow.
    for name, data in ODD.items():
        path = f"notes/{name}"
        expected = data.replace(b"[[plain]]", b"[[salt]]")
        assert after[path] in (data, expected), name
    assert after["notes/crlf.md"] == ODD["crlf.md"].replace(b"[[plain]]", b"[[salt]]")
    assert after["notes/big.md"] == before["notes/big.md"].replace(b"[[plain]]", b"[[salt]]")
    assert (odd.root / "notes/link.md").is_symlink()
    moved = odd("rename", "notes/broken.md", "mended", "--json")
    assert "No alias was left" in " ".join(moved.answer["warnings"])
    assert (odd.root / "notes/mended.md").read_bytes() == after["notes/broken.md"]
    odd("note", "remove", "mended")
    assert not (odd.root / "notes/mended.md").exists()
