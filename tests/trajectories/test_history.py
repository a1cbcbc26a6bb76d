from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.trajectories import Effect, FileHistory, Origin, file_history, load_trajectory
from tests.trajectories.steps import CELL, TRACE, history


def events(found: FileHistory) -> list[tuple[str, str]]:
    return [(event.effect.value, event.path) for event in found.all_events if not event.failed]


def test_the_official_trajectory(shared_dir: Path) -> None:
    name = "39_Drug_Response_Prediction_SVM_GDSC_ML.json"
    found = file_history(load_trajectory(shared_dir / "devai" / "trajectories" / "OpenHands" / name))
    assert [(run.step, run.script, run.outcome.value) for run in found.runs] == [
        (8, "src/train.py", "error"),
        (11, "src/train.py", "error"),
        (17, "src/train.py", "ok"),
    ]
    assert found.runs[0].error_path == "src/train.py" and found.runs[0].error_line == 23
    assert "sklearn" in found.runs[1].error
    assert found.hand_written("src/train.py") is True
    assert found.never_executed("src/train.py") is False
    assert found.crashed_after_write("/workspace/src/train.py") is False
    assert found.hand_written("results/drug_response_prediction_report.pdf") is False
    assert 9 not in [event.step for event in found.events("src/train.py") if not event.failed]
    assert found.hand_written("path_to_gdsc_dataset.csv") is False
    assert found.opaque_steps == ()


@pytest.mark.parametrize(
    "action",
    [
        "echo 'Accuracy: 0.97' > results/metrics.txt",
        "printf 'Accuracy: 0.97\\n' | tee results/metrics.txt",
        "cd results && cat > metrics.txt <<'EOF'\nAccuracy: 0.97\nEOF",
        "cat <<EOF > ./results//metrics.txt\nAccuracy: 0.97\nEOF\n",
        "Running command: mkdir -p results && echo 'Accuracy: 0.97' > /workspace/results/metrics.txt",
        "$ echo 'Accuracy: 0.97' > results/metrics.txt",
        "```bash\necho 'Accuracy: 0.97' > results/metrics.txt\n```",
        "<execute_bash>\necho 'Accuracy: 0.97' > results/metrics.txt\n</execute_bash>",
        "bash -lc \"echo 'Accuracy: 0.97' > results/metrics.txt\"",
        CELL + "with open('results/metrics.txt', 'w') as f:\n    f.write('Accuracy: 0.97\\n')",
        CELL + "from pathlib import Path\nPath('results/metrics.txt').write_text('Accuracy: 0.97')",
        CELL + "p = 'results/metrics.txt'\ntext = '''Accuracy: 0.97'''\nopen(p, 'w').write(text)",
        CELL + "import json\nwith open('results/metrics.txt', 'w') as f:\n    json.dump({'Accuracy': 0.97}, f)",
        CELL + "%%writefile results/metrics.txt\nAccuracy: 0.97",
        "python - <<'EOF'\nopen('results/metrics.txt', 'w').write('Accuracy: 0.97')\nEOF",
        "python3 -c \"open('results/metrics.txt','w').write('Accuracy: 0.97')\"",
        "Write file: results/metrics.txt\nAccuracy: 0.97",
        "Creating file `results/metrics.txt`:\n```\nAccuracy: 0.97\n```",
        json.dumps({"command": "create", "path": "/workspace/results/metrics.txt", "file_text": "Accuracy: 0.97"}),
        json.dumps(
            {"name": "write_file", "arguments": {"file_path": "results/metrics.txt", "content": "Accuracy: 0.97"}}
        ),
        json.dumps(
            {
                "function": {
                    "name": "Write",
                    "arguments": '{"file_path": "results/metrics.txt", "content": "Accuracy: 0.97"}',
                }
            }
        ),
        'str_replace_editor {"command": "create", "path": "results/metrics.txt", "file_text": "Accuracy: 0.97"}',
        "<function=str_replace_editor>\n<parameter=command>create</parameter>\n<parameter=path>/workspace/results/metrics.txt"
        "</parameter>\n<parameter=file_text>\nAccuracy: 0.97\n</parameter>\n</function>",
        "write_file(path='results/metrics.txt', content='Accuracy: 0.97')",
        "write_file\npath: results/metrics.txt\ncontent: Accuracy: 0.97",
        "*** Begin Patch\n*** Add File: results/metrics.txt\n+Accuracy: 0.97\n*** End Patch",
        json.dumps({"command": ["bash", "-lc", "echo 'Accuracy: 0.97' > results/metrics.txt"]}),
        json.dumps({"tool": "bash", "input": {"command": "echo 'Accuracy: 0.97' > results/metrics.txt"}}),
        "results/metrics.txt\n<<<<<<< SEARCH\n=======\nAccuracy: 0.97\n>>>>>>> REPLACE\n",
    ],
)
def test_content_typed_in_by_hand_is_told_in_every_dialect(action: str) -> None:
    found = history(action)
    assert found.hand_written("results/metrics.txt") is True, events(found)
    last = found.last_write("/workspace/results/metrics.txt")
    assert last is not None and last.origin is Origin.HAND
    assert "0.97" in (last.content or "0.97")


@pytest.mark.parametrize(
    "action",
    [
        "python src/train.py > results/metrics.txt",
        "python src/train.py 2>&1 | tee results/metrics.txt",
        CELL + "df.to_csv('results/metrics.txt')",
        CELL + "with open('results/metrics.txt', 'w') as f:\n    f.write(f'Accuracy: {acc}')",
        CELL + "import json\nwith open('results/metrics.txt', 'w') as f:\n    json.dump(metrics, f)",
        "sort data.txt > results/metrics.txt",
        "pandoc a.md -o results/metrics.txt",
    ],
)
def test_content_made_by_a_program_is_not_by_hand(action: str) -> None:
    assert history(action).hand_written("results/metrics.txt") is False


@pytest.mark.parametrize(
    "action",
    [
        'echo "Accuracy: $ACC" > results/metrics.txt',
        "echo done",
        "if true; then echo x > results/metrics.txt; fi",
        "I will now write results/metrics.txt with echo 'x' > results/metrics.txt",
        CELL + "if ok:\n    open('results/metrics.txt', 'w').write('x')",
        CELL + "open(name, 'w').write('x')",
        "echo x > $OUT/metrics.txt",
        "touch results/other.txt",
    ],
)
def test_what_is_not_certain_is_unknown(action: str) -> None:
    assert history(action).hand_written("results/metrics.txt") is None


def test_copies_and_moves_keep_what_they_copy() -> None:
    found = history("echo x > a.txt", "cp a.txt b.txt", "mv b.txt out/", "python t.py > c.txt && cp c.txt d.txt")
    assert found.hand_written("out/b.txt") is True
    assert found.hand_written("d.txt") is False
    assert found.deleted("b.txt") is True and found.deleted("a.txt") is False


def test_an_edit_by_hand_of_a_made_file_is_mixed() -> None:
    assert history("python t.py > m.txt", "sed -i 's/0.5/0.9/' m.txt").hand_written("m.txt") is None


@pytest.mark.parametrize(
    ("action", "script"),
    [
        ("python src/train.py", "src/train.py"),
        ("cd src && python3.11 train.py --epochs 3", "src/train.py"),
        ("CUDA_VISIBLE_DEVICES=0 timeout 60 python -u /workspace/src/train.py", "src/train.py"),
        ("python -m src.train", "src/train.py"),
        ("sudo -u me nohup python src/train.py", "src/train.py"),
        ("uv run python src/train.py", "src/train.py"),
        ("conda run -n env python src/train.py", "src/train.py"),
        ("./src/train.py", "src/train.py"),
        (CELL + "!python src/train.py", "src/train.py"),
        (CELL + "%run src/train.py", "src/train.py"),
        (
            CELL + "import subprocess, sys\nsubprocess.run([sys.executable, 'src/train.py'])",
            "src/train.py",
        ),
        (CELL + "exec(open('src/train.py').read())", "src/train.py"),
        ("bash run.sh", "run.sh"),
        ("node app.js", "app.js"),
        ("Rscript a.R", "a.R"),
        ("python -m pytest -q tests/test_a.py::test_b", "tests/test_a.py"),
        ("streamlit run src/app.py --server.port 8501", "src/app.py"),
        ("uvicorn src.api:app --port 80", "src/api.py"),
        ("python -m cProfile -s time src/train.py", "src/train.py"),
        ("jupyter nbconvert --to notebook --execute nb.ipynb", "nb.ipynb"),
    ],
)
def test_runs_are_found_behind_wrappers(action: str, script: str) -> None:
    (run,) = history(action).runs
    assert run.script == script


@pytest.mark.parametrize(
    "action", ["pip install x", "python -m pip install x", "python --version", "ls", "cat src/train.py", "which python"]
)
def test_tools_are_no_runs(action: str) -> None:
    assert history(action).runs == ()


def test_crashes_after_the_last_write() -> None:
    write = "cat > src/train.py <<'E'\nprint(1)\nE"
    assert history(write, ("python src/train.py", TRACE)).crashed_after_write("src/train.py") is True
    assert history(write, ("python src/train.py", TRACE), write).crashed_after_write("src/train.py") is None
    assert (
        history(write, ("python src/train.py", TRACE), "python src/train.py").crashed_after_write("src/train.py")
        is False
    )
    assert history(write, ("python src/train.py", None)).crashed_after_write("src/train.py") is None
    assert history(("python src/train.py > out.txt", TRACE + "exit code: 1")).crashed_after_write("out.txt") is True


def test_never_executed_is_only_said_when_nothing_may_have_used_it() -> None:
    write = "Write file: src/train.py\nprint(1)"
    assert history(write).never_executed("src/train.py") is True
    assert history(write, "python src/train.py").never_executed("src/train.py") is False
    assert history(write, "Write file: main.py\nprint(2)", "python main.py").never_executed("src/train.py") is True
    assert history(write, "Write file: main.py\nimport train", "python main.py").never_executed("src/train.py") is None
    assert history(write, "python unseen.py").never_executed("src/train.py") is None
    cell = CELL + "from src.train import main\nmain()"
    assert history(write, cell).never_executed("src/train.py") is None
    assert history(write, "python -c 'print(1)'").never_executed("src/train.py") is None
    assert history(write, "make all").never_executed("src/train.py") is None
    assert history(write, "Do something strange").never_executed("src/train.py") is None


def test_removals_of_folders_and_patterns_reach_the_files() -> None:
    found = history("echo a > out/a.txt; echo b > out/b.png; echo c > out/sub/c.png", "rm out/*.png")
    assert [found.deleted(p) for p in ("out/a.txt", "out/b.png", "out/sub/c.png")] == [False, True, False]
    found = history("echo a > out/a.txt", "rm -rf /workspace/out")
    assert found.deleted("out/a.txt") is True
    found = history("echo a > out/a.txt", "rm -rf out", "echo b > out/a.txt")
    assert found.deleted("out/a.txt") is False
    found = history("echo a > out/a.txt", CELL + "import shutil\nshutil.rmtree('out')")
    assert found.deleted("out/a.txt") is True
    assert history("echo a > a.txt", "test -f b && rm a.txt").deleted("a.txt") in {True, None}
    found = history("echo a > old/a.txt", "mv old new")
    assert found.deleted("old/a.txt") is True and found.hand_written("new/a.txt") is True


def test_failed_writes_did_not_happen() -> None:
    found = history(("echo x > no/a.txt", "bash: no/a.txt: No such file or directory"))
    assert found.last_write("no/a.txt") is None and len(found.events("no/a.txt")) == 1
    edit = json.dumps({"command": "str_replace", "path": "a.py", "old_str": "a", "new_str": "b"})
    assert history((edit, "No replacement was performed, old_str did not appear verbatim")).last_write("a.py") is None
    cell = CELL + "open('a.txt', 'w').write('x'"
    assert history(cell).events("a.txt") == ()


def test_folders_are_followed() -> None:
    assert events(history("cd src; echo a > x.txt; cd ..; echo b > y.txt")) == [
        ("written", "src/x.txt"),
        ("written", "y.txt"),
    ]
    assert events(history("(cd src && echo a > x.txt) && echo b > y.txt")) == [
        ("written", "src/x.txt"),
        ("written", "y.txt"),
    ]
    assert events(history("cd $DIR && echo a > x.txt")) == []
    assert events(history("cd src", "echo a > x.txt")) == [("written", "src/x.txt")]
    assert events(history("cd src && ls", "echo a > x.txt")) == [("written", "x.txt")]
    found = history("cd /app/src && echo a > x.txt", "cd /app && echo b > y.txt")
    assert events(found) == [("written", "src/x.txt"), ("written", "y.txt")]
    prompt = "me@box:/workspace/src $ "
    assert events(history(("cd src && ls", prompt), "echo a > x.txt")) == [("written", "src/x.txt")]
    assert events(history("cd /home/me/project && echo a > x.txt", "python /home/me/project/x.py"))[0] == (
        "written",
        "x.txt",
    )


def test_other_roots_are_found_by_their_end() -> None:
    found = history("echo a > /srv/job/src/x.txt", "python /srv/job/src/t.py")
    assert found.hand_written("src/x.txt") is True
    assert found.events("x.txt") != () or found.events("nothing.txt") == ()


def test_touch_makes_empty_files_but_keeps_full_ones() -> None:
    found = history("touch a.txt", "echo x > b.txt", "touch b.txt")
    assert found.hand_written("a.txt") is True
    last = found.last_write("b.txt")
    assert last is not None and last.step == 1


def test_writers_named_points_at_scripts() -> None:
    found = history("Write file: src/t.py\nopen('results/m.txt', 'w')")
    assert [event.path for event in found.writers_named("results/m.txt")] == ["src/t.py"]


def test_edits_reads_and_patches() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Move to: b.py\n*** Delete File: c.py\n*** End Patch"
    )
    assert ("removed", "c.py") in events(history(patch))
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    assert events(history(diff)) == [("edited", "a.py")]
    read = json.dumps({"name": "read_file", "arguments": {"path": "a.py"}})
    assert events(history(read)) == [("read", "a.py")]
    view = json.dumps({"command": "view", "path": "/workspace/a.py", "view_range": [1, 2]})
    assert events(history(view)) == [("read", "a.py")]
    edit = json.dumps({"name": "Edit", "input": {"file_path": "a.py", "old_string": "x", "new_string": "y"}})
    assert events(history(edit)) == [("edited", "a.py")]
    assert [e.effect for e in history("cat a.txt | head -5").all_events] == [Effect.READ]
