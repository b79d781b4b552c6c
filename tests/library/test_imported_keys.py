"""Keys that come with papers: kept, promised to their owner, and never silently somebody else's."""

from __future__ import annotations

from pressmark.library import Library
from pressmark.record import Paper


def entry(title: str, hint: str | None = None, author: str = "Lee, Ann") -> Paper:
    source = (f"bibtex:{hint or title}",)
    return Paper(title=title, authors=(author,), published="2020", key_hint=hint, sources=source)


def test_a_new_key_is_never_one_that_a_later_paper_of_the_call_brings(library: Library) -> None:
    added = library.add([entry("Deep salt", "http://x/1"), entry("Broth", "lee2020deep")])
    assert added.keys == ("lee2020deepa", "lee2020deep")
    assert library.get("lee2020deep").title == "Broth"
    assert added.warnings == ()


def test_a_key_that_means_another_paper_here_is_reported(library: Library) -> None:
    library.add([entry("Broth", "lee2020")])
    offered = [entry("Salt", "Lee2020"), entry("Deep water", "lee2020b")]
    added = library.add(offered)
    assert added.keys == ("lee2020salt", "lee2020b")
    said = ("Lee2020 means another reference here; cite “Salt” as lee2020salt.",)
    assert added.warnings == said
    again = library.add(offered)
    assert (again.unchanged, again.warnings) == (2, said)


def test_an_alias_is_a_name_too(library: Library) -> None:
    library.add([entry("Broth", "lee2020")])
    library.rename("lee2020", "lee2020broth")
    assert library.add([entry("Salt", "lee2020")]).warnings == (
        "lee2020 means another reference here, lee2020broth; cite “Salt” as lee2020salt.",
    )
    assert library.add([entry("Broth", "lee2020")]).warnings == ()


def test_files_whose_names_differ_in_case_only_are_left_to_a_person(library: Library) -> None:
    """Which of the two a key means cannot be told; one import must not fold a file into itself."""
    library.add([entry("Broth", "lee2020")])
    path = library.root / library.path("lee2020")
    twin = path.with_name("Lee2020.md")
    twin.write_bytes(path.read_bytes())
    library.refresh()
    added = library.add([entry("Broth", "lee2020"), entry("Salt", "lee2021")])
    assert [item.outcome for item in added.items] == ["failed", "added"]
    reason = "its key names several files: library/2020/Lee2020.md, library/2020/lee2020.md"
    assert added.items[0].reason == reason
    assert path.read_bytes() == twin.read_bytes()
