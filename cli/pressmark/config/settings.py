"""The bytes of a settings file in; its checked settings by dotted name, and complaints, out."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pressmark.errors import Configuration

LIBRARY_FILE = "pressmark.toml"

SOURCES = (
    "openalex", "crossref", "arxiv", "pubmed", "pmc", "europepmc", "doaj", "plos", "datacite",
    "hal", "dblp", "openaire", "osf", "semanticscholar", "core", "scite", "searxng", "unpaywall",
    "biorxiv", "opencitations", "openreview", "ads", "inspire", "zenodo", "doi",
    "feed",
)  # fmt: skip
"""Every provider a `[sources.NAME]` table may speak of."""

KEYS = {
    "openalex": "PRESSMARK_OPENALEX_KEY",
    "s2": "PRESSMARK_S2_KEY",
    "ncbi": "PRESSMARK_NCBI_KEY",
    "core": "PRESSMARK_CORE_KEY",
    "models": "PRESSMARK_MODELS_KEY",
    "ads": "PRESSMARK_ADS_KEY",
}
"""A provider's key by its short name, and the variable that carries it."""

KEY_NAMES = {"semanticscholar": "s2", "pubmed": "ncbi", "pmc": "ncbi"}
"""A source whose key has another name than its own."""

MODELS = ("minilm", "none")
"""The models a library's file may name: neither a folder nor an address."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: the TOML type it takes, the words it may be, and whether it is the user's."""

    kind: str
    """text, flag, count, amount (which may be none), number, list, or a table: texts or numbers."""
    users: bool = False
    words: tuple[str, ...] = ()


SETTINGS: dict[str, Setting] = {
    "format": Setting("count"),
    "contact": Setting("text", users=True),
    "editor": Setting("text", users=True),
    "documents": Setting("text", users=True),
    "git.commit": Setting("text", words=("auto", "manual")),
    "fulltext.commit": Setting("text", words=("open", "all")),
    "fulltext.formats": Setting("list"),
    "fulltext.limit": Setting("amount"),
    "prose.paths": Setting("list"),
    "search.sources": Setting("list"),
    "search.limit": Setting("count"),
    "search.web": Setting("flag"),
    "find.limit": Setting("count"),
    "find.model": Setting("text"),
    "find.weights": Setting("numbers"),
    "export.format": Setting(
        "text", words=("bibtex", "biblatex", "csl-json", "csl-yaml", "ris", "csv")
    ),
    "export.letters": Setting("text", words=("latin", "all")),
    "export.journals": Setting("text", words=("full", "abbreviated")),
    "export.abbreviations": Setting("texts"),
    "import.key": Setting("text"),
    "cite.style": Setting("text"),
    "network.enabled": Setting("flag"),
    "network.resolve": Setting("flag", users=True),
    "network.timeout": Setting("number", users=True),
    "network.proxy": Setting("text", users=True),
    "models.embedder": Setting("text", users=True),
    "models.endpoint": Setting("text", users=True),
    "models.reranker": Setting("text", users=True),
    "keys.*": Setting("text", users=True),
    "programs.*": Setting("text", users=True),
    "sources.*.enabled": Setting("flag"),
    "sources.*.limit": Setting("count"),
    "sources.*.weight": Setting("number"),
    "sources.*.base_url": Setting("text", users=True),
    "sources.*.pace": Setting("number", users=True),
}
"""Every setting by its dotted name; `*` stands for a name of the user's choice."""


@dataclass(slots=True)
class File:
    """One TOML file, flattened to dotted names, with what was wrong with it."""

    path: str = ""
    text: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    def error(self, name: str, message: str) -> Configuration:
        """A refusal that names the file, the line where the setting stands, and the setting."""
        last = re.escape(name.rpartition(".")[2])
        found = re.search(rf"^[^#\n]*?\b{last}\b[\"']?\s*=", self.text, re.M)
        line = f":{self.text.count(chr(10), 0, found.end()) + 1}" if found else ""
        return Configuration(f"{self.path}{line}: {name} {message}.", next=f"edit {self.path}")


def library_file(folder: Path) -> Path | None:
    own = folder / LIBRARY_FILE
    if own.is_file():
        return own
    project = folder / "pyproject.toml"
    if not project.is_file():
        return None
    # A cheap look before the parse: most pyproject files on the way up are not ours.
    if b"[tool.pressmark" not in project.read_bytes():
        return None
    return project if "pressmark" in _toml(project)[0].get("tool", {}) else None


def read_library(root: Path) -> File:
    path = library_file(root)
    if path is None:
        return File()
    table, text = _toml(path)
    if path.name != LIBRARY_FILE:
        table = table["tool"]["pressmark"]
    return _checked(File(str(path), text), table, users=False)


def read_user(path: Path, *, named: bool) -> File:
    if not path.exists():
        if named:
            raise Configuration(
                f"PRESSMARK_CONFIG names {path}, which does not exist.",
                next="create it, or unset PRESSMARK_CONFIG",
            )
        return File()
    table, text = _toml(path)
    read = _checked(File(str(path), text), table, users=True)
    mode = path.stat().st_mode
    if os.name == "posix" and stat.S_ISREG(mode) and mode & 0o077:
        read.warnings.append(f"{path} can be read by others; run: chmod 600 {path}")
    return read


def _toml(path: Path) -> tuple[dict[str, Any], str]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return tomllib.loads(text), text
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise Configuration(f"{path} cannot be read: {reason}.") from problem
    except UnicodeDecodeError as problem:
        raise Configuration(f"{path} is not UTF-8 text.", next=f"save {path} as UTF-8") from problem
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        found = re.search(r"line (\d+)", str(problem))
        line = f":{found[1]}" if found else ""
        said = str(problem).partition(" (at ")[0].rstrip(".") or "nested too deeply"
        raise Configuration(f"{path}{line}: {said}.", next=f"correct {path}") from problem


def _checked(file: File, table: Mapping[str, Any], *, users: bool) -> File:
    """Sort a file's settings into used, ignored (the user's alone) and unknown; check types."""
    for name, value in _flatten(table):
        setting = SETTINGS.get(_pattern(name))
        if setting is None:
            file.warnings.append(f"{file.path}: {_unknown(name)}")
        elif (setting.users and not users) or (name == "find.model" and not users
                                               and value not in MODELS):  # fmt: skip
            file.ignored.append(name)
            file.warnings.append(f"{file.path}: {name} is ignored; only the user's file sets it")
        else:
            _check(file, name, value, setting)
            file.values[name] = value
    return file


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        dotted = f"{prefix}{name}"
        if isinstance(value, dict) and SETTINGS.get(_pattern(dotted)) is None:
            yield from _flatten(value, f"{dotted}.")
        else:
            yield dotted, value


def _pattern(name: str) -> str:
    """The name in the table of settings that a dotted name answers to."""
    parts = name.split(".")
    if parts[0] in ("keys", "programs") and len(parts) == 2:
        known = parts[0] == "programs" or parts[1] in KEYS
        return f"{parts[0]}.*" if known else name
    if parts[0] == "sources" and len(parts) == 3 and parts[1] in SOURCES:
        return f"sources.*.{parts[2]}"
    return name


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    parts = name.split(".")
    known = [*SETTINGS, *(f"keys.{key}" for key in KEYS)]
    if parts[0] == "sources" and len(parts) == 3:
        known = [s.replace("*", n) for n in SOURCES for s in SETTINGS if s.startswith("sources.")]
    near = get_close_matches(name, [n for n in known if "*" not in n], 1, 0.5)
    return f"unknown setting {name}" + (f"; did you mean {near[0]}?" if near else "")


def _check(file: File, name: str, value: Any, setting: Setting) -> None:
    wrong = _wrong_type(value, setting.kind)
    if wrong:
        raise file.error(name, f"must be {wrong}")
    if setting.words and value not in setting.words:
        raise file.error(name, f"must be one of {', '.join(setting.words)}")
    if setting.kind == "text" and any(ord(c) < 32 or ord(c) == 127 for c in value):
        raise file.error(name, "holds a control character")


def _wrong_type(value: Any, kind: str) -> str | None:
    """What a value of this kind would be, when this is none."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "text":
        return None if isinstance(value, str) else "a text"
    if kind == "flag":
        return None if isinstance(value, bool) else "true or false"
    if kind == "count":
        return None if number and isinstance(value, int) and value > 0 else "a whole number from 1"
    if kind == "amount":
        return None if number and isinstance(value, int) and value >= 0 else "a whole number from 0"
    if kind == "number":
        return None if number and 0 <= value < float("inf") else "a number from 0"
    if kind == "list":
        texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if texts else "a list of texts"
    inside, what = ("text", "texts") if kind == "texts" else ("number", "numbers from 0")
    table = isinstance(value, dict) and not any(_wrong_type(v, inside) for v in value.values())
    return None if table else f"a table of {what}"
