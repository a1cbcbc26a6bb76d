"""Embeddings from a folder: pooling as it says, clear errors, nothing of it executed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.engine.evidence import Pipeline
from judge.errors import ConfigError
from judge.modules.base import Case, Strategies
from judge.modules.search import Passage, open_search
from judge.modules.search.folder import FolderEncoder

Make = Callable[..., Path]


def rows(encoder: Any, *texts: str, query: bool = False) -> list[list[float]]:
    made = asyncio.run(encoder.encode(list(texts), query=query))
    return [[round(float(value), 4) for value in row] for row in made]


def ranked(folder: Path, query: str, *texts: str) -> list[int]:
    search = open_search(Strategies("embeddings", f"folder:{folder}"))

    async def run() -> list[int]:
        index = await search.index([Passage(text) for text in texts])
        return [fit.position for fit in await index.rank(query)]

    return asyncio.run(run())


def test_texts_that_mean_the_same_are_found_without_a_common_word(model_folder: Make) -> None:
    assert ranked(model_folder(), "kitten", "motor engine", "cat", "train model")[0] == 1
    assert ranked(model_folder(), "motor", "cat kitten", "loss", "engine")[0] == 2


def test_the_mean_is_over_the_words_and_not_over_what_fills_up(model_folder: Make) -> None:
    encoder = FolderEncoder(model_folder())
    alone, beside = rows(encoder, "cat"), rows(encoder, "cat", "train model loss train model loss dog")
    assert alone[0] == beside[0] == [0.995, 0.0995, 0.0]


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"pooling_mode_max_tokens": True, "pooling_mode_mean_tokens": False}, [0.7023, 0.7023, 0.1404]),
        ({"pooling_mode": "max"}, [0.7023, 0.7023, 0.1404]),
        ({"pooling_mode_mean_tokens": True}, [0.6667, 0.7333, 0.1333]),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, [0.6667, 0.7333, 0.1333]),
    ],
)
def test_pooling_is_read_from_the_folder(model_folder: Make, pooling: dict[str, Any], expected: list[float]) -> None:
    folder = model_folder(configs={"1_Pooling/config.json": pooling})
    found = rows(FolderEncoder(folder), "cat train")[0]
    assert found == pytest.approx(expected, abs=0.005)


def test_cls_takes_the_first_token(model_folder: Make) -> None:
    folder = model_folder(configs={"1_Pooling/config.json": {"pooling_mode_cls_token": True}})
    assert rows(FolderEncoder(folder), "cat") == [[0.0, 0.0, 0.0]]  # the table holds nothing for [CLS]


def test_a_model_that_pools_itself_is_taken_at_its_word(model_folder: Make) -> None:
    folder = model_folder(onnx="onnx/model.onnx", outputs="sentence", inputs=("input_ids", "token_type_ids"))
    assert rows(FolderEncoder(folder), "cat train")[0] == pytest.approx([0.7001, 0.7001, 0.14], abs=0.005)


def test_prompts_and_the_bound_on_tokens_are_read(model_folder: Make) -> None:
    configs = {
        "config_sentence_transformers.json": {"prompts": {"query": "engine ", "passage": "loss "}},
        "sentence_bert_config.json": {"max_seq_length": 4},
    }
    encoder = FolderEncoder(model_folder(configs=configs))
    assert rows(encoder, "cat", query=True)[0][2] > 0.5 > rows(encoder, "cat")[0][2]
    assert rows(encoder, "cat motor motor motor") == rows(encoder, "cat")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / "model.onnx").unlink(), "holds no ONNX model"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "holds no tokenizer.json"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"PK\x03\x04 no model"), "cannot be opened"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}", encoding="utf-8"), "not usable"),
        (lambda folder: (folder / "modules.json").write_text("[", encoding="utf-8"), "cannot be read as JSON"),
        (
            lambda folder: (folder / "modules.json").write_text('[{"type": "x.models.Dense"}]', encoding="utf-8"),
            "has a part 'Dense'",
        ),
    ],
)
def test_what_is_wrong_with_a_folder_is_said(model_folder: Make, change: Callable[[Path], Any], words: str) -> None:
    folder = model_folder()
    change(folder)
    with pytest.raises(ConfigError, match=words):
        FolderEncoder(folder)


def test_no_folder_and_no_pooling_that_is_known(model_folder: Make, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no folder"):
        FolderEncoder(tmp_path / "none")
    folder = model_folder(configs={"1_Pooling/config.json": {"pooling_mode": "attention"}})
    with pytest.raises(ConfigError, match="pools by 'attention'"):
        FolderEncoder(folder)


def test_a_link_out_of_the_folder_is_refused(model_folder: Make, tmp_path: Path) -> None:
    folder = model_folder()
    (folder / "model.onnx").rename(tmp_path / "elsewhere.onnx")
    (folder / "model.onnx").symlink_to(tmp_path / "elsewhere.onnx")
    with pytest.raises(ConfigError, match="leaves the folder"):
        FolderEncoder(folder)


def test_code_in_the_folder_is_never_run(model_folder: Make, tmp_path: Path) -> None:
    folder = model_folder(configs={"config.json": {"auto_map": {"AutoModel": "evil.Model"}, "trust_remote_code": True}})
    mark = tmp_path / "ran"
    for name in ("evil.py", "modeling.py", "__init__.py"):
        (folder / name).write_text(f"open({str(mark)!r}, 'w')", encoding="utf-8")
    assert rows(FolderEncoder(folder), "cat") and not mark.exists()


def test_odd_texts_make_vectors_too(model_folder: Make) -> None:
    made = rows(FolderEncoder(model_folder()), "", "\ud800", "cat " * 10_000, "\0")
    assert len(made) == 4 and made[2][0] > 0.9


def test_vectors_are_kept_by_content_and_used_again(model_folder: Make, tmp_path: Path) -> None:
    strategies, kept = Strategies("embeddings", f"folder:{model_folder()}"), tmp_path / "kept"
    for _ in range(2):
        search = open_search(strategies, kept=kept)

        async def run(search: Any = search) -> list[int]:
            index = await search.index([Passage("engine"), Passage("cat")])
            return [fit.position for fit in await index.rank("kitten")]

        assert asyncio.run(run())[0] == 1
    (file,) = kept.iterdir()
    assert b"kitten" not in file.read_bytes()


def test_every_module_can_rank_by_embeddings(model_folder: Make, make_case: Callable[..., Case]) -> None:
    files = {"a.py": "def cat():\n    return 'cat'\n", "b.py": "def engine():\n    return 'engine'\n", "c.txt": "loss"}
    steps = [{}, {"thought": "the cat"}, {"thought": "the engine"}, {"thought": "the loss"}, {"thought": "dog"}]
    strategies = Strategies("embeddings", f"folder:{model_folder()}")
    case = make_case(files, "kitten", steps=steps, strategies=strategies)
    found = asyncio.run(Pipeline(("graph", "locate", "search", "retrieve")).gather(case))
    assert next(item.path for item in found if item.module == "locate") == "a.py"
    assert next(item.path for item in found if item.module == "search") == "a.py"
    assert 1 in {item.step for item in found} and 2 not in {item.step for item in found}


def test_a_damaged_store_of_vectors_costs_only_time(model_folder: Make, tmp_path: Path) -> None:
    from judge.modules.search.vectors import KeptEncoder

    encoder = KeptEncoder(FolderEncoder(model_folder()), tmp_path / "kept")
    first = rows(encoder, "cat", "dog")
    (file,) = (tmp_path / "kept").iterdir()
    file.write_bytes(b"no database")
    assert rows(encoder, "cat", "dog") == first
    (tmp_path / "blocked").write_text("a file", encoding="utf-8")
    assert rows(KeptEncoder(FolderEncoder(model_folder()), tmp_path / "blocked" / "x"), "cat") == first[:1]
