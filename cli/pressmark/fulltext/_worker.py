"""A document on stdin, what its converter made of it as JSON on stdout, within limits.

Run by path. The first line of stdin says of what kind the document is, and where the process that
started this one finds its modules: the two run the same code.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict


def main() -> None:
    """Read, convert, print."""
    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(head)
    sys.path[:] = asked["path"]
    from pressmark.fulltext import limits

    limits.cap(limits.WORKER if asked["kind"] == "pdf" else limits.MEMORY, int(asked["cpu"]))
    try:
        answer = convert(data, str(asked["kind"]), str(asked.get("password") or ""))
    except MemoryError:
        answer = {"stopped": "memory"}
    except Exception as error:
        answer = {"fault": type(error).__name__}
    sys.stdout.write(json.dumps(answer))


def convert(data: bytes, kind: str, password: str) -> dict[str, object]:
    """The converter's answer as plain data."""
    if kind == "pdf":
        from pressmark.fulltext import pdf

        return asdict(pdf.to_markdown(data, password))
    if kind == "html":
        from pressmark.fulltext import html

        return asdict(html.to_markdown(data))
    if kind == "tei":
        from pressmark.fulltext import tei

        return asdict(tei.to_markdown(data))
    from pressmark.fulltext import jats

    return asdict(jats.to_markdown(data))


if __name__ == "__main__":
    sys.setrecursionlimit(5_000)
    main()
