"""What a person reads of passages, cites, skim, wanted, evidence and eval, and how failures read."""

from __future__ import annotations

from pathlib import Path

import pytest

from find.test_calls import DRAFT, NOTE, TEXT
from index.shelf import FIELD, reference, shelf
from shell import Inside


@pytest.fixture
def shell(tmp_path: Path) -> Inside:
    bert = reference(
        "devlin2019bert", "BERT", "We introduce a language representation model.",
        authors=("Devlin, Jacob",), published="2019", doi="10.5555/bert",
        cites=("arxiv:1706.03762", "doi:10.5555/nothing.1"),
    )  # fmt: skip
    shelf(tmp_path / "lib", [*(e for e in FIELD if e.key != bert.key), bert, TEXT, NOTE])
    (tmp_path / "home").mkdir()
    return Inside(tmp_path / "lib", tmp_path / "home", {"PRESSMARK_MODEL": "none"})


def test_passages(shell: Inside) -> None:
    done = shell("passages", "count herons at dawn", "--in", "devlin2019bert", "-k", "1")
    assert done.lines[0] == "  1. Devlin 2019  [devlin2019bert]"
    assert done.lines[1].startswith("     3 Method, p. 3: We count every heron at dawn")
    assert "No passage answers." in shell("passages", "zebra").err


def test_cites(shell: Inside) -> None:
    done = shell("cites", "devlin2019bert")
    assert "[vaswani2017attention]" in done.lines[0]
    assert done.lines[1] == "     1 Introduction, p. 2: Much builds on the Transformer [1]."
    assert done.lines[-2].endswith("(not held)") and "On nothing held" in done.lines[-2]
    done = shell("cites", "vaswani2017attention", "--direction", "cited-by", "-k", "1")
    assert "[devlin2019bert]" in done.lines[0]
    assert "nobody1900" in shell("cites", "nobody1900", status=1).err


def test_skim_and_wanted(shell: Inside) -> None:
    done = shell("skim", "devlin2019bert", "--chars", "1000")
    assert "[abstract: Abstract]" in done.lines and "Go on with --offset" in done.err
    done = shell("wanted")
    assert done.lines[0] == "    1  doi:10.5555/nothing.1"
    assert shell("wanted", "--year", "1800").out == ""


def test_evidence(shell: Inside) -> None:
    (shell.root / "draft.md").write_text(DRAFT, encoding="utf-8")
    done = shell("evidence", "draft.md")
    assert done.lines[0].startswith("3:")
    assert done.lines[1].startswith("     devlin2019bert (words 1.00): 3 Method, p. 3: We count")
    assert "     nobody1900: no passage (unknown)" in done.lines
    assert "2 of 5 have no passage." in done.err
    assert "no file missing.md" in shell("evidence", "missing.md", status=1).err
    (shell.root / "bytes.md").write_bytes(b"\xff\xfe")
    assert "not UTF-8" in shell("evidence", "bytes.md", status=2).err


def test_evidence_of_a_draft_in_latex(shell: Inside) -> None:
    (shell.root / "draft.tex").write_text(
        "We count herons at dawn \\cite{devlin2019bert}.\n", encoding="utf-8"
    )
    done = shell("evidence", "draft.tex")
    assert done.lines[0] == "1:31: We count herons at dawn \\cite{devlin2019bert}."
    assert done.lines[1].startswith("     devlin2019bert (words 1.00): 3 Method, p. 3: We count")


def test_grep_says_when_there_is_more(shell: Inside) -> None:
    done = shell("grep", "a", "-n", "2")
    assert len(done.lines) == 2 and "More lines hold it than these 2" in done.err
    every = shell("grep", "heron")
    assert every.lines and shell("grep", "heron", "-n", str(len(every.lines))).err == ""


def test_eval(shell: Inside) -> None:
    (shell.root / "asked.tsv").write_text("language representation\tdevlin2019bert\n")
    done = shell("eval", "asked.tsv")
    assert done.lines[0].split() == ["recall@5", "recall@20", "recall@100", "ndcg@10", "mrr", "map"]
    assert done.lines[1].split() == ["all", *["1.000"] * 6]
    (shell.root / "asked.tsv").write_text("nothing\n")
    assert "line 1" in shell("eval", "asked.tsv", status=2).err


def test_grep_with_lines_around(shell: Inside) -> None:
    done = shell("grep", "Transformer .* far", "--regex", "--context", "1")
    place = "library/nd/devlin2019bert.fulltext.md"
    assert [line.partition(" ")[0].rpartition("/")[2][:24] for line in done.lines] == [
        "devlin2019bert.fulltext.",
    ] * 3
    assert done.lines[1].startswith(f"{place}:") and "by far" in done.lines[1]
    assert "could run for ever" in shell("grep", "(a+)+", "--regex", status=2).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("find", "x", "--relation", "cousin"), "is no relation"),
        (("find", "x", "-k", "201"), "range"),
        (("find", "x", "--exclude", "nobody1900"), "nobody1900"),
        (("passages", "x", "--collection", "none"), "no collection"),
        (("passages", "x", "--in", "nobody1900"), "nobody1900"),
        (("skim", "devlin2019bert", "--offset", "9999999"), "outside the key passages"),
    ],
)
def test_a_failure_is_one_sentence(shell: Inside, words: tuple[str, ...], said: str) -> None:
    done = shell(*words, status=None)
    assert done.status in (1, 2) and said in done.err
    assert len(done.err.strip().splitlines()) <= 3
