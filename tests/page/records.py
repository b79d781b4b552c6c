"""Records of every kind for the property tests: any Unicode, and all that trips up YAML."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from pressmark.record import (
    NOTICES,
    Collection,
    FullText,
    Note,
    Reference,
    Search,
    Topic,
    Vocabulary,
    attribute,
)

TRAPS = (
    "a", " ", "  ", "\t", "\n", "\r", "\r\n", ":", ": ", " #", "#", "- ", "-", "? ", "?", ",", "[", "]",
    "{", "}", "'", "''", '"', "\\", "\\n", "&", "*", "!", "|", ">", "%", "@", "`", "~", "=", "<<",
    "---", "...", "--- ", "\n---\n", "no", "Yes", "on", "null", "NULL", "true", "0123", "0x1F", "0o17", "1e3",
    "1_000", "2101.00010", "2017-06-12", "2017-06-12 10:00:00", "12:30:45", ".inf", "-.INF", ".nan",
    "+1", "1.5", "doi:10.1000/x", "arxiv:1706.03762v7 2026-11-30", "{World Health Organization}",
    "Šimić, Ján", "العربية", "עברית", "😀", "👩‍🔬", "ß", "漢字", "e\u0301", "\u0085", "\u00a0", "\u2028",
    "\u2029", "\ufeff", "\ufffe", "\uffff", "\u200b", "\u202e", "\u2066", "\x00", "\x07", "\x1b[31m", "\x7f",
    "\x9f", "\U0001ffff", "\U0010ffff", "<i>x</i>", "$x_1$", "[@key]", "\\'", "x" * 300,
)  # fmt: skip

anything = st.characters(exclude_categories=["Cs"])
pieces = st.sampled_from(TRAPS) | st.text(anything, max_size=6)
texts = st.lists(pieces, min_size=1, max_size=3).map("".join).filter(bool)
bodies = st.just("") | st.lists(
    st.sampled_from(["\n", "## Abstract\n", "---\n", "text", "\r\n", "\ufeff", "  \n", "title: x\n", "...\n"]) | texts,
    max_size=4,
).map("".join)  # fmt: skip
names = st.lists(pieces, min_size=1, max_size=2).map(lambda parts: "".join(parts)[:150])
extras = st.recursive(
    st.just("") | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)
dates = st.dates().map(str) | st.integers(1, 9999).map("{:04d}".format) | st.just("2017-06")

_CLOSED = {
    "published": dates,
    "notice": st.sampled_from(NOTICES),
    "stage": st.just("candidate"),
}
_PROVIDERS = st.lists(st.dictionaries(names, st.just("") | texts, max_size=3), max_size=3)


def records(cls: type[Any], most: int = 4) -> st.SearchStrategy[Any]:
    """A few fields of a record at a time: faults do not need all forty at once."""
    open_texts = [name for name in cls.FIELDS if name not in cls.LISTS and name not in _CLOSED]
    parts = [st.dictionaries(st.sampled_from(open_texts), texts, max_size=most)]
    if cls is Reference:
        parts.append(st.just({}) | st.fixed_dictionaries({}, optional=_CLOSED))
    lists = sorted(cls.LISTS - {"providers" if cls is Search else "anchors"})
    if lists:
        items = st.lists(texts | st.just(""), max_size=4)
        parts.append(st.dictionaries(st.sampled_from(lists), items, max_size=3))
    if cls is Search:
        parts.append(st.fixed_dictionaries({"providers": _PROVIDERS}))
    if cls is Note:
        parts.append(st.fixed_dictionaries({"anchors": st.lists(extras, max_size=2)}))
    required = st.fixed_dictionaries(dict.fromkeys(sorted(cls.REQUIRED), texts))
    free = st.just({}) | st.dictionaries(
        names.filter(lambda name: name not in cls.FIELDS), extras, max_size=2
    )
    return st.builds(_record, st.just(cls), required, st.tuples(*parts), free, bodies)


def _record(
    cls: type[Any], required: dict[str, Any], parts: tuple[dict[str, Any], ...], extra: dict[str, Any], body: str
) -> Any:  # fmt: skip
    fields: dict[str, Any] = dict(required)
    for part in parts:
        fields |= part
    for name in cls.SORTED & fields.keys():
        fields[name] = sorted(fields[name])
    known = {attribute(name): tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
    return cls(**known, extra=extra, body=body, **{cls.STEM: "stem"})


CLASSES = (Reference, FullText, Topic, Search, Collection, Vocabulary, Note)


def thrown(cls: type[Any], seed: int) -> Any:
    """A record full of traps from one number: a twentieth of the time hypothesis takes to draw it."""
    dice = Random(seed)

    def text(least: int = 1) -> str:
        parts = dice.choices(TRAPS, k=dice.randint(1, 3))
        if dice.random() < 0.3:
            code = dice.choice((dice.randrange(0x20, 0xD800), dice.randrange(0xE000, 0x110000)))
            parts.insert(dice.randint(0, len(parts)), chr(code))
        return "".join(parts)

    def nested(depth: int) -> Any:
        kind = dice.randint(0, 5 if depth < 4 else 2)
        if kind == 3:
            return [nested(depth + 1) for _ in range(dice.randint(0, 3))]
        if kind == 4:
            return {text()[:150]: nested(depth + 1) for _ in range(dice.randint(0, 3))}
        return "" if kind == 5 else text()

    fields: dict[str, Any] = {}
    for name in cls.FIELDS:
        if name in cls.REQUIRED:
            fields[name] = text()
        elif dice.random() < 0.3:
            fields[name] = (
                [text() for _ in range(dice.randint(0, 4))] if name in cls.LISTS else text()
            )
    closed = {"published": f"{dice.randint(1, 9999):04d}-{dice.randint(1, 12):02d}", "stage": "candidate",
              "notice": dice.choice(NOTICES)}  # fmt: skip
    fields |= {name: value for name, value in closed.items() if name in fields}
    if cls is Search and "providers" in fields:
        fields["providers"] = [{text()[:150]: each} for each in fields["providers"]]
    if cls is Note and "anchors" in fields:
        fields["anchors"] = [nested(1) for _ in fields["anchors"]]
    extra = {text()[:150]: nested(0) for _ in range(dice.choice((0, 0, 1, 2)))}
    body = "".join(
        dice.choices((*TRAPS, "\n", "\n---\n", "\n\n## Abstract\n\n"), k=dice.randint(0, 5))
    )
    return _record(cls, fields, (), extra, body)
