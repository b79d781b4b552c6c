"""What unlucky and hostile hands do: whatever they do, nothing is lost and one sentence says what."""

from __future__ import annotations

from shell import Inside

KEY = "bryl2019message"


def test_a_bibliography_never_lacks_an_entry_in_silence(offline: Inside) -> None:
    offline("export", "-o", "refs.bib")
    before = (offline.root / "refs.bib").read_bytes()
    done = offline("export", KEY, "no2020such", "-o", "refs.bib", status=1)
    assert "There is no reference 'no2020such'." in done.err
    offline("export", "tag:nothing", "-o", "refs.bib", status=1)
    assert (offline.root / "refs.bib").read_bytes() == before
    (offline.root / "library/2020").mkdir()
    (offline.root / "library/2020/bad2020.md").write_text("---\ntitle: [open\n---\n")
    done = offline("export", "-o", "refs.bib")
    assert "library/2020/bad2020.md:2: " in done.err and "(left out)" in done.err


def test_a_cited_candidate_is_left_out_aloud(offline: Inside) -> None:
    (offline.root / "notes/draft.md").write_text(f"As in [@{KEY}; @wen2023positional].\n")
    done = offline("export", "--cited-in", "notes/draft.md")
    assert "@article{" + KEY in done.out and "wen2023positional" not in done.out
    assert "wen2023positional is cited and left out: pressmark keep wen2023positional" in done.err
