"""Every spelling of a licence, and which of them let a site publish the text."""

from __future__ import annotations

import pytest

from pressmark.fulltext.licenses import is_open, normalise


@pytest.mark.parametrize(
    ("stated", "name", "open_"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", "CC BY 4.0", True),
        ("http://creativecommons.org/licenses/by-sa/3.0", "CC BY-SA 3.0", True),
        ("http://creativecommons.org/licenses/by-nc-nd/4.0/", "CC BY-NC-ND 4.0", False),
        ("https://creativecommons.org/licenses/by-nc-sa/4.0", "CC BY-NC-SA 4.0", False),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0", True),
        ("http://creativecommons.org/publicdomain/mark/1.0/", "public domain", True),
        ("cc by-nc-nd", "CC BY-NC-ND", False),
        ("cc-by", "CC BY", True),
        ("CC BY 4.0", "CC BY 4.0", True),
        ("CC0", "CC0", True),
        ("CC-BY-ND-4.0", "CC BY-ND 4.0", False),
        ("This is under the Creative Commons Attribution License, which permits", "CC BY", True),
        ("Creative Commons Attribution Non-Commercial License (version 3.0)", "CC BY-NC 3.0", False),
        ("Creative Commons Attribution-ShareAlike 4.0 International", "CC BY-SA 4.0", True),
        ("arXiv.org perpetual non-exclusive license", "arXiv.org perpetual non-exclusive license",
         False),
        ("https://arxiv.org/licenses/nonexclusive-distrib/1.0/",
         "https://arxiv.org/licenses/nonexclusive-distrib/1.0/", False),
        ("All rights reserved", "All rights reserved", False),
        ("", None, False),
        (None, None, False),
    ],
)  # fmt: skip
def test_licences(stated: str | None, name: str | None, open_: bool) -> None:
    assert normalise(stated) == name
    assert is_open(stated) is open_
