"""Where a site may be built, and what a received library's mkdocs.yml would run."""

from __future__ import annotations

from pathlib import Path

SOURCES = ("library", "topics", "notes", "docs", "cli", "tests", "thesis")


def refusal(root: Path, site_dir: Path, docs_dir: Path) -> str | None:
    """Why a folder may not be the target of a build, which empties it; None when it may."""
    root, site, docs = root.resolve(), site_dir.resolve(), docs_dir.resolve()
    if site == root or root.is_relative_to(site):
        return f"{site.name} holds the library itself; a build would delete it. Use _site."
    for folder in {docs, *(root / name for name in SOURCES), root / ".git", root / ".pressmark"}:
        if site == folder or site.is_relative_to(folder) or folder.is_relative_to(site):
            return f"{site.name} holds sources of the library; a build deletes them. Use _site."
    if site.is_symlink() or (site.is_dir() and _has_sources(site)):
        return f"{site.name} holds Markdown or is a repository; a build deletes it. Use _site."
    return None


def _has_sources(folder: Path) -> bool:
    """Whether a folder that exists was not made by a build."""
    if (folder / ".git").exists() or (folder / "pressmark.toml").exists():
        return True
    return any(child.suffix == ".md" for child in folder.iterdir() if child.is_file())


def runs(config: bytes) -> list[str]:
    """The Python that a mkdocs.yml names: hooks, other plugins, tags. It is read, never run."""
    import yaml

    try:
        root = yaml.compose(config, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return []
    if not isinstance(root, yaml.MappingNode):
        return []
    found: list[str] = []
    for name, value in root.value:
        items = value.value if isinstance(value, yaml.SequenceNode) else []
        if name.value == "hooks":
            found += [f"hook {item.value}" for item in items]
        if name.value == "plugins":
            names = [_name(item) for item in items]
            found += [f"plugin {each}" for each in names if each not in ("pressmark", "search")]
    return found


def _name(item: object) -> str:
    value = getattr(item, "value", "")
    if isinstance(value, list) and value:
        return str(getattr(value[0][0], "value", ""))
    return str(value)
