"""Embeddings from a local ONNX model: no network, no code of the model's own."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.errors import ConfigError
from judge.modules.search.folder_config import FolderModel, read_folder

if TYPE_CHECKING:
    from judge.modules.search.vectors import Vectors

_BATCH = 16
_THREADS = 2
_BLOCK = 1024 * 1024
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})
_POOLED = ("sentence_embedding", "sentence_embeddings", "pooled_embeddings")
_INSTALL = "install judge[embeddings]"


class FolderEncoder:
    """A sentence model in a folder."""

    def __init__(self, folder: Path) -> None:
        """Opens the model; one text is tried, so that what is wrong with it shows at once.

        Args:
            folder: As it was named.

        Raises:
            ConfigError: It holds no usable model, or a package is missing.
        """
        self._about = read_folder(folder)
        self._where = f"folder:{folder}"
        self._tokenizer = self._open_tokenizer()
        self._session = self._open_session()
        self._types = {item.name: item.type for item in self._session.get_inputs()}
        unknown = sorted(self._types.keys() - _INPUTS)
        if unknown or "input_ids" not in self._types:
            what = f"its model wants {', '.join(unknown)}" if unknown else "its model takes no input_ids"
            raise ConfigError(what, where=self._where, hint="it must be a text model")
        self._id = f"folder:{_fingerprint(self._about)}"
        self._encode(["a"], query=False)

    @property
    def id(self) -> str:
        """A hash of the model and how it is used."""
        return self._id

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row a text, of length 1 each; texts that are too long are cut at their end."""
        return await asyncio.to_thread(self._encode, texts, query=query)

    def _encode(self, texts: Sequence[str], *, query: bool) -> Vectors:
        import numpy as np

        from judge.modules.search.vectors import unit

        prompt = self._about.prompts[0 if query else 1]
        # One by one: a batch starts threads, of which the tokenizers complain when a process is forked later.
        coded = [self._tokenizer.encode(prompt + _plain(text)) for text in texts]
        order = sorted(range(len(texts)), key=lambda at: len(coded[at].ids))
        rows: dict[int, Vectors] = {}
        for start in range(0, len(order), _BATCH):  # texts of one length together: little is filled up
            some = order[start : start + _BATCH]
            rows |= dict(zip(some, self._run([coded[at] for at in some]), strict=True))
        return unit(np.stack([rows[at] for at in range(len(texts))]))

    def _run(self, coded: Sequence[Any]) -> Vectors:
        import numpy as np

        width = max(1, *(len(item.ids) for item in coded))
        shape = (len(coded), width)
        columns = {
            "input_ids": np.full(shape, self._about.pad_id, dtype=np.int64),
            "attention_mask": np.zeros(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
            "position_ids": np.tile(np.arange(width, dtype=np.int64), (len(coded), 1)),
        }
        for row, item in enumerate(coded):
            columns["input_ids"][row, : len(item.ids)] = item.ids
            columns["attention_mask"][row, : len(item.ids)] = item.attention_mask
            columns["token_type_ids"][row, : len(item.ids)] = item.type_ids
        feed = {
            name: columns[name].astype(np.int32) if kind == "tensor(int32)" else columns[name]
            for name, kind in self._types.items()
        }
        try:
            values = self._session.run(None, feed)
        except Exception as error:
            raise ConfigError(f"its model fails: {_line(error)}", where=self._where) from error
        names = [item.name for item in self._session.get_outputs()]
        return self._pooled(dict(zip(names, values, strict=True)), columns["attention_mask"])

    def _pooled(self, outputs: Mapping[str, Any], mask: Any) -> Vectors:
        import numpy as np

        for name in _POOLED:
            if name in outputs and outputs[name].ndim == 2:
                return np.asarray(outputs[name], dtype=np.float32)
        tokens = next((value for value in outputs.values() if getattr(value, "ndim", 0) == 3), None)
        if tokens is not None and tokens.shape[:2] == mask.shape:
            parts = [_POOLS[mode](tokens.astype(np.float32), mask) for mode in self._about.pooling]
            return np.asarray(np.concatenate(parts, axis=1), dtype=np.float32)
        first = next(iter(outputs.values()))
        if getattr(first, "ndim", 0) == 2 and first.shape[0] == mask.shape[0]:
            return np.asarray(first, dtype=np.float32)
        raise ConfigError("its model gives no embeddings", where=self._where, hint="export it for feature-extraction")

    def _open_tokenizer(self) -> Any:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ConfigError("needs the package tokenizers", where=self._where, hint=_INSTALL) from error
        try:
            tokenizer = Tokenizer.from_file(str(self._about.tokenizer))
        except Exception as error:
            raise ConfigError(f"its tokenizer.json is not usable: {_line(error)}", where=self._where) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=self._about.max_tokens)
        return tokenizer

    def _open_session(self) -> Any:
        try:
            import numpy as np  # noqa: F401
            import onnxruntime  # type: ignore[import-untyped]
        except ImportError as error:
            raise ConfigError("needs the package onnxruntime", where=self._where, hint=_INSTALL) from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = _THREADS
        options.inter_op_num_threads = 1
        try:
            return onnxruntime.InferenceSession(
                str(self._about.model), sess_options=options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise ConfigError(f"its model cannot be opened: {_line(error)}", where=self._where) from error


def _cls(tokens: Any, mask: Any) -> Any:
    return tokens[:, 0]


def _weighted(tokens: Any, weights: Any) -> Any:
    import numpy as np

    shares = weights[:, :, None].astype(np.float32)
    return (tokens * shares).sum(axis=1) / np.maximum(shares.sum(axis=1), 1e-9)


def _mean_sqrt(tokens: Any, mask: Any) -> Any:
    import numpy as np

    shares = mask[:, :, None].astype(np.float32)
    return (tokens * shares).sum(axis=1) / np.sqrt(np.maximum(shares.sum(axis=1), 1e-9))


def _max(tokens: Any, mask: Any) -> Any:
    import numpy as np

    return np.where(mask[:, :, None] > 0, tokens, np.float32(-1e9)).max(axis=1)


def _last(tokens: Any, mask: Any) -> Any:
    import numpy as np

    ends = mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)
    return tokens[np.arange(tokens.shape[0]), ends]


def _rising(tokens: Any, mask: Any) -> Any:
    import numpy as np

    return _weighted(tokens, mask * np.arange(1, mask.shape[1] + 1))


_POOLS: Mapping[str, Callable[[Any, Any], Any]] = {
    "cls": _cls,
    "mean": _weighted,
    "max": _max,
    "mean_sqrt_len_tokens": _mean_sqrt,
    "lasttoken": _last,
    "weightedmean": _rising,
}


def _fingerprint(about: FolderModel) -> str:
    digest = hashlib.sha256()
    digest.update(repr((about.pooling, about.max_tokens, about.pad_id, about.prompts)).encode())
    beside = sorted(path for path in about.model.parent.glob(f"{about.model.name}*data*") if path.is_file())
    for path in (about.tokenizer, about.model, *beside):
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
