"""Arguments drawn from every tool's own schema: each is answered, or refused with a code."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from agents.agent import Agent
from pressmark import errors
from pressmark.mcp.tools import TOOLS

EXAMPLES = 200 if os.environ.get("PRESSMARK_FULL") else 12

CODES = {
    each.code
    for each in vars(errors).values()
    if isinstance(each, type) and issubclass(each, errors.PressmarkError)
} - {"error"}


def trimmed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with shorter texts and lists: what matters is their kinds, and time is short."""
    if isinstance(schema, dict):
        made = {key: trimmed(value) for key, value in schema.items()}
        for name, most in (("maxLength", 40), ("maxItems", 4)):
            if name in made:
                made[name] = min(made[name], most)
        return made
    return [trimmed(each) for each in schema] if isinstance(schema, list) else schema


def drawn(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of an object's schema: each field from its own schema, optional ones or not."""
    fields = {name: from_schema(each) for name, each in schema["properties"].items()}
    required = {name: fields.pop(name) for name in schema.get("required", ())}
    return st.fixed_dictionaries(required, optional=fields)


@pytest.mark.parametrize("name", TOOLS)
def test_whatever_fits_the_schema_is_answered_or_refused_with_a_code(
    writer: Agent, name: str
) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def tried(data: st.DataObject) -> None:
        arguments = data.draw(drawn(trimmed(TOOLS[name].input_schema)))
        reply = writer.attempt(name, arguments)
        if reply.failed:
            code, _, rest = reply.text.partition(": ")
            assert code in CODES, reply.text
            assert rest
        assert reply.size <= 25_000

    tried()
