"""Many identifiers in; what the source that takes them in one request has, and has not, out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pressmark import ids
from pressmark.config import Config
from pressmark.errors import (
    NotFound,
    Offline,
    PressmarkError,
    RateLimited,
    SourceBroken,
    SourceDown,
)
from pressmark.http import Paused
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources.base import Found, Known
from pressmark.sources.exchange import Way, ask
from pressmark.sources.registry import LOOKUPS


@dataclass(slots=True)
class Many:
    """What became of each identifier of a batch: every one stands in exactly one of the three."""

    found: dict[Identifier, Paper] = field(default_factory=dict)
    not_found: list[Identifier] = field(default_factory=list)
    failed: dict[Identifier, PressmarkError] = field(default_factory=dict)


def batched(
    source: str,
    identifiers: Sequence[Identifier],
    client: Way,
    config: Config,
    today: str,
    *,
    refresh: bool | None = None,
) -> Many:
    """Ask one source for identifiers, as many in a request as it takes.

    Who leaves out what it does not have, without a word, is compared with what was asked. A
    batch that fails as a whole is halved until the identifier that poisons it stands alone.
    """
    module = LOOKUPS[source]
    many = Many()
    wanted = list(dict.fromkeys(identifiers))
    for start in range(0, len(wanted), module.batch):
        part = wanted[start : start + module.batch]
        _ask(module, part, many, client, config, today, refresh)
    return many


def _ask(
    module: Known,
    wanted: Sequence[Identifier],
    many: Many,
    client: Way,
    config: Config,
    today: str,
    refresh: bool | None,
) -> None:
    def parse(body: bytes, status: int, kind: str, date: str) -> Found:
        return module.parse_lookup(body, status, kind, today=date)

    try:
        request = module.lookup_request(wanted, config)
        found, answer = ask(
            client, module.name, request, parse, today=today, patient=True, refresh=refresh
        )
    except Offline:
        raise
    except NotFound:
        many.not_found += wanted
        return
    except PressmarkError as problem:
        if len(wanted) == 1 or not _may_be_poisoned(problem):
            many.failed |= dict.fromkeys(wanted, problem)
            return
        half = len(wanted) // 2
        for part in (wanted[:half], wanted[half:]):
            # The failure has just paused the source; the halves are asked all the same.
            _ask(module, part, many, client, config, today, True)
        return
    missing = len(many.not_found)
    for each in wanted:
        paper = next((one for one in found.papers if answers(one, each)), None)
        if paper is None and len(wanted) == len(found.papers) == 1:
            paper = found.papers[0]  # it was asked by a name that its record does not repeat
        if paper is None:
            many.not_found.append(each)
        else:
            many.found[each] = paper
    if len(many.not_found) > missing:
        client.forget(answer)  # an absence is not kept: the next day may have it


def answers(paper: Paper, identifier: Identifier) -> bool:
    """Whether a paper is the one that an identifier stands for."""
    if getattr(paper, identifier.kind, None) == identifier.value:
        return True
    return str(identifier) in ids.identities(paper)


def _may_be_poisoned(problem: PressmarkError) -> bool:
    """Whether one bad identifier can be why a whole batch failed: a 500 or a refusal."""
    if isinstance(problem, RateLimited | Paused):
        return False
    if isinstance(problem, SourceDown):
        return "HTTP 5" in problem.message
    return isinstance(problem, SourceBroken)
