"""Bad input and bad days: one sentence on stderr, the right exit status, nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import Done, Inside, Shell

KEY = "bryl2019message"
PATH = f"library/2019/{KEY}.md"


def process(shell: Inside, **env: str) -> Shell:
    """The same place, with processes of their own."""
    return Shell(shell.root, shell.home, {**shell.env, **env})


def one_sentence(done: Done, begins: str) -> None:
    """`pressmark: …` first, then at most one indented line of advice; stdout is empty."""
    lines = done.err.splitlines()
    assert lines[0].startswith(f"pressmark: {begins}"), done.err
    assert all(line.startswith("  ") for line in lines[1:]) and len(lines) <= 2, done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("words", "status", "said", "advice"),
    [
        (("show", "nothing"), 1, "There is no reference 'nothing'.", 'pressmark list "nothing"'),
        (("show", "brylmessage"), 1, "There is no reference", "did you mean bryl2019message?"),
        (
            ("show", "10.5555/none"),
            1,
            "There is no reference '10.5555/none'.",
            "pressmark add doi:10.5555/none",
        ),
        (("edit", "nothing", "--add-tag", "x"), 1, "There is no reference", "pressmark list"),
        (("edit", "tag:none", "--add-tag", "x"), 1, "There is no reference 'tag:none'.", ""),
        (("rename", "nothing", "x"), 1, "There is no reference", "pressmark list"),
        (("rename", KEY, "a/b"), 2, "'a/b' cannot be a key.", "a key is letters"),
        (("rename", KEY, "con"), 2, "'con' cannot be a key.", "a key is letters"),
        (("rename", KEY, "wen2023positional"), 2, "wen2023positional is taken", "choose"),
        (
            ("dedupe", KEY, "wen2023positional", "--apart", KEY),
            2,
            "Two works are told",
            "pressmark",
        ),
        (("dedupe", "--apart", KEY), 2, "Two works are told apart", "pressmark dedupe KEY"),
        (("dedupe", KEY, "--apart", KEY), 2, f"{KEY} and {KEY} are one reference", "name two"),
        (("merge", KEY, KEY), 2, "bryl2019message and bryl2019message are the same", ""),
        (("drop", KEY), 2, "bryl2019message is no candidate", "pressmark remove"),
        (("list", "colour:red"), 2, "There is no filter 'colour'.", "The filters are author,"),
        (("list", "year:soon"), 2, "year:soon is not a year", "Write year:2020"),
        (("list", "collection:none"), 1, "There is no collection 'none'.", "pressmark coll"),
        (("list", "--format", "{key}", "--count"), 2, "--format and --count are two", "leave one"),
        (("list", "--format", "{colour}"), 2, "{colour} is no field", "the names are key,"),
        (("list", "--format", "{titel}"), 2, "{titel} is no field", "did you mean {title}?"),
        (("topic", "show", "none"), 1, "There is no topic none (topics: rivers).", "pressmark"),
        (("note", "show", "none"), 1, "There is no note none.", "pressmark note list"),
        (("note", "new", " "), 2, "A note needs a title.", "--template daily"),
        (("undo", "nosuch"), 1, "nosuch is no commit", "git log"),
        (("undo", "--", "--all"), 2, "'--all' is not a revision.", "give a commit id"),
        (("undo", "HEAD~1"), 2, "", ""),
        (("import", "none.json"), 1, "There is no file", ""),
        (("import", "mkdocs.yml"), 2, "mkdocs.yml is of no kind that can be read.", ""),
        (("attach", KEY, "none.pdf"), 1, "There is no file", ""),
        (("attach", KEY, "notes/mine.md"), 2, "mine.md is no PDF, HTML page, JATS or TEI XML", ""),
        (("export", "-o", "none/x.bib"), 1, "There is no folder", "make it"),
        (("export", "-o", "mkdocs.yml"), 2, "mkdocs.yml was not written by Pressmark", "choose"),
        (("export", "--cited-in", "none.md"), 1, "There is no file or folder none.md", ""),
        (("check", "none.md"), 1, "There is no file or folder none.md", ""),
        (("check", "--dry-run"), 2, "A check writes nothing.", "give --fix"),
        (("add", "12345"), 2, "The bare number 12345 names no paper.", "say of what kind"),
        (("add", "none.pdf"), 1, "There is no file none.pdf.", ""),
        (("add", "https://example.org/x"), 2, "https://example.org/x holds no identifier", ""),
        (("add", "."), 1, "", "holds no file that can be read"),
        (("search", ""), 2, "A search needs words.", "pressmark search"),
        (("search", "x", "--source", "arxv"), 2, "There is no source called 'arxv'.", "did you"),
        (("search", "x", "--since", "soon"), 2, "'soon' is no date.", "give 2020"),
        (("search", "x", "--query", "arxiv"), 2, "--query takes SOURCE=TEXT", ""),
        (("grep", ""), 2, "grep needs a term", ""),
        (("show", KEY, "--section", "None"), 1, "", ""),
        (("nonsense",), 2, "There is no command 'nonsense'.", "See `pressmark --help`."),
        (("lst",), 2, "There is no command 'lst'. Did you mean `pressmark list`?", "See"),
        (("show",), 2, "Missing argument 'KEY'.", "See `pressmark show --help`."),
        (("list", "-n", "0"), 2, "Invalid value for '-n'", "See"),
        (("list", "--offline"), 2, "No such option '--offline'", "before the command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_slip_is_one_sentence(
    offline: Inside, words: tuple[str, ...], status: int, said: str, advice: str
) -> None:
    (offline.root / "empty").mkdir()
    before = offline.files(), offline.head()
    cwd = offline.root / "empty" if words == ("add", ".") else None
    done = offline(*words, status=status, cwd=cwd)
    one_sentence(done, said)
    assert advice in done.err
    assert (offline.files(), offline.head()) == before


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("list", "--format", "{key}"), "--format and --json are two shapes of one answer."),
        (("import", "a.bib", "--report", "-"), "--json and --report - both want stdout."),
    ],
)
def test_two_shapes_of_one_answer(offline: Inside, words: tuple[str, ...], error: str) -> None:
    answer = offline(*words, "--json", status=2).answer
    assert (answer["ok"], answer["code"], answer["error"]) == (False, "invalid_request", error)


def test_an_ambiguous_key_lists_its_candidates(offline: Inside) -> None:
    offline("rename", "aldermoor2021graph", "bryl2021graph")
    done = offline("show", "bryl", status=2)
    one_sentence(done, "bryl names 2 references: bryl2019message, bryl2021graph.")
    assert "give one of their keys in full" in done.err
    offline("show", "bryl2021")


def test_no_library_here(offline: Inside, tmp_path: Path) -> None:
    done = offline("list", status=1, cwd=tmp_path)
    one_sentence(done, f"No library at {tmp_path} or above.")
    assert "pressmark init" in done.err
    assert offline("-C", str(offline.root / "notes"), "list", "--count", cwd=tmp_path).out == "3\n"
    offline("-C", str(tmp_path / "none"), "list", status=1)
    offline.env["PRESSMARK_LIBRARY"] = str(offline.root)
    assert offline("list", "--count", cwd=tmp_path).out == "3\n"
    offline("-C", str(tmp_path), "list", status=1)  # who names a place means it
    offline.env["PRESSMARK_LIBRARY"] = str(tmp_path)
    one_sentence(offline("list", status=2), "PRESSMARK_LIBRARY names")


def test_the_folder_one_stands_in_is_gone(offline: Inside, tmp_path: Path) -> None:
    shell = process(offline)
    script = (
        f'mkdir "{tmp_path}/gone" && cd "{tmp_path}/gone" && rmdir "{tmp_path}/gone" && exec "$@"'
    )
    shell.prefix = ("sh", "-c", script, "sh")
    one_sentence(shell("list", status=1), "The folder you are in is gone.")


def test_a_file_that_cannot_be_read_costs_only_itself(offline: Inside) -> None:
    wreck = offline.root / "library/2019/broken2019one.md"
    wreck.write_text("---\ntitle: Broken\nauthors: [a, b\n---\n")
    before = wreck.read_bytes()
    assert offline("list", "--count").out == "3\n"
    done = offline("show", "broken2019one", status=3)
    one_sentence(done, "library/2019/broken2019one.md:")
    assert "correct library/2019/broken2019one.md in an editor" in done.err
    assert offline("status", "--json").data["unreadable"] == [{
        "path": "library/2019/broken2019one.md", "line": 3, "field": "authors",
        "message": "the list is never closed by `]`",
    }]  # fmt: skip
    assert "unreadable: library/2019/broken2019one.md:3: the list is" in offline("status").out
    assert offline("status").err.startswith("next: pressmark check\n")
    checked = offline("check", status=3)
    assert "UNREADABLE" in checked.out
    offline("edit", KEY, "--add-tag", "x")
    assert wreck.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format = [", "pressmark.toml"),
        ('format = "one"\n', "pressmark.toml:1: format must be a whole number from 1"),
        ("format = 99\n", "This library has format 99, made by a newer Pressmark"),
    ],
)
def test_settings_that_are_off(offline: Inside, text: str, said: str) -> None:
    (offline.root / "pressmark.toml").write_text(text)
    done = offline("edit", KEY, "--add-tag", "x", status=2)
    assert said in done.err
    if "99" in text:
        assert offline("list", "--count").out == "3\n"  # read it may be


def test_no_git_program(offline: Inside) -> None:
    shell = process(offline, PATH="/nonexistent")
    before = offline.files()
    for words in (("list",), ("show", KEY), ("find", "estuaries"), ("export",), ("cite", KEY)):
        assert shell(*words).out
    status = shell("status")
    assert "git is not installed, or not on the PATH: nothing can be written\n" in status.out
    done = shell("edit", KEY, "--add-tag", "x", status=2)
    one_sentence(done, "Git is not installed, or not on the PATH.")
    assert "https://git-scm.com" in done.err
    one_sentence(shell("undo", status=2), "Git is not installed")
    assert offline.files() == before
    offline("edit", KEY, "--add-tag", "x")  # and with git it goes on


def test_no_repository_at_all(offline: Inside) -> None:
    shutil.rmtree(offline.root / ".git")
    assert offline("list", "--count").out == "3\n"
    status = offline("status", "--json").answer
    assert status["data"]["git"] is None
    assert status["next"] == "git init, then: pressmark init"
    done = offline("edit", KEY, "--add-tag", "x", status=2)
    assert "is in no git repository" in done.err


def test_git_does_not_know_who_commits(offline: Inside) -> None:
    offline.git("config", "user.useConfigOnly", "true")
    env = {k: v for k, v in offline.environment().items() if not k.startswith("GIT_")}
    env |= {"GIT_CONFIG_NOSYSTEM": "1"}
    before, head = offline.files(), offline.head()
    done = offline("edit", KEY, "--add-tag", "x", status=2, env=env)
    one_sentence(done, "Git does not know who you are, so it cannot commit.")
    assert 'git config --global user.name "Your Name"' in done.err
    assert (offline.files(), offline.head(), offline.status()) == (before, head, [])


@pytest.mark.parametrize("state", ["merge", "rebase", "detached"])
def test_git_is_in_the_middle_of_something(offline: Inside, state: str) -> None:
    if state == "detached":
        offline.git("checkout", "--quiet", "--detach")
    elif state == "merge":
        (offline.root / ".git" / "MERGE_HEAD").write_text(offline.head() + "\n")
    else:
        (offline.root / ".git" / "rebase-merge").mkdir()
    before = offline.files()
    for words in (("edit", KEY, "--add-tag", "x"), ("undo",), ("note", "new", "A")):
        done = offline(*words, status=2)
        begins = "No branch is checked out" if state == "detached" else f"A {state} is under way"
        one_sentence(done, begins)
    assert offline("list", "--count").out == "3\n"
    assert offline.files() == before


def test_two_dozen_writers_at_once_lose_nothing(offline: Inside) -> None:
    shell = process(offline)
    running = [shell.start("edit", KEY, "--add-tag", f"t{n}") for n in range(6)]
    ends = [(each.communicate(timeout=120), each.returncode) for each in running]
    assert [status for _, status in ends] == [0] * 6, ends
    assert set(offline("show", KEY, "--json").data["tags"]) == {f"t{n}" for n in range(6)}
    assert offline.subjects()[:6] == [f"edit: {KEY}"] * 6
    offline.tidy()


def test_an_answer_that_cannot_be_written(offline: Inside) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("not possible here: there is no /dev/full")
    for words in (["list"], ["list", "--json"], ["export"], ["show", "nothing", "--json"]):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [*shell_command(), *words], cwd=offline.root, env=offline.environment(),
                stdout=full, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
        assert done.returncode == 2
        assert done.stderr == (
            "pressmark: The answer could not be written: No space left on device.\n"
        )


def shell_command() -> list[str]:
    import sys

    return [sys.executable, "-m", "pressmark"]


def test_a_reader_that_has_gone_is_no_error(offline: Inside) -> None:
    command = " ".join(f"'{word}'" for word in shell_command())
    done = subprocess.run(
        ["sh", "-c", f"({command} list --json; echo $? >status) | true"], cwd=offline.root,
        env=offline.environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert (offline.root / "status").read_text() == "0\n"


def test_a_terminal_that_lacks_the_letters(offline: Inside) -> None:
    offline("edit", KEY, "--set", "authors=Šimić, 山田")
    done = subprocess.run(
        [*shell_command(), "show", KEY], cwd=offline.root, capture_output=True,
        env=offline.environment(PYTHONIOENCODING="latin-1"),
    )  # fmt: skip
    assert done.returncode == 0
    assert b"\\u5c71\\u7530" in done.stdout


# A disk that is full, a folder that is read-only


@pytest.fixture
def small(offline: Inside, tmp_path: Path) -> Iterator[Inside]:
    """The library on a disk of its own, of 2 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
    )
    if made.returncode:
        pytest.skip(f"not possible here: no disk can be mounted ({made.stderr.strip()[:80]})")
    try:
        shutil.copytree(offline.root, disk / "lib")
        yield Inside(disk / "lib", tmp_path, offline.env)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize("left", [0, 4, 12, 32, 96])
def test_a_full_disk_loses_nothing(small: Inside, left: int) -> None:
    small("list")
    before, head = small.files(), small.head()
    filler = small.root.parent / "filler"
    state = os.statvfs(small.root)
    filler.write_bytes(b"x" * max(0, state.f_bavail * state.f_bsize - left * 1024))
    process_of = process(small)
    done = run_whatever(process_of, "edit", KEY, "--set", f"venue={'long ' * 400}")
    if done.status:
        assert done.status == 2
        one_sentence(done, "")
        assert small.head() == head
    assert small("list", "--count").out == "3\n"
    filler.unlink()
    if done.status:
        small("edit", KEY, "--add-tag", "after")  # recovery, and life goes on
        after = small.files()
        assert {path for path in after if after[path] != before.get(path)} == {PATH}
    assert small.status() == []
    small.tidy()


def run_whatever(shell: Shell, *words: str) -> Done:
    """A process whose exit status may be 0 or 2."""
    running = shell.start(*words)
    out, err = running.communicate(timeout=60)
    assert running.returncode in (0, 2), err
    assert b"Traceback" not in err
    return Done(words, running.returncode, out, err.decode())


@pytest.fixture
def powerless(offline: Inside) -> Iterator[Shell]:
    """Processes without the right to ignore permissions, and a library they may only read."""
    shell = process(offline, HOME=str(offline.home / "nobody"))
    if os.getuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("setpriv is not installed (util-linux)")
        rights = "-dac_override,-dac_read_search,-fowner"
        shell.prefix = ("setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}")
        if subprocess.run([*shell.prefix, "true"], capture_output=True).returncode:
            pytest.skip("not possible here: rights cannot be given up")
    shutil.rmtree(offline.root / ".pressmark", ignore_errors=True)
    folders = [offline.root, *(p for p in offline.root.rglob("*") if p.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield shell
    for folder in folders:
        folder.chmod(0o755)


def test_a_read_only_library_is_read_and_not_written(powerless: Shell) -> None:
    before = powerless.files()
    assert powerless("list", "--count").out == "3\n"
    for words in (("show", KEY), ("find", "estuaries"), ("status",), ("check",), ("log",)):
        powerless(*words)
    for words in (
        ("edit", KEY, "--add-tag", "x"), ("rename", KEY, "other"), ("note", "new", "A"),
        ("undo",), ("remove", KEY),
    ):  # fmt: skip
        done = powerless(*words, status=2)
        one_sentence(done, "")
        assert "permission" in done.err.casefold(), done.err
    assert powerless.files() == before


def test_a_file_that_may_not_be_read(offline: Inside, powerless: Shell) -> None:
    secret = offline.root / "library/2019" / f"{KEY}.md"
    secret.chmod(0)
    done = powerless("show", KEY, status=3)
    one_sentence(done, PATH)
    assert "permission" in done.err.casefold()
    assert powerless("list", "--count").out == "2\n"
    outside = offline.home / "more.json"
    outside.write_text("[]")
    outside.chmod(0)
    one_sentence(powerless("import", str(outside), status=2), "more.json cannot be read: Perm")
