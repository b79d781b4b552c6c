"""An invented library that has one of everything a site shows."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path

from pressmark import ids, page
from pressmark.config import load
from pressmark.library import Library
from pressmark.record import Collection, FullText, Note, Record, Reference, Search, Topic

MKDOCS = """site_name: Charted
site_url: https://library.example.org/_site/
docs_dir: site
site_dir: _site
theme:
  name: material
  font: false
plugins:
- pressmark:
    search_texts: true
"""

KINDS = {
    "ng2019maps": Reference(
        key="ng2019maps", title="Maps & territories: what $x^2$ leaves out",
        authors=("Ng, Ada", "van der Berg, Anna Maria", "{World Map Office}"),
        published="2019-05", type="article-journal", venue="Journal of Maps", volume="4", issue="2",
        pages="1-9", doi="10.5555/maps", issn=("1234-5679",), tags=("maps", "theory"),
        topics=("cartography",), keywords=("projection", "scale"), license="CC-BY-4.0",
        sources=("crossref:10.5555/maps 2026-01-02",), cites=("doi:10.5555/older", "doi:10.5555/book"),
        body="\n## Abstract\n\nA map is smaller than its territory: p &#60; 0.05.\n",
    ),
    "old1990older": Reference(
        key="old1990older", title="An older atlas", authors=("Old, Bo",), published="1990",
        type="paper-conference", venue="Proceedings of Atlases", doi="10.5555/older",
        publisher="Atlas Society", notice="retracted", tags=("maps",), topics=("cartography",),
        body="\n## Abstract\n\nAtlases bind maps of one territory.\n",
    ),
    "kim2015globe": Reference(
        key="kim2015globe", title="The globe as a book", authors=("Kim, Su",), published="2015",
        type="book", publisher="Round Press", isbn=("9783161484100",), doi="10.5555/book",
        tags=("theory",), cites=("doi:10.5555/older",),
    ),
    "roe2016legend": Reference(
        key="roe2016legend", title="The legend of the legend", authors=("Roe, Al",),
        published="2016", type="chapter", venue="Handbook of Keys", publisher="Round Press",
        pages="40-61", editors=("Kim, Su",),
        cites=("doi:10.5555/maps", "doi:10.5555/older", "doi:10.5555/book"),
    ),
    "lee2018contour": Reference(
        key="lee2018contour", title="Contours of uncertainty", authors=("Lee, Zo",),
        published="2018-11-02", type="thesis", publisher="University of Relief",
        cites=("doi:10.5555/maps", "doi:10.5555/older"),
    ),
    "diaz2021tiles": Reference(
        key="diaz2021tiles", title="Tiles all the way down", authors=("Díaz, Eva",),
        published="2021-03-04", type="article", arxiv="2103.01234", tags=("tiles",),
        publisher="arXiv",
    ),
}  # fmt: skip

OTHERS = {
    "notes/first.md": Note(slug="first", title="First thoughts", tags=("maps",), body=(
        "\nMaps leave things out [see @ng2019maps, p. 3; @old1990older], as @kim2015globe says.\n"
        "\nInline $a_1 + b$ and display:\n\n$$\\frac{1}{k + r}$$\n\n"
        "> [!warning] Careful\n> A callout with [[second]].\n\n"
        "![[second#A heading]]\n\n![[dot.png|A dot]]\n\n"
        "A footnote.[^1] ==kept== ~~as is~~\n\n[^1]: Below.\n\n"
        "```mermaid\ngraph TD; A-->B\n```\n\nA block to link to. ^block1\n"
    )),
    "notes/second.md": Note(slug="second", body=(
        "\n# Second note\n\n## A heading\n\nEmbedded words of [@ng2019maps].\n\n"
        "## Another\n\nBack to [[first#^block1|the block]].\n"
    )),
    "topics/cartography.md": Topic(
        slug="cartography", title="Cartography", query="maps AND territories",
        providers=("arxiv", "crossref"), body="\nWhy we follow it: [[first]].\n",
    ),
    "topics/searches/2026-01-02-maps.md": Search(
        slug="2026-01-02-maps", query="maps", date="2026-01-02",
        providers=({"platform": "Crossref", "status": "ok", "reported": "12", "retrieved": "2",
                    "sent": "https://api.example.org/works?query=maps"},),
        body="\n## Hits\n\n- crossref:10.5555/maps → ng2019maps\n",
    ),
    "topics/collections/chapter-two.md": Collection(
        slug="chapter-two", title="Chapter two", members=("ng2019maps", "kim2015globe"),
        body="\nFor the second chapter.\n",
    ),
    "library/2019/ng2019maps.fulltext.md": FullText(
        slug="ng2019maps.fulltext", reference="ng2019maps", license="CC-BY-4.0",
        url="https://example.org/maps",
        body=(
            "\n# Maps & territories\n\n## Methods\n\n<!-- page 3 -->\n\n"
            "We measured rhumblines with patience [[1](#ref-1)].\n\n"
            "| Place | " + " | ".join(f"Bearing {n}" for n in range(14)) + " |\n"
            "|---|" + "--:|" * 14 + "\n| Here | " + " | ".join(map(str, range(14))) + " |\n\n"
            '## References\n\n1. <a id="ref-1"></a>Old, B. An older atlas. 1990.\n'
        ),
    ),
    "library/1990/old1990older.fulltext.md": FullText(
        slug="old1990older.fulltext", reference="old1990older", license="CC-BY-NC-4.0",
        body="\n# Older\n\nThe closed words.\n",
    ),
    "library/2022/new2022unread.md": Reference(
        key="new2022unread", title="Not read yet", published="2022", stage="candidate",
        topics=("cartography",),
    ),
}  # fmt: skip

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def library_at(root: Path) -> Library:
    """Open a library as a reader of its site does."""
    return Library.open(root, load(root, os.environ, offline=True))


def put(root: Path, path: str, record: Record) -> None:
    """One file of a library."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(page.write(record))


def charted(root: Path, more: int = 40) -> None:
    """The library, its files in one commit; `more` references fill its lists."""
    (root / "pressmark.toml").write_text("format = 1\n")
    (root / ".gitignore").write_text(".pressmark/\n_site/\n")
    (root / "mkdocs.yml").write_text(MKDOCS)
    (root / "site").mkdir()
    (root / "site/index.md").write_text(
        "# Charted\n\nRead [@ng2019maps] and [[first]].\n\n<!-- pressmark:home -->\n"
    )
    for key, reference in KINDS.items():
        put(root, f"library/{ids.folder(key)}/{key}.md", reference)
    for path, record in OTHERS.items():
        put(root, path, record)
    for n in range(more):
        put(root, f"library/2001/made2001n{n}.md", Reference(
            key=f"made2001n{n}", title=f"Filler number {n}", published="2001", type="report",
            authors=("Filler, Fay",), tags=("filler",), venue="Filler Reports",
        ))  # fmt: skip
    (root / "notes/dot.png").write_bytes(DOT)
    committed(root, "A library of maps")


def committed(root: Path, subject: str, author: str = "Ada") -> None:
    """Whatever is in the folder as the first commit of a repository."""
    for words in (
        ("init", "--quiet", "--initial-branch=main"), ("add", "--all"),
        ("-c", f"user.name={author}", "-c", "user.email=ada@example.org", "commit", "--quiet",
         "--message", subject),
    ):  # fmt: skip
        subprocess.run(["git", "-C", str(root), *words], check=True)
