"""Sound, video and figures as artefacts: silent, frozen, cut, and what is written on them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.readers.ocr import ocr_installed
from judge.schemas import Judgment
from tests.readers.formats.makers import figure, sound, video
from tests.rules.conftest import JudgeIt

SAVES = (
    "import shutil\n\ndef main():\n    open('{path}', 'wb').write(render())\n\nif __name__ == '__main__':\n    main()\n"
)


def made(tmp_path: Path, name: str, make: Callable[..., None], *args: object, **options: object) -> bytes:
    path = tmp_path / name
    make(path, *args, **options)
    return path.read_bytes()


def judged(judge_it: JudgeIt, criterion: str, path: str, data: bytes) -> Judgment:
    return judge_it(criterion, {path: data, "main.py": SAVES.format(path=path)})


@pytest.mark.parametrize(
    ("name", "make", "args", "options", "why"),
    [
        ("a.mp4", video, ("libx264",), {"moving": False}, "one and the same picture"),
        ("a.mp4", video, ("libx264",), {"blank": True}, "blank"),
        ("a.mp3", sound, ("libmp3lame",), {"loudness": 0}, "silence"),
    ],
)
def test_nothing_to_see_or_hear_is_unsound(
    tmp_path: Path,
    judge_it: JudgeIt,
    name: str,
    make: Callable[..., None],
    args: tuple[str],
    options: dict[str, object],
    why: str,
) -> None:
    pytest.importorskip("av")
    kind = "video of the simulation" if name.endswith("mp4") else "generated audio"
    criterion = f"The {kind} is saved as `results/{name}`."
    bad = judged(judge_it, criterion, f"results/{name}", made(tmp_path, name, make, *args, **options))
    assert bad.verdict.value == "UNSATISFIED"
    assert why in bad.reason
    good = judged(judge_it, criterion, f"results/{name}", made(tmp_path, name, make, *args))
    assert good.verdict.value == "SATISFIED", good.reason


@pytest.mark.parametrize("name", ["a.mp3", "a.mp4"])
def test_half_a_file_is_unsound(tmp_path: Path, judge_it: JudgeIt, name: str) -> None:
    pytest.importorskip("av")
    data = made(tmp_path, name, *((sound, "libmp3lame") if name == "a.mp3" else (video, "libx264")))
    found = judged(judge_it, f"The output is saved as `results/{name}`.", f"results/{name}", data[: len(data) // 2])
    assert found.verdict.value == "UNSATISFIED"
    assert "damaged" in found.reason


@pytest.mark.skipif(not ocr_installed(), reason="needs judge[ocr]")
def test_what_is_written_on_a_figure_is_a_finding(judge_it: JudgeIt) -> None:
    out = io.BytesIO()
    figure(title="Confusion matrix of the test set").save(out, "PNG")
    criterion = "A confusion matrix is saved as `results/figure.png`."
    found = judge_it(
        criterion, {"results/figure.png": out.getvalue(), "main.py": SAVES.format(path="results/figure.png")}
    )
    assert found.verdict.value == "SATISFIED", found.reason
    assert found.confidence < 0.8
    out = io.BytesIO()
    figure(title="Something else").save(out, "PNG")
    other = judge_it(
        criterion, {"results/figure.png": out.getvalue(), "main.py": SAVES.format(path="results/figure.png")}
    )
    assert other.verdict.value == "UNSATISFIED", other.reason
