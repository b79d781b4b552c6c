"""A question in; how a provider that has operators writes it, and what one cannot be told, out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pressmark.errors import BadInput
from pressmark.ids import Identifier
from pressmark.sources.query import Group, Node, Query, Term, excluded, positive

_KINDS = {"doi": "DOIs", "arxiv": "arXiv ids", "pmid": "PMIDs", "pmcid": "PMCIDs"}
PREFIXES = {"title": "ti:", "author": "au:", "abstract": "abs:"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What a provider can be told; the rest of a question is said to the person instead."""

    fields: frozenset[str] = frozenset()
    """Of `title`, `author` and `abstract`, those it can search by themselves."""
    fields_apart: bool = False
    """Whether those can only be terms of a plain AND, beside the words and in no group."""
    boolean: bool = False
    """Whether it knows AND, OR, NOT and parentheses; else it ranks by all words."""
    phrases: bool = False
    dates: bool = False
    """Whether it takes the first and the last day; else its answer is narrowed here."""
    open_access: bool = False
    sorts: frozenset[str] = frozenset({"relevance"})
    """Of `relevance`, `date` and `cited`, the orders it gives."""
    semantic: bool = False
    """Whether it can search by meaning instead of by words."""


def boolean(node: Node, term: Callable[[Term], str], *, without: str = " NOT ") -> str:
    """`a AND (b OR "c d") NOT e`: each term as `term` writes it, nested groups in parentheses.

    What is excluded stands last, behind what it is taken from: no provider begins with NOT.
    """
    if isinstance(node, Term):
        return term(node)
    if node.operator == "or":
        return " OR ".join(_inner(part, term, without) for part in node.parts)
    kept = [part for part in node.parts if not is_excluded(part)]
    gone = [part.parts[0] for part in node.parts if isinstance(part, Group) and is_excluded(part)]
    said = " AND ".join(_inner(part, term, without) for part in kept)
    return said + "".join(f"{without}{_inner(part, term, without)}" for part in gone)


def is_excluded(node: Node) -> bool:
    """Whether a part of a group stands under NOT."""
    return isinstance(node, Group) and node.operator == "not"


def unsaid(query: Query, language: Language) -> tuple[str, ...]:
    """What of a question a provider cannot be told, a few words each; empty when it is all said."""
    tree = query.tree
    if tree is None or query.semantic:
        return ()
    terms = [*positive(tree), *excluded(tree)]
    lacking = sorted({PREFIXES[t.field] for t in terms if t.field in PREFIXES} - _has(language))
    if language.fields_apart:
        lacking = sorted({*lacking, *(PREFIXES[t.field] for t in _grouped(tree))})
    said = [f"{', '.join(lacking)} searched everywhere"] if lacking else []
    if not language.phrases and any(t.phrase for t in terms):
        said.append("phrases searched as words")
    if not language.boolean:
        said += ["OR not kept"] if any(each == "or" for each in _operators(tree)) else []
        gone = " ".join(term.words for term in excluded(tree))
        said += [f"NOT {gone} not kept"] if gone else []
    if query.sort not in language.sorts:
        said.append(f"not sorted by {query.sort}")
    return tuple(said)


def _has(language: Language) -> set[str]:
    return {PREFIXES[each] for each in language.fields if each in PREFIXES}


def _grouped(tree: Node) -> list[Term]:
    """The terms of one field that are more than parts of a plain AND."""
    parts = tree.parts if isinstance(tree, Group) and tree.operator == "and" else (tree,)
    groups = [part for part in parts if isinstance(part, Group)]
    within = [term for each in groups for term in (*positive(each), *excluded(each))]
    fielded = [term for term in within if term.field in PREFIXES]
    if not fielded:
        return []
    return [*fielded, *(t for t in parts if isinstance(t, Term) and t.field in PREFIXES)]


def _operators(node: Node) -> Iterator[str]:
    if isinstance(node, Group):
        yield node.operator
        for part in node.parts:
            yield from _operators(part)


def _inner(node: Node, term: Callable[[Term], str], without: str) -> str:
    said = boolean(node, term, without=without)
    return said if isinstance(node, Term) else f"({said})"


def lucene(value: str) -> str:
    """Words in which no sign is syntax to a search engine of the Lucene family."""
    return re.sub(r'([+\-!(){}\[\]^"~*?:\\/]|&&|\|\|)', r"\\\1", value)


def lucene_term(term: Term, *, whole: bool = False) -> str:
    """A term's words, in quotes unless they are one plain word; where `whole` is true, always."""
    plain = " ".join(term.words.split())
    quoted = whole or term.phrase or not re.fullmatch(r"[\w*'-]+", plain)
    return f'"{lucene(plain)}"' if quoted else plain


def stripped_term(term: Term, *, wildcards: bool = True) -> str:
    """The same for an engine that knows no escapes: signs that are its syntax become blanks."""
    plain = " ".join(re.sub(r'["\\():]+', " ", term.words).split())
    word = r"[\w*'-]+" if wildcards else r"[\w'-]+"
    return f'"{plain}"' if term.phrase or not re.fullmatch(word, plain) else plain


def lucene_ids(identifiers: Sequence[Identifier], fields: Mapping[str, str]) -> str:
    """`doi:"10.1/x" OR arxivId:"2101.00010"`: any of the identifiers, each in its kind's field."""
    return " OR ".join(f'{fields[each.kind]}:"{lucene(each.value)}"' for each in identifiers)


def lucene_years(query: Query) -> str:
    """`[2019 TO 2999]`: the years of a question, for a provider that knows no days."""
    begin, end = (query.since or "1000")[:4], (query.until or "2999")[:4]
    return f"[{begin} TO {end}]"


def lucene_days(query: Query) -> str:
    """`[2019-01-01T00:00:00Z TO *]`: the days of a question, both ends among them."""
    begin = f"{query.since}T00:00:00Z" if query.since else "*"
    end = f"{query.until}T23:59:59Z" if query.until else "*"
    return f"[{begin} TO {end}]"


def must_know(platform: str, kinds: Collection[str], identifiers: Sequence[Identifier]) -> None:
    """Refuse identifiers of a kind that a provider does not answer to."""
    if any(each.kind not in kinds for each in identifiers):
        *most, last = (_KINDS[kind] for kind in kinds)
        known = f"{', '.join(most)} and {last}" if most else last
        raise BadInput(f"{platform} knows {known} only.")
