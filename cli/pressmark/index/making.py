"""The command `index` and what `status` says: words brought up to date, then vectors made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pressmark.errors import Configuration, Integrity, Unavailable
from pressmark.index import embed, engines, opening
from pressmark.index.cache import VectorCache
from pressmark.index.manifest import Manifest
from pressmark.index.opening import Held, Index
from pressmark.index.ports import Progress, quiet
from pressmark.index.rows import SETS
from pressmark.index.sources import Sources
from pressmark.library import Library

ON, OFF = "on", "off"


def build(
    library: Library,
    *,
    rebuild: bool = False,
    vectors: bool = True,
    until: int | None = None,
    progress: Progress = quiet,
) -> dict[str, Any]:
    """Make the index as good as it can be here; what `status` says of it then.

    Words first, then the vectors of the references, then those of the passages: each step is put
    into use when it is done, and vectors that were made are not made again. With `until` it is
    the index of what was published up to a year, which stands beside the whole one.
    """
    current = opening.sources(library, until)
    before = opening.look(library, current)[0]
    index = _words(library, current, rebuild=rebuild, progress=progress)
    if index.private is not None:
        index.close()
        raise Unavailable(
            f"No index can be kept: {library.config.state_dir} cannot be written, "
            "or no place for an index can.",
            next="set XDG_STATE_HOME and XDG_CACHE_HOME to folders of yours",
        )
    wanted = vectors and index.manifest.counts["documents"]
    embedder = embed.load(library.config) if wanted else None
    if embedder is not None:
        store = VectorCache(library.config.cache_dir, embedder.id, embedder.dimension)
        for name in SETS:
            if not _complete(index.manifest, name, embedder.id):
                index.close()
                index = _embedded(library, current, embedder, store, name, progress)
        if rebuild:
            store.prune(index.table.vector_names())
        store.close()
    index.close()
    return {**status(library, until=until), **_told(library, before, embedder)}


def _told(library: Library, before: Held | None, embedder: embed.Embedder | None) -> dict[str, Any]:
    """What a build says beside the state it leaves: what it could not read, what it replaced."""
    earlier = before.manifest.model if before else None
    changed = bool(earlier and embedder and earlier != embedder.id)
    return {
        "skipped": [
            {"path": each.path, "reason": each.message} for each in library.catalogue.unreadable()
        ],
        "replaced_model": earlier if changed else None,
    }


def status(library: Library, *, until: int | None = None) -> dict[str, Any]:
    """State, counts, versions, model and what would make the index better.

    `mechanisms` gives the state of each ranked list; `stale` how many references and notes differ
    from what the index knows.
    """
    current = opening.sources(library, until)
    held, state = opening.look(library, current)
    done = held.manifest if held else Manifest()
    semantic, advice = meaning(library, done)
    return {
        "state": state,
        "stale": _differing(held, current) if held and state != opening.READY else 0,
        "mechanisms": {"words": state, **{name: _mechanism(done, name, state) for name in SETS}},
        "until": until,
        "id": done.id or None,
        "commit": done.commit,
        "counts": dict(done.counts),
        "versions": dict(done.versions),
        "engine": done.engine if held else None,
        "faster": engines.advice(done.engine, done.counts.get("passages", 0)) if held else None,
        "model": done.model,
        "semantic": semantic,
        "next": advice if held else "pressmark index",
    }


def _differing(held: Held, current: Sources) -> int:
    """How many references and notes changed, came or went since an index was made."""
    try:
        fresh, gone = current.difference(held.folder)
    except (Integrity, FileNotFoundError):
        return 0
    return max(len(fresh), len(gone))


def _mechanism(done: Manifest, name: str, state: str) -> str:
    """The state of one set of vectors."""
    if name not in done.vectors or state == opening.NOT_BUILT:
        return opening.NOT_BUILT
    whole = done.counts.get(f"{name}_embedded") == done.counts.get(f"{name}_to_embed")
    return state if state != opening.READY or whole else opening.STALE


def meaning(library: Library, held: Manifest) -> tuple[str, str | None]:
    """Whether questions are compared by meaning, and else the one command that turns it on."""
    if library.config.model == "none":
        return OFF, 'set find.model = "minilm"'
    try:
        model = embed.choose(library.config.model, library.config.model_endpoint)
    except Configuration as error:
        return OFF, error.next
    if model is None:
        return OFF, embed.INSTALL
    if held.model != model.id or not any(each.count for each in held.vectors.values()):
        return OFF, "pressmark index"
    return ON, None


def _words(library: Library, current: Sources, *, rebuild: bool, progress: Progress) -> Index:
    from pressmark.index import builder

    def work(fresh: Path, there: Held | None) -> Manifest:
        if there is None or rebuild or _worn(there.manifest) or _outgrown(there.manifest):
            return builder.from_nothing(fresh, current, progress)
        return builder.from_earlier(fresh, there.folder, there.manifest, current, progress)

    def enough(there: Held) -> bool:
        same = there.manifest.fingerprint == current.fingerprint
        return same and not rebuild and not _outgrown(there.manifest)

    try:
        return opening.made(library, work, enough, wait=opening.WAIT, until=current.until)
    except Integrity:
        if rebuild:
            raise
        return _words(library, current, rebuild=True, progress=progress)


def _embedded(
    library: Library, current: Sources, embedder: embed.Embedder, store: VectorCache, name: str,
    progress: Progress,
) -> Index:  # fmt: skip
    from pressmark.index import builder

    def work(fresh: Path, there: Held | None) -> Manifest:
        if there is None:
            raise Integrity("The index of words went away.", next="pressmark index")
        return builder.with_vectors(
            fresh, there.folder, there.manifest, current, embedder, store, name, progress
        )

    def enough(there: Held) -> bool:
        return _complete(there.manifest, name, embedder.id)

    return opening.made(library, work, enough, wait=opening.WAIT, until=current.until)


def _complete(held: Manifest, name: str, model: str) -> bool:
    """Whether every text of a set has its vector by this model."""
    counts = held.counts
    return (
        held.model == model
        and name in held.vectors
        and counts.get(f"{name}_embedded") == counts.get(f"{name}_to_embed")
    )


def _outgrown(held: Manifest) -> bool:
    """Whether a quicker engine is at hand for a library that has become large."""
    return held.engine != engines.better(held.counts.get("passages", 0)) == engines.TANTIVY


def _worn(held: Manifest) -> bool:
    """Whether so much of the index is dead that building it anew is better."""
    return sum(each.documents for each in held.segments) > 1.5 * held.counts.get("documents", 0)
