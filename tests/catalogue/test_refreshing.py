"""What the catalogue notices, and what it survives."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pressmark.catalogue import Catalogue, layout, reading, refreshing, schema
from pressmark.catalogue.refreshing import Delta

from .conftest import LONG_AGO, Write, opened


def database(root: Path) -> Path:
    return root / schema.FOLDER / schema.FILE


def test_files_come_change_and_go(root: Path, write: Write) -> None:
    write("a2020x")
    path = write("b2020x", title="Before")
    catalogue = Catalogue(root)
    assert catalogue.refresh() == Delta(added=("library/2020/a2020x.md", "library/2020/b2020x.md"))
    assert not catalogue.refresh()
    write("b2020x", title="After", age=5)
    assert catalogue.refresh() == Delta(changed=("library/2020/b2020x.md",))
    assert catalogue.get("B2020X").title == "After"
    path.unlink()
    write("c2020x")
    delta = catalogue.refresh()
    assert (delta.added, delta.deleted) == (
        ("library/2020/c2020x.md",),
        ("library/2020/b2020x.md",),
    )
    assert catalogue.keys() == ["a2020x", "c2020x"]
    assert catalogue.get("b2020x") is None


def test_a_touched_file_is_not_a_changed_one(root: Path, write: Write) -> None:
    write("a2020x")
    catalogue = opened(root)
    write("a2020x", age=60)
    assert not catalogue.refresh()


def test_the_same_size_and_time_stamp_hide_no_edit(root: Path, write: Write) -> None:
    """An editor that keeps the time stamp changes the inode or its ctime."""
    path = write("a2020x", title="Before")
    catalogue = opened(root)
    path.write_bytes(path.read_bytes().replace(b"Before", b"After!"))
    os.utime(path, (LONG_AGO, LONG_AGO))
    assert catalogue.refresh().changed == ("library/2020/a2020x.md",)
    assert catalogue.get("a2020x").title == "After!"


def test_a_file_as_young_as_its_reading_is_hashed_again(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("a2020x")
    now = path.stat().st_ctime_ns
    os.utime(path, ns=(now, now))
    catalogue = opened(root)
    reads: list[str] = []
    read = reading.read
    monkeypatch.setattr(reading, "read", lambda tree, stat, held: (
        reads.append(stat.relative), read(tree, stat, held))[1])  # fmt: skip
    catalogue.refresh()
    assert reads == ["library/2020/a2020x.md"]
    os.utime(path, (LONG_AGO, LONG_AGO))
    catalogue.refresh()
    catalogue.refresh()
    assert len(reads) == 2


@pytest.mark.parametrize("clock", [0, 2_145_916_800])
def test_a_wrong_clock_hides_nothing(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch, clock: int
) -> None:
    monkeypatch.setattr(reading.time, "time_ns", lambda: clock * 10**9)
    write("a2020x", title="Before")
    catalogue = opened(root)
    write("a2020x", title="After")
    catalogue.refresh()
    assert catalogue.get("a2020x").title == "After"


def test_an_unreadable_file_is_a_row_with_its_place(root: Path, write: Write) -> None:
    write("good2020x", doi="10.1000/good")
    bad = root / "library" / "2020" / "bad2020x.md"
    bad.write_text("---\ntitle: Bad\ndoi: 10.1000/bad\npublished: someday\n---\n")
    (root / "library" / "2020" / "worse2020x.md").write_bytes(b"---\ntitle: \xff\n---\n")
    catalogue = opened(root)
    assert catalogue.keys() == ["good2020x"]
    found = catalogue.unreadable()
    assert [(each.path, each.line, each.field) for each in found] == [
        ("library/2020/bad2020x.md", 4, "published"),
        ("library/2020/worse2020x.md", 2, None),
    ]
    assert "YYYY" in found[0].message
    assert catalogue.wrecked(["doi:10.1000/bad"]) == ["library/2020/bad2020x.md"]
    assert catalogue.is_taken("bad2020x")
    assert catalogue.resolve("bad2020x") == []
    bad.write_text("---\ntitle: Good again\n---\n")
    catalogue.refresh()
    assert [each.path for each in catalogue.unreadable()] == ["library/2020/worse2020x.md"]
    assert catalogue.get("bad2020x").title == "Good again"


def test_other_files_are_no_references(root: Path, write: Write) -> None:
    path = write("a2020x")
    path.with_name("a2020x.fulltext.md").write_text("---\nreference: a2020x\n---\n# Text\n")
    (root / "library" / "README.md").write_text("About these files\n")
    (root / "library" / ".hidden.md").write_text("x")
    (root / "library" / "link.md").symlink_to(path)
    catalogue = opened(root)
    assert catalogue.keys() == ["a2020x"]
    assert catalogue.with_fulltext() == {"a2020x": "library/2020/a2020x.fulltext.md"}
    assert [each.kind for each in catalogue.files()] == ["fulltext", "reference"]
    assert catalogue.unreadable() == []
    assert not catalogue.refresh()


def test_a_name_that_is_not_unicode_is_reported(root: Path, write: Write) -> None:
    write("a2020x")
    odd = os.fsencode(root / "library" / "2020") + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(odd)).write_text("---\ntitle: Odd\n---\n")
    except OSError:
        pytest.skip("not possible here: the file system wants valid Unicode")
    catalogue = opened(root)
    assert [(each.path, each.message) for each in catalogue.unreadable()] == [
        ("library/2020/caf?.md", "the file's name is not valid UTF-8.")
    ]
    assert catalogue.keys() == ["a2020x"]
    assert not catalogue.refresh()


def test_records_of_the_other_folders(root: Path) -> None:
    for path, text in {
        "topics/fields.md": "---\ntitle: Fields\nquery: fields\n---\n",
        "topics/searches/2026-01-01-x.md": "---\nquery: x\ndate: '2026-01-01'\n---\n",
        "topics/collections/thesis.md": "---\ntitle: Thesis\nmembers:\n- a2020x\n---\n",
        "topics/vocabularies/heart.md": "---\ntitle: Heart\n---\n",
        "notes/sub/idea.md": "Only text\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    catalogue = opened(root)
    slugs = {
        kind: [each.slug for each in catalogue.records(kind)]
        for kind in ("topic", "search", "collection", "vocabulary", "note")
    }
    assert slugs == {
        "topic": ["fields"], "search": ["2026-01-01-x"], "collection": ["thesis"],
        "vocabulary": ["heart"], "note": ["sub/idea"],
    }  # fmt: skip
    path, record = catalogue.record("collection", "THESIS")
    assert (path, record.members) == ("topics/collections/thesis.md", ("a2020x",))
    assert catalogue.record("topic", "nothing") is None


def test_what_is_damaged_is_rebuilt(root: Path, write: Write) -> None:
    for number in range(30):
        write(f"a2020x{number}", doi=f"10.1000/{number}")
    opened(root).close()
    whole = database(root).read_bytes()
    sizes = [*range(0, len(whole), 4096), 1, 100, len(whole) - 1]
    for size in sizes:
        database(root).write_bytes(whole[:size])
        catalogue = opened(root)
        assert (size, catalogue.count(), len(catalogue.identities())) == (size, 30, 60)
        assert len(list(catalogue.all())) == 30
        catalogue.close()


def test_flipped_bytes_never_change_a_record(root: Path, write: Write) -> None:
    """A flip in an index of SQLite's can hide a row; it cannot change one, and nothing crashes."""
    for number in range(30):
        write(f"a2020x{number}", doi=f"10.1000/{number}", venue="Nature")
    first = opened(root)
    true = {each.key: each for each in first.all()}
    first.close()
    whole = database(root).read_bytes()
    for position in range(0, len(whole), 1021):
        flipped = bytearray(whole)
        for at in range(position, min(position + 8, len(whole))):
            flipped[at] ^= 0xFF
        database(root).write_bytes(bytes(flipped))
        catalogue = opened(root)
        assert all(true[each.key] == each for each in catalogue.all())
        catalogue.close()


def test_another_version_and_a_foreign_file_are_rebuilt(root: Path, write: Write) -> None:
    write("a2020x")
    opened(root).close()
    with sqlite3.connect(database(root)) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert opened(root).count() == 1
    database(root).unlink()
    with sqlite3.connect(database(root)) as connection:
        connection.execute("CREATE TABLE refs(nonsense)")
    connection.close()
    assert opened(root).count() == 1


def test_a_trigger_in_a_received_catalogue_never_runs(root: Path, write: Write) -> None:
    write("a2020x")
    opened(root).close()
    with sqlite3.connect(database(root)) as connection:
        connection.execute(
            "CREATE TRIGGER evil AFTER INSERT ON refs BEGIN DELETE FROM records; END"
        )
    connection.close()
    write("b2020x")
    assert opened(root).keys() == ["a2020x", "b2020x"]
    with sqlite3.connect(database(root)) as connection:
        assert (
            connection.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall()
            == []
        )
    connection.close()


def test_a_link_in_place_of_the_sidecar_is_not_followed(
    root: Path, write: Write, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write("a2020x")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (root / schema.FOLDER).symlink_to(elsewhere)
    assert opened(root).keys() == ["a2020x"]
    assert list(elsewhere.iterdir()) == []


def run_as_nobody(root: Path, script: str) -> subprocess.CompletedProcess[str]:
    """A reader who may write nothing in the library."""
    if os.getuid() != 0:
        pytest.skip("not possible here: only root can become another user")
    package = Path(schema.__file__).resolve().parent.parent.parent
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c", script],
        capture_output=True, text=True, cwd="/",
        env={"PYTHONPATH": str(package), "HOME": "/nonexistent", "PATH": os.environ["PATH"],
             "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    unreadable = ("setpriv", "No module named 'pressmark'", "shared libraries")
    if any(words in done.stderr for words in unreadable):
        pytest.skip(f"not possible here: another user cannot run it: {done.stderr.strip()[-100:]}")
    return done


@pytest.fixture
def visible(root: Path, write: Write) -> Iterator[Path]:
    """A library in a folder that everybody may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        write("a2020x", title="A")
        for each in (*layout.FOLDERS,):
            shutil.copytree(root / each, folder / each)
        yield folder


READER = """
from pathlib import Path
from pressmark.catalogue import Catalogue
catalogue = Catalogue(Path({root!r}))
catalogue.refresh()
print(",".join(f"{{each.key}}={{each.title}}" for each in catalogue.all()))
"""


@pytest.mark.parametrize("prepared", [True, False])
def test_a_read_only_folder_is_read_all_the_same(visible: Path, prepared: bool) -> None:
    if prepared:
        opened(visible).close()
    source = visible / "library/2020/a2020x.md"
    source.with_name("b2020x.md").write_bytes(source.read_bytes().replace(b": A", b": B"))
    before = database(visible).read_bytes() if prepared else None
    done = run_as_nobody(visible, READER.format(root=str(visible)))
    assert (done.stdout.strip(), done.stderr) == ("a2020x=A,b2020x=B", "")
    assert (database(visible).read_bytes() if prepared else None) == before


def test_a_busy_catalogue_is_answered_from_memory(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a2020x")
    opened(root).close()
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(database(root), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    write("b2020x")
    assert opened(root).keys() == ["a2020x", "b2020x"]
    other.execute("ROLLBACK")
    other.close()
    assert opened(root).keys() == ["a2020x", "b2020x"]


def test_two_processes_at_once(root: Path, write: Write) -> None:
    for number in range(40):
        write(f"a2020x{number}", title="A")
    script = READER.format(root=str(root))
    package = Path(schema.__file__).resolve().parent.parent.parent
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONPATH": str(package)},
        )
        for _ in range(4)
    ]  # fmt: skip
    answers = {process.communicate() for process in running}
    expected = ",".join(f"{key}=A" for key in sorted(f"a2020x{n}" for n in range(40)))
    assert answers == {(expected + "\n", "")}


def test_a_folder_that_cannot_be_listed_loses_nothing(visible: Path) -> None:
    opened(visible).close()
    (visible / "library" / "2020").chmod(0)
    try:
        done = run_as_nobody(visible, READER.format(root=str(visible)))
    finally:
        (visible / "library" / "2020").chmod(0o755)
    assert (done.stdout.strip(), done.stderr) == ("a2020x=A", "")


def test_one_look_is_enough_until_something_changes(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark of a settled library spares every row; any change, by anybody, takes it away."""
    write("a2020x")
    looks: list[int] = []
    compare = refreshing._compare
    monkeypatch.setattr(refreshing, "_compare", lambda *each: (looks.append(1), compare(*each))[1])
    opened(root)
    opened(root)
    assert len(looks) == 1
    write("b2020x")
    assert opened(root).keys() == ["a2020x", "b2020x"]
    assert len(looks) == 2


def test_a_slower_process_does_not_settle_what_it_did_not_see(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between our look at the rows and our writing, another one stores older bytes of a file."""
    write("a2020x", title="Newer")
    opened(root).close()
    write("b2020x")
    slow = Catalogue(root)
    read = reading.read
    other = sqlite3.connect(database(root), isolation_level=None)

    def meanwhile(*arguments: object) -> object:
        other.execute("UPDATE files SET size = 1 WHERE path LIKE '%a2020x%'")
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "read", meanwhile)
    slow.refresh()
    monkeypatch.undo()
    other.close()
    assert schema.marks(slow._connection) == {"library/2020/": ""}
    assert not slow.refresh()
    assert schema.marks(slow._connection)["library/2020/"] != ""


def test_only_the_folders_that_changed_are_looked_at(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each folder has its own mark, and loses it with its last file."""
    write("a2019x", folder="2019")
    write("b2020x")
    opened(root)
    compare = refreshing._compare
    asked: list[tuple[str, ...]] = []

    def watched(*arguments: object) -> object:
        asked.append(tuple(arguments[2]))  # type: ignore[arg-type]
        return compare(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(refreshing, "_compare", watched)
    write("c2020x")
    catalogue = opened(root)
    assert catalogue.keys() == ["a2019x", "b2020x", "c2020x"]
    (root / "library" / "2019" / "a2019x.md").unlink()
    assert opened(root).keys() == ["b2020x", "c2020x"]
    assert asked == [("library/2020/",), ("library/2019/",)]
    assert schema.marks(catalogue._connection).keys() == {"library/2020/"}


def test_a_folder_in_a_folder_has_a_mark_of_its_own(root: Path, write: Write) -> None:
    write("a2020x")
    below = root / "library" / "2020" / "more"
    below.mkdir()
    (below / "b2020x.md").write_bytes((root / "library/2020/a2020x.md").read_bytes())
    assert opened(root).keys() == ["a2020x", "b2020x"]
    (root / "library" / "2020" / "a2020x.md").unlink()
    assert opened(root).keys() == ["b2020x"]
    (below / "b2020x.md").unlink()
    assert opened(root).keys() == []
