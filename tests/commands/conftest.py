"""A library of three references with a bit of everything, a shell in it, and the providers' double."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from double import Double
from shell import Inside
from story import story_routes

FILES = {
    "library/2021/aldermoor2021graph.md": """\
---
title: Graph Transformers for Tidal Networks

authors:
- Aldermoor, Ines
- Bryl, Tomasz

published: '2021-03-15'

type: article

arxiv: '9801.00011'

tags:
- tides

sources:
- arxiv:9801.00011v3 2026-01-02

cites:
- doi:10.5555/jih.2019.0042
---

## Abstract

We study graph transformers on networks of tidal channels.
""",
    "library/2019/bryl2019message.md": """\
---
title: Message Passing on Estuaries

authors:
- Bryl, Tomasz

published: '2019-07-02'

type: article-journal

venue: Journal of Invented Hydrology

doi: 10.5555/jih.2019.0042

url: https://doi.org/10.5555/jih.2019.0042

shelf: B 12

sources:
- crossref:10.5555/jih.2019.0042 2026-01-02
---

## Abstract

Message passing predicts salinity in branching estuaries.
""",
    "library/2019/bryl2019message.fulltext.md": """\
---
reference: bryl2019message

source: attached

format: html

license: CC BY 4.0

sha256: '0000000000000000000000000000000000000000000000000000000000000000'
---

# Message Passing on Estuaries

## Introduction

Twelve gauges stand in the river, and each of them is read twice a day by hand.

<!-- page 2 -->

## Method

Messages run against the stream until nothing changes any more.
""",
    "library/2023/wen2023positional.md": """\
---
title: Positional Encodings for Graph Transformers on Rivers

authors:
- Wen, Li

published: '2023-05-30'

type: article

arxiv: '9803.00007'

stage: candidate

topics:
- rivers

sources:
- arxiv:9803.00007v1 2026-01-02
---

## Abstract

Where a node lies in a drainage basin matters.
""",
    "topics/rivers.md": """\
---
title: Rivers and graphs

query: graph transformers

providers:
- arxiv

last-run: '2021-01-01'
---

Followed for chapter two.
""",
    "topics/collections/thesis.md": """\
---
title: Thesis

members:
- aldermoor2021graph
- bryl2019message
---
""",
    "topics/searches/2026-01-02-graph.md": """\
---
query: graph

date: '2026-01-02'

providers:
- platform: arXiv
  status: ok
---

## Hits

- arxiv:9803.00007v1 → wen2023positional
""",
    "notes/mine.md": """\
---
title: Mine

tags:
- tides
---

On estuaries [@bryl2019message, p. 3], see [[aldermoor2021graph]].
""",
    "pressmark.toml": "format = 1\n",
    ".gitignore": ".pressmark/\n_site/\nlibrary/**/*.pdf\nlibrary/**/*.xml\nlibrary/**/*.html\n",
    ".gitattributes": "*.md text eol=lf\n",
    "site/index.md": "# Home\n\n<!-- pressmark:home -->\n",
    "mkdocs.yml": "site_name: Lib\ndocs_dir: site\nsite_dir: _site\n"
    "theme:\n  name: material\n  font: false\nplugins: [pressmark]\n",
}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    shell = Inside(folder / "lib", folder)
    for path, text in FILES.items():
        (shell.root / path).parent.mkdir(parents=True, exist_ok=True)
        (shell.root / path).write_text(text)
    shell.git("init", "--quiet", "--initial-branch=main")
    shell.git("add", ".")
    shell.git("commit", "--quiet", "-m", "The library")
    shell("edit", "bryl2019message", "--set", "pages=101-119")  # something to undo
    shell("check")
    return shell.root


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as double:
        yield double


@pytest.fixture
def offline(template: Path, tmp_path: Path) -> Inside:
    """A copy of the library, for commands that ask nobody."""
    shutil.copytree(template, tmp_path / "lib")
    return Inside(tmp_path / "lib", tmp_path, {"PRESSMARK_OFFLINE": "1"})


@pytest.fixture
def online(offline: Inside, double: Double) -> Inside:
    """The same, with every source at the double."""
    config = double.write_config(offline.home / "config.toml")
    return Inside(offline.root, offline.home, {"PRESSMARK_CONFIG": str(config)})
