"""A reference in; the ways to copy and to download its citation out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pressmark.errors import PressmarkError
from pressmark.formats import biblatex, bibtex, csl, csljson, ris
from pressmark.record import Reference
from pressmark.render import citation
from pressmark.site.dialect import Dialect
from pressmark.site.maths import readable
from pressmark.text import plain

FORMATTED = 300
"""References up to which a library's are rendered in APA; at about 15 ms each, 5 s at most."""


def blocks(
    write: Dialect, ref: Reference, path: str, files: Mapping[str, bytes], *, styled: bool = False
) -> Iterator[str]:
    """The citation in words, the key, and each format in a fold of its own.

    `styled` renders the citation in APA, which takes a hundred times what the rest does.
    """
    key = ref.cite_as or ref.key
    # A formula of a title is copied into letters and slides: as words, not as TeX.
    worded = replace(ref, title=readable(ref.title)) if "$" in ref.title else ref
    words = _styled(write, worded) if styled else ""
    yield write.paragraph(words or write.text(citation(worded)), "formatted")
    yield write.paragraph(
        f"{write.code(f'[@{key}]')} · "
        + " · ".join(_download(write, path, end) for end in ("bib", "ris", "json")),
        "downloads",
    )
    for title, language, text in (
        ("BibTeX", "bibtex", bibtex.entry(ref)),
        ("biblatex", "biblatex", biblatex.entry(ref)),
        ("RIS", "ris", ris.entry(ref)),
        ("CSL-JSON", "json", files[f"{ref.key}.json"].decode("utf-8")),
    ):
        if write.rich:
            yield write.fold(title, write.fence(text.strip(), language), kind="format")
        elif title == "BibTeX":
            yield write.fence(text.strip(), language)


def files(ref: Reference) -> dict[str, bytes]:
    """What lies beside the page."""
    return {
        f"{ref.key}.bib": bibtex.write([ref]).encode("ascii", "replace"),
        f"{ref.key}.json": csljson.write([ref]),
        f"{ref.key}.ris": ris.write([ref]).encode("utf-8", "replace"),
    }


def _styled(write: Dialect, ref: Reference) -> str:
    """The reference's line in APA, written; nothing where citeproc cannot render it."""
    try:
        (cited,) = csl.cite([ref], csl.DEFAULT, "html" if write.rich else "markdown")
    except PressmarkError:
        return ""
    return plain(cited.line)


def _download(write: Dialect, path: str, end: str) -> str:
    uri = f"{path.removesuffix('.md')}.{end}"
    return write.link(write.text(uri.rpartition("/")[2]), uri)
