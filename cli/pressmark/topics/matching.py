"""A topic in; the references that came by other ways since its last run and answer to it out."""

from __future__ import annotations

from pressmark.catalogue import layout
from pressmark.library import Library
from pressmark.record import Reference, Topic
from pressmark.sources.query import Group, Node, parse

MOST = 100
"""References that `find` is asked for: a run has few of them to offer."""


def answering(library: Library, topic: Topic) -> list[Reference]:
    """Kept references without the topic that `find` ranks and whose own words the query names."""
    from pressmark.topics.running import asked_of, is_feed

    if is_feed(topic):
        return []
    asking = asked_of(topic)
    tree = parse(asking.query) if asking.query else None
    newer = _since_last_run(library, topic) if tree is not None else []
    if tree is None or not newer:
        return []
    ranked = _ranked(library, asking.query, topic) if len(newer) > MOST else newer
    words = _Words()
    wanted = {ref.key for ref in newer}
    found = (ref for ref in ranked if ref.key in wanted)
    return [ref for ref in found if words.hold(ref, tree) and _journal(ref, asking.journal)]


def _since_last_run(library: Library, topic: Topic) -> list[Reference]:
    """Kept references that were committed after the run that `last-run` tells of."""
    if topic.last_run is None:
        return library.select([f"-topic:{topic.slug}"], stage="kept")
    found = library.catalogue.record("topic", topic.slug)
    repository = library.repository
    if repository is None or found is None:
        return []
    keys = [layout.name(path) for path in repository.added_since(found[0], "last-run:", "library")]
    held = (library.catalogue.get(key) for key in keys)
    return [ref for ref in held if ref and not ref.stage and topic.slug not in ref.topics]


def _ranked(library: Library, query: str, topic: Topic) -> list[Reference]:
    """What `find` puts first; it reads no network."""
    from pressmark.find import find

    hits = find(library, query, [f"-topic:{topic.slug}", "stage:kept"], k=MOST).hits
    return [hit.reference for hit in hits]


def _journal(ref: Reference, journal: str | None) -> bool:
    from pressmark.text import fold

    return journal is None or fold(journal) in fold(ref.venue or "")


class _Words:
    """Whether a reference's own words answer a query's tree, stemmed as the index stems them."""

    def __init__(self) -> None:
        from pressmark.index.stems import analyser

        self._analyser = analyser()

    def hold(self, ref: Reference, tree: Node) -> bool:
        """Whether title, abstract, keywords and authors together satisfy the query."""
        texts = {
            "title": ref.title,
            "abstract": ref.abstract or "",
            "author": " ".join(ref.authors),
        }
        texts["all"] = " ".join((*texts.values(), *ref.keywords))
        return self._holds({name: self._analyser.terms(text) for name, text in texts.items()}, tree)

    def _holds(self, terms: dict[str, list[str]], node: Node) -> bool:
        if isinstance(node, Group):
            if node.operator == "not":
                return not self._holds(terms, node.parts[0])
            join = any if node.operator == "or" else all
            return join(self._holds(terms, part) for part in node.parts)
        wanted = self._analyser.terms(node.words)
        held = terms[node.field]
        if not node.phrase:
            return set(wanted) <= set(held)
        size = len(wanted)
        return any(held[at : at + size] == wanted for at in range(len(held) - size + 1))
