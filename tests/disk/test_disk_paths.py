"""Paths: what may be a file of the library, and what a case-blind file system takes for the same."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark import disk
from pressmark.errors import BadInput, PressmarkError, Unreadable


@pytest.mark.parametrize(
    "bad",
    [
        "",
        ".",
        "..",
        "../x.md",
        "a/../b.md",
        "a/./b.md",
        "/etc/passwd",
        "a//b.md",
        "a/",
        "a\0b.md",
        "a\\b.md",
        "a\nb.md",
        "a\x1bb.md",
        "a\x85b.md",
        "con",
        "CON.md",
        "aux.tar.gz",
        "x/nul",
        "lpt9.md",
        "com1 .md",
        "a.",
        "a ",
        "x /y.md",
        "what?.md",
        "a:b.md",
        'a"b.md',
        "a\udce9.md",
        "é" * 128 + ".md",
    ],
)
def test_a_name_that_some_system_cannot_hold_is_bad_input(tmp_path: Path, bad: str) -> None:
    with pytest.raises(BadInput) as caught:
        disk.safe_path(tmp_path, bad)
    assert "\n" not in caught.value.message
    assert caught.value.next


@pytest.mark.parametrize("good", ["a.md", "library/2017/x.md", "-x.md", ".pressmark/x", "café.md"])
def test_a_good_name_is_below_the_root(tmp_path: Path, good: str) -> None:
    assert disk.safe_path(tmp_path, good) == tmp_path / good


@given(st.text(max_size=40))
def test_no_text_leaves_the_root(text: str) -> None:
    root = Path("/nowhere/library")
    try:
        path = disk.safe_path(root, text)
    except BadInput:
        return
    assert path.is_relative_to(root)
    assert ".." not in path.parts


LINKS = {
    "file link": ("library/2017/x.md", "secret.txt"),
    "folder link": ("library/2017", "outside"),
    "top folder link": ("library", "outside"),
    "dangling link": ("library/2017/x.md", "nothing-here"),
    "link to itself": ("library/2017/x.md", "library/2017/x.md"),
    "link inside the library": ("library/2017/x.md", "library/2018/y.md"),
}


@pytest.fixture(params=LINKS)
def linked(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A library in which `library/2017/x.md` is, or lies behind, a symbolic link."""
    root = tmp_path / "root"
    outside = tmp_path / "outside"
    for folder in (outside / "2017", outside, root / "library/2018"):
        folder.mkdir(parents=True, exist_ok=True)
    secret = tmp_path / "secret.txt"
    for path in (secret, outside / "x.md", outside / "2017/x.md", root / "library/2018/y.md"):
        path.write_text("secret")
    link, target = LINKS[request.param]
    if link == "library":
        (root / "library/2018/y.md").unlink()
        (root / "library/2018").rmdir()
        (root / "library").rmdir()
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    base = root if target.startswith("library") else tmp_path
    (root / link).symlink_to(base / target)
    return root, secret


def test_nothing_is_read_through_a_link(linked: tuple[Path, Path]) -> None:
    root, _ = linked
    with pytest.raises(Unreadable) as caught:
        disk.read_bytes(root, "library/2017/x.md")
    assert caught.value.path == "library/2017/x.md"
    assert [s.relative for s in disk.walk(root, "library")] in ([], ["library/2018/y.md"])
    with pytest.raises(BadInput):
        disk.safe_path(root, "library/2017/x.md")
    assert not disk.exists(root, "library/2017/x.md")


@pytest.mark.parametrize("data", [b"new", None])
@pytest.mark.parametrize("expected", [None, disk.sha256(b"secret")])
def test_nothing_is_written_through_a_link(
    linked: tuple[Path, Path], data: bytes | None, expected: str | None
) -> None:
    root, secret = linked
    before = sorted(str(p) for p in root.parent.rglob("*"))
    with pytest.raises(PressmarkError):
        disk.apply(root, [disk.Edit("library/2017/x.md", data, expected)])
    with pytest.raises(PressmarkError):
        disk.write_file(root / "library/2017/x.md/under", b"new", root=root)
    assert sorted(str(p) for p in root.parent.rglob("*")) == before
    assert secret.read_text() == "secret"


def test_a_sidecar_is_never_written_out_of_the_library(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / ".pressmark").symlink_to(outside)
    with pytest.raises(BadInput, match="symbolic link"):
        disk.write_file(root / ".pressmark/cache/x", b"x", root=root)
    with pytest.raises(BadInput, match="symbolic link"):
        disk.make_folder(root / ".pressmark/cache", root=root)
    with pytest.raises(BadInput, match="symbolic link"):
        disk.append_line(root / ".pressmark/log", "x", root=root)
    with pytest.raises(BadInput, match="not inside"):
        disk.write_file(tmp_path / "elsewhere", b"x", root=root)
    assert list(outside.iterdir()) == []


def test_clash_names_the_other_spelling(tmp_path: Path) -> None:
    (tmp_path / "library/2017").mkdir(parents=True)
    (tmp_path / "library/2017/Smith2017x.md").write_text("x")
    nfd = unicodedata.normalize("NFD", "café.md")
    (tmp_path / "library/2017" / nfd).write_text("x")
    assert disk.clash(tmp_path, "library/2017/smith2017x.md") == "library/2017/Smith2017x.md"
    assert disk.clash(tmp_path, "LIBRARY/2017/smith2017x.md") == "library/2017/Smith2017x.md"
    assert disk.clash(tmp_path, "library/2017/CAFÉ.md") == f"library/2017/{nfd}"
    assert disk.clash(tmp_path, "library/2017/Smith2017x.md") is None
    assert disk.clash(tmp_path, "library/2017/other.md") is None
    assert disk.clash(tmp_path, "library/2018/smith2017x.md") is None


def test_a_name_that_is_no_text_is_bad_input_for_reading_too(tmp_path: Path) -> None:
    for bad in ("\ud800.md", "a\0b.md"):
        with pytest.raises(BadInput):
            disk.read_bytes(tmp_path, bad)
        with pytest.raises(BadInput):
            disk.exists(tmp_path, bad)
    assert not disk.exists(tmp_path, "a\udce9.md")
