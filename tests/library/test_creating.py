"""`init`: what a new library holds, and what stays as it was."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
import yaml

from pressmark.config import load
from pressmark.errors import BadInput, PressmarkError
from pressmark.library import Library, Write, create, templates

FULL = [
    ".gitattributes",
    ".github/workflows/check.yml",
    ".github/workflows/pages.yml",
    ".github/workflows/refresh.yml",
    ".github/workflows/texts.yml",
    ".github/workflows/update.yml",
    ".gitignore",
    "library/.gitkeep",
    "mkdocs.yml",
    "notes/.gitkeep",
    "pressmark.toml",
    "site/index.md",
    "topics/.gitkeep",
]


def test_where_git_has_no_name_for_its_author_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text("[user]\n\tuseConfigOnly = true\n")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    with pytest.raises(PressmarkError, match="Git does not know who you are") as caught:
        create(tmp_path / "new" / "library")
    assert caught.value.next is not None
    assert caught.value.next.startswith("git config --global user.name")
    assert not (tmp_path / "new").exists()
    create(tmp_path / "new", write=Write(commit=False))
    assert (tmp_path / "new" / "pressmark.toml").is_file()


def test_a_new_library_is_complete_and_committed(tmp_path: Path, git) -> None:
    root = tmp_path / "my library"
    outcome = create(root)
    assert git("ls-files", at=root).splitlines() == FULL
    assert outcome.commit == git("rev-parse", "HEAD", at=root)
    assert git("log", "--format=%s", at=root) == "init: a Pressmark library"
    assert git("status", "--porcelain", at=root) == ""
    assert git("branch", "--show-current", at=root) == "main"
    assert (root / ".gitattributes").read_text() == (
        "*.md text eol=lf merge=pressmark\n*.fulltext.md linguist-generated\n*.pdf -text\n"
    )
    config = load(root, os.environ)
    assert (config.format, config.warnings, config.ignored) == (1, (), ())
    assert Library.open(root).catalogue.count() == 0


def test_the_settings_that_are_commented_out_are_all_valid(tmp_path: Path) -> None:
    lines = templates.SETTINGS.splitlines()[3:]
    text = "\n".join(line.removeprefix("# ") for line in lines)
    assert tomllib.loads(text)["git"] == {"commit": "manual"}
    (tmp_path / "pressmark.toml").write_text(text)
    config = load(tmp_path, os.environ)
    assert (config.warnings, config.ignored) == ((), ())
    assert (config.commit_mode, config.offline) == ("manual", True)


def test_what_is_written_for_other_programs_is_valid(tmp_path: Path) -> None:
    root = tmp_path / "it's: a #library"
    create(root)
    mkdocs = yaml.safe_load((root / "mkdocs.yml").read_text())
    assert mkdocs["site_name"] == "it's: a #library"
    assert (mkdocs["docs_dir"], mkdocs["site_dir"]) == ("site", "_site")
    assert mkdocs["theme"] == {"name": "material", "font": False}
    assert mkdocs["plugins"] == ["pressmark"]
    assert "repo_url" not in mkdocs
    runs = {}
    for path in (root / ".github/workflows").iterdir():
        jobs = yaml.safe_load(path.read_text())["jobs"]
        runs[path.stem] = [s["run"] for job in jobs.values() for s in job["steps"] if "run" in s]
    assert runs["check"] == [
        "pip install pressmark", "pressmark check --format github",
        'pressmark changes "origin/$GITHUB_BASE_REF" --format markdown >> "$GITHUB_STEP_SUMMARY"',
    ]  # fmt: skip
    assert any("pressmark refresh" in run for run in runs["refresh"])
    assert runs["pages"] == ["pip install pressmark", "pressmark site build"]
    assert "${{ vars.PRESSMARK_CONTACT }}" in (root / ".github/workflows/refresh.yml").read_text()


def test_twice_changes_nothing(tmp_path: Path, git) -> None:
    root = tmp_path / "lib"
    create(root)
    head = git("rev-parse", "HEAD", at=root)
    again = create(root)
    assert (again.changes, again.commit, again.warnings) == ((), None, ())
    assert git("rev-parse", "HEAD", at=root) == head


def test_what_was_deleted_comes_back_and_the_rest_stays(tmp_path: Path, git) -> None:
    root = tmp_path / "lib"
    create(root)
    (root / "pressmark.toml").write_text('format = 1\n[git]\ncommit = "manual"\n')
    git("rm", "-q", "site/index.md", at=root)
    git("commit", "-qam", "mine", at=root)
    outcome = create(root)
    assert [(each.path, each.kind) for each in outcome.changes] == [("site/index.md", "new")]
    assert "manual" in (root / "pressmark.toml").read_text()


def test_minimal_puts_three_things_into_a_thesis(tmp_path: Path, git) -> None:
    root = tmp_path / "thesis"
    root.mkdir()
    git("init", "-q", "-b", "trunk", at=root)
    (root / ".gitignore").write_text("*.aux\n.pressmark/")
    (root / "thesis.md").write_text("As shown [@simic2020x].\n")
    git("add", ".", at=root)
    git("commit", "-q", "-m", "draft", at=root)
    (root / "thesis.md").write_text("As shown elsewhere.\n")
    outcome = create(root, minimal=True)
    assert [each.path for each in outcome.changes] == [
        ".gitignore", "pressmark.toml", "library/.gitkeep",
    ]  # fmt: skip
    assert (root / ".gitignore").read_text() == (
        "*.aux\n.pressmark/\n"
        "# Pressmark: papers as they were published are yours to keep, and not to be handed on.\n"
        "library/**/*.pdf\nlibrary/**/*.xml\nlibrary/**/*.html\n"
    )
    assert git("status", "--porcelain", at=root) == "M thesis.md"
    assert git("log", "--format=%s", at=root).splitlines() == ["init: a Pressmark library", "draft"]
    assert create(root, minimal=True).changes == ()


def test_existing_files_are_never_overwritten(tmp_path: Path, git) -> None:
    root = tmp_path / "lib"
    (root / "site").mkdir(parents=True)
    (root / "mkdocs.yml").write_text("site_name: Mine\n")
    (root / "site/index.md").write_text("# Mine\n")
    (root / "data.csv").write_text("1\n")
    outcome = create(root)
    assert (root / "mkdocs.yml").read_text() == "site_name: Mine\n"
    assert (root / "site/index.md").read_text() == "# Mine\n"
    assert outcome.warnings == (
        "mkdocs.yml was there and stays: add `pressmark` to its plugins to publish.",
    )
    assert "data.csv" not in git("ls-files", at=root)


def test_in_a_folder_of_a_repository_no_second_one_is_made(tmp_path: Path, git) -> None:
    top = tmp_path / "project"
    root = top / "docs" / "papers"
    top.mkdir()
    git("init", "-q", at=top)
    outcome = create(root)
    assert not (root / ".git").exists()
    assert outcome.warnings == (
        "GitHub reads workflows only at the top of a repository, so none were written.",
    )
    assert all(each.startswith("docs/papers/") for each in git("ls-files", at=top).splitlines())
    assert git("ls-files", at=root).splitlines() == [n for n in FULL if ".github" not in n]


def test_a_library_named_in_pyproject_gets_no_second_settings_file(tmp_path: Path, git) -> None:
    root = tmp_path / "lib"
    root.mkdir()
    (root / "pyproject.toml").write_text("[tool.pressmark]\nformat = 1\n")
    create(root)
    assert not (root / "pressmark.toml").exists()


def test_not_inside_another_library_and_not_on_a_file(tmp_path: Path) -> None:
    create(tmp_path / "lib")
    with pytest.raises(BadInput, match="is inside the library"):
        create(tmp_path / "lib" / "notes")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="is a file"):
        create(tmp_path / "file")
    for folder in (tmp_path / "lib" / ".git", tmp_path / "lib" / ".git" / "new"):
        with pytest.raises(BadInput, match="is a folder of git's own"):
            create(folder)
    assert create(tmp_path / "lib" / ".." / "beside").commit
    assert (tmp_path / "beside" / "pressmark.toml").is_file()


@pytest.mark.parametrize("text", ["format = 99\n", "format = [\n"])
def test_a_library_that_cannot_be_written_is_not_completed(tmp_path: Path, text: str) -> None:
    (tmp_path / "pressmark.toml").write_text(text)
    with pytest.raises(BadInput, match="newer Pressmark" if "99" in text else "pressmark.toml"):
        create(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["pressmark.toml"]


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    outcome = create(tmp_path / "lib", write=Write(dry_run=True))
    assert sorted(each.path for each in outcome.changes) == FULL
    assert not (tmp_path / "lib").exists()


def test_without_git_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PressmarkError) as caught:
        create(tmp_path / "lib")
    assert "git is not installed" in str(caught.value).lower() and "\n" not in str(caught.value)
    assert not (tmp_path / "lib" / "pressmark.toml").exists()
