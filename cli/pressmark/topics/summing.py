"""The runs on a branch in; the text of its pull request out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.check import Finding
from pressmark.library import Library
from pressmark.record import Reference
from pressmark.render import counted
from pressmark.topics.changing import GRAVE
from pressmark.topics.refreshing import Ran
from pressmark.topics.running import Run
from pressmark.topics.telling import cell, linked, table

if TYPE_CHECKING:
    from pressmark.search.updating import Update

CONFLICTS = 5
"""Conflicts that are quoted; the files hold them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed:
    """What a reviewer has to see."""

    new: tuple[tuple[str, tuple[Reference, ...]], ...] = ()
    """Each topic's title and what it brought."""
    alike: tuple[tuple[Reference, Reference, str], ...] = ()
    """A new reference, a held one that it looks like, and why."""
    conflicts: tuple[str, ...] = ()
    retracted: tuple[Reference, ...] = ()
    grown: int = 0
    """Held references that learnt something or gained a topic."""
    renewed: tuple[tuple[Reference, tuple[str, ...]], ...] = ()
    """Held references that were asked for anew, and the fields that changed."""
    failures: tuple[tuple[str, str], ...] = ()
    """A topic and what went wrong for it."""
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls, library: Library, runs: Sequence[Run], failures: Sequence[Ran],
        findings: Sequence[Finding], update: Update | None = None,
    ) -> Summed:  # fmt: skip
        """What the runs on a branch brought, as the branch's own library holds it."""
        new = [(run.topic.title, tuple(_held(library, run.new))) for run in runs]
        touched = {
            item.key for run in runs for item in (run.added.items if run.added else ())
            if item.outcome in ("added", "enriched", "merged")
        }  # fmt: skip
        fresh = [ref for _, refs in new for ref in refs]
        changed = {e.key: e.fields for e in update.items if e.status == "changed"} if update else {}
        renewed = [(ref, changed[ref.key]) for ref in _held(library, changed)]
        touched |= set(changed)
        return cls(
            new=tuple((title, refs) for title, refs in new if refs),
            alike=tuple(_alike(library, fresh)),
            conflicts=tuple(line for run in runs for line in (run.added or _NONE).conflicts),
            retracted=tuple(r for r in _held(library, sorted(touched)) if r.notice in GRAVE),
            grown=len(touched - set(changed)) - len(fresh) + sum(len(r.matched) for r in runs),
            renewed=tuple(renewed),
            failures=tuple(_failed(runs, failures)),
            findings=tuple(each for each in findings if each.severity == "error"),
        )


class _NONE:
    conflicts: tuple[str, ...] = ()


def text(summed: Summed) -> str:
    """Markdown: what is new per topic, then what a reviewer should look at twice."""
    number = sum(len(refs) for _, refs in summed.new)
    head = f"**{counted(number, 'new reference')}**"
    head += f", {summed.grown} held ones learnt something" if summed.grown else ""
    parts = [
        f"{head}. Delete the files you do not want, keep the others "
        "(`pressmark keep KEY` on this branch, or after the merge); what you delete is not "
        "offered again."
    ]
    for topic, refs in summed.new:
        parts += table(cell(topic), refs)
    if summed.alike:
        rows = [f"- {linked(new)} (`{new.key}`) looks like `{held.key}`: {why}"
                for new, held, why in summed.alike]  # fmt: skip
        parts += ["### Look-alikes", "\n".join(rows)]
    parts += table("Retracted or withdrawn", summed.retracted)
    if summed.renewed:
        rows = [f"- {linked(ref)} (`{ref.key}`): {', '.join(f'`{name}`' for name in names)}"
                for ref, names in summed.renewed]  # fmt: skip
        parts += ["### Asked for anew", "\n".join(rows)]
    if summed.conflicts:
        rows = [f"- {cell(line)}" for line in summed.conflicts[:CONFLICTS]]
        if len(summed.conflicts) > CONFLICTS:
            rows.append(f"- and {len(summed.conflicts) - CONFLICTS} more, in the files")
        parts += ["### Offered and not taken", "\n".join(rows)]
    if summed.failures:
        rows = [f"- {cell(topic)}: {cell(why)}" for topic, why in summed.failures]
        parts += ["### What failed", "\n".join(rows)]
    parts += ["### Check", _checked(summed.findings)]
    return "\n\n".join(parts) + "\n"


def _checked(findings: Sequence[Finding]) -> str:
    if not findings:
        return "`pressmark check` found no error on this branch."
    rows = [f"- `{each.path}` {each.code}: {cell(each.message)}" for each in findings[:20]]
    if len(findings) > 20:
        rows.append(f"- and {len(findings) - 20} more")
    return "\n".join(rows)


def _held(library: Library, keys: Iterable[str]) -> list[Reference]:
    found = (library.catalogue.get(key) for key in keys)
    return [ref for ref in found if ref is not None]


def _alike(
    library: Library, new: Sequence[Reference]
) -> Iterable[tuple[Reference, Reference, str]]:
    """Held references that may be the same work as a new one: versions, and equal titles."""
    if not new:
        return
    titles: dict[str, list[Reference]] = {}
    for ref in library.all():
        titles.setdefault(_title(ref), []).append(ref)
    fresh = {ref.key for ref in new}
    for ref in new:
        seen = {ref.key}
        for identity in ref.related:
            for held in _held(library, library.catalogue.holders([identity])):
                if held.key not in seen:
                    seen.add(held.key)
                    yield ref, held, "one is a version of the other"
        for held in titles[_title(ref)]:
            if held.key not in seen and (held.key not in fresh or held.key < ref.key):
                seen.add(held.key)
                yield ref, held, "the titles are the same"


def _title(ref: Reference) -> str:
    return next((i for i in reversed(ids.identities(ref)) if i.startswith("title:")), "").rsplit(
        ":", 2
    )[0]


def _failed(runs: Sequence[Run], failures: Sequence[Ran]) -> Iterable[tuple[str, str]]:
    """A line for a topic that could not run, and for every source that did not answer."""
    for ran in failures:
        if ran.error is not None:
            yield ran.slug, str(ran.error)
        for report in ran.run.reports if ran.run else ():
            yield ran.slug, f"{report.source} {report.status}: {report.reason}"
    for run in runs:
        for report in run.reports:
            if not report.answered and report.status != "skipped":
                yield run.topic.slug, f"{report.source} {report.status}: {report.reason}"
