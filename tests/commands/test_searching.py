"""`search` and what stands around it, as a person types it."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import pytest

from double import HTML, RATE_LIMITED, UNAVAILABLE, Double, Reply, Seen, json_reply
from shell import Inside


def test_a_hit_says_who_found_it_what_is_held_and_where_a_copy_is(online: Inside) -> None:
    done = online("search", "graph", "transformers")
    lines = done.lines
    assert any(
        "held as aldermoor2021graph" in line and "open: html, pdf" in line for line in lines
    ), done.out
    held = online("search", "message passing", "--no-store", "--json").data["hits"]
    hit = next(each for each in held if each["key"] == "bryl2019message")
    assert (hit["held"], hit["text"], hit["collections"]) == (True, True, ["thesis"])
    assert hit["found_by"] and hit["n_authors"] == 2
    again = online("search", "graph", "transformers", "--no-store", "--json").data["hits"]
    assert all(each["seen"] for each in again)


def test_a_broken_source_comes_first_and_loud(online: Inside, double: Double) -> None:
    double.fail("/at-crossref/*", HTML)
    double.fail("/at-arxiv/*", RATE_LIMITED)
    done = online("search", "graph", "--json")
    assert done.err.splitlines()[0].startswith("! BROKEN: crossref")
    assert [row["source"] for row in done.data["broken"]] == ["crossref"]
    assert done.data["sources"][0]["status"] == "broken"
    assert {row["source"]: row["status"] for row in done.data["sources"]} == {
        "crossref": "broken", "openalex": "ok", "arxiv": "unavailable",
    }  # fmt: skip
    paused = online("search", "tides", "--json").data["sources"]
    row = next(row for row in paused if row["source"] == "arxiv")
    assert row["paused"] and row["until"]


def test_nobody_answering_is_2_and_one_answering_is_0(online: Inside, double: Double) -> None:
    double.fail("*", UNAVAILABLE)
    done = online("search", "graph", "--json", status=2)
    assert done.answer["code"] == "provider_unavailable"
    assert {row["status"] for row in done.data["sources"]} == {"unavailable"}
    double.heal()
    online("search", "graph", "--refresh")


def test_what_a_source_cannot_be_told_is_said(online: Inside) -> None:
    done = online("search", '"graph transformers"', "abs:rivers", "--no-store")
    line = next(line for line in done.err.splitlines() if line.startswith("crossref"))
    assert line.endswith("(abs: searched everywhere; phrases searched as words)")


def test_a_query_of_a_sources_own_is_sent_untouched(online: Inside, double: Double) -> None:
    own = '(all:"graph"  AND\n all:rivers)'
    (online.root / "q.txt").write_text(f"{own}\n")
    online("search", "--query", "arxiv=@q.txt", "--no-store")
    assert [(s.source, s.query["search_query"]) for s in double.requests] == [("arxiv", own)]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("search", ""), "A search needs words."),
        (("search", "\x00\x07 \x1b"), "A search needs words."),
        (("search", "x" * 10_000), "A query of 10,000 characters is too long"),
        (("search", "x", "--source", "medline"), "There is no source called 'medline'."),
        (("search", "x", "--also", "medline"), "There is no source called 'medline'."),
        (("search", "x", "--query", "medline=y"), "There is no source called 'medline'."),
        (("search", "x", "--since", "2020-02-30"), "'2020-02-30' is no date."),
        (("search", "x", "--since", "soon"), "'soon' is no date."),
        (("search", "x", "--since", "2021", "--until", "2020"), "The search ends"),
        (("search", "x", "--source", ""), "No source is enabled."),
        (("search", "x", "--vocabulary", "zoology"), "There is no vocabulary 'zoology'"),
        (("search", "x", "--query", "arxiv=@nowhere"), "nowhere"),
        (("searches", "show", "nothing"), "There is no search 'nothing'."),
        (("searches", "rerun", "nothing"), "There is no search 'nothing'."),
        (("vocabulary", "show", "zoology"), "There is no vocabulary 'zoology'"),
        (("resolve", "tides"), "'tides' holds no identifier."),
    ],
)
def test_a_slip_is_one_sentence_and_no_request(
    online: Inside, double: Double, words: tuple[str, ...], says: str
) -> None:
    before = online.files(), online.head()
    done = online(*words, status=None)
    assert done.status in (1, 2) and says in done.err, done.err
    assert double.requests == [] and (online.files(), online.head()) == before


def test_an_unknown_source_is_answered_with_those_there_are(online: Inside) -> None:
    done = online("search", "x", "--source", "medline", status=2)
    assert "choose from ads, arxiv, core, crossref" in done.err


def test_a_journal_that_nobody_can_be_asked_for(online: Inside) -> None:
    done = online("search", "x", "--source", "arxiv", "--journal", "Tides", "--json", status=2)
    assert done.answer["code"] == "invalid_request"
    assert "arXiv cannot be searched by journal" in done.answer["error"]


def test_a_page_beyond_what_a_provider_shows_is_skipped(online: Inside, double: Double) -> None:
    done = online(
        "search", "graph", "--limit", "1000", "--page", "40", "--source", "crossref,openalex,arxiv",
        "--json", "--no-store", status=2,
    )  # fmt: skip
    assert {row["status"] for row in done.data["sources"]} == {"skipped"}
    assert "shows no more than its first 10,000 hits" in done.answer["error"]
    assert double.requests == []


def test_a_search_is_listed_shown_repeated_and_reported(online: Inside) -> None:
    online("search", "salinity", "--collection", "wet", "--vocabulary", "genetics")
    listed = online("searches", "list", "--json").data
    assert [row["query"] for row in listed] == ["salinity", "graph"]
    slug = listed[0]["slug"]
    assert online("searches", "list", "--collection", "wet").lines[0].startswith(slug)
    assert online("searches", "list", "--vocabulary", "genetics").lines[0].startswith(slug)
    key = online("searches", "show", slug, "--json").data["outcomes"][0]["outcome"]
    assert online("searches", "list", "--paper", key).lines[0].startswith(slug)
    shown = online("searches", "show", slug)
    assert "  sent: https://api.crossref.org/works?query.bibliographic=salinity" in shown.out
    again = online("searches", "rerun", slug, "--json")
    assert {row["status"] for row in again.data["sources"]} == {"ok"}
    assert all(hit["seen"] for hit in again.data["hits"])
    assert again.data["filed"]["added"] == 0
    report = online("searches", "report", slug, "--prisma-s")
    assert "15. Total records: " in report.out
    assert online("searches", "similar", "salinity").lines[0].startswith("1.00")


def test_a_vocabulary_asks_in_its_own_words_too(online: Inside, double: Double) -> None:
    (online.root / "topics/vocabularies").mkdir()
    (online.root / "topics/vocabularies/tides.md").write_text(
        "---\ntitle: Tides\n\nterms:\n- Estuaries\n\nsynonyms:\n- river mouths → Estuaries\n---\n"
    )
    done = online("search", "river mouths", "--vocabulary", "tides", "--json")
    assert done.data["variants"] == ["Estuaries"]
    hits = {hit["title"]: hit for hit in done.data["hits"]}
    hit = hits["Message Passing on Estuaries"]
    assert (hit["matches"], hit["queries"]) == (["Estuaries"], ["Estuaries"])
    assert done.data["hits"][0]["matches"]
    row = next(row for row in done.data["sources"] if row["source"] == "crossref")
    assert row["count"] == 0 and row["variants"][0]["count"] >= 1
    shown = online("searches", "list", "--json").data[0]
    rows = online("searches", "show", shown["slug"], "--json").data["providers"]
    assert [r.get("variant") for r in rows if r["platform"] == "Crossref"] == [None, "Estuaries"]


def test_leads_are_read_from_stdin_and_marked_when_held(online: Inside, double: Double) -> None:
    done = online("leads", "https://arxiv.org/abs/9801.00011", "https://x.test", "--json")
    assert done.data["leads"][0]["key"] == "aldermoor2021graph"
    assert done.data["no_identifier"] == ["https://x.test"] and done.data["fetch"] == []
    assert double.requests == []


def test_every_source_says_what_it_has_given(online: Inside) -> None:
    found = {row["source"]: row for row in online("sources", "--json").data}
    assert (found["arxiv"]["references"], found["crossref"]["references"]) == (2, 1)
    assert found["attached"]["texts"] == 1 and found["attached"]["kind"] == "disk"
    assert found["openalex"]["does"][0] == "search" and found["openalex"]["key"] is False
    assert found["arxiv"]["key"] is None


def test_a_defect_is_traced_in_a_later_process(online: Inside, double: Double) -> None:
    double.fail("/at-crossref/*", HTML)
    online("search", "graph", "--no-store")
    done = online("sources", "--trace", "--json")
    (defect,) = done.data
    assert defect["source"] == "crossref" and defect["head"].startswith("<!doctype html>")
    assert defect["request"].startswith("https://api.crossref.org/works?")
    row = next(r for r in online("sources", "--json").data if r["source"] == "crossref")
    assert row["defects"] == 1 and row["paused"] is None
    assert "<!doctype html>" in online("sources", "--trace").out


def test_a_pause_is_shown_with_its_reason_and_its_end(online: Inside, double: Double) -> None:
    double.fail("/at-arxiv/*", RATE_LIMITED)
    online("search", "graph", "--no-store")
    row = next(r for r in online("sources", "--json").data if r["source"] == "arxiv")
    assert "Rate exceeded" in row["paused"] and row["until"]


def test_several_spellings_of_one_doi_are_one_reference_and_one_question(
    online: Inside, double: Double
) -> None:
    done = online(
        "add", "10.5555/JIH.2020.0007", "doi:10.5555/jih.2020.0007",
        "https://doi.org/10.5555%2Fjih.2020.0007", "http://dx.doi.org/10.5555/jih.2020.0007",
        "--json",
    )  # fmt: skip
    assert (done.data["added"], done.data["merged"]) == (1, 3)
    assert len({item["key"] for item in done.data["items"]}) == 1
    asked = [seen for seen in double.requests if seen.source == "crossref"]
    assert len(asked) == 1


def test_what_an_added_paper_cites_is_asked_for_where_its_record_does_not_say(
    online: Inside, double: Double
) -> None:
    def edges(seen: Seen) -> Reply | None:
        if "cited_by:" not in seen.query.get("filter", ""):
            return None
        works = [{"id": f"https://openalex.org/W990000009{n}", "title": f"Cited {n}",
                  "doi": f"https://doi.org/10.5555/c{n}"} for n in (2, 1)]  # fmt: skip
        body = {"meta": {"count": 2, "page": 1, "per_page": 25}, "results": works}
        return Reply(200, json.dumps(body).encode())

    double.routes.insert(0, ("/works", edges))
    (key,) = [i["key"] for i in online("add", "arXiv:9804.00456", "--json").data["items"]]
    assert online("show", key, "--json").data["cites"] == ["doi:10.5555/c2", "doi:10.5555/c1"]
    asked = len(double.requests)
    online("add", "arXiv:9804.00456")  # held: nobody is asked again
    assert len(double.requests) == asked
    double.fail("/at-openalex/*", UNAVAILABLE)
    done = online("add", "arXiv:9806.00777", "--json")  # a failure costs the edges only
    assert done.data["added"] == 1 and done.data["failures"] == []


def test_no_key_and_no_address_is_printed_or_written_anywhere(
    online: Inside, double: Double
) -> None:
    """Every source with its key, two of which echo it in what they refuse."""
    secrets = {name: f"s3cr3t-{name}" for name in ("OPENALEX", "S2", "NCBI", "CORE", "ADS")}
    contact = "ada@reader.test"
    double.write_config(online.home / "config.toml", whole=True)
    env = {f"PRESSMARK_{name}_KEY": key for name, key in secrets.items()}
    shell = Inside(online.root, online.home, {**online.env, **env, "PRESSMARK_CONTACT": contact})

    def echo(seen: Seen) -> Reply | None:
        said = f"{seen.target} {seen.headers.get('authorization')} {contact} {seen.headers}"
        return Reply(400, said.encode(), "text/plain") if seen.source in FAILING else None

    double.routes.insert(0, ("*", echo))
    printed = ""
    for words in (
        ("search", "graph", "--also", "ads", "--json"),
        ("search", "eels"),
        ("sources", "--trace"),
        ("sources", "--json"),
        ("searches", "report"),
        ("add", "10.5555/jih.2020.0007", "--json"),
        ("update", "--cites", "--json"),
    ):
        done = shell(*words, status=None)
        printed += done.out + done.err
    sent = {seen.source for seen in double.requests}
    assert {"openalex", "pubmed", "semanticscholar", "core", "ads"} <= sent
    written = [p for p in online.home.rglob("*") if p.is_file() and p.name != "config.toml"]
    held = b"".join(path.read_bytes() for path in written)
    log = shell.git("log", "-p", "--all")
    for secret in (*secrets.values(), contact):
        assert secret not in printed and secret not in log, secret
        assert secret.encode() not in held, secret


FAILING = ("core", "pubmed", "openalex")


def test_by_meaning_asks_who_can_and_needs_the_key(online: Inside, double: Double) -> None:
    without = online("search", "graph", "--semantic", "--no-store", "--json", status=2)
    assert without.answer["code"] == "invalid_request"
    assert {row["status"] for row in without.data["sources"]} == {"skipped"}
    assert double.requests == []
    keyed = Inside(online.root, online.home, {**online.env, "PRESSMARK_OPENALEX_KEY": "k3y"})
    done = keyed("search", "graph", "--semantic", "--no-store", "--json")
    rows = {row["source"]: row for row in done.data["sources"]}
    assert rows["openalex"]["status"] == "ok" and "search.semantic" in rows["openalex"]["sent"]
    assert rows["crossref"]["reason"] == "Crossref does not search by meaning"
    assert done.data["limits"] == "by meaning; 10 records"


def test_what_came_before_a_failure_is_filed_and_counted(online: Inside, double: Double) -> None:
    def pages(seen: Seen) -> Reply:
        page, rows = int(seen.query["page"]), int(seen.query["per_page"])
        if page > 1:
            return UNAVAILABLE
        works = [
            {"id": f"https://openalex.org/W{n}", "title": f"Invented Work {n}"}
            for n in range(1, rows + 1)
        ]
        meta = {"count": 900, "page": page, "per_page": rows}
        return json_reply(json.dumps({"meta": meta, "results": works}))

    double.routes.insert(0, ("/works", lambda s: pages(s) if s.source == "openalex" else None))
    words = ("search", "tides", "--limit", "150", "--source", "openalex,arxiv", "--no-web")
    done = online(*words, "--json")
    row = next(each for each in done.data["sources"] if each["source"] == "openalex")
    assert (row["status"], row["count"]) == ("unavailable", 75)
    slug = online("searches", "list", "--json").data[0]["slug"]
    rows = online("searches", "show", slug, "--json").data["providers"]
    openalex = next(each for each in rows if each["platform"] == "OpenAlex")
    assert (openalex["retrieved"], openalex["capped"]) == ("75", "yes")
    told = online("searches", "report", slug, "--json").data
    assert told["retrieved"] == told["works"] + told["duplicates"] >= 75
    assert told["works"] == told["dropped"] + told["filed"] + told["unfiled"]


def test_a_strategy_of_pages_reaches_pubmed_in_one_piece(online: Inside, double: Double) -> None:
    strategy = " OR ".join(f'"invented phrase {n}"[tiab]' for n in range(200))
    (online.root / "strategy.txt").write_text(f"{strategy}\n")
    found = b'{"esearchresult": {"count": "0", "retmax": "0", "retstart": "0", "idlist": []}}'
    double.routes.insert(0, ("/entrez/eutils/esearch.fcgi", json_reply(found)))
    secrets = {"PRESSMARK_NCBI_KEY": "0123456789abcdef", "PRESSMARK_CONTACT": "ada@reader.invalid"}
    online("search", "--query", "pubmed=@strategy.txt", "--no-web",
           env=online.environment(**secrets))  # fmt: skip
    (seen,) = double.requests
    form = dict(parse_qsl(seen.body.decode()))
    assert (seen.method, seen.query) == ("POST", {})
    assert form["term"] == strategy and form["api_key"] == "0123456789abcdef"
    for path in online.root.rglob("*"):
        text = path.read_bytes() if path.is_file() and ".git/" not in str(path) else b""
        for each in secrets.values():
            assert each.encode() not in text and each.encode().hex().encode() not in text


def test_what_a_provider_repeats_of_key_and_contact_is_in_no_file_and_no_line(
    online: Inside, double: Double
) -> None:
    """An error inside an answer of status 200 is quoted, in a log that is committed among others."""
    secrets = {"PRESSMARK_CORE_KEY": "0123456789abcdef", "PRESSMARK_CONTACT": "ada@reader.invalid"}
    told = f"token {secrets['PRESSMARK_CORE_KEY']} of {secrets['PRESSMARK_CONTACT']} is spent"
    double.routes.insert(0, ("/search/", json_reply(json.dumps({"error": {"msg": told}}))))
    double.routes.insert(0, ("*", lambda seen: json_reply(json.dumps(
        {"errCode": 400, "errMsg": told})) if seen.source == "europepmc" else None))  # fmt: skip
    env = online.environment(**secrets)
    words = ("search", "tides", "--source", "hal,europepmc,arxiv", "--json")
    done = online(*words, env=env)
    reasons = {row["source"]: row["reason"] for row in done.data["broken"]}
    assert reasons["hal"] == "The answer of hal rejects our request (token ... of ... is spent)."
    traced = online("sources", "--trace", env=env)
    state = online.home.rglob("defects.jsonl")
    said = [done.out, done.err, traced.out, *(path.read_text() for path in state)]
    said += [data.decode("utf-8", "replace") for data in online.files().values()]
    assert not [each for secret in secrets.values() for each in said if secret in each]
    assert "SECRET" not in online("check", status=None, env=env).out
