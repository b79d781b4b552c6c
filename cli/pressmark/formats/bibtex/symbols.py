"""The tables of `latex`: what ASCII LaTeX writes for a character, and which commands it knows."""

from __future__ import annotations

_SPECIALS = {
    "\\": r"{\textbackslash}", "{": r"{\textbraceleft}", "}": r"{\textbraceright}",
    "~": r"{\textasciitilde}", "^": r"{\textasciicircum}", "<": r"{\textless}",
    ">": r"{\textgreater}", "|": r"{\textbar}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#",
    "_": r"\_",
}  # fmt: skip

_LETTERS = {
    "ß": r"{\ss}", "ẞ": "SS", "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}",
    "ø": r"{\o}", "Ø": r"{\O}", "ł": r"{\l}", "Ł": r"{\L}", "å": r"{\aa}", "Å": r"{\AA}",
    "đ": r"{\dj}", "Đ": r"{\DJ}", "ð": r"{\dh}", "Ð": r"{\DH}", "þ": r"{\th}", "Þ": r"{\TH}",
    "ŋ": r"{\ng}", "Ŋ": r"{\NG}", "ı": r"{\i}", "ȷ": r"{\j}",
}  # fmt: skip

_SIGNS = {
    "–": "--", "—": "---", "‒": "--", "―": "---", "‐": "-", "‑": "-", "‘": "`", "’": "'",
    "ʼ": "'", "ʻ": "`", "“": "``", "”": "''", "„": r"{\quotedblbase}", "‚": r"{\quotesinglbase}",
    "«": r"{\guillemotleft}", "»": r"{\guillemotright}", "‹": r"{\guilsinglleft}",
    "›": r"{\guilsinglright}", "…": r"{\dots}", "•": r"{\textbullet}",
    "·": r"{\textperiodcentered}", "©": r"{\copyright}", "®": r"{\textregistered}",
    "™": r"{\texttrademark}", "§": r"{\S}", "¶": r"{\P}", "†": r"{\dag}", "‡": r"{\ddag}",
    "£": r"{\pounds}", "€": r"{\texteuro}", "¿": r"{\textquestiondown}",
    "¡": r"{\textexclamdown}", "ª": r"{\textordfeminine}", "º": r"{\textordmasculine}",
    "\u00a0": "~", "\u2009": " ", "\u202f": "~", "½": "1/2", "¼": "1/4", "¾": "3/4",
}  # fmt: skip

_MATHS = {
    "±": r"\pm", "×": r"\times", "÷": r"\div", "−": "-", "≤": r"\leq", "≥": r"\geq",
    "≠": r"\neq", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim", "≃": r"\simeq", "≅": r"\cong",
    "∝": r"\propto", "∞": r"\infty", "∂": r"\partial", "∇": r"\nabla", "∑": r"\sum",
    "∏": r"\prod", "∫": r"\int", "√": r"\surd", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset",
    "⊆": r"\subseteq", "∪": r"\cup", "∩": r"\cap", "∅": r"\emptyset", "∀": r"\forall",
    "∃": r"\exists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "→": r"\rightarrow",
    "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow",
    "↑": r"\uparrow", "↓": r"\downarrow", "⊕": r"\oplus", "⊗": r"\otimes", "⋅": r"\cdot",
    "∗": r"\ast", "′": "'", "″": "''", "°": r"^{\circ}", "µ": r"\mu", "ℓ": r"\ell",
    "ℏ": r"\hbar", "ℵ": r"\aleph", "⟨": r"\langle", "⟩": r"\rangle", "‖": r"\|",
    "ℝ": r"\mathbf{R}", "ℂ": r"\mathbf{C}", "ℤ": r"\mathbf{Z}", "ℕ": r"\mathbf{N}",
    "ℚ": r"\mathbf{Q}",
}  # fmt: skip

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", "0123456789+-=()", strict=True))

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma tau upsilon phi chi psi omega"
)
_GREEK_CAPITALS = {
    "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi",
    "Σ": r"\Sigma", "Υ": r"\Upsilon", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega",
    "ϵ": r"\epsilon", "ϕ": r"\phi", "ϑ": r"\vartheta", "ϱ": r"\varrho", "ϖ": r"\varpi",
    "ς": r"\varsigma", "ο": "o",
}  # fmt: skip

GREEK = {
    letter: f"\\{name}"
    for letter, name in zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK.split(), strict=True)
} | _GREEK_CAPITALS

SYMBOLS = (
    _SPECIALS
    | _LETTERS
    | _SIGNS
    | {sign: f"{{${maths}$}}" for sign, maths in (_MATHS | GREEK).items()}
    | {sign: f"{{$^{{{plain}}}$}}" for sign, plain in _RAISED.items()}
    | {sign: f"{{$_{{{plain}}}$}}" for sign, plain in _LOWERED.items()}
)
"""Every form stands in braces of its own, so that no style's change of case reaches inside."""

LATIN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġ"
    "ĢģĤĥĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŊŋŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžǍǎǏǐǑǒǓǔǦǧǨǩ"
    "ǪǫǰǴǵȘșȚțȲȳ"
)
"""Letters that pdfLaTeX sets in its T1 fonts without a package (t1enc.dfu of LaTeX 2022)."""

_COMMANDS = (
    "epsilon varepsilon vartheta varrho varpi varsigma varphi "
    "pm mp times div ast star circ bullet cdot cap cup uplus sqcap sqcup vee wedge setminus wr "
    "oplus ominus otimes oslash odot dagger ddagger amalg "
    "leq le geq ge equiv models prec succ sim perp preceq succeq simeq mid ll gg asymp parallel "
    "subset supset approx bowtie subseteq supseteq cong neq ne smile sqsubseteq sqsupseteq doteq "
    "frown in ni notin propto vdash dashv to gets "
    "leftarrow rightarrow leftrightarrow Leftarrow Rightarrow Leftrightarrow longleftarrow "
    "longrightarrow mapsto longmapsto hookrightarrow hookleftarrow uparrow downarrow updownarrow "
    "nearrow searrow swarrow nwarrow "
    "ldots cdots vdots ddots dots aleph prime forall infty hbar emptyset exists nabla surd "
    "triangle angle ell Re Im partial bot top wp neg lnot flat natural sharp imath jmath "
    "sum prod coprod int oint bigcap bigcup bigoplus bigotimes bigvee bigwedge "
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf "
    "limsup ln log max min Pr sec sin sinh sup tan tanh bmod "
    "hat check breve acute grave tilde bar vec dot ddot widehat widetilde overline underline "
    "overrightarrow overbrace underbrace sqrt frac stackrel binom "
    "mathrm mathbf mathit mathsf mathtt mathcal mathnormal textrm textbf textit textsc textsf mbox "
    "rm bf it cal left right big Big bigl bigr Bigl Bigr langle rangle lfloor rfloor lceil rceil "
    "lbrace rbrace vert Vert lvert rvert quad qquad displaystyle textstyle scriptstyle limits not"
)
COMMANDS = frozenset(_COMMANDS.split()) - {"binom", "lvert", "rvert"} | {
    maths.removeprefix("\\") for maths in GREEK.values()
}
"""What LaTeX has for mathematics without a package. A title comes from anywhere, and a command
in it runs in the author's document: no other is let through."""

PROVIDED = {
    "mathbb": r"\providecommand{\mathbb}[1]{\mathbf{#1}}",
    "mathfrak": r"\providecommand{\mathfrak}[1]{\mathrm{#1}}",
    "mathscr": r"\providecommand{\mathscr}[1]{\mathcal{#1}}",
    "boldsymbol": r"\providecommand{\boldsymbol}[1]{\mathbf{#1}}",
    "bm": r"\providecommand{\bm}[1]{\mathbf{#1}}",
    "text": r"\providecommand{\text}[1]{\mbox{#1}}",
    "operatorname": r"\providecommand{\operatorname}[1]{\mathrm{#1}}",
    "dfrac": r"\providecommand{\dfrac}[2]{\frac{#1}{#2}}",
    "tfrac": r"\providecommand{\tfrac}[2]{\frac{#1}{#2}}",
    "lvert": r"\providecommand{\lvert}{|}",
    "rvert": r"\providecommand{\rvert}{|}",
}
"""What amsmath and its kin add and titles use, defined for documents that do not load them."""
