"""A paper whose record names no references in; the same with what it cites, where anybody knows."""

from __future__ import annotations

from dataclasses import replace

from pressmark.config import Config
from pressmark.errors import PressmarkError
from pressmark.http import Client, NullClient
from pressmark.record import Paper
from pressmark.sources import edges

MOST = 20
"""Papers of one call whose references are asked for: further ones are `update --cites`'s."""


def with_cites(paper: Paper, client: Client | NullClient, config: Config, today: str) -> Paper:
    """Fill `cites` from the providers that know citations; a record that has its own keeps them.

    Never fatal: who fails is left out, and a paper nobody knows the references of stays as it is.
    """
    if paper.cites or client.offline:
        return paper
    try:
        found = edges(paper, client, config, today, directions=("cites",))
    except PressmarkError:
        return paper
    return replace(paper, cites=found.cites) if found.cites else paper
