"""A power cut right after a change was acknowledged: it is there when the machine is back.

On a real file system in a file, which is told to stop as if the power had gone: what was not
synced is lost. Only root can do that.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from scratch import KEY, PAPER, Lib, make

SHUTDOWN = 0x8004587D  # _IOR('X', 125, __u32): the same for ext4, xfs and f2fs
WITHOUT_FLUSH = 2
TWO = b"---\ntitle: Two\n---\n"
KINDS = {"ext4": ("mkfs.ext4", "-q", "-F"), "xfs": ("mkfs.xfs", "-q", "-f")}


class Machine:
    """A file system that can lose its power."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.image = folder / "image"
        self.mount = folder / "mount"
        self.mount.mkdir()
        with self.image.open("wb") as file:
            file.truncate(400 * 1024 * 1024)
        self._run(*KINDS[kind], str(self.image))
        self.start()

    def _run(self, *words: str) -> None:
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"not possible here: {words[0]}: {done.stderr.strip()[-80:]}")

    def start(self) -> None:
        self._run("mount", "-o", "loop", str(self.image), str(self.mount))

    def stop(self) -> None:
        subprocess.run(["umount", str(self.mount)], capture_output=True)

    def cut(self) -> None:
        descriptor = os.open(self.mount, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, SHUTDOWN, struct.pack("=I", WITHOUT_FLUSH))
        finally:
            os.close(descriptor)
        subprocess.run(["umount", str(self.mount)], check=True)
        self.start()


@pytest.fixture(params=KINDS)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Machine]:
    if os.getuid() != 0:
        pytest.skip("not possible here: only root can mount a file system")
    if shutil.which(KINDS[request.param][0]) is None:
        pytest.skip(f"{KINDS[request.param][0]} is not installed")
    machine = Machine(tmp_path, request.param)
    yield machine
    machine.stop()


@pytest.fixture
def lib(machine: Machine) -> Lib:
    lib = make(machine.mount / "lib")
    subprocess.run(["sync"], check=True)
    return lib


def test_a_power_cut_loses_nothing_acknowledged(machine: Machine, lib: Lib) -> None:
    changes: list[dict[str, bytes | None]] = [
        {"library/2018/a.md": TWO},
        {KEY: TWO},
        {KEY: None, "library/2019/b.md": TWO},
        {f"library/{1900 + n % 7}/n{n}.md": b"%d" % n for n in range(520)},
        {"library/2018/a.md": None},
    ]
    for change in changes:
        done = lib.change(*change.items())
        assert done is not None
        machine.cut()
        assert lib.git("rev-parse", "HEAD") == done.sha
        for path, data in change.items():
            assert (lib.read(path) if data is not None else (lib.root / path).exists()) == (
                data if data is not None else False
            )
        assert lib.status() == []
        lib.git("fsck", "--strict")
        lib.repo.recover()
        lib.tidy()
    assert lib.repo.revert().sha is not None
    machine.cut()
    assert lib.read("library/2018/a.md") == TWO
    assert lib.status() == []
    lib.repo.recover()
    lib.tidy()


def test_the_cut_is_real(machine: Machine, lib: Lib) -> None:
    """What nobody synced is lost, so the test above tests something."""
    lib.write(KEY, TWO)
    machine.cut()
    assert lib.read(KEY) == PAPER
