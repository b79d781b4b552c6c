"""The kind of relation that is asked for in; what is said of it out.

`any` is what is ranked and evaluated. `baseline` would weigh co-citation by the intent of each
citation; that needs a classifier trained on labelled sentences, and no such data may be carried
here, so it ranks as `any` and says so, as the other kinds do.
"""

from __future__ import annotations

from pressmark.errors import BadInput

ANY = "any"

RELATIONS = (ANY, "baseline", "same_problem", "same_method", "lineage", "contradicts")


def checked(relation: str) -> list[str]:
    """What must be said of a relation; BadInput for one that nobody knows."""
    name = relation.replace("-", "_")
    if name not in RELATIONS:
        raise BadInput(f"{relation!r} is no relation.", next=f"use one of: {', '.join(RELATIONS)}")
    return [] if name == ANY else [f"The relation {name} is ranked as any."]
