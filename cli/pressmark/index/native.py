"""The names of the compiled engines in, their modules out: the only place that imports them.

usearch 2.26 imported before onnxruntime ends the process when onnxruntime then loads a model;
with onnxruntime first it does not. So usearch is never imported before onnxruntime here.
"""

from __future__ import annotations

import importlib.util
import os
from types import ModuleType


def onnxruntime() -> ModuleType | None:
    """The runtime of the models; None where it is not installed."""
    # From 1.32 on it keeps an id of the device in the user's cache and reports to its maker.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
    except ImportError:
        return None
    module: ModuleType = onnxruntime
    return module


def usearch() -> ModuleType:
    """The engine of the vectors."""
    onnxruntime()
    import usearch.index

    module: ModuleType = usearch.index
    return module


def installed(name: str) -> bool:
    """Whether a package is there, without importing it."""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
