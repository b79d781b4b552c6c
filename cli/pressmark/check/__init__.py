"""A library comes in; what breaks its rules goes out. Reads only: no lock, fit for a git hook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark.check import bibliography, citing, quotes, records, safety, texts
from pressmark.check.finding import Finding
from pressmark.check.view import View, chosen, failure
from pressmark.errors import Integrity

if TYPE_CHECKING:
    from pressmark.library import Library, Outcome, Write

__all__ = ["DOCUMENTS", "RULES", "Finding", "check", "fix", "status"]

Rule = Callable[[View], Iterator[Finding]]

RULES: dict[str, Rule] = {
    "FORMAT": records.format,
    "UNREADABLE": records.unreadable,
    "CONFLICT": records.conflict,
    "DUPLICATE-ID": records.duplicate_id,
    "DUPLICATE-KEY": records.duplicate_key,
    "BAD-KEY": records.bad_key,
    "WRONG-FOLDER": records.wrong_folder,
    "BAD-IDENTIFIER": records.bad_identifier,
    "LAYOUT": records.lay_out,
    "MISSING": bibliography.missing,
    "TITLE-FORM": bibliography.title_form,
    "ODD-NAME": bibliography.odd_name,
    "ODD-PAGES": bibliography.odd_pages,
    "IDENTIFIER-FORM": bibliography.identifier_form,
    "OTHER-TITLE": bibliography.other_title,
    "UNCITED": citing.uncited,
    "DANGLING": citing.dangling,
    "RETRACTED": citing.retracted,
    "SUPERSEDED": bibliography.superseded,
    "LOST-QUOTE": quotes.lost_quote,
    "WRONG-TEXT": texts.wrong_text,
    "SYMLINK": safety.symlink,
    "TRACKED-SIDECAR": safety.tracked_sidecar,
    "SECRET": safety.secret,
}

DOCUMENTS: dict[str, Rule] = {"DOCUMENT": texts.documents}
"""What reads every original as well, and is asked for."""


def check(
    library: Library, paths: Sequence[str | Path] | None = None, *, documents: bool = False
) -> list[Finding]:
    """Everything that breaks a rule, sorted by place; with `paths` only what is in those.

    A file among the paths is read as prose, whatever folder it is in.
    """
    library.refresh()
    view = View(library, None if paths is None else chosen(library, paths))
    rules = {**RULES, **DOCUMENTS} if documents else RULES
    found = [each for code, rule in rules.items() for each in _guarded(code, rule, view)]
    return sorted(set(found), key=lambda finding: finding.place)


def _guarded(code: str, rule: Rule, view: View) -> list[Finding]:
    """What a rule finds; one that fails says so, and the others run all the same."""
    found: list[Finding] = []
    try:
        found.extend(rule(view))
    except Exception as error:
        found.append(failure(code, "", error))
    return found


def status(findings: Sequence[Finding], *, strict: bool = False) -> int:
    """The exit status: 3 when there is an error, or with `strict` anything at all."""
    grave = any(strict or each.severity == "error" for each in findings)
    return Integrity.exit_status if grave else 0


def fix(
    library: Library, paths: Sequence[str | Path] | None = None, *, write: Write | None = None
) -> Outcome:
    """Correct what can be corrected without a doubt, in one commit.

    The files that LAYOUT names get the canonical layout; titles lose their markup (TITLE-FORM),
    identifiers their odd spelling (IDENTIFIER-FORM).
    """
    from pressmark.library import Write as Writing
    from pressmark.library.writing import finish, writing

    write = write or Writing()
    with writing(library, write) as draft:
        view = View(library, None if paths is None else chosen(library, paths))
        for file in view.files(*records.LAID_OUT):
            data = view.read(file.path)
            after = records.relaid(view, file, data) if data is not None else None
            if after is not None and after != data:
                draft.write_bytes(file.path, after)
        what = "laid out anew"
        for file in view.files("reference"):
            held = view.references.get(file.name)
            better = bibliography.mended(held) if held else None
            if better is not None and better != held:
                draft.write(better, file.path)
                what = "corrected"
        number = len(draft.changes)
        subject = f"check: {number} file{'' if number == 1 else 's'} {what}"
        return finish(library, draft, subject, write)
