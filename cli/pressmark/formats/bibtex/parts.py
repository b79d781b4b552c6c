"""Values of a reference in; the keys, names, dates and numbers that both dialects write, out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pressmark import ids
from pressmark.formats.bibtex import latex
from pressmark.formats.bibtex.latex import Letters
from pressmark.formats.bibtex.symbols import LATIN
from pressmark.record import Author, Extra, Reference
from pressmark.text import fold

PREPRINT_SERVERS = frozenset({
    "arxiv", "arxiv.org", "biorxiv", "medrxiv", "chemrxiv", "psyarxiv", "techrxiv", "osf preprints",
    "research square", "preprints.org", "ssrn", "ssrn electronic journal", "authorea", "zenodo",
})  # fmt: skip
NOTICES = {
    "retracted": "Retracted", "withdrawn": "Withdrawn",
    "expression-of-concern": "Expression of concern published",
}  # fmt: skip

ENTRY_TYPE = "bibtex-type"
"""Where an import keeps an entry's own type when CSL has none that leads back to it."""
KEEP_CASE = "keep-case"
"""Where an import keeps the words of a title that stood in braces and would lose their capitals."""

UNSAFE = r"{}(),\"#%'=~\\\s"
"""Signs that biber, BibTeX or LaTeX cannot have in a key."""
_UNSAFE_CLASSIC = re.compile(rf"[{UNSAFE}]|[^!-~{''.join(sorted(LATIN))}]")
"""A key may have the letters that pdfLaTeX knows: `\\cite` reads it as it stands."""
_UNSAFE_UNICODE = re.compile(rf"[{UNSAFE}]|[^\x21-\U0010ffff]")


def keyed(
    references: Sequence[Reference], letters: Letters = Letters.ASCII
) -> list[tuple[str, Reference]]:
    """Each with the key that documents cite, unless the file cannot hold it or it is taken."""
    unsafe = _UNSAFE_CLASSIC if letters is Letters.ASCII else _UNSAFE_UNICODE
    taken = {reference.key.casefold() for reference in references}
    found = []
    for reference in references:
        key = reference.cite_as or reference.key
        if key != reference.key and (unsafe.search(key) or key.casefold() in taken):
            key = reference.key
        taken.add(key.casefold())
        found.append((key, reference))
    return sorted(found, key=lambda pair: (pair[0].casefold(), pair[0]))


def people(names: tuple[str, ...], letters: Letters = Letters.ASCII) -> str:
    """The value of an author or editor field, in braces; nothing for nobody."""
    return braced(" and ".join(filter(None, (person(name, letters) for name in names))))


def person(name: str, letters: Letters = Letters.ASCII) -> str:
    """One name as BibTeX parses it: what it would split or take for a comma stands in braces."""
    author = Author.parse(name)
    if fold(name).strip(".{} ") in ("et al", "others"):
        return "others"
    if author.group or not (author.given or author.suffix):
        whole = latex.name(author.family, letters)
        return f"{{{whole}}}" if author.group or " " in whole else whole
    parts = (author.family, author.suffix, author.given)
    return ", ".join(_name_part(part, letters) for part in parts if part)


def _name_part(part: str, letters: Letters) -> str:
    written = latex.name(part, letters)
    return f"{{{written}}}" if re.search(r"(?i)\band\b|,", written) else written


def readable(name: str, letters: Letters = Letters.ASCII) -> str:
    """`Given Family`, for running text."""
    return latex.name(Author.parse(name).readable, letters)


def whole(volume: str) -> bool:
    """Whether a volume is the number that biblatex wants; `60-I` is none."""
    return volume.isascii() and volume.isdigit()


def dashed(pages: str | None) -> str:
    """Ranges with an en dash: `123-130` and `S12–S20`, but not the hyphen in `A-12`."""
    spans = [span.strip() for span in re.split(r"[,;]", pages or "")]
    return ", ".join(
        re.sub(r"^(\w*\d\w*)\s*[-–—−]+\s*(\w*\d\w*)$", r"\1–\2", span) for span in spans
    )


def how_published(reference: Reference, letters: Letters = Letters.ASCII) -> str:
    """What a reader needs to find a work of no standard type, in one line."""
    venue = reference.venue or reference.publisher or reference.event or ""
    told = {
        "": venue if fold(venue) != "arxiv" or not reference.arxiv else "",
        "vol.~": reference.volume,
        "no.~": reference.issue or reference.number,
        "pp.~": reference.pages,
        "arXiv:": reference.arxiv,
    }
    said = [word + latex.text(dashed(value), letters) for word, value in told.items() if value]
    return ", ".join(filter(None, (*said, latex.text(own(reference, "howpublished"), letters))))


def edition(value: str | None, letters: Letters = Letters.ASCII) -> str:
    """`2` as `2nd`: the styles put the word “edition” after it."""
    if not (value and value.isascii() and value.isdigit()):
        return latex.text(value or "", letters)
    last = "th" if value[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(value[-1], "th")
    return f"{value}{last}"


def definitions(document: str) -> str:
    """The `@preamble` lines that a finished text needs."""
    return "\n".join(f'@preamble{{"{line}"}}' for line in latex.provided(document))


def isbn(reference: Reference) -> str:
    """The first ISBN that checks: biber refuses another."""
    return next(filter(None, map(ids.normalise_isbn, reference.isbn)), "")


def issn(reference: Reference) -> str:
    """The first ISSN that checks."""
    return next((each for each in reference.issn if _is_issn(each)), "")


def _is_issn(value: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d{3}[\dX]", value):
        return False
    digits = [10 if sign == "X" else int(sign) for sign in value.replace("-", "")]
    return sum(d * w for d, w in zip(digits, range(8, 0, -1), strict=True)) % 11 == 0


def own(reference: Reference, name: str) -> str:
    """The text of a field that is the user's, the texts of a list; nothing when it is absent."""
    return "; ".join(listed(reference.extra.get(name)))


def listed(value: Extra | None) -> Collection[str]:
    """The texts of a list that is the user's."""
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def braced(value: str) -> str:
    """A value in braces, or nothing."""
    return f"{{{value}}}" if value else ""
