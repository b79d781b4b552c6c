"""The text of a YAML file in; its values as strings, lists and mappings of strings, out."""

from __future__ import annotations

from typing import Any

from pressmark.errors import BadInput


def load(text: str, what: str) -> Any:
    """String-first: no numbers, dates, booleans or objects, and nothing that refers to itself."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        if any(isinstance(each, yaml.AliasEvent) for each in yaml.parse(text, Loader=loader)):
            raise BadInput(f"The file cannot be read as {what}: it has aliases (*name).")
        return yaml.load(text, Loader=loader)
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        said = getattr(problem, "problem", None) or "nested too deeply"
        raise BadInput(f"The file cannot be read as {what}: {said}{place}.") from None
