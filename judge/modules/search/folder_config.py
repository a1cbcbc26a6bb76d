"""What a folder with a sentence model says of itself: files, pooling, length, prompts. Nothing in it is executed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.errors import ConfigError

_MODELS = ("onnx/model.onnx", "model.onnx")
_JSON_BYTES = 64 * 1024 * 1024
_SHORT_BYTES = 1024 * 1024
_LONGEST = 512
_MODES = ("cls", "mean", "max", "mean_sqrt_len_tokens", "lasttoken", "weightedmean")
_OLD_NAMES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}
_PARTS = {"Transformer", "Pooling", "Normalize"}
_QUERY_PROMPTS = ("query", "search_query")
_TEXT_PROMPTS = ("passage", "document", "search_document")


@dataclass(frozen=True, slots=True)
class FolderModel:
    """A sentence model in a folder.

    Attributes:
        folder: Where it is.
        model: The ONNX file.
        tokenizer: The tokenizer's JSON file.
        pooling: How rows of tokens become one row: names of ``_MODES``, joined when there are several.
        normalize: Whether the model scales its rows to length 1; likeness is the same either way.
        max_tokens: Tokens of one text at most.
        pad_id: The token that fills short texts up.
        prompts: What is put before a query and before a text.
    """

    folder: Path
    model: Path
    tokenizer: Path
    pooling: tuple[str, ...]
    normalize: bool
    max_tokens: int
    pad_id: int
    prompts: tuple[str, str]


def read_folder(folder: Path) -> FolderModel:
    """Looks at a folder.

    Args:
        folder: As ``--embeddings folder:PATH`` names it.

    Raises:
        ConfigError: It holds no usable model; the message says what is wanted.
    """
    where = f"folder:{folder}"
    if not folder.is_dir():
        raise ConfigError("is no folder", where=where, hint="name a folder with model.onnx and tokenizer.json")
    root = folder.resolve()
    model = next((found for name in _MODELS if (found := _inside(root, name, where)) is not None), None)
    if model is None:
        hint = "it needs model.onnx or onnx/model.onnx; export the model with optimum-cli export onnx"
        raise ConfigError("holds no ONNX model", where=where, hint=hint)
    tokenizer = _inside(root, "tokenizer.json", where)
    if tokenizer is None:
        raise ConfigError("holds no tokenizer.json", where=where, hint="save the model's fast tokenizer beside it")
    if tokenizer.stat().st_size > _JSON_BYTES:
        raise ConfigError("its tokenizer.json is too large to be one", where=where)
    parts = _parts(root, where)
    config = _json(root, "config.json", where)
    sentence = _json(root, "sentence_bert_config.json", where)
    pooling = _pooling(root, parts, where)
    return FolderModel(
        folder=root,
        model=model,
        tokenizer=tokenizer,
        pooling=pooling,
        normalize="Normalize" in parts,
        max_tokens=_max_tokens(sentence, config),
        pad_id=_number(config.get("pad_token_id")) or 0,
        prompts=_prompts(_json(root, "config_sentence_transformers.json", where)),
    )


def _inside(root: Path, name: str, where: str) -> Path | None:
    """A file of the folder; one that leads out of it by a link is refused, so that only what was named is read."""
    path = root / name
    if not path.exists() and not path.is_symlink():
        return None
    real = path.resolve()
    if not real.is_relative_to(root):
        raise ConfigError(f"its {name} is a link that leaves the folder", where=where, hint="copy it with cp -rL")
    if not real.is_file():
        raise ConfigError(f"its {name} is no file", where=where)
    return real


def _json(root: Path, name: str, where: str) -> Mapping[str, Any]:
    value = _value(root, name, where)
    return value if isinstance(value, dict) else {}


def _value(root: Path, name: str, where: str) -> Any:
    path = _inside(root, name, where)
    if path is None:
        return None
    if path.stat().st_size > _SHORT_BYTES:
        raise ConfigError(f"its {name} is too large", where=where)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"its {name} cannot be read as JSON", where=where) from error


def _parts(root: Path, where: str) -> dict[str, str]:
    """Kind of each part of the model -> its folder; a bare model has none."""
    value = _value(root, "modules.json", where)
    parts: dict[str, str] = {}
    for item in value if isinstance(value, list) else ():
        if not isinstance(item, dict):
            continue
        kind = str(item.get("type", "")).rpartition(".")[2]
        if kind not in _PARTS:
            what = f"has a part {kind!r}, which is not known here; its vectors would be wrong"
            raise ConfigError(what, where=where, hint="known parts: " + ", ".join(sorted(_PARTS)))
        parts[kind] = str(item.get("path", ""))
    return parts


def _pooling(root: Path, parts: Mapping[str, str], where: str) -> tuple[str, ...]:
    folder = parts.get("Pooling", "1_Pooling")
    name = f"{folder}/config.json" if folder else "1_Pooling/config.json"
    config = _json(root, name, where)
    if not config:
        return ("mean",)
    modes: list[str] = []
    named = config.get("pooling_mode")
    if isinstance(named, str):
        modes = [named]
    elif isinstance(named, list):
        modes = [str(item) for item in named]
    modes = modes or [mode for key, mode in _OLD_NAMES.items() if config.get(key) is True]
    unknown = [mode for mode in modes if mode not in _MODES]
    if unknown:
        raise ConfigError(f"pools by {unknown[0]!r}", where=where, hint="known: " + ", ".join(_MODES))
    return tuple(modes) or ("mean",)


def _max_tokens(sentence: Mapping[str, Any], config: Mapping[str, Any]) -> int:
    known = [_number(sentence.get("max_seq_length")), _number(config.get("max_position_embeddings"))]
    return max(2, min(_LONGEST, *(value for value in known if value), _LONGEST))


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _prompts(config: Mapping[str, Any]) -> tuple[str, str]:
    prompts = config.get("prompts")
    known = prompts if isinstance(prompts, dict) else {}
    named = config.get("default_prompt_name")
    names = (named,) if isinstance(named, str) else ()

    def first(wanted: tuple[str, ...]) -> str:
        return next((str(known[name]) for name in (*wanted, *names) if isinstance(known.get(name), str)), "")

    return first(_QUERY_PROMPTS), first(_TEXT_PROMPTS)
