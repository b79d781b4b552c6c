"""The state folder and the library in; every provider's state, and its defects, out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from pressmark.config import KEY_NAMES, KEYS, SOURCES, Config
from pressmark.http import Defect, Defects
from pressmark.http.allowance import Allowances
from pressmark.http.hosts import HOSTS, lane
from pressmark.http.pauses import Pauses
from pressmark.library import Library
from pressmark.search.one import METERED
from pressmark.sources import LOCATORS, LOOKUPS, REGISTRY
from pressmark.sources.edges import CITING


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One provider, or one kind of file, and what it has to do with this library."""

    source: str
    platform: str
    kind: str
    """`network` or `disk`."""
    enabled: bool
    """Whether a search asks it without being told to."""
    does: tuple[str, ...]
    """Of `search`, `look-ups`, `copies` and `citations`, what it is asked for."""
    key: bool | None
    """Whether there is a key; None where none is needed."""
    paused: str | None
    until: str | None
    allowance: tuple[str, ...]
    """`17 of 250 monthly`."""
    references: int
    texts: int
    defects: int


def states(config: Config, library: Library | None) -> list[State]:
    """Every provider that may be asked, those that are on first; then the files' kinds in use."""
    pauses = {each.partition("@")[0]: p for each, p in Pauses(config.state_dir).all().items()}
    counted = Allowances(config.state_dir)
    defects = Counter(each.source for each in Defects(config.state_dir).all())
    references, texts = _contributed(library)
    known = [n for n in SOURCES if n in LOOKUPS or n in LOCATORS or n in CITING]
    known += [name for name in references if name in SOURCES and name not in known]
    found = []
    for name in sorted(known, key=lambda n: n not in config.sources):
        pause = pauses.get(_lane(name))
        until = datetime.fromtimestamp(pause.until).astimezone() if pause else None
        found.append(State(
            source=name,
            platform=LOOKUPS[name].platform if name in LOOKUPS else name,
            kind="network",
            enabled=name in config.sources and name in REGISTRY and name not in METERED,
            does=_does(name),
            key=config.key(name) is not None if KEY_NAMES.get(name, name) in KEYS else None,
            paused=pause.reason if pause else None,
            until=until.isoformat(timespec="seconds") if until else None,
            allowance=tuple(
                f"{used} of {most:,} {period}" for used, most, period
                in counted.used(_counted(name, config), key=config.key(name) is not None)
            ),
            references=references[name],
            texts=texts[name],
            defects=defects[name],
        ))  # fmt: skip
    return found + [
        State(
            source=name, platform=name, kind="disk", enabled=True, does=(), key=None, paused=None,
            until=None, allowance=(), references=references[name], texts=texts[name], defects=0,
        )
        for name in sorted({*references, *texts})
        if name not in SOURCES
    ]  # fmt: skip


def trace(config: Config) -> list[Defect]:
    """Every defect on record, the newest first."""
    return list(reversed(Defects(config.state_dir).all()))


def _does(name: str) -> tuple[str, ...]:
    reads = {source for source, module in LOOKUPS.items() if module.kinds}
    roles = (
        ("search", REGISTRY), ("look-ups", reads), ("copies", LOCATORS), ("citations", CITING),
    )  # fmt: skip
    return tuple(role for role, table in roles if name in table)


def _lane(name: str) -> str:
    hosts = HOSTS.get(name)
    return lane(f"https://{hosts[0]}/") if hosts else name


def _counted(name: str, config: Config) -> str:
    """The lane that requests are counted in; a mirror's are counted by themselves."""
    base = config.base_urls.get(name)
    if base is None:
        return _lane(name)
    from pressmark.http.hosts import origin

    return f"{_lane(name)}@{':'.join(map(str, origin(base)))}"


def _contributed(library: Library | None) -> tuple[Counter[str], Counter[str]]:
    """How many references and texts each name vouches for."""
    references: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    if library is None:
        return references, texts
    for reference in library.all():
        references.update({line.partition(":")[0] for line in reference.sources})
    for path in library.catalogue.with_fulltext().values():
        texts[_text_source(library, path)] += 1
    return references, texts


def _text_source(library: Library, path: str) -> str:
    """Who a full text came from: its front matter is at its head, its body may be long."""
    try:
        with (library.root / path).open("rb") as file:
            head = file.read(4096).decode("utf-8", "replace")
    except OSError:
        return "unknown"
    found = re.search(r"^source: *['\"]?([\w-]+)", head, re.M)
    return found[1] if found else "unknown"
