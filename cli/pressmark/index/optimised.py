"""A model in, the same model with its graph optimised, kept in the user's cache, out.

Loading it and asking one question takes half the time and memory of the model as it was published:
its weights stand in a file of their own that is mapped, not read. It is trusted as an index is.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from pressmark import disk
from pressmark.disk import folders
from pressmark.index.trust import Trust

MODEL = "model.onnx"
WEIGHTS = "weights.bin"


class Optimised:
    """The place of the optimised form of one model, for one version of onnxruntime."""

    def __init__(self, cache: Path, state: Path) -> None:
        self._place = cache / "models"
        self._trust = Trust(state, self._place)

    def find(self, name: str) -> Path | None:
        """The optimised model, if this user's own processes made it."""
        folder = self._place / name
        return folder / MODEL if self._trust.trusted(folder) else None

    def make(self, name: str, runtime: ModuleType, model: bytes) -> None:
        """Optimise a model; where it cannot be kept, nothing is lost but time."""
        folder, fresh = self._place / name, self._place / f".new-{secrets.token_hex(8)}"
        with suppress(Exception):  # onnxruntime's own share no base with any other
            disk.make_folder(fresh)
            options = runtime.SessionOptions()
            options.log_severity_level = 3
            # Not all of them: some are only right for the processor that they were made on.
            options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
            options.optimized_model_filepath = str(fresh / MODEL)
            for key, value in (("file_name", WEIGHTS), ("min_size_in_bytes", "1024")):
                options.add_session_config_entry(
                    f"session.optimized_model_external_initializers_{key}", value
                )
            runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
            for other in self._place.glob(f"{name.rpartition('-')[0]}-*"):
                folders.discard(other)  # damaged, or of another version
                self._trust.withdraw(other)
            folders.settle(fresh, folder)
            self._trust.vouch(folder)
        folders.discard(fresh)
