"""A language as a provider codes or names it in; its BCP 47 tag out."""

from __future__ import annotations

import re

_THREE = {
    "eng": "en", "ger": "de", "fre": "fr", "spa": "es", "ita": "it", "por": "pt", "rus": "ru",
    "chi": "zh", "jpn": "ja", "pol": "pl", "nor": "no", "dut": "nl", "swe": "sv", "dan": "da",
    "fin": "fi", "cze": "cs", "hun": "hu", "tur": "tr", "kor": "ko", "ukr": "uk", "gre": "el",
    "heb": "he", "ara": "ar", "per": "fa", "rum": "ro", "srp": "sr", "hrv": "hr", "bul": "bg",
    "slo": "sk", "slv": "sl", "cat": "ca", "ice": "is", "lit": "lt",
    "deu": "de", "fra": "fr", "zho": "zh", "nld": "nl", "ces": "cs", "ell": "el", "fas": "fa",
    "ron": "ro", "slk": "sk", "isl": "is", "nob": "nb", "nno": "nn", "lav": "lv", "est": "et",
}  # fmt: skip
"""The letters of ISO 639-2 and of NLM, for the languages that papers are written in."""


def normalise(value: str | None) -> str | None:
    """`en` from `en`, `EN`, `eng` or `en-US`; None for what is no code (`und`, `English`)."""
    code = re.split(r"[-_]", (value or "").strip().lower())[0]
    if re.fullmatch(r"[a-z]{2}", code):
        return code
    return _THREE.get(code)
