"""Every kind of clone and of disk that a library may live in: the core of the story still holds."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import Inside

pytestmark = pytest.mark.xdist_group("clones")

HERE = Path(__file__).resolve().parent
DEEP = "library/2019/bryl2019message.md"
KEYS = ["aldermoor2021graph", "bryl2019message", "wen2023positional"]


def csl(*items: tuple[str, str, str, int, str]) -> str:
    """A CSL-JSON file of (key, family, title, year, doi)."""
    return json.dumps([
        {"id": key, "type": "article-journal", "title": title, "DOI": doi,
         "author": [{"family": family, "given": "A."}], "issued": {"date-parts": [[year]]}}
        for key, family, title, year, doi in items
    ])  # fmt: skip


HELD = csl(
    ("aldermoor2021graph", "Aldermoor", "Graph Transformers for Tides", 2021, "10.5555/a.1"),
    ("bryl2019message", "Bryl", "Message Passing on Estuaries", 2019, "10.5555/b.2"),
    ("wen2023positional", "Wen", "Positional Encodings", 2023, "10.5555/c.3"),
)
MORE = csl(("penhallow2008short", "Penhallow", "A Short History of Tides", 2008, "10.5555/d.4"))
NOTE = "# Mine\n\nOn estuaries [@bryl2019message, p. 3], see [[bryl2019message]].\n"


def make(root: Path, home: Path, *options: str) -> Inside:
    """A library with three references and a note that cites one, each in a commit of its own."""
    root.parent.mkdir(parents=True, exist_ok=True)
    shell = Inside(root, home, {"PRESSMARK_OFFLINE": "1"})
    shell("init", *options, str(root), cwd=root.parent)
    (home / "held.json").write_text(HELD)
    (home / "more.json").write_text(MORE)
    (root / "notes").mkdir(exist_ok=True)
    (root / "notes" / "mine.md").write_text(NOTE)
    shell.git("add", "notes")
    shell.git("commit", "--quiet", "-m", "A note")
    shell("import", str(home / "held.json"))
    return shell


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Inside:
    """The library that the others are clones of; nobody writes to it."""
    folder = tmp_path_factory.mktemp("origin")
    return make(folder / "origin", folder)


@pytest.fixture
def origin(template: Inside, tmp_path: Path) -> Inside:
    """A copy of it, to be cloned and written to."""
    shutil.copytree(template.root, tmp_path / "origin")
    shutil.copy(template.home / "more.json", tmp_path)
    shell = Inside(tmp_path / "origin", tmp_path, template.env)
    shell.git("config", "uploadpack.allowFilter", "true")
    return shell


def clone(origin: Inside, *options: str, name: str = "clone") -> Inside:
    """A clone over the file protocol, as one over a network would be made."""
    target = origin.home / name
    origin.git("clone", "--quiet", *options, origin.root.as_uri(), str(target), cwd=origin.home)
    return Inside(target, origin.home, origin.env)


def core(shell: Inside, root: Path | None = None) -> None:
    """Add, list, show, edit, rename, check and undo; one commit each, nothing else touched."""
    root = root or shell.root
    before = len(shell.subjects())
    assert [r["key"] for r in shell("list", "--json", cwd=root).data["references"]] == KEYS
    added = shell("add", str(shell.home / "more.json"), cwd=root)
    assert added.lines[0] == "added     penhallow2008short  A Short History of Tides"
    shown = shell("show", "10.5555/D.4", "--json", cwd=root).data
    assert shown["path"] == "library/2008/penhallow2008short.md"
    shell("edit", "year:2008", "--add-tag", "tides", cwd=root)
    note = (root / "notes" / "mine.md").read_bytes()
    shell("rename", "bryl2019message", "bryl2019passing", cwd=root)
    assert (
        b"[@bryl2019passing, p. 3], see [[bryl2019passing]]"
        in (root / "notes" / "mine.md").read_bytes()
    )
    assert shell("show", "bryl2019message", "--json", cwd=root).data["key"] == "bryl2019passing"
    checked = shell("check", cwd=root)
    assert checked.err.rpartition("0 errors, ")[1], checked.out
    shell("undo", cwd=root)
    assert (root / "notes" / "mine.md").read_bytes() == note
    assert shell("show", "bryl2019message", "--json", cwd=root).data["key"] == "bryl2019message"
    assert shell.subjects()[: len(shell.subjects()) - before] == [
        'Revert "rename: bryl2019message to bryl2019passing"',
        "rename: bryl2019message to bryl2019passing",
        "edit: penhallow2008short",
        "add: penhallow2008short (A Short History of Tides)",
    ]
    assert shell.status() == []


def test_the_core_of_the_story(origin: Inside) -> None:
    core(origin)
    origin.tidy()


def test_a_worktree_commits_on_its_own_branch(origin: Inside) -> None:
    main = origin.head()
    origin.git("worktree", "add", "--quiet", "-b", "side", str(origin.home / "side"))
    side = Inside(origin.home / "side", origin.home, origin.env)
    core(side)
    side.tidy()
    assert origin.head() == main
    assert origin.git("rev-parse", "--abbrev-ref", "HEAD") == "main"
    assert origin.status() == []
    assert [r["key"] for r in origin("list", "--json").data["references"]] == KEYS


def test_a_submodule_commits_in_itself_once_it_has_a_branch(origin: Inside) -> None:
    book = Inside(origin.home / "book", origin.home, origin.env)
    book.root.mkdir()
    book.git("init", "--quiet", "--initial-branch=main")
    allow = ("-c", "protocol.file.allow=always")
    book.git(*allow, "submodule", "--quiet", "add", origin.root.as_uri(), "lib")
    book.git("commit", "--quiet", "-m", "With a library")
    inner = Inside(book.root / "lib", origin.home, origin.env)
    inner.git("checkout", "--quiet", "--detach")
    refused = inner("add", str(origin.home / "more.json"), "--json", status=2)
    assert refused.answer["code"] == "busy"
    assert refused.answer["error"].startswith("No branch is checked out")
    assert inner.status() == []
    inner.git("switch", "--quiet", "main")
    head = book.head()
    core(inner)
    inner.tidy()
    assert book.head() == head
    assert book.status() == [" M lib"]  # the submodule is ahead, and that is the user's to commit


def test_a_library_in_a_subfolder_of_a_repository(origin: Inside, tmp_path: Path) -> None:
    thesis = Inside(tmp_path / "thesis", tmp_path, origin.env)
    thesis.root.mkdir()
    thesis.git("init", "--quiet", "--initial-branch=main")
    (thesis.root / "thesis.md").write_text("Text.\n")
    thesis.git("add", ".")
    thesis.git("commit", "--quiet", "-m", "Text")
    shutil.copytree(origin.root, thesis.root / "lib", ignore=shutil.ignore_patterns(".git"))
    thesis.git("add", ".")
    thesis.git("commit", "--quiet", "-m", "A library")
    core(thesis, thesis.root / "lib")
    thesis.tidy()
    undone = thesis("undo", "--dry-run", "--json", "HEAD~2", cwd=thesis.root / "lib").data
    assert [c["path"] for c in undone["changes"]] == ["library/2008/penhallow2008short.md"]


def test_a_shallow_clone_refuses_the_undo_that_would_delete_everything(origin: Inside) -> None:
    shell = clone(origin, "--depth", "1")
    assert shell.git("rev-list", "--count", "HEAD") == "1"
    files = shell.files()
    refused = shell("undo", "HEAD", "--json", status=2)
    assert "would delete every file" in refused.answer["error"]
    assert "--unshallow" in refused.answer["next"]
    assert shell("undo", status=2).err.startswith("pressmark: The history was cut at")
    assert (shell.files(), shell.status()) == (files, [])
    core(shell)
    shell.tidy()
    assert (shell.root / ".git" / "shallow").is_file()


def objects(shell: Inside) -> set[str]:
    """The objects that are here, by their names; those only promised are not."""
    out = shell.git(
        "cat-file", "--batch-all-objects", "--batch-check=%(objectname)", GIT_NO_LAZY_FETCH="1"
    )
    return set(out.splitlines())


def test_a_partial_clone_never_asks_its_promisor(origin: Inside) -> None:
    origin("edit", "bryl2019message", "--set", "venue=An Older Journal")
    origin("edit", "bryl2019message", "--set", "venue=A Newer Journal")
    shell = clone(origin, "--filter=blob:none")
    before = objects(shell)
    packs = set((shell.root / ".git/objects/pack").iterdir())
    missing = shell.git("rev-parse", f"HEAD~1:{DEEP}", GIT_NO_LAZY_FETCH="1")
    assert missing not in before  # the version in between was never fetched
    assert len(shell("log", "bryl2019message", "--json").data) >= 1
    shell("status")
    refused = shell("undo", "HEAD", status=2)
    assert refused.err.startswith("pressmark: ")
    assert shell.status() == []
    assert objects(shell) == before
    core(shell)
    shell.git("fsck", "--no-dangling")
    assert set((shell.root / ".git/objects/pack").iterdir()) == packs
    assert missing not in objects(shell)


def test_a_partial_clone_works_where_its_promisor_is_gone(origin: Inside) -> None:
    shell = clone(origin, "--filter=blob:none")
    origin.root.rename(origin.home / "moved")
    core(shell)


def test_a_sparse_clone_knows_what_it_does_not_show(origin: Inside) -> None:
    shell = clone(origin, "--sparse")
    shell.git("sparse-checkout", "set", "--cone", "notes", "topics", "library/2021")
    assert not (shell.root / DEEP).exists()
    listed = shell("list", "--json").data["references"]
    assert [r["key"] for r in listed] == ["aldermoor2021graph"]
    again = shell("add", str(template_file(origin)), "--json").data
    assert (again["added"], again["unchanged"]) == (0, 3)
    shell("add", str(origin.home / "more.json"))
    assert shell.changed() == ["A library/2008/penhallow2008short.md"]
    shell("edit", "aldermoor2021graph", "--add-tag", "tides")
    assert shell.changed() == ["M library/2021/aldermoor2021graph.md"]
    shell("rename", "aldermoor2021graph", "aldermoor2021tides")
    assert shell.changed() == [
        "A library/2021/aldermoor2021tides.md", "D library/2021/aldermoor2021graph.md",
    ]  # fmt: skip
    shell("undo")
    assert shell("show", "aldermoor2021graph", "--json").data["tags"] == ["tides"]
    checked = shell("check")
    assert "0 errors" in checked.err, checked.out
    assert shell.status() == []
    assert shell.git("cat-file", "-e", f"HEAD:{DEEP}") == ""
    shell.tidy()


def template_file(origin: Inside) -> Path:
    """The three held references, as a file to add again."""
    path = origin.home / "held.json"
    path.write_text(HELD)
    return path


def test_with_autocrlf_the_attributes_of_init_keep_lines_as_they_are(origin: Inside) -> None:
    shell = clone(origin, "-c", "core.autocrlf=true")
    assert b"\r\n" not in (shell.root / DEEP).read_bytes()
    core(shell)
    shell.tidy()


def test_with_autocrlf_and_no_attributes_files_keep_their_crlf(tmp_path: Path) -> None:
    plain = make(tmp_path / "plain", tmp_path, "--minimal")
    assert not (plain.root / ".gitattributes").exists()
    shell = clone(plain, "-c", "core.autocrlf=true")
    before = (shell.root / DEEP).read_bytes()
    assert before.count(b"\r\n") == before.count(b"\n") > 5
    core(shell)
    shell("edit", "bryl2019message", "--set", "venue=A Journal")
    after = (shell.root / DEEP).read_bytes()
    assert after.count(b"\r\n") == after.count(b"\n") == before.count(b"\n") + 2
    assert b"\r" not in shell.git("cat-file", "blob", f"HEAD:{DEEP}").encode()
    assert shell.changed() == [f"M {DEEP}"]
    assert shell.status() == []


# Hooks and signing


def hook(shell: Inside, name: str, script: str) -> None:
    path = shell.root / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_our_own_check_passes_as_a_hook_of_our_own_commit(origin: Inside) -> None:
    hook(origin, "pre-commit", f'"{sys.executable}" -m pressmark check >"$HOME/said" 2>&1')
    core(origin)
    assert "0 errors, " in (origin.home / "said").read_text()
    origin.tidy()


def test_a_check_that_fails_as_a_hook_refuses_the_commit(origin: Inside) -> None:
    (origin.root / "notes" / "bad.md").write_text("See [@nobody2000nothing].\n")
    origin.git("add", "notes/bad.md")
    origin.git("commit", "--quiet", "-m", "A key that no reference has")
    hook(origin, "pre-commit", f'exec "{sys.executable}" -m pressmark check')
    head, files = origin.head(), origin.files()
    refused = origin("edit", "bryl2019message", "--add-tag", "x", "--json", status=2)
    assert refused.answer["error"].startswith("The commit was refused and nothing was changed: ")
    assert "nobody2000nothing" in refused.answer["error"]
    assert (origin.head(), origin.files(), origin.status()) == (head, files, [])
    origin.tidy()
    written = origin("edit", "bryl2019message", "--add-tag", "x", "--no-commit")
    assert written.err == "Written, not committed.\n"
    assert origin.status() == [f" M {DEEP}"]


def test_a_commit_message_hook_is_honoured(origin: Inside) -> None:
    hook(origin, "commit-msg", 'sed -i "1s/^/LIB-7 /" "$1"')
    origin("edit", "bryl2019message", "--add-tag", "x")
    assert origin.subjects()[0] == "LIB-7 edit: bryl2019message"
    origin("undo")
    assert origin.subjects()[0] == 'LIB-7 Revert "LIB-7 edit: bryl2019message"'


SIGNER = """\
cat >/dev/null
for word; do case "$word" in --status-fd=*) fd="${word#*=}";; esac; done
echo "[GNUPG:] SIG_CREATED D 1 8 00 1700000000 ABC" >&"${fd:-2}"
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nc2lnbmVk\\n-----END PGP SIGNATURE-----\\n'
"""


def test_commits_are_signed_where_the_user_signs(origin: Inside) -> None:
    signer = origin.home / "signer"
    signer.write_text(f"#!/bin/sh\n{SIGNER}")
    signer.chmod(0o755)
    origin.git("config", "commit.gpgSign", "true")
    origin.git("config", "gpg.program", str(signer))
    origin("edit", "bryl2019message", "--add-tag", "x")
    assert "\ngpgsig -----BEGIN PGP SIGNATURE-----" in origin.git("cat-file", "commit", "HEAD")
    head, files = origin.head(), origin.files()
    signer.write_text("#!/bin/sh\necho no key >&2\nexit 2\n")
    refused = origin("edit", "bryl2019message", "--add-tag", "y", status=2)
    assert refused.err.startswith("pressmark: ")
    assert (origin.head(), origin.files(), origin.status()) == (head, files, [])
    origin.tidy()


def test_a_received_library_runs_nothing_while_it_is_read(origin: Inside) -> None:
    for name in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction"):
        hook(origin, name, 'touch "$HOME/ran"')
    origin.git("config", "core.fsmonitor", f"touch {origin.home}/ran")
    origin.git("config", "filter.evil.clean", f"touch {origin.home}/ran")
    (origin.root / ".git/info/attributes").write_text("*.md filter=evil\n")
    (origin.home / "ran").unlink(missing_ok=True)
    for words in (("list",), ("status",), ("show", "bryl2019message"), ("log",), ("check",),
                  ("find", "estuaries"), ("export",)):  # fmt: skip
        origin(*words)
    assert not (origin.home / "ran").exists()


# A disk on which letter case does not matter


def python_with_fuse() -> str | None:
    """An interpreter that has fusepy: this one, or Debian's."""
    for python in dict.fromkeys([sys.executable, "/usr/bin/python3"]):
        probe = "import importlib.util as u, sys; sys.exit(not (u.find_spec('fuse') or u.find_spec('fusepy')))"
        if Path(python).exists() and not subprocess.run([python, "-c", probe]).returncode:
            return python
    return None


@pytest.fixture
def caseblind(tmp_path: Path) -> Iterator[Path]:
    """A mount on which `Foo` and `foo` are one file."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        pytest.skip("not possible here: /dev/fuse is not there, or not ours to use")
    python = python_with_fuse()
    if python is None:
        pytest.skip("fusepy is not installed (Debian: python3-fusepy)")
    mount = tmp_path / "mount"
    for folder in (tmp_path / "disk", mount):
        folder.mkdir()
    script = str(HERE.parent / "caseblind.py")
    server = subprocess.Popen(
        [python, script, str(tmp_path / "disk"), str(mount)], stderr=subprocess.PIPE
    )
    try:
        for _ in range(100):
            if mount.is_mount() or server.poll() is not None:
                break
            time.sleep(0.05)
        if not mount.is_mount():
            server.kill()
            pytest.skip(f"not possible here: mounting fails ({server.communicate()[1].decode()})")
        yield mount
    finally:
        gc.collect()  # what still has a catalogue open on it
        for command in (["fusermount", "-u"], ["fusermount3", "-u"], ["umount", "-l"]):
            if mount.is_mount() and shutil.which(command[0]):
                subprocess.run([*command, str(mount)], capture_output=True)
        server.kill()
        server.wait(10)


def test_on_a_disk_without_letter_case(caseblind: Path, tmp_path: Path) -> None:
    shell = make(caseblind / "lib", tmp_path)
    assert shell.git("config", "core.ignorecase") == "true"
    core(shell)
    shell.tidy()


def test_letter_case_alone_is_no_other_key_anywhere(caseblind: Path, tmp_path: Path) -> None:
    shell = make(caseblind / "lib", tmp_path)
    (tmp_path / "case.json").write_text(
        csl(("BRYL2019message", "Other", "Quite Another Work", 2019, "10.5555/e.5"))
    )
    added = shell("add", str(tmp_path / "case.json"), "--json").data["items"][0]
    assert added["key"].casefold() not in [key.casefold() for key in KEYS]
    files = shell.files()
    refused = shell("rename", "bryl2019message", "Bryl2019Message", status=2)
    assert "library/2019/Bryl2019Message.md is already there" in refused.err
    assert (shell.files(), shell.status()) == (files, [])
    shell("rename", "bryl2019message", "between")  # two steps lead there
    shell("rename", "between", "Bryl2019Message")
    assert "library/2019/Bryl2019Message.md" in shell.git("ls-files").splitlines()
    assert "[@Bryl2019Message, p. 3]" in (shell.root / "notes" / "mine.md").read_text()
    assert shell.status() == []
    assert "0 errors" in shell("check").err
