"""The tools that read, through a real client: what they answer, how much, and how they refuse."""

from __future__ import annotations

from agents.agent import Agent, dumped, strings

BUDGET = 7_000


def test_papers_come_best_first_with_their_evidence_apart(agent: Agent) -> None:
    reply = agent("find_papers", query="attention instead of recurrence")
    first = reply.data["results"][0]
    assert first["key"] == "vaswani2017attention"
    assert (first["rank"], first["year"], first["candidate"]) == (1, "2017", False)
    assert first["untrusted"]["title"] == "Attention Is All You Need"
    assert first["untrusted"]["authors"] == ["Ashish Vaswani", "Noam Shazeer"]
    assert first["untrusted"]["section"] == "Abstract"
    assert "dispensing with recurrence" in first["untrusted"]["passage"]
    assert reply.data["notes"][0]["note"] == "ideas/attention"
    assert reply.text.startswith(f"{len(reply.data['results'])} of")
    assert "1. vaswani2017attention" in reply.text
    assert "Attention Is All" not in reply.text


def test_every_answer_stays_in_its_budget_and_says_where_it_goes_on(agent: Agent) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        reply = agent("find_papers", query="herons in the river", k=30, offset=offset)
        assert reply.size <= BUDGET
        seen += [row["key"] for row in reply.data["results"]]
        offset = reply.data["next_offset"]
    assert len(seen) == len(set(seen)) == reply.data["total"] == 31


def test_a_larger_budget_gives_more_at_once(agent: Agent) -> None:
    small = agent("find_papers", query="herons in the river", k=30, max_characters=2_000)
    large = agent("find_papers", query="herons in the river", k=30, max_characters=24_000)
    assert small.size <= 2_000 < BUDGET < large.size <= 24_000
    assert len(small.data["results"]) < len(large.data["results"]) == 30


def test_filters_mask_and_excluded_papers_stay_away(agent: Agent) -> None:
    reply = agent(
        "find_papers", query="herons", venues=["journal of herons"], year_min=2010, year_max=2012,
        exclude=["heron2011study"],
    )  # fmt: skip
    assert sorted(row["key"] for row in reply.data["results"]) == [
        "heron2010study", "heron2012study",
    ]  # fmt: skip
    candidates = agent("find_papers", query="language model", filters=["stage:candidate"])
    assert [row["key"] for row in candidates.data["results"]] == ["devlin2019bert"]
    assert candidates.data["results"][0]["candidate"] is True


def test_what_is_retracted_says_so_in_the_text_too(agent: Agent) -> None:
    reply = agent("find_papers", query="importance of a web page")
    row = next(r for r in reply.data["results"] if r["key"] == "page1999pagerank")
    assert row["notice"] == "retracted"
    assert "page1999pagerank (RETRACTED)" in reply.text


def test_related_leaves_the_paper_out_and_takes_a_text(agent: Agent) -> None:
    by_key = agent("find_related", paper="arXiv:1706.03762")
    assert "vaswani2017attention" not in [row["key"] for row in by_key.data["results"]]
    assert by_key.data["results"][0]["key"] in ("devlin2019bert", "hochreiter1997long")
    by_text = agent("find_related", text="Recurrent memory cells with gates for long intervals")
    assert by_text.data["results"][0]["key"] == "hochreiter1997long"
    assert agent.error("find_related") == ("invalid_request: Give `paper` or `text`, one of them.")


def test_passages_of_one_paper_have_their_place(agent: Agent) -> None:
    reply = agent("find_passages", query="random surfer damping", papers=["page1999pagerank"])
    best = reply.data["results"][0]
    assert (best["key"], best["note"]) == ("page1999pagerank", False)
    assert best["untrusted"]["section"] == "Method"
    assert "damping factor" in best["untrusted"]["passage"]
    text = (agent.desk.library.root / agent.desk.library.path("page1999pagerank")).with_name(
        "page1999pagerank.fulltext.md"
    ).read_text("utf-8")  # fmt: skip
    assert "damping factor" in text[best["start"] : best["end"]]


def test_exact_search_finds_every_place_and_pages(agent: Agent) -> None:
    reply = agent("exact_search", term="HERONS wade in river 7")
    assert [(r["key"], r["kind"]) for r in reply.data["results"]] == [
        ("heron2007study", "reference")
    ]
    assert "Herons wade in river 7." in reply.data["results"][0]["untrusted"]["text"]
    many = agent("exact_search", term="heron", k=10)
    assert (len(many.data["results"]), many.data["capped"]) == (10, True)
    assert many.data["next_offset"] == 10
    none = agent("exact_search", term="flamingo")
    assert (none.data["total"], none.data["next_offset"]) == (0, None)


def test_a_paper_is_read_by_record_window_section_and_bibtex(agent: Agent) -> None:
    record = agent("get_paper", paper="page1999pagerank").data
    assert record["notice"] == "retracted"
    assert record["untrusted"]["headings"] == [
        "Web", "Introduction", "Method", "Results", "Conclusion",
    ]  # fmt: skip
    assert record["text_origin"] == {
        "source": "europepmc", "url": None, "license": "CC-BY-4.0", "version": None,
        "sha256": "ab" * 32, "hidden_characters": 3, "pages": None,
    }  # fmt: skip
    method = agent("get_paper", paper="page1999pagerank", section="method").data
    assert method["untrusted"]["text"].startswith("## Method")
    assert "damping factor" in method["untrusted"]["text"]
    entry = agent("get_paper", paper="doi:10.1162/neco.1997.9.8.1735", part="bibtex").data
    assert entry["bibtex"].startswith("@")
    assert "hochreiter1997long" in entry["bibtex"]


def test_windows_join_to_the_whole_text(agent: Agent) -> None:
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        reply = agent("get_paper", paper="page1999pagerank", part="text", offset=offset)
        assert reply.size <= BUDGET
        assert reply.data["window"]["offset"] == offset
        parts.append(reply.data["untrusted"]["text"])
        offset = reply.data["window"]["next_offset"]
    assert "".join(parts) == agent.desk.library.fulltext("page1999pagerank").body  # type: ignore[union-attr]
    assert len(parts) > 1


def test_an_unknown_section_names_none_of_the_papers_words(agent: Agent) -> None:
    line = agent.error("get_paper", paper="page1999pagerank", section="Nowhere")
    assert line.startswith("not_found: The full text has no such section or page.")
    assert "Introduction" not in line


def test_citations_are_checked_against_what_is_held(agent: Agent) -> None:
    draft = "See [@vaswani2017attention; @hochreiter1997lnog] and @page1999pagerank, p. 3."
    reply = agent("check_citations", text=draft)
    assert (reply.data["cited"], reply.data["unknown"], reply.data["retracted"]) == (3, 1, 1)
    unknown = reply.data["results"][0]
    assert (unknown["cited"], unknown["held"], unknown["nearest"], unknown["line"]) == (
        "hochreiter1997lnog", False, "hochreiter1997long", 1,
    )  # fmt: skip
    assert "Unknown: hochreiter1997lnog" in reply.text
    by_key = agent("check_citations", keys=["@devlin2019bert"])
    assert by_key.data["results"][0]["candidate"] is True


def test_the_status_is_the_command_lines_own(agent: Agent) -> None:
    data = agent("library_status").data
    assert data["counts"] == {
        "references": 35, "candidates": 1, "full_texts": 1, "notes": 1, "topics": 1,
        "searches": 1, "collections": 1,
    }  # fmt: skip
    assert (data["mode"], data["offline"], data["branch"]) == ("read", True, "main")
    assert "root" not in data
    assert str(agent.desk.start) not in dumped(data)


def test_arguments_are_strict_and_errors_begin_with_their_code(agent: Agent) -> None:
    assert agent.error("find_papers", query="x", foo=1).startswith(
        "invalid_request: find_papers takes no argument `foo`. Next: use "
    )
    assert agent.error("find_papers").startswith("invalid_request: `query` is missing.")
    assert agent.error("find_papers", query=3).startswith("invalid_request: `query`: ")
    assert agent.error("find_papers", query="x", k=201).startswith("invalid_request: `k`: ")
    assert agent.error("get_paper", paper="nobody1999").startswith(
        "not_found: There is no reference 'nobody1999'. Next: find_papers"
    )
    assert agent.error("get_paper", paper="../../etc/passwd").startswith("not_found: ")
    assert agent.error("get_paper", paper="hochreiter1997long", part="text").startswith(
        "format_unavailable: "
    )
    assert agent.error("nothing_like_it").startswith("not_found: There is no such tool. Next: ")
    assert agent.error("search_literature", query="herons").startswith("offline: ")


def test_a_list_sent_as_a_text_of_json_is_taken(agent: Agent) -> None:
    reply = agent("check_citations", keys='["vaswani2017attention"]')
    assert reply.data["unknown"] == 0


def test_nulls_are_there_and_nothing_is_left_out(agent: Agent) -> None:
    row = agent("find_papers", query="Gänse am Ufer").data["results"][0]
    assert row["year"] is None
    assert row["notice"] is None
    assert row["untrusted"]["venue"] is None


def test_authors_are_cut_at_six_and_counted(agent: Agent) -> None:
    paper = agent("get_paper", paper="heron2003study").data["untrusted"]
    assert len(paper["authors"]) == 6
    assert paper["more_authors"] == 6


def test_a_note_in_the_library_is_untrusted_too(agent: Agent) -> None:
    reply = agent("find_papers", query="attention beats recurrence")
    texts = strings(reply.data)
    assert not any(trusted and "beats recurrence" in text for trusted, text in texts)
    assert any(not trusted and "beats recurrence" in text for trusted, text in texts)
