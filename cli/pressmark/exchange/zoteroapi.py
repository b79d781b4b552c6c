"""The local interface of a running Zotero in; its items out, as `zotero` has them.

http://127.0.0.1:23119/api/users/0 answers as Zotero's web API does, when the program is open and
lets other programs on this computer ask (https://www.zotero.org/support/dev/web_api/v3/basics).
It is the one address of this machine that the guard lets through, and only a user can name another.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pressmark.errors import PressmarkError, SourceBroken
from pressmark.exchange.zotero import Shelf
from pressmark.http import checked

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.http import Client, NullClient

ADDRESS = "http://127.0.0.1:23119"
URL = "http://zotero.invalid/api/users/0"
PAGE = 100


def client(config: Config) -> Client | NullClient:
    """A client that may ask this machine's Zotero, and nothing else here."""
    from pressmark.http import open_client

    urls = {"zotero": ADDRESS, **config.base_urls}
    return open_client(replace(config, base_urls=urls, pace={"zotero": 0.0, **config.pace}))


def items(asking: Client | NullClient, key: str | None = None) -> Iterator[dict[str, Any]]:
    """Every item, page by page, children too; of one key its own item only."""
    if key:
        yield from _data(asking, f"{URL}/items/{key}", {})
        return
    start = 0
    while True:
        page = list(_data(asking, f"{URL}/items", {"limit": str(PAGE), "start": str(start)}))
        yield from page
        if len(page) < PAGE:
            return
        start += PAGE


def _data(
    asking: Client | NullClient, url: str, params: dict[str, str]
) -> Iterator[dict[str, Any]]:
    answer = asking.get(
        url, source="zotero", params={"format": "json", **params},
        headers={"Zotero-API-Version": "3"}, seconds=10.0, refresh=True,
    )  # fmt: skip
    try:
        found = json.loads(checked(answer).body)
    except ValueError:
        raise SourceBroken("Zotero's local answer is no JSON.") from None
    for each in found if isinstance(found, list) else [found]:
        data = each.get("data") if isinstance(each, dict) else None
        if isinstance(data, dict):
            yield data


def everything(asking: Client | NullClient) -> tuple[list[dict[str, Any]], Shelf]:
    """The works, and what hangs on them."""
    works: list[dict[str, Any]] = []
    children: dict[str, list[dict[str, Any]]] = defaultdict(list)
    members: dict[str, list[str]] = defaultdict(list)
    for item in items(asking):
        if item.get("itemType") in ("note", "attachment", "annotation"):
            children[str(item.get("parentItem") or "")].append(_child(item))
            continue
        works.append(item)
        for collection in item.get("collections") or ():
            members[str(collection)].append(str(item.get("key", "")))
    shelf = Shelf(children=dict(children))
    names: dict[str, tuple[str, str]] = {}
    for each in _data(asking, f"{URL}/collections", {"limit": str(PAGE)}):
        parent = each.get("parentCollection") or ""
        names[str(each.get("key"))] = str(each.get("name", "")), str(parent)
    for key in names:
        shelf.collections[key] = _path(names, key), sorted(members.get(key, []))
    return works, shelf


def _path(names: dict[str, tuple[str, str]], key: str) -> str:
    found: list[str] = []
    while key in names and len(found) < 20:
        name, key = names[key]
        found.insert(0, name)
    return " / ".join(found)


def _child(item: dict[str, Any]) -> dict[str, Any]:
    if item.get("itemType") == "annotation":
        return {
            "key": item.get("key"), "itemType": "annotation",
            "text": item.get("annotationText") or "",
            "comment": item.get("annotationComment") or "",
            "page": item.get("annotationPageLabel") or "",
        }  # fmt: skip
    if item.get("itemType") == "attachment":
        path = item.get("path") or ""
        name = item.get("filename") or ""
        return {**item, "path": path or (f"storage:{name}" if name else "")}
    return item


def is_there(asking: Client | NullClient) -> bool:
    """Whether a Zotero answers here."""
    try:
        next(_data(asking, f"{URL}/items", {"limit": "1"}), None)
    except PressmarkError:
        return False
    return True
