"""Notes are found by every filter, in the order that was promised."""

from __future__ import annotations

import pytest

from pressmark.errors import BadInput, NotFound
from pressmark.library import Library
from pressmark.notes import NoteQuery, find
from shell import Inside

FOUND = [
    ({}, ["tides", "deep/reeds", "plain"]),
    ({"about": "10.5555/R.1"}, ["deep/reeds"]),
    ({"about": "bryl2019message"}, []),
    ({"citing": "bryl2019message"}, ["plain"]),
    ({"provider": "doi"}, ["deep/reeds"]),
    ({"provider": "doi", "identifier": "https://doi.org/10.5555/r.1"}, ["deep/reeds"]),
    ({"provider": "doi", "identifier": "10.5555/r.2"}, []),
    ({"format": "pdf"}, ["deep/reeds"]),
    ({"format": "jats"}, []),
    ({"date_from": "2026-04"}, ["tides"]),
    ({"date_to": "2026-03-04"}, ["deep/reeds"]),
    ({"date_from": "2026", "date_to": "2026"}, ["tides", "deep/reeds"]),
    ({"author": "mine"}, ["tides", "plain"]),
    ({"author": "named", "author_name": "ruth"}, ["deep/reeds"]),
    ({"author": "named", "author_name": "Ada"}, []),
    ({"tags_all": ("agua", "method")}, ["deep/reeds"]),
    ({"tags_all": ("method",)}, ["deep/reeds", "plain"]),
    ({"tags_any": ("graph", "method/graph")}, ["plain"]),
    ({"tags_exclude": ("#method",)}, ["tides"]),
    ({"keyword": "SALINITY"}, ["deep/reeds", "plain"]),
    ({"keyword": "salinity reeds"}, ["deep/reeds"]),
    ({"keyword": "salinit"}, ["deep/reeds", "plain"]),
    ({"keyword": "heading of its own"}, ["plain"]),
    ({"keyword": "On Reeds Água"}, []),
    ({"offset": 1, "limit": 1}, ["deep/reeds"]),
]


@pytest.mark.parametrize(("asked", "slugs"), FOUND, ids=str)
def test_a_filter_keeps_what_it_says(
    held: Library, asked: dict[str, object], slugs: list[str]
) -> None:
    found = find(held, NoteQuery(**asked))  # type: ignore[arg-type]
    assert [note.slug for note in found.notes] == slugs


def test_a_window_says_where_the_next_begins(held: Library) -> None:
    found = find(held, NoteQuery(limit=2))
    assert (found.total, found.next_offset) == (3, 2)
    assert find(held, NoteQuery(offset=2)).next_offset is None


OFF = [
    ({"identifier": "10.5555/r.1"}, "needs its provider"),
    ({"provider": "scopus"}, "provider is one of"),
    ({"provider": "doi", "identifier": "arXiv:1706.03762"}, "is no doi"),
    ({"author": "named"}, "needs a name"),
    ({"author_name": "Ruth"}, "goes only with"),
    ({"author": "yours"}, "author is one of"),
    ({"date_from": "yesterday"}, "A date is"),
    ({"limit": 0}, "limit 1 or more"),
    ({"keyword": "?!"}, "no word"),
]


@pytest.mark.parametrize(("asked", "said"), OFF, ids=str)
def test_filters_that_contradict_are_said(
    held: Library, asked: dict[str, object], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        find(held, NoteQuery(**asked))  # type: ignore[arg-type]


def test_a_reference_that_is_not_held_is_not_found(held: Library) -> None:
    with pytest.raises(NotFound):
        find(held, NoteQuery(about="10.5555/none"))


def test_the_command_takes_them_all(shell: Inside) -> None:
    done = shell("note", "find", "salinity", "--tag", "method", "--from", "2026-01", "--author",
                 "named", "--author-name", "Ruth", "--json")  # fmt: skip
    (note,) = done.data["notes"]
    assert (note["slug"], note["created"], note["author"]) == ("deep/reeds", "2026-03-04", "Ruth")
    assert note["score"] > 0
    assert "salinity" in note["preview"]
    assert shell("note", "find", "nothing like it").err == "No note matches.\n"
    assert [n["slug"] for n in shell("note", "list", "--not-tag", "method", "--json").data] == [
        "tides"
    ]


def test_notes_near_in_meaning_say_what_the_index_knew(shell: Inside) -> None:
    shell("index", "--no-vectors")
    near = shell("note", "find", "salinity", "--meaning", "--json").data
    assert near["index_status"] == "ready"
    assert [note["note_id"] for note in near["notes"]] == ["deep/reeds", "plain"]
    assert near["notes"][0]["text_preview"].startswith("Reeds and salinity")
    scoped = shell("note", "find", "salinity", "--meaning", "--tag", "graph", "--json").data
    assert (scoped["notes"], scoped["index_status"]) == ([], "not_built")


def test_a_note_is_shown_with_what_it_is_about(shell: Inside) -> None:
    data = shell("note", "show", "on reeds", "--json").data
    assert data["about"] == ["wen2021river"]
    assert data["about_identifiers"] == ["doi:10.5555/r.1"]
    assert (data["author"], data["created"]) == ("Ruth", "2026-03-04")
    assert data["updated"][:2] == "20"
    mine = shell("note", "show", "tides", "--json").data
    assert (mine["author"], mine["metadata"]) == (None, {"rating": "4"})
