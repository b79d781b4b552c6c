"""The tools that bring papers and texts in: each one commit, or one proposal on a branch."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from pressmark import ids
from pressmark.errors import BadInput, PressmarkError
from pressmark.mcp import failing, shapes
from pressmark.mcp.desk import Call
from pressmark.mcp.shapes import Arguments, Key, Strict
from pressmark.mcp.tool import Told, Tool, flow
from pressmark.mcp.uploads import CHUNK, LARGEST, checked, decode
from pressmark.mcp.written import Written, fields, sentence

Tag = Annotated[str, Field(min_length=1, max_length=80)]
Slug = Annotated[str, Field(min_length=1, max_length=100)]


class AddPapers(Arguments):
    """Arguments of `add_papers`."""

    identifiers: Annotated[list[Key], Field(min_length=1, max_length=50)]
    tags: Annotated[tuple[Tag, ...], Field(max_length=20)] = ()
    topic: Slug | None = None
    collection: Slug | None = None


class AddedPaper(Strict):
    """What became of one paper."""

    outcome: str
    key: str | None
    reason: str | None


class NotAdded(Strict):
    """An identifier that brought nothing, and why."""

    identifier: str
    error: str


class AddedPapers(Written):
    """What became of every identifier."""

    added: int
    merged: int
    unchanged: int
    conflicts: int
    papers: list[AddedPaper]
    rejected: list[NotAdded]


class FetchText(Arguments):
    """Arguments of `fetch_text`."""

    papers: Annotated[tuple[Key, ...], Field(max_length=20)] = ()
    limit: Annotated[int, Field(ge=1, le=20)] = 5
    again: bool = False


class FetchedText(Strict):
    """What became of one paper's text."""

    key: str
    status: str
    format: str | None
    source: str | None
    license: str | None
    version: str | None
    resource: str | None
    reason: str | None


class FetchedTexts(Written):
    """What became of every paper's text."""

    fetched: int
    left: int
    papers: list[FetchedText]


class UploadPdf(Arguments):
    """Arguments of `upload_pdf`."""

    step: Literal["whole", "begin", "chunk", "finish"]
    paper: Key | None = None
    filename: Annotated[str, Field(max_length=200)] | None = None
    rights: Annotated[str, Field(max_length=300)] | None = None
    session_id: Annotated[str, Field(max_length=64)] | None = None
    index: Annotated[int, Field(ge=0, le=1_000)] | None = None
    content_base64: str | None = None


class Uploaded(Written):
    """How far an upload is; with the last step, what was filed."""

    session_id: str | None
    max_chunk_bytes: int
    max_bytes: int
    received_index: int | None
    bytes_so_far: int | None
    key: str | None
    resource: str | None


def add_papers(call: Call, asked: AddPapers) -> Told:
    """Look identifiers up and file what they name as kept."""
    from pressmark.search.intake import gather

    good, rejected = _identifiers(asked.identifiers)
    got = gather(
        call.library, call.desk.client, call.desk.config, good, today=call.desk.today,
        start=call.library.root,
    )  # fmt: skip
    rejected += [NotAdded(identifier=word, error=failing.line(why)) for word, why in got.failures]
    if not got.papers and got.failures:
        raise got.failures[0][1]
    if not got.papers:
        raise BadInput("None of these is an identifier.", next="search_literature finds them")
    write = call.write()
    added = call.library.add(
        got.papers, topic=asked.topic, collection=asked.collection, tags=asked.tags, write=write
    )
    answer = AddedPapers(
        **fields(added, write), added=added.added, merged=added.merged + added.enriched,
        unchanged=added.unchanged, conflicts=len(added.conflicts),
        papers=[AddedPaper(outcome=i.outcome, key=i.key or None, reason=i.reason[:200] or None)
                for i in added.items],
        rejected=rejected,
    )  # fmt: skip
    keys = ", ".join(item.key for item in added.items if item.key)
    lost = f" {len(rejected)} rejected." if rejected else ""
    return Told(answer, f"{added.added} new of {len(good)}: {keys}. {sentence(added, write)}{lost}")


def _identifiers(words: list[str]) -> tuple[list[str], list[NotAdded]]:
    """The words that are identifiers; a path or a title is not looked at."""
    good, bad = [], []
    for word in dict.fromkeys(words):
        if ids.parse(word) is not None:
            good.append(word)
        else:
            line = failing.said(
                "invalid_request", "This is no identifier", "give a DOI, arXiv id, PMID or PMCID"
            )
            bad.append(NotAdded(identifier=shapes.short(word, 120) or "", error=line))
    return good, bad


def fetch_text(call: Call, asked: FetchText) -> Told:
    """Fetch open copies and file their text."""
    from pressmark.fulltext import fetch, fetch_newest

    library, write = call.library, call.write()
    refs = [library.get(each) for each in asked.papers]
    done = []

    def progress(item: object) -> None:
        done.append(item)
        call.progress("texts", len(done), min(len(refs) or asked.limit, asked.limit))

    more: dict[str, Any] = {
        "limit": asked.limit, "again": asked.again, "today": call.desk.today,
        "progress": progress, "write": write,
    }  # fmt: skip
    client = call.desk.client
    report = fetch(library, client, refs, **more) if refs else fetch_newest(library, client, **more)
    rows = [
        FetchedText(
            key=item.key, status=item.status, format=item.format, source=item.source,
            license=shapes.short(item.license, 100), version=item.version,
            resource=f"pressmark://text/{item.key}" if item.path else None,
            reason=shapes.short(item.reason, 240) if not item.path else None,
        )
        for item in report.items
    ]  # fmt: skip
    fetched = report.number("fetched")
    answer = FetchedTexts(
        **fields(report.outcome, write), fetched=fetched, left=report.left, papers=rows
    )
    return Told(answer, f"{fetched} of {len(rows)} fetched. {sentence(report.outcome, write)}")


def upload_pdf(call: Call, asked: UploadPdf) -> Told:
    """A PDF the user holds, whole or in chunks, filed beside its reference."""
    uploads = call.desk.uploads
    if asked.step == "begin":
        name = uploads.begin(asked.filename)
        return Told(_under_way(session_id=name), f"Send chunks of at most {CHUNK:,} bytes.")
    if asked.step == "chunk":
        session, index, content = _given(asked, "session_id", "index", "content_base64")
        total = uploads.add(session, index, content)
        answer = _under_way(session_id=session, received_index=index, bytes_so_far=total)
        return Told(answer, f"Chunk {index} taken; {total:,} bytes so far.")
    if asked.step == "finish":
        (session,) = _given(asked, "session_id")
        data, filename = uploads.finish(session)
    else:
        (content,) = _given(asked, "content_base64")
        data, filename = checked(decode(content, LARGEST)), asked.filename
    return _attach(call, asked, data, asked.filename or filename)


def _given(asked: UploadPdf, *names: str) -> list[Any]:
    values = [getattr(asked, name) for name in names]
    missing = [name for name, value in zip(names, values, strict=True) if value is None]
    if missing:
        raise BadInput(f"The step {asked.step} needs {', '.join(missing)}.")
    return values


def _under_way(**known: Any) -> Uploaded:
    nothing: dict[str, Any] = dict.fromkeys(
        ("session_id", "received_index", "bytes_so_far", "key", "resource", "commit", "branch")
    )
    return Uploaded(**{
        **nothing, "changes": [], "more_changes": 0, "warnings": [],
        "max_chunk_bytes": CHUNK, "max_bytes": LARGEST, **known,
    })  # fmt: skip


def _attach(call: Call, asked: UploadPdf, data: bytes, filename: str | None) -> Told:
    """File the document for the reference that is named."""
    from pressmark.fulltext import attach

    if asked.paper is None:
        raise BadInput("Say which `paper` the document is.", next="add_papers first, then its key")
    library, write = call.library, call.write()
    key = library.key(asked.paper)
    try:
        outcome = attach(
            library, key, data, filename or f"{key}.pdf", asked.rights, today=call.desk.today,
            write=write,
        )  # fmt: skip
    except PressmarkError as error:
        # What the document says of itself is its authors' text, and no part of an error.
        raise type(error)("The document was refused: it gives no text of this paper.") from None
    answer = _under_way(**{
        **fields(outcome, write), "key": key, "resource": f"pressmark://text/{key}",
        "bytes_so_far": len(data),
    })  # fmt: skip
    return Told(answer, f"Filed beside {key}. {sentence(outcome, write)}")


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="add_papers", title="Add papers to the library", group="write",
        takes=AddPapers, gives=AddedPapers, run=add_papers, open_world=True,
        about=flow("""
            File papers by identifier (DOI, arXiv id, PMID, PMCID, URL of one), looked up at the
            providers, in one commit. Papers that are held are merged, never doubled.
            Identifiers come from search_literature, leads or the user: never invent one. Not
            for titles or paths. Example: {"identifiers": ["10.1038/nature14539"], "tags":
            ["survey"]}
        """),
    ),
    Tool(
        name="fetch_text", title="Fetch full text", group="write",
        takes=FetchText, gives=FetchedTexts, run=fetch_text, open_world=True,
        about=flow("""
            Fetch open full text of papers of the library (or of the newest that lack it) and
            file it as Markdown. Only copies a provider reports as open. Can take minutes;
            reports progress. Read it with get_paper. Example: {"papers":
            ["vaswani2017attention"]}
        """),
    ),
    Tool(
        name="upload_pdf", title="Upload a PDF", group="write",
        takes=UploadPdf, gives=Uploaded, run=upload_pdf, idempotent=False,
        about=flow("""
            File a PDF the user holds beside its reference: step=whole with content_base64
            (small files), or begin, chunk (index from 0, at most 1,048,576 bytes each, in
            order), finish with session_id. At most 10,485,760 bytes; an upload lasts five
            minutes. Give paper with whole and finish. A document that is another paper is
            refused. Content only, never a path.
        """),
    ),
)  # fmt: skip
