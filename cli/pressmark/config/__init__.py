"""The library's file, the user's file and the environment in; one frozen `Config` out.

A library's file travels with a clone, so it chooses sources, limits, formats and weights only.
What decides where bytes go or what runs is read from the user's file and the environment.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pressmark.config.settings import (
    KEY_NAMES,
    KEYS,
    LIBRARY_FILE,
    SOURCES,
    File,
    library_file,
    read_library,
    read_user,
)
from pressmark.errors import Configuration

__all__ = [
    "FORMAT",
    "KEYS",
    "KEY_NAMES",
    "LIBRARY_FILE",
    "SOURCES",
    "Config",
    "find_root",
    "load",
    "standing",
    "user_file",
]

FORMAT = 1
"""The newest layout of a library that this program writes."""

DEFAULT_SOURCES = (
    "openalex", "crossref", "arxiv", "pubmed", "europepmc", "doaj", "plos", "datacite", "hal",
    "dblp", "openaire", "osf",
)  # fmt: skip
WITH_KEY = {"semanticscholar": "s2", "core": "core"}
"""Sources that a search asks as well once their key is there."""

VARIABLES = frozenset({
    "PRESSMARK_CONFIG", "PRESSMARK_LIBRARY", "PRESSMARK_OFFLINE", "PRESSMARK_CONTACT",
    "PRESSMARK_EDITOR", "PRESSMARK_MODEL", "PRESSMARK_RERANKER", "PRESSMARK_WEB", *KEYS.values(),
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that was chosen, read once; a module gets it passed and never asks again."""

    root: Path | None = None
    format: int = FORMAT
    sources: tuple[str, ...] = DEFAULT_SOURCES
    limits: Mapping[str, int] = field(default_factory=dict)
    """Hits asked of one source, where it differs from `search_limit`."""
    source_weights: Mapping[str, float] = field(default_factory=dict)
    base_urls: Mapping[str, str] = field(default_factory=dict)
    pace: Mapping[str, float] = field(default_factory=dict)
    """Seconds between two requests of a source; 0 only beside a base_url."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    contact: str | None = field(default=None, repr=False)
    offline: bool = False
    resolve: bool = False
    """Whether unknown cite keys may be looked up on the web."""
    timeout: float = 20.0
    proxy: str | None = field(default=None, repr=False)
    """Where every request goes through; the environment's proxies are not used."""
    commit_mode: str = "auto"
    fulltext_commit: str = "open"
    fulltext_formats: tuple[str, ...] = ("jats", "html", "pdf")
    fulltext_limit: int = 10
    search_limit: int = 10
    web: bool = True
    """Whether a search without an open copy asks the web, or says that it should be asked."""
    find_limit: int = 20
    prose_paths: tuple[str, ...] = ()
    documents: Path | None = None
    model: str | None = None
    model_endpoint: str | None = None
    reranker: Path | None = None
    """A folder with a cross-encoder; None: nothing is reranked."""
    weights: Mapping[str, float] = field(default_factory=dict)
    export_format: str = "bibtex"
    export_letters: str = "latin"
    export_journals: str = "full"
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    """A journal's name, folded, and the short one that this library writes."""
    key_formula: str = ""
    """How new keys are made; empty for the usual way."""
    cite_style: str = "apa"
    editor: str | None = None
    programs: Mapping[str, str] = field(default_factory=dict)
    cache_dir: Path = field(default_factory=lambda: Path.home() / ".cache" / "pressmark")
    state_dir: Path = field(default_factory=lambda: Path.home() / ".local/state/pressmark")
    config_dir: Path = field(default_factory=lambda: Path.home() / ".config/pressmark")
    """Where the user's own settings stand, and a sign-in beside them."""
    ignored: tuple[str, ...] = ()
    """Settings of the library's file that only the user may make; they were not used."""
    warnings: tuple[str, ...] = ()

    def key(self, source: str) -> str | None:
        """The key of a source; those of one provider share theirs."""
        return self.keys.get(KEY_NAMES.get(source, source))

    @property
    def newer(self) -> bool:
        """Whether a newer program made this library: it is read, never written."""
        return self.format > FORMAT

    @property
    def answers_dir(self) -> Path | None:
        """Where this library caches what the providers answered."""
        return self.root / ".pressmark" / "cache" if self.root else None


def find_root(start: Path, env: Mapping[str, str]) -> Path | None:
    """The library around `start`; PRESSMARK_LIBRARY comes first, as GIT_DIR does for git.

    A caller that was told a place (`-C DIR`) passes an environment without that variable.
    """
    named = env.get("PRESSMARK_LIBRARY", "")
    if named:
        root = _expand(named, env).absolute()
        if library_file(root) is None:
            raise Configuration(
                f"PRESSMARK_LIBRARY names {named}, which is no library.",
                next="unset PRESSMARK_LIBRARY, or run pressmark init there",
            )
        return root
    start = standing(start)
    return next((at for at in (start, *start.parents) if library_file(at)), None)


def standing(path: Path) -> Path:
    """The path from the root of the disk; where it has a `..`, as the system resolves it."""
    path = path.absolute()
    return path.resolve() if ".." in path.parts else path


def load(root: Path | None, env: Mapping[str, str], *, offline: bool | None = None) -> Config:
    """Read the library's file, the user's file and the environment; later ones win."""
    library = read_library(root) if root else File()
    user = read_user(user_file(env), named=bool(env.get("PRESSMARK_CONFIG")))
    values = {**library.values, **user.values}
    warnings = [*library.warnings, *user.warnings, *_misspelt_variables(env)]
    base_urls = _named(user.values, "base_url")
    keys = _keys(user, env)
    allowed = [f.values.get("network.enabled", True) for f in (library, user)]
    return Config(
        root=root,
        format=library.values.get("format", FORMAT),
        sources=_sources(values, keys),
        limits=_named(values, "limit"),
        source_weights=_named(values, "weight"),
        base_urls={name: _base_url(name, url, user) for name, url in base_urls.items()},
        pace=_pace(user, base_urls),
        keys=keys,
        contact=_contact(user, env),
        offline=bool(offline) or not all(allowed) or _flag(env, "PRESSMARK_OFFLINE"),
        resolve=values.get("network.resolve", False),
        timeout=float(values.get("network.timeout", 20.0)),
        proxy=_proxy(user),
        commit_mode=values.get("git.commit", "auto"),
        fulltext_commit=values.get("fulltext.commit", "open"),
        fulltext_formats=tuple(values.get("fulltext.formats", ("jats", "html", "pdf"))),
        fulltext_limit=values.get("fulltext.limit", 10),
        search_limit=values.get("search.limit", 10),
        web=library.values.get("search.web", True)
        and user.values.get("search.web", True)
        and _flag(env, "PRESSMARK_WEB", unset=True),
        find_limit=values.get("find.limit", 20),
        prose_paths=_prose(library),
        documents=_expand(values["documents"], env) if values.get("documents") else None,
        model=env.get("PRESSMARK_MODEL") or values.get("models.embedder") or _model(values),
        model_endpoint=values.get("models.endpoint"),
        reranker=_reranker(values, env),
        weights=values.get("find.weights", {}),
        export_format=values.get("export.format", "bibtex"),
        export_letters=values.get("export.letters", "latin"),
        export_journals=values.get("export.journals", "full"),
        abbreviations=_folded(values.get("export.abbreviations", {})),
        key_formula=_formula(library, values.get("import.key", "")),
        cite_style=values.get("cite.style", "apa"),
        editor=_editor(values, env),
        programs={n[9:]: v for n, v in user.values.items() if n.startswith("programs.")},
        cache_dir=_folder("XDG_CACHE_HOME", ".cache", "user_cache_path", env),
        config_dir=user_file(env).absolute().parent,
        state_dir=_folder("XDG_STATE_HOME", ".local/state", "user_state_path", env),
        ignored=tuple(library.ignored),
        warnings=tuple(warnings),
    )


def user_file(env: Mapping[str, str]) -> Path:
    """Where the user's own settings stand; the file need not exist."""
    named = env.get("PRESSMARK_CONFIG", "")
    if named:
        return _expand(named, env)
    home = env.get("XDG_CONFIG_HOME", "")
    base = Path(home) if home.startswith("/") else _home(env) / ".config"
    return base / "pressmark" / "config.toml"


def _folded(table: Mapping[str, str]) -> dict[str, str]:
    if not table:
        return {}
    from pressmark.text import fold

    return {fold(name): short for name, short in table.items()}


def _formula(file: File, formula: str) -> str:
    """A formula for keys, once it is known to make one."""
    if formula:
        from pressmark.ids import keys  # not before somebody has a formula

        try:
            keys.check_formula(formula)
        except ValueError as problem:
            raise file.error("import.key", f"cannot be used: {problem}") from problem
    return formula


def _named(values: Mapping[str, Any], last: str) -> dict[str, Any]:
    """`sources.NAME.<last>` of every NAME."""
    parts = ((name.split("."), value) for name, value in values.items())
    return {p[1]: v for p, v in parts if p[0] == "sources" and len(p) == 3 and p[2] == last}


def _sources(values: Mapping[str, Any], keys: Mapping[str, str]) -> tuple[str, ...]:
    usual = [*DEFAULT_SOURCES, *(name for name, key in WITH_KEY.items() if key in keys)]
    chosen = list(dict.fromkeys(values.get("search.sources", usual)))
    for name, on in _named(values, "enabled").items():
        if on and name not in chosen:
            chosen.append(name)
        elif not on and name in chosen:
            chosen.remove(name)
    return tuple(chosen)


def _base_url(name: str, url: str, file: File) -> str:
    if not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", url):
        raise file.error(f"sources.{name}.base_url", "must be http://HOST[:PORT] or https://HOST")
    return url.rstrip("/")


def _proxy(file: File) -> str | None:
    url = str(file.values.get("network.proxy", ""))
    if not url:
        return None
    shape = re.fullmatch(
        r"https?://(?:[^\s/?#@:]+(?::[^\s/?#@]*)?@)?[^\s/?#@:]+(?::\d{1,5})?/?", url
    )
    if not shape:
        raise file.error("network.proxy", "must be http://[USER:PASSWORD@]HOST[:PORT]")
    return url.rstrip("/")


def _pace(file: File, base_urls: Mapping[str, str]) -> dict[str, float]:
    pace = {name: float(value) for name, value in _named(file.values, "pace").items()}
    for name, seconds in pace.items():
        if seconds == 0 and name not in base_urls:
            raise file.error(f"sources.{name}.pace", "may be 0 only beside a base_url")
    return pace


def _keys(file: File, env: Mapping[str, str]) -> dict[str, str]:
    found = {name: file.values.get(f"keys.{name}", "") for name in KEYS}
    found |= {name: env[variable] for name, variable in KEYS.items() if env.get(variable)}
    found = {name: key.strip() for name, key in found.items() if key.strip()}
    for name, key in found.items():
        if not re.fullmatch(r"[!-~]+", key):
            raise Configuration(f"The key for {name} holds a blank or a control character.")
    return found


def _contact(file: File, env: Mapping[str, str]) -> str | None:
    contact = env.get("PRESSMARK_CONTACT") or file.values.get("contact") or ""
    contact = contact.strip().removeprefix("mailto:")
    if not contact:
        return None
    place = "PRESSMARK_CONTACT" if env.get("PRESSMARK_CONTACT") else f"{file.path}: contact"
    shape = re.fullmatch(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}", contact)
    domain = contact.rpartition("@")[2].lower()
    if not shape or re.search(r"(^|\.)example(\.|$)", domain):
        raise Configuration(
            f"{place} is not an e-mail address that reaches you.",
            next="set it to your own address, which the providers ask for, or remove it",
        )
    return contact


def _prose(file: File) -> tuple[str, ...]:
    paths = tuple(file.values.get("prose.paths", ()))
    for path in paths:
        if path.startswith(("/", "~")) or ".." in path.split("/") or "\\" in path:
            raise file.error("prose.paths", f"must stay inside the library ({path!r} does not)")
    return paths


def _model(values: Mapping[str, Any]) -> str | None:
    name = values.get("find.model")
    return str(name) if name else None


def _reranker(values: Mapping[str, Any], env: Mapping[str, str]) -> Path | None:
    named = env.get("PRESSMARK_RERANKER") or values.get("models.reranker")
    return _expand(named, env) if named and named != "none" else None


def _editor(values: Mapping[str, Any], env: Mapping[str, str]) -> str | None:
    named = env.get("PRESSMARK_EDITOR") or values.get("editor")
    return named or env.get("VISUAL") or env.get("EDITOR") or None


def _flag(env: Mapping[str, str], name: str, *, unset: bool = False) -> bool:
    value = env.get(name, "").strip().casefold()
    if not value:
        return unset
    if value in ("0", "false", "no", "off"):
        return False
    if value in ("1", "true", "yes", "on"):
        return True
    raise Configuration(f"{name} must be 1 or 0.", next=f"export {name}=1")


def _misspelt_variables(env: Mapping[str, str]) -> list[str]:
    unknown = [n for n in env if n.startswith("PRESSMARK_") and n not in VARIABLES]
    if not unknown:
        return []
    from difflib import get_close_matches

    near = {name: get_close_matches(name, VARIABLES, 1, 0.85) for name in sorted(unknown)}
    return [f"{name} is no setting; did you mean {n[0]}?" for name, n in near.items() if n]


def _home(env: Mapping[str, str]) -> Path:
    return Path(env["HOME"]) if env.get("HOME") else Path.home()


def _expand(path: str, env: Mapping[str, str]) -> Path:
    if path == "~" or path.startswith("~/"):
        return _home(env) / path[2:]
    return Path(path)


def _folder(variable: str, plain: str, native: str, env: Mapping[str, str]) -> Path:
    """The user's cache or state folder: XDG wherever it is set, else the system's own place."""
    named = env.get(variable, "")
    if named.startswith("/"):
        return Path(named) / "pressmark"
    if sys.platform in ("darwin", "win32"):
        import platformdirs

        return Path(getattr(platformdirs, native)("pressmark", appauthor=False))
    return _home(env) / plain / "pressmark"
