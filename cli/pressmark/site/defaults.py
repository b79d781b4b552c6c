"""A library's mkdocs.yml in; what it leaves open settled: extensions, colours, fonts, navigation.

Whatever the library says itself stays as it says.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark.site.markup import heading_id

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from pressmark.site.collect import Site

THEME = Path(__file__).parent / "theme"
CSS = "assets/pressmark.css"
SCRIPT = "assets/pressmark.js"
EXTENSIONS = (
    "admonition", "footnotes", "tables", "toc", "pymdownx.superfences", "sane_lists",
    "pymdownx.tasklist", "pymdownx.mark", "pymdownx.tilde",
)  # fmt: skip

EDIT = "content.action.edit"
"""Material's name for showing the link to the editor."""

DOWNLOADED = {"text": "Roboto", "code": "Roboto Mono"}
"""Material's fonts when nobody chose: every reader's browser would ask Google for them."""

LIGHT, DARK = "(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"


def settle(config: MkDocsConfig) -> None:
    """Settle everything but the navigation, which needs the pages."""
    for name in EXTENSIONS:
        if name not in config.markdown_extensions:
            config.markdown_extensions.append(name)
    config.mdx_configs.setdefault("toc", {}).setdefault("permalink", False)
    config.mdx_configs.setdefault("pymdownx.tilde", {}).setdefault("subscript", False)
    # What links to `note#Heading` names its anchor by the same rule.
    config.mdx_configs["toc"].setdefault("slugify", heading_id)
    # A style attribute would not pass the belt, and the columns of numbers would lose theirs.
    config.mdx_configs.setdefault("tables", {}).setdefault("use_align_attribute", True)
    config.theme.dirs.insert(_after_custom(config), str(THEME))
    if CSS not in config.extra_css:
        config.extra_css.append(CSS)
    if SCRIPT not in config.extra_javascript:
        config.extra_javascript.append(SCRIPT)
    if config.theme.name == "material":
        if config.edit_uri and EDIT not in config.theme.get("features", []):
            config.theme["features"] = [*config.theme.get("features", []), EDIT]
        if config.theme.get("font") == DOWNLOADED:
            config.theme["font"] = False
        if not config.theme.get("palette"):
            config.theme["palette"] = [_scheme(LIGHT), _scheme(DARK)]


def navigation(config: MkDocsConfig, files: Files, site: Site) -> None:
    """Without a `nav`: the site's own pages, then the lists of what the library holds.

    References never enter it: each page would list them all.
    """
    from mkdocs.structure.files import InclusionLevel, file_sort_key
    from mkdocs.utils import nest_paths

    if config.nav is not None:
        return
    pages = sorted(files.documentation_pages(), key=file_sort_key)
    hidden = InclusionLevel.NOT_IN_NAV.value
    shown = [f.src_uri for f in pages if f.inclusion.value > hidden]
    own: list[Any] = nest_paths(shown)  # type: ignore[no-untyped-call]
    # The home page is called as the site is, which stands above it already.
    own = [{"Home": each} if each == "index.md" else each for each in own]
    lists = [
        ("References", "references.md", site.kept),
        ("Inbox", "inbox.md", site.candidates),
        ("Notes", "notes/index.md", site.notes),
        ("Topics", "topics/index.md", site.topics),
        ("Searches", "topics/searches/index.md", site.searches),
        ("Collections", "topics/collections/index.md", site.collections),
        ("Overview", "overview.md", [] if site.only else site.kept),
    ]
    config.nav = [*own, *({title: uri} for title, uri, held in lists if held)]


def _scheme(media: str) -> dict[str, Any]:
    dark = media == DARK
    icon = "material/weather-sunny" if dark else "material/weather-night"
    return {
        "media": media,
        "scheme": "slate" if dark else "default",
        "primary": "black" if dark else "white",
        "accent": "indigo",
        "toggle": {"icon": icon, "name": "Light" if dark else "Dark"},
    }


def _after_custom(config: MkDocsConfig) -> int:
    """Our templates come after the library's own overrides and before the theme's."""
    custom = getattr(config.theme, "custom_dir", None)
    return 1 if custom and config.theme.dirs and config.theme.dirs[0] == custom else 0
