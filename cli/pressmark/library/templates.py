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

CHECK: Final = """\
name: check
on:
  push:
    branches: [{branch}]
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v6
        with:
          persist-credentials: false
      - uses: actions/setup-python@v6
        with:
          python-version: "3.12"
      - run: pip install pressmark
      - run: pressmark check --format github
"""

REFRESH: Final = """\
# Runs the topics every week and keeps one pull request open with what they found.
# The repository must let it: Settings, Actions, General, "Allow GitHub Actions to create and
# approve pull requests".
name: refresh
on:
  schedule:
    - cron: "17 4 * * 1"
  workflow_dispatch:
permissions:
  contents: write       # the branch `refresh`
  pull-requests: write  # its pull request
  statuses: write       # the check's result, see below
concurrency: refresh
jobs:
  refresh:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    env:
      BASE: ${{{{ github.ref_name }}}}
      GH_TOKEN: ${{{{ github.token }}}}
    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0  # the branch of an open pull request is continued and merged with
      - uses: actions/setup-python@v6
        with:
          python-version: "3.12"
      - run: pip install pressmark
      - name: Commit as whoever committed last
        run: |
          git config user.name "$(git log -1 --format=%an)"
          git config user.email "$(git log -1 --format=%ae)"
      - name: Go on with the open pull request, or start a branch
        run: |
          open=$(gh pr list --head refresh --base "$BASE" --json number --jq length)
          echo "OPEN=$open" >> "$GITHUB_ENV"
          if [ "$open" -gt 0 ]; then
            git switch refresh
            git merge --no-edit "origin/$BASE"
          else
            git switch --no-track -C refresh "origin/$BASE"
          fi
      - run: pressmark refresh
        env:
          PRESSMARK_CONTACT: ${{{{ vars.PRESSMARK_CONTACT }}}}
          PRESSMARK_OPENALEX_KEY: ${{{{ secrets.PRESSMARK_OPENALEX_KEY }}}}
          PRESSMARK_S2_KEY: ${{{{ secrets.PRESSMARK_S2_KEY }}}}
          PRESSMARK_NCBI_KEY: ${{{{ secrets.PRESSMARK_NCBI_KEY }}}}
      # A pull request that is opened with this token starts no other workflow, so the check runs
      # here and its result is put on the commit.
      - id: check
        continue-on-error: true
        run: pressmark check --format github
      - name: Open or update the pull request
        env:
          CHECK: ${{{{ steps.check.outcome }}}}
        run: |
          if [ "$(git rev-list --count "origin/$BASE..HEAD")" = 0 ]; then
            echo "Nothing new."
            exit 0
          fi
          git push --force-with-lease origin refresh
          run="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
          gh api "repos/$GITHUB_REPOSITORY/statuses/$(git rev-parse HEAD)" --silent \\
            -f state="$CHECK" -f context=check -f target_url="$run"
          body="$RUNNER_TEMP/body.md"
          echo "What the topics found. Keep or drop it in this branch, then merge." > "$body"
          echo >> "$body"
          git log --no-merges --reverse --format='- %s' "origin/$BASE..HEAD" >> "$body"
          echo >> "$body"
          echo "Check: $CHECK ([run]($run))" >> "$body"
          if [ "$OPEN" -gt 0 ]; then
            gh pr edit refresh --body-file "$body"
          else
            title="Refresh of the topics"
            gh pr create --head refresh --base "$BASE" --title "$title" --body-file "$body"
          fi
          test "$CHECK" = success
"""

PAGES: Final = """\
name: pages
on:
  push:
    branches: [{branch}]
  workflow_dispatch:
permissions:
  contents: read
concurrency: pages
jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v6
        with:
          persist-credentials: false
      - uses: actions/setup-python@v6
        with:
          python-version: "3.12"
      - run: pip install pressmark
      - run: pressmark site build
      - uses: actions/upload-pages-artifact@v5
        with:
          path: _site
  deploy:
    needs: build
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
      url: ${{{{ steps.deployment.outputs.page_url }}}}
    steps:
      - id: deployment
        uses: actions/deploy-pages@v5
"""
