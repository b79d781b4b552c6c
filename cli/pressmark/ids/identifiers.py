"""Text that a person pastes in; the identifier it spells, in one canonical form, out.

A bare number is no identifier: it may be a PMID, a PMCID, a Corpus ID or a year.
Only 13 digits that begin with 978 or 979 and check as an ISBN are one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pressmark.text import clean, unescape


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier in its canonical form; `str()` is the form that `cites` and identities use."""

    kind: str
    """doi, arxiv, pmid, pmcid, openalex, s2 or isbn."""
    value: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.value}"


_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|"
    "cond-mat|cs|dg-ga|econ|eess|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|"
    "nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|q-alg|q-bio|q-fin|quant-ph|solv-int|stat|"
    "supr-con"
)
_ARXIV = (
    r"(?P<id>(?:0[7-9]|1[0-4])(?:0[1-9]|1[0-2])\.\d{4}(?!\d)"
    r"|(?:1[5-9]|[2-9]\d)(?:0[1-9]|1[0-2])\.\d{5}(?!\d)"
    rf"|(?:{_ARCHIVES})(?:\.[a-z]{{2}})?(?:/|%2f)\d{{7}}(?!\d))(?P<version>v\d{{1,3}})?(?![\w-]|\.\d)"
)
"""Four digits after the point until 1412, five since 1501.

https://info.arxiv.org/help/arxiv_identifier.html
"""

_ARXIV_HOME = (
    r"(?:(?:arxiv\.org|ar5iv\.org|alphaxiv\.org|ar5iv\.labs\.arxiv\.org)/[a-z-]+/"
    r"|huggingface\.co/papers/|10\.48550(?:/|%2f)arxiv\.|arxiv\.org\s*:\s*|arxiv(?:\s*:\s*|\s+|-))"
)

_DOI = r"10\.\d{4,9}(?:\.\d+)*(?:/|%2f)"
_DOI_CHARACTERS = r"(?:(?!\]\(|[,;]\s*(?:https?:|doi|10\.\d{4}))[!-~](?<![\"<>]))+"
_DOI_FOUND = rf"(?<![\d.])(?P<id>{_DOI}{_DOI_CHARACTERS}(?:<[^\s<>\"]*::[^\s<>\"]*>[!#-;=?-~]*)?)"
"""In running text `<` ends a DOI, but for the SICI form `…16<1661::AID-SIM968>3.0.CO;2-2`."""

_FORMS = (
    ("arxiv", rf"(?<![a-z]){_ARXIV_HOME}{_ARXIV}"),
    ("doi", _DOI_FOUND),
    (
        "pmcid",
        r"(?:/pmc/articles/(?:PMC)?|\bpmc\.ncbi\.nlm\.nih\.gov/articles/(?:PMC)?"
        r"|\bpmcid\s*[:=-]?\s*(?:PMC)?|(?<![a-z0-9])PMC[:/-]?(?:PMC)?)(?P<id>\d{1,9})(?!\d)",
    ),
    (
        "pmid",
        r"(?:\bpmid(?:\s*[:=/-]\s*|\s+)|\bpubmed\.ncbi\.nlm\.nih\.gov/|/pubmed/"
        r"|\bpubmed\s*:\s*|(?<![a-z])MED[:/])(?P<id>\d{1,9})(?!\d)",
    ),
    ("openalex", r"(?:\bopenalex\.org/(?:works/)?|\bopenalex\s*[:-]\s*)(?P<id>W\d+)(?!\w)"),
    (
        "s2",
        r"(?:\bsemanticscholar\.org/(?:paper|reader|p)/(?:[^\s/]*/)?|\bs2\s*[:-]\s*"
        r"|\bsemanticscholar\s*[:-]\s*)(?P<id>[0-9a-f]{40})(?![0-9a-f])",
    ),
    ("s2", r"(?<![a-z])corpusid\s*[:=-]?\s*(?P<id>\d{1,12})(?!\d)"),
    ("isbn", r"\bisbn(?:[ -]?1[03])?\s*[:=/-]?\s*(?P<id>\d[\d\s–-]{8,20}[\dX])(?![\dX])"),
    ("isbn", r"(?<![\d.-])(?P<id>97[89](?:[\s–-]?\d){10})(?![\d-])"),
    ("arxiv", rf"(?<![\w./-]){_ARXIV}(?!/)"),
    ("openalex", r"(?<![\w./-])(?P<id>W\d{6,12})(?![\w-])"),
)
"""Every spelling, the surest first: where two overlap, the earlier stands."""


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    """The spellings compiled, when the first text is read: most commands read none."""
    return [(kind, re.compile(pattern, re.I)) for kind, pattern in _FORMS]


_URL = re.compile(r"(?:https?://|www\.|[\w-]+(?:\.[\w-]+)+/)\S+", re.I)
_HOST = re.compile(r"[\w-]+\.[a-z]{2,}(?::\d+)?/", re.I)
_BEFORE = re.compile(
    r"(?:arxiv preprint\s*|doi\s*[:=/-]?\s*|info:|urn:|oai:|s2\s*[:-]\s*|hdl:)*", re.I
)
_AFTER = re.compile(r"(?:\.pdf|\.\d{1,2})?(?:\s*\[[\w.-]+\](?:\s+\d{1,2}\s+\w{3}\s+\d{4})?)?", re.I)
"""A suffix, or the rest of the stamp in an arXiv paper's margin."""
_WHOLE_DOI = re.compile(rf"{_DOI}\S+", re.I)
_PLAIN_DOI = re.compile(r"10\.\d{4,9}/[a-z0-9._/-]*[a-z0-9]")

_WRAPPING = {"(": ")", "[": "]", "<": ">", "{": "}", '"': '"', "'": "'", "“": "”", "‘": "’"}
_OPENING = {closing: opening for opening, closing in _WRAPPING.items() if closing in ")]}>"}
_ENDING = ".,;:!?'\"“”‘’«»…。，；、）】*/"

_OWN_DOI = re.compile(r"10\.48550(?:/|%2f)arxiv\.[a-z0-9]", re.I)
"""The DOI that arXiv registers for each of its papers."""
_NEXT = re.compile(r"\]\(|[,;]\s*(?=https?:|doi:|10\.\d{4})")
"""Where the next identifier of a list, or a Markdown link's address, begins."""

_PUBLISHER_PAGE = re.compile(
    r"(?:/(?:full|abstract|e?pdf|pdfdirect|meta|html|fulltext|full-text|summary|references|"
    r"citations|figures|tables|xml|download)|\.full(?:-text)?|\.pdf|\.html?|\.abstract)+$",
    re.I,
)
"""What publishers append to a DOI in their own addresses, as in `…/fpsyg.2020.00001/full`."""
_PREPRINT_VERSION = re.compile(r"^(10\.(?:1101|64898)/.*\d)v\d{1,2}$")
"""bioRxiv and medRxiv put the version into the address; it is not part of the DOI."""


def parse(text: str) -> Identifier | None:
    """The identifier that the whole text spells; None for a title, a number, anything else."""
    value = _unwrapped(clean(unescape(text)))
    if not value or (value.isdigit() and len(value) != 13):
        return None
    if not _OWN_DOI.search(value) and (doi := normalise_doi(value)):
        return Identifier("doi", doi)
    for start, end, identifier in _scan(value):
        if _URL.fullmatch(value):
            return identifier
        if _BEFORE.fullmatch(value, 0, start) and _AFTER.fullmatch(value, end):
            return identifier
    return _bare(value)


def find_all(text: str) -> list[Identifier]:
    """Every identifier inside a sentence, a page or an address, in its order, each once."""
    return list(dict.fromkeys(identifier for _, _, identifier in _scan(text)))


def _bare(value: str) -> Identifier | None:
    """Spellings too short to be looked for in prose."""
    if re.fullmatch(r"W\d{4,12}", value, re.I):
        return Identifier("openalex", value.upper())
    if re.fullmatch(r"\d{1,5}-\d{1,7}-\d{1,7}-[\dX]|\d{9}X", value, re.I):
        isbn = normalise_isbn(value)
        return Identifier("isbn", isbn) if isbn else None
    return None


def _scan(text: str) -> list[tuple[int, int, Identifier]]:
    """Where each identifier stands in the text: start of its label, end, and what it is."""
    hits: list[tuple[int, int, Identifier]] = []
    taken = bytearray(len(text))
    for kind, form in _forms():
        for found in form.finditer(text):
            for start, end, identifier in _read(kind, found):
                if taken.find(1, start, end) < 0:
                    taken[start:end] = b"\1" * (end - start)
                    hits.append((start, end, identifier))
    return sorted(hits, key=lambda hit: hit[0])


def _read(kind: str, found: re.Match[str]) -> Iterator[tuple[int, int, Identifier]]:
    start, end = found.span()
    raw = found["id"]
    value: str | None
    if kind == "doi":
        token = re.search(r"\S*$", found.string[max(0, start - 300) : start])
        value, length = _doi(token[0] if token else "", raw)
        end = start + length
    elif kind == "s2" and len(raw) < 40:
        value = f"CorpusID:{int(raw)}"
    else:
        value = _CANONICAL[kind](raw)
    if value:
        yield start, end, Identifier(kind, value)


def _doi(before: str, raw: str) -> tuple[str | None, int]:
    """The DOI at the head of `raw`, and how many of its characters it took."""
    at_host = bool(_HOST.search(before))
    raw = _NEXT.split(raw, maxsplit=1)[0]
    if at_host:
        raw = re.split(r"[?#&]", raw, maxsplit=1)[0]
    if at_host and not re.search(r"doi\.org(?::\d+)?/(?:doi:)?$", before, re.I):
        raw = _PUBLISHER_PAGE.sub("", raw.rstrip("/"))
        raw = _PREPRINT_VERSION.sub(r"\1", raw)
    raw = _trimmed(raw)
    value = _trimmed(_unquoted(raw)).lower()
    return (value if _is_doi(value) else None), len(raw)


def _is_doi(value: str) -> bool:
    return len(value) <= 300 and bool(_WHOLE_DOI.fullmatch(value)) and clean(value) == value


def _trimmed(value: str) -> str:
    """Without the punctuation of the sentence around it; brackets that balance are its own."""
    while value and (value[-1] in _ENDING or _overhangs(value)):
        value = value[:-1]
    return value


def _overhangs(value: str) -> bool:
    opening = _OPENING.get(value[-1])
    return opening is not None and value.count(value[-1]) > value.count(opening)


def _unwrapped(value: str) -> str:
    """Without the quotes, brackets and full stop that a paste brings along."""
    while len(value) > 1 and (closing := _WRAPPING.get(value[0])):
        value = value[1:].rstrip(".,;")
        value = value[:-1].strip() if value.endswith(closing) else value
    return _trimmed(value)


def _unquoted(value: str) -> str:
    """Percent-encoding undone; urllib would be an import for one line."""
    return re.sub(
        r"(?:%[0-9A-Fa-f]{2})+",
        lambda code: bytes.fromhex(code[0].replace("%", "")).decode("utf-8", "replace"),
        value,
    )


def normalise_doi(text: str) -> str | None:
    """`10.…` in lower case, from a bare DOI, `doi:` or any address that holds one."""
    if _PLAIN_DOI.fullmatch(text):
        return text
    value = _unwrapped(clean(unescape(text)))
    found = _WHOLE_DOI.search(value)
    if not found or found.end() != len(value):
        return None
    before = value[: found.start()]
    if not (_BEFORE.fullmatch(before) or _HOST.search(before)):
        return None
    return _doi(before, found[0])[0]


def normalise_arxiv(text: str) -> str | None:
    """`1706.03762` or `hep-th/9901001`, without version and subject class."""
    found = _arxiv(text)
    return _canonical_arxiv(found["id"]) if found else None


def arxiv_version(text: str) -> str | None:
    """`v7`, when the text is an arXiv id that names a version."""
    found = _arxiv(text)
    return found["version"].lower() if found and found["version"] else None


@cache
def _whole_arxiv() -> re.Pattern[str]:
    return re.compile(rf"(?:\S*?{_ARXIV_HOME})?{_ARXIV}\S*(?:\s*\[[\w.-]+\])?", re.I)


def _arxiv(text: str) -> re.Match[str] | None:
    return _whole_arxiv().fullmatch(_unwrapped(clean(text)))


def _canonical_arxiv(raw: str) -> str:
    archive, slash, number = raw.lower().replace("%2f", "/").rpartition("/")
    return f"{archive.split('.')[0]}{slash}{number}"


def normalise_pmid(text: str) -> str | None:
    """The digits of a PMID; here, where the field is known, a bare number is one."""
    return _number(text, "pmid")


def normalise_pmcid(text: str) -> str | None:
    """`PMC` and digits, from any spelling; providers leave out the letters."""
    number = _number(text, "pmcid")
    return f"PMC{number.removeprefix('PMC')}" if number else None


def _number(text: str, kind: str) -> str | None:
    text = text.strip()
    if text.isascii() and text.isdigit():
        return text.lstrip("0")[:9] or None
    return _of_kind(text, kind)


def normalise_openalex(text: str) -> str | None:
    """`W` and digits, from a bare id or its address."""
    text = text.strip()
    if re.fullmatch(r"[wW]\d{1,12}", text):
        return text.upper()
    return _of_kind(text, "openalex")


def normalise_s2(text: str) -> str | None:
    """40 hexadecimal digits, or `CorpusID:` and a number."""
    text = text.strip()
    if re.fullmatch(r"[0-9a-fA-F]{40}", text):
        return text.lower()
    return _of_kind(text, "s2")


def normalise_isbn(text: str) -> str | None:
    """13 digits without dashes; an ISBN-10 is converted, a wrong check digit is refused."""
    return _isbn(_isbn_digits(text))


NORMALISERS: Mapping[str, Callable[[str], str | None]] = {
    "doi": normalise_doi,
    "arxiv": normalise_arxiv,
    "pmid": normalise_pmid,
    "pmcid": normalise_pmcid,
    "openalex": normalise_openalex,
    "s2": normalise_s2,
    "isbn": normalise_isbn,
}
"""A kind of identifier to what makes the one spelling of a value of it, or None of what is none."""


def _isbn_digits(text: str) -> str:
    label = re.sub(r"(?i)isbn(?:[ -]?1[03])?(?!\d)", "", text)
    return re.sub(r"[^\dX]", "", label.upper())


def _isbn_in_text(raw: str) -> str | None:
    """The ISBN at the head of digits that may run on into another's."""
    digits = _isbn_digits(raw)
    return _isbn(digits) or _isbn(digits[:13]) or _isbn(digits[:10])


def _isbn(digits: str) -> str | None:
    if re.fullmatch(r"97[89]\d{10}", digits):
        return digits if digits[12] == _check_digit(digits[:12]) else None
    if re.fullmatch(r"\d{9}[\dX]", digits):
        values = [10 if digit == "X" else int(digit) for digit in digits]
        if sum(weight * value for weight, value in zip(range(10, 0, -1), values, strict=True)) % 11:
            return None
        return f"978{digits[:9]}{_check_digit('978' + digits[:9])}"
    return None


def _check_digit(twelve: str) -> str:
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(twelve))
    return str(-total % 10)


def _of_kind(text: str, kind: str) -> str | None:
    found = parse(text)
    return found.value if found and found.kind == kind else None


_CANONICAL: dict[str, Callable[[str], str | None]] = {
    "arxiv": _canonical_arxiv,
    "pmid": lambda raw: raw.lstrip("0") or None,
    "pmcid": lambda raw: f"PMC{raw.lstrip('0')}" if raw.lstrip("0") else None,
    "openalex": str.upper,
    "s2": str.lower,
    "isbn": _isbn_in_text,
}
