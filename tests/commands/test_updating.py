"""`update`: what no person touched follows its source, the rest becomes a conflict, one commit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from double import UNAVAILABLE, Double, Reply, Seen
from shell import Inside
from story import BY_NUMBER, atom, crossref_item

DOI = "10.5555/jih.2020.0007"
KEY = "devos2020salinity"


def crossref_now(double: Double, number: int, **changes: Any) -> None:
    """From now on Crossref says this of a work."""
    item = {**crossref_item(BY_NUMBER[number]), **changes}
    body = json.dumps({"status": "ok", "message-type": "work", "message": item}).encode()
    double.routes.insert(0, ("/works/10.*", Reply(200, body)))


@pytest.fixture
def filed(online: Inside) -> Inside:
    online("add", DOI)
    assert KEY in online("list", "--json").out
    return online


def shown(shell: Inside, key: str = KEY) -> dict[str, Any]:
    found: dict[str, Any] = shell("show", key, "--json").data
    return found


def test_nothing_new_is_no_commit(filed: Inside) -> None:
    before = filed.head()
    done = filed("update", KEY)
    assert done.lines[-1] == "1 asked, 0 changed, 1 the same." and filed.head() == before


def test_it_asks_past_the_cache(filed: Inside, double: Double) -> None:
    before = len(double.requests)
    filed("update", KEY)
    assert {seen.source for seen in double.requests[before:]} >= {"crossref", "openalex"}


def test_what_no_person_touched_follows_its_source(filed: Inside, double: Double) -> None:
    crossref_now(double, 6, volume="14", page="1-20", title=["Salinity Forecasts, Corrected"])
    done = filed("update", KEY, "--json")
    (item,) = done.data["items"]
    assert (item["status"], item["conflicts"]) == ("changed", [])
    assert item["fields"] == ["title", "volume", "pages"]
    now = shown(filed)
    assert (now["title"], now["volume"], now["pages"]) == (
        "Salinity Forecasts, Corrected", "14", "1-20",
    )  # fmt: skip
    assert now["conflicts"] == []
    assert filed.subjects()[0] == f"update: {KEY} (volume, pages)"
    assert filed.changed() == [f"M library/2020/{KEY}.md"]
    filed.tidy()


def test_what_a_person_set_stands_and_the_offer_is_a_conflict(
    filed: Inside, double: Double
) -> None:
    filed("edit", KEY, "--set", "volume=13a")
    crossref_now(double, 6, volume="14", page="1-20")
    (item,) = filed("update", KEY, "--json").data["items"]
    assert item["fields"] == ["pages"] and item["conflicts"] == ["volume: 14 (crossref)"]
    now = shown(filed)
    assert (now["volume"], now["pages"]) == ("13a", "1-20")
    assert now["conflicts"] == ["volume: 14 (crossref)"]
    assert "1 conflict" in filed.subjects()[0]
    before = filed.head()
    filed("update", KEY)  # said once
    assert filed.head() == before


def test_an_edit_that_is_not_committed_is_a_persons_too(filed: Inside, double: Double) -> None:
    path = filed.root / f"library/2020/{KEY}.md"
    path.write_text(path.read_text().replace("volume: '13'", "volume: '99'"))
    crossref_now(double, 6, volume="14")
    (item,) = filed("update", KEY, "--json").data["items"]
    assert item["conflicts"] == ["volume: 14 (crossref)"] and shown(filed)["volume"] == "99"


def test_a_commit_by_hand_is_a_persons(filed: Inside, double: Double) -> None:
    path = filed.root / f"library/2020/{KEY}.md"
    path.write_text(path.read_text().replace("volume: '13'", "volume: '99'"))
    filed.git("commit", "-qam", "By hand")
    filed("edit", KEY, "--add-tag", "x")
    crossref_now(double, 6, volume="14")
    assert filed("update", KEY, "--json").data["items"][0]["conflicts"] == ["volume: 14 (crossref)"]


def test_a_rename_hides_no_origin(filed: Inside, double: Double) -> None:
    filed("rename", KEY, "salt2020")
    crossref_now(double, 6, volume="14")
    assert filed("update", "salt2020", "--json").data["items"][0]["fields"] == ["volume"]


def test_a_value_that_followed_before_follows_again(filed: Inside, double: Double) -> None:
    for volume in ("14", "15"):
        crossref_now(double, 6, volume=volume)
        filed("update", KEY)
        assert shown(filed)["volume"] == volume


def test_a_retraction_is_taken_and_said_first(filed: Inside, double: Double) -> None:
    crossref_now(double, 6, **{"updated-by": [
        {"DOI": "10.5555/jih.2021.r", "type": "retraction", "label": "Retraction",
         "updated": {"date-parts": [[2021, 1, 20]]}}
    ]})  # fmt: skip
    done = filed("update", KEY)
    assert "RETRACTED" in done.out and shown(filed)["notice"] == "retracted"
    assert filed.subjects()[0].startswith("update: 1 retracted, ")


def test_a_preprint_gains_its_journal(online: Inside, double: Double) -> None:
    """arXiv now names the DOI; Crossref says where it was published."""
    online("add", "arXiv:9803.00007")
    work = BY_NUMBER[5]
    entry = atom([work], 1).replace(
        b"<arxiv:comment>", b"<arxiv:doi>10.5555/jih.2020.0007</arxiv:doi><arxiv:comment>"
    )
    double.routes.insert(0, ("/api/query", Reply(200, entry, "application/atom+xml")))
    crossref_now(double, 6, title=[work.title], author=crossref_item(work)["author"],
                 issued={"date-parts": [[2023, 9, 1]]})  # fmt: skip
    online("update", "wen2023positional")
    now = shown(online, "wen2023positional")
    assert (now["doi"], now["arxiv"], now["venue"], now["volume"]) == (
        "10.5555/jih.2020.0007", "9803.00007", "Journal of Invented Hydrology", "13",
    )  # fmt: skip


def test_when_a_source_it_was_made_from_is_silent_nothing_is_replaced(
    filed: Inside, double: Double
) -> None:
    double.fail("/at-crossref/*", UNAVAILABLE)
    before = filed.files()
    (item,) = filed("update", KEY, "--json").data["items"]
    assert item["status"] == "same" and filed.files() == before


def test_when_nobody_answers_it_fails_and_changes_nothing(filed: Inside, double: Double) -> None:
    double.fail("*", UNAVAILABLE)
    before = filed.files()
    done = filed("update", KEY, "--json", status=2)
    assert done.answer["code"] == "unavailable" and filed.files() == before
    assert done.data["items"][0]["status"] == "unavailable"


def test_a_work_that_is_gone_is_said(filed: Inside, double: Double) -> None:
    double.routes.insert(0, ("/works/*", Reply(404, b"Resource not found.", "text/plain")))
    (item,) = filed("update", KEY, "--json").data["items"]
    assert item["status"] == "gone"


def test_an_identifier_that_names_another_work_now_changes_nothing(
    filed: Inside, double: Double
) -> None:
    crossref_now(double, 6, title=["Dredging and Its Discontents"])
    double.fail("/at-openalex/*", UNAVAILABLE)
    before = filed.files()
    (item,) = filed("update", KEY, "--json").data["items"]
    assert item["status"] == "not asked" and "“Dredging and Its Discontents” now" in item["reason"]
    assert filed.files() == before


def test_a_dry_run_writes_nothing(filed: Inside, double: Double) -> None:
    crossref_now(double, 6, volume="14")
    before = filed.files(), filed.head()
    assert "volume: '14'" in filed("update", KEY, "--dry-run").out
    assert (filed.files(), filed.head()) == before


def test_without_names_each_day_has_its_share(filed: Inside, double: Double) -> None:
    done = filed("update", "--limit", "2", "--json")
    assert len(done.data["items"]) == 2 and done.data["left"] == 2


def test_cites_are_filled_in_the_papers_own_order(filed: Inside, double: Double) -> None:
    def edges(seen: Seen) -> Reply | None:
        if "cited_by:" not in seen.query.get("filter", ""):
            return None
        works = [
            {"id": f"https://openalex.org/W990000000{n}", "doi": f"https://doi.org/10.5555/c{n}",
             "title": f"Cited {n}"}
            for n in (1, 2)
        ]  # fmt: skip
        return Reply(200, json.dumps({"meta": {"count": 2, "page": 1, "per_page": 25},
                                      "results": works}).encode())  # fmt: skip

    double.routes.insert(0, ("/works", edges))
    filed("update", KEY, "--cites")
    cites = shown(filed)["cites"]
    assert {"doi:10.5555/c1", "doi:10.5555/c2"} <= set(cites)
    before = filed.head()
    filed("update", KEY, "--cites")
    assert shown(filed)["cites"] == cites and filed.head() == before


def test_offline_is_a_sentence(offline: Inside) -> None:
    assert "needs the network" in offline("update", "bryl2019message", status=2).err
