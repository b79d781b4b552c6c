"""A person's words and limits in; a question that each source can put in its own language out."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pressmark import text
from pressmark.errors import BadInput

FIELDS = {
    "ti": "title", "title": "title", "au": "author", "author": "author", "abs": "abstract",
    "abstract": "abstract", "all": "all",
}  # fmt: skip
"""The prefixes a query may use, and the field each names."""

SORTS = ("relevance", "date", "cited")
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Term:
    """One word, or a phrase as it was quoted, in one field or in all of them."""

    words: str
    field: str = "all"
    phrase: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Terms and groups joined by one operator: `and`, `or`, or `not` before a single one."""

    operator: str
    parts: tuple[Node, ...]


Node = Term | Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked: words, and what narrows them."""

    words: str = ""
    since: str | None = None  # YYYY-MM-DD
    until: str | None = None
    limit: int = 10
    page: int = 1
    journal: str | None = None
    issn: str | None = None  # what the journal's name was resolved to
    categories: tuple[str, ...] = ()
    not_categories: tuple[str, ...] = ()
    open_access: bool = False
    sort: str = "relevance"
    count: bool = False  # only how many there are
    fresh: bool = False  # never answered from the cache, as a topic's run is
    semantic: bool = False  # by meaning, of who can do that
    verbatim: Mapping[str, str] = field(default_factory=dict)
    """A source's name to the query in its own language, sent as it is."""

    @property
    def tree(self) -> Node | None:
        """The words as terms and operators."""
        return parse(self.words)

    @property
    def rows(self) -> int:
        """How many hits to ask of a source."""
        return 1 if self.count else self.limit

    @property
    def limits(self) -> str:
        """What narrows the words, as the log of a search says it."""
        parts = [
            f"published {self.since or ''}..{self.until or ''}" if self.since or self.until else "",
            f"journal {self.journal}" if self.journal else "",
            f"categories {', '.join(self.categories)}" if self.categories else "",
            f"not {', '.join(self.not_categories)}" if self.not_categories else "",
            "open access" if self.open_access else "",
            "by meaning" if self.semantic else "",
            f"sorted by {self.sort}" if self.sort != "relevance" else "",
            f"{self.limit} records" + (f", page {self.page}" if self.page > 1 else ""),
        ]
        return "; ".join(part for part in parts if part)


LONGEST = 2000
"""Characters of a question. A longer one is a strategy for one provider: `--query NAME=@FILE`."""

_YEARS = re.compile(r"(?<!\S)year:(?=[\d.])(?P<first>\d{4})?(?P<span>\.\.)?(?P<last>\d{4})?(?!\S)")
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»〝〞", '"'))


def query(
    words: str,
    *,
    today: str,
    since: str | None = None,
    until: str | None = None,
    **more: object,
) -> Query:
    """Check what a person typed; `since` and `until` take 2020, 2020-05, 2020-05-17 or 90d.

    `year:2018..2020` among the words, as filters of the library have it, says the same.
    """
    if len(words) > LONGEST:
        raise BadInput(
            f"A query of {len(words):,} characters is too long; the most is {LONGEST:,}.",
            next="send a provider its own strategy: --query pubmed=@FILE",
        )
    words = text.clean(words).translate(_QUOTES)
    if years := _years(words):
        words = " ".join((words[: years.start()] + words[years.end() :]).split())
        since = since or years["first"]
        until = until or years["last"] or ("" if years["span"] else years["first"])
    made = replace(
        Query(words=words),
        since=day(since, today, first=True) if since else None,
        until=day(until, today, first=False) if until else None,
        **more,  # type: ignore[arg-type]
    )
    if not made.words and not made.categories and not made.verbatim:
        raise BadInput("A search needs words.", next='pressmark search "graph transformers"')
    if made.sort not in SORTS:
        raise BadInput(f"A search can be sorted by {', '.join(SORTS)}.")
    if made.limit < 1 or made.page < 1:
        raise BadInput("--limit and --page count from 1.")
    if made.since and made.until and made.since > made.until:
        raise BadInput(f"The search ends ({made.until}) before it begins ({made.since}).")
    if made.tree is not None and not _grounded(made.tree):
        raise BadInput("A word can be excluded only from words that are searched for.")
    return made


def _years(words: str) -> re.Match[str] | None:
    """The one `year:` among the words, which limits the whole search wherever it stands."""
    years = _YEARS.search(words)
    bare = re.sub(
        r'"[^"]*"', " ", words[: years.start()] + words[years.end() :] if years else words
    )
    if re.search(r"(?<![\w:])year:\S", bare):
        raise BadInput(
            "year: stands once and alone, for the whole of a query.",
            next="write it as year:2018, year:2018..2020, year:2018.. or year:..2020",
        )
    if years and words[: years.start()].count('"') % 2:
        return None  # inside a phrase
    return years


def day(value: str, today: str, *, first: bool) -> str:
    """The first or last day that a year, month, day or span back from today means."""
    span = re.fullmatch(r"(\d{1,5})([dwmy])", value.strip().lower())
    if span:
        days = int(span[1]) * {"d": 1, "w": 7, "m": 30, "y": 365}[span[2]]
        try:
            return (datetime.date.fromisoformat(today) - datetime.timedelta(days)).isoformat()
        except (ValueError, OverflowError) as problem:
            raise BadInput(f"{value} lies before all calendars.") from problem
    parts = re.fullmatch(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", value.strip())
    try:
        if not parts:
            raise ValueError(value)
        year, month = int(parts[1]), int(parts[2] or (1 if first else 12))
        if parts[3]:
            return datetime.date(year, month, int(parts[3])).isoformat()
        begin = datetime.date(year, month, 1)
        if first:
            return begin.isoformat()
        return _last_day(begin).isoformat()
    except (ValueError, OverflowError) as problem:
        raise BadInput(
            f"{value!r} is no date.", next="give 2020, 2020-05, 2020-05-17, or 90d for 90 days"
        ) from problem


def _last_day(begin: datetime.date) -> datetime.date:
    for length in (31, 30, 29, 28):
        try:
            return begin.replace(day=length)
        except ValueError:
            continue
    return begin


_TOKEN = re.compile(
    r'(?P<sign>-(?=[\w"(]))?'
    r"(?:(?P<field>[a-z]{2,8}):)?"
    r'(?:"(?P<phrase>[^"]*)"|(?P<paren>[()])|(?P<word>[^\s()"]+))'
)


def parse(words: str) -> Node | None:
    """Terms, quoted phrases, field prefixes, AND, OR, NOT, a leading minus and parentheses.

    A stray quote or parenthesis is dropped: people paste titles.
    """
    if words.count('"') % 2:
        head, _, tail = words.rpartition('"')
        words = f"{head} {tail}"
    tokens = [match for match in _TOKEN.finditer(words) if match[0]]
    node, _ = _either(tokens, 0, 0)
    return node


def _either(tokens: Sequence[re.Match[str]], at: int, depth: int) -> tuple[Node | None, int]:
    """Alternatives: a b OR c d is (a AND b) OR (c AND d)."""
    if depth > _DEEPEST:
        raise BadInput("The query is nested too deeply.")
    options: list[Node] = []
    while True:
        node, at = _all(tokens, at, depth)
        if node is not None:
            options.append(node)
        if at < len(tokens) and tokens[at][0] == "OR":
            at += 1
            continue
        return _joined("or", options), at


def _all(tokens: Sequence[re.Match[str]], at: int, depth: int) -> tuple[Node | None, int]:
    parts: list[Node] = []
    negate = False
    while at < len(tokens):
        token = tokens[at]
        if token[0] == "OR" or (token["paren"] == ")" and depth > 0):
            break
        at += 1
        if token[0] in ("AND", "&&") or token["paren"] == ")":
            continue
        if token[0] in ("NOT", "ANDNOT"):
            negate = True
            continue
        node: Node | None
        if token["paren"]:
            node, at = _either(tokens, at, depth + 1)
            at += at < len(tokens)  # the closing one, where it is
        else:
            node = _term(token)
        if node is not None:
            no = negate or bool(token["sign"])
            parts.append(Group("not", (node,)) if no else node)
        negate = False
    return _joined("and", parts), at


def _term(token: re.Match[str]) -> Term | None:
    name = FIELDS.get(token["field"] or "all")
    words = token["phrase"] if token["phrase"] is not None else token["word"]
    if name is None:  # a colon inside ordinary text: `BERT:`, `cs:x`
        words, name = f"{token['field']} {words}", "all"
    words = " ".join(words.split())
    if not re.search(r"\w", words):
        return None
    return Term(words, name, phrase=token["phrase"] is not None)


def _joined(operator: str, parts: list[Node]) -> Node | None:
    flat: list[Node] = []
    for part in parts:
        same = isinstance(part, Group) and part.operator == operator
        flat += part.parts if isinstance(part, Group) and same else (part,)
    if len(flat) > 1:
        return Group(operator, tuple(flat))
    return flat[0] if flat else None


def _grounded(node: Node) -> bool:
    """Whether every exclusion is taken from something: no source answers `NOT a` alone."""
    if isinstance(node, Term):
        return True
    excluded = [p.parts[0] for p in node.parts if isinstance(p, Group) and p.operator == "not"]
    others = [p for p in node.parts if not (isinstance(p, Group) and p.operator == "not")]
    if node.operator == "not" or not others or (node.operator == "or" and excluded):
        return False
    return all(_grounded(part) for part in (*others, *excluded))


def positive(node: Node | None) -> Iterator[Term]:
    """Every term that is not excluded, in the order of the query."""
    if isinstance(node, Term):
        yield node
    elif node is not None and node.operator != "not":
        for part in node.parts:
            yield from positive(part)


def excluded(node: Node | None, under: bool = False) -> Iterator[Term]:
    """Every term that is excluded, in the order of the query."""
    if isinstance(node, Term):
        if under:
            yield node
    elif node is not None:
        for part in node.parts:
            yield from excluded(part, under or node.operator == "not")


def plain_words(node: Node | None, field: str | None = None) -> str:
    """The words that are not excluded, as a source that only ranks takes them."""
    chosen = [term.words for term in positive(node) if field is None or term.field == field]
    return " ".join(re.sub(r"[\"'&<>|]+", " ", " ".join(chosen)).split())
