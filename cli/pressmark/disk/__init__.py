"""Bytes and relative paths in, files out: the only module that writes files, never through a link.

A write goes to a temporary file in the same folder (`.pressmark-<random>.tmp`), is synced, renamed
over the old one, and its folder is synced.
Whatever is below a library's root is opened part by part without following symbolic links.
"""

from pressmark.disk.files import (
    append_line,
    claim,
    copy_file,
    exists,
    make_folder,
    move_file,
    read_bytes,
    read_given,
    remove_file,
    remove_tree,
    write_file,
)
from pressmark.disk.lock import Lock
from pressmark.disk.paths import check_name, clash, safe_path
from pressmark.disk.paths import split as parts
from pressmark.disk.reasons import explain
from pressmark.disk.replace import Edit, Replacement, apply, current, sha256
from pressmark.disk.sync import synced
from pressmark.disk.tree import TEMPORARY, Tree
from pressmark.disk.walk import Stat, grouped, scan, walk

__all__ = [
    "TEMPORARY",
    "Edit",
    "Lock",
    "Replacement",
    "Stat",
    "Tree",
    "append_line",
    "apply",
    "check_name",
    "claim",
    "clash",
    "copy_file",
    "current",
    "exists",
    "explain",
    "grouped",
    "make_folder",
    "move_file",
    "parts",
    "read_bytes",
    "read_given",
    "remove_file",
    "remove_tree",
    "safe_path",
    "scan",
    "sha256",
    "synced",
    "walk",
    "write_file",
]
