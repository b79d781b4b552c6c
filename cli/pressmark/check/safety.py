"""Rules about what a library must not carry: links out of it, tracked sidecars, secrets."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.check.finding import Finding
from pressmark.check.view import View, over
from pressmark.errors import PressmarkError

SIDECARS = ".pressmark"
PLACES = (*layout.FOLDERS, "site", ".github")
SETTINGS = ("pressmark.toml", "pyproject.toml", "mkdocs.yml", "README.md", ".gitattributes", ".env")
TEXTS = (".md", ".toml", ".yml", ".yaml", ".json", ".txt", ".bib", ".py", ".sh", ".cfg", ".ini")
LARGEST = 8 * 1024 * 1024


def symlink(view: View) -> Iterator[Finding]:
    """SYMLINK: a link where a file or folder should be; nothing of ours follows one."""
    for top in PLACES:
        for path in _links(view.root, top):
            if view.covers(path):
                yield Finding(
                    code="SYMLINK", severity="error", path=path,
                    message="This is a symbolic link; Pressmark follows none.",
                    next="replace it by what it points to",
                )  # fmt: skip


def _links(root: Path, top: str) -> Iterator[str]:
    pending = [top]
    while pending:
        folder = pending.pop()
        mode = _mode(root / folder)
        if stat.S_ISLNK(mode):
            yield folder
        elif stat.S_ISDIR(mode):
            with os.scandir(root / folder) as entries:
                for entry in sorted(entries, key=lambda each: each.name):
                    if entry.is_symlink() or entry.is_dir(follow_symlinks=False):
                        pending.append(f"{folder}/{entry.name}")


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def tracked_sidecar(view: View) -> Iterator[Finding]:
    """TRACKED-SIDECAR: an index from somebody else may run their code when it is opened."""
    repository = view.library.repository
    for path in repository.tracked(SIDECARS) if repository else ():
        yield Finding(
            code="TRACKED-SIDECAR", severity="error", path=path,
            message="Git tracks a file that is made anew on each machine.",
            next=f"git rm -r --cached {SIDECARS}, and ignore it",
        )  # fmt: skip


SHAPES: dict[str, tuple[tuple[bytes, ...], re.Pattern[bytes]]] = {
    "a key": (
        (b"api_key", b"api-key", b"apikey", b"_key", b"access_token", b"access-token", b"secret"),
        re.compile(
            rb"(?:api[_-]?key|apikey|access[_-]?token|auth[_-]?token|client[_-]?secret"
            rb"|secret[_-]?key|pressmark_\w+_key)[\"']?\s*[=:]\s*[\"']?"
            rb"(?=[\w.+/-]*\d)(?=[\w.+/-]*[a-z])([\w.+/-]{12,})",
            re.I,
        ),
    ),
    "a bearer token": (
        (b"bearer ",),
        re.compile(rb"authorization[\"']?\s*[=:]\s*[\"']?bearer\s+([\w.+/=-]{16,})", re.I),
    ),
    "a GitHub token": (
        (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_"),
        re.compile(rb"\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})"),
    ),
    "an AWS key": ((b"akia",), re.compile(rb"\b(AKIA[0-9A-Z]{16})\b")),
    "an OpenAI key": ((b"sk-",), re.compile(rb"\b(sk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,})")),
    "a private key": (
        (b"private key-----",),
        re.compile(rb"(-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----)"),
    ),
}
"""What a secret looks like: bytes that must stand in the file in lower case, and the shape."""

_EXAMPLE = re.compile(rb"your|example|xxxx|placeholder|changeme|\.\.\.|1234567890", re.I)


def secret(view: View) -> Iterator[Finding]:
    """SECRET: a key of the user's, or what has the shape of one. It is never printed."""
    own = [key.encode() for key in view.library.config.keys.values() if len(key) >= 8]
    yield from over("SECRET", _readable(view), lambda path: _told(view, path, own))


def _told(view: View, path: str, own: list[bytes]) -> Iterator[Finding]:
    data = view.read(path) or b""
    for place, what in _secrets(data, own):
        start = data.rfind(b"\n", 0, place) + 1
        yield Finding(
            code="SECRET", severity="error", path=path, line=data.count(b"\n", 0, place) + 1,
            column=len(data[start:place].decode("utf-8", "replace")) + 1,
            message=f"Here stands {what}; whoever reads the history has it.",
            next="take it out, make a new one, and keep that in your own config.toml",
        )  # fmt: skip


def _secrets(data: bytes, own: list[bytes]) -> Iterator[tuple[int, str]]:
    for key in own:
        if key in data:
            yield data.index(key), "one of your own keys"
    lower = data.lower()
    for what, (hints, shape) in SHAPES.items():
        if any(hint in lower for hint in hints):
            for found in shape.finditer(data):
                if not _EXAMPLE.search(found.group(1)) and found.group(1) not in own:
                    yield found.start(1), f"what looks like {what}"


def _readable(view: View) -> Iterator[str]:
    """The texts of a library, sorted: its records, prose, pages, workflows and settings."""
    named = {name for name in (*SETTINGS, *(view.chosen or ())) if disk.exists(view.root, name)}
    found = {*named, *view.texts}
    for top in PLACES if view.chosen is None else view.chosen - named:
        with suppress(PressmarkError):
            for each in disk.walk(view.root, top, suffix=""):
                if each.relative.endswith(TEXTS) and each.size <= LARGEST:
                    found.add(each.relative)
    return (path for path in sorted(found) if view.covers(path))
