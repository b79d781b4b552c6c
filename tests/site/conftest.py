"""A small library with hostile words in it, and its built site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from made import charted, library_at

from pressmark import page, site
from pressmark.record import Note, Reference, Topic

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "</title><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](x){onerror=alert(1)}",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "`<script>alert(1)</script>`",
    "{{ config }}{% raw %}<script>alert(1)</script>{% endraw %}",
    "--8<-- '/etc/passwd'",
    "$\\href{javascript:alert(1)}{x}$",
    "$\\text{<script>alert(1)</script>}$",
    "<details open ontoggle=alert(1)>x</details>",
    "<math><mtext><script>alert(1)</script></mtext></math>",
    "<style>@import 'x'</style>",
    "<object data=x></object><embed src=x>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<base href=//evil.invalid>",
    "<meta http-equiv=refresh content='0;url=//evil.invalid'>",
    'x" onmouseover="alert(1)',
)


def write(root: Path, path: str, record: Reference | Topic | Note) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(page.write(record))


@pytest.fixture(scope="session")
def charts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of an invented library with one of everything, and its built site in `_site`."""
    root = tmp_path_factory.mktemp("charts")
    charted(root)
    built = site.build(library_at(root))
    assert built.problems == (), built.problems
    return root


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Each payload in every field of a reference, a note and a topic; the built site beside it."""
    root = tmp_path_factory.mktemp("hostile")
    (root / "pressmark.toml").write_text("format = 1\n")
    (root / "site").mkdir()
    (root / "site" / "index.md").write_text("# Home\n\n<!-- pressmark:home -->\n")
    (root / "mkdocs.yml").write_text(
        "site_name: Hostile\ndocs_dir: site\nsite_dir: _site\n"
        "theme:\n  name: material\n  font: false\nplugins: [pressmark]\n"
    )
    for number, words in enumerate(PAYLOADS):
        key = f"payload2020n{number}"
        write(root, f"library/2020/{key}.md", Reference(
            key=key, title=words, authors=(f"{words}, A.", "{" + words + "}"), published="2020",
            type="article-journal", venue=words, volume=words, pages=words, publisher=words,
            notice="retracted", notice_note=words, tags=(words,), url=f"https://x.invalid/{words}",
            doi=f"10.5555/{number}", conflicts=(f"title: {words} (x)",), sources=(f"x:{words}",),
            body=f"\n## Abstract\n\n{words}\n",
        ))  # fmt: skip
        write(root, f"notes/n{number}.md", Note(
            slug=f"n{number}", title=words, tags=(words,), body=f"\n{words} [@{key}]\n"
        ))  # fmt: skip
        write(root, f"topics/t{number}.md", Topic(
            slug=f"t{number}", title=words, query=words, providers=(words,), body=f"\n{words}\n"
        ))  # fmt: skip
    site.build(library_at(root))
    yield root, root / "_site"
