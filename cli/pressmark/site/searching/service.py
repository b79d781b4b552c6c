"""Records in; the files of an index out: Pagefind's program, spoken to over its standard streams.

The program's Python package asks for one record at a time and waits a tenth of a second for each
answer, 100 s for 1,000 records; the messages are the same here, and sent many at once.
https://pagefind.app/docs/py-api/
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import Any

from pressmark.errors import Unavailable

AT_ONCE = 64
"""Messages under way: their answers must fit a pipe."""


_FILE = re.compile(rb'\{"path":"[^"]*","content":"[^"]*"\}')
"""A file of the answer; its content is base64."""


class Service:
    """A running Pagefind with one index."""

    _rest = b""

    def __enter__(self) -> Service:
        from pagefind_bin import get_executable

        try:
            self._process = subprocess.Popen(
                [str(get_executable()), "--service"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as problem:
            raise Unavailable(
                f"Pagefind cannot be started: {problem}.",
                next="write search: false below the pressmark plugin in mkdocs.yml",
            ) from problem
        self._id = self._ask([{"type": "NewIndex", "config": {}}])[0]["index_id"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def add(self, records: Iterable[dict[str, Any]]) -> None:
        """Records, in their order."""
        rest = iter(records)
        while some := list(islice(rest, AT_ONCE)):
            self._ask([{**each, "index_id": self._id} for each in some])

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The files of the index, one after the other.

        The program writes them itself as well, but answers before the last one is complete.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        self._send(stdin, [{"type": "GetFiles", "index_id": self._id}])
        text = b""
        for decoded in self._stream(stdout):
            text += decoded
            at = 0
            for found in _FILE.finditer(text):
                at = found.end()
                file = json.loads(found[0])
                yield file["path"], base64.b64decode(file["content"])
            text = text[at:]
        if b'"Error"' in text:
            raise Unavailable("The search index was not made: Pagefind gave no files.")

    def _stream(self, stdout: Any) -> Iterator[bytes]:
        """The text of one answer, in parts."""
        while b"," not in self._rest:
            whole = len(self._rest) // 4 * 4
            if whole > 1 << 20:
                yield base64.b64decode(self._rest[:whole])
                self._rest = self._rest[whole:]
            more = stdout.read1(1 << 18)
            if not more:
                raise _ended()
            self._rest += more
        last, _, self._rest = self._rest.partition(b",")
        yield base64.b64decode(last)

    def _ask(self, messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        self._send(stdin, messages)
        return [self._answer(stdout) for _ in messages]

    def _send(self, stdin: Any, messages: Sequence[dict[str, Any]]) -> None:
        try:
            for number, payload in enumerate(messages, 1):
                text = json.dumps({"message_id": number, "payload": payload})
                stdin.write(base64.b64encode(text.encode("utf-8")) + b",")
            stdin.flush()
        except OSError as problem:
            raise _ended() from problem

    def _answer(self, stdout: Any) -> dict[str, Any]:
        while b"," not in self._rest:
            more = stdout.read1(1 << 16)
            if not more:
                raise _ended()
            self._rest += more
        data, _, self._rest = self._rest.partition(b",")
        payload: dict[str, Any] = json.loads(base64.b64decode(data))["payload"]
        if payload["type"] == "Error":
            raise Unavailable(f"The search index was not made: {payload.get('message')}.")
        return payload


def _ended() -> Unavailable:
    return Unavailable(
        "Pagefind ended before the search index was made.",
        next="write search: false below the pressmark plugin in mkdocs.yml",
    )
