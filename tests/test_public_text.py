"""What no tracked file may carry: addresses, machine paths, hosts of package registries."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.(?:com|org|net|edu|gov|io|ac\.\w\w|\w\w)\b")
MACHINE = re.compile(r"(?<![\w.])/(?:home|Users|root|work)/\w")
REGISTRY = re.compile(r"pypi\.org|registry\.npmjs|deb\.debian\.org|files\.pythonhosted", re.I)
NOT_ADDRESSES = re.compile(
    r"git@github\.com|@example\.(?:com|org|net)|\.invalid|\.example"
    r"|\b[a-z]@[a-z]\.(?:org|com)\b"  # one letter each: nobody's
)


def tracked() -> list[Path]:
    """The files git tracks here; the working copy may also be an unpacked archive."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not possible here: this copy of the project is not a git checkout")
    return [PROJECT / name for name in done.stdout.split("\0") if name]


def lines() -> list[tuple[str, str]]:
    found = []
    for path in tracked():
        if path.is_file() and path != Path(__file__).resolve():
            try:
                content = path.read_text("utf-8")
            except UnicodeDecodeError:
                continue
            found += [
                (f"{path.relative_to(PROJECT)}:{n}", line)
                for n, line in enumerate(content.splitlines(), 1)
            ]
    return found


def test_no_address_no_machine_path_no_registry_host() -> None:
    bad = []
    for place, line in lines():
        address = ADDRESS.search(line)
        if address and not NOT_ADDRESSES.search(line):
            bad.append(f"{place}: {address.group()}")
        for pattern in (MACHINE, REGISTRY):
            if hit := pattern.search(line):
                bad.append(f"{place}: {hit.group()}")
    assert bad == []
