"""The name of a prompt and its arguments in, the message that starts the work out."""

from __future__ import annotations

from collections.abc import Mapping

import mcp_types as types

from pressmark.errors import BadInput, NotFound
from pressmark.text import clean

LONGEST = 2_000

PROMPTS = {
    "literature_review": (
        "Review what this library says about a topic",
        {"topic": "what the review is about"},
        "Write a short literature review on: {topic}\n\n"
        "Call find_papers once with the topic as it stands and k 60. Read the passages, open with "
        "get_paper what matters most, and group the papers by what they claim. Cite as [@key]. "
        "Name every result that you leave out and why. Run check_citations on the draft before "
        "you show it, and mention every retracted work. End with what the library does not cover.",
    ),
    "baselines_for": (
        "Baselines that a method should be compared with",
        {"method": "the method, in a sentence, or the key of its paper"},
        "Which baselines should be compared with: {method}\n\n"
        'Call find_papers once with relation_type "baseline" and k 40, or find_related when a key '
        "was given. For each candidate confirm with find_passages or exact_search that it was used "
        "as a baseline, and quote the sentence with its key and page.",
    ),
    "what_changed": (
        "What is new in the library since a date or commit",
        {"since": "a date (2026-01-31), a tag or a commit"},
        "Tell me what changed in this library since {since}.\n\n"
        "Read the resource pressmark://changes/{since}. Say first what was retracted, then what is "
        "new by topic, then what was corrected. Read the abstracts of the new ones with get_paper "
        "before you sum them up.",
    ),
    "screen_hits": (
        "Screen the candidates of a topic or search against criteria",
        {"criteria": "what to include and what to exclude", "filter": "e.g. topic:sequence-models"},
        "Screen the candidates that match {filter} against these criteria: {criteria}\n\n"
        'List them with find_papers, filters ["stage:candidate", "{filter}"], page by page, '
        "until next_offset is null. For each give include, exclude or unclear with one reason and "
        "the sentence it rests on. Decide nothing yourself: end with the two commands, "
        "`pressmark keep …` and `pressmark drop … --reason …`, for the user to run.",
    ),
}
"""Name -> what it is for, its arguments, its text."""

LISTED = [
    types.Prompt(
        name=name, description=about,
        arguments=[
            types.PromptArgument(name=each, description=what, required=True)
            for each, what in arguments.items()
        ],
    )
    for name, (about, arguments, _text) in PROMPTS.items()
]  # fmt: skip


def filled(name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    """The prompt with its arguments in place."""
    if name not in PROMPTS:
        raise NotFound("There is no such prompt.", next=f"one of {', '.join(PROMPTS)}")
    about, arguments, text = PROMPTS[name]
    missing = [each for each in arguments if not str(given.get(each, "")).strip()]
    if missing:
        raise BadInput(f"The prompt {name} needs {', '.join(missing)}.")
    strange = [each for each in given if each not in arguments]
    if strange:
        raise BadInput(f"The prompt {name} takes {', '.join(arguments)}.")
    for each in arguments:
        text = text.replace("{" + each + "}", clean(str(given[each]))[:LONGEST])
    content = types.TextContent(type="text", text=text)
    message = types.PromptMessage(role="user", content=content)
    return types.GetPromptResult(description=about, messages=[message])
