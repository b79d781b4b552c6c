"""Each rule finds what breaks it, where it stands, and nothing else."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark import check as rules
from pressmark.check import Finding, check, fix, records, status
from pressmark.check.view import View
from pressmark.config import load
from pressmark.errors import NotFound
from pressmark.library import Library, Write
from pressmark.render import findings

from .conftest import Found, Put

PAPER = "library/2017/vaswani2017attention.md"


def only(library: Library, *paths: str) -> Finding:
    (finding,) = [f for f in check(library, paths or None) if "someone" not in f.message]
    return finding


def test_a_clean_library_has_one_doubtful_name(library: Library) -> None:
    (finding,) = check(library)
    assert (finding.code, finding.severity, finding.path) == ("UNCITED", "warning", "thesis/one.md")
    assert (finding.line, finding.column) == (1, 67)
    assert finding.message == "No reference has the key someone."
    assert status([finding]) == 0
    assert status([finding], strict=True) == 3


def test_unreadable_with_line_and_field(put: Put, found: Found) -> None:
    put("library/2020/bad2020one.md", "---\ntitle: Fine\nnotice: perhaps\n---\n")
    put("library/2020/bad2020two.md", "---\ntitle: [open\n---\n")
    put("library/2017/hochreiter1997long.fulltext.md", "---\nsource: x\n---\n")
    put("notes/broken.md", "---\nabout: {\n---\n\nStill read: [@gone2001key]\n")
    places = found()
    assert ("UNREADABLE", "error", "library/2020/bad2020one.md", 3, None) in places
    assert ("UNREADABLE", "error", "library/2020/bad2020two.md", 2, None) in places
    assert ("UNCITED", "error", "notes/broken.md", 5, 14) in places
    codes = {(code, path) for code, _, path, _, _ in places}
    assert ("UNREADABLE", "notes/broken.md") in codes
    assert ("UNREADABLE", "library/2017/hochreiter1997long.fulltext.md") in codes


def test_a_merge_that_nobody_finished(put: Put, library: Library) -> None:
    put("thesis/one.md", "One\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> branch\n")
    finding = only(library)
    assert (finding.code, finding.path, finding.line) == ("CONFLICT", "thesis/one.md", 2)


def test_two_references_of_one_work(put: Put, library: Library) -> None:
    put(
        "library/2018/other2018attention.md",
        "---\ntitle: Attention is all you need\n\ndoi: 10.48550/arXiv.1706.03762\n\n"
        "arxiv: '1706.03762'\n---\n",
    )
    finding = only(library)
    assert (finding.code, finding.severity, finding.path) == (
        "DUPLICATE-ID", "error", "library/2018/other2018attention.md",
    )  # fmt: skip
    assert finding.line == 6
    assert finding.message == f"{PAPER} has arxiv:1706.03762 too."
    assert finding.next == "pressmark merge vaswani2017attention other2018attention"


def test_one_identifier_for_two_titles_is_for_a_person(put: Put, library: Library) -> None:
    put("library/2018/x2018y.md", "---\ntitle: Deep Nets\n\narxiv: '1706.03762'\n---\n")
    assert only(library).next == "correct the one that is wrong; their titles differ"


def test_two_references_of_one_name(put: Put, found: Found) -> None:
    put("library/2020/Vaswani2017Attention.md", "---\ntitle: Another\n---\n")
    put("library/2021/new2021.md", "---\ntitle: New\n\naliases:\n- Hochreiter1997Long\n---\n")
    assert [(f[0], f[1], f[2]) for f in found() if f[0] == "DUPLICATE-KEY"] == [
        ("DUPLICATE-KEY", "error", "library/2020/Vaswani2017Attention.md"),
        ("DUPLICATE-KEY", "error", "library/2021/new2021.md"),
    ]


def test_files_that_differ_in_case_only_are_told_apart_by_git(put: Put, library: Library) -> None:
    twin = "library/2020/Vaswani2017Attention.md"
    put(twin, "---\ntitle: X\n\narxiv: '1706.03762'\n---\n")
    found = {each.code: each.next for each in check(library)}
    assert found["DUPLICATE-KEY"] == f"git mv {twin} to another name"
    assert found["DUPLICATE-ID"] == f"git mv {twin} to another name, or git rm it"


def test_advice_can_be_pasted_and_a_line_is_a_line(put: Put, library: Library) -> None:
    put("library/a file/x2018y.md", "---\ntitle: Deep Nets\n---\n")
    put("library/nd/a\nERROR.md", "---\ntitle: Other\n---\n")
    found = check(library)
    move = "git mv 'library/a file/x2018y.md' library/2018/x2018y.md"
    assert [each.next for each in found if each.code == "WRONG-FOLDER"] == [
        f"{move}, with all that stands beside it"
    ]
    assert "library/nd/a ERROR.md: BAD-KEY" in findings(found)


def test_names_and_places_of_files(put: Put, found: Found) -> None:
    put("library/2020/a key.md", "---\ntitle: One\n---\n")
    put("library/moved2020paper.md", "---\ntitle: Two\n---\n")
    assert found() == [
        ("BAD-KEY", "warning", "library/2020/a key.md", None, None),
        ("WRONG-FOLDER", "warning", "library/moved2020paper.md", None, None),
    ]


def test_identifiers_that_are_none(put: Put, found: Found) -> None:
    put("library/2020/x2020y.md", "---\ntitle: One\n\ndoi: see the web\n\npmid: '12x'\n---\n")
    assert found() == [
        ("BAD-IDENTIFIER", "warning", "library/2020/x2020y.md", 4, None),
        ("BAD-IDENTIFIER", "warning", "library/2020/x2020y.md", 6, None),
    ]


UNCITED = [
    ("[@vaswani2107attention]", "error", "did you mean vaswani2017attention?"),
    ("@vaswani2107attention", "error", "did you mean vaswani2017attention?"),
    ("[@nobody]", "error", "No reference has the key nobody."),
    ("@nobody [p. 5]", "error", "No reference has the key nobody."),
    ("@smith1999x", "error", "No reference has the key smith1999x."),
    ("@nobody", "warning", "No reference has the key nobody."),
]


@pytest.mark.parametrize(("text", "severity", "message"), UNCITED)
def test_keys_that_no_reference_has(
    put: Put, library: Library, text: str, severity: str, message: str
) -> None:
    put("notes/reading.md", f"Intro.\n\n  {text}\n")
    finding = next(f for f in check(library, ["notes"]) if f.code == "UNCITED")
    assert (finding.severity, finding.line) == (severity, 3)
    assert finding.column == 3 + ("[" in text[:1])
    assert message in finding.message


@pytest.mark.parametrize(
    "text", ["@fig:one", "@tbl-two", "a@b.org", "`@x`", "@Vaswani2017attention"]
)
def test_what_is_no_uncited_key(put: Put, found: Found, text: str) -> None:
    put("notes/reading.md", text + "\n\n^claim\n")
    assert found("notes") == []


@pytest.mark.parametrize(
    ("text", "severity", "column", "next_"),
    [
        ("[[readin]]", "error", 1, "did you mean reading?"),
        ("see [[nothing like it]]", "error", 5, "make the file, or correct the link"),
        ("![x](gone.png)", "error", 1, "make the file, or correct the link"),
        (
            "[x](../library/2017/vaswani2017attentoin.md)",
            "error",
            1,
            "did you mean vaswani2017attention?",
        ),
        ("[[reading#No such]]", "warning", 1, "correct the part after #"),
        ("[[reading#^no]]", "warning", 1, "correct the part after #"),
        (
            "[a][r] and [b][r]\n\n[r]: elsewhere.md",
            "error",
            1,
            "make the file, or correct the link",
        ),
    ],
)
def test_links_to_nothing(
    put: Put, library: Library, text: str, severity: str, column: int, next_: str
) -> None:
    put("thesis/two.md", f"{text}\n")
    finding = only(library)
    assert (finding.code, finding.severity, finding.line) == ("DANGLING", severity, 1)
    assert (finding.column, finding.next) == (column, next_)


def test_lists_of_keys_that_nobody_has(put: Put, found: Found) -> None:
    put(
        "topics/collections/ch2.md",
        "---\ntitle: Two\n\nmembers:\n- gone2001key\n- hochreiter1997long\n---\n",
    )
    put("notes/two.md", "---\nabout:\n- '[[reading]]'\n- '@nobody'\n---\n")
    assert found() == [
        ("DANGLING", "error", "notes/two.md", 4, None),
        ("DANGLING", "error", "topics/collections/ch2.md", 5, None),
    ]


def test_prose_that_cites_what_was_taken_back(put: Put, library: Library) -> None:
    put(
        "library/1997/hochreiter1997long.md",
        "---\ntitle: LSTM\n\nnotice: retracted\n\nnotice-note: By hand.\n---\n\n[[hochreiter1997long]]\n",
    )
    findings = [f for f in check(library) if f.code == "RETRACTED"]
    assert [(f.severity, f.path, f.line, f.column) for f in findings] == [
        ("warning", "notes/reading.md", 8, 5), ("warning", "thesis/one.md", 1, 4),
    ]  # fmt: skip
    assert findings[0].message == "hochreiter1997long is retracted: By hand."


@pytest.mark.parametrize(
    ("name", "text", "severity", "message"),
    [
        ("nobody2017x", "reference: nobody2017x", "error", "There is no reference beside this full text."),
        ("hochreiter1997long", "reference: vaswani2017attention", "error", "The text says it is of vaswani2017attention."),
        ("hochreiter1997long", "reference: hochreiter1997long\n---\n\n# Attention Is All You Need", "error", "The text is titled 'Attention Is All You Need', not 'Long Short-Term Memory': that is vaswani2017attention."),
        ("hochreiter1997long", "reference: hochreiter1997long\n---\n\n# Other", "warning", "The text is titled 'Other', not 'Long Short-Term Memory'."),
    ],
)  # fmt: skip
def test_texts_of_another_paper(
    put: Put, library: Library, name: str, text: str, severity: str, message: str
) -> None:
    year = "2017" if "2017" in name else "1997"
    put(f"library/{year}/{name}.fulltext.md", f"---\n{text}\n" + ("" if "---" in text else "---\n"))
    finding = only(library)
    assert (finding.code, finding.severity, finding.message) == ("WRONG-TEXT", severity, message)


def test_a_title_on_the_first_page_is_enough(put: Put, found: Found) -> None:
    put(
        "library/1997/hochreiter1997long.fulltext.md",
        "---\nreference: hochreiter1997long\n---\n\n# Neural Computation\n\nLONG SHORT-\nTERM MEMORY\n",
    )
    assert found() == []


def test_originals_are_hashed_when_asked(
    put: Put, found: Found, library: Library, tmp_path_factory: pytest.TempPathFactory
) -> None:
    put(
        "library/2017/vaswani2017attention.fulltext.md",
        "---\nreference: vaswani2017attention\n\n"
        "sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'\n---\n",
    )
    text = "library/2017/vaswani2017attention.fulltext.md"
    pdf = "library/2017/vaswani2017attention.pdf"
    assert found() == []
    assert found(documents=True) == [("DOCUMENT", "warning", text, None, None)]
    put(pdf, b"tampered")
    assert found(documents=True) == [("DOCUMENT", "error", pdf, None, None)]
    folder = tmp_path_factory.mktemp("papers")
    (folder / "any.pdf").write_bytes(b"test")
    elsewhere = Library(library.root, replace(library.config, documents=folder))
    assert [f.code for f in check(elsewhere, documents=True)] == ["UNCITED"]
    put(pdf, b"test")
    assert found(documents=True) == []


def test_symbolic_links_are_named_and_not_followed(root: Path, put: Put, found: Found) -> None:
    (root / "library/2020").symlink_to(root / "library/2017")
    (root / "notes/loop.md").symlink_to("loop.md")
    (root / "notes/out").symlink_to("/")
    assert found() == [
        ("SYMLINK", "error", "library/2020", None, None),
        ("SYMLINK", "error", "notes/loop.md", None, None),
        ("SYMLINK", "error", "notes/out", None, None),
    ]


def test_sidecars_that_git_tracks(root: Path, put: Put, library: Library) -> None:
    put(".pressmark/index/current", "x")
    run = ["git", "-C", str(root)]
    subprocess.run([*run, "init", "-q"], check=True)
    assert [f.code for f in check(library)] == ["UNCITED"]
    again = Library(root, library.config)
    subprocess.run([*run, "add", "-f", ".pressmark/index/current"], check=True)
    finding = only(again)
    assert (finding.code, finding.severity, finding.path) == (
        "TRACKED-SIDECAR", "error", ".pressmark/index/current",
    )  # fmt: skip


def test_a_sparse_checkout_is_no_reason_to_complain(put: Put, root: Path, library: Library) -> None:
    run = ["git", "-C", str(root)]
    subprocess.run([*run, "init", "-q"], check=True)
    subprocess.run([*run, "add", "."], check=True)
    subprocess.run([*run, "commit", "-qm", "start"], check=True)
    subprocess.run(
        [*run, "sparse-checkout", "set", "--no-cone", "/*", "!/library/1997/"], check=True
    )
    assert not (root / "library/1997").exists()
    assert [f.message for f in check(Library(root, library.config))] == [
        "No reference has the key someone."
    ]


SECRETS = [
    ("thesis/one.md", "As\n  api_key=abcdef0123456789abcd", 2, 11),
    ("notes/reading.md", "é 'X-API-Key': \"a1b2c3d4e5f6a7b8\"", 1, 17),
    ("pressmark.toml", "format = 1\n# PRESSMARK_S2_KEY=0a1b2c3d4e5f6a7b8c9d", 2, 20),
    (".github/workflows/x.yml", "env: ghp_" + "a1B2" * 9, 1, 6),
    ("library/1997/hochreiter1997long.md", "---\ntitle: x\n---\n\nAuthorization: Bearer abcdefghijklmnop123", 5, 23),
    ("README.md", "-----BEGIN OPENSSH PRIVATE KEY-----", 1, 1),
    ("notes/k.md", "my-own-secret-word", 1, 1),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "line", "column"), SECRETS)
def test_secrets(put: Put, library: Library, path: str, text: str, line: int, column: int) -> None:
    put(path, text + "\n")
    config = replace(library.config, keys={"s2": "my-own-secret-word"})
    (finding,) = [f for f in check(Library(library.root, config)) if f.code == "SECRET"]
    assert (finding.severity, finding.path, finding.line, finding.column) == (
        "error", path, line, column,
    )  # fmt: skip
    assert text.split()[-1].strip("\"'") not in finding.message


@pytest.mark.parametrize(
    "text",
    ["api_key=YOUR_API_KEY_0001", "api_key = ${{ secrets.KEY_1 }}", "api_key=none", "the key: 1234567890123",
     "apikey=abcdefghijklmnopqrst", "api_key=xxxxxxxxxxxxxxxx1", "task-0123456789abcdef0123456789abcdef"],
)  # fmt: skip
def test_what_is_no_secret(put: Put, found: Found, text: str) -> None:
    put("notes/x.md", text + "\n")
    assert found() == []


def test_a_newer_format(root: Path, put: Put) -> None:
    put("pressmark.toml", "format = 99\n")
    findings = check(Library(root, load(root, {})))
    assert [(f.code, f.severity) for f in findings if f.path == "pressmark.toml"] == [
        ("FORMAT", "warning")
    ]


def test_another_layout_is_a_warning_and_can_be_put_right(
    put: Put, root: Path, library: Library
) -> None:
    old = "---\npublished: '1997'\ntitle: 'LSTM'\nmine: 1  # a comment\n---\nBody.\n"
    put("library/1997/hochreiter1997long.md", old)
    put("notes/flow.md", "---\n{tags: [a]}\n---\n")
    finding = only(library)
    assert (finding.code, finding.severity) == ("LAYOUT", "warning")
    assert finding.next == "pressmark check --fix"
    outcome = fix(library, write=Write(dry_run=True))
    (change,) = outcome.changes
    assert change.path == "library/1997/hochreiter1997long.md"
    assert change.after == (
        b"---\ntitle: LSTM\n\nmine: 1  # a comment\n\npublished: '1997'\n---\nBody.\n"
    )
    assert (root / change.path).read_text() == old


def test_the_fix_is_one_commit_and_then_nothing(put: Put, root: Path, library: Library) -> None:
    subprocess.run(["git", "-C", str(root), "init", "-q"], check=True)
    subprocess.run(["git", "-C", str(root), "add", "."], check=True)
    subprocess.run(["git", "-C", str(root), "commit", "-qm", "start"], check=True)
    path = "library/1997/hochreiter1997long.md"
    put(path, "---\npublished: '1997'\ntitle: LSTM\n---\n")
    subprocess.run(["git", "-C", str(root), "commit", "-qam", "by hand"], check=True)
    fresh = Library(root, library.config)
    assert fix(fresh).commit
    log = subprocess.run(
        ["git", "-C", str(root), "log", "-1", "--format=%s"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert log.stdout.strip() == "check: 1 file laid out anew"
    assert "LAYOUT" not in {f.code for f in check(fresh)}
    assert fix(fresh).changes == ()
    put(path, "---\npublished: '1997'\ntitle: The {DNA} of salt\n---\n")  # both in one file
    subprocess.run(["git", "-C", str(root), "commit", "-qam", "by hand"], check=True)
    assert fix(Library(root, library.config)).commit
    subject = ["git", "-C", str(root), "log", "-1", "--format=%s"]
    assert subprocess.check_output(subject, text=True).strip() == "check: 1 file corrected"


def test_paths_limit_what_is_said_and_not_what_is_known(
    put: Put, library: Library, found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("notes/a.md", "[@gone2001key] [[reading]]\n")
    put("thesis/b.md", "[@gone2002key]\n")
    put("drafts/c.md", "[@gone2003key]\n")
    everywhere = found()
    assert [f[2] for f in everywhere] == ["notes/a.md", "thesis/b.md"]
    assert [f[2] for f in found("notes")] == ["notes/a.md"]
    assert [f[2] for f in found("thesis/b.md", "notes/reading.md")] == ["thesis/b.md"]
    assert [f[2] for f in found("drafts/c.md")] == ["drafts/c.md"]
    assert [f[2] for f in found(str(library.root / "thesis"))] == ["thesis/b.md"]
    assert found(".") == everywhere
    assert found("/") == []
    monkeypatch.chdir(library.root / "notes")
    assert [f[2] for f in found("a.md")] == ["notes/a.md"]
    with pytest.raises(NotFound):
        found("nowhere.md")


def test_a_rule_that_fails_on_one_file_does_not_stop_the_others(
    put: Put, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(view: View, path: str) -> list[Finding]:
        if path == "thesis/one.md":
            raise RuntimeError("odd")
        return marks(view, path)

    marks = records._marks
    monkeypatch.setattr(records, "_marks", breaks)
    put("notes/a.md", "<<<<<<< x\n>>>>>>> y\n")
    places = [(f.code, f.path, f.message) for f in check(library) if "someone" not in f.message]
    assert places == [
        ("CONFLICT", "notes/a.md", "The marks of an unfinished merge stand here."),
        ("CONFLICT", "thesis/one.md", "The rule CONFLICT stopped here: RuntimeError: odd"),
    ]
    monkeypatch.setitem(rules.RULES, "SYMLINK", lambda view: 1 / 0)  # type: ignore[arg-type,return-value]
    assert "SYMLINK" in {f.code for f in check(library)}


def test_nothing_is_written(library: Library, root: Path) -> None:
    before = {
        p: p.stat().st_mtime_ns
        for p in root.rglob("*")
        if ".pressmark" not in p.parts and p.is_file()
    }
    check(library, documents=True)
    after = {
        p: p.stat().st_mtime_ns
        for p in root.rglob("*")
        if ".pressmark" not in p.parts and p.is_file()
    }
    assert after == before
