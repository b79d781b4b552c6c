"""References as .bib entries: the very text, and the proof that LaTeX and both processors take it."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark.formats import bibtex
from pressmark.formats.bibtex import latex, symbols, titles
from pressmark.record import TYPES, Reference
from pressmark.text import from_tex


def test_the_very_text_of_an_article() -> None:
    ref = Reference(
        key="garcia2018salt", title="The taste of DNA: β-carotene & salt in Paris", type="article-journal",
        authors=("García Márquez, Gabriel", "{World Health Organization}", "van der Berg, Jan, Jr."),
        published="2018-07-03", venue="Journal of Soup", volume="12", issue="3", pages="1-9",
        doi="10.1000/a_b", url="https://example.org/a_b%20c#d", issn=("1234-5678", "1234-5679"),
        notice="retracted",
    )  # fmt: skip
    assert bibtex.write([ref]) == (
        f"{bibtex.MARK}\n\n"
        "@article{garcia2018salt,\n"
        "  author = {Garc{\\'i}a M{\\'a}rquez, Gabriel and {World Health Organization} and "
        "van der Berg, Jr., Jan},\n"
        "  title = {The taste of {DNA}: {$\\beta$}-carotene \\& salt in {Paris}},\n"
        "  journal = {Journal of Soup},\n"
        "  year = {2018},\n"
        "  month = jul,\n"
        "  volume = {12},\n"
        "  number = {3},\n"
        "  pages = {1--9},\n"
        "  issn = {1234-5679},\n"
        "  doi = {10.1000/a_b},\n"
        "  url = {https://example.org/a_b%20c#d},\n"
        "  note = {Retracted},\n"
        "}\n"
    )


def test_the_very_text_of_a_preprint() -> None:
    ref = Reference(
        key="vaswani2017attention", title="Attention Is All You Need", authors=("Vaswani, Ashish",),
        published="2017-06-12", type="article", venue="arXiv", doi="10.48550/arxiv.1706.03762",
        arxiv="1706.03762", arxiv_class="cs.CL",
    )  # fmt: skip
    assert bibtex.entry(ref) == (
        "@misc{vaswani2017attention,\n"
        "  author = {Vaswani, Ashish},\n"
        "  title = {Attention Is All You Need},\n"
        "  howpublished = {arXiv:1706.03762},\n"
        "  year = {2017},\n"
        "  month = jun,\n"
        "  doi = {10.48550/arxiv.1706.03762},\n"
        "  eprint = {1706.03762},\n"
        "  archiveprefix = {arXiv},\n"
        "  primaryclass = {cs.CL},\n"
        "}"
    )


FULL = {
    "title": "Salt", "authors": ("Lee, A.",), "editors": ("Salz, B.",), "published": "2018",
    "venue": "Soup", "publisher": "Pan", "place": "Bern", "volume": "3", "issue": "4", "number": "7",
    "pages": "1–9", "edition": "2", "series": "LNCS", "isbn": ("9780306406157",),
}  # fmt: skip


def fields_of(**changes: object) -> dict[str, str]:
    """The fields of one entry, its type under `@`."""
    entry = bibtex.entry(Reference(**{"key": "k", **FULL, **changes}))  # type: ignore[arg-type]
    head = re.match(r"@(\w+)\{", entry)
    assert head
    found = dict(re.findall(r"^  (\w+) = \{?(.*?)\}?,$", entry, re.M))
    return {"@": head[1], **found}


@pytest.mark.parametrize(
    ("csl", "expected"),
    [
        ("article-journal", {"@": "article", "journal": "Soup", "volume": "3", "number": "4"}),
        ("article-magazine", {"@": "article", "journal": "Soup"}),
        ("paper-conference", {"@": "inproceedings", "booktitle": "Soup", "series": "LNCS"}),
        (
            "chapter",
            {"@": "incollection", "booktitle": "Soup", "publisher": "Pan", "edition": "2nd"},
        ),
        ("book", {"@": "book", "publisher": "Pan", "address": "Bern", "note": "Edited by B. Salz"}),
        ("thesis", {"@": "phdthesis", "school": "Pan"}),
        ("report", {"@": "techreport", "institution": "Pan", "number": "7"}),
        ("dataset", {"@": "misc", "howpublished": "Soup, vol.~3, no.~4, pp.~1--9"}),
        ("webpage", {"@": "misc"}),
        ("article", {"@": "article"}),
        (None, {"@": "article"}),
    ],
)
def test_types(csl: str | None, expected: dict[str, str]) -> None:
    assert expected.items() <= fields_of(type=csl).items()


@pytest.mark.parametrize(
    ("csl", "lacking"),
    [
        ("article-journal", "venue"), ("article-journal", "authors"), ("article-journal", "published"),
        ("paper-conference", "venue"), ("chapter", "publisher"), ("book", "publisher"),
        ("thesis", "authors"), ("report", "published"),
    ],
)  # fmt: skip
def test_a_type_that_lacks_a_required_field_is_misc(csl: str, lacking: str) -> None:
    empty: dict[str, object] = {lacking: () if lacking == "authors" else None}
    assert fields_of(type=csl, **empty)["@"] == "misc"


def test_a_masters_thesis_an_edited_book_and_an_event() -> None:
    assert fields_of(type="thesis", extra={"genre": "Master's thesis"})["@"] == "mastersthesis"
    edited = fields_of(type="book", authors=())
    assert (edited["@"], edited["editor"]) == ("proceedings", "Salz, B.") and "note" not in edited
    assert edited["entrysubtype"] == "book"
    talk = fields_of(type="paper-conference", venue=None, event="ICS 2018")
    assert (talk["@"], talk["booktitle"]) == ("inproceedings", "ICS 2018")


def test_an_entry_without_names_can_still_be_sorted() -> None:
    assert (
        fields_of(type="dataset", authors=(), title="The Salt, a study")["key"]
        == "the salt a study"
    )
    assert "author" not in fields_of(authors=())


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("{World Health Organization}", "{World Health Organization}"),
        ("{Barnes and Noble, Inc.}", "{Barnes and Noble, Inc.}"),
        ("van der Berg, Jan", "van der Berg, Jan"),
        ("King, Martin Luther, Jr.", "King, Jr., Martin Luther"),
        ("Plato", "Plato"),
        ("Sukarno Putra", "{Sukarno Putra}"),
        ("Strunk and White, E.", "{Strunk and White}, E."),
        ("Lee, A., Jr., PhD", "Lee, {Jr., PhD}, A."),
        ("et al.", "others"),
        ("Šimić, Łukasz", "{\\v{S}}imi{\\'c}, {\\L}ukasz"),
        ("Nguyễn, Thị Ánh", "Nguy{\\~{{\\^e}}}n, Th{\\dotbelow{i}} {\\'A}nh"),
        ("Erdős, Pál", "Erd{\\H{o}}s, P{\\'a}l"),
        ("Ångström, Æ.", '{\\AA}ngstr{\\"o}m, {\\AE}.'),
        ("山田, 太郎", "ShanTian, TaiLang"),
        ("Иванов, И.", "Ivanov, I."),
        ("Παπαδόπουλος, Β.", "Papadopoylos, V."),
        ("{R&D_Lab}", "{R\\&D\\_Lab}"),
        ("Garc{\\'\\i}a, A", "Garc{\\'i}a, A"),
    ],
)
def test_names(name: str, written: str) -> None:
    assert f"author = {{{written}}}," in bibtex.entry(
        Reference(key="k", title="Salt", authors=(name,), published="2018")
    )


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("The structure of DNA and mRNA", "The structure of {DNA} and {mRNA}"),
        ("BERT: Pre-training of Deep Bidirectional Transformers", "{BERT}: Pre-training of Deep Bidirectional Transformers"),
        ("The taste of salt in Paris and New York", "The taste of salt in {Paris} and {New} {York}"),
        ("COVID-19 and Alzheimer's disease", "{COVID}-19 and {Alzheimer}'s disease"),
        ("A survey: What we know", "A survey: What we know"),
        ("Vitamin C and vitamin D", "Vitamin {C} and vitamin {D}"),
        ("A Case for A Method of H2 Storage", "A Case for A Method of {H2} Storage"),
        ("ATTENTION IS NEVER ENOUGH TODAY", "ATTENTION IS NEVER ENOUGH TODAY"),
        ("Škoda cars and ŠIMIĆ seen in Łódź", "{\\v{S}}koda cars and {{\\v{S}}IMI{\\'C}} seen in {{\\L}{\\'o}d{\\'z}}"),
        ("The α-helix, 5 μm × 10⁻³ H₂O", "The {$\\alpha$}-helix, 5 {$\\mu$}m {$\\times$} 10{$^{-}$}{$^{3}$} {H{$_{2}$}O}"),
        ("100% of $5 & #1 {x} ~ ^ \\ a_b", "100\\% of \\$5 \\& \\#1 {\\textbraceleft}x{\\textbraceright} {\\textasciitilde} {\\textasciicircum} {\\textbackslash} a\\_b"),
        ("From $5 to $6 a day", "From \\$5 to \\$6 a day"),
        ("On $\\Delta_{x}$ and $O(n^2)$ time", "On {$\\Delta_{x}$} and {$O(n^2)$} time"),
        ("Over $\\mathbb{R}^n$", "Over {$\\mathbb{R}^n$}"),
        ("Reading $\\input{secret}$", "Reading \\${\\textbackslash}input{\\textbraceleft}secret{\\textbraceright}\\$"),
        ("Broken $x^$ and $a_1_2$ and ${$", "Broken \\$x{\\textasciicircum}\\$ and \\$a\\_1\\_2\\$ and \\${\\textbraceleft}\\$"),
        ("A \"quoted\" and “curly” – dash", "A ``quoted'' and ``curly'' -- dash"),
        ("Schr\\\"odinger's \\emph{cat}", "Schr{\\\"o}dinger's cat"),
        ("Ελληνικά γράμματα", "Ellinika grammata"),
        ("Tiếng Việt: ơ", "Ti{\\'{{\\^e}}}ng Vi{\\dotbelow{\\^e}}t: o"),
        ("𝒳 in ﬁne “日本”", "X in fine ``RiBen''"),
    ],
)  # fmt: skip
def test_titles(title: str, written: str) -> None:
    assert titles.title(title) == written


def test_german_nouns_keep_their_capitals() -> None:
    assert titles.title("Die Lehre vom Salz Und Wasser", "de-AT") == (
        "Die {Lehre} vom {Salz} {Und} {Wasser}"
    )


@pytest.mark.parametrize(
    ("pages", "written"),
    [
        ("123-130", "123--130"),
        ("S12–S20", "S12--S20"),
        ("1-9, 12-13", "1--9, 12--13"),
        ("e1234", "e1234"),
        ("A-12", "A-12"),
        ("1—2", "1--2"),
    ],
)
def test_pages(pages: str, written: str) -> None:
    assert fields_of(type="article-journal", pages=pages)["pages"] == written


@pytest.mark.parametrize(
    ("edition", "written"), [("1", "1st"), ("2", "2nd"), ("3", "3rd"), ("11", "11th"), ("21", "21st"), ("Rev.", "Rev.")]
)  # fmt: skip
def test_editions(edition: str, written: str) -> None:
    assert fields_of(type="book", edition=edition)["edition"] == written


def test_what_the_styles_refuse_to_combine_is_not_written_together() -> None:
    assert "number" not in fields_of(type="book")
    assert fields_of(type="book", volume=None)["number"] == "7"
    assert "number" not in fields_of(type="book", volume=None, series=None)
    lone = fields_of(type="article-journal", volume=None)
    assert "number" not in lone and lone["note"] == "No.~4"


def test_links_are_verbatim_but_for_what_breaks_a_file() -> None:
    assert fields_of(url="https://x.example/a b{c}\\é_%20&#")["url"] == (
        "https://x.example/a%20b%7Bc%7D%5C%C3%A9_%20&#"
    )


def test_months_are_bare_macros_and_odd_dates_stay_years() -> None:
    assert "  month = dec," in bibtex.entry(Reference(key="k", title="S", published="2018-12-01"))
    odd = bibtex.entry(Reference(key="k", title="S", published="in press"))
    assert "  year = {in press}," in odd and "month" not in odd


def test_the_key_is_what_documents_cite() -> None:
    refs = [
        Reference(key="b2018", cite_as="Lee:2018", title="S"),
        Reference(key="a2018", cite_as="no, comma", title="S"),
        Reference(key="c2018", cite_as="B2018", title="S"),
        Reference(key="d2018", cite_as="lee:2018", title="S"),
        Reference(key="e2018", cite_as="müller", title="S"),
    ]
    keys = re.findall(r"^@misc\{(.*),$", bibtex.write(refs), re.M)
    assert keys == ["a2018", "c2018", "d2018", "Lee:2018", "müller"]
    assert len({key.casefold() for key in keys}) == 5


def test_definitions_stand_only_where_they_are_needed() -> None:
    plain = bibtex.write([Reference(key="a", title="$x$")])
    needy = bibtex.write([Reference(key="a", title="$\\mathbb{R}$ and $\\text{a}$")])
    assert "@preamble" not in plain
    assert needy.splitlines()[2:4] == [
        '@preamble{"\\providecommand{\\mathbb}[1]{\\mathbf{#1}}"}',
        '@preamble{"\\providecommand{\\text}[1]{\\mbox{#1}}"}',
    ]
    assert needy.startswith(f"{bibtex.MARK}\n") and bibtex.write([]) == f"{bibtex.MARK}\n"


ODD = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)


@given(ODD, ODD, ODD, st.sampled_from([None, *TYPES]))
def test_any_reference_is_ascii_with_balanced_braces(
    title: str, author: str, venue: str, csl: str | None
) -> None:
    ref = Reference(key="k", title=title, authors=(author,), venue=venue, publisher=venue,
                    published="2018", type=csl, doi=title or None, url=venue or None)  # fmt: skip
    written = bibtex.write([ref])
    assert written.isascii()
    depth = 0
    for sign in written:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert "\\'\\i" not in written and "\\'{\\i}" not in written


@given(st.text(st.characters(min_codepoint=0xC0, max_codepoint=0x17F), max_size=20))
def test_latin_letters_come_back_from_the_latex(value: str) -> None:
    dropped = set("ĸŉſħĦŧŦ×÷ĿŀĲĳ")
    value = "".join(letter for letter in value if letter not in dropped)
    assert from_tex(latex.name(value)) == value


def test_the_file_does_not_depend_on_the_order() -> None:
    refs = [Reference(key=f"k{n}", title="Salt", published="2018") for n in range(30)]
    shuffled = random.Random(1).sample(refs, len(refs))
    assert bibtex.write(refs) == bibtex.write(shuffled)


# The proof: LaTeX, BibTeX and biber


def torture() -> list[Reference]:
    """Every letter, sign and command that we write, and every combination of fields."""
    letters = [*symbols.SYMBOLS, *map(chr, range(0xC0, 0x180))]
    refs = [
        Reference(key=f"letter{n}", title=f"Sign {sign} and A{sign}: {sign} DNA", volume="5",
                  authors=(f"F{sign}x, G{sign}", f"{{Group {sign}}}"), published="2018-05",
                  type="article-journal", venue=f"J {sign}", pages="1-9")
        for n, sign in enumerate(letters) if sign != "\\"
    ]  # fmt: skip
    commands = symbols.COMMANDS | symbols.PROVIDED.keys()
    commands -= {"left", "right", "limits", "frac", "dfrac", "tfrac", "stackrel"}  # two arguments
    commands -= {"big", "Big", "bigl", "bigr", "Bigl", "Bigr"}  # a bracket
    refs += [
        Reference(
            key=f"command{n}", title=f"T $\\{name}{{x}}$", authors=("A, B",), published="2018"
        )
        for n, name in enumerate(sorted(commands))
    ]
    pick = random.Random(7)
    for n in range(300):
        chosen = {name: value for name, value in FULL.items() if pick.random() < 0.6}
        csl = pick.choice(["article-journal", "paper-conference", "chapter", "book", "thesis",
                           "report", "article", "dataset", "patent", None])  # fmt: skip
        refs.append(Reference(**{"key": f"mix{n}", **chosen, "title": "A Title", "type": csl}))  # type: ignore[arg-type]
    return refs


def run(folder: Path, *command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=240)
    return done.stdout.decode("utf-8", "replace")


def latex_errors(folder: Path, stem: str) -> list[str]:
    log = (folder / f"{stem}.log").read_text("utf-8", "replace")
    return [log[found.start() : found.start() + 160] for found in re.finditer("^!", log, re.M)]


def typeset(folder: Path, stem: str) -> None:
    run(folder, "pdflatex", "-draftmode", "-interaction=nonstopmode", stem)


def test_pdflatex_and_bibtex_take_everything_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "x.bib").write_text(bibtex.write(torture()), "ascii")
    (tmp_path / "a.tex").write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}\begin{document}\nocite{*}"
        r"\bibliographystyle{plain}\bibliography{x}\end{document}"
    )
    typeset(tmp_path, "a")
    said = run(tmp_path, "bibtex", "a")
    typeset(tmp_path, "a")
    assert [line for line in said.splitlines() if re.match("Warning|.*---line", line)] == []
    assert latex_errors(tmp_path, "a") == []
    assert (tmp_path / "a.bbl").read_text("ascii").count("\\bibitem") == len(torture())


@pytest.mark.slow
def test_pdflatex_and_biber_take_complete_entries_without_a_warning(tmp_path: Path) -> None:
    refs = [ref for ref in torture() if ref.key.startswith("letter")]
    refs += [
        Reference(**{"key": f"full{n}", **FULL, "type": csl})  # type: ignore[arg-type]
        for n, csl in enumerate(["article-journal", "paper-conference", "chapter", "book",
                                 "thesis", "report", "dataset", "article"])
    ]  # fmt: skip
    (tmp_path / "x.bib").write_text(bibtex.write(refs), "ascii")
    (tmp_path / "b.tex").write_text(
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage[backend=biber]{biblatex}"
        r"\addbibresource{x.bib}\begin{document}\nocite{*}\printbibliography\end{document}"
    )
    typeset(tmp_path, "b")
    if not (tmp_path / "b.bcf").is_file():
        pytest.skip("biblatex is not installed for this LaTeX")
    said = run(tmp_path, "biber", "--validate-datamodel", "b")
    typeset(tmp_path, "b")
    assert [line for line in said.splitlines() if re.match("WARN|ERROR", line)] == []
    assert latex_errors(tmp_path, "b") == []
