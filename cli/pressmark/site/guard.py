"""Where a site may be built, and what a received library's mkdocs.yml would run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SOURCES = ("library", "topics", "notes", "docs", "cli", "tests", "thesis")


MADE = ("sitemap.xml", "404.html", "assets/stylesheets")
"""What a folder holds that a build made, also one that was interrupted."""


def refusal(root: Path, site_dir: Path, docs_dir: Path) -> str | None:
    """Why a folder may not be the target of a build, which empties it; None when it may."""
    named = site_dir.absolute()
    if any(part.is_symlink() for part in (named, *named.parents) if root in part.parents):
        return f"{site_dir.name} is or lies behind a symbolic link; Pressmark follows none."
    root, site, docs = root.resolve(), site_dir.resolve(), docs_dir.resolve()
    if site == root or root.is_relative_to(site):
        return f"{site.name} holds the library itself; a build would delete it. Use _site."
    for folder in {docs, *(root / name for name in SOURCES), root / ".git", root / ".pressmark"}:
        if site == folder or site.is_relative_to(folder) or folder.is_relative_to(site):
            return f"{site.name} holds sources of the library; a build deletes them. Use _site."
    if site.is_dir() and _has_sources(site):
        return f"{site.name} holds Markdown or is a repository; a build deletes it. Use _site."
    if site.exists() and not _was_made(site):
        return f"{site.name} holds what no build made; a build deletes it. Use _site."
    return None


def tracked(place: Path) -> str | None:
    """Why a folder that git tracks, in whichever repository, may not be the target of a build."""
    from pressmark.history import Repository

    there = next(each for each in (place, *place.parents) if each.is_dir())
    repository = Repository.find(there)
    below = place.relative_to(there).as_posix().removeprefix(".")
    if repository is None or not repository.tracked(below):
        return None
    return f"{place.name} holds files that git tracks; a build deletes them. Use _site."


def _has_sources(folder: Path) -> bool:
    """Whether a folder that exists was not made by a build."""
    if (folder / ".git").exists() or (folder / "pressmark.toml").exists():
        return True
    return any(child.suffix == ".md" for child in folder.iterdir() if child.is_file())


def _was_made(folder: Path) -> bool:
    """Whether a folder is empty, or looks as a build leaves it."""
    if any((folder / name).exists() for name in MADE):
        return True
    return folder.is_dir() and not any(folder.iterdir())


def is_linked(docs_dir: Path, path: str | None) -> bool:
    """Whether a page's file in the site's folder is, or lies behind, a symbolic link."""
    if path is None or not Path(path).is_relative_to(docs_dir):
        return False
    between = [part for part in (Path(path), *Path(path).parents) if docs_dir in part.parents]
    return any(part.is_symlink() for part in (docs_dir, *between))


def runs(config: bytes) -> list[str]:
    """The Python that a mkdocs.yml names: hooks, other plugins, tags. It is read, never run."""
    import yaml

    try:
        root = yaml.compose(config, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return []
    found = sorted({f"tag {tag}" for tag in _tags(root) if "python/" in tag})
    if not isinstance(root, yaml.MappingNode):
        return found
    for name, value in root.value:
        items = value.value if isinstance(value, yaml.SequenceNode) else []
        if name.value == "hooks":
            found += [f"hook {item.value}" for item in items]
        if name.value == "plugins":
            names = [_name(item) for item in items]
            found += [f"plugin {each}" for each in names if each not in ("pressmark", "search")]
        if name.value == "INHERIT":
            found.append(f"what {value.value} names")
        if name.value == "theme" and isinstance(value, yaml.MappingNode):
            found += [f"templates in {v.value}" for n, v in value.value if n.value == "custom_dir"]
    return found


def _tags(node: object) -> Iterator[str]:
    """The tag of a node and of every node below it."""
    yield str(getattr(node, "tag", ""))
    value = getattr(node, "value", None)
    for each in value if isinstance(value, list) else ():
        for part in each if isinstance(each, tuple) else (each,):
            yield from _tags(part)


def _name(item: object) -> str:
    value = getattr(item, "value", "")
    if isinstance(value, list) and value:
        return str(getattr(value[0][0], "value", ""))
    return str(value)
