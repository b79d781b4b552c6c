"""What a build refuses, bounds, leaves out, and leaves alone."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from made import MKDOCS, charted, library_at, put

from pressmark import page, site
from pressmark.disk import output
from pressmark.errors import BadInput, Integrity
from pressmark.record import Note, Reference
from pressmark.site import markup


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pressmark.toml").write_text("format = 1\n")
    (tmp_path / "mkdocs.yml").write_text(MKDOCS.replace("search_texts: true", "search: false"))
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.md").write_text("# Home\n\n<!-- pressmark:home -->\n")
    put(tmp_path, "library/2019/ng2019maps.md", Reference(key="ng2019maps", title="Maps"))
    return tmp_path


FULL = bool(os.environ.get("PRESSMARK_FULL"))

HOSTILE = {
    "brackets": "[" * 50_000,
    "nested": "[" * 5_000 + "x" + "]" * 5_000,
    "quotes": "> " * 5_000 + "deep",
    "lists": "\n".join("    " * n + "- x" for n in range(500 if FULL else 120)),
    "stars": "*a_" * 30_000,
    "tags": "<b>" * 30_000,
    "citations": "[@ng2019maps] " * (300_000 if FULL else 30_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_note_made_to_take_for_ever_is_shown_as_written(root: Path, name: str) -> None:
    put(root, "notes/hostile.md", Note(slug="hostile", title="H", body=f"\n{HOSTILE[name]}\n"))
    (root / "notes/fine.md").write_text("# Fine\n\nCites [@ng2019maps].\n")
    start = time.process_time()
    built = site.build(library_at(root))
    assert time.process_time() - start < 60
    assert len(built.problems) == 1
    assert built.problems[0].startswith("notes/hostile.md:4: shown as written: ")
    text = (built.folder / "notes/hostile/index.html").read_text("utf-8")
    assert '<pre class="pm-code"' in text
    assert 'data-key="ng2019maps"' in (built.folder / "notes/fine/index.html").read_text("utf-8")


def test_ordinary_prose_is_no_burden() -> None:
    deep = "\n".join("    " * n + "- item [@a] and [b](c.md)" for n in range(8))
    assert (
        markup.too_much(f"> > > quoted\n\n{deep}\n\n" + "A *word* [see [a]](b).\n" * 2_000) is None
    )


def test_plain_paragraphs_are_the_same_html_with_and_without_markdown() -> None:
    texts = (
        "## Abstract\n\nWe show that p &#60; 0.05 (n = 12), with R&D and a 5 < 6.\n\nSecond, “so”.",
        "## Abstract\n\nA \\*star\\* and \\[brackets\\] and 50% of 3.5.\n\n## Summary\n\nOne line.",
        "Just a paragraph\nof two lines.",
    )
    for text in texts:
        quick = markup._plain(text)
        assert quick is not None, text
        slow = markup.Markup()._convert(text)
        assert quick[0] == slow[0].strip() and quick[1] == slow[1], text
    for text in (
        "# A title",
        "- a list",
        "1. one",
        "a *b*",
        "x [y](z)",
        "see @ng",
        "    code",
        "a\n---",
    ):
        assert markup._plain(text) is None, text


def test_a_build_that_fails_leaves_the_site_that_was_there(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = site.build(library_at(root))
    before = {p: p.read_bytes() for p in built.folder.rglob("*") if p.is_file()}
    (root / "notes").mkdir()
    (root / "notes/bad.md").write_text("See [@nobody].\n")
    with pytest.raises(Integrity, match="no reference has the key nobody"):
        site.build(library_at(root), strict=True)
    assert {p: p.read_bytes() for p in built.folder.rglob("*") if p.is_file()} == before
    from pressmark.site.collect import Site

    for ending in (RuntimeError, KeyboardInterrupt):

        def broken(self: Site, ending: type[BaseException] = ending) -> None:
            raise ending("in the middle")

        monkeypatch.setattr(Site, "pages", broken)
        with pytest.raises(ending, match="in the middle"):
            site.build(library_at(root))
        assert {p: p.read_bytes() for p in built.folder.rglob("*") if p.is_file()} == before
    assert [p.name for p in root.iterdir() if ".part-" in p.name] == []


def test_what_a_killed_build_left_is_swept_away(root: Path) -> None:
    left = root / "._site.part-999999999"
    left.mkdir()
    (left / "index.html").write_text("half")
    site.build(library_at(root))
    assert not left.exists()


def test_a_folder_that_git_tracks_is_no_target(tmp_path: Path) -> None:
    charted(tmp_path, more=0)
    site.build(library_at(tmp_path))
    subprocess.run(["git", "-C", str(tmp_path), "add", "--force", "_site/index.html"], check=True)
    with pytest.raises(BadInput, match="_site holds files that git tracks"):
        site.build(library_at(tmp_path))
    assert (tmp_path / "_site/notes/first/index.html").exists()


def test_what_is_left_out_is_said_with_the_reason(charts: Path) -> None:
    built = site.build(library_at(charts))
    assert built.left_out == ("1 full text is not published: CC-BY-NC-4.0",)


def test_a_file_that_cannot_be_read_is_a_problem_and_the_rest_is_built(root: Path) -> None:
    (root / "notes").mkdir()
    (root / "notes/broken.md").write_bytes(b"---\ntitle: [x\n---\n\nWords.\n")
    (root / "library/2019/bad2019.md").write_bytes(b"---\nauthors:\n- A\n---\n")
    built = site.build(library_at(root))
    assert [line.partition(":")[0] for line in built.problems] == [
        "library/2019/bad2019.md", "notes/broken.md",
    ]  # fmt: skip
    assert all(line.endswith("It is left out.") for line in built.problems)
    with pytest.raises(Integrity):
        site.build(library_at(root), strict=True)


def test_titles_that_trip_templates_are_shown(root: Path) -> None:
    titles = {
        "a2001zero": "0", "a2001rtl": "مقدمة في علم الخرائط", "a2001cjk": "地図と領土について",
        "a2001braces": "{{ config }} {% raw %}", "a2001none": "",
    }  # fmt: skip
    for key, title in titles.items():
        (root / "library/2001").mkdir(exist_ok=True, parents=True)
        (root / f"library/2001/{key}.md").write_bytes(
            page.write(Reference(key=key, title=title or "x"))
        )
    put(root, "library/2001/a2001long.md", Reference(
        key="a2001long", title="Long", body=f"\n## Abstract\n\n{'word ' * 5_000}\n",
    ))  # fmt: skip
    built = site.build(library_at(root))
    for key, title in titles.items():
        text = (built.folder / f"library/2001/{key}/index.html").read_text("utf-8")
        assert f"<h1>{title or 'x'}</h1>" in text
        assert f"<title>{title or 'x'} - Charted</title>" in text
    long = (built.folder / "library/2001/a2001long/index.html").read_text("utf-8")
    assert long.count("word ") >= 4_999


def test_pictures_of_the_library_are_published_and_of_others_linked(root: Path) -> None:
    (root / "notes").mkdir()
    (root / "notes/dot.png").write_bytes(b"\x89PNG")
    (root / "notes/evil.svg").write_text("<svg onload='alert(1)'/>")
    (root / "notes/secret.png").symlink_to("/etc/passwd")
    (root / "notes/n.md").write_text(
        "# N\n\n![a dot](dot.png) ![far](https://example.com/far.png) ![e](evil.svg)\n\n"
        '<img src="https://example.com/raw.png" alt="raw">\n\n![[secret.png]]\n'
    )
    built = site.build(library_at(root))
    text = (built.folder / "notes/n/index.html").read_text("utf-8")
    assert 'src="../../notes/dot.png"' in text and (built.folder / "notes/dot.png").is_file()
    assert '<a href="https://example.com/far.png">far</a>' in text
    assert '<a href="https://example.com/raw.png">raw</a>' in text
    assert not list(built.folder.rglob("*.svg")) or "evil" not in text.replace(">e<", "")
    assert not (built.folder / "notes/secret.png").exists()
    assert 'src="https' not in text


def test_notes_that_embed_each_other_come_to_an_end(root: Path) -> None:
    (root / "notes").mkdir()
    (root / "notes/a.md").write_text("# A\n\nIn a.\n\n![[b]]\n")
    (root / "notes/b.md").write_text("# B\n\n## Part\n\nIn b. ^here\n\n![[a]]\n")
    (root / "notes/c.md").write_text("# C\n\n![[b#Part]]\n\n![[b#^here]]\n\n![[b#Missing]]\n")
    built = site.build(library_at(root))
    a = (built.folder / "notes/a/index.html").read_text("utf-8")
    quoted = a.partition("<blockquote>")[2].partition("</article>")[0]
    assert "In b." in quoted and quoted.count("In a.") == 0
    assert list(built.problems) == ["notes/c.md:7: b has no Missing"]


def test_the_swap_refuses_a_link(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "_site").symlink_to(tmp_path / "mine")
    made = output.beside(tmp_path / "_site")
    with pytest.raises(Exception, match="symbolic link"):
        output.swap(made, tmp_path / "_site")
