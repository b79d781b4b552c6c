"""What `find` and `related` take alike: how many hits, of which references, and how told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pressmark.commands.filtered import filter_options

if TYPE_CHECKING:
    from pressmark.commands.session import Session
    from pressmark.find import Findings

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Ranking:
    """The options of a ranked answer."""

    k: int | None
    offset: int
    filters: tuple[str, ...]
    exclude: tuple[str, ...]
    relation: str
    explain: bool

    def call(self, session: Session) -> dict[str, Any]:
        """Them as the core takes them."""
        from pressmark.commands.retrieval import progress

        return {
            "filters": self.filters, "k": self.k or session.config.find_limit,
            "offset": self.offset, "exclude": self.exclude, "relation": self.relation,
            "explain": self.explain, "progress": progress(session),
        }  # fmt: skip

    def emit(self, session: Session, found: Findings, as_json: bool) -> None:
        """Print an answer, its hits counted from the offset."""
        from pressmark.commands.retrieval import findings_json, findings_lines

        data = findings_json(session.library, found, self.offset)
        lines = findings_lines(found, self.explain, self.offset)
        session.emit(data, lines, as_json, found.warnings)


def ranking_options(function: Function) -> Function:
    """The options of a ranked answer; the command gets them as one `ranking`."""

    @click.option(
        "-k", "--limit", "k", type=click.IntRange(1, 200), help="How many: 20; at most 200."
    )
    @click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many first.")
    @filter_options
    @click.option("--exclude", multiple=True, metavar="KEY", help="More, but not these.")
    @click.option(
        "--relation", metavar="KIND", default="any", help="any; others are ranked as any."
    )
    @click.option("--explain", is_flag=True, help="Show the rank in every channel.")
    @wraps(function)
    def call(*args: Any, **kw: Any) -> Any:
        given = {name: kw.pop(name) for name in Ranking.__slots__}
        return function(*args, ranking=Ranking(**given), **kw)

    return call  # type: ignore[return-value]
