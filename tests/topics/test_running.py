"""Standing queries: what a run asks for, what it files, and that a quiet one leaves no commit."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest

from double import UNAVAILABLE, Double
from pressmark import page, topics
from pressmark.errors import BadInput, NotFound
from pressmark.http import Client, NullClient, open_client
from pressmark.library import Library, Write
from pressmark.record import Paper, Topic
from pressmark.topics import running

from .conftest import TOPIC, subjects

TODAY = "2026-03-04"
FOUND = ["elsayed2024graph", "mensah2025graph", "wen2023positional"]


def go(library: Library, client: Client | NullClient, today: str = TODAY) -> topics.Run:
    return topics.run_topic(library, client, "Rivers", today=today)


def delete(library: Library, *keys: str) -> None:
    """What a reviewer does on a branch, without a word to the program."""
    for key in keys:
        (library.root / library.path(key)).unlink()
    subprocess.run(["git", "commit", "-qam", "Review"], cwd=library.root, check=True)
    library.refresh()


def test_what_came_since_the_last_run_is_filed_as_candidates(
    library: Library, client: Client
) -> None:
    done = go(library, client)
    assert done.added is not None
    assert sorted(item.key for item in done.added.items) == FOUND == sorted(done.new)
    found = library.get("wen2023positional")
    assert (found.stage, found.topics) == ("candidate", ("rivers",))
    assert subjects(library)[0] == "topic: 3 new for Rivers and graphs (arxiv, openalex)"
    text = (library.root / "topics/rivers.md").read_text()
    head, _, rest = text.partition("\n\noffered:\n")
    assert head == TOPIC.partition("\n---\n\nWhy")[0].replace("2023-01-05", TODAY)
    assert (
        "- arxiv:9803.00007 title:positional encodings for graph transformers on rivers:2023:wen\n"
    ) in rest.replace("'", "")
    assert rest.endswith("---\n\nWhy I follow it.\n")
    assert topics.found_by(library, done.topic) == FOUND


def test_the_commit_tells_what_came_and_of_whom(library: Library, client: Client) -> None:
    go(library, client)
    show = ["git", "log", "-1", "--format=%B"]
    said = subprocess.run(show, cwd=library.root, check=True, capture_output=True, text=True).stdout
    assert "3 seen, 3 added.\n" in said
    assert "- wen2023positional: Positional Encodings for Graph Transformers on Rivers\n" in said
    assert "Pressmark: topic\nPressmark-Topic: rivers\n" in said


def test_a_quiet_run_leaves_no_commit_and_no_date(library: Library, client: Client) -> None:
    go(library, client)
    before = len(subjects(library))
    again = go(library, client, "2026-03-11")
    assert again.added is not None
    assert (again.added.added, again.added.commit) == (0, None)
    assert len(subjects(library)) == before
    assert TODAY in (library.root / "topics/rivers.md").read_text()


def test_what_was_dropped_is_not_brought_again(library: Library, client: Client) -> None:
    go(library, client)
    library.drop(["mensah2025graph"], reason="dry")
    again = go(library, client, "2024-01-01")
    assert again.added is not None
    assert (again.added.added, again.refused) == (0, 1)
    assert library.catalogue.get("mensah2025graph") is None


def test_what_reviewers_deleted_is_not_offered_again_and_is_written_down(
    library: Library, client: Client
) -> None:
    go(library, client)
    library.keep(["wen2023positional"])
    delete(library, "mensah2025graph")
    again = go(library, client, "2024-01-01")
    assert again.added is not None and (again.added.added, again.refused) == (0, 1)
    # The next run that brings something writes it down, and forgets what was decided.
    delete(library, "elsayed2024graph")
    library.add([Paper(title="On weirs", authors=("Bryl, T.",), published="2025",
                       sources=("file:0000",))])  # fmt: skip
    record = replace(topics.get(library, "rivers"), query="weirs", last_run=None)
    library.put([record], "topic: other words")
    done = go(library, client, "2024-01-01")
    assert done.matched == ("bryl2025weirs",)
    topic = topics.get(library, "rivers")
    assert topic.offered == ()
    assert sorted(topic.dropped) == list(topic.dropped)
    assert all(line.endswith(" deleted in review") for line in topic.dropped)
    assert any(line.startswith("doi:10.5555/") for line in topic.dropped)


def test_the_journal_version_of_a_refused_preprint_is_no_news(
    library: Library, client: Client
) -> None:
    go(library, client)
    delete(library, "mensah2025graph")
    paper = Paper(title="Graph Transformers at Low Tide", authors=("Mensah, Kofi",),
                  published="2026-01-02", doi="10.5555/journal.12",
                  sources=("crossref:10.5555/journal.12 2026-03-05",))  # fmt: skip
    answer = running.ask(library, client, topics.get(library, "rivers"), today=TODAY)
    done = running.file(library, replace(answer, papers=(paper,)), TODAY)
    assert (done.new, done.refused) == ((), 1)


def test_what_one_topic_s_review_refused_no_other_topic_offers(
    library: Library, client: Client
) -> None:
    other = Topic(slug="eels", title="Eels", query="eel", providers=("openalex",),
                  last_run="2023-01-05")  # fmt: skip
    library.put([other], "topic: eels")
    go(library, client)
    delete(library, "elsayed2024graph")
    done = topics.run_topic(library, client, "eels", today=TODAY)
    assert (done.new, done.refused) == ((), 1)
    assert library.add([Paper(title="Eels", doi="10.5555/iel.2024.99", sources=("file:1",))])


def test_a_drop_keeps_its_reason_when_the_topic_learns_of_it(
    library: Library, client: Client
) -> None:
    from pressmark.topics import memory

    go(library, client)
    library.drop(["mensah2025graph"], reason="too dry")
    lines = memory.recall(library, topics.get(library, "rivers")).dropped
    assert lines and all(line.endswith(" too dry") for line in lines)


def test_the_days_that_a_source_missed_are_asked_again(
    library: Library, client: Client, double: Double
) -> None:
    double.fail("/at-arxiv/*", UNAVAILABLE)
    done = go(library, client)
    assert done.added is not None and len(done.new) == 3
    topic = topics.get(library, "rivers")
    assert topic.last_run == "2023-01-05" and topic.offered
    double.heal()
    again = topics.run_topic(library, open_client(library.config, refresh=True), "rivers",
                             today="2026-03-05")  # fmt: skip
    assert again.added is not None and again.added.enriched == 2
    assert topics.get(library, "rivers").last_run == "2026-03-05"


def test_a_reference_that_cannot_be_read_is_not_taken_for_deleted(
    library: Library, client: Client
) -> None:
    from pressmark.topics import memory

    go(library, client)
    path = library.root / library.path("wen2023positional")
    path.write_text(path.read_text().replace("title: ", "title: [", 1))
    library.refresh()
    kept = memory.recall(library, topics.get(library, "rivers"))
    assert [line.split(" ")[0] for line in kept.waiting][:1] == ["arxiv:9803.00007"]
    assert len(kept.waiting) == 3 and kept.dropped == ()


def test_a_held_reference_gains_the_topic_and_a_source_and_no_twin(
    library: Library, client: Client
) -> None:
    paper = Paper(title="Graph Transformers Predict Eel Migration", doi="10.5555/iel.2024.99",
                  sources=("file:0001",))  # fmt: skip
    filed = library.add([paper])
    done = go(library, client)
    held = library.get("10.5555/iel.2024.99")
    assert held.key == filed.items[0].key and held.topics == ("rivers",)
    assert held.stage is None and [line.partition(":")[0] for line in held.sources] == [
        "file", "openalex",
    ]  # fmt: skip
    assert done.added and (done.added.added, done.added.enriched) == (2, 1)


def test_a_reference_that_came_by_another_way_is_offered_when_it_answers(
    library: Library, client: Client
) -> None:
    go(library, client)
    library.add([
        Paper(title="A graph for transformers", authors=("Bryl, T.",), published="2019",
              sources=("file:1",)),
        Paper(title="A graph for lakes", authors=("Bryl, T.",), published="2018",
              sources=("file:2",)),
    ])  # fmt: skip
    done = go(library, client, "2026-03-05")
    assert done.matched == ("bryl2019graph",)
    assert library.get("bryl2019graph").topics == ("rivers",)
    assert library.get("bryl2019graph").stage is None
    assert library.get("bryl2018graph").topics == ()
    assert subjects(library)[0] == (
        "topic: 0 new for Rivers and graphs, 1 held already match (arxiv, openalex)"
    )
    library.edit(["bryl2019graph"], remove={"topics": ["rivers"]})
    assert go(library, client, "2026-03-06").matched == ()  # a person said no


def test_a_source_that_is_down_is_a_row_and_all_of_them_are_nothing_filed(
    library: Library, client: Client, double: Double
) -> None:
    topic = topics.get(library, "rivers")
    double.fail("/at-arxiv/*", UNAVAILABLE)
    done = topics.run(library, client, topic, today=TODAY, write=Write(dry_run=True))
    assert {r.source: r.status for r in done.reports} == {
        "arxiv": "unavailable", "openalex": "ok",
    }  # fmt: skip
    double.fail("*", UNAVAILABLE)
    fresh = open_client(library.config, refresh=True)
    nothing = topics.run(library, fresh, topic, today=TODAY)
    assert nothing.added is None
    assert len(subjects(library)) == 1


def test_a_run_asks_from_a_week_before_the_last_one(library: Library) -> None:
    topic = topics.get(library, "rivers")
    assert topics.since(topic, TODAY) == "2022-12-29"
    assert running.asked(topic, TODAY, 50).since == "2022-12-29"
    assert topics.since(Topic(slug="x", title="X"), TODAY) == "2025-03-04"


def test_a_clock_that_was_set_back_asks_for_more(library: Library) -> None:
    topic = replace(topics.get(library, "rivers"), last_run="2026-03-04")
    assert topics.since(topic, "2025-01-08") == "2025-01-01"


@pytest.mark.parametrize("last", ["soon", "2023", "2023-13-40"])
def test_a_last_run_that_is_no_date_is_a_sentence(library: Library, last: str) -> None:
    topic = Topic(slug="rivers", title="Rivers", query="x", last_run=last)
    with pytest.raises(BadInput, match=f"topic rivers.*{last}"):
        topics.since(topic, TODAY)


def test_only_topics_that_ask_are_due(library: Library) -> None:
    feed = Topic(slug="feed", title="A feed", feed="https://a.invalid/x")
    library.put([feed], "topic: a feed")
    assert [topic.slug for topic in topics.due(library)] == ["feed", "rivers"]
    assert [topic.slug for topic in topics.due(library, feeds_only=True)] == ["feed"]
    with pytest.raises(NotFound, match="no topic none \\(topics: feed, prose, rivers\\)"):
        topics.get(library, "none")


def test_a_first_run_of_hundreds_is_one_commit_that_can_be_read(library: Library) -> None:
    papers = tuple(
        Paper(title=f"Paper number {n}", authors=(f"Author{n}, A.",), published="2026-01-02",
              doi=f"10.5555/many.{n}", sources=(f"openalex:W{n} {TODAY}",))
        for n in range(300)
    )  # fmt: skip
    from pressmark.search import Report

    report = Report(source="openalex", platform="OpenAlex", status="ok", count=300, total=300)
    topic = topics.get(library, "rivers")
    answer = running.Answer(topic=topic, reports=(report,), papers=papers)
    done = running.file(library, answer, TODAY)
    assert len(done.new) == 300 and len(subjects(library)) == 2
    show = ["git", "log", "-1", "--format=%B"]
    said = subprocess.run(show, cwd=library.root, check=True, capture_output=True, text=True).stdout
    assert said.startswith("topic: 300 new for Rivers and graphs (openalex)\n\n300 seen, 300 added")
    assert "- and 260 more\n" in said and len(said.splitlines()) < 60
    again = running.file(library, answer, TODAY)
    assert again.added is not None and (again.added.unchanged, again.added.commit) == (300, None)


def test_the_papers_own_date_counts_and_not_the_day_it_was_found(
    library: Library, client: Client
) -> None:
    go(library, client)
    held = library.get("wen2023positional")
    assert held.published == "2023-05-30" and any(TODAY in line for line in held.sources)


def test_two_runs_at_once_file_each_paper_once(library: Library, client: Client) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from pressmark.library import Library as Opened

    topic = topics.get(library, "rivers")
    others = [Opened.open(library.root, library.config) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        runs = list(pool.map(lambda one: topics.run(one, client, topic, today=TODAY), others))
    assert sorted(len(run.new) for run in runs) == [0, 0, 3]
    assert [s for s in subjects(library) if s.startswith("topic:")] == [
        "topic: 3 new for Rivers and graphs (arxiv, openalex)"
    ]


def test_a_run_keeps_what_was_written_into_the_topic_while_it_asked(
    library: Library, client: Client
) -> None:
    topic = topics.get(library, "rivers")
    answer = running.ask(library, client, topic, today=TODAY)
    library.put([replace(topic, dropped=("doi:10.5555/iel.2024.99 dry",))], "topic: a word")
    done = running.file(library, answer, TODAY)
    held = page.read(Topic, (library.root / "topics/rivers.md").read_bytes(), "topics/rivers.md")
    assert held.dropped == ("doi:10.5555/iel.2024.99 dry",)
    assert done.refused == 1 and "elsayed2024graph" not in done.new
