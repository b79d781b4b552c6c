"""Found addresses to identifiers, and identifiers to addresses: nobody is asked for either."""

from __future__ import annotations

import socket

import pytest

from pressmark.errors import BadInput, FormatMissing, Unsupported
from pressmark.search import leads, resolve


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize(
    ("url", "identifier"),
    [
        ("https://doi.org/10.5555/A.B(1)2", "doi:10.5555/a.b(1)2"),
        ("https://www.biorxiv.org/content/10.1101/2099.04.01.999999v1.full.pdf",
         "doi:10.1101/2099.04.01.999999"),
        ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.9999999",
         "doi:10.1371/journal.pone.9999999"),
        ("https://arxiv.org/pdf/9801.00011v3.pdf", "arxiv:9801.00011"),
        ("https://pubmed.ncbi.nlm.nih.gov/990000006/", "pmid:990000006"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC99000006/pdf/x.pdf", "pmcid:PMC99000006"),
        ("https://www.google.com/url?q=https://arxiv.org/abs/9801.00011&sa=U", "arxiv:9801.00011"),
        ("https://www.nature.com/articles/s99999-024-00001-8", "doi:10.1038/s99999-024-00001-8"),
        ("https://www.nature.com/articles/s99999-024-00001-8.pdf", "doi:10.1038/s99999-024-00001-8"),
    ],
)  # fmt: skip
def test_an_address_names_a_work(url: str, identifier: str) -> None:
    found = leads([url])
    assert [str(lead.identifier) for lead in found.found] == [identifier]
    assert found.fetch == (identifier,) and found.no_identifier == ()


def test_what_names_none_is_listed_and_doubles_are_one() -> None:
    found = leads([
        "https://x.test/a", "https://arxiv.org/abs/9801.00011", "https://x.test/a", "",
        "https://arxiv.org/pdf/9801.00011v2", "https://doi.org/10.48550/arXiv.9801.00011",
        "not a url", "http://[::1", "javascript:alert(1)",
    ])  # fmt: skip
    assert [(str(lead.identifier), len(lead.urls)) for lead in found.found] == [
        ("arxiv:9801.00011", 3)
    ]
    assert found.no_identifier == (
        "https://x.test/a", "not a url", "http://[::1", "javascript:alert(1)",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "form", "provider", "url"),
    [
        ("arXiv:9801.00011v2", "landing", "arxiv", "https://arxiv.org/abs/9801.00011"),
        ("10.48550/arXiv.9801.00011", "pdf", "arxiv", "https://arxiv.org/pdf/9801.00011"),
        ("doi:10.5555/A", "landing", "doi", "https://doi.org/10.5555/a"),
        ("10.1371/journal.pone.9999999", "jats", "plos",
         "https://journals.plos.org/plosone/article/file"
         "?id=10.1371/journal.pone.9999999&type=manuscript"),
        ("PMC99000006", "jats", "europepmc",
         "https://www.ebi.ac.uk/europepmc/webservices/rest/PMC99000006/fullTextXML"),
        ("pmid:990000006", "landing", "pubmed", "https://pubmed.ncbi.nlm.nih.gov/990000006/"),
    ],
)  # fmt: skip
def test_an_identifier_leads_somewhere(text: str, form: str, provider: str, url: str) -> None:
    found = resolve(text, format=form)
    assert (found.provider, found.url, found.format) == (provider, url, form)


@pytest.mark.parametrize(
    "spelling",
    ["10.5555/JIH.2019.0042", "doi:10.5555/jih.2019.0042", "https://doi.org/10.5555/jih.2019.0042",
     "http://dx.doi.org/10.5555%2Fjih.2019.0042", "DOI 10.5555/jih.2019.0042.",
     "https://doi.org/10.5555/jih.2019.0042?utm_source=x", "<10.5555/jih.2019.0042>"],
)  # fmt: skip
def test_every_spelling_of_a_doi_is_one_identifier(spelling: str) -> None:
    assert resolve(spelling).identifier == "doi:10.5555/jih.2019.0042"


def test_what_nobody_serves_is_said_before_any_request() -> None:
    with pytest.raises(Unsupported, match="No provider serves isbn:") as caught:
        resolve("9780000000002")
    assert caught.value.code == "unsupported_provider"
    with pytest.raises(FormatMissing, match="arxiv has no html of arxiv:hep-th/9901001"):
        resolve("hep-th/9901001", format="html")
    with pytest.raises(BadInput, match="holds no identifier"):
        resolve("tidal networks")
    with pytest.raises(BadInput, match="A form is one of"):
        resolve("9801.00011", format="docx")
