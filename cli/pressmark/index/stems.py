"""whoosh's stemmer and, for who asks, its codec: the only module that imports whoosh.

The analyser is the same whatever engine holds the words; the codec is slow to import, and an
index of tantivy's needs none of it.
"""

from __future__ import annotations

import warnings
from typing import Any

from pressmark.index.analysis import Analyser

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its string literals have invalid escapes
    from whoosh.lang.porter2 import stem


def analyser() -> Analyser:
    """An analyser of documents and questions, which remembers the words it meets."""
    return Analyser(stem)


def codec() -> tuple[Any, Any, Any, Any]:
    """Codec, segment, file storage and the format of postings without positions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from whoosh.codec.whoosh3 import W3Codec, W3Segment
        from whoosh.filedb.filestore import FileStorage
        from whoosh.formats import Existence
    return W3Codec, W3Segment, FileStorage, Existence
