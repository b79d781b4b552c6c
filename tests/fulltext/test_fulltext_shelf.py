"""What is held, listed by artefact; either artefact removed without the other."""

from __future__ import annotations

import pytest
from articles import jats, latexml
from marshland import Marsh
from test_fulltext_fetch import EUROPEPMC, HTML, KEY, PATH, XML, printed, salt

from double import Reply
from pressmark.errors import BadInput, NotFound
from pressmark.fulltext import attach, shelf
from pressmark.library import Write

OTHER = "other2023marsh"


@pytest.fixture
def held(marsh: Marsh) -> Marsh:
    """One reference with JATS, one with HTML, one with nothing."""
    marsh.put(
        salt(pmcid="PMC7000001"),
        salt(key=OTHER, doi="10.5555/other", arxiv="2404.01234", published="2023"),
        salt(key="bare2022word", doi="10.5555/bare", published="2022"),
    )
    marsh.double.routes += [
        (EUROPEPMC, Reply(200, jats(), XML)), (HTML, Reply(200, latexml(), "text/html")),
    ]  # fmt: skip
    marsh.fetch(KEY, OTHER)
    return marsh


def names(listing: shelf.Listing) -> list[tuple[str, str, str | None]]:
    return [(one.key, one.artefact, one.format) for one in listing.entries]


def test_a_line_an_artefact(held: Marsh) -> None:
    found = shelf.texts(held.library())
    assert names(found) == [
        (KEY, "text", "jats"), (KEY, "document", "jats"),
        (OTHER, "text", "html"), (OTHER, "document", "html"),
    ]  # fmt: skip
    text, document = found.entries[:2]
    assert (text.source, text.license, text.open, text.date) == (
        "europepmc", "CC BY 4.0", True, "2026-11-30",
    )  # fmt: skip
    assert (document.bytes, document.sha256) == (len(jats()), text.sha256)
    assert document.path == f"library/2024/{KEY}.xml"


def test_pages_of_the_list(held: Marsh) -> None:
    library = held.library()
    found = shelf.texts(library, offset=1, limit=2)
    assert (names(found)[0][1], found.offset, found.limit, found.total, found.has_more) == (
        "document", 1, 2, 4, True,
    )  # fmt: skip
    assert not shelf.texts(library, offset=2, limit=2).has_more
    assert names(shelf.texts(library, source="arxiv", form="html"))[0] == (OTHER, "text", "html")
    assert names(shelf.texts(library, [KEY], form="html")) == []
    for offset, limit in ((-1, 5), (0, 0)):
        with pytest.raises(BadInput):
            shelf.texts(library, offset=offset, limit=limit)


def test_a_text_goes_without_its_document(held: Marsh) -> None:
    done = shelf.remove(held.library(), [KEY], ["text"])
    assert (done.removed, done.missing) == ((PATH,), ())
    assert not (held.root / PATH).exists()
    assert (held.root / f"library/2024/{KEY}.xml").is_file()
    assert held.git("log", "-1", "--format=%s") == f"remove text: {KEY}"
    held.git("revert", "--no-edit", "HEAD")
    assert (held.root / PATH).is_file()


def test_a_document_goes_without_its_text(held: Marsh) -> None:
    head = held.git("rev-parse", "HEAD")
    done = shelf.remove(held.library(), [KEY], ["document"])
    assert done.removed == (f"library/2024/{KEY}.xml",)
    assert not (held.root / f"library/2024/{KEY}.xml").exists()
    assert (held.root / PATH).is_file()
    assert held.git("rev-parse", "HEAD") == head
    assert done.outcome.warnings == (
        f"library/2024/{KEY}.xml is in no commit: undo does not bring it back.",
    )


def test_what_is_missing_is_named_and_the_rest_goes(held: Marsh) -> None:
    done = shelf.remove(held.library(), [KEY, "bare2022word"], ["text", "document"])
    assert done.removed == (PATH, f"library/2024/{KEY}.xml")
    assert done.missing == ("bare2022word text", "bare2022word document")
    assert names(shelf.texts(held.library()))[0][0] == OTHER
    with pytest.raises(NotFound, match="nothing to remove: bare2022word text"):
        shelf.remove(held.library(), ["bare2022word"], ["text"])


def test_a_dry_run_removes_nothing(held: Marsh) -> None:
    done = shelf.remove(held.library(), [KEY], ["text", "document"], Write(dry_run=True))
    assert [change.kind for change in done.outcome.changes] == ["deleted"]
    assert (held.root / PATH).is_file()
    assert (held.root / f"library/2024/{KEY}.xml").is_file()


def test_a_document_of_another_form_is_not_taken_for_the_texts_own(held: Marsh) -> None:
    (held.root / f"library/2024/{KEY}.pdf").write_bytes(printed())
    found = {one.path[-4:]: one for one in shelf.texts(held.library(), [KEY]).entries}
    assert (found[".pdf"].source, found[".pdf"].license) == (None, None)
    attach(held.library(), KEY, printed(), "x.pdf", "mine", today="2026-12-01")
    found = {one.path[-4:]: one for one in shelf.texts(held.library(), [KEY]).entries}
    assert found[".pdf"].source == "attached"
