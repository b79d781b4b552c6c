"""Fetching: the order of copies, what is refused and why, what is written, what a failure leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from articles import TITLE, jats, latexml, prose
from marshland import Marsh
from printed import BOLD, Text, column, pdf

from double import RATE_LIMITED, UNAVAILABLE, Reply
from pressmark import disk
from pressmark.errors import BadInput, FormatMissing, TooLarge
from pressmark.fulltext import attach, locate
from pressmark.library import Write
from pressmark.record import Location, Reference

KEY = "aldermoor2024salt"
HTML, PDF = "/html/2404.01234", "/pdf/2404.01234"
EUROPEPMC = "/europepmc/webservices/rest/PMC7000001/fullTextXML"
PMC = "/entrez/eutils/efetch.fcgi"
PATH = f"library/2024/{KEY}.fulltext.md"
XML = "application/xml"


def salt(**more: object) -> Reference:
    """The reference all these copies are of."""
    given: dict[str, object] = {
        "key": KEY, "title": TITLE, "authors": ("Aldermoor, Ines",), "published": "2024",
        "doi": "10.5555/marsh.2024.7", "sources": ("crossref:10.5555/marsh.2024.7 2026-11-01",),
    }  # fmt: skip
    return Reference(**{**given, **more})  # type: ignore[arg-type]


def lines(text: str) -> list[str]:
    out = [""]
    for word in text.split():
        if len(out[-1]) > 70:
            out.append("")
        out[-1] = f"{out[-1]} {word}".strip()
    return out


def printed(title: str = TITLE) -> bytes:
    """The same paper as a PDF of two pages."""
    pages = []
    for start in (0, 3):
        text = [one for paragraph in prose(8)[start : start + 4] for one in lines(paragraph)]
        pages.append(column(text, y=680))
    return pdf([[Text(72, 740, title, 17, BOLD), *pages[0]], pages[1]])


def test_copies_by_identifier_the_best_form_first() -> None:
    ref = salt(pmcid="PMC7000001", arxiv="2404.01234")
    extra = [
        Location(url="https://a.invalid/x.pdf", kind="pdf", source="openalex"),
        Location(url="https://a.invalid/x", kind="landing", source="openalex"),
        Location(url="https://arxiv.org/pdf/2404.01234", kind="pdf", source="core"),
    ]
    assert [(one.source, one.kind, one.url) for one in locate(ref, extra)] == [
        ("europepmc", "jats",
         "https://www.ebi.ac.uk/europepmc/webservices/rest/PMC7000001/fullTextXML"),
        ("pmc", "jats", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi"
                        "?db=pmc&id=7000001&rettype=xml"),
        ("arxiv", "html", "https://arxiv.org/html/2404.01234"),
        ("arxiv", "pdf", "https://arxiv.org/pdf/2404.01234"),
        ("openalex", "pdf", "https://a.invalid/x.pdf"),
    ]  # fmt: skip
    assert [one.kind for one in locate(ref, forms=("pdf",))] == ["pdf"]
    assert locate(salt()) == []
    plos = locate(salt(doi="10.1371/journal.pcbi.1004141"))
    assert plos[0].url == (
        "https://journals.plos.org/ploscompbiol/article/file?id=10.1371/journal.pcbi.1004141"
        "&type=manuscript"
    )
    own = locate(salt(doi="10.48550/arxiv.2404.01234"))
    assert [one.kind for one in own] == ["html", "pdf"]


def test_the_first_good_copy_is_filed_in_one_commit(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001", arxiv="2404.01234"))
    marsh.double.routes += [(EUROPEPMC, Reply(404)), (PMC, Reply(200, jats(), XML))]
    before = marsh.git("rev-list", "--count", "HEAD")
    report = marsh.fetch(KEY)
    item = report.items[0]
    assert (item.status, item.source, item.format, item.license) == (
        "fetched", "pmc", "jats", "CC BY 4.0",
    )  # fmt: skip
    assert [(one.source, one.reason) for one in item.tried] == [
        ("europepmc", "europepmc does not have it"), ("pmc", ""),
    ]  # fmt: skip
    assert marsh.double.paths == [EUROPEPMC, PMC]
    held = marsh.read(PATH)
    assert held.fields == {
        "reference": KEY, "source": "pmc",
        "url": "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pmc&id=7000001&rettype=xml",
        "format": "jats", "version": "published", "license": "CC BY 4.0",
        "filename": f"{KEY}.xml", "sha256": disk.sha256(jats()), "extracted": "2026-11-30",
        "extractor": "pressmark-jats 2",
    }  # fmt: skip
    assert marsh.read(f"library/2024/{KEY}.md").fields["cites"] == ["doi:10.5555/jih.2019.0042"]
    assert held.body.startswith(f"\n# {TITLE}\n\n## Abstract\n")
    assert (marsh.root / f"library/2024/{KEY}.xml").read_bytes() == jats()
    assert int(marsh.git("rev-list", "--count", "HEAD")) == int(before) + 1
    assert marsh.git("log", "-1", "--format=%s") == f"fetch: full text of {KEY} (pmc)"
    assert marsh.git("status", "--porcelain") == ""
    assert marsh.git("ls-files", "library") == f"{PATH}\nlibrary/2024/{KEY}.md"


def test_arxiv_html_then_pdf(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(PDF, Reply(200, printed(), "application/pdf"))]
    item = marsh.fetch(KEY).items[0]
    assert (item.status, item.format, item.version) == ("fetched", "pdf", "submitted")
    assert marsh.read(PATH).fields["pages"] == "2"
    marsh.double.routes.insert(0, (HTML, Reply(200, latexml(), "text/html")))
    item = marsh.fetch(KEY, again=True).items[0]
    assert (item.format, item.version, item.license) == ("html", "submitted v2", "CC BY-SA 4.0")
    assert "pages" not in marsh.read(PATH).fields


def test_what_is_held_is_not_fetched_again(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    marsh.fetch(KEY)
    asked = len(marsh.double.requests)
    head = marsh.git("rev-parse", "HEAD")
    assert marsh.fetch(KEY).items[0].status == "held"
    assert len(marsh.double.requests) == asked
    assert marsh.git("rev-parse", "HEAD") == head


OTHER = latexml("Another Paper").replace(b"2404.01234", b"2404.09999")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(200, b"", "text/html"), "the answer is empty"),
        (Reply(200, printed(), "application/pdf"), "the answer is a PDF, not an HTML page"),
        (Reply(200, latexml()[:3000], "text/html"), "the page is cut short"),
        (Reply(200, OTHER, "text/html"), "it is 'Another Paper' (arxiv:2404.09999), not 'Salt Marsh"),
        (Reply(200, latexml(paragraphs=1), "text/html"), "fewer than 2,000"),
        (Reply(403, b"no", "text/html"), "rejected our request (HTTP 403)"),
        (Reply(404, b"no", "text/html"), "does not have it"),
    ],
)  # fmt: skip
def test_a_refused_copy_says_why_and_leaves_a_dated_mark(
    marsh: Marsh, reply: Reply, said: str
) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, reply)]
    item = marsh.fetch(KEY).items[0]
    assert item.status == "none"
    assert said in item.tried[0].reason
    mark = str(marsh.read(f"library/2024/{KEY}.md").fields["fulltext"])
    assert mark.startswith("none (arxiv: ")
    assert mark.endswith(", 2026-11-30)")
    assert marsh.git("log", "-1", "--format=%s") == "fetch: no full text for 1 reference"


def test_an_identifier_in_the_document_is_evidence_enough(marsh: Marsh) -> None:
    marsh.put(salt(title="The marsh paper", arxiv="2404.01234"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    assert marsh.fetch(KEY).items[0].status == "fetched"


def test_a_retraction_notice_is_not_the_paper(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001"))
    notice = jats(f"Retraction: {TITLE}", doi="10.5555/other", kind="retraction")
    marsh.double.routes += [(EUROPEPMC, Reply(200, notice, XML))]
    item = marsh.fetch(KEY).items[0]
    assert "it is a notice about a work" in item.tried[0].reason


def test_a_mark_is_waited_out_for_thirty_days(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.fetch(KEY)
    asked = len(marsh.double.requests)
    assert marsh.fetch(KEY, today="2026-12-29").items[0].status == "waiting"
    assert len(marsh.double.requests) == asked
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    assert marsh.fetch(KEY, today="2026-12-30").items[0].status == "fetched"
    assert "fulltext" not in marsh.read(f"library/2024/{KEY}.md").fields


def test_again_does_not_wait(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234", fulltext="none (arxiv: nothing, 2026-11-29)"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    assert marsh.fetch(KEY, again=True).items[0].status == "fetched"


def test_a_reference_without_any_open_copy(marsh: Marsh) -> None:
    marsh.put(salt())
    assert marsh.fetch(KEY).items[0].status == "none"
    assert marsh.read(f"library/2024/{KEY}.md").fields["fulltext"] == (
        "none (identifiers: no open copy is known, 2026-11-30)"
    )


@pytest.mark.parametrize("fault", [UNAVAILABLE, Reply(200, b"x" * 100, "text/html", fault="reset")])
def test_a_passing_failure_leaves_no_mark(marsh: Marsh, fault: Reply) -> None:
    marsh.put(salt(pmcid="PMC7000001"))
    marsh.double.routes += [(EUROPEPMC, fault), (PMC, Reply(404))]
    head = marsh.git("rev-parse", "HEAD")
    item = marsh.fetch(KEY).items[0]
    assert (item.status, item.tried[0].passing) == ("unavailable", True)
    assert marsh.git("rev-parse", "HEAD") == head


def test_a_passing_failure_of_one_source_does_not_stop_the_next(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001", arxiv="2404.01234"))
    marsh.double.routes += [
        (EUROPEPMC, Reply(503, b"", "text/plain")), (PMC, Reply(200, b"<error/>", XML)),
        (HTML, Reply(200, latexml(), "text/html")),
    ]  # fmt: skip
    item = marsh.fetch(KEY).items[0]
    assert (item.status, item.source) == ("fetched", "arxiv")
    assert [one.passing for one in item.tried] == [True, False, False]


def test_offline_asks_nobody(marsh: Marsh, monkeypatch: pytest.MonkeyPatch) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    monkeypatch.setenv("PRESSMARK_OFFLINE", "1")
    item = marsh.fetch(KEY).items[0]
    assert item.status == "unavailable"
    assert "network is off" in item.tried[0].reason
    assert marsh.double.requests == []


def test_the_limit_counts_what_is_tried(marsh: Marsh) -> None:
    keys = [f"aldermoor2024{letter}" for letter in "abcd"]
    refs = [salt(key=key, arxiv=f"2404.0123{n}", doi=None) for n, key in enumerate(keys)]
    marsh.put(*refs)
    marsh.double.routes += [("/html/*", Reply(200, latexml(), "text/html"))]
    report = marsh.fetch(*keys, limit=2)
    assert ([one.key for one in report.items], report.left) == (keys[:2], 2)
    report = marsh.fetch(*keys, limit=2)
    assert [one.status for one in report.items] == ["held", "held", "fetched", "fetched"]
    assert marsh.git("log", "-1", "--format=%s") == (
        "fetch: full text of aldermoor2024c, aldermoor2024d (arxiv)"
    )


def test_ctrl_c_keeps_what_was_fetched(marsh: Marsh) -> None:
    keys = [f"aldermoor2024{letter}" for letter in "abc"]
    marsh.put(*(salt(key=key, arxiv=f"2404.0123{n}", doi=None) for n, key in enumerate(keys)))
    marsh.double.routes += [("/html/*", Reply(200, latexml(), "text/html"))]

    def stop(done: object) -> None:
        if getattr(done, "key", "") == keys[1]:
            raise KeyboardInterrupt

    report = marsh.fetch(*keys, progress=stop)
    assert report.interrupted
    assert [one.key for one in report.items] == keys[:2]
    held = marsh.git("ls-files", "library").split("\n")
    assert [f"library/2024/{key}.fulltext.md" in held for key in keys] == [True, True, False]
    assert marsh.git("status", "--porcelain") == ""


def test_one_document_that_breaks_the_reader_costs_itself_only(
    marsh: Marsh, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pressmark.fulltext import accept

    real = accept.extract

    def breaking(data: bytes, kind: str, password: str = "") -> object:
        if kind == "html":
            raise RecursionError
        return real(data, kind)

    monkeypatch.setattr(accept, "extract", breaking)
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [
        (HTML, Reply(200, latexml(), "text/html")), (PDF, Reply(200, printed(), "application/pdf")),
    ]  # fmt: skip
    item = marsh.fetch(KEY).items[0]
    assert (item.status, item.format) == ("fetched", "pdf")
    assert item.tried[0].reason == "our reader failed on it (RecursionError)"


def test_a_dry_run_writes_nothing(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    report = marsh.fetch(KEY, write=Write(dry_run=True))
    assert [change.path for change in report.outcome.changes] == [PATH]
    assert not (marsh.root / PATH).exists()
    assert not (marsh.root / f"library/2024/{KEY}.html").exists()


def test_no_lock_is_held_while_a_provider_is_asked(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))

    def answer(_: object) -> Reply:
        marsh.library().put(
            [salt(key="other2020word", doi="10.5555/x", title="Other")], "add: other"
        )
        return Reply(200, latexml(), "text/html")

    marsh.double.routes += [(HTML, answer)]
    assert marsh.fetch(KEY).items[0].status == "fetched"
    assert (marsh.root / "library/2020/other2020word.md").is_file()


def test_a_reference_removed_meanwhile_gets_no_text(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))

    def answer(_: object) -> Reply:
        marsh.git("rm", "-q", f"library/2024/{KEY}.md")
        marsh.git("commit", "-q", "-m", "gone")
        return Reply(200, latexml(), "text/html")

    marsh.double.routes += [(HTML, answer)]
    report = marsh.fetch(KEY)
    assert not (marsh.root / PATH).exists()
    assert report.outcome.warnings == (f"{KEY} was removed meanwhile; its text was not filed.",)


CLOSED = "https://arxiv.org/licenses/nonexclusive-distrib/1.0/"


def test_text_without_an_open_licence_stays_out_of_git(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001"))
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(licence=CLOSED), XML))]
    marsh.fetch(KEY)
    assert (marsh.root / PATH).is_file()
    assert PATH not in marsh.git("show", "--name-only", "--format=")
    assert marsh.git("ls-files", PATH) == ""
    assert marsh.git("status", "--porcelain") == ""
    assert f"/{PATH}" in (marsh.root / ".git/info/exclude").read_text().split("\n")


def test_commit_all_takes_every_text(marsh: Marsh) -> None:
    (marsh.root / "pressmark.toml").write_text('format = 1\n[fulltext]\ncommit = "all"\n')
    marsh.put(salt(pmcid="PMC7000001"))
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(licence=CLOSED), XML))]
    marsh.fetch(KEY)
    assert marsh.git("ls-files", PATH) == PATH


def test_a_text_whose_licence_opened_comes_into_git(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001"))
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(licence=CLOSED), XML))]
    marsh.fetch(KEY)
    marsh.double.routes.insert(0, (EUROPEPMC, Reply(200, jats(), XML)))
    marsh.fetch(KEY, again=True)
    assert marsh.git("ls-files", PATH) == PATH
    assert PATH not in (marsh.root / ".git/info/exclude").read_text()


# Attaching


def give(marsh: Marsh, data: bytes, name: str = "paper.pdf", **more: object) -> None:
    attach(marsh.library(), KEY, data, name, today="2026-11-30", **more)  # type: ignore[arg-type]


def test_a_copy_the_user_holds(marsh: Marsh) -> None:
    marsh.put(salt())
    data = printed()
    give(marsh, data, "some/folder/My Paper.pdf", rights="CC BY 4.0")
    fields = marsh.read(PATH).fields
    assert {name: fields[name] for name in ("source", "format", "filename", "rights", "sha256")} == {
        "source": "attached", "format": "pdf", "filename": "My Paper.pdf", "rights": "CC BY 4.0",
        "sha256": disk.sha256(data),
    }  # fmt: skip
    assert fields["license"] == "CC BY 4.0"
    assert (marsh.root / f"library/2024/{KEY}.pdf").read_bytes() == data
    assert marsh.git("log", "-1", "--format=%s") == f"attach: {KEY}"
    assert marsh.git("ls-files", "library") == f"{PATH}\nlibrary/2024/{KEY}.md"


def test_a_copy_without_stated_rights_stays_out_of_git(marsh: Marsh) -> None:
    marsh.put(salt())
    give(marsh, printed())
    assert (marsh.root / PATH).is_file()
    assert marsh.git("ls-files", PATH) == ""


def test_what_cannot_be_attached(marsh: Marsh) -> None:
    marsh.put(salt())
    head = marsh.git("rev-parse", "HEAD")
    with pytest.raises(BadInput, match=r"paper\.txt is no PDF"):
        give(marsh, b"just words", "paper.txt")
    with pytest.raises(TooLarge, match="50 MB is the most"):
        give(marsh, b"%PDF-" + b"0" * (50 * 2**20 + 1))
    with pytest.raises(FormatMissing, match="without a text layer"):
        give(marsh, pdf([[]]))
    with pytest.raises(FormatMissing, match="damaged"):
        give(marsh, printed()[:700])
    with pytest.raises(BadInput, match="looks like another work"):
        give(marsh, printed("A Treatise on Entirely Different Things"))
    assert marsh.git("rev-parse", "HEAD") == head
    give(marsh, printed("A Treatise on Entirely Different Things"), write=Write(force=True))
    assert (marsh.root / PATH).is_file()


def test_a_folder_for_documents(marsh: Marsh, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    with marsh.config.open("r+") as settings:
        held = settings.read()
        settings.seek(0)
        settings.write(f'documents = "{papers}"\n{held}')
    marsh.put(salt())
    give(marsh, printed())
    assert (papers / f"{KEY}.pdf").is_file()
    assert not (marsh.root / f"library/2024/{KEY}.pdf").exists()


def test_rate_limits_are_passing(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [("/html/*", RATE_LIMITED)]
    library = marsh.library()
    from pressmark.fulltext import fetch
    from pressmark.http import Client

    client = Client(library.config, sleep=lambda _: None)
    report = fetch(library, client, [library.get(KEY)], today="2026-11-30")
    assert report.items[0].status == "unavailable"
    assert report.items[0].tried[0].passing


# What providers report, and what is held already

LOOKUP = "/europepmc/webservices/rest/search"


def copies(
    monkeypatch: pytest.MonkeyPatch, *found: Location, failure: Exception | None = None
) -> None:
    """Have the providers report these copies of every work."""
    from pressmark.sources import locations

    failures = {"unpaywall": failure} if failure else {}
    answer = locations.Located(copies=found, failures=failures)  # type: ignore[arg-type]
    monkeypatch.setattr(locations, "located", lambda *_, **__: answer)


def test_reported_copies_by_form_then_by_version_when_nothing_else_is_kept(
    marsh: Marsh, monkeypatch: pytest.MonkeyPatch
) -> None:
    marsh.put(salt(arxiv="2404.01234"))

    def at(path: str, version: str | None) -> Location:
        url = f"https://arxiv.org/{path}"
        return Location(url=url, kind="pdf", source="arxiv", version=version, license="CC BY 4.0")

    page = Location(url="https://arxiv.org/abs/x", kind="landing", source="arxiv")
    copies(monkeypatch, page, at("pdf/s", "submitted"), at("pdf/u", None), at("pdf/p", "published"),
           at("pdf/a", "accepted"))  # fmt: skip
    marsh.double.routes += [("/pdf/s", Reply(200, printed(), "application/pdf"))]
    item = marsh.fetch(KEY).items[0]
    assert [one.url.rpartition("/")[2] for one in item.tried] == [
        "2404.01234", "2404.01234", "p", "a", "s",
    ]  # fmt: skip
    assert (item.status, item.version, item.license) == ("fetched", "submitted", "CC BY 4.0")


def test_no_provider_is_asked_when_an_identifier_leads_to_a_copy(
    marsh: Marsh, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies(monkeypatch, failure=BadInput("nobody must ask"))
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    assert marsh.fetch(KEY).items[0].status == "fetched"
    assert marsh.double.paths == [HTML]


def test_a_provider_that_cannot_say_leaves_no_mark(
    marsh: Marsh, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pressmark.errors import SourceDown

    copies(monkeypatch, failure=SourceDown("Unpaywall is down."))
    marsh.put(salt())
    item = marsh.fetch(KEY).items[0]
    assert (item.status, item.reason) == ("unavailable", "unpaywall record: Unpaywall is down")
    assert "fulltext" not in marsh.read(f"library/2024/{KEY}.md").fields


def older(marsh: Marsh) -> None:
    """Make the text look as if an older version of ours had made it."""
    path = marsh.root / PATH
    text = path.read_text().replace("pressmark-html 2", "pressmark-html 0")
    path.write_text(text.replace("\n## Abstract\n", "\n## Old\n"))
    marsh.git("commit", "-qam", "older")


def test_a_stale_text_is_made_anew_from_its_document_without_the_network(
    marsh: Marsh, monkeypatch: pytest.MonkeyPatch
) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    marsh.fetch(KEY)
    before = marsh.read(PATH)
    older(marsh)
    asked = len(marsh.double.requests)
    monkeypatch.setenv("PRESSMARK_OFFLINE", "1")
    item = marsh.fetch(KEY, again=True, today="2027-01-01").items[0]
    assert (item.status, item.tried[0].source) == ("fetched", "document")
    assert len(marsh.double.requests) == asked
    after = marsh.read(PATH)
    assert after.body == before.body
    assert after.fields == {**before.fields, "extracted": "2027-01-01"}


def test_a_stale_text_whose_document_changed_is_asked_for_again(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    marsh.fetch(KEY)
    older(marsh)
    (marsh.root / f"library/2024/{KEY}.html").write_bytes(b"<html>other</html>")
    asked = len(marsh.double.requests)
    item = marsh.fetch(KEY, again=True).items[0]
    assert (item.status, item.tried[0].source) == ("fetched", "arxiv")
    assert len(marsh.double.requests) == asked + 1


def test_a_document_is_found_by_its_bytes_in_the_users_folder(marsh: Marsh, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    marsh.fetch(KEY)
    older(marsh)
    (marsh.root / f"library/2024/{KEY}.html").rename(papers / "any name.html")
    (papers / "another.html").write_bytes(b"<html>other</html>")
    with marsh.config.open("r+") as settings:
        held = settings.read()
        settings.seek(0)
        settings.write(f'documents = "{papers}"\n{held}')
    assert marsh.fetch(KEY, again=True).items[0].tried[0].source == "document"


def test_a_copy_of_the_users_is_not_replaced(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    give(marsh, printed(), rights="CC BY 4.0")
    marsh.double.routes += [(HTML, Reply(200, latexml(), "text/html"))]
    assert marsh.fetch(KEY, again=True).items[0].status == "held"
    assert marsh.read(PATH).fields["source"] == "attached"


def test_a_second_fetch_waits_for_the_first_and_takes_its_result(marsh: Marsh) -> None:
    import threading

    marsh.put(salt(arxiv="2404.01234"))
    asked, go = threading.Event(), threading.Event()

    def answer(_: object) -> Reply:
        asked.set()
        assert go.wait(60)
        return Reply(200, latexml(), "text/html")

    marsh.double.routes += [(HTML, answer)]
    found: dict[str, str] = {}
    threads = [
        threading.Thread(
            target=lambda name=name: found.update({name: marsh.fetch(KEY).items[0].status})
        )
        for name in ("first", "second")
    ]
    threads[0].start()
    assert asked.wait(60)
    threads[1].start()
    go.set()
    for thread in threads:
        thread.join(120)
    assert found == {"first": "fetched", "second": "held"}
    assert marsh.double.paths == [HTML]


def test_the_same_bytes_attached_twice_change_nothing(marsh: Marsh) -> None:
    marsh.put(salt(), salt(key="other2024marsh", doi="10.5555/other"))
    give(marsh, printed(), rights="CC BY 4.0")
    head = marsh.git("rev-parse", "HEAD")
    again = attach(marsh.library(), KEY, printed(), "again.pdf", today="2026-12-01")
    assert again.warnings == (f"{KEY} has its text from this very file already.",)
    assert marsh.git("rev-parse", "HEAD") == head
    other = attach(
        marsh.library(), "other2024marsh", printed(), "x.pdf", "CC BY 4.0", today="2026-12-01"
    )
    assert other.warnings == (f"The same file is the document of {KEY}.",)


def test_a_file_with_a_password(marsh: Marsh) -> None:
    import io

    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(printed()))
    writer.encrypt("open sesame", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    marsh.put(salt())
    with pytest.raises(FormatMissing, match="needs a password") as caught:
        give(marsh, out.getvalue())
    assert caught.value.next == "--password-stdin"
    with pytest.raises(FormatMissing, match="the password is not the file's"):
        give(marsh, out.getvalue(), password="wrong")
    give(marsh, out.getvalue(), password="open sesame")
    assert prose(1)[0] in marsh.read(PATH).body
    assert "sesame" not in (marsh.root / PATH).read_text()


RELATED = '<related-article related-article-type="{kind}" ext-link-type="doi" xlink:href="{doi}"/>'


def noticed(relation: str, about: str, **more: str) -> bytes:
    related = RELATED.format(kind=relation, doi=about)
    return jats(**more).replace(b"<permissions>", f"{related}<permissions>".encode())  # type: ignore[arg-type]


def test_an_article_that_was_retracted_says_so_on_its_reference(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001"))
    data = noticed("retraction-forward", "10.5555/notice.1")
    marsh.double.routes += [(EUROPEPMC, Reply(200, data, XML))]
    marsh.fetch(KEY)
    fields = marsh.read(f"library/2024/{KEY}.md").fields
    assert (fields["notice"], fields["notice-note"]) == ("retracted", "doi:10.5555/notice.1")


def test_a_notice_that_is_held_marks_the_article_it_is_about(marsh: Marsh) -> None:
    title = "Correction: Salt Marsh Drainage Follows the Oldest Channels"
    note = salt(
        key="aldermoor2025correction", title=title, doi="10.5555/notice.1", pmcid="PMC7000001"
    )
    marsh.put(salt(), note)
    data = noticed("corrected-article", "info:doi/10.5555/MARSH.2024.7", title=title,
                   doi="10.5555/notice.1", kind="correction")  # fmt: skip
    marsh.double.routes += [(EUROPEPMC, Reply(200, data, XML))]
    assert marsh.fetch("aldermoor2025correction").items[0].status == "fetched"
    fields = marsh.read(f"library/2024/{KEY}.md").fields
    assert (fields["notice"], fields["notice-note"]) == ("corrected", "doi:10.5555/notice.1")


def test_a_graver_notice_stays(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001", notice="retracted", notice_note="mine"))
    data = noticed("correction-forward", "10.5555/notice.1")
    marsh.double.routes += [(EUROPEPMC, Reply(200, data, XML))]
    marsh.fetch(KEY)
    assert marsh.read(f"library/2024/{KEY}.md").fields["notice-note"] == "mine"


def test_entries_are_cites_by_what_they_print_and_by_what_is_held(marsh: Marsh) -> None:
    held = Reference(
        key="penhallow2008short", title="A Short History of Tide Tables", published="2008",
        authors=("Penhallow, Ruth",), doi="10.5555/tides.2008", sources=("bibtex:x",),
    )  # fmt: skip
    marsh.put(salt(pmcid="PMC7000001"), held)
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(), XML))]
    marsh.fetch(KEY)
    assert marsh.read(f"library/2024/{KEY}.md").fields["cites"] == [
        "doi:10.5555/jih.2019.0042", "doi:10.5555/tides.2008",
    ]  # fmt: skip


def test_a_providers_list_of_other_identifiers_stays_alone(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001", cites=("openalex:W1", "doi:10.5555/a")))
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(), XML))]
    marsh.fetch(KEY)
    assert marsh.read(f"library/2024/{KEY}.md").fields["cites"] == ["openalex:W1", "doi:10.5555/a"]
