"""Words and links in; the same page as HTML for our own site or as Markdown for any generator out.

Pages are composed by calls of a `Dialect` and never by hand, so that whatever comes from outside
passes one place that escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Protocol

from pressmark.site import maths
from pressmark.site.inert import inert
from pressmark.site.markup import Markup
from pressmark.site.model import Section
from pressmark.site.urls import ROOT, Urls, to
from pressmark.text import escape_markdown, plain

_UNSAFE = re.compile(r"[<>\s]")
_NO_LETTER = re.compile(r"[^a-z]+")


class Dialect(Protocol):
    """How a page is written. Arguments named `words` are already written, others are text."""

    rich: bool
    """Whether it is HTML, which can hold what Markdown cannot."""

    def text(self, value: str) -> str: ...
    def title(self, value: str) -> str: ...
    def link(self, words: str, uri: str, fragment: str = "", kind: str = "") -> str: ...
    def outside(self, words: str, url: str) -> str: ...
    def emphasis(self, words: str) -> str: ...
    def strong(self, words: str) -> str: ...
    def code(self, value: str) -> str: ...
    def mark(self, kind: str, words: str, title: str = "") -> str: ...
    def heading(self, level: int, words: str, anchor: str = "") -> str: ...
    def paragraph(self, words: str, kind: str = "") -> str: ...
    def lines(self, lines: Mapping[str, str], kind: str = "facts") -> str: ...
    def below(self, words: str) -> str: ...
    def items(self, items: Iterable[str], kind: str = "") -> str: ...
    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], right: int = 99) -> str: ...
    def fence(self, value: str, language: str) -> str: ...
    def notice(self, kind: str, title: str, words: str) -> str: ...
    def fold(self, summary: str, words: str, kind: str = "more") -> str: ...
    def prose(self, markdown: str) -> tuple[str, list[Section]]: ...
    def html(self, html: str) -> str: ...


class Html:
    """HTML with root marks."""

    rich = True

    def __init__(self, urls: Urls) -> None:
        self.urls = urls
        self.markup = Markup()

    def text(self, value: str) -> str:
        return escape(plain(value) if not value.isprintable() else value)

    def title(self, value: str) -> str:
        if "$" not in value:
            return self.text(value)
        return maths.draw(self.text(maths.protect(value, inline=True)))

    def link(self, words: str, uri: str, fragment: str = "", kind: str = "") -> str:
        anchor = f"#{escape(fragment)}" if fragment else ""
        name = f' class="pm-{kind}"' if kind else ""
        return f'<a{name} href="{ROOT}{escape(self.urls.url(uri))}{anchor}">{words}</a>'

    def outside(self, words: str, url: str) -> str:
        return f'<a href="{escape(url)}">{words}</a>'

    def emphasis(self, words: str) -> str:
        return f"<em>{words}</em>"

    def strong(self, words: str) -> str:
        return f"<strong>{words}</strong>"

    def code(self, value: str) -> str:
        return f"<code>{self.text(value)}</code>"

    def mark(self, kind: str, words: str, title: str = "") -> str:
        more = f' title="{self.text(title)}"' if title else ""
        return f'<span class="pm-{kind}"{more}>{words}</span>'

    def heading(self, level: int, words: str, anchor: str = "") -> str:
        name = f' id="{escape(anchor)}"' if anchor else ""
        return f"<h{level}{name}>{words}</h{level}>"

    def paragraph(self, words: str, kind: str = "") -> str:
        name = f' class="pm-{kind}"' if kind else ""
        return f"<p{name}>{words}</p>"

    def lines(self, lines: Mapping[str, str], kind: str = "facts") -> str:
        shown = [f'<div class="pm-{name}">{line}</div>' for name, line in lines.items() if line]
        return f'<div class="pm-{kind}">{"".join(shown)}</div>' if shown else ""

    def below(self, words: str) -> str:
        return f'<span class="pm-by">{words}</span>'

    def items(self, items: Iterable[str], kind: str = "") -> str:
        name = f' class="pm-{kind}"' if kind else ""
        return f"<ul{name}>" + "".join(f"<li>{each}</li>" for each in items) + "</ul>"

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], right: int = 99) -> str:
        def cells(name: str, row: Sequence[str]) -> str:
            style = ['<{0}{1}>{2}</{0}>'.format(name, ' class="pm-right"' if n >= right else "", c)
                     for n, c in enumerate(row)]  # fmt: skip
            return f"<tr>{''.join(style)}</tr>"

        body = "".join(cells("td", row) for row in rows)
        return (
            '<div class="pm-table"><table class="pm-grid"><thead>'
            f"{cells('th', head)}</thead><tbody>{body}</tbody></table></div>"
        )

    def fence(self, value: str, language: str) -> str:
        code = f'<code class="language-{escape(language)}">{escape(value)}</code>'
        return f'<pre class="pm-code" tabindex="0">{code}</pre>'

    def notice(self, kind: str, title: str, words: str) -> str:
        role = ' role="note"'
        head = f'<p class="admonition-title">{title}</p>'
        return f'<div class="admonition {kind}"{role}>{head}{words}</div>'

    def fold(self, summary: str, words: str, kind: str = "more") -> str:
        return f'<details class="pm-{kind}"><summary>{summary}</summary>{words}</details>'

    def prose(self, markdown: str) -> tuple[str, list[Section]]:
        html, sections = self.markup.convert(markdown)
        return self.urls.settle(html), sections

    def html(self, html: str) -> str:
        return html


class Markdown:
    """Markdown with links of the prose kind, which become relative paths at the end."""

    rich = False

    def text(self, value: str) -> str:
        return escape_markdown(plain(value))

    def title(self, value: str) -> str:
        return escape_markdown(maths.protect(plain(value), inline=True))

    def link(self, words: str, uri: str, fragment: str = "", kind: str = "") -> str:
        return f"[{words}]({to(uri, fragment)})"

    def outside(self, words: str, url: str) -> str:
        return f"[{words}](<{_UNSAFE.sub(_percent, url)}>)"

    def emphasis(self, words: str) -> str:
        return f"*{words}*" if words.strip() else words

    def strong(self, words: str) -> str:
        return f"**{words}**" if words.strip() else words

    def code(self, value: str) -> str:
        return f"`{' '.join(value.replace('`', chr(39)).split())}`"

    def mark(self, kind: str, words: str, title: str = "") -> str:
        return f"**{words}**" if kind == "notice" else words

    def heading(self, level: int, words: str, anchor: str = "") -> str:
        return f"{'#' * level} {words}"

    def paragraph(self, words: str, kind: str = "") -> str:
        return words

    def lines(self, lines: Mapping[str, str], kind: str = "facts") -> str:
        return "  \n".join(line for line in lines.values() if line)

    def below(self, words: str) -> str:
        return f"  \n  {words}"

    def items(self, items: Iterable[str], kind: str = "") -> str:
        return "\n".join(f"- {each}" for each in items)

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], right: int = 99) -> str:
        rules = ["--:" if n >= right else "---" for n in range(len(head))]
        lines = [head, rules, *rows]
        return "\n".join(f"| {' | '.join(' '.join(c.split()) for c in row)} |" for row in lines)

    def fence(self, value: str, language: str) -> str:
        ticks = max((len(each) for each in re.findall(r"`+", value)), default=0)
        mark = "`" * max(3, ticks + 1)
        return f"{mark}{language}\n{value.rstrip()}\n{mark}"

    def notice(self, kind: str, title: str, words: str) -> str:
        return f"> **{title}**" + (f"  \n> {words}" if words else "")

    def fold(self, summary: str, words: str, kind: str = "more") -> str:
        return f"{summary}: {words}"

    def prose(self, markdown: str) -> tuple[str, list[Section]]:
        return inert(markdown.strip()), []

    def html(self, html: str) -> str:
        return ""


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


@dataclass
class Draft:
    """A page while it is written: its blocks in order, and the sections they make."""

    write: Dialect
    blocks: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)

    def add(self, *blocks: str) -> None:
        """Blocks one after another; empty ones leave no trace."""
        self.blocks += [block for block in blocks if block]

    def section(self, title: str, *blocks: str, anchor: str = "") -> None:
        """A section of ours, unless it would be empty."""
        shown = [block for block in blocks if block]
        if shown:
            name = f"pm-{anchor or _NO_LETTER.sub('-', title.lower()).strip('-')}"
            self.sections.append(Section(2, title, name))
            self.add(self.write.heading(2, self.write.text(title), name), *shown)

    def prose(self, markdown: str) -> None:
        """Converted prose, with the sections it brings."""
        html, sections = self.write.prose(markdown)
        self.add(html)
        self.sections += [each for each in sections if each.level > 1]

    @property
    def content(self) -> str:
        return ("\n" if self.write.rich else "\n\n").join(self.blocks) + "\n"
