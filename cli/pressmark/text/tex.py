"""TeX as it stands in .bib files and arXiv records in; Unicode out, mathematics left as it is."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331", "t": "\u0361", "G": "\u030f", "U": "\u030e",
    "h": "\u0309", "breveabove": "\u0306", "ringabove": "\u030a", "hungarumlautabove": "\u030b",
    "caronabove": "\u030c", "dotbelow": "\u0323", "cedillabelow": "\u0327",
    "ogonekbelow": "\u0328", "macronbelow": "\u0331",
}  # fmt: skip
_BELOW = frozenset({"c", "k", "d", "b", "dotbelow", "cedillabelow", "ogonekbelow", "macronbelow"})

_LETTERS = {
    "ss": "ß", "SS": "SS", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø",
    "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð",
    "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "dots": "…", "ldots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "textquotesingle": "'", "lq": "‘", "rq": "’", "quotedblbase": "„",
    "guillemotleft": "«", "guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›",
    "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™",
    "textdegree": "°", "textordmasculine": "º", "textordfeminine": "ª", "pounds": "£",
    "textsterling": "£", "texteuro": "€", "euro": "€", "S": "§", "P": "¶", "dag": "†",
    "textperiodcentered": "·", "textbullet": "•", "textmu": "µ", "textonehalf": "½",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|",
    "textless": "<", "textgreater": ">", "textunderscore": "_", "textdollar": "$",
    "textquestiondown": "¿", "textexclamdown": "¡", "textbraceleft": "{", "textbraceright": "}",
    "quad": " ", "qquad": " ", "space": " ", "TeX": "TeX", "LaTeX": "LaTeX",
    "it": "", "bf": "", "em": "", "rm": "", "sc": "", "sl": "", "tt": "", "sf": "",
    "itshape": "", "bfseries": "", "upshape": "", "scshape": "", "relax": "", "protect": "",
}  # fmt: skip

_TRANSPARENT = frozenset({
    "textit", "textbf", "emph", "textsc", "textsl", "textrm", "textsf", "texttt", "text",
    "textup", "textmd", "textnormal", "mbox", "hbox", "underline", "textsuperscript",
    "textsubscript", "url", "path", "NoCaseChange", "textcyr", "textlatin",
})  # fmt: skip
"""Commands that only dress their argument."""

_DROPPED = {"noopsort": 1, "SortNoop": 1, "label": 1, "vspace": 1, "hspace": 1}

_SYMBOLS = {" ": " ", "\n": " ", "-": "", "/": "", "@": "", ",": " ", ";": " ", ":": " ", "!": "",
            "\\": " "}  # fmt: skip

_DEPTH = 40
"""No name or title nests deeper; what does is left as it is."""

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]+)(?P<gap>\s*)"
    r"|\\\((?P<paren>.*?)\\\)"
    r"|\\(?P<sign>.)"
    r"|\$(?P<math>(?:[^$\\]|\\.)+)\$"
    r"|(?P<dash>---?)"
    r"|(?P<quote>``|'')"
    r"|(?P<open>\{)|(?P<close>\})|(?P<tie>~)"
    r"|(?P<text>[^\\${}~\-`']+|.)",
    re.S,
)
_DASHES = {"--": "–", "---": "—"}
_QUOTES = {"``": "“", "''": "”"}


@lru_cache(maxsize=8192)
def from_tex(value: str) -> str:
    """Accents, letters, dashes and simple macros as Unicode; `$…$` and unknown macros stay."""
    if not any(sign in value for sign in ("\\", "{", "}", "~", "--", "``", "''")):
        return value
    return unicodedata.normalize("NFC", _Reader(value).rest(0))


class _Reader:
    """A cursor over TeX text; each method reads on and gives back Unicode."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def rest(self, depth: int) -> str:
        """Up to the brace that closes this group, or the end."""
        out: list[str] = []
        while (token := self._next()) is not None:
            if token["close"] is None:
                out.append(self._read(token, depth))
            elif depth:
                break
        return "".join(out)

    def _next(self) -> re.Match[str] | None:
        token = _TOKEN.match(self.text, self.at)
        if token:
            self.at = token.end()
        return token

    def _read(self, token: re.Match[str], depth: int) -> str:
        if token["word"]:
            return self._word(token["word"], token["gap"], depth)
        if token["sign"]:
            return self._sign(token["sign"], depth)
        if token["open"]:
            return self._group(depth)
        if token["paren"]:
            return f"${token['paren'].strip()}$"
        if token["math"]:
            return token[0]
        if token["dash"]:
            return _DASHES.get(token["dash"], token["dash"])
        if token["quote"]:
            return _QUOTES[token["quote"]]
        return " " if token["tie"] else token[0]

    def _group(self, depth: int) -> str:
        if depth < _DEPTH:
            return self.rest(depth + 1)
        left, self.at = self.text[self.at :], len(self.text)
        return left

    def _argument(self, depth: int) -> str:
        """A brace group, or the next token."""
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        token = self._next()
        if token is None or depth >= _DEPTH:
            return ""
        if token["text"] and len(token["text"]) > 1:
            self.at = token.start() + 1
            return token["text"][0]
        if token["close"]:
            self.at = token.start()
            return ""
        return self._read(token, depth + 1)

    def _word(self, name: str, gap: str, depth: int) -> str:
        if name in _ACCENTS:
            return _accented(name, self._argument(depth))
        if name in _LETTERS:
            return _LETTERS[name]
        if name in _TRANSPARENT:
            return self._argument(depth)
        if name in _DROPPED:
            self._argument(depth)
            return ""
        if name == "href":
            self._argument(depth)
            return self._argument(depth)
        if name == "enquote":
            return f"“{self._argument(depth)}”"
        if name == "ensuremath":
            return self._mathematics()
        if gap or self.text[self.at : self.at + 1] != "{":
            return f"\\{name}{gap}"
        return f"\\{name}{{{self._argument(depth)}}}"

    def _mathematics(self) -> str:
        found = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}").match(self.text, self.at)
        if not found:
            return ""
        self.at = found.end()
        return f"${found[1]}$"

    def _sign(self, sign: str, depth: int) -> str:
        if sign in _ACCENTS:
            return _accented(sign, self._argument(depth))
        return _SYMBOLS.get(sign, sign)


def _accented(accent: str, base: str) -> str:
    """The accent on the first letter of `base`, outside the marks that it already bears."""
    if not base:
        return accent if len(accent) == 1 and not accent.isalpha() else ""
    if accent not in _BELOW:
        base = {"ı": "i", "ȷ": "j"}.get(base[0], base[0]) + base[1:]
    end = 1
    while end < len(base) and unicodedata.combining(base[end]):
        end += 1
    return unicodedata.normalize("NFC", base[:end] + _ACCENTS[accent] + base[end:])
