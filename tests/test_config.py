"""The two files and the environment: what each may say, and what is refused or ignored."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pressmark import config
from pressmark.errors import Configuration


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "pressmark.toml").write_text("format = 1\n")
    return tmp_path / "lib"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home")}


def user(env: dict[str, str], text: str, mode: int = 0o600) -> Path:
    path = Path(env["HOME"]) / ".config" / "pressmark" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def library(root: Path, text: str) -> None:
    (root / "pressmark.toml").write_text(text)


def test_nothing_set_gives_the_defaults(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    got = config.load(root, env)
    assert got.sources == (
        "openalex", "crossref", "arxiv", "pubmed", "europepmc", "doaj", "plos", "datacite", "hal",
        "dblp", "openaire", "osf",
    )  # fmt: skip
    assert (got.commit_mode, got.fulltext_commit, got.search_limit) == ("auto", "open", 10)
    assert got.format == 1 and not got.newer and not got.offline and got.contact is None
    assert got.cache_dir == tmp_path / "home/.cache/pressmark"
    assert got.state_dir == tmp_path / "home/.local/state/pressmark"
    assert got.answers_dir == root / ".pressmark" / "cache"
    assert got.warnings == () and got.ignored == ()


def test_the_library_chooses_sources_limits_formats_and_weights(
    root: Path, env: dict[str, str]
) -> None:
    library(
        root,
        """
        format = 1
        [search]
        sources = ["arxiv", "crossref"]
        limit = 25
        [sources.openalex]
        enabled = true
        limit = 50
        weight = 0.5
        [sources.crossref]
        enabled = false
        [git]
        commit = "manual"
        [fulltext]
        commit = "all"
        formats = ["jats"]
        [prose]
        paths = ["thesis/**/*.md"]
        [find.weights]
        words = 1
        vectors = 0.7
        """,
    )
    got = config.load(root, env)
    assert got.sources == ("arxiv", "openalex")
    assert got.search_limit == 25 and got.limits == {"openalex": 50}
    assert got.source_weights == {"openalex": 0.5}
    assert got.commit_mode == "manual" and got.fulltext_commit == "all"
    assert got.fulltext_formats == ("jats",) and got.prose_paths == ("thesis/**/*.md",)
    assert got.weights == {"words": 1, "vectors": 0.7}
    assert got.warnings == ()


USERS_ALONE = {
    "contact": 'contact = "ada@reader.test"',
    "editor": 'editor = "vi"',
    "documents": 'documents = "/etc"',
    "sources.arxiv.base_url": '[sources.arxiv]\nbase_url = "http://169.254.169.254"',
    "sources.arxiv.pace": "[sources.arxiv]\npace = 0",
    "keys.openalex": '[keys]\nopenalex = "stolen"',
    "programs.open": '[programs]\nopen = "sh -c"',
    "models.embedder": '[models]\nembedder = "/tmp/model"',
    "models.endpoint": '[models]\nendpoint = "http://evil"',
    "find.model": '[find]\nmodel = "ollama:x"',
    "network.resolve": "[network]\nresolve = true",
    "network.timeout": "[network]\ntimeout = 1",
}


@pytest.mark.parametrize("name", USERS_ALONE)
def test_what_only_the_user_sets_is_named_and_ignored_in_a_library(
    root: Path, env: dict[str, str], name: str
) -> None:
    plain = config.load(root, env)
    library(root, USERS_ALONE[name])
    got = config.load(root, env)
    assert got.ignored == (name,)
    assert len(got.warnings) == 1 and name in got.warnings[0]
    assert dataclasses.replace(got, ignored=(), warnings=()) == plain


def test_the_user_sets_what_the_library_may_not(root: Path, env: dict[str, str]) -> None:
    user(
        env,
        """
        contact = "ada@reader.test"
        editor = "vi"
        documents = "~/Papers"
        [keys]
        openalex = "k1"
        [sources.arxiv]
        base_url = "http://127.0.0.1:8000/"
        pace = 0
        [models]
        embedder = "minilm"
        [network]
        timeout = 5
        """,
    )
    got = config.load(root, env)
    assert got.contact == "ada@reader.test" and got.editor == "vi"
    assert got.documents == Path(env["HOME"]) / "Papers"
    assert got.keys == {"openalex": "k1"} and got.model == "minilm" and got.timeout == 5.0
    assert got.base_urls == {"arxiv": "http://127.0.0.1:8000"} and got.pace == {"arxiv": 0.0}
    assert got.warnings == () and got.ignored == ()


def test_the_environment_comes_last(root: Path, env: dict[str, str]) -> None:
    user(env, 'contact = "ada@reader.test"\n[keys]\nopenalex = "file"\ns2 = "file"\n')
    got = config.load(
        root,
        env
        | {
            "PRESSMARK_CONTACT": "mailto:eve@reader.test",
            "PRESSMARK_OPENALEX_KEY": "env",
            "PRESSMARK_NCBI_KEY": "n",
            "PRESSMARK_CORE_KEY": "c",
            "PRESSMARK_EDITOR": "ed",
        },
    )
    assert got.contact == "eve@reader.test" and got.editor == "ed"
    assert got.keys == {"openalex": "env", "s2": "file", "ncbi": "n", "core": "c"}


def test_keys_and_contact_are_not_in_the_printed_form(env: dict[str, str]) -> None:
    got = config.load(
        None, env | {"PRESSMARK_CONTACT": "eve@reader.test", "PRESSMARK_S2_KEY": "top-secret"}
    )
    assert "top-secret" not in repr(got) and "eve@reader.test" not in repr(got)


def test_a_users_file_that_others_read_is_a_warning(root: Path, env: dict[str, str]) -> None:
    path = user(env, 'contact = "ada@reader.test"\n', mode=0o644)
    got = config.load(root, env)
    assert got.contact == "ada@reader.test"
    assert got.warnings == (f"{path} can be read by others; run: chmod 600 {path}",)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ('[git]\ncomit = "auto"\n', "git.commit"),
        ("formt = 1\n", "format"),
        ('[sources.arxiv]\nbase_uri = "x"\n', "sources.arxiv.base_url"),
        ('[sources.arxvi]\nbase_url = "http://h"\n', "sources.arxiv.base_url"),
        ('[serach]\nsources = ["arxiv"]\n', "search.sources"),
        ('[keys]\nopenalx = "k"\n', "keys.openalex"),
    ],
)
def test_an_unknown_setting_is_a_warning_with_the_nearest(
    env: dict[str, str], text: str, near: str
) -> None:
    user(env, text)
    got = config.load(None, env)
    assert len(got.warnings) == 1
    assert got.warnings[0].endswith(f"did you mean {near}?")


def test_a_misspelt_variable_is_a_warning(env: dict[str, str]) -> None:
    got = config.load(None, env | {"PRESSMARK_OPENALX_KEY": "k", "PRESSMARK_CORPUS": "/x"})
    assert got.warnings == (
        "PRESSMARK_OPENALX_KEY is no setting; did you mean PRESSMARK_OPENALEX_KEY?",
    )


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("format = 1\n[git\n", 2, ""),
        ("format = 1\nformat = 1\n", 2, ""),
        ('format = 1\n\n[git]\ncommit = "never"\n', 4, "one of auto, manual"),
        ("format = 1\n[search]\nlimit = 0\n", 3, "a whole number from 1"),
        ("format = true\n", 1, "a whole number from 1"),
        ('[search]\nsources = "arxiv"\n', 2, "a list of texts"),
        ("[network]\nenabled = 1\n", 2, "true or false"),
        ('[prose]\npaths = ["../other/*.md"]\n', 2, "must stay inside the library"),
        ('[prose]\npaths = ["/etc/*.md"]\n', 2, "must stay inside the library"),
        ('[find]\nweights = {words = "x"}\n', 2, "a table of numbers"),
    ],
)
def test_a_bad_library_file_names_file_and_line(
    root: Path, env: dict[str, str], text: str, line: int, says: str
) -> None:
    library(root, text)
    with pytest.raises(Configuration) as caught:
        config.load(root, env)
    assert str(caught.value).startswith(f"{root / 'pressmark.toml'}:{line}: ")
    assert says in str(caught.value) and caught.value.next


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[sources.arxiv]\npace = 0\n", "may be 0 only beside a base_url"),
        ('[sources.arxiv]\nbase_url = "ftp://h"\n', "must be http://"),
        ('[sources.arxiv]\nbase_url = "http://user:pw@h"\n', "must be http://"),
        ("[sources.arxiv]\npace = -1\n", "a number from 0"),
        ("[network]\ntimeout = inf\n", "a number from 0"),
        ('[keys]\nopenalex = "a b"\n', "holds a blank"),
        ('editor = "vi\\n"\n', "control character"),
    ],
)
def test_a_bad_users_file_is_refused(env: dict[str, str], text: str, says: str) -> None:
    user(env, text)
    with pytest.raises(Configuration, match=says):
        config.load(None, env)


@pytest.mark.parametrize(
    "contact",
    ["me@example.com", "me@example.org", "me@sub.example.net", "nobody", "a@b", "a b@c.org",
     "a@b.org\r\nX-Evil: 1", "@c.org"],
)  # fmt: skip
def test_a_contact_that_reaches_nobody_is_refused(env: dict[str, str], contact: str) -> None:
    with pytest.raises(Configuration, match="PRESSMARK_CONTACT is not an e-mail address"):
        config.load(None, env | {"PRESSMARK_CONTACT": contact})


def test_bytes_that_are_no_text_are_refused(root: Path, env: dict[str, str]) -> None:
    (root / "pressmark.toml").write_bytes(b'x = "\xff"\n')
    with pytest.raises(Configuration, match="is not UTF-8 text"):
        config.load(root, env)


def test_a_byte_order_mark_is_no_error(root: Path, env: dict[str, str]) -> None:
    (root / "pressmark.toml").write_bytes(b"\xef\xbb\xbfformat = 1\n")
    assert config.load(root, env).format == 1


def test_deep_nesting_is_an_error_and_no_traceback(root: Path, env: dict[str, str]) -> None:
    library(root, "x = " + "[" * 100_000 + "\n")
    with pytest.raises(Configuration):
        config.load(root, env)


def test_a_newer_library_says_so(root: Path, env: dict[str, str]) -> None:
    library(root, "format = 2\n")
    assert config.load(root, env).newer


@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_offline_by_the_environment(env: dict[str, str], value: str) -> None:
    assert config.load(None, env | {"PRESSMARK_OFFLINE": value}).offline


def test_offline_by_any_of_its_switches_and_never_undone(root: Path, env: dict[str, str]) -> None:
    assert config.load(root, env, offline=True).offline
    library(root, "[network]\nenabled = false\n")
    user(env, "[network]\nenabled = true\n")
    assert config.load(root, env, offline=False).offline
    assert not config.load(None, env | {"PRESSMARK_OFFLINE": "0"}).offline
    with pytest.raises(Configuration, match="PRESSMARK_OFFLINE must be 1 or 0"):
        config.load(None, env | {"PRESSMARK_OFFLINE": "perhaps"})


def test_the_xdg_folders_are_honoured(env: dict[str, str], tmp_path: Path) -> None:
    for name in ("CACHE", "STATE", "CONFIG"):
        env[f"XDG_{name}_HOME"] = str(tmp_path / name)
    (tmp_path / "CONFIG/pressmark").mkdir(parents=True)
    (tmp_path / "CONFIG/pressmark/config.toml").write_text('editor = "ed"\n')
    got = config.load(None, env)
    assert got.cache_dir == tmp_path / "CACHE/pressmark"
    assert got.state_dir == tmp_path / "STATE/pressmark"
    assert got.editor == "ed"


def test_a_named_users_file_must_exist(env: dict[str, str], tmp_path: Path) -> None:
    named = tmp_path / "mine.toml"
    with pytest.raises(Configuration, match="does not exist"):
        config.load(None, env | {"PRESSMARK_CONFIG": str(named)})
    named.write_text('editor = "ed"\n')
    named.chmod(0o600)
    assert config.load(None, env | {"PRESSMARK_CONFIG": str(named)}).editor == "ed"


def test_the_library_is_found_by_walking_up(root: Path, env: dict[str, str]) -> None:
    deep = root / "library" / "2017"
    deep.mkdir(parents=True)
    assert config.find_root(deep, env) == root
    assert config.find_root(root.parent, env) is None
    assert config.find_root(deep / ".." / ".." / ".." / "elsewhere", env) is None


def test_a_pyproject_table_makes_a_library(tmp_path: Path, env: dict[str, str]) -> None:
    project = tmp_path / "thesis"
    (project / "chapters").mkdir(parents=True)
    (project / "pyproject.toml").write_text('[tool.ruff]\n[tool.pressmark.git]\ncommit="manual"\n')
    assert config.find_root(project / "chapters", env) == project
    assert config.load(project, env).commit_mode == "manual"
    (project / "pyproject.toml").write_text("[tool.ruff]\n")
    assert config.find_root(project / "chapters", env) is None


def test_the_variable_names_the_library(root: Path, env: dict[str, str], tmp_path: Path) -> None:
    assert config.find_root(tmp_path, env | {"PRESSMARK_LIBRARY": str(root)}) == root
    with pytest.raises(Configuration, match="is no library"):
        config.find_root(tmp_path, env | {"PRESSMARK_LIBRARY": str(tmp_path / "nowhere")})


def test_loading_imports_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import sys, pressmark.config as c; c.load(None, {'HOME': '/nonexistent'});"
        "print([m for m in ('platformdirs', 'difflib', 'httpx', 'yaml') if m in sys.modules])"
    )
    path = str(Path(config.__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert run.stdout == "[]\n"


def test_a_formula_for_keys(root: Path, env: dict[str, str]) -> None:
    assert config.load(root, env).key_formula == ""
    library(root, 'format = 1\n[import]\nkey = "{family:3}_{year}"\n')
    assert config.load(root, env).key_formula == "{family:3}_{year}"


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        ("{auth}{year}", "{auth} is no part of a key; the parts are family, families, year, yy"),
        ("{family} {year}", "a key has letters, digits, - and _ only, and some part of the work"),
        ("../{year}", "a key has letters, digits, - and _ only"),
        ("{family", "a key has letters, digits, - and _ only"),
        ("paper", "and some part of the work"),
    ],
)
def test_a_formula_that_makes_no_key_is_refused(
    root: Path, env: dict[str, str], formula: str, says: str
) -> None:
    library(root, f'format = 1\n[import]\nkey = "{formula}"\n')
    with pytest.raises(Configuration) as caught:
        config.load(root, env)
    assert "import.key cannot be used: " in str(caught.value)
    assert says in str(caught.value)
