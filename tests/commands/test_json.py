"""The JSON of every command, pinned: its keys and the types of its values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from marked import marked_pdf
from pressmark.commands import COMMANDS
from pressmark.record import Reference
from sealed import sealed, went_out
from shell import ENVELOPE, Inside
from story import BY_NUMBER, article_html

GUIDE = Path(__file__).resolve().parents[2] / "site" / "guide"
TEXT, MAYBE, COUNT, FLAG, NUMBER = "str", "str|null", "int", "bool", "float|int"
CHANGE = {"path": TEXT, "kind": TEXT}
OUTCOME: dict[str, Any] = {"changes": [CHANGE], "commit": MAYBE, "left_uncommitted": [TEXT]}
REFERENCE: dict[str, Any] = {
    "key": TEXT,
    "path": TEXT,
    **{name: [TEXT] if name in Reference.LISTS else MAYBE for name in Reference.FIELDS},
    "extra": {"*": TEXT},
    "abstract": MAYBE,
}
ADDED: dict[str, Any] = {
    "seen": COUNT, "added": COUNT, "merged": COUNT, "enriched": COUNT, "unchanged": COUNT,
    "dropped": COUNT, "failed": COUNT, "conflict_count": COUNT, "conflicts": [TEXT], **OUTCOME,
    "items": [{"outcome": TEXT, "key": MAYBE, "title": TEXT, "reason": MAYBE}],
}  # fmt: skip
LOST = {
    "file": TEXT, "line": "int|null", "entry": TEXT, "outcome": TEXT, "key": TEXT, "title": TEXT,
    "reason": TEXT,
}  # fmt: skip
REPORT = {
    "source": TEXT, "status": TEXT, "reason": MAYBE, "count": COUNT, "total": "int|null",
    "seconds": NUMBER, "sent": MAYBE, "paused": FLAG, "until": MAYBE, "notes": [TEXT],
    "variants": [{"words": TEXT, "sent": TEXT, "count": COUNT, "total": "int|null"}],
}  # fmt: skip
HIT = {
    "key": MAYBE, "held": FLAG, "text": FLAG, "collections": [TEXT], "seen": FLAG,
    "dropped": MAYBE, "score": NUMBER, "found_by": {"*": COUNT}, "queries": [TEXT],
    "matches": [TEXT], "title": TEXT, "authors": [TEXT], "n_authors": COUNT, "published": MAYBE,
    "venue": MAYBE, "doi": MAYBE, "arxiv": MAYBE, "pmid": MAYBE, "pmcid": MAYBE,
    "openalex": MAYBE, "url": MAYBE, "notice": MAYBE, "open": FLAG, "scite": "null|dict",
    "locations": [
        {"url": TEXT, "kind": TEXT, "source": TEXT, "version": MAYBE, "license": MAYBE},
    ],
}  # fmt: skip
SEARCHED: dict[str, Any] = {
    "query": TEXT, "limits": TEXT, "vocabulary": MAYBE, "variants": [TEXT], "broken": [REPORT],
    "sources": [REPORT], "hits": [HIT], "filed": "null",
    "web": {"status": TEXT, "why": TEXT, "report": "null", "pages": []},
    "earlier": [{"slug": TEXT, "query": TEXT, "date": TEXT, "similarity": NUMBER}],
    "ask_the_web": "null",
}  # fmt: skip
PASSAGE = {
    "id": TEXT, "section": MAYBE, "page": "int|null", "path": TEXT, "start": COUNT, "end": COUNT,
    "offset": COUNT, "text": TEXT,
}  # fmt: skip
FOUND = {
    "total": COUNT, "next_offset": "int|null", "state": TEXT, "semantic": TEXT,
    "channels": {"*": "int|null"}, "coverage": {"*": [COUNT]}, "next": MAYBE,
}  # fmt: skip
FINDINGS = {
    **FOUND,
    "hits": [{
        "rank": COUNT, "key": TEXT, "score": NUMBER, "ranks": {"*": NUMBER}, "candidate": FLAG,
        "notice": MAYBE, "passage": (PASSAGE,), "reference": REFERENCE,
    }],
    "notes": ([{"slug": TEXT, "score": NUMBER, "passage": (PASSAGE,)}],),
}  # fmt: skip
INDEX = {
    "state": TEXT, "id": MAYBE, "commit": MAYBE, "counts": {"*": COUNT}, "versions": {"*": TEXT},
    "engine": MAYBE, "faster": MAYBE, "model": MAYBE, "semantic": TEXT, "next": MAYBE,
    "stale": COUNT, "mechanisms": {"*": TEXT}, "until": "int|null",
}  # fmt: skip
CITING = {
    "key": TEXT, "path": TEXT, "section": TEXT, "page": "int|null", "offset": COUNT, "text": TEXT,
}  # fmt: skip
RUN = {
    "topic": TEXT, "sources": [REPORT], "filed": ADDED, "skipped": COUNT, "refused": COUNT,
    "matched": [TEXT], "unnamed": [TEXT], "notes": [TEXT], "code": MAYBE, "error": MAYBE,
}  # fmt: skip
TEXTS = {"fetched": COUNT, "none": COUNT, "waiting": COUNT, "unavailable": COUNT, "left": COUNT}
TOPIC = {
    "slug": TEXT, "title": TEXT, "kind": TEXT, "asks": TEXT, "providers": [TEXT],
    "added_by": MAYBE, "last_run": MAYBE, "new": COUNT,
}  # fmt: skip
TOPICS_ADDED = {"added": [TEXT], "held": [TEXT], "refused": [TEXT], **OUTCOME}
WORK = {
    "key": TEXT, "title": TEXT, "authors": [TEXT], "published": MAYBE, "venue": MAYBE,
    "doi": MAYBE, "arxiv": MAYBE, "pmid": MAYBE, "topics": [TEXT], "stage": MAYBE, "notice": MAYBE,
}  # fmt: skip
CHANGES = {
    "since": MAYBE, "until": TEXT, "added": [WORK], "removed": [WORK],
    "changed": [{**WORK, "fields": [TEXT]}], "renamed": [{"old": TEXT, "new": TEXT}],
    "retracted": [WORK], "others": {"*": COUNT}, "unreadable": [TEXT],
}  # fmt: skip
PROPOSAL = {
    "branch": TEXT, "base": TEXT, "title": TEXT, "text": TEXT, "pushed": FLAG, "url": MAYBE,
    "note": MAYBE,
}  # fmt: skip
COLLECTED = {
    "slug": TEXT, "keys": [TEXT], "rejected": [{"word": TEXT, "reason": TEXT}], **OUTCOME,
}  # fmt: skip
NOTE = {
    "slug": TEXT, "path": TEXT, "title": TEXT, "about": [TEXT], "tags": [TEXT], "aliases": [TEXT],
    "author": MAYBE, "created": MAYBE, "metadata": {"*": TEXT},
    "anchors": [{
        "reference": MAYBE, "comment": MAYBE,
        "location": {"page_number": MAYBE, "section_heading": MAYBE, "paragraph_index": MAYBE},
        "selectors": {"exact_text_quote": MAYBE, "prefix_context": MAYBE, "suffix_context": MAYBE},
    }],
}  # fmt: skip

OFFLINE: dict[str, tuple[tuple[str, ...], Any]] = {
    "init": (("new",), {"root": TEXT, **OUTCOME}),
    "list": ((), {"total": COUNT, "offset": COUNT, "next_offset": "int|null",
                  "references": [REFERENCE]}),
    "show": (("bryl2019message",), REFERENCE),
    "show --text": (("bryl2019message", "--text"), {
        **REFERENCE,
        "window": {"text": TEXT, "offset": COUNT, "end": COUNT, "total": COUNT,
                   "next_offset": "int|null", "has_more": FLAG, "section": TEXT,
                   "page": "int|null", "page_range": [COUNT], "total_pages": "int|null",
                   "source": MAYBE, "path": TEXT},
    }),
    "show --bibtex": (("bryl2019message", "--bibtex"), {"key": TEXT, "bibtex": TEXT}),
    "open": (("bryl2019message",), {"key": TEXT, "place": TEXT}),
    "add --cited": (("--cited", "../cited.md", "--from", "../cited.bib"), {
        **ADDED, "asked": [TEXT], "problems": [TEXT],
        "cited": [{"cited": TEXT, "path": TEXT, "line": COUNT, "source": TEXT, "also": [TEXT],
                   "outcome": TEXT, "key": MAYBE, "title": TEXT, "reason": MAYBE}],
        "unknown": [{"cited": TEXT, "path": TEXT, "line": COUNT, "sure": FLAG, "reason": MAYBE}],
    }),
    "edit": (("bryl2019message", "--add-tag", "x"), OUTCOME),
    "rename": (("bryl2019message", "bryl2019passing"), OUTCOME),
    "remove": (("aldermoor2021graph",), OUTCOME),
    "remove --text": (("bryl2019message", "--text"), {
        "removed": [TEXT], "missing": [TEXT], **OUTCOME,
    }),
    "texts": ((), {
        "entries": [{"key": TEXT, "artefact": TEXT, "path": TEXT, "source": MAYBE,
                     "format": MAYBE, "license": MAYBE, "open": FLAG, "date": MAYBE,
                     "bytes": COUNT, "sha256": MAYBE, "pages": "int|null", "filename": MAYBE}],
        "offset": COUNT, "limit": COUNT, "total": COUNT, "has_more": FLAG,
    }),
    "merge": (("aldermoor2021graph", "wen2023positional"), OUTCOME),
    "keep": (("wen2023positional",), OUTCOME),
    "drop": (("wen2023positional", "--reason", "no"), OUTCOME),
    "status": ((), {
        "root": TEXT, "format": COUNT, "counts": {"*": COUNT},
        "unreadable": [{"path": TEXT, "line": "int|null", "field": MAYBE, "message": TEXT}],
        "git": {"state": TEXT, "branch": TEXT, "head": TEXT, "version": TEXT, "durable": FLAG},
        "index": INDEX, "offline": FLAG, "sources": [TEXT],
    }),
    "log": ((), [{"sha": TEXT, "date": TEXT, "author": TEXT, "subject": TEXT}]),
    "undo": ((), OUTCOME),
    "searches list": ((), [{"slug": TEXT, "query": TEXT, "date": TEXT, "vocabulary": MAYBE,
                            "hits": COUNT, "filed": COUNT}]),
    "searches show": (("2026-01-02-graph",), {
        "slug": TEXT, "query": TEXT, "date": TEXT, "vocabulary": MAYBE, "hits": COUNT,
        "filed": COUNT, "collection": MAYBE, "dropped": [TEXT], "providers": [{"*": TEXT}],
        "outcomes": [{"hit": TEXT, "outcome": TEXT}],
    }),
    "searches similar": (("graphs",), [
        {"slug": TEXT, "query": TEXT, "date": TEXT, "similarity": NUMBER},
    ]),
    "searches report": ((), {
        "searches": [TEXT], "text": TEXT, "retrieved": COUNT, "works": COUNT,
        "duplicates": COUNT, "dropped": COUNT, "filed": COUNT, "unfiled": COUNT,
    }),
    "vocabulary list": ((), [{"slug": TEXT, "title": TEXT, "terms": COUNT, "synonyms": COUNT,
                              "shipped": FLAG}]),
    "vocabulary show": (("oncology",), {
        "slug": TEXT, "title": TEXT, "shipped": FLAG, "measures": [TEXT], "guidance": TEXT,
        "terms": [{"term": TEXT, "mesh": MAYBE}], "synonyms": [{"said": TEXT, "term": TEXT}],
    }),
    "leads": (("https://doi.org/10.5555/jih.2019.0042", "https://x.test/"), {
        "leads": [{"identifier": TEXT, "kind": TEXT, "urls": [TEXT], "held": FLAG,
                   "key": MAYBE}],
        "fetch": [TEXT], "no_identifier": [TEXT],
    }),
    "resolve": (("arXiv:9801.00011",), {
        "identifier": TEXT, "kind": TEXT, "provider": TEXT, "url": TEXT, "format": TEXT,
        "formats": [TEXT], "key": MAYBE,
    }),
    "sources": ((), [{
        "source": TEXT, "platform": TEXT, "kind": TEXT, "enabled": FLAG, "does": [TEXT],
        "key": "bool|null", "paused": MAYBE, "until": MAYBE, "allowance": [TEXT],
        "references": COUNT, "texts": COUNT, "defects": COUNT, "offline": FLAG,
    }]),
    "sources --trace": (("--trace",), [{
        "date": TEXT, "source": TEXT, "request": TEXT, "reason": TEXT, "head": TEXT, "trace": TEXT,
    }]),
    "attach": (("aldermoor2021graph", "../paper.html"), OUTCOME),
    "find": (("estuaries",), FINDINGS),
    "grep": (("estuaries",), {"lines": [
        {"path": TEXT, "line": COUNT, "column": COUNT, "text": TEXT, "key": MAYBE, "kind": TEXT,
         "before": [TEXT], "after": [TEXT]},
    ]}),
    "related": (("bryl2019message",), FINDINGS),
    "passages": (("estuaries",), {**FOUND, "passages": [{
        "rank": COUNT, "key": TEXT, "kind": TEXT, "score": NUMBER, "ranks": {"*": NUMBER},
        "passage": PASSAGE, "citation": MAYBE, "notice": MAYBE, "route": MAYBE, "format": MAYBE,
        "path": TEXT,
    }]}),
    "cites": (("bryl2019message",), {
        "key": TEXT, "direction": TEXT, "total": COUNT, "held": COUNT, "next_offset": "int|null",
        "works": [{"identity": MAYBE, "key": MAYBE, "path": MAYBE, "citation": MAYBE,
                   "entry": MAYBE, "sentences": [CITING]}],
    }),
    "skim": (("bryl2019message",), {
        "key": TEXT, "path": TEXT, "citation": TEXT, "notice": MAYBE, "offset": COUNT,
        "next_offset": "int|null", "total": COUNT, "missing": [TEXT],
        "parts": [{"role": TEXT, "section": TEXT, "page": "int|null", "path": TEXT,
                   "offset": COUNT, "text": TEXT}],
    }),
    "wanted": ((), {"total": COUNT, "next_offset": "int|null", "works": [
        {"identity": TEXT, "citing": [TEXT], "count": COUNT, "entry": TEXT},
    ]}),
    "evidence": (("notes/mine.md",), {"without": COUNT, "semantic": FLAG, "claims": [
        {"line": COUNT, "column": COUNT, "sentence": TEXT, "cited": TEXT, "key": MAYBE,
         "words": "float|null", "meaning": "float|null", "passage": (PASSAGE,), "why": MAYBE},
    ]}),
    "eval": (("../asked.tsv",), {
        "queries": COUNT, "unanswerable": COUNT, "unknown": [TEXT], "until": "int|null",
        "semantic": FLAG, "runs": [{
            "name": TEXT, "figures": {"*": NUMBER}, "gains": {"*": {
                "mean": NUMBER, "low": NUMBER, "high": NUMBER, "better": COUNT, "worse": COUNT,
            }},
        }],
    }),
    "index": (("--no-vectors",), {
        **INDEX, "skipped": [{"path": TEXT, "reason": TEXT}], "replaced_model": MAYBE,
    }),
    "import": (("../more.json",), {**ADDED, "problems": [TEXT], "lost": [LOST]}),
    "export": ((), {"format": TEXT, "count": COUNT, "text": TEXT}),
    "export -o": (("-o", "refs.bib"), {"format": TEXT, "count": COUNT, "path": TEXT}),
    "dedupe": ((), [{"keys": [TEXT], "titles": [TEXT], "score": NUMBER, "why": [TEXT],
                     "against": [TEXT]}]),
    "cite": (("bryl2019message",), [{"key": TEXT, "citation": TEXT}]),
    "check": ((), {"findings": [], "errors": COUNT, "warnings": COUNT}),
    "topic add": (("tidal", "graphs", "--by", "Ada"), TOPICS_ADDED),
    "topic list": ((), [{**TOPIC, "found": COUNT, "dropped": COUNT}]),
    "topic show": (("rivers",), {**TOPIC, "query": MAYBE, "offered": [TEXT], "dropped": [TEXT],
                                 "found": [TEXT]}),
    "topic feed": (("rivers", "--candidates"), [{"path": TEXT, "title": TEXT, "entries": COUNT}]),
    "topic remove": (("rivers",), OUTCOME),
    "changes": ((), CHANGES),
    "changes --until": (("HEAD~1", "--until", "HEAD"), CHANGES),
    "collection new": (("Chapter", "two"), COLLECTED),
    "collection add": (("thesis", "wen2023positional", "nothing"), COLLECTED),
    "collection remove": (("thesis", "bryl2019message"), COLLECTED),
    "collection list": ((), [{"slug": TEXT, "title": TEXT, "vocabulary": MAYBE,
                              "members": COUNT}]),
    "collection show": (("thesis",), {"slug": TEXT, "title": TEXT, "vocabulary": MAYBE,
                                      "members": [TEXT], "missing": [TEXT], "text": TEXT}),
    "note new": (("Another",), OUTCOME),
    "note list": ((), [NOTE]),
    "note find": ((), {"total": COUNT, "offset": COUNT, "next_offset": "int|null", "notes": [
        {"slug": TEXT, "title": TEXT, "about": [TEXT], "tags": [TEXT], "created": MAYBE,
         "author": MAYBE, "score": NUMBER, "preview": TEXT},
    ]}),
    "note find --meaning": (("river", "--meaning"), {
        "total": COUNT, "index_status": TEXT, "semantic": TEXT,
        "notes": [{"note_id": TEXT, "text_preview": TEXT, "score": NUMBER}],
    }),
    "note show": (("mine",), {**NOTE, "body": TEXT, "updated": MAYBE, "about_identifiers": [TEXT]}),
    "note edit": (("mine", "--add-tag", "x"), OUTCOME),
    "note remove": (("mine",), {"removed": FLAG, **OUTCOME}),
    "note highlights": (("bryl2019message",), OUTCOME),
    "note quote": (("bryl2019message", "twelve gauges stand"), {"key": TEXT, "places": [
        {"exact": TEXT, "prefix": TEXT, "suffix": TEXT, "page": MAYBE, "section": MAYBE,
         "paragraph": TEXT, "score": NUMBER, "verbatim": FLAG, "start": COUNT, "end": COUNT},
    ]}),
    "note mentions": ((), [{"path": TEXT, "line": COUNT, "column": COUNT, "words": TEXT,
                            "target": TEXT, "write": TEXT, "sentence": TEXT}]),
    "agent-guide": ((), {"text": "str", "tools": ["str"]}),
    "site build": ((), {"folder": TEXT, "pages": COUNT, "problems": [TEXT], "left_out": [TEXT]}),
    "site stage": (("../staged",), {
        "folder": TEXT, "pages": COUNT, "problems": [TEXT], "left_out": [TEXT]}),
}  # fmt: skip

ONLINE: dict[str, tuple[tuple[str, ...], Any]] = {
    "add": (("10.5555/jih.2020.0007", "arXiv:9803.00007"), {
        **ADDED, "kept": [TEXT], "problems": [TEXT],
        "failures": [{"word": TEXT, "code": TEXT, "error": TEXT}],
    }),
    "search": (("graph", "transformers"), {**SEARCHED, "filed": ADDED}),
    "update": (("bryl2019message", "--cites"), {
        "items": [{"key": TEXT, "status": TEXT, "reason": MAYBE, "fields": [TEXT],
                   "notice": MAYBE, "conflicts": [TEXT]}],
        "left": COUNT, **OUTCOME,
    }),
    "searches rerun": (("2026-01-02-graph",), {**SEARCHED, "web": "null", "filed": ADDED}),
    "search --no-store": (("graph", "transformers", "--no-store"), SEARCHED),
    "fetch": (("--again",), {
        "items": [{
            "key": TEXT, "status": TEXT, "path": MAYBE, "source": MAYBE, "format": MAYBE,
            "license": MAYBE, "version": MAYBE, "warnings": [TEXT],
            "tried": [{"source": TEXT, "kind": TEXT, "url": TEXT, "reason": MAYBE}],
        }],
        "left": COUNT, "waiting": COUNT, "unidentified": COUNT, "offline": FLAG, **OUTCOME,
    }),
    "topic run": (("rivers",), {"topics": [RUN], "updated": "null", "texts": "null", "proposals": []}),
    "topic categories": ((), [{"code": TEXT, "name": TEXT}]),
    "refresh --branch": (("--branch",), {
        "topics": [RUN], "updated": "null", "texts": "null", "proposals": [PROPOSAL],
    }),
    "propose": (("side",), PROPOSAL),
    "sync": ((), {
        "remote": TEXT, "branch": TEXT, "pulled": COUNT, "pushed": COUNT, "tries": COUNT,
        "changes": "null",
    }),
    "refresh": ((), {
        "topics": [RUN], "updated": [{"key": TEXT, "fields": [TEXT], "notice": MAYBE}],
        "texts": TEXTS, "proposals": [],
    }),
}  # fmt: skip

WITHOUT = {"completion", "login", "logout", "lsp", "mcp", "merge-driver", "site serve"}
"""What prints no data: a script, a sign-in, what git runs, and a server's talk."""


def misfits(value: Any, pinned: Any, where: str = "data") -> list[str]:
    """Where a value is not of the pinned shape; in a tuple stands what may also be null."""
    if isinstance(pinned, tuple):
        return [] if value is None else misfits(value, pinned[0], where)
    if isinstance(pinned, dict) and isinstance(value, dict):
        if "*" in pinned:
            return [m for k, v in value.items() for m in misfits(v, pinned["*"], f"{where}.{k}")]
        if set(value) != set(pinned):
            return [f"{where}: {sorted(set(value) ^ set(pinned))}"]
        return [m for k in pinned for m in misfits(value[k], pinned[k], f"{where}.{k}")]
    if isinstance(pinned, list) and isinstance(value, list):
        if value and not pinned:
            return [f"{where}: {value}"]
        return [m for n, v in enumerate(value) for m in misfits(v, pinned[0], f"{where}[{n}]")]
    name = "null" if value is None else type(value).__name__
    if isinstance(pinned, str) and name in pinned.split("|"):
        return []
    return [f"{where}: {name}, not {pinned}"]


@pytest.fixture(autouse=True)
def beside(tmp_path: Path) -> None:
    """Files that the commands are given."""
    (tmp_path / "paper.html").write_bytes(article_html(BY_NUMBER[1]))
    (tmp_path / "cited.md").write_text("---\nbibliography: none.bib\n---\n[@reed2001] @ada\n")
    (tmp_path / "cited.bib").write_text("@book{reed2001, title={Reeds}}\n")
    (tmp_path / "asked.tsv").write_text("estuaries\tbryl2019message nobody1900\n")
    (tmp_path / "more.json").write_text(
        json.dumps([{"id": "x2001y", "type": "book", "title": "A Book of Reeds",
                     "issued": {"date-parts": [[2001]]}}])
    )  # fmt: skip


@pytest.mark.parametrize("name", OFFLINE)
def test_what_needs_no_network(offline: Inside, name: str, tmp_path: Path) -> None:
    """The network is on and refuses every connection: none is tried, by git neither."""
    words, pinned = OFFLINE[name]
    trace = tmp_path / "git.trace"
    shell = Inside(offline.root, offline.home, {"GIT_TRACE": str(trace)})
    if name == "note highlights":
        pdf = marked_pdf([["Gauges are few."]], [(1, "are few", "true")])
        (offline.root / "library/2019/bryl2019message.pdf").write_bytes(pdf)
    command = [word for word in name.split() if not word.startswith("-")]
    with sealed() as tried:
        done = shell(*command, *words, "--json", cwd=tmp_path if name == "init" else None)
    assert misfits(done.data, pinned) == []
    assert (done.answer["code"], done.answer["error"]) == (None, None)
    assert (tried, went_out(trace)) == ([], [])


@pytest.mark.parametrize("name", ONLINE)
def test_what_asks_the_providers(online: Inside, name: str) -> None:
    words, pinned = ONLINE[name]
    if name in ("propose", "sync"):
        online.git("init", "--quiet", "--bare", "../origin.git")
        online.git("remote", "add", "origin", "../origin.git")
        online("edit", "bryl2019message", "--add-tag", "y", "--branch", "side")
    command = [word for word in name.split() if not word.startswith("-")]
    assert misfits(online(*command, *words, "--json").data, pinned) == []


SWITCHES = ("flag", "variable", "setting")


@pytest.mark.parametrize("name", ONLINE)
def test_offline_no_command_opens_a_connection(offline: Inside, name: str, tmp_path: Path) -> None:
    """However the network is switched off, nothing can be coaxed into a request."""
    switch = SWITCHES[sorted(ONLINE).index(name) % len(SWITCHES)]
    trace = tmp_path / "git.trace"
    env = {"GIT_TRACE": str(trace)} | ({"PRESSMARK_OFFLINE": "1"} if switch == "variable" else {})
    if switch == "setting":
        (offline.root / "pressmark.toml").write_text("format = 1\n[network]\nenabled = false\n")
    shell = Inside(offline.root, offline.home, env)
    command = [word for word in name.split() if not word.startswith("-")]
    before = shell.files()
    with sealed() as tried:
        flag = ["--offline"] if switch == "flag" else []
        done = shell(*flag, *command, *ONLINE[name][0], "--json", status=None)
    assert (tried, went_out(trace)) == ([], [])
    assert done.status in (0, 2), done.err
    assert name == "add" or shell.files() == before  # a candidate that is held is kept


def test_the_guide_names_every_command_that_asks_the_providers() -> None:
    page = (GUIDE / "install.md").read_text("utf-8")
    line = next(line for line in page.splitlines() if line.startswith("These commands ask"))
    named = line.partition(": ")[2].rstrip(".").replace("`", "").split(", ")
    asking = {" ".join(w for w in name.split() if not w.startswith("-")) for name in ONLINE}
    assert named == sorted(asking - {"propose", "sync"})  # git's own ways out


def test_every_command_is_pinned() -> None:
    from click import Context, Group

    from pressmark.commands.run import cli

    names = set()
    for name in COMMANDS:
        command = cli.get_command(Context(cli), name)
        inner = command.commands if isinstance(command, Group) else None
        names |= {f"{name} {child}" for child in inner} if inner else {name}
    pinned = {
        " ".join(word for word in name.split() if not word.startswith("-"))
        for name in (*OFFLINE, *ONLINE)
    }
    assert names == pinned | WITHOUT


FAILING = {
    "not_found": (("show", "nothing"), 1),
    "invalid_request": (("list", "foo:bar"), 2),
    "format_unavailable": (("show", "aldermoor2021graph", "--text"), 2),
    "offline": (("search", "graph"), 2),
    "ambiguous": (("show", "ary"), 2),
    "unreadable": (("show", "broken"), 3),
    "integrity": (("check",), 3),
}


@pytest.mark.parametrize("code", FAILING)
def test_a_failure_is_an_envelope_too(offline: Inside, code: str) -> None:
    words, status = FAILING[code]
    if code in ("unreadable", "integrity"):
        (offline.root / "library/2019/broken.md").write_text("---\ntitle: [\n---\n")
    if code == "ambiguous":
        for name in ("aryl2020a", "aryl2020b"):
            offline("rename", "bryl2019message" if name[-1] == "a" else "wen2023positional", name)
    done = offline(*words, "--json", status=status)
    answer = done.answer
    assert set(answer) == ENVELOPE
    assert (answer["ok"], answer["code"]) == (False, code)
    assert answer["error"]
    assert answer["error"] in done.err or code == "integrity"
    if code == "ambiguous":
        assert answer["data"] == {"candidates": ["aryl2020a", "aryl2020b"]}


def test_words_that_no_command_takes_are_an_envelope_too(offline: Inside) -> None:
    answer = offline("list", "--nonsense", "--json", status=2).answer
    assert answer["code"] == "invalid_request"
    assert answer["error"] == "No such option '--nonsense'."
    assert answer["next"] == "See `pressmark list --help`."


def test_warnings_stand_in_the_envelope_and_not_on_stderr(offline: Inside) -> None:
    path = offline.root / "library/2019/bryl2019message.md"
    path.write_text(path.read_text().replace("shelf: B 12", "shelf: C 3"))
    done = offline("edit", "bryl2019message", "--add-tag", "x", "--json")
    assert done.answer["warnings"] == [
        "library/2019/bryl2019message.md was written and not committed: "
        "it has uncommitted edits of yours."
    ]
    assert done.data["left_uncommitted"] == ["library/2019/bryl2019message.md"]
    assert done.data["commit"] is None
