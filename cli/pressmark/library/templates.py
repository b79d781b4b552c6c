"""The files of a new library, as they are written by `pressmark init`."""

from __future__ import annotations

from typing import Final

SETTINGS: Final = """\
# The settings of this library. They travel with it, so they decide nothing that could harm
# whoever clones it: keys, addresses and programs belong into your own
# ~/.config/pressmark/config.toml.
format = 1

# [search]
# sources = ["openalex", "crossref", "arxiv"]
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
*.md text eol=lf merge=pressmark
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
