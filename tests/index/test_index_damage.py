"""An index cut at every 4 KiB, with bytes flipped, on a full disk, or where nothing can be written."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from index.shelf import FIELD, put, reference, reopen, shelf
from index.test_index import NOTE, SENTENCE, TEXT, current, folder, found
from pressmark import find, index
from pressmark.disk import folders
from pressmark.errors import Busy, PressmarkError
from pressmark.index import engines, native, opening
from pressmark.library import Library

WHOLE = bool(os.environ.get("PRESSMARK_FULL"))
BLOCK = 4096


@pytest.fixture(params=["whoosh", "tantivy"])
def library(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Library:
    """Some references, a note and a text, indexed by each engine."""
    if request.param == "tantivy":
        pytest.importorskip("tantivy", reason="tantivy is not installed")
        monkeypatch.setattr(engines, "LIMIT", 2)
    many = [reference(f"r{n:03}", f"Heron {n}", SENTENCE * 3) for n in range(120)]
    library = shelf(tmp_path / "lib", [*FIELD, *many, NOTE, TEXT])
    assert find.find(library, "attention").hits[0].key == "vaswani2017attention"
    library.kept.pop("index").close()  # type: ignore[attr-defined]  # what is open is mapped
    return library


def check(library: Library) -> None:
    """Damage is seen, the index is made anew, and what it answers is right."""
    fresh = reopen(library.root)
    assert index.status(fresh)["state"] == "not_built"
    assert find.find(fresh, "attention").hits[0].key == "vaswani2017attention"


def places(path: Path) -> list[int]:
    """Where a file is cut: at every block's border, and in its middle."""
    size = path.stat().st_size
    cuts = sorted({*range(0, size, BLOCK), size // 2, size - 1} - {size})
    return cuts if WHOLE or len(cuts) < 3 else [cuts[0], cuts[len(cuts) // 2], cuts[-1]]


def trusted(library: Library) -> bool:
    """Whether the index that stands there would be opened."""
    place = opening._lasting(library)[0]
    return place.current() is not None


def test_cut_anywhere_it_is_not_opened(library: Library) -> None:
    cut = 0
    for path in sorted(current(library).iterdir()):
        data = path.read_bytes()
        for place in places(path) if data else ():
            path.unlink()  # a new file: cutting one that is still mapped would end this process
            path.write_bytes(data[:place])
            assert not trusted(library), (path.name, place)
            path.write_bytes(data)
            assert trusted(library)  # the same bytes are known again
            cut += 1
    assert cut > 10


def test_a_flipped_byte_anywhere_is_seen(library: Library) -> None:
    chance = random.Random(11)
    for path in sorted(current(library).iterdir()):
        data = path.read_bytes()
        for _ in range((50 if WHOLE else 2) if data else 0):
            place = chance.randrange(len(data))
            path.write_bytes(
                data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]
            )
            assert not trusted(library), (path.name, place)
        path.write_bytes(data)
    assert trusted(library)


def test_what_is_damaged_is_built_anew_and_answers(library: Library) -> None:
    for path in sorted(current(library).iterdir()):
        if path.stat().st_size:
            data = path.read_bytes()
            path.unlink()
            path.write_bytes(data[: len(data) // 2])
            break
    check(library)
    assert index.status(reopen(library.root))["state"] == "ready"


def test_a_disk_without_room_keeps_the_old_index(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = current(library)
    put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small.")])

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    again = reopen(library.root)
    with monkeypatch.context() as patch:
        patch.setattr(folders, "settle", full)
        with pytest.raises(PressmarkError, match="cannot be written"):
            index.build(again)
    assert current(library) == before and trusted(library)
    assert [p.name for p in folder(library).iterdir() if p.name.startswith(".new-")] == []
    assert found(reopen(library.root), "quokka") == ["new2020quokka"]


def test_while_another_builds_the_command_says_so(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pressmark import disk

    monkeypatch.setattr(opening, "WAIT", 0.2)
    put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small.")])
    with disk.Lock(folder(library) / "lock", 1):
        with pytest.raises(Busy):
            index.build(reopen(library.root))
        assert index.status(reopen(library.root))["state"] == "building"
    assert index.build(reopen(library.root))["state"] == "ready"


def test_what_another_process_refreshed_is_picked_up(library: Library) -> None:
    assert find.find(library, "quokka").hits == ()
    put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small.")])
    code = (
        "import sys; from pathlib import Path; from pressmark.index import engines\n"
        f"engines.LIMIT = {engines.LIMIT}\n"
        "from index.shelf import reopen; from pressmark import index\n"
        "print(index.build(reopen(Path(sys.argv[1])))['state'])"
    )
    tests = Path(__file__).resolve().parent.parent
    env = {**os.environ, "PYTHONPATH": f"{tests.parent / 'cli'}{os.pathsep}{tests}"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(library.root)], capture_output=True, text=True, env=env
    )
    assert done.stdout.strip() == "ready", done.stderr
    held = current(library)
    library.refresh()
    assert [hit.key for hit in find.find(library, "quokka").hits] == ["new2020quokka"]
    assert current(library) == held  # it was there already, and was not built again


@pytest.mark.skipif(
    os.getuid() == 0 and shutil.which("setpriv") is None, reason="needs setpriv as root"
)
def test_a_library_that_cannot_be_written_is_found_in(tmp_path: Path) -> None:
    shelf(tmp_path / "lib", FIELD)
    user = tmp_path / "user"
    user.mkdir(mode=0o777)
    user.chmod(0o777)
    for path in [tmp_path / "lib", *(tmp_path / "lib").rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == os.getuid() and str(path) != "/":
            path.chmod(path.stat().st_mode | 0o055)
    code = (
        "import sys; from pathlib import Path; from index.shelf import reopen\n"
        "from pressmark import find, index\n"
        "root, user = map(Path, sys.argv[1:]); library = reopen(root, user=user)\n"
        "print(find.find(library, 'attention').hits[0].key, index.status(library)['state'])"
    )
    tests = Path(__file__).resolve().parent.parent
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    env = {"PATH": os.environ["PATH"], "HOME": str(user), "PYTHONDONTWRITEBYTECODE": "1",
           "PYTHONPATH": f"{tests.parent / 'cli'}{os.pathsep}{tests}"}  # fmt: skip
    done = subprocess.run(
        [*(as_nobody if os.getuid() == 0 else ()), sys.executable, "-c", code,
         str(tmp_path / "lib"), str(user)], capture_output=True, text=True, env=env,
    )  # fmt: skip
    for path in (tmp_path / "lib").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (tmp_path / "lib").chmod(0o755)
    if "PermissionError" in done.stderr and "site-packages" in done.stderr:
        pytest.skip("another user cannot read this Python")
    assert done.stdout.split() == ["vaswani2017attention", "ready"], done.stderr
    assert not (tmp_path / "lib" / ".pressmark").exists()


def test_native_looks_for_nothing_that_is_not_asked_for() -> None:
    assert native.installed("surely_not_a_package_of_anybody") is False
