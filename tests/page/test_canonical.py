"""Any layout becomes the one that merges best: same meaning, same comments, same user's fields."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pressmark import page
from pressmark.errors import NotSpliceable, Unreadable
from pressmark.record import Note, Reference, Search

HAND = """\
---
# the head stays

tags: [b, "a"] # mine
mine: {x: 1}   # kept
  # kept too
# about the title
title: >-   # folded
  Foo: bar
# behind

authors: # all
  - 'B, C'   # first
  # the second
  - "D, E"
  # no more

published: 2017-06-12
venue: # none yet
isbn:
- '2' # two
# one
- 1
cites: [
  doi:2, # b
  doi:1 # a
] # end
theirs: |
  kept

# the end
---
body
"""

CANONICAL = """\
---
# the head stays

# about the title
# folded
title: 'Foo: bar'
# behind

authors: # all
- B, C # first
# the second
- D, E
# no more

published: '2017-06-12'

# none yet

isbn:
# one
- '1'
- '2' # two

tags: # mine
- a
- b

mine: {x: 1}   # kept
  # kept too

# b
# a
cites: # end
- doi:2
- doi:1

theirs: |
  kept

# the end
---
body
"""


def test_a_file_by_hand_becomes_canonical() -> None:
    assert not page.is_canonical(HAND.encode(), Reference, "k.md")
    assert page.canonical(HAND.encode(), Reference, "k.md").decode() == CANONICAL
    assert page.canonical(CANONICAL.encode(), Reference, "k.md").decode() == CANONICAL
    assert page.is_canonical(CANONICAL.encode(), Reference, "k.md")
    before = page.read(Reference, HAND.encode(), "k.md")
    after = page.read(Reference, CANONICAL.encode(), "k.md")
    assert after == replace(before, tags=("a", "b"), isbn=("1", "2"))


def test_newlines_byte_order_mark_and_body_are_no_matter_of_layout() -> None:
    data = "\ufeff---\r\ntags: [a]\r\ntitle: x\r\nmine: |\r\n  a\r\n  b\r\n---\r\n\r\n  body\nx".encode()
    assert (
        page.canonical(data, Reference, "k.md")
        == (
            "\ufeff---\r\ntitle: x\r\n\r\nmine: |\r\n  a\r\n  b\r\n\r\ntags:\r\n- a\r\n---\r\n\r\n  body\nx"
        ).encode()
    )


@pytest.mark.parametrize(
    ("front", "result"),
    [
        ("title: x\n\n\n\ndoi: y/1", "title: x\n\ndoi: y/1"),
        ("title: x\ntags: a", "title: x\n\ntags:\n- a"),
        ('"title": "x"', "title: x"),
        ("mine: 1\ntitle: x", "mine: 1\n\ntitle: x"),
        ("title: x\ndoi:\ntags: []", "title: x"),
        ("title: x\n# a\n\n# b\n\ndoi: y/1", "title: x\n# a\n\n# b\n\ndoi: y/1"),
        ("title: x\ntags:\n-\n- a\n- ''", "title: x\n\ntags:\n- ''\n- a"),
    ],
)
def test_what_the_layout_changes(front: str, result: str) -> None:
    data = f"---\n{front}\n---\n".encode()
    assert page.canonical(data, Reference, "k.md").decode() == f"---\n{result}\n---\n"


def test_a_searchs_providers_keep_their_order_and_comments() -> None:
    data = b"---\ndate: d\nquery: q\nproviders:\n  # one\n  - sent: x # s\n    platform: a\n  - {platform: b}\n---\n"
    assert page.canonical(data, Search, "s.md") == (
        b"---\nquery: q\n\ndate: d\n\nproviders:\n# one\n# s\n- sent: x\n  platform: a\n- platform: b\n---\n"
    )


def test_a_note_without_front_matter_is_canonical() -> None:
    for data in (b"# Hi\n", b"", b"---\n---\nx"):
        assert page.canonical(data, Note, "notes/n.md") == data
        assert page.is_canonical(data, Note, "notes/n.md")


def test_a_form_that_is_never_rewritten_is_reported() -> None:
    for front in ("{title: x}", "? title\n: x", "title: x\nmine: |+\n  a\ndoi: y"):
        data = f"---\n{front}\n---\n".encode()
        assert not page.is_canonical(data, Reference, "k.md")
        with pytest.raises(NotSpliceable):
            page.canonical(data, Reference, "k.md")
    with pytest.raises(Unreadable):
        page.is_canonical(b"---\ntitle: a: b\n---\n", Reference, "k.md")
