"""A main branch's name in; the GitHub workflows of a new library, as `init` writes them, out.

Actions are GitHub's own, pinned by commit. No expression stands within a script, where the name of
a branch could run, and no step prints a secret.
"""

from __future__ import annotations

import json
from typing import Final

PINS: Final = {
    "checkout": "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2",
    "python": "actions/setup-python@a309ff8b426b58ec0e2a45f0f869d46889d02405 # v6.2.0",
    "upload": "actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9 # v5.0.0",
    "deploy": "actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128 # v5.0.0",
}
"""Each action by the commit of its release."""

_INSTALL: Final = """\
      - uses: {python}
        with:
          python-version: "3.12"
      - run: pip install pressmark
"""

_WHO: Final = """\
      - name: Commit as whoever committed last
        run: |
          git config user.name "$(git log -1 --format=%an)"
          git config user.email "$(git log -1 --format=%ae)"
"""

_KEYS: Final = """\
          PRESSMARK_CONTACT: ${{{{ vars.PRESSMARK_CONTACT }}}}
          PRESSMARK_OPENALEX_KEY: ${{{{ secrets.PRESSMARK_OPENALEX_KEY }}}}
          PRESSMARK_S2_KEY: ${{{{ secrets.PRESSMARK_S2_KEY }}}}
          PRESSMARK_NCBI_KEY: ${{{{ secrets.PRESSMARK_NCBI_KEY }}}}
          PRESSMARK_CORE_KEY: ${{{{ secrets.PRESSMARK_CORE_KEY }}}}
"""

_STATUS: Final = """\
            if pressmark check --format github; then state=success; else state=failure; fi
            gh api "repos/$GITHUB_REPOSITORY/statuses/$(git rev-parse HEAD)" --silent \\
              -f state="$state" -f context=check -f target_url="$run"
"""

CHECK: Final = (
    """\
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
      - uses: {checkout}
        with:
          fetch-depth: 0  # what a pull request changes is told from where it parted
          persist-credentials: false
"""
    + _INSTALL
    + """\
      - run: pressmark check --format github
      - name: Say what the pull request changes
        if: github.event_name == 'pull_request' && !cancelled()
        run: pressmark changes "origin/$GITHUB_BASE_REF" --format markdown >> "$GITHUB_STEP_SUMMARY"
"""
)

REFRESH: Final = (
    """\
# Runs the topics every day and opens a pull request with what they found.
# The repository must let it: Settings, Actions, General, "Allow GitHub Actions to create and
# approve pull requests".
# In a public repository GitHub stops a schedule after 60 days in which nothing happened; any
# commit, or `gh workflow enable refresh.yml`, starts it again.
name: refresh
on:
  schedule:
    - cron: "17 4 * * *"  # every day; "17 * * * *" is every hour
  workflow_dispatch:
permissions:
  contents: write       # the branches refresh/<date>
  pull-requests: write  # their pull requests
  statuses: write       # the check's result, see below
concurrency: refresh
jobs:
  refresh:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: {checkout}
        with:
          fetch-depth: 0  # what waits on other branches is not offered twice
"""
    + _INSTALL
    + _WHO
    + """\
      - name: Run the topics on the day's branch and open its pull request
        env:
          GH_TOKEN: ${{{{ github.token }}}}
"""
    + _KEYS
    + """\
        run: pressmark refresh --branch
      # A pull request that is opened with this token starts no other workflow, so the check runs
      # here and its result is put on the commit.
      - name: Check each branch
        env:
          GH_TOKEN: ${{{{ github.token }}}}
        run: |
          run="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
          result=success
          for branch in $(git for-each-ref --format='%(refname:short)' refs/heads/refresh/); do
            git switch --quiet "$branch"
"""
    + _STATUS
    + """\
            test "$state" = success || result=failure
          done
          test "$result" = success
"""
)

UPDATE: Final = (
    """\
# Merges the main branch into open pull requests with Pressmark's merge driver, which GitHub's
# own button ignores, so that the button finds nothing to decide.
name: update
on:
  push:
    branches: [{branch}]
permissions:
  contents: write      # the branches of pull requests
  pull-requests: read  # which are open
  statuses: write      # a push with this token starts no check
concurrency: update
jobs:
  update:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: {checkout}
        with:
          fetch-depth: 0
"""
    + _INSTALL
    + _WHO
    + """\
      - run: pressmark merge-driver --install
      - name: Merge the main branch into each open pull request of this repository
        env:
          GH_TOKEN: ${{{{ github.token }}}}
        run: |
          run="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
          gh pr list --base "$GITHUB_REF_NAME" --state open --limit 100 \\
            --json headRefName,isCrossRepository \\
            --jq '.[] | select(.isCrossRepository | not) | .headRefName' > "$RUNNER_TEMP/open"
          while read -r branch <&3; do  # not stdin, which a program within could read
            git switch --quiet --detach "origin/$branch"
            before=$(git rev-parse HEAD)
            if ! git merge --quiet -m "Merge $GITHUB_REF_NAME into $branch" \\
              "origin/$GITHUB_REF_NAME"; then
              git merge --abort
              echo "::warning::$branch holds a conflict that only a person can resolve"
              continue
            fi
            if [ "$(git rev-parse HEAD)" = "$before" ]; then continue; fi
            git push --quiet origin "HEAD:refs/heads/$branch"
"""
    + _STATUS
    + """\
          done 3< "$RUNNER_TEMP/open"
"""
)

TEXTS: Final = (
    """\
# Fetches open full text of what was merged: a pull request under review holds none, for GitHub
# shows 300 files and 20,000 lines of one.
name: texts
on:
  push:
    branches: [{branch}]
    paths: ["library/**"]
  workflow_dispatch:
permissions:
  contents: write  # the commit with the texts
  actions: write   # pages is started by hand: a push with this token starts nothing
concurrency: texts
jobs:
  texts:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: {checkout}
        with:
          fetch-depth: 0
"""
    + _INSTALL
    + _WHO
    + """\
      - name: Fetch what is open; what cannot be had now is asked for again
        continue-on-error: true
        env:
"""
    + _KEYS
    + """\
        run: pressmark fetch --limit 20
      - name: Push the texts and publish them
        env:
          GH_TOKEN: ${{{{ github.token }}}}
        run: |
          if [ "$(git rev-list --count '@{{upstream}}..HEAD')" = 0 ]; then
            echo "No new text."
            exit 0
          fi
          pressmark sync --force
          gh workflow run pages.yml --ref "$GITHUB_REF_NAME"
"""
)

PAGES: Final = (
    """\
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
      - uses: {checkout}
        with:
          fetch-depth: 0  # the pages tell the history of their files
          persist-credentials: false
"""
    + _INSTALL
    + """\
      - run: pressmark site build
      - uses: {upload}
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
        uses: {deploy}
"""
)


def workflows(branch: str) -> dict[str, str]:
    """The text of every workflow by its name, for a main branch of this name."""
    texts = {
        "check": CHECK, "refresh": REFRESH, "update": UPDATE, "texts": TEXTS, "pages": PAGES,
    }  # fmt: skip
    named = json.dumps(branch, ensure_ascii=False)
    return {name: text.format(branch=named, **PINS) for name, text in texts.items()}
