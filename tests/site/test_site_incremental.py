"""A build after changes makes only what they touch, and always what a whole build would make."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from made import MKDOCS, charted, library_at, put

from pressmark import ids, page, site
from pressmark.record import Note, Reference, Topic
from pressmark.site.building import configured
from pressmark.site.keeping import Keeper, store
from pressmark.site.keeping import keeper as keeping
from pressmark.site.preview import Preview

Tree = dict[str, bytes]

RECORDS = 18
"""References, notes and a full text of the library."""


def tree(folder: Path) -> Tree:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def commit(root: Path, words: str) -> None:
    subprocess.run(["git", "-C", str(root), "add", "--all"], check=True)
    subprocess.run(
        ["git", "-C", str(root), "-c", "user.name=Ada", "-c", "user.email=ada@example.org",
         "commit", "--quiet", "--allow-empty", "--message", words], check=True,
    )  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    charted(tmp_path, more=8)
    (tmp_path / "mkdocs.yml").write_text(MKDOCS.replace("search_texts: true", "search: false"))
    return tmp_path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages of records that were made and not kept, in order."""
    pages: list[str] = []
    real = Keeper._made

    def noted(self: Keeper, uri: str, *rest: object) -> object:
        pages.append(uri)
        return real(self, uri, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Keeper, "_made", noted)
    return pages


def whole(root: Path) -> Tree:
    """What a build makes that knows of no other."""
    (root / store.NAME).unlink(missing_ok=True)
    place = root / "_site"
    aside = root / "_aside"
    place.rename(aside)
    site.build(library_at(root))
    found = tree(place)
    shutil.rmtree(place)
    aside.rename(place)
    (root / store.NAME).unlink()
    return found


def test_nothing_changed_and_nothing_is_made(root: Path, made: list[str]) -> None:
    first = site.build(library_at(root))
    before = tree(root / "_site")
    states = {p: (root / "_site" / p).stat() for p in before}
    assert len(made) == RECORDS
    made.clear()
    again = site.build(library_at(root))
    assert made == []
    assert tree(root / "_site") == before
    assert (again.pages, again.problems, again.left_out) == (
        first.pages, first.problems, first.left_out,
    )  # fmt: skip
    after = {p: (root / "_site" / p).stat() for p in before}
    assert [p for p in before if states[p].st_ino != after[p].st_ino] == []


def test_an_edit_makes_the_pages_that_show_it(root: Path, made: list[str]) -> None:
    site.build(library_at(root))
    made.clear()
    path = root / "library/1990/old1990older.md"
    path.write_text(path.read_text("utf-8").replace("An older atlas", "An old atlas"), "utf-8")
    site.build(library_at(root))
    assert "library/1990/old1990older.md" in made
    assert "library/2019/ng2019maps.md" in made  # it cites the atlas
    assert "library/2021/diaz2021tiles.md" not in made and "library/2001/made2001n1.md" not in made
    text = (root / "_site/library/2019/ng2019maps/index.html").read_text("utf-8")
    assert "An old atlas" in text
    made.clear()
    (root / "notes/second.md").write_text("# Second note\n\n## A heading\n\nNo more.\n", "utf-8")
    site.build(library_at(root))
    # The other note embeds it; the paper and the note it cited are mentioned in it no more.
    assert set(made) == {"notes/second.md", "notes/first.md", "library/2019/ng2019maps.md"}


EDITS: dict[str, Callable[[Path, random.Random], None]] = {}


def edit(change: Callable[[Path, random.Random], None]) -> Callable[[Path, random.Random], None]:
    EDITS[change.__name__] = change
    return change


def references(root: Path) -> list[Path]:
    """The references that can be read."""
    paths = sorted(p for p in (root / "library").rglob("*.md") if "fulltext" not in p.name)
    return [path for path in paths if "title:" in path.read_text("utf-8")]


def changed(path: Path, **values: object) -> None:
    record = page.read(Reference, path.read_bytes(), path.name)
    path.write_bytes(page.write(replace(record, **values)))  # type: ignore[arg-type]


@edit
def a_title(root: Path, rng: random.Random) -> None:
    changed(rng.choice(references(root)), title=f"A title with $n_{rng.randrange(9)}$")


@edit
def authors_that_look_alike(root: Path, rng: random.Random) -> None:
    names = ("Díaz, Eva", "Diaz, Eva", "DIAZ, EVA", "Ng, Ada")
    changed(rng.choice(references(root)), authors=tuple(rng.sample(names, 2)))


@edit
def tags(root: Path, rng: random.Random) -> None:
    changed(rng.choice(references(root)), tags=tuple(rng.sample(("maps", "Maps", "new", "ink"), 2)))


@edit
def what_it_cites(root: Path, rng: random.Random) -> None:
    some = tuple(rng.sample(("doi:10.5555/maps", "doi:10.5555/older", "doi:10.5555/book"), 2))
    changed(rng.choice(references(root)), cites=some)


@edit
def an_abstract(root: Path, rng: random.Random) -> None:
    body = f"\n## Abstract\n\nTerritories of maps, atlases {rng.randrange(99)} [@ng2019maps].\n"
    changed(rng.choice(references(root)), body=body)


@edit
def a_stage(root: Path, rng: random.Random) -> None:
    changed(rng.choice(references(root)), stage=rng.choice((None, "candidate")))


@edit
def a_new_reference(root: Path, rng: random.Random) -> None:
    key = f"new{2001 + rng.randrange(9)}paper{rng.randrange(99)}"
    put(root, f"library/{ids.folder(key)}/{key}.md", Reference(
        key=key, title=f"New {key}", published=key[3:7], cites=("doi:10.5555/maps",),
    ))  # fmt: skip


@edit
def a_reference_less(root: Path, rng: random.Random) -> None:
    rng.choice(references(root)).unlink()


@edit
def a_key_twice(root: Path, rng: random.Random) -> None:
    path = rng.choice(references(root))
    (root / "library/2099").mkdir(exist_ok=True)
    text = path.read_text("utf-8").replace("title: ", "title: Twice ")
    (root / "library/2099" / path.name).write_text(text, "utf-8")


@edit
def a_wreck(root: Path, rng: random.Random) -> None:
    rng.choice(references(root)).write_text("---\nauthors:\n- A\n---\n")


@edit
def a_note(root: Path, rng: random.Random) -> None:
    names = [p.stem for p in references(root)]
    links = " ".join(f"[@{rng.choice(names)}]" for _ in range(3))
    (root / f"notes/n{rng.randrange(4)}.md").write_text(
        f"# N\n\n{links} #ink [[first]] ![[second]] and [[nobody]] $\\nope$\n"
    )


@edit
def a_note_less(root: Path, rng: random.Random) -> None:
    rng.choice(sorted((root / "notes").glob("*.md"))).unlink()


@edit
def a_note_renamed(root: Path, rng: random.Random) -> None:
    path = rng.choice(sorted((root / "notes").glob("*.md")))
    path.rename(path.with_name(f"moved{rng.randrange(9)}.md"))


@edit
def a_topic(root: Path, rng: random.Random) -> None:
    put(root, "topics/cartography.md", Topic(
        slug="cartography", title=f"Cartography {rng.randrange(9)}", query="maps",
        providers=("arxiv",), body="\nWhy.\n",
    ))  # fmt: skip


@edit
def a_picture(root: Path, rng: random.Random) -> None:
    (root / "notes/dot.png").write_bytes(b"\x89PNG" + bytes([rng.randrange(256)]))


@edit
def the_theme(root: Path, rng: random.Random) -> None:
    path = root / "mkdocs.yml"
    font = "theme:\n  name: material\n  language: " + rng.choice(("en", "de"))
    path.write_text(MKDOCS.replace("search_texts: true", "search: false").replace(
        "theme:\n  name: material", font
    ))  # fmt: skip


@edit
def the_address(root: Path, rng: random.Random) -> None:
    path = root / "mkdocs.yml"
    name = rng.choice(("library", "atlas"))
    path.write_text(path.read_text().replace("library.example", f"{name}.example"))


@edit
def a_page_of_its_own(root: Path, rng: random.Random) -> None:
    path = root / rng.choice(("site/about.md", "site/library/2019/ng2019maps.md"))
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        path.unlink()
    else:
        path.write_text("# About\n\nSee [@ng2019maps].\n")


@edit
def a_file_in_the_way(root: Path, rng: random.Random) -> None:
    (root / "site/library.bib").write_text("mine")


@edit
def a_commit(root: Path, rng: random.Random) -> None:
    commit(root, f"Commit {rng.randrange(99)}")


@edit
def what_was_built(root: Path, rng: random.Random) -> None:
    """Somebody's hand in the built site."""
    path = rng.choice(sorted(p for p in (root / "_site").rglob("*.html")))
    rng.choice((path.unlink, lambda: path.write_text("mine")))()
    (root / "_site/CNAME").write_text("mine")


@pytest.mark.parametrize("seed", [1, 2])
def test_random_edits_give_what_a_whole_build_gives(root: Path, seed: int) -> None:
    rng = random.Random(seed)
    site.build(library_at(root))
    order = list(EDITS)
    rng.shuffle(order)
    log = []
    for at in range(0, len(order), 3):
        for name in order[at : at + 3]:
            EDITS[name](root, rng)
            log.append(name)
        built = site.build(library_at(root))
        now = tree(root / "_site")
        saved = (root / store.NAME).read_bytes()
        wanted = whole(root)
        (root / store.NAME).write_bytes(saved)
        assert now.keys() == wanted.keys(), log
        assert [p for p in wanted if now[p] != wanted[p]] == [], log
        assert built.pages == sum(p.endswith(".html") for p in wanted)
    shutil.rmtree(root / "_site")
    assert tree(site.build(library_at(root)).folder) == wanted


def shown(root: Path, place: Path) -> Preview:
    preview = Preview(library_at(root), place, {}, lambda words: None)
    preview.url = "http://127.0.0.1:8000/"
    preview.rebuild(first=configured(library_at(root)))
    return preview


@pytest.mark.parametrize("recent", ["", "5"])
def test_a_preview_shows_after_each_edit_what_a_new_one_shows(
    root: Path, monkeypatch: pytest.MonkeyPatch, recent: str
) -> None:
    monkeypatch.setenv("PRESSMARK_SITE_RECENT", recent)
    rng = random.Random(f"preview {recent}")
    preview = shown(root, root / "_kept/site")
    # It has no word in what was built: its folder is nobody else's.
    for name in rng.sample(sorted(EDITS.keys() - {"what_was_built"}), 12):
        EDITS[name](root, rng)
        preview.rebuild()
        anew = root / "_anew/site"
        assert shown(root, anew).place == anew
        assert tree(preview.place) == tree(anew), name
        shutil.rmtree(anew)


def test_where_two_notes_had_one_address_the_other_takes_it(root: Path) -> None:
    (root / "notes/a").mkdir()
    (root / "notes/a.md").write_text("# Mine\n\nFirst words.\n")
    (root / "notes/a/index.md").write_text("# Other\n\nOther words.\n")
    site.build(library_at(root))
    page = root / "_site/notes/a/index.html"
    assert "First words." in page.read_text("utf-8")
    (root / "notes/a.md").unlink()
    site.build(library_at(root))
    assert "Other words." in page.read_text("utf-8")


def test_problems_are_told_again_and_only_once(root: Path) -> None:
    (root / "notes/bad.md").write_text("# Bad\n\nSee [@nobody] and $\\nope$.\n")
    first = site.build(library_at(root)).problems
    assert len(first) == 2 and first[0] == "notes/bad.md:3: no reference has the key nobody"
    assert site.build(library_at(root)).problems == first
    changed(root / "library/2019/ng2019maps.md", title="Other")
    assert site.build(library_at(root)).problems == first


def damages(data: bytes) -> list[bytes]:
    half = len(data) // 2
    return [b"", data[:half], data[:half] + b"x" + data[half + 1 :], data[:-1], b"\0" * 99]


def test_a_damaged_memory_means_a_whole_build(root: Path, made: list[str]) -> None:
    site.build(library_at(root))
    wanted = tree(root / "_site")
    data = (root / store.NAME).read_bytes()
    for damage in damages(data):
        (root / store.NAME).write_bytes(damage)
        made.clear()
        site.build(library_at(root))
        assert len(made) == RECORDS
        assert tree(root / "_site") == wanted
    made.clear()
    site.build(library_at(root), whole=True)
    assert len(made) == RECORDS and tree(root / "_site") == wanted


def test_another_program_trusts_nothing(
    root: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site.build(library_at(root))
    made.clear()
    monkeypatch.setattr(keeping.stores, "program", lambda: "another")
    site.build(library_at(root))
    assert len(made) == RECORDS


def test_a_copied_site_is_not_trusted(root: Path, made: list[str], tmp_path: Path) -> None:
    """Who hands over a library with a built site and its memory cannot put words into the next."""
    site.build(library_at(root))
    page_ = root / "_site/library/2019/ng2019maps/index.html"
    shutil.move(root / "_site", root / "_received")
    shutil.copytree(root / "_received", root / "_site")
    shutil.rmtree(root / "_received")
    state = page_.stat()
    page_.write_text("mine")
    import os

    os.utime(page_, ns=(state.st_atime_ns, state.st_mtime_ns))
    made.clear()
    site.build(library_at(root))
    assert len(made) == RECORDS and page_.read_text("utf-8") != "mine"


def test_a_link_in_the_built_site_means_a_whole_build(
    root: Path, made: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    site.build(library_at(root))
    wanted = tree(root / "_site")
    outside = tmp_path_factory.mktemp("mine")
    shutil.move(root / "_site/notes", outside / "notes")
    (root / "_site/notes").symlink_to(outside / "notes")
    made.clear()
    site.build(library_at(root))
    assert len(made) == RECORDS and not (root / "_site/notes").is_symlink()
    assert tree(root / "_site") == wanted
    assert (outside / "notes/first/index.html").exists()


def test_with_other_plugins_every_page_is_made(root: Path, made: list[str]) -> None:
    config = root / "mkdocs.yml"
    config.write_text(config.read_text() + "- tags\n")
    for _ in range(2):
        made.clear()
        site.build(library_at(root))
        assert made == []  # nobody keeps anything
    assert not (root / store.NAME).exists()


def test_the_search_index_is_made_again_only_for_other_words(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "mkdocs.yml").write_text(MKDOCS)
    from pressmark.site import searching

    times: list[int] = []
    real = searching.build
    monkeypatch.setattr(searching, "build", lambda *a, **k: (times.append(1), real(*a, **k)))
    site.build(library_at(root))
    wanted = tree(root / "_site/pagefind")
    commit(root, "Only the history of a page changes")
    site.build(library_at(root))
    assert len(times) == 1 and tree(root / "_site/pagefind") == wanted
    put(root, "notes/new.md", Note(slug="new", title="New", body="\nMeridian.\n"))
    site.build(library_at(root))
    assert len(times) == 2 and tree(root / "_site/pagefind") != wanted


def test_pages_of_references_and_notes_ask_nothing_unknown(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that asks for something new would be made at every build, without a word."""
    unknown: list[str] = []
    real = keeping.Asked.unasked

    def noted(self: keeping.Asked, name: str) -> object:
        unknown.append(name)
        return real(self, name)

    monkeypatch.setattr(keeping.Asked, "unasked", noted)
    site.build(library_at(root))
    assert unknown == []
