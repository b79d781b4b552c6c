"""Small real ONNX models, written byte by byte, and the tokenizer that goes with them.

The format is protobuf: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. A field is its
number and wire type, then a varint or a length and bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

FLOAT, INT64 = 1, 7
WORDS = (
    "[UNK]", "heron", "river", "web", "page", "links", "attention", "memory", "text", "the",
    "recurrence", "importance", "order", "long",
)  # fmt: skip


def varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name: str, kind: int, dims: Sequence[int], values: Sequence[float]) -> bytes:
    raw = struct.pack(f"<{len(values)}{'f' if kind == FLOAT else 'q'}", *values)
    return b"".join(field(1, dim) for dim in dims) + field(2, kind) + field(8, name) + field(9, raw)


def put(name: str, kind: int, dims: Sequence[int | str]) -> bytes:
    sizes = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, sizes)))


def node(op: str, inputs: Sequence[str], output: str, **attributes: int) -> bytes:
    given = b"".join(field(1, each) for each in inputs) + field(2, output) + field(4, op)
    for name, value in attributes.items():
        given += field(5, field(1, name) + field(3, value) + field(20, 2))
    return given


def model(
    nodes: Sequence[bytes], constants: Sequence[bytes], inputs: Sequence[bytes], output: bytes
) -> bytes:
    graph = b"".join(field(1, each) for each in nodes) + field(2, "tiny")
    graph += b"".join(field(5, each) for each in constants)
    graph += b"".join(field(11, each) for each in inputs) + field(12, output)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


def cross_encoder() -> bytes:
    """How often a token of the question is one of the text, less one: a logit of shape (1, 1)."""
    constants = [
        tensor("ax1", INT64, [1], [1]), tensor("ax2", INT64, [1], [2]),
        tensor("both", INT64, [2], [1, 2]), tensor("one", FLOAT, [1], [1.0]),
        tensor("shape", INT64, [2], [1, 1]),
    ]  # fmt: skip
    nodes = [
        node("Unsqueeze", ["input_ids", "ax2"], "rows"),
        node("Unsqueeze", ["input_ids", "ax1"], "columns"),
        node("Equal", ["rows", "columns"], "same"),
        node("Cast", ["same"], "equal", to=FLOAT),
        node("Cast", ["token_type_ids"], "types", to=FLOAT),
        node("Unsqueeze", ["types", "ax1"], "text"),
        node("Sub", ["one", "types"], "not_text"),
        node("Unsqueeze", ["not_text", "ax2"], "question"),
        node("Mul", ["equal", "text"], "in_text"),
        node("Mul", ["in_text", "question"], "shared"),
        node("ReduceSum", ["shared", "both"], "sum", keepdims=0),
        node("Sub", ["sum", "one"], "logit"),
        node("Reshape", ["logit", "shape"], "logits"),
    ]
    inputs = [put(name, INT64, [1, "n"]) for name in ("input_ids", "token_type_ids")]
    return model(nodes, constants, inputs, put("logits", FLOAT, [1, 1]))


def embedder(size: int = 16, turn: int = 0) -> bytes:
    """Each word has an axis of its own, shifted by `turn`: another turn is another model."""
    table = [
        float((word + turn) % size == axis) for word in range(len(WORDS)) for axis in range(size)
    ]
    constants = [tensor("table", FLOAT, [len(WORDS), size], table)]
    nodes = [node("Gather", ["table", "input_ids"], "vectors")]
    inputs = [put("input_ids", INT64, [1, "n"])]
    return model(nodes, constants, inputs, put("vectors", FLOAT, [1, "n", size]))


def tokenizer() -> str:
    """Words by blanks and marks, in lower case; a pair has the types 0 and 1."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="$A", pair="$A:0 $B:1", special_tokens=[]
    )
    return str(made.to_str())


def folder(path: Path, data: bytes) -> Path:
    """A model folder as a user has it."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "model.onnx").write_bytes(data)
    (path / "tokenizer.json").write_text(tokenizer(), encoding="utf-8")
    return path
