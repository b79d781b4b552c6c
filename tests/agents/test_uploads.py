"""Uploads: chunks in order, within their limits and their time."""

from __future__ import annotations

import base64

import pytest

from pressmark.errors import BadInput, NotFound, TooLarge
from pressmark.mcp.uploads import CHUNK, LARGEST, SECONDS, SESSIONS, Uploads, checked, decode


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_chunks_become_the_document() -> None:
    uploads = Uploads()
    name = uploads.begin("paper.pdf")
    assert uploads.add(name, 0, encoded(b"%PDF-1.7 a")) == 10
    assert uploads.add(name, 1, encoded(b"bc")) == 12
    assert uploads.finish(name) == (b"%PDF-1.7 abc", "paper.pdf")
    with pytest.raises(NotFound, match="no such upload"):
        uploads.finish(name)


def test_a_chunk_out_of_order_is_refused_and_the_right_one_still_taken() -> None:
    uploads = Uploads()
    name = uploads.begin()
    with pytest.raises(BadInput, match="Chunk 1 was sent where chunk 0 belongs"):
        uploads.add(name, 1, encoded(b"x"))
    assert uploads.add(name, 0, encoded(b"%PDF-")) == 5


def test_an_upload_is_over_after_five_minutes() -> None:
    clock = Clock()
    uploads = Uploads(clock)
    name = uploads.begin()
    clock.now = SECONDS - 1
    uploads.add(name, 0, encoded(b"%PDF-"))
    clock.now = SECONDS
    with pytest.raises(NotFound):
        uploads.add(name, 1, encoded(b"x"))


def test_sixteen_sessions_and_expired_ones_make_room() -> None:
    clock = Clock()
    uploads = Uploads(clock)
    for _ in range(SESSIONS):
        uploads.begin()
    with pytest.raises(BadInput, match="16 uploads are under way"):
        uploads.begin()
    clock.now = SECONDS + 1
    assert uploads.begin()


def test_too_much_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(TooLarge):
        decode("A" * (4 * -(-CHUNK // 3) + 4), CHUNK)
    assert len(decode(encoded(b"x" * CHUNK), CHUNK)) == CHUNK
    with pytest.raises(TooLarge):
        decode(encoded(b"x" * (CHUNK + 1)), CHUNK)


def test_the_whole_has_a_limit_of_its_own() -> None:
    uploads = Uploads()
    name = uploads.begin()
    piece = encoded(b"x" * CHUNK)
    for index in range(LARGEST // CHUNK):
        uploads.add(name, index, piece)
    with pytest.raises(TooLarge, match="10,485,760"):
        uploads.add(name, LARGEST // CHUNK, encoded(b"x"))


@pytest.mark.parametrize("content", ["not base64!", "QUJ", "Q U J D", "äöü"])
def test_what_is_no_base64_is_refused(content: str) -> None:
    with pytest.raises(BadInput, match="not base64"):
        decode(content, CHUNK)


def test_a_pdf_is_known_by_its_first_bytes_whatever_its_name() -> None:
    with pytest.raises(BadInput, match="no PDF"):
        checked(b"<html>")
    uploads = Uploads()
    name = uploads.begin("paper.pdf")
    uploads.add(name, 0, encoded(b"<html>"))
    with pytest.raises(BadInput, match="no PDF"):
        uploads.finish(name)
    with pytest.raises(NotFound):
        uploads.finish(name)


def test_nothing_sent_is_nothing_to_finish() -> None:
    uploads = Uploads()
    name = uploads.begin()
    with pytest.raises(BadInput, match="No chunk was sent"):
        uploads.finish(name)
    with pytest.raises(NotFound):
        uploads.finish(name)
