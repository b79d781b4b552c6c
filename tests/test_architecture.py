"""The shape of the code, held by reading it: who writes, who runs git, who opens sockets, how big."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "cli" / "pressmark"
MODULES = sorted(PACKAGE.rglob("*.py"))
PURE = ("record", "ids", "text", "page", "formats", "errors")


def part(module: Path) -> str:
    """The top-level name below the package that a module belongs to."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Every call with its dotted name, as far as it can be read off the source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of everything imported anywhere in a module."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def outside(*allowed: str) -> list[Path]:
    return [module for module in MODULES if part(module) not in allowed]


def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text("utf-8"))


WRITES = re.compile(
    r"(\.(write_text|write_bytes|mkdir|rmdir|unlink|touch|rename|symlink_to|hardlink_to|chmod)"
    r"|^os\.(write|remove|unlink|rename|replace|renames|mkdir|makedirs|rmdir|removedirs|truncate|"
    r"symlink|link|chmod|mkfifo)|^shutil\.(?!get_terminal_size|which|disk_usage)\w+|^tempfile\.\w+)$"
)


OURS = re.compile(r"^(self\.)?(draft|library|editing|folding|tree)\.|^tempfile\.gettempdir$")
"""Calls of our own that are named like those that write; they end in `disk`."""


def opens_for_writing(name: str, call: ast.Call) -> bool:
    if name not in ("open", "io.open") and not name.endswith(".open"):
        return False
    modes = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    modes += [
        k.value.value
        for k in call.keywords
        if k.arg == "mode" and isinstance(k.value, ast.Constant)
    ]
    return any(re.fullmatch(r"[rwaxbt+U]*[wax+][rwaxbt+U]*", str(mode)) for mode in modes)


@pytest.mark.parametrize("module", outside("disk"), ids=str)
def test_only_disk_writes_files(module: Path) -> None:
    found = [
        f"{module.name}:{call.lineno} {name}"
        for name, call in calls(tree_of(module))
        if (WRITES.search(name) and not OURS.search(name)) or opens_for_writing(name, call)
    ]
    assert found == []


@pytest.mark.parametrize("module", outside("history"), ids=str)
def test_only_history_runs_git(module: Path) -> None:
    tree = tree_of(module)
    assert "git" not in imported(tree)
    runs = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.List | ast.Tuple)
        and node.elts
        and isinstance(node.elts[0], ast.Constant)
        and node.elts[0].value == "git"
        and any(
            name.startswith("subprocess.") for name, call in calls(tree) if node in ast.walk(call)
        )
    ]
    assert runs == []


@pytest.mark.parametrize("module", outside("http"), ids=str)
def test_only_http_opens_sockets(module: Path) -> None:
    assert imported(tree_of(module)).isdisjoint(
        {"httpx", "httpcore", "socket", "requests", "aiohttp", "ftplib", "smtplib", "telnetlib"}
    )
    names = {name for name, _ in calls(tree_of(module))}
    assert not {name for name in names if name.startswith(("urllib.request", "http.client"))}


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in PURE], ids=str)
def test_pure_modules_touch_nothing_outside(module: Path) -> None:
    assert imported(tree_of(module)).isdisjoint(
        {"os", "pathlib", "subprocess", "socket", "time", "tempfile", "shutil", "sqlite3", "random"}
    )


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_modules_stay_under_400_lines_and_say_what_they_are(module: Path) -> None:
    source = module.read_text("utf-8")
    assert len(source.splitlines()) <= 400
    assert ast.get_docstring(ast.parse(source))


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_functions_stay_under_80_lines(module: Path) -> None:
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > 80
    ]
    assert long == []


def test_each_engine_is_imported_in_one_module() -> None:
    for engine in ("whoosh", "usearch", "onnxruntime", "tantivy"):
        users = [m.name for m in MODULES if engine in imported(tree_of(m))]
        assert len(users) <= 1, (engine, users)
