"""A tool as a row: what it is called and for, what it takes and gives, the function behind it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from pressmark.errors import BadInput
from pressmark.mcp.shapes import Answer, Arguments

if TYPE_CHECKING:
    from pressmark.mcp.desk import Call

A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer, and the short text that says what is in it."""

    answer: Answer
    text: str


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool. `group` is discover, verify, world (asks providers) or write."""

    name: str
    title: str
    group: str
    about: str
    takes: type[Arguments]
    gives: type[Answer]
    run: Callable[[Call, Any], Told]
    destructive: bool = False
    idempotent: bool = True
    open_world: bool = False

    @property
    def writes(self) -> bool:
        """Whether it changes the library."""
        return self.group == "write"

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return brief(schema(self.takes))

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of its answer."""
        return outline(schema(self.gives))

    def arguments(self, given: Mapping[str, Any]) -> Arguments:
        """The arguments of a call, checked; an unknown one is refused with those there are."""
        known = list(self.takes.model_fields)
        strange = [name for name in given if name not in known]
        if strange:
            raise BadInput(
                f"{self.name} takes no argument {', '.join(_quoted(strange))}.",
                next=f"use {', '.join(known)}",
            )
        return self.takes.model_validate(_parsed(self.takes, given))


def flow(text: str) -> str:
    """A description as one paragraph, however its lines are broken here."""
    return " ".join(text.split())


def _quoted(names: Sequence[str]) -> list[str]:
    return [f"`{str(name)[:60]}`" for name in names[:5]]


def _parsed(takes: type[Arguments], given: Mapping[str, Any]) -> dict[str, Any]:
    """Lists that a client sent as a text of JSON, as some do, and absent for null where it may."""
    done = {}
    for name, value in given.items():
        field = takes.model_fields[name]
        wants_list = "tuple" in str(field.annotation)
        if isinstance(value, str) and wants_list and value.lstrip()[:1] == "[":
            with suppress(ValueError, RecursionError):
                value = json.loads(value)
        if value is None and not field.is_required():
            continue
        done[name] = value
    return done


def schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a shape, without the titles that only repeat names."""
    made: dict[str, Any] = _bare(shape.model_json_schema())
    return made


LIMITS = ("minLength", "maxLength", "minItems", "maxItems")
"""What a call is checked for and a listing leaves out: a refusal says it to whom it concerns."""


def brief(made: dict[str, Any]) -> dict[str, Any]:
    """A call's schema without the limits of lengths, and with a field that may be left out plain.

    A listing is read by the model in every conversation, so it is kept short.
    """
    fields = {name: _field(each) for name, each in made.get("properties", {}).items()}
    return {**made, "properties": fields} if fields else made


def _field(made: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in made.items() if key not in LIMITS}
    if kept.get("default", 0) in (None, []):
        del kept["default"]
    if isinstance(kept.get("type"), list):
        kept["type"] = kept["type"][0]
    if "items" in kept:
        kept["items"] = _field(kept["items"])
    return kept


def outline(made: dict[str, Any]) -> dict[str, Any]:
    """An answer's schema with closed objects and required fields only at its top.

    Below it every field is always there too; and what `untrusted` holds is an object of texts.
    """
    drop = ("required", "additionalProperties")

    def inner(value: Any, names: bool = False) -> Any:
        if isinstance(value, list):
            return [inner(each) for each in value]
        if not isinstance(value, dict):
            return value
        closed = value.get("additionalProperties") is False
        return {
            key: UNTRUSTED if names and key == "untrusted" else inner(each, key == "properties")
            for key, each in value.items()
            if names or key not in drop or (key == "additionalProperties" and not closed)
        }

    top = {key: made[key] for key in drop if key in made}
    shown = {**inner(made), **top}
    return _used(shown)


UNTRUSTED = {"type": ["object", "null"]}


def _used(made: dict[str, Any]) -> dict[str, Any]:
    """A schema without the definitions that nothing points to."""
    found = made.get("$defs", {})
    while True:
        told = json.dumps({**made, "$defs": found})
        kept = {name: each for name, each in found.items() if f'#/$defs/{name}"' in told}
        if len(kept) == len(found):
            break
        found = kept
    rest = {key: value for key, value in made.items() if key != "$defs"}
    return {**rest, "$defs": found} if found else rest


def _bare(value: Any, names: bool = False) -> Any:
    """Drop `title` and the docstrings of shapes; under `properties` the keys are names."""
    if isinstance(value, list):
        return [_bare(each) for each in value]
    if not isinstance(value, dict):
        return value
    if not names and value.get("anyOf") and {"type": "null"} in value["anyOf"]:
        value = _nullable(value)
    return {
        key: _bare(each, names=key in ("properties", "$defs") and not names)
        for key, each in value.items()
        if names or (key != "title" and not (key == "description" and "properties" in value))
    }


def _nullable(value: dict[str, Any]) -> dict[str, Any]:
    """`{"type": ["string", "null"]}` for a simple type or null: half the length."""
    others = [each for each in value["anyOf"] if each != {"type": "null"}]
    rest = {key: each for key, each in value.items() if key != "anyOf"}
    if len(others) == 1 and isinstance(others[0].get("type"), str):
        return {**others[0], **rest, "type": [others[0]["type"], "null"]}
    return value
