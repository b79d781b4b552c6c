"""An index of Pagefind in; the same index with every list in one order out.

Pagefind writes the values of its filters in the order of a hash table, which differs each time,
and names files after their bytes. The files hold CBOR (RFC 8949) behind twelve bytes, gzipped;
only the kinds that Pagefind writes are known here, and a file with any other is left as it is.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

MARK = b"pagefind_dcd"


def settled(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The files of an index, its filters in order, those files named after that."""
    filters: dict[str, bytes] = {}
    fragments: dict[str, bytes] = {}
    metas: dict[str, bytes] = {}
    entry = b""
    for path, data in files:
        if path.startswith("filter/"):
            filters[path.removeprefix("filter/").partition(".")[0]] = data
        elif path.startswith("fragment/"):
            fragments[path.removeprefix("fragment/").partition(".")[0]] = data
        elif path.endswith(".pf_meta"):
            metas[path.removeprefix("pagefind.").removesuffix(".pf_meta")] = data
        elif path == "pagefind-entry.json":
            entry = data
        else:
            yield path, data
    renamed = {}
    for old, data in filters.items():
        name, values = _read(data)
        ordered = _written([name, sorted(values)])
        renamed[old] = _named(old, ordered)
        yield f"filter/{renamed[old]}.pf_filter", ordered
    stamp = _stamp(fragments)
    known = json.loads(entry)
    for each in known["languages"].values():
        parts = _read(metas[each["hash"]])
        parts[3] = sorted([name, renamed.get(old, old)] for name, old in parts[3])
        for number, page in enumerate(parts[1]):
            page[0], old = f"{stamp}/{number}", page[0]
            yield f"fragment/{page[0]}.pf_fragment", fragments[old]
        ordered = _written(parts)
        each["hash"] = _named(each["hash"], ordered)
        yield f"pagefind.{each['hash']}.pf_meta", ordered
    yield "pagefind-entry.json", json.dumps(known, sort_keys=True).encode("utf-8")


def _stamp(fragments: Mapping[str, bytes]) -> str:
    """One name for all fragments of a build; below it they are numbered.

    A name of its own each is most of the table that a first question loads: 42 kB of 5,000
    pages, where numbers take a fifth. A browser that kept a fragment keeps the right one still.
    """
    digest = hashlib.sha256()
    for name in sorted(fragments):
        digest.update(name.encode("ascii") + fragments[name])
    return digest.hexdigest()[:10]


def _named(old: str, data: bytes) -> str:
    return f"{old.partition('_')[0]}_{hashlib.sha256(data).hexdigest()[:10]}"


def _read(data: bytes) -> Any:
    raw = gzip.decompress(data)
    if not raw.startswith(MARK):
        raise ValueError("no file of Pagefind")
    return _decoded(raw, len(MARK))[0]


def _written(value: Any) -> bytes:
    return gzip.compress(MARK + _encoded(value), compresslevel=9, mtime=0)


def _decoded(data: bytes, at: int) -> tuple[Any, int]:
    kind, short = data[at] >> 5, data[at] & 31
    at += 1
    number = short
    if 24 <= short <= 27:
        size = 1 << (short - 24)
        number = int.from_bytes(data[at : at + size], "big")
        at += size
    elif short > 27:
        raise ValueError("a length that ends somewhere")
    if kind == 0:
        return number, at
    if kind == 3:
        return data[at : at + number].decode("utf-8"), at + number
    if kind == 4:
        items = []
        for _ in range(number):
            item, at = _decoded(data, at)
            items.append(item)
        return items, at
    raise ValueError(f"kind {kind}")


def _encoded(value: Any) -> bytes:
    if isinstance(value, int):
        return _head(0, value)
    if isinstance(value, str):
        text = value.encode("utf-8")
        return _head(3, len(text)) + text
    return _head(4, len(value)) + b"".join(map(_encoded, value))


def _head(kind: int, number: int) -> bytes:
    if number < 24:
        return bytes([kind << 5 | number])
    size = next(n for n in (1, 2, 4, 8) if number < 1 << (8 * n))
    return bytes([kind << 5 | (23 + size.bit_length())]) + number.to_bytes(size, "big")
