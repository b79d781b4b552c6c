"""A library in; who cites whom in it, what is cited together, and what speaks of the same, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from pressmark.library.lasting import lasting
from pressmark.record import Reference
from pressmark.site import meaning, related

if TYPE_CHECKING:
    from pressmark.history import Entry
    from pressmark.library import Library
    from pressmark.site.keeping import Keeper

T = TypeVar("T")

FOLDERS = ("library", "topics", "notes", "site")
"""Where the files are that pages are made of."""

FEW = 100
"""Changed references that are read one by one."""


class Around:
    """What surrounds the references of a library; each part is made when it is first asked for."""

    library: Library
    keeper: Keeper | None
    only: Callable[[str], bool] | None = None
    """Which records have a page, when not all have."""

    @cached_property
    def references(self) -> Mapping[str, Reference]:
        """The references by their keys."""
        return self._lasting("references", self.of_references, self._read)

    def _read(self) -> dict[str, Reference]:
        """All references, sorted by key; of few changes since the last time only those are read."""
        catalogue = self.library.catalogue
        known: dict[str, tuple[str, Reference]] = self._lasting("references read", "", dict)
        hashes, paths = catalogue.hashes("reference"), catalogue.paths()
        marks = {key: f"{path} {hashes.get(path)}" for key, path in paths.items()}
        new = [key for key, mark in marks.items() if key not in known or known[key][0] != mark]
        if len(new) > FEW or catalogue.doubles():
            read = {ref.key: ref for ref in self.library.all()}
        else:
            held = {key: catalogue.get(key) for key in new}
            held |= {key: known[key][1] for key in marks.keys() - held.keys()}
            in_order = catalogue.keys()
            read = {key: ref for key in in_order if (ref := held.get(key))}
        known.clear()
        known.update((key, (marks.get(key, ""), ref)) for key, ref in read.items())
        return read

    @cached_property
    def of_references(self) -> str:
        """What stands for all references: the same, while no file of one has changed."""
        return self.library.catalogue.fingerprint("reference")

    def _lasting(self, name: str, made_of: str, make: Callable[[], T]) -> T:
        """What a library that lives longer than one build need not be asked again."""
        return lasting(self.library, f"site {name}", made_of, make)

    @cached_property
    def kept(self) -> list[Reference]:
        return [ref for ref in self.references.values() if ref.stage != "candidate"]

    @cached_property
    def candidates(self) -> list[Reference]:
        return [ref for ref in self.references.values() if ref.stage == "candidate"]

    def cites(self, key: str) -> list[Reference]:
        return [self.references[k] for k in self._edges[0].get(key, ())]

    def cited_by(self, key: str) -> list[Reference]:
        return [self.references[k] for k in self._edges[1].get(key, ())]

    @cached_property
    def _edges(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Held references that a reference cites, and that cite it."""
        return self._lasting("edges", self.of_references, self._found_edges)

    def _found_edges(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        identities = self.library.catalogue.identities()
        out: dict[str, list[str]] = {}
        back: dict[str, list[str]] = {}
        for ref in self.references.values():
            for cited in ref.cites:
                held = identities.get(cited)
                if held and held != ref.key and held in self.references:
                    out.setdefault(ref.key, []).append(held)
                    back.setdefault(held, []).append(ref.key)
        return out, back

    def co_cited(self, key: str) -> list[Reference]:
        """What the papers that cite this one cite as well, at least twice."""
        counts: Counter[str] = Counter()
        for citing in self._edges[1].get(key, ())[:200]:
            counts.update(set(self._edges[0].get(citing, ())))
        counts.pop(key, None)
        best = sorted((-n, other) for other, n in counts.items() if n > 1)[:8]
        return [self.references[other] for _, other in best]

    def most_cited(self, number: int) -> list[tuple[Reference, int]]:
        """What most papers of this library cite, among what it holds."""
        back = self._edges[1]
        best = sorted(back, key=lambda key: (-len(back[key]), key))[:number]
        return [(self.references[key], len(back[key])) for key in best]

    def related(self, key: str) -> list[Reference]:
        """The papers that speak of the same."""
        if self.only:
            return []  # it is known only when all papers are looked at
        return [self.references[other] for other in self._related.get(key, ())]

    @cached_property
    def _related(self) -> dict[str, list[str]]:
        def found() -> dict[str, list[str]]:
            return related.neighbours(self.references.values(), meaning.vectors(self.library))

        if self.keeper is None:
            return found()
        made_of = f"{self.of_references} {meaning.mark(self.library)}"
        held: dict[str, list[str]] = self.keeper.remembered("related", made_of, found)
        return held

    @cached_property
    def history(self) -> dict[str, list[Entry]]:
        """The commits of every file, newest first, from one pass through git."""
        repository = self.library.repository
        if not repository:
            return {}
        return self._lasting(
            "history", repository.head() or "", lambda: repository.histories(FOLDERS)
        )

    @cached_property
    def shallow(self) -> bool:
        """Whether the clone lacks the commits that most files were filed with."""
        return bool(self.library.repository and self.library.repository.is_shallow())

    def cut_short(self) -> list[str]:
        """What is said of a clone that lacks commits."""
        words = "the history of files is left out where this clone was cut: git fetch --unshallow"
        return [words] if self.shallow else []

    def changed(self, path: str) -> str:
        """The day of a file's last commit."""
        found = self.history.get(path)
        return found[0].date[:10] if found else ""

    def filed(self, path: str) -> str:
        """The day of a file's first commit; not known where the clone was cut short."""
        found = None if self.shallow else self.history.get(path)
        return found[-1].date[:10] if found else ""
