"""Where pages are: none takes another one's place without a word, however deep, however named."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made import KINDS, MKDOCS, charted, library_at, put

from pressmark import site
from pressmark.errors import BadInput, Unavailable
from pressmark.record import Reference, Topic
from pressmark.site.collect import Site
from pressmark.site.dialect import Markdown
from pressmark.site.lists import Names

CLI = Path(__file__).resolve().parents[2] / "cli"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    charted(tmp_path, more=0)
    mkdocs = MKDOCS.replace("search_texts: true", "search: false")
    (tmp_path / "mkdocs.yml").write_text(mkdocs)
    return tmp_path


def words(root: Path, path: str) -> str:
    return (root / "_site" / path).read_text("utf-8")


def test_a_record_takes_the_place_of_a_list_and_it_is_said(root: Path) -> None:
    (root / "notes/index.md").write_text("# Where to begin\n\nWith [[first]].\n")
    put(root, "topics/searches.md", Topic(slug="searches", title="Searches", query="searching"))
    for _ in "once", "again":  # the second build keeps what the first one made
        built = site.build(library_at(root), strict=True)
        assert built.left_out == (
            "1 full text is not published: CC-BY-NC-4.0",
            "the list at notes/ is left out: notes/index.md has its address",
            "the list at topics/searches/ is left out: topics/searches.md has its address",
        )
        assert "Where to begin</h1>" in words(root, "notes/index.html")
    assert "Where to begin</h1>" in words(root, "notes/index.html")
    assert "Query <strong>searching</strong>" in words(root, "topics/searches/index.html")
    listed = re.findall(r"<loc>(.*?)</loc>", words(root, "sitemap.xml"))
    assert len(listed) == len(set(listed))


def test_of_two_notes_with_one_address_the_second_is_a_problem(root: Path) -> None:
    (root / "notes/a").mkdir()
    (root / "notes/a.md").write_text("# Mine\n")
    (root / "notes/a/index.md").write_text("# Other\n")
    put(root, "topics/more/cartography.md", Topic(slug="cartography", title="Again", query="x"))
    built = site.build(library_at(root))
    assert built.problems == (
        "topics/more/cartography.md has no page: topics/cartography.md is a topic of the same name.",
        "notes/a/index.md has no page: notes/a.md has its address. Rename one of them.",
    )
    assert "Mine</h1>" in words(root, "notes/a/index.html")
    assert "Cartography</h1>" in words(root, "topics/cartography/index.html")
    (root / "mkdocs.yml").write_text(
        f"use_directory_urls: false\n{(root / 'mkdocs.yml').read_text()}"
    )
    built = site.build(library_at(root))
    assert [each[:27] for each in built.problems] == ["topics/more/cartography.md "]
    assert "Mine</h1>" in words(root, "notes/a.html")
    assert "Other</h1>" in words(root, "notes/a/index.html")


def test_a_page_may_lie_as_deep_as_it_likes(root: Path) -> None:
    deep = "notes/" + "/".join("abcdefghijkl")
    (root / deep).mkdir(parents=True)
    (root / f"{deep}/n.md").write_text("# Deep\n\nSee [@ng2019maps].\n")
    assert site.build(library_at(root), strict=True).problems == ()
    page = words(root, f"{deep}/n/index.html")
    assert f'href="{"../" * 14}library/2019/ng2019maps/"' in page
    assert f'src="{"../" * 14}assets/pressmark.js"' in page


def test_files_of_the_sites_own_stay(root: Path) -> None:
    for name in ("llms.txt", "robots.txt", "feed.xml", "library.bib"):
        (root / "site" / name).write_text(f"my {name}")
    (root / "site/pm-frames.md").write_text("# Frames of mind\n\nWords.\n")
    (root / "site/notes").mkdir()
    (root / "site/notes/first.md").write_text("# In place of the note\n")
    site.build(library_at(root), strict=True)
    for name in ("llms.txt", "robots.txt", "feed.xml", "library.bib"):
        assert words(root, name) == f"my {name}"
    assert "<p>Words.</p>" in words(root, "pm-frames/index.html")
    assert "In place of the note</h1>" in words(root, "notes/first/index.html")


def test_tags_that_look_alike_have_a_page_each(root: Path) -> None:
    tags = ("C", "c", "C++", "C#", "Ç", "con", "index", "..", "!!!", "a/b", "a-b", "地図", "0")
    for number, tag in enumerate(tags):
        put(root, f"library/2020/t2020n{number}.md", Reference(
            key=f"t2020n{number}", title=f"On {tag}", published="2020", tags=(tag,), venue=tag,
        ))  # fmt: skip
    made = Site(library_at(root), write=Markdown())
    found = {page.uri: page for page in made.pages()}
    for folder in ("tags", "venues"):
        places = [made.facet_uri(folder, tag) for tag in tags]
        assert len(set(places)) == len(tags) and f"{folder}/index.md" not in places
        assert not re.search(r"[^a-z0-9/.-]|/con\.md|/\.", " ".join(places).replace(" ", ""))
        for number, place in enumerate(places):
            assert f"(../library/2020/t2020n{number}.md)" in found[place].content.replace(
                "pm:/", "../"
            )


def test_a_tag_called_as_the_next_page_of_another_is_no_page_of_it(root: Path) -> None:
    for number in range(60):
        put(root, f"library/2020/t2020n{number}.md", Reference(
            key=f"t2020n{number}", title="T", published="2020", tags=("a",)
        ))  # fmt: skip
    put(root, "library/2020/x2020.md", Reference(
        key="x2020", title="X", published="2020", tags=("a page 2", "index-page-2"),
    ))  # fmt: skip
    found = [page.uri for page in Site(library_at(root), write=Markdown()).pages()]
    assert len(found) == len(set(found))
    assert {"tags/a.md", "tags/a-page-2.md", "tags/a-page-2-2.md"} <= set(found)


def test_ten_thousand_names_that_look_alike_are_numbered() -> None:
    names = Names()
    found = [names.of(f"C{'+' * n}") for n in range(10_000)]
    assert found[:3] == ["c", "c-2", "c-3"] and len(set(found)) == 10_000
    assert names.of("C++") == "c-3" and names.of("c 3") == "c-3-2"
    assert names.of("x page 7") == "x-page-7-2"


@pytest.mark.parametrize("key", ["index", "tags", "search", "references", "Index"])
def test_a_key_may_be_called_like_a_page_of_ours(root: Path, key: str) -> None:
    put(root, f"library/2021/{key}.md", Reference(key=key, title="Named so", published="2021"))
    assert site.build(library_at(root), strict=True).problems == ()
    place = "library/2021/index.html" if key == "index" else f"library/2021/{key}/index.html"
    assert ">Named so</h1>" in words(root, place)
    assert (root / f"_site/library/2021/{key}.bib").is_file()
    for name in KINDS:
        assert list((root / "_site/library").rglob(f"{name}/index.html"))


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True)


def test_a_folder_that_git_tracks_is_refused_wherever_it_lies(tmp_path: Path) -> None:
    """The library is a folder of a repository, and its site another one that was committed."""
    root = tmp_path / "library"
    root.mkdir()
    charted(root, more=0)
    shutil.rmtree(root / ".git")
    mkdocs = (root / "mkdocs.yml").read_text().replace("search_texts: true", "search: false")
    (root / "mkdocs.yml").write_text(mkdocs.replace("site_dir: _site", "site_dir: ../public"))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "All of it")
    built = site.build(library_at(root), strict=True)
    assert built.folder.resolve() == tmp_path / "public"
    page = tmp_path / "public/library/2019/ng2019maps/index.html"
    assert re.search(
        r'<ul class="pm-history"><li>\d{4}-\d\d-\d\d All of it</li>', page.read_text("utf-8")
    )
    git(tmp_path, "add", "--all")
    page.write_text("kept")
    with pytest.raises(BadInput, match="public holds files that git tracks"):
        site.build(library_at(root))
    # MkDocs alone, without our command before it, deletes nothing either.
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet"], cwd=root, capture_output=True,
        text=True, check=False, env={**os.environ, "PYTHONPATH": str(CLI)},
    )  # fmt: skip
    assert done.returncode == 1 and "public holds files that git tracks" in done.stderr
    assert page.read_text() == "kept"


def test_a_full_disk_is_one_sentence_and_the_old_site_stays(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = site.build(library_at(root))
    before = {p: p.read_bytes() for p in built.folder.rglob("*") if p.is_file()}

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/somewhere/bundle.js")

    monkeypatch.setattr("mkdocs.utils.copy_file", full)
    (root / "notes/new.md").write_text("# New\n")
    with pytest.raises(Unavailable, match=r"^The site could not be written: the disk is full\."):
        site.build(library_at(root), whole=True)
    assert {p: p.read_bytes() for p in built.folder.rglob("*") if p.is_file()} == before
    assert [p.name for p in root.iterdir() if ".part-" in p.name] == []


def test_a_clone_that_was_cut_tells_no_false_history(root: Path, tmp_path: Path) -> None:
    page = root / "library/2019/ng2019maps.md"
    for title in ("Maps, second", "Maps, third"):
        page.write_text(re.sub(r"(?m)^title: .*$", f"title: {title}", page.read_text()))
        git(root, "commit", "--all", "--quiet", "--message", title)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=2", f"file://{root}", str(clone))
    built = site.build(library_at(clone), strict=True)
    assert built.left_out[0] == (
        "the history of files is left out where this clone was cut: git fetch --unshallow"
    )
    history = r'<ul class="pm-history"><li>\d{4}-\d\d-\d\d (.*?)</li></ul>'
    text = (clone / "_site/library/2019/ng2019maps/index.html").read_text("utf-8")
    assert re.findall(history, text) == ["Maps, third"]
    other = (clone / "_site/library/2015/kim2015globe/index.html").read_text("utf-8")
    assert "pm-history" not in other
    assert "<published>2015-01-01T00:00:00Z</published>" in (clone / "_site/feed.xml").read_text()
