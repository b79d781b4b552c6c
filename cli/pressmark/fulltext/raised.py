"""Inline Markdown that stands raised or lowered in; the same as plain characters out.

`10⁻³`, `CO₂`, `0.01ᵇ`: Markdown has no mark for either, and text that only moved back to the line
would mean something else (`10-3`).
What Unicode has no forms for keeps a sign: `2^(x+1)`, `a_(i,j)`.
"""

from __future__ import annotations

import re

_UP = str.maketrans(
    "0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ",
)
_DOWN = str.maketrans(
    "0123456789+-−–=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ"
)
_SIGNS = re.compile(r"[0-9+\-−–=()ni]+")
_LETTERS = re.compile(r"[^\W\d_](?:\s*,\s*[^\W\d_])*")
"""One letter, or a list of such marks: longer runs are words (`max`, `th`) and stay on the line."""


def raised(inline: str) -> str:
    """A superscript; citations in it stand in brackets, so that they leave the word before."""
    content = _bare(inline)
    if "](#ref-" in content:
        return content if content.lstrip().startswith("[[") else f"[{content.strip()}]"
    shown = content.strip()
    if _SIGNS.fullmatch(shown) and not (len(shown) > 1 and shown.isalpha()):
        return shown.translate(_UP)
    if _LETTERS.fullmatch(shown) and _covers(shown, _UP):
        return re.sub(r"\s+", "", shown).translate(_UP)
    return f"^({shown})" if _means_a_power(shown) else content


def lowered(inline: str) -> str:
    """A subscript."""
    content = _bare(inline)
    shown = content.strip()
    if re.fullmatch(r"[0-9+\-−–=()]+", shown) or (len(shown) == 1 and ord(shown) in _DOWN):
        return shown.translate(_DOWN)
    if re.search(r"\w\s*[+\-−=,]\s*\w", shown) and _is_short(shown):
        return f"_({shown})"
    return content


def _bare(inline: str) -> str:
    """Without emphasis, which would run into that of its base."""
    return re.sub(r"(?<!\\)\*+", "", inline)


def _covers(shown: str, forms: dict[int, int]) -> bool:
    return all(ord(char) in forms for char in shown if char.isalpha())


def _means_a_power(shown: str) -> bool:
    return bool(re.search(r"[\d+\-−=]", shown)) and _is_short(shown)


def _is_short(shown: str) -> bool:
    """Not running text, and nothing that carries Markdown of its own."""
    return len(shown) <= 24 and not re.search(r"[\[\]$`<&\\]", shown)
