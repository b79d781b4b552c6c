"""A title, a quotation, a template in; a new note out: the file is the user's from then on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pressmark import ids, page
from pressmark.errors import BadInput, NotFound, PressmarkError
from pressmark.library import Outcome, Write
from pressmark.notes import templates
from pressmark.notes.anchor import Anchor, written
from pressmark.notes.naming import path_of
from pressmark.notes.quoting import Text, fastened
from pressmark.record import Extra, Note, Reference
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.library import Library

TAG = re.compile(r"[\w/-]+")


@dataclass(frozen=True, slots=True)
class Draft:
    """A note that is not filed yet, the bytes its file would have, and what to say about it."""

    note: Note
    data: bytes
    warnings: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return path_of(self.note)


def begin(
    library: Library,
    title: str,
    *,
    about: Sequence[str] = (),
    tags: Sequence[str] = (),
    today: str,
    write: Write | None = None,
) -> Outcome:
    """File a new note with its title; from then on no command writes into its text."""
    draft = compose(library, title, about=about, tags=tags, today=today)
    return file(library, draft, write or Write())


def compose(
    library: Library,
    title: str = "",
    *,
    about: Sequence[str] = (),
    tags: Sequence[str] = (),
    anchors: Sequence[Anchor] = (),
    template: str | None = None,
    author: str | None = None,
    body: str | None = None,
    metadata: Mapping[str, Extra] | None = None,
    today: str,
    time: str = "",
) -> Draft:
    """A new note, not filed: each anchor is fastened to the full text of what it quotes.

    `about` takes keys, identifiers in any spelling and URLs of references the library holds.
    Without a title the reference or the day gives one. Raises BadInput or NotFound.
    """
    held = [_held(library, each) for each in about]
    title = _title(title, held, template, today)
    anchors = [_of_held(library, each, held) for each in anchors]
    anchors, warnings = _fastened(library, anchors)
    slug = _slug(library, today if template == templates.DAILY else "", title)
    quotes, cites = _quotes(anchors), "".join(f"\n[@{ref.key}]\n" for ref in held)
    note = Note(title=title, body=f"\n# {title}\n{cites}" + (f"\n{quotes}\n" if quotes else ""))
    if template:
        data, path = templates.source(library, template)
        values = {
            "title": title, "date": today, "time": time, "slug": slug, "tags": ", ".join(tags),
            "quotes": quotes, "cite": cites.strip("\n"),
        }  # fmt: skip
        note, unknown = templates.filled(data, path, values, held[0] if held else None)
        warnings += unknown
    note = replace(
        note, slug=slug, title=note.title or title,
        about=tuple(dict.fromkeys((*note.about, *(ref.key for ref in held)))),
        tags=tuple(sorted({*note.tags, *(_tag(tag) for tag in tags)})),
        author=clean(author).strip() or None if author else note.author,
        created=note.created or today,
        anchors=(*note.anchors, *(written(each) for each in anchors)),
        extra={**note.extra, **(metadata or {})},
        body=note.body if body is None else f"\n{body.strip(chr(10))}\n",
    )  # fmt: skip
    return Draft(note, page.write(note), tuple(warnings))


def file(library: Library, new: Draft, write: Write, data: bytes | None = None) -> Outcome:
    """File a new note, or what an editor made of it; the warnings come with the outcome."""
    from pressmark.library.writing import finish, writing

    data = new.data if data is None else data
    note = page.read(Note, data, new.path)
    with writing(library, write) as draft:
        if draft.read(new.path) is not None:
            raise _there(new.path)
        draft.write_bytes(new.path, data)
        subject = f"note: {clean(note.title) or new.note.title}"
        return finish(library, draft, subject, write, warnings=new.warnings)


def _there(path: str) -> BadInput:
    name = path.removeprefix("notes/").removesuffix(".md")
    return BadInput(f"{path} is there already.", next=f"pressmark note edit {name}")


def _held(library: Library, text: str) -> Reference:
    """The reference a text names; an identifier of a kind that nobody knows is bad input."""
    try:
        return library.get(text)
    except NotFound:
        kind, colon, rest = text.partition(":")
        if colon and rest and kind.isalpha() and ids.parse(text) is None:
            raise BadInput(
                f"{kind} is no kind of identifier.",
                next="use a key, or doi:, arxiv:, pmid:, pmcid:, openalex:, isbn:",
            ) from None
        raise


def _title(title: str, held: Sequence[Reference], template: str | None, today: str) -> str:
    title = " ".join(clean(title).split())
    if title:
        return title
    if template == templates.DAILY:
        return today
    if held:
        return f"On {held[0].title}"
    raise BadInput(
        "A note needs a title.",
        next='pressmark note new "My title", or --about REF, --template daily',
    )


def _tag(tag: str) -> str:
    tag = clean(tag).strip().removeprefix("#")
    if not TAG.fullmatch(tag):
        raise BadInput(
            f"{tag!r} cannot be a tag.", next="a tag is letters, digits, -, _ and / without blanks"
        )
    return tag


def _slug(library: Library, fixed: str, title: str) -> str:
    """A free name; a day's note has its own, and only one."""
    files = {file.name for file in library.catalogue.files("note")}
    if fixed:
        if fixed in files:
            raise _there(f"notes/{fixed}.md")
        return fixed
    return ids.slug(title, {each.casefold() for each in files} | library.catalogue.taken())


def _of_held(library: Library, anchor: Anchor, held: Sequence[Reference]) -> Anchor:
    """The anchor with the key of the reference it belongs to."""
    if anchor.reference:
        return replace(anchor, reference=_held(library, anchor.reference).key)
    if not held:
        raise BadInput("A quotation needs the reference it is from.", next="give --about REF")
    return replace(anchor, reference=held[0].key)


def _fastened(library: Library, anchors: Iterable[Anchor]) -> tuple[list[Anchor], list[str]]:
    """Anchors at their places in the full texts, and a sentence for each that has none."""
    texts: dict[str, Text | None] = {}
    found, warnings = [], []
    for anchor in anchors:
        if anchor.reference not in texts:
            texts[anchor.reference] = text_of(library, anchor.reference)
        text = texts[anchor.reference]
        placed = fastened(anchor, text) if text and anchor.exact else None
        if anchor.exact and text is not None and placed is None:
            warnings.append(
                f"The words {anchor.exact[:60]!r} are not in the full text of {anchor.reference}."
            )
        if placed and anchor.page and placed.page and placed.page != anchor.page:
            warnings.append(f"The words stand on page {placed.page}, not {anchor.page}.")
        # What a person wrote stays; the place is what was found.
        found.append(replace(placed, page=anchor.page or placed.page) if placed else anchor)
    return found, warnings


def text_of(library: Library, key: str) -> Text | None:
    """The full text of a reference to look for quotations in; None where there is none."""
    try:
        held = library.fulltext(key)
    except PressmarkError:
        return None
    return Text(held.body) if held else None


def _quotes(anchors: Iterable[Anchor]) -> str:
    """Each quotation as a block with its citation, and the comment below."""
    return "\n\n".join(block(each) for each in anchors if each.exact or each.comment)


def block(anchor: Anchor) -> str:
    """`> words [@key, p. 3]`, and the comment that belongs to them."""
    at = f", p. {anchor.page}" if anchor.page else ""
    cite = f"[@{anchor.reference}{at}]"
    quoted = f"> {_escaped(anchor.exact)} {cite}" if anchor.exact else cite
    return f"{quoted}\n\n{_escaped(anchor.comment)}" if anchor.comment else quoted


def _escaped(words: str) -> str:
    """Words from a document as plain text: nothing in them cites, links or tags."""
    from pressmark.text import escape_markdown

    return re.sub(r"(?<![\\\w])([@#])(?=\w)", r"\\\1", escape_markdown(words))
