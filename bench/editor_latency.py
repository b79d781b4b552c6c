"""A library's folder in; what the language server spends on each question of an editor out.

    python bench/invent.py library DIR 20000
    python bench/editor_latency.py DIR

CPU seconds of the server's own process, from the kernel, per question; the peer is a fuzzy search
over the same labels in this process.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "cli")]

from editor import Editor  # noqa: E402

TIMES = 30
NOTE = "notes/latency.md"
TEXT = "See [@s and\n[[re\n#x\n@wang \n@evidence\n"
PLACES = {
    "`@` and nothing": (0, 6), "`@s`": (0, 7), "`[[re`": (1, 4), "`#x`": (2, 2),
    "`@wang`": (3, 5), "`@evidence`": (4, 9),
}  # fmt: skip


def spent(process: int) -> float:
    """User and system seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(root: Path) -> None:
    """Print a table."""
    env = {**os.environ, "PYTHONPATH": str(HERE.parent / "cli"), "PRESSMARK_OFFLINE": "1"}
    with Editor([sys.executable, "-m", "pressmark", "lsp"], root, env) as editor:
        began = time.monotonic()
        editor.open(NOTE, TEXT)
        editor.until(lambda: editor.complete(NOTE, 0, 6) or None, 300)
        server = editor.process.pid
        print("| question | CPU ms | wall ms |\n|---|---:|---:|")
        wall = (time.monotonic() - began) * 1000
        print(f"| from start to the first answer | {spent(server) * 1000:.0f} | {wall:.0f} |")
        time.sleep(3)

        def row(what: str, ask: object, times: int = TIMES) -> None:
            before, start = spent(server), time.monotonic()
            for at in range(times):
                ask(at)  # type: ignore[operator]
            cpu = (spent(server) - before) / times * 1000
            wall = (time.monotonic() - start) / times * 1000
            print(f"| {what} | {cpu:.1f} | {wall:.1f} |")

        for what, place in PLACES.items():
            row(f"completion of {what}", lambda _, p=place: editor.complete(NOTE, *p))

        def typed(at: int) -> None:
            editor.change(NOTE, TEXT + "x" * at)
            editor.complete(NOTE, 0, 7)

        row("a change and a completion", typed)
        key = editor.complete(NOTE, 0, 7)[0]["textEdit"]["newText"]
        editor.change(NOTE, f"See @{key}, and @nobody2001.\n")
        editor.diagnostics(NOTE)
        row("hover", lambda _: editor.ask("hover", NOTE, 0, 8))
        row("definition", lambda _: editor.ask("definition", NOTE, 0, 8))
        row("workspace symbols", lambda _: editor.request("workspace/symbol", {"query": "trial"}))
        context = {"includeDeclaration": False}
        row("references", lambda _: editor.ask("references", NOTE, 0, 8, context=context), 2)
        labels = [e["name"] for e in editor.request("workspace/symbol", {"query": ""})]
        memory = Path(f"/proc/{server}/status").read_text().split("VmHWM:")[1].split()[0]
    peer(labels)
    print(f"\nThe server took {int(memory) / 1024:.0f} MB.")


def peer(labels: list[str]) -> None:
    """A fuzzy search over as many labels."""
    from rapidfuzz import process

    many = [f"{label} {number}" for number in range(200) for label in labels]
    before = resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(5):
        process.extract("wang", many, limit=100)
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 5 * 1000
    print(f"| beside it: rapidfuzz over {len(many):,} labels | {cpu:.1f} | |")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
