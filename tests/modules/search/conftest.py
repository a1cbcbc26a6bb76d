"""A tiny sentence model, made here: each word has a vector of its own, and a text is their mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat", "kitten", "dog", "engine", "motor", "train", "model", "loss")
VECTORS: dict[str, tuple[float, ...]] = {
    "cat": (1.0, 0.1, 0.0),
    "kitten": (0.9, 0.2, 0.0),
    "dog": (0.7, 0.6, 0.1),
    "engine": (0.0, 0.1, 1.0),
    "motor": (0.0, 0.2, 0.9),
    "train": (0.0, 1.0, 0.2),
    "model": (0.1, 1.0, 0.0),
    "loss": (0.0, 0.9, 0.3),
}


def write_onnx(path: Path, *, inputs: Sequence[str] = ("input_ids", "attention_mask"), outputs: str = "tokens") -> None:
    """A model that looks every token up in a table."""
    np = pytest.importorskip("numpy")
    onnx = pytest.importorskip("onnx")
    helper, numpy_helper, kinds = onnx.helper, onnx.numpy_helper, onnx.TensorProto
    table = np.array([VECTORS.get(word, (0.0, 0.0, 0.0)) for word in WORDS], dtype=np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    shown = [helper.make_tensor_value_info("last_hidden_state", kinds.FLOAT, ["batch", "tokens", 3])]
    if outputs == "sentence":
        nodes.append(helper.make_node("ReduceMax", ["last_hidden_state"], ["sentence_embedding"], axes=[1], keepdims=0))
        shown.append(helper.make_tensor_value_info("sentence_embedding", kinds.FLOAT, ["batch", 3]))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, kinds.INT64, ["batch", "tokens"]) for name in inputs],
        shown,
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString())


def write_tokenizer(path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(path))


@pytest.fixture
def model_folder(tmp_path: Path) -> Callable[..., Path]:
    """Writes a model folder; ``configs`` are JSON files by name."""
    pytest.importorskip("onnxruntime")

    def make(
        name: str = "model", *, onnx: str = "model.onnx", configs: dict[str, Any] | None = None, **more: Any
    ) -> Path:
        folder = tmp_path / name
        write_onnx(folder / onnx, **more)
        write_tokenizer(folder / "tokenizer.json")
        for file, value in (configs or {}).items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(json.dumps(value), encoding="utf-8")
        return folder

    return make
