"""Rules about what the records say: complete for their type, plain titles, names, identifiers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from pressmark import ids
from pressmark.catalogue.catalogue import File
from pressmark.check.finding import Finding
from pressmark.check.records import IDENTIFIERS, field_line
from pressmark.check.view import View, over
from pressmark.library import matching
from pressmark.links import Mention
from pressmark.record import Author, Reference
from pressmark.text import from_tex
from pressmark.text import title as plain_title

NEEDS: dict[str, tuple[str, ...]] = {
    "article-journal": ("authors", "published", "venue"),
    "article-magazine": ("published", "venue"),
    "article-newspaper": ("published", "venue"),
    "paper-conference": ("authors", "published", "venue|event"),
    "chapter": ("authors", "published", "venue"),
    "book": ("authors|editors", "published", "publisher"),
    "thesis": ("authors", "published", "publisher"),
    "report": ("published", "publisher|venue"),
    "article": ("authors", "published"),
    "patent": ("authors", "published", "number"),
    "webpage": ("url|doi",),
    "dataset": ("published", "publisher|venue|url|doi"),
    "software": ("url|doi|publisher",),
}
"""What a reader needs to find a work of each type; of `a|b` one."""

_TEX = re.compile(r"\\[A-Za-z]{2,}|\\[`'^\"~=.][A-Za-z{]|\{[^{}]*\}")
_MARKUP = re.compile(r"</?[a-z]{1,10}(?:\s[^<>]*)?>|&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});", re.I)
_MATHS = re.compile(r"\$[^$]*\$")
_ODD_NAME = re.compile(r"(?i)\bet al\b\.?|;|@|https?:|\d{3}|\band\b(?=.*,.*\band\b)|&")
_RANGE = re.compile(r"(\d{1,7})\s*[-–]\s*(\d{1,7})")


def missing(view: View) -> Iterator[Finding]:
    """MISSING: a reference that lacks what its type needs."""
    yield from over("MISSING", view.files("reference"), partial(_checked, view, _missing))


def title_form(view: View) -> Iterator[Finding]:
    """TITLE-FORM: a title with markup of another format, or in capitals throughout."""
    yield from over("TITLE-FORM", view.files("reference"), partial(_checked, view, _title_form))


def odd_name(view: View) -> Iterator[Finding]:
    """ODD-NAME: an author who is no person and no group, or several at once."""
    yield from over("ODD-NAME", view.files("reference"), partial(_checked, view, _odd_name))


def odd_pages(view: View) -> Iterator[Finding]:
    """ODD-PAGES: a range that ends before it begins."""
    yield from over("ODD-PAGES", view.files("reference"), partial(_checked, view, _odd_pages))


def identifier_form(view: View) -> Iterator[Finding]:
    """IDENTIFIER-FORM: an identifier in another spelling than its own."""
    rule = partial(_checked, view, _identifier_form)
    yield from over("IDENTIFIER-FORM", view.files("reference"), rule)


def other_title(view: View) -> Iterator[Finding]:
    """OTHER-TITLE: what answers to the identifier has another title."""
    yield from over("OTHER-TITLE", view.files("reference"), partial(_checked, view, _other_title))


Look = Callable[[View, File, Reference], Iterator[Finding]]


def _checked(view: View, look: Look, file: File) -> Iterator[Finding]:
    held = view.references.get(file.name)
    if held is not None and held.stage is None:  # nobody has chosen a candidate yet
        yield from look(view, file, held)


def _missing(view: View, file: File, held: Reference) -> Iterator[Finding]:
    needs = NEEDS.get(held.type or "", ())
    lacking = [each for each in needs if not any(getattr(held, n) for n in each.split("|"))]
    if _is_preprint(held):  # it has no journal yet, whatever a provider calls it
        lacking = [each for each in lacking if "venue" not in each.split("|")]
    if lacking:
        said = ", ".join(each.replace("|", " or ") for each in lacking)
        yield Finding(
            code="MISSING", severity="warning", path=file.path, line=1,
            message=f"A reference of type {held.type} without {said}.",
            next=f"pressmark edit {held.key} --set {lacking[0].partition('|')[0]}=…",
        )  # fmt: skip


def _is_preprint(held: Reference) -> bool:
    """Whether a reference is known by its arXiv id alone."""
    return bool(held.arxiv) and (held.doi or "10.48550/").startswith("10.48550/")


def _title_form(view: View, file: File, held: Reference) -> Iterator[Finding]:
    title = held.title
    bare = _MATHS.sub("", title)
    letters = [sign for sign in bare if sign.isalpha()]
    if _TEX.search(bare):
        what, then = "TeX", _mends(held)
    elif _MARKUP.search(bare):
        what, then = "markup", _mends(held)
    elif len(letters) > 15 and title.upper() == title and title.lower() != title:
        what, then = "", "write it as a sentence; exports protect names and acronyms"
    else:
        return
    message = f"The title holds {what}." if what else "The title is in capitals throughout."
    yield Finding(
        code="TITLE-FORM", severity="warning", path=file.path,
        line=field_line(view, file.path, "title"), message=message, next=then,
    )  # fmt: skip


def _mends(held: Reference) -> str:
    """What takes the markup away: `--fix`, unless that would leave it as it is."""
    if mended(held).title != held.title:
        return "pressmark check --fix"
    return f"pressmark edit {held.key} --set title=…"


def _odd_name(view: View, file: File, held: Reference) -> Iterator[Finding]:
    for name in ("authors", "editors"):
        odd = [each for each in getattr(held, name) if _is_odd(each)]
        if odd:
            yield Finding(
                code="ODD-NAME", severity="warning", path=file.path,
                line=field_line(view, file.path, name),
                message=f"{odd[0]!r} in {name} is no one name.",
                next="one name a line, as Family, Given; a group in braces",
            )  # fmt: skip


def _is_odd(name: str) -> bool:
    if name.strip(".").casefold() in ("et al", "others"):
        return False
    return not Author.parse(name).group and bool(_ODD_NAME.search(name))


def _odd_pages(view: View, file: File, held: Reference) -> Iterator[Finding]:
    found = _RANGE.fullmatch((held.pages or "").strip())
    if found and len(found[1]) == len(found[2]) and int(found[1]) > int(found[2]):
        yield Finding(
            code="ODD-PAGES", severity="warning", path=file.path,
            line=field_line(view, file.path, "pages"),
            message=f"The pages {held.pages} end before they begin.", next="correct them",
        )  # fmt: skip


def _identifier_form(view: View, file: File, held: Reference) -> Iterator[Finding]:
    for name, known in _spellings(held):
        yield Finding(
            code="IDENTIFIER-FORM", severity="warning", path=file.path,
            line=field_line(view, file.path, name),
            message=f"The {name} {getattr(held, name)} is written {known} everywhere else.",
            next="pressmark check --fix",
        )  # fmt: skip


def _other_title(view: View, file: File, held: Reference) -> Iterator[Finding]:
    for line in held.conflicts:
        found = re.fullmatch(r"title: (.*) \(([\w-]+)\)", line)
        if found and not ids.same_title(held.title, found[1]):
            yield Finding(
                code="OTHER-TITLE", severity="warning", path=file.path,
                line=field_line(view, file.path, "conflicts"),
                message=f"{found[2]} has the title {found[1][:100]!r} for this identifier.",
                next="see which of the two the identifier belongs to",
            )  # fmt: skip


def superseded(view: View) -> Iterator[Finding]:
    """SUPERSEDED: prose that cites a preprint whose publication the library holds."""
    published = _published(view)
    if published:
        yield from over("SUPERSEDED", view.mentions, partial(_superseded, view, published))


def _published(view: View) -> dict[str, str]:
    """Each held preprint and the held reference that is its publication."""
    by_title: dict[str, list[Reference]] = defaultdict(list)
    preprints = []
    for held in view.references.values():
        if matching.is_preprint(held):
            preprints.append(held)
    if not preprints:
        return {}
    for held in view.references.values():
        by_title[ids.title_words(held.title)].append(held)
    found = {}
    for preprint in preprints:
        for other in by_title[ids.title_words(preprint.title)]:
            if other.key != preprint.key and matching.is_version(preprint, other):
                found[preprint.key] = other.key
    return found


def _superseded(view: View, published: dict[str, str], mention: Mention) -> Iterator[Finding]:
    target = mention.target
    if target and target.kind == "reference" and target.name in published:
        other = published[target.name]
        if mention.path != target.path:
            yield Finding(
                code="SUPERSEDED", severity="warning", path=mention.path, line=mention.line,
                column=mention.column,
                message=f"{target.name} is a preprint that has been published as {other}.",
                next=f"cite {other}, or both",
            )  # fmt: skip


def mended(held: Reference) -> Reference:
    """The reference with what can be corrected without a doubt: markup of titles, spellings."""
    title = held.title
    if _TEX.search(_MATHS.sub("", title)):
        title = from_tex(title)
    if _MARKUP.search(_MATHS.sub("", title)):
        title = plain_title(title)
    better = replace(held, title=title) if title != held.title else held
    spelt = dict(_spellings(better))
    return replace(better, **spelt) if spelt else better  # type: ignore[arg-type]


def _spellings(held: Reference) -> Iterator[tuple[str, str]]:
    """The identifiers that stand in another form than their own, and that form."""
    for name, normalise in IDENTIFIERS.items():
        value = getattr(held, name)
        known = normalise(value) if value else None
        if known and known.casefold() != value.casefold():
            yield name, known
