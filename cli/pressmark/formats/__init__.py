"""Other people's bibliography formats in, papers out; references in, those formats out.

What a file is, its first bytes say; its name only where they leave it open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from pressmark.errors import BadInput

if TYPE_CHECKING:
    from pressmark.formats.reading import Only, Read
    from pressmark.record import Reference

READERS = {
    "bibtex": "bibtex", "csl-json": "csljson.files", "csl-yaml": "cslyaml", "ris": "ris",
    "nbib": "nbib", "pubmed-xml": "pubmedxml", "endnote-xml": "endnote", "enw": "enw", "wos": "wos",
    "cff": "cff", "mods": "mods",
}  # fmt: skip
"""A format's name, and the module whose `read` takes its bytes."""

SUFFIXES = {
    ".bib": "bibtex", ".bibtex": "bibtex", ".json": "csl-json", ".ris": "ris", ".nbib": "nbib",
    ".enw": "enw", ".isi": "wos", ".ciw": "wos", ".cff": "cff", ".yaml": "",
    ".yml": "", ".xml": "", ".mods": "mods", ".txt": "", ".medline": "nbib",
}  # fmt: skip
"""What a file of this name is taken for when its bytes do not say; nothing where they must."""

WRITERS = {
    "bibtex": ".bib", "biblatex": ".bib", "csl-json": ".json", "csl-yaml": ".yaml", "ris": ".ris",
    "csv": ".csv",
}  # fmt: skip
"""A format that is written, and how its files' names end."""

_FOREIGN = (
    (b"%PDF", "is a PDF", "pressmark add FILE"),
    (b"SQLite format 3\0", "is a database", "pressmark import --zotero FILE, if it is Zotero's"),
    (b"PK\x03\x04", "is a ZIP archive", "unpack it first"),
    (b"\x1f\x8b", "is compressed", "gunzip it first"),
    (b"\xd0\xcf\x11\xe0", "is an Office document", "export the references as RIS or BibTeX"),
)
_SIGNS = (
    ("wos", rb"\A\s*FN [^\n]*\n|^PT [A-Z]\s*$"),
    ("ris", rb"^\s*TY {1,2}- "),
    ("nbib", rb"^(?:PMID|OWN) *- "),
    ("enw", rb"^%0(?: |\s*$)"),
    ("cff", rb"^cff-version\s*:"),
    ("bibtex", rb"^[ \t]*@[ \t]*[A-Za-z]\w*[ \t]*[{(]"),
    ("csl-yaml", rb"\A(?:#[^\n]*\n|\s+|---\s*\n)*(?:references\s*:|- id\s*:)"),
)
_ROOTS = (
    ("pubmed-xml", rb"<Pubmed(?:Book)?Article(?:Set)?\b|<MedlineCitation"),
    ("endnote-xml", rb"<(?:xml|records)\b"),
    ("mods", rb"<(?:\w+:)?mods(?:Collection)?\b"),
)


def detect(data: bytes, name: str = "") -> str:
    """The format of a file; BadInput for what holds no bibliography, or in no known form."""
    for sign, what, advice in _FOREIGN:
        if data.startswith(sign):
            raise BadInput(f"{name or 'The file'} {what}, whatever its name says.", next=advice)
    head = _ascii(data[:65536]).lstrip()
    if head[:1] in (b"{", b"["):
        return "csl-json"
    if head[:1] == b"<":
        found = next((form for form, root in _ROOTS if re.search(root, head)), "")
        if found:
            return found
        raise BadInput(f"{name or 'The file'} is XML of a kind that is not read.", next=_KNOWN)
    for form, sign_of in _SIGNS:
        if re.search(sign_of, head, re.M):
            return form
    suffix = re.search(r"\.\w+$", name.casefold())
    form = SUFFIXES.get(suffix[0] if suffix else "", "")
    if not form:
        raise BadInput(f"{name or 'The file'} is of no kind that can be read.", next=_KNOWN)
    return form


_KNOWN = f"what is read: {', '.join(READERS)}"


def _ascii(head: bytes) -> bytes:
    """The beginning without its mark and, of UTF-16, without the noughts."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:64].count(0) > 16:
        head = head.replace(b"\0", b"")
    return re.sub(rb"\A(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)", b"", head)


def read(data: bytes, name: str = "", form: str | None = None, *, only: Only | None = None) -> Read:
    """Every entry of a file, as a paper or as a problem.

    `form` is a name of `READERS`; without it the file's own says. With `only`, a .bib file's
    entries that it says no to, by their names and raw fields, are passed over unread. Raises
    BadInput for a file that is none.
    """
    form = form or detect(data, name)
    reader = import_module(f"pressmark.formats.{READERS[form]}").read
    found: Read = reader(data, only) if only and form == "bibtex" else reader(data)
    found.form = form
    if not found.papers and not found.problems and not (only and form == "bibtex"):
        found.say("the file holds no entry")
    return found


def write(references: Iterable[Reference], form: str, *, letters: str = "latin") -> str:
    """The text of a whole file in one of `WRITERS`, the same for the same references.

    `letters` is `latin` or, in biblatex, `all`: every letter of every script as it is.
    """
    from pressmark.formats.bibtex.latex import Letters

    if form == "biblatex":
        from pressmark.formats import biblatex

        return biblatex.write(references, Letters(letters))
    writers: dict[str, Callable[[Iterable[Reference]], str | bytes]] = {
        form: import_module(f"pressmark.formats.{_WRITING[form]}").write
    }
    text = writers[form](references)
    return text.decode("utf-8") if isinstance(text, bytes) else text


_WRITING = {"bibtex": "bibtex", "csl-json": "csljson", "csl-yaml": "cslyaml", "ris": "ris",
            "csv": "table"}  # fmt: skip


def is_ours(data: bytes) -> bool:
    """Whether a file says in its first lines that Pressmark wrote it."""
    return b"Written by Pressmark" in data[:200]
