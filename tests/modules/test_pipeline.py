"""What locate, read, graph and retrieve find together, and how much of it fits."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from judge.config import DEFAULT_MODULES
from judge.engine.evidence import Pipeline
from judge.modules.base import Bounds, Case
from judge.modules.excerpt import excerpt
from judge.schemas import Evidence, EvidenceKind, Usage
from judge.tokens import count

Make = Callable[..., Case]
TRAIN = """import os
from model import Net


def train():
    net = Net()
    with open("results/metrics/score.txt", "w") as out:
        out.write(str(net.fit()))


if __name__ == "__main__":
    train()
"""
MODEL = """class Net:
    def fit(self):
        pass
"""


def png() -> bytes:
    from PIL import Image

    picture = Image.effect_noise((40, 30), 80)
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


def gather(case: Case, modules: Sequence[str] = DEFAULT_MODULES) -> list[Evidence]:
    return asyncio.run(Pipeline(modules).gather(case))


def located(found: Sequence[Evidence]) -> list[str]:
    return [item.path or "" for item in found if item.module == "locate" and item.kind == EvidenceKind.FILE]


def of(found: Sequence[Evidence], module: str, path: str) -> Evidence:
    return next(item for item in found if item.module == module and item.path == path)


def test_a_named_file_comes_first_and_is_read_with_line_numbers(make_case: Make) -> None:
    found = gather(make_case({"src/train.py": TRAIN, "src/model.py": MODEL, "a.md": "x"}, "Done in `src/train.py`."))
    assert located(found)[0] == "src/train.py"
    text = of(found, "read", "src/train.py").text
    assert text.splitlines()[0] == "1| import os" and "7|     with open" in text


def test_a_missing_artefact_leads_to_its_near_miss_and_its_writer(make_case: Make) -> None:
    files = {"src/train.py": TRAIN, "src/model.py": MODEL, "results/score.txt": "0.9\n"}
    found = gather(make_case(files, "The score is saved as `results/metrics/score.txt`."))
    note = next(item for item in found if item.kind == EvidenceKind.NOTE)
    assert "is not in the workspace" in note.text and "`results/score.txt`" in note.text
    assert located(found)[:2] == ["results/score.txt", "src/train.py"]
    relations = [item.text for item in found if item.kind == EvidenceKind.GRAPH]
    assert any("written by src/train.py:7 in train" in text for text in relations)


def test_stubs_are_told(make_case: Make) -> None:
    found = gather(make_case({"src/train.py": TRAIN, "src/model.py": MODEL}, "`Net` is implemented."))
    assert located(found)[0] == "src/model.py"
    assert "stub" in of(found, "graph", "src/model.py").text


def test_without_any_path_the_words_decide(make_case: Make) -> None:
    files = {
        "src/plot.py": "def draw_confusion_matrix(y):\n    return heatmap(y)\n",
        "src/load.py": "def read_rows(path):\n    return open(path)\n",
        "src/util.py": "def now():\n    return 1\n",
    }
    assert located(gather(make_case(files, "A confusion matrix is drawn.")))[0] == "src/plot.py"


def test_prerequisites_and_the_task_name_files_at_lower_rank(make_case: Make) -> None:
    files = {"a.py": "x = 1\n", "b.py": "y = 1\n", "c.py": "z = 1\n"}
    case = make_case(files, "It is done in `a.py`.", query="Write `c.py`.", earlier=("Data is read in `b.py`.",))
    assert located(gather(case)) == ["a.py", "b.py", "c.py"]


def test_a_folder_shows_what_is_in_it_and_an_empty_one_that_it_is_empty(make_case: Make) -> None:
    found = gather(make_case({"results/figures/a.png": png()}, "Figures are saved in `results/figures/`."))
    assert located(found) == ["results/figures/a.png"]
    artefact = of(found, "read", "results/figures/a.png")
    assert artefact.kind == EvidenceKind.ARTEFACT and artefact.text.startswith("[png")


class Seeing:
    """A model that sees, and is never asked."""

    id = "test:seeing"
    sees_images = True
    context_tokens = 100_000

    async def complete(self, request: Any) -> Any:
        raise AssertionError(request, Usage())

    async def close(self) -> None:
        pass


def test_images_go_to_models_that_see(make_case: Make) -> None:
    files = {"plot.png": png()}
    assert of(gather(make_case(files, "`plot.png` shows it.", model=Seeing())), "read", "plot.png").images
    assert not of(gather(make_case(files, "`plot.png` shows it.")), "read", "plot.png").images


def test_budgets_are_kept(make_case: Make) -> None:
    code = "\n".join(f"def part_{n}(x):\n    return x + {n}  # some words to fill the line\n" for n in range(800))
    files: dict[str, str | bytes] = {f"src/m{n}.py": code for n in range(6)}
    files["data.csv"] = "a,b\n" + "1,2\n" * 20_000
    bounds = Bounds(file_tokens=1_000, read_tokens=2_500, retrieve_tokens=900, step_tokens=300, map_tokens=400)
    steps = [{"thought": f"work on part_{n} " * 50, "environment": "row " * 5_000} for n in range(60)]
    case = make_case(files, "`src/m3.py` has part_400 and `data.csv`.", steps=steps, bounds=bounds)
    found = gather(case)
    read = [item for item in found if item.module == "read"]
    assert sum(item.tokens for item in read) <= 2_500 and all(item.tokens <= 1_000 for item in read)
    assert "def part_400" in of(found, "read", "src/m3.py").text
    taken = [item for item in found if item.kind == EvidenceKind.STEP]
    assert taken and sum(item.tokens for item in taken) <= 900 and all(item.tokens <= 300 for item in taken)
    assert found[0].kind == EvidenceKind.MAP and found[0].tokens <= 400


def test_late_steps_come_first_and_stand_in_order(make_case: Make) -> None:
    steps = [{"user_message": "the task"}] + [{"action": f"run train.py attempt {n}"} for n in range(1, 40)]
    bounds = Bounds(retrieve_tokens=150, step_tokens=60)
    case = make_case({"train.py": "x = 1\n"}, "`train.py` is run.", steps=steps, bounds=bounds)
    numbers = [item.step for item in gather(case) if item.step is not None]
    assert numbers == sorted(numbers) and numbers[-1] == 39 and min(numbers) > 25


def test_a_long_step_is_cut_in_its_middle(make_case: Make) -> None:
    output = "START " + "noise " * 5_000 + "Accuracy: 0.93 END"
    bounds = Bounds(step_tokens=200)
    case = make_case(
        {"a.py": "x = 1\n"}, "Accuracy is printed.", steps=[{}, {"action": "run", "environment": output}], bounds=bounds
    )
    step = next(item for item in gather(case) if item.step == 1)
    assert "START" in step.text and "Accuracy: 0.93 END" in step.text and "tokens cut" in step.text


def test_black_box_never_sees_the_trajectory(make_case: Make) -> None:
    from dataclasses import replace

    from judge.schemas import Setting

    case = make_case({"a.py": "x = 1\n"}, "`a.py`", steps=[{"action": "a.py"}, {"action": "a.py"}])
    assert any(item.step is not None for item in gather(case))
    assert all(item.step is None for item in gather(replace(case, setting=Setting.BLACK_BOX)))


@pytest.mark.parametrize("content", [b"", b"\x00\xff" * 100, b"\xff\xfeh\x00i\x00", "é\r\nü\r\n".encode("latin-1")])
def test_odd_contents_become_evidence_with_their_state(make_case: Make, content: bytes) -> None:
    found = gather(make_case({"odd.txt": content, "odd [1].py": content}, "`odd.txt` and `odd [1].py` exist."))
    assert set(located(found)) == {"odd.txt", "odd [1].py"}
    assert len([item for item in found if item.module == "read"]) == 2


def test_an_empty_workspace(make_case: Make) -> None:
    found = gather(make_case({}, "The model is saved as `m.pt`."))
    assert not located(found) and any(item.kind == EvidenceKind.NOTE for item in found)


@pytest.mark.parametrize("tokens", [60, 200, 1_000])
@pytest.mark.parametrize("line", ["word " * 30, "x" * 5_000, "ä" * 300])
def test_excerpts_never_pass_their_budget(tokens: int, line: str) -> None:
    text = "\n".join(f"{line} {number}" for number in range(500))
    shown, first, last = excerpt(text, tokens, "word 250", None)
    assert count(shown) <= tokens + 60 and 1 <= first <= last <= 500


def test_a_full_folder_leaves_room_for_the_code_that_fills_it(make_case: Make) -> None:
    files: dict[str, str | bytes] = {f"results/figures/f{n:02}.txt": "x" for n in range(20)}
    files["draw.py"] = "for n in range(20):\n    open(f'results/figures/f{n:02}.txt', 'w').write('x')\n"
    found = gather(make_case(files, "Figures are saved in `results/figures/`."))
    assert "draw.py" in located(found)
    note = next(item.text for item in found if item.kind == EvidenceKind.NOTE)
    assert "20 files" in note and "f19.txt" in note
