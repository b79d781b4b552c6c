"""The catalogue and what one call has filed so far in; who holds an identity or a name out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pressmark import ids
from pressmark.catalogue import Catalogue, layout
from pressmark.record import Reference

MANY = 100
"""From so many papers on, one look at everything is cheaper than a question a name."""


class Shelf:
    """What is held while papers are filed; `name in shelf` asks whether a key is taken."""

    def __init__(
        self, catalogue: Catalogue, expected: int = 0, elsewhere: Iterable[Reference] = ()
    ) -> None:
        self._catalogue = catalogue
        many = expected > MANY
        self._names = catalogue.taken() if many else None
        self._known = catalogue.holders_of_all() if many else None
        self._doubles = catalogue.doubles()
        self._pending: dict[str, Reference] = {}
        self._gone: set[str] = set()
        self._identities: dict[str, set[str]] = {}
        self._taken: dict[str, str] = {}
        self.elsewhere: set[str] = set()
        self.touched: set[str] = set()
        for reference in elsewhere:
            self._hold(reference)
            self.elsewhere.add(reference.key)

    def holders(self, identity: str) -> list[str]:
        """Keys of the references that have an identity, those of this call included."""
        if self._known is None:
            held = self._catalogue.holders([identity])
        else:
            held = self._known.get(identity, [])
        here = [key for key in held if key not in self._gone]
        return list(dict.fromkeys([*here, *sorted(self._identities.get(identity, ()))]))

    def namesakes(self, identities: Sequence[str]) -> list[str]:
        """Paths of files that differ in the letter case of their names only and hold one of these.

        Which of them a key means cannot be told, so none is touched.
        """
        if not self._doubles:
            return []
        keys = {layout.folded(key) for each in identities for key in self.holders(each)}
        return [path for key in sorted(keys) for path in self._doubles.get(key, [])]

    def get(self, key: str) -> Reference:
        """The reference with this key, as this call leaves it."""
        if key in self._pending:
            return self._pending[key]
        found = self._catalogue.get(key)
        if found is None:
            raise KeyError(key)
        self._pending[key] = found
        return found

    def put(self, reference: Reference, identities: Sequence[str] | None = None) -> None:
        """Hold a new or changed reference; its identities, where the caller knows them."""
        self._hold(reference, identities)
        self.touched.add(reference.key)

    def drop(self, key: str) -> None:
        """Forget a reference that was folded into another; its name stays taken."""
        for identity in ids.identities(self.get(key)):
            self._identities.get(identity, set()).discard(key)
        del self._pending[key]
        self._gone.add(key)
        self.touched.discard(key)

    def __contains__(self, name: object) -> bool:
        if name in self._taken:
            return True
        if self._names is not None:
            return name in self._names
        return isinstance(name, str) and self._catalogue.is_taken(name)

    def bearer(self, name: str) -> str | None:
        """The key of the reference that a name belongs to."""
        if name.casefold() in self._taken:
            return self._taken[name.casefold()]
        return next(iter(self._catalogue.resolve(name)), None)

    @property
    def changed(self) -> list[Reference]:
        """What this call filed or changed, in that order."""
        return [held for key, held in self._pending.items() if key in self.touched]

    def _hold(self, reference: Reference, identities: Sequence[str] | None = None) -> None:
        self._pending[reference.key] = reference
        for identity in ids.identities(reference) if identities is None else identities:
            self._identities.setdefault(identity, set()).add(reference.key)
        self._taken.update(dict.fromkeys(_names(reference), reference.key))


def _names(reference: Reference) -> Collection[str]:
    named = (reference.key, *reference.aliases, reference.cite_as)
    return {name.casefold() for name in named if name}
