"""References as RIS and RIS as papers: the very lines."""

from __future__ import annotations

from pressmark.formats import ris
from pressmark.record import Reference


def test_the_very_lines_of_an_article() -> None:
    ref = Reference(
        key="lee2018soup", title="Soup & salt", type="article-journal", venue="Journal of Soup",
        authors=("Lee, Ann, Jr.", "{World Soup Council}"), published="2018-07", volume="12",
        issue="3", pages="1-9", doi="10.1000/a_b", issn=("1234-5679",), pmid="123",
        keywords=("salt", "soup"), notice="retracted", body="\n## Abstract\n\nOne.\n\nTwo.\n",
    )  # fmt: skip
    assert ris.write([ref]).split("\r\n") == [
        "TY  - JOUR", "ID  - lee2018soup", "AU  - Lee, Ann, Jr.", "AU  - World Soup Council",
        "TI  - Soup & salt", "PY  - 2018", "DA  - 2018/07//", "T2  - Journal of Soup",
        "VL  - 12", "IS  - 3", "DO  - 10.1000/a_b", "SP  - 1", "EP  - 9", "SN  - 1234-5679",
        "KW  - salt", "KW  - soup", "AB  - One. Two.", "AN  - 123", "DB  - PubMed",
        "N1  - Retracted", "ER  - ", "",
    ]  # fmt: skip


def test_entries_stand_in_the_order_of_their_keys_with_a_blank_line_between() -> None:
    refs = [Reference(key=key, title="T") for key in ("b", "A")]
    assert ris.write(refs) == (
        "TY  - GEN\r\nID  - A\r\nTI  - T\r\nER  - \r\n\r\nTY  - GEN\r\nID  - b\r\nTI  - T\r\nER  - \r\n"
    )
