"""The language server over stdio, asked as an editor asks it; what it answers goes over the wire."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from double import Double
from editor import CAPABILITIES, Editor, Refused
from story import story_routes

from .conftest import COMMAND, Start, environment, ready

NEW = "notes/new.md"


def typed(
    editor: Editor, text: str, path: str = NEW, language: str = "markdown"
) -> tuple[int, int]:
    """Open a document with the cursor at `|`; its place as line and UTF-16 column."""
    at = text.index("|")
    if path in editor.versions:
        editor.change(path, text.replace("|", "", 1))
    else:
        editor.open(path, text.replace("|", "", 1), language)
    before = text[:at]
    column = before[before.rfind("\n") + 1 :]
    return before.count("\n"), len(column.encode("utf-16-le")) // 2


def offered(editor: Editor, text: str, **more: str) -> list[str]:
    path = more.get("path", NEW)
    return [
        item["textEdit"]["newText"] for item in editor.complete(path, *typed(editor, text, **more))
    ]


COMPLETIONS = [
    ("See [@sim|", ["simic2017rivers"]),
    ("See @SIMIC|", ["simic2017rivers"]),
    ("See [@šimi|", ["simic2017rivers"]),
    ("See [@a; @bry|", ["bryl2019message"]),
    ("See [-@estuar|", ["bryl2019message"]),
    ("See [@wen|", ["bryl2019message", "simic2017rivers"]),
    ("See @{spare|", ["spare:20"]),
    ("See [@spare|", ["spare:20"]),
    ("[[bran|", ["branching]]", "simic2017rivers]]"]),
    ("[[bran|]]", ["branching", "simic2017rivers"]),
    ("[[@sim|]]", ["simic2017rivers"]),
    ("![[ree|", ["reeds]]"]),
    ("[[branching#wh|", ["Branching", "What follows"]),
    ("[[branching#^|", ["claim"]),
    ("[[#|]]\n\n# Own heading", ["Own heading"]),
    ("Text #met|", ["method", "method/graph"]),
    ("Text #river|", ["water/river"]),
    ("---\nabout:\n- sim|\n---\n", ["simic2017rivers"]),
    ("😀😀 [@sim|", ["simic2017rivers"]),
]

NOTHING = [
    "`@sim|`", "```\n@sim|\n```", "a@sim|", "x\\@sim|", "#|", "## |", "https://x.org/@sim|",
    "---\ntitle: '@sim|\n---\n", "no trigger|",
]  # fmt: skip


def test_completion_in_markdown(reader: Editor) -> None:
    assert {text: offered(reader, text) for text, _ in COMPLETIONS} == dict(COMPLETIONS)
    assert {text: offered(reader, text) for text in NOTHING} == {text: [] for text in NOTHING}


OTHERS = [
    ("a.tex", "latex", "\\cite{sim|"), ("a.tex", "latex", "\\citep[see][3]{bryl2019message, sim|"),
    ("a.tex", "latex", "\\textcite{\n  sim|"), ("b.typ", "typst", "As @sim|"),
    ("b.typ", "typst", "#cite(<sim|"), ("c.org", "org", "[cite:@bryl2019message; @sim|"),
    ("c.org", "org", "cite:sim|"), ("d.rst", "restructuredtext", ":cite:`bryl2019message,sim|"),
    ("d.rst", "restructuredtext", ":cite:p:`sim|"), ("Untitled", "latex", "\\cite{sim|"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "language", "text"), OTHERS)
def test_completion_in_other_languages(reader: Editor, path: str, language: str, text: str) -> None:
    assert offered(reader, text, path=path, language=language) == ["simic2017rivers"]


def test_an_item_says_who_wrote_it_and_what_happened_to_it(reader: Editor) -> None:
    place = typed(reader, "@message|")
    (item,) = reader.complete(NEW, *place)
    assert item["label"] == "[RETRACTED] Bryl et al. 2019 Message Passing on Estuaries"
    assert item["tags"] == [1]
    assert item["textEdit"]["range"] == {
        "start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 8},
    }  # fmt: skip
    card = reader.request("completionItem/resolve", item)["documentation"]["value"]
    assert card.startswith("**RETRACTED**: by its authors\n\n**Message Passing on Estuaries**")


def test_a_hover_is_a_card(reader: Editor) -> None:
    reader.open("notes/branching.md")
    card = reader.ask("hover", "notes/branching.md", 9, 20)["contents"]["value"]
    assert card == (
        "**How Rivers Branch**\n\nAna Šimić, Li Wen\n\nJournal of Invented Hydrology, 2017\n\n"
        "Rivers branch where they can.\n\n`simic2017rivers` · "
        "[`doi:10.5555/r.17`](https://doi.org/10.5555/r.17) · open access: gold"
    )
    note = reader.ask("hover", "notes/branching.md", 13, 8)["contents"]["value"]
    assert note.startswith("**Reeds**")
    tag = reader.ask("hover", "notes/branching.md", 13, 18)["contents"]["value"]
    assert tag == "#method/graph: 1 in the library"
    assert reader.ask("hover", "notes/branching.md", 0, 1) is None


def test_definitions_lead_to_files_headings_and_blocks(reader: Editor) -> None:
    reader.open("notes/reeds.md")
    reader.open("notes/branching.md")
    reader.open("thesis/intro.tex", language="latex")

    def there(path: str, line: int, column: int) -> tuple[str, int]:
        found = reader.ask("definition", path, line, column)
        return found["uri"].rpartition("/library%20of%20mine/")[2], found["range"]["start"]["line"]

    assert there("notes/branching.md", 9, 20) == ("library/2017/simic2017rivers.md", 0)
    assert there("notes/reeds.md", 2, 15) == ("notes/branching.md", 11)
    assert there("notes/reeds.md", 2, 50) == ("notes/branching.md", 9)
    assert there("thesis/intro.tex", 0, 40) == ("library/2019/bryl2019message.md", 0)


def test_references_are_found_in_every_language_and_in_unsaved_text(reader: Editor) -> None:
    reader.open("notes/branching.md")
    reader.open("notes/reeds.md", "Unsaved @simic2017rivers.\n")
    found = reader.ask(
        "references", "notes/branching.md", 9, 20, context={"includeDeclaration": True}
    )
    places = [(each["uri"].rpartition("/")[2], each["range"]["start"]["line"]) for each in found]
    assert places == [
        ("simic2017rivers.md", 0), ("branching.md", 9), ("reeds.md", 0), ("intro.org", 0),
        ("intro.rst", 0), ("intro.tex", 0), ("intro.typ", 0),
    ]  # fmt: skip
    own = reader.ask(
        "references", "notes/branching.md", 0, 0, context={"includeDeclaration": False}
    )
    assert own == []  # what pointed here stood in the text that is open, and was deleted in it


def test_links_symbols_and_hints(start: Start) -> None:
    editor = start({"inlayHints": True})
    ready(editor)
    editor.open("notes/branching.md")
    links = editor.request(
        "textDocument/documentLink", {"textDocument": {"uri": editor.uri("notes/branching.md")}}
    )
    assert [(each["target"].rpartition("/")[2], each["tooltip"]) for each in links] == [
        ("simic2017rivers.md", "Šimić & Wen 2017 How Rivers Branch"), ("reeds.md", "Reeds"),
    ]  # fmt: skip
    names = [each["name"] for each in editor.request("workspace/symbol", {"query": "branch"})]
    assert names == ["On branching", "Šimić & Wen 2017 How Rivers Branch"]
    asked = {"textDocument": {"uri": editor.uri("notes/branching.md")}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0},
    }}  # fmt: skip
    (hint,) = editor.request("textDocument/inlayHint", asked)
    assert (hint["label"], hint["position"]) == ("Šimić & Wen 2017", {"line": 9, "character": 31})
    editor.notify(
        "workspace/didChangeConfiguration", {"settings": {"pressmark": {"inlayHints": False}}}
    )
    assert editor.request("textDocument/inlayHint", asked) == []


def test_hints_are_off_unless_asked_for(reader: Editor) -> None:
    reader.open("notes/branching.md")
    asked = {"textDocument": {"uri": reader.uri("notes/branching.md")}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0},
    }}  # fmt: skip
    assert reader.request("textDocument/inlayHint", asked) == []


def codes(found: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    return [
        (e["code"], e["range"]["start"]["line"], e["range"]["start"]["character"]) for e in found
    ]


def test_what_is_typed_is_checked_before_it_is_saved(reader: Editor) -> None:
    reader.open(NEW, "Fine [@simic2017rivers].\n")
    assert reader.diagnostics(NEW) == []
    reader.change(NEW, "😀 [@simic2017river] and [[nowhere]], [[reeds#Gone]], @bryl2019message.\n")
    found = reader.diagnostics(NEW)
    assert codes(found) == [
        ("UNCITED", 0, 5), ("DANGLING", 0, 27), ("DANGLING", 0, 40), ("RETRACTED", 0, 55),
    ]  # fmt: skip
    assert "did you mean simic2017rivers?" in found[0]["message"]
    reader.change(
        NEW,
        "---\nabout:\n- nobody\nanchors:\n- exact: not what it says at all, no\n  reference: bryl2019message\n---\n",
    )
    assert codes(reader.diagnostics(NEW)) == [("DANGLING", 2, 0), ("LOST-QUOTE", 4, 0)]
    reader.change(NEW, "---\ntitle: [\n---\n")
    assert [code for code, _, _ in codes(reader.diagnostics(NEW))] == ["UNREADABLE"]
    assert not (reader.root / NEW).exists()


def test_changes_are_spliced_by_the_lines_of_the_protocol(reader: Editor) -> None:
    # U+2028 and a form feed end no line in the protocol, though Python says so.
    reader.open(NEW, "a\u2028b\fc\r\n[@x]\r\nend")
    reader.change(NEW, "@nobody2001", (1, 1, 1, 3))
    reader.change(NEW, "😀", (1, 0, 1, 0))
    found = reader.diagnostics(NEW)
    assert codes(found) == [("UNCITED", 1, 4)]
    assert found[0]["range"]["end"] == {"line": 1, "character": 14}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places_are_counted_in_the_units_agreed_upon(start: Start, encoding: str) -> None:
    capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
    editor = start(capabilities=capabilities)
    ready(editor)
    assert editor.initialized["capabilities"]["positionEncoding"] == encoding
    editor.open(NEW, "é😀 [@nobody2001]\n")
    place = {"utf-8": 9, "utf-16": 6, "utf-32": 5}[encoding]
    assert codes(editor.diagnostics(NEW)) == [("UNCITED", 0, place)]


def test_a_change_on_disk_is_followed(editor: Editor) -> None:
    editor.open(NEW, "[@later2026work]\n")
    assert codes(editor.diagnostics(NEW)) == [("UNCITED", 0, 2)]
    path = editor.root / "library/2026/later2026work.md"
    path.parent.mkdir()
    path.write_text("---\ntitle: Later Work\n---\n")
    editor.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 1}]}
    )
    editor.until(lambda: True if editor.diagnostics(NEW) == [] else None)
    assert offered(editor, "[@later|") == ["later2026work"]


def test_what_another_program_filed_is_found_without_a_word_from_the_editor(
    editor: Editor,
) -> None:
    subprocess.run(
        [sys.executable, "-m", "pressmark", "rename", "simic2017rivers", "simic2017branch"],
        cwd=editor.root, env=environment(), check=True, capture_output=True,
    )  # fmt: skip
    editor.until(lambda: True if offered(editor, "[@simic2017b|") == ["simic2017branch"] else None)


def test_two_editors_at_once(start: Start) -> None:
    one, two = start(), start()
    for each in (one, two):
        ready(each)
    one.open("notes/reeds.md", "[@fresh2026x]\n")
    (one.root / "library/2026").mkdir()
    (one.root / "library/2026/fresh2026x.md").write_text("---\ntitle: Fresh\n---\n")
    one.save("notes/reeds.md")
    one.until(lambda: True if one.diagnostics("notes/reeds.md") == [] else None)
    two.until(lambda: True if offered(two, "[@fresh|") == ["fresh2026x"] else None)


def test_a_near_key_and_a_pasted_address_are_put_right(reader: Editor) -> None:
    def fixed(text: str, path: str = NEW, language: str = "markdown") -> list[str]:
        place = typed(reader, text, path, language)
        plain = text.replace("|", "", 1)
        out = []
        for action in reader.actions(path, *place):
            for edit in action.get("edit", {}).get("changes", {}).get(reader.uri(path), []):
                start, end = edit["range"]["start"], edit["range"]["end"]
                lines = plain.split("\n")
                line = lines[start["line"]]
                lines[start["line"]] = (
                    line[: start["character"]] + edit["newText"] + line[end["character"] :]
                )
                out.append("\n".join(lines))
        return out

    assert fixed("[@simic2017r|iver]") == ["[@simic2017rivers]"]
    assert fixed("[[branchin|]]") == ["[[branching]]"]
    assert fixed("See 10.5555/R.17|.") == ["See [@simic2017rivers]."]
    assert fixed("See <https://doi.org/10.5555|/r.17>, too") == ["See [@simic2017rivers], too"]
    assert fixed("See [it](https://doi.org/10.5555|/r.17)!") == ["See [@simic2017rivers]!"]
    assert fixed("10.5555|/r.17", "p.tex", "latex") == ["\\cite{simic2017rivers}"]
    assert fixed("10.5555|/r.17", "p.typ", "typst") == ["@simic2017rivers"]
    assert fixed("10.5555|/r.17", "p.org", "org") == ["[cite:@simic2017rivers]"]
    assert fixed("10.5555|/r.17", "p.rst", "restructuredtext") == [":cite:`simic2017rivers`"]
    assert fixed("nothing| here") == []


def test_a_citation_is_written_out(reader: Editor) -> None:
    place = typed(reader, "See [@simic2017|rivers, p. 3].\n")
    (action,) = reader.actions(NEW, *place)
    assert action["title"] == "Insert the citation of simic2017rivers in full"
    reader.request("workspace/executeCommand", action["command"])
    edit = reader.until(lambda: asked(reader, "workspace/applyEdit"))
    (change,) = edit["edit"]["changes"][reader.uri(NEW)]
    assert change["range"]["start"] == {"line": 0, "character": 28}
    assert "How" in change["newText"] and "2017" in change["newText"]


def test_a_citation_is_not_written_into_text_that_moved_on(reader: Editor) -> None:
    place = typed(reader, "See [@simic2017|rivers, p. 3].\n")
    (action,) = reader.actions(NEW, *place)
    reader.change(NEW, "Now see [@simic2017rivers, p. 3].\n")
    reader.request("workspace/executeCommand", action["command"])
    told = reader.until(lambda: asked(reader, "window/showMessage"))
    assert told["message"] == (
        "The text changed meanwhile, so simic2017rivers was not written out: ask again."
    )
    assert asked(reader, "workspace/applyEdit") is None


def asked(editor: Editor, method: str) -> Any:
    return next((m["params"] for m in editor.said if m.get("method") == method), None)


@pytest.mark.parametrize("answer", ["Look it up", "Cancel"])
def test_a_missing_work_is_looked_up_only_after_a_yes(
    start: Start, tmp_path: Path, answer: str
) -> None:
    with Double(story_routes()) as double:
        double.write_config(tmp_path / "config.toml")
        editor = start(
            env={"PRESSMARK_CONFIG": str(tmp_path / "config.toml"), "PRESSMARK_OFFLINE": "0"}
        )
        ready(editor)
        editor.reply = lambda message: (
            {"title": answer} if message["method"] == "window/showMessageRequest"
            else {"applied": True} if message["method"] == "workspace/applyEdit" else None
        )  # fmt: skip
        place = typed(editor, "As 10.5555/jih.2019|.0042 says.\n")
        (action,) = editor.actions(NEW, *place)
        assert action["title"] == "Look up doi:10.5555/jih.2019.0042 and cite it…"
        assert "edit" not in action
        assert double.requests == []
        editor.request("workspace/executeCommand", action["command"], 60)
        assert asked(editor, "window/showMessageRequest")["message"].startswith("Look doi:10.5555")
        if answer == "Cancel":
            assert double.requests == []
            return
        (change,) = asked(editor, "workspace/applyEdit")["edit"]["changes"][editor.uri(NEW)]
        assert change["newText"] == "[@bryl2019message]"
        assert double.requests


@pytest.mark.parametrize("answer", ["Bring them in", "Cancel"])
def test_what_a_text_cites_is_brought_in_from_its_bibliography(start: Start, answer: str) -> None:
    reader = start()
    ready(reader)
    reader.reply = lambda message: {"title": answer}
    (reader.root / "notes/r.bib").write_text("@book{zeta1901, title={Zeta}, year=1901}\n")
    text = "---\nbibliography: r.bib\n---\n[@ze|ta1901; @omega1902].\n"
    actions = reader.actions(NEW, *typed(reader, text))
    title = "Bring in what is cited here and not held, from r.bib…"
    assert [each["title"] for each in actions] == [title]
    assert "(pressmark add --cited (looks in r.bib))" in reader.diagnostics(NEW)[0]["message"]
    reader.request("workspace/executeCommand", actions[0]["command"], 60)
    filed = reader.root / "library/1901/zeta1901.md"
    assert filed.is_file() is (answer != "Cancel")
    if answer != "Cancel":
        assert asked(reader, "window/showMessage")["message"] == (
            "Brought in zeta1901. In no source: omega1902."
        )
        assert not (reader.root / NEW).exists() and asked(reader, "workspace/applyEdit") is None


def test_nothing_is_offered_where_no_bibliography_is_named(reader: Editor) -> None:
    assert reader.actions(NEW, *typed(reader, "Omega [@om|ega1902].\n")) == []


def test_offline_a_missing_work_is_said_to_be_out_of_reach(reader: Editor) -> None:
    reader.reply = lambda message: {"title": "Look it up"}
    (action,) = reader.actions(NEW, *typed(reader, "As 10.5555/jih.2019|.0042 says.\n"))
    reader.request("workspace/executeCommand", action["command"], 60)
    said = [m["params"]["message"] for m in reader.said if m.get("method") == "window/showMessage"]
    assert len(said) == 1 and "offline" in said[0].lower()


def apply(editor: Editor, edit: dict[str, Any]) -> None:
    """Do to the files what an editor does with a workspace edit."""
    for change in edit["documentChanges"]:
        if change.get("kind") == "rename":
            old, new = (
                Path(change[name].removeprefix("file://").replace("%20", " "))
                for name in ("oldUri", "newUri")
            )
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)
            continue
        path = Path(change["textDocument"]["uri"].removeprefix("file://").replace("%20", " "))
        name = path.relative_to(editor.root).as_posix()
        text = editor.texts[name] if name in editor.texts else path.read_bytes().decode()
        lines = text.split("\n")
        for each in reversed(change["edits"]):
            start, end = each["range"]["start"], each["range"]["end"]
            at = sum(len(line) + 1 for line in lines[: start["line"]]) + start["character"]
            to = sum(len(line) + 1 for line in lines[: end["line"]]) + end["character"]
            text = text[:at] + each["newText"] + text[to:]
        path.write_bytes(text.encode())


def test_a_rename_is_what_the_command_would_do_and_takes_unsaved_text_along(
    editor: Editor,
) -> None:
    editor.open("notes/branching.md")
    editor.open("notes/reeds.md", "# Reeds\n\nUnsaved [@simic2017rivers].\n")
    place = editor.ask("prepareRename", "notes/branching.md", 9, 20)
    assert place["placeholder"] == "simic2017rivers"
    edit = editor.ask("rename", "notes/branching.md", 9, 20, newName="simic2016branch")
    apply(editor, edit)
    root = editor.root
    assert not (root / "library/2017/simic2017rivers.md").exists()
    assert "aliases:\n- simic2017rivers\n" in (root / "library/2016/simic2016branch.md").read_text()
    assert (root / "notes/reeds.md").read_text() == "# Reeds\n\nUnsaved [@simic2016branch].\n"
    assert "[@simic2016branch, p. 3]" in (root / "notes/branching.md").read_text()
    assert (root / "thesis/intro.tex").read_text() == (
        "Rivers \\citep[p.~3]{simic2016branch,bryl2019message}.\n"
    )
    for name in ("typ", "org", "rst"):
        assert "simic2016branch" in (root / f"thesis/intro.{name}").read_text()


def test_a_note_is_renamed_too(editor: Editor) -> None:
    editor.open("notes/reeds.md")
    edit = editor.ask("rename", "notes/reeds.md", 2, 15, newName="forks")
    apply(editor, edit)
    assert (editor.root / "notes/reeds.md").read_text() == (
        "# Reeds\n\nThey stand [[forks#What follows]] and [[forks#^claim]].\n"
    )
    assert "aliases:\n- branching\n" in (editor.root / "notes/forks.md").read_text()
    assert not (editor.root / "notes/branching.md").exists()


def test_a_reference_takes_its_pdf_along(reader: Editor) -> None:
    reader.open("thesis/intro.tex", language="latex")
    edit = reader.ask("rename", "thesis/intro.tex", 0, 40, newName="bryl2019passing")
    moved = [
        c["newUri"].rpartition("/")[2] for c in edit["documentChanges"] if c.get("kind") == "rename"
    ]
    assert sorted(moved) == [
        "bryl2019passing.fulltext.md",
        "bryl2019passing.md",
        "bryl2019passing.pdf",
    ]


def test_a_name_that_cannot_be_is_refused_in_a_sentence(reader: Editor) -> None:
    reader.open("notes/branching.md")
    with pytest.raises(Refused) as refused:
        reader.ask("rename", "notes/branching.md", 9, 20, newName="bryl2019message")
    assert "bryl2019message is taken" in refused.value.message
    with pytest.raises(Refused) as refused:
        reader.ask("rename", "notes/branching.md", 9, 20, newName="no key")
    assert "cannot be a key" in refused.value.message


def test_a_file_outside_of_every_library_is_left_alone(start: Start, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.md").write_text("[@nobody]\n")
    editor = start(root=elsewhere)
    editor.open("a.md")
    assert editor.complete("a.md", 0, 4) == []
    assert editor.ask("hover", "a.md", 0, 4) is None


def test_a_library_named_by_the_editor_serves_a_file_elsewhere(
    start: Start, tmp_path: Path, root: Path
) -> None:
    elsewhere = tmp_path / "thesis"
    elsewhere.mkdir()
    editor = start({"library": str(root)}, root=elsewhere)
    ready(editor)
    assert offered(editor, "[@simi|", path="a.md") == ["simic2017rivers"]


def test_odd_documents_do_it_no_harm(reader: Editor) -> None:
    reader.open("notes/big.md", "[@simic2017rivers] word\n" * 40_000)
    reader.open("notes/nul.md", "\0\ufffd @simic2017rivers \ud83d")
    reader.open("notes/🦆 # [x].md", "[[reeds]] @simi\n")
    reader.open("notes/cr.md", "a\r[@nobody2001]\r")
    assert codes(reader.diagnostics("notes/cr.md"))[0][0] == "UNCITED"
    assert [i["textEdit"]["newText"] for i in reader.complete("notes/🦆 # [x].md", 0, 15)] == [
        "simic2017rivers"
    ]
    assert reader.process.poll() is None


def test_it_ends_with_its_editor(root: Path) -> None:
    with Editor(COMMAND, root, environment()) as editor:
        ready(editor)
        editor.open("notes/reeds.md")
    assert editor.process.returncode == 0
    assert b"".join(editor.errors) == b""


def test_without_the_extra_one_sentence_names_the_line_to_install(
    root: Path, tmp_path: Path
) -> None:
    (tmp_path / "pygls.py").write_text("raise ImportError('not here')\n")
    env = environment()
    env["PYTHONPATH"] = f"{tmp_path}:{env['PYTHONPATH']}"
    done = subprocess.run(COMMAND, cwd=root, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "pressmark: The language server needs pygls, which is not installed.\n"
        "  pip install 'pressmark[lsp]'\n"
    )
