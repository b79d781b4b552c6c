"""A small library with hostile words in it, and its built site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from made import DOT, charted, committed, library_at, put
from payloads import MORE, PAYLOADS

from pressmark import site
from pressmark.record import (
    Collection,
    FullText,
    Note,
    Reference,
    Search,
    Topic,
    Vocabulary,
)


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
        put(root, f"library/2020/{key}.md", Reference(
            key=key, title=words, authors=(f"{words}, A.", "{" + words + "}"), published="2020",
            type="article-journal", venue=words, volume=words, pages=words, publisher=words,
            notice="retracted", notice_note=words, tags=(words,), url=f"https://x.invalid/{words}",
            doi=f"10.5555/{number}", conflicts=(f"title: {words} (x)",), sources=(f"x:{words}",),
            body=f"\n## Abstract\n\n{words}\n",
        ))  # fmt: skip
        put(root, f"notes/n{number}.md", Note(
            slug=f"n{number}", title=words, tags=(words,), body=f"\n{words} [@{key}]\n"
        ))  # fmt: skip
        put(root, f"topics/t{number}.md", Topic(
            slug=f"t{number}", title=words, query=words, providers=(words,), body=f"\n{words}\n"
        ))  # fmt: skip
    site.build(library_at(root))
    yield root, root / "_site"


@pytest.fixture(scope="session")
def beyond(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """What goes beyond, in full texts, notes, search logs, lists, names of files and of commits."""
    root = tmp_path_factory.mktemp("beyond")
    (root / "pressmark.toml").write_text("format = 1\n")
    (root / ".gitignore").write_text(".pressmark/\n_site/\n")
    (root / "site").mkdir()
    notes = "\n\n".join(f"![[n{number}]]" for number in range(len(MORE)))
    (root / "site/index.md").write_text(f"# Home\n\n<!-- pressmark:home -->\n\n{notes}\n")
    (root / "mkdocs.yml").write_text(
        "site_name: Beyond\ndocs_dir: site\nsite_dir: _site\n"
        "theme:\n  name: material\n  font: false\nmarkdown_extensions: [attr_list, md_in_html]\n"
        "plugins:\n- pressmark:\n    search: false\n"
    )
    lines = tuple(" ".join(words.split()) for words in MORE)
    for number, (words, line) in enumerate(zip(MORE, lines, strict=True)):
        key = f"beyond2020n{number}"
        put(root, f"library/2020/{key}.md", Reference(
            key=key, title=line, authors=(f"{line}, A.",), published="2020", venue=line,
            series=line, type=("book", "thesis", "chapter")[number % 3], license=line,
            language=line, pmid=line, arxiv=line, isbn=(line,), issn=(line,), keywords=(line,),
            url=f"javascript:alert(1)//{line}", tags=(line,), body=f"\n## Abstract\n\n{words}\n",
        ))  # fmt: skip
        put(root, f"library/2020/{key}.fulltext.md", FullText(
            slug=f"{key}.fulltext", reference=key, license="CC-BY-4.0", url=f"javascript:{line}",
            body=f"\n# Text\n\n## Methods\n\n{words}\n",
        ))  # fmt: skip
        put(root, f"notes/n{number}.md", Note(
            slug=f"n{number}", body=f"\n# {line}\n\n{words}\n\nSee [@{key}].\n"
        ))  # fmt: skip
    put(root, "topics/searches/s.md", Search(
        slug="s", query=MORE[0], date=MORE[2], dropped=lines, body="\n## Hits\n",
        providers=tuple(dict.fromkeys(("platform", "status", "sent", "limits"), w) for w in lines),
    ))  # fmt: skip
    put(root, "topics/collections/c.md", Collection(
        slug="c", title=MORE[0], members=("beyond2020n0",), body="\n" + "\n\n".join(lines) + "\n",
    ))  # fmt: skip
    put(root, "topics/vocabularies/v.md", Vocabulary(
        slug="v", title=MORE[0], terms=lines, synonyms=lines, measures=lines,
    ))  # fmt: skip
    (root / "notes/dot.png").write_bytes(DOT)
    for name in ("whole", "<img src=x onerror=alert(1)>", "a\"b'", "{{ config }}", "%41", "#h"):
        (root / f"notes/{name}.md").write_text("Words of it [@beyond2020n0].\n")
    committed(root, f"{MORE[0]} <img src=x onerror=alert(1)> {MORE[3]}", MORE[0])
    site.build(library_at(root))
    return root, root / "_site"
