"""The files of a new library, as they are written by `pressmark init`."""

from __future__ import annotations

from typing import Final

SETTINGS: Final = """\
# The settings of this library. They travel with it, so they decide nothing that could harm
# whoever clones it: keys, addresses and programs belong into your own
# ~/.config/pressmark/config.toml.
format = 1

# [search]
# sources = ["openalex", "crossref", "arxiv", "pubmed", "europepmc"]
# limit = 10

# [git]
# commit = "manual"            # you commit; otherwise each command is one commit

# [fulltext]
# commit = "all"               # also texts without an open licence
# limit = 10

# [prose]
# paths = ["thesis/**/*.md"]   # other folders whose citations and links are looked after

# [network]
# enabled = false              # nothing here ever goes out
"""

GITIGNORE: Final = """\
# Pressmark: made again from the files whenever it is missing.
.pressmark/
"""

GITIGNORE_SITE: Final = """\
_site/
"""

GITIGNORE_DOCUMENTS: Final = """\
# Pressmark: papers as they were published are yours to keep, and not to be handed on.
library/**/*.pdf
library/**/*.xml
library/**/*.html
"""

GITATTRIBUTES: Final = """\
*.md text eol=lf
*.fulltext.md linguist-generated
*.pdf -text
"""

MKDOCS: Final = """\
site_name: {name}
# Both folders stay written out: with MkDocs' own defaults a build would empty site/.
docs_dir: site
site_dir: _site
theme:
  name: material
  font: false
plugins:
  - pressmark
markdown_extensions:
  - admonition
  - footnotes
  - tables
  - toc
"""

HOME: Final = """\
# {name}

The references, topics and notes of this library.

<!-- pressmark:home -->
"""

CHECK: Final = """\
name: check
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install pressmark
      - run: pressmark check --format github
"""

REFRESH: Final = """\
name: refresh
on:
  schedule:
    - cron: "17 4 * * 1"
  workflow_dispatch:
permissions:
  contents: write
concurrency: refresh
jobs:
  refresh:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install pressmark
      - name: Commit as whoever committed last
        run: |
          git config user.name "$(git log -1 --format=%an)"
          git config user.email "$(git log -1 --format=%ae)"
      - run: pressmark refresh
        env:
          PRESSMARK_CONTACT: ${{{{ vars.PRESSMARK_CONTACT }}}}
          PRESSMARK_OPENALEX_KEY: ${{{{ secrets.PRESSMARK_OPENALEX_KEY }}}}
          PRESSMARK_S2_KEY: ${{{{ secrets.PRESSMARK_S2_KEY }}}}
          PRESSMARK_NCBI_KEY: ${{{{ secrets.PRESSMARK_NCBI_KEY }}}}
      - run: git push
"""

PAGES: Final = """\
name: pages
on:
  push:
    branches: [{branch}]
  workflow_dispatch:
permissions:
  contents: read
  pages: write
  id-token: write
concurrency: pages
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install pressmark
      - run: pressmark site build
      - uses: actions/upload-pages-artifact@v3
        with:
          path: _site
  deploy:
    needs: build
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: ${{{{ steps.deployment.outputs.page_url }}}}
    steps:
      - id: deployment
        uses: actions/deploy-pages@v4
"""
