"""The action ``judge score``: its script runs as on a runner, and nothing a submission says steers the runner."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ACTION = ROOT / ".github" / "actions" / "score"
WORKFLOWS = ROOT / ".github" / "workflows"
EVIL = "::set-output name=score::100\n::error::owned\n::add-mask::a\n##[error]x"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")

_JUDGE = """#!{python} -I
import json, os, pathlib, sys
arguments = sys.argv[1:]
out = pathlib.Path(arguments[arguments.index("--out") + 1])
print({evil!r})
(out / "arguments.json").write_text(json.dumps(arguments))
(out / "environment.json").write_text(json.dumps(dict(os.environ)))
for name, text in json.loads({files!r}).items():
    (out / name).write_text(text, encoding="utf-8")
sys.exit({code})
"""


def _report(*totals: float, error: str = "") -> str:
    return json.dumps({"submissions": [{"total": total, "error": error} for total in totals]})


class Runner:
    """A runner with a fake judge on its path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "out"
        self.summary = folder / "summary.md"
        self.output = folder / "output.txt"
        self.bin = folder / "bin"
        self.bin.mkdir()

    def judge(self, files: dict[str, str], code: int = 0) -> None:
        """Puts the judge there: it writes files and ends with a code."""
        text = _JUDGE.format(python=sys.executable, evil=EVIL, files=json.dumps(files), code=code)
        self.program("judge", text)

    def program(self, name: str, text: str) -> None:
        first, _, rest = text.partition("\n")
        if first.startswith(f"#!{sys.executable}"):  # a path with a space is none for the system
            (self.bin / f"{name}.py").write_text(rest, encoding="utf-8")
            text = f'#!/bin/sh\nexec "{sys.executable}" -I "$0.py" "$@"\n'
        (self.bin / name).write_text(text, encoding="utf-8")
        (self.bin / name).chmod(0o755)

    def run(self, script: str = "run.sh", **more: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "JUDGE_PYTHON": sys.executable,
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "SCORE_SUITE": "suite.yaml",
            "SCORE_SUBMISSIONS": "a.py\n\n  \nb folder\r\n-c.py",
            "SCORE_OUT": str(self.out),
            **more,
        }
        command = ["bash", str(ACTION / script)]
        return subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True, check=False)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


GOOD = {"score.json": _report(88.88, 71.27), "score.md": "### judge score: a\n", "badge.svg": "<svg/>"}


def test_outputs_and_summary(runner: Runner) -> None:
    runner.judge(GOOD)
    done = runner.run(SCORE_FAIL_UNDER="70.5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert runner.output.read_text().splitlines() == [
        "score=71.2",
        f"report={runner.out}",
        f"badge={runner.out}/badge.svg",
    ]
    assert runner.summary.read_text() == GOOD["score.md"]
    assert json.loads((runner.out / "arguments.json").read_text()) == [
        "score", "submissions", "--out", str(runner.out), "--sandbox", "best", "--fresh", "--fail-under", "70.5", "--",
        "suite.yaml", "a.py", "b folder", "-c.py",
    ]  # fmt: skip


def test_commands_in_the_log_are_switched_off(runner: Runner) -> None:
    runner.judge(GOOD)
    lines = runner.run().stdout.splitlines()
    stops = [place for place, line in enumerate(lines) if line.startswith("::stop-commands::")]
    token = lines[stops[0]].removeprefix("::stop-commands::")
    assert len(stops) == 1 and re.fullmatch(r"[0-9a-f]{64}", token)
    resumed = lines.index(f"::{token}::")
    evil = [place for place, line in enumerate(lines) if line in EVIL.splitlines()]
    assert len(evil) == 4 and stops[0] < min(evil) <= max(evil) < resumed
    assert lines.count(f"::{token}::") == 1


def test_the_judge_does_not_see_the_files_of_the_runner(runner: Runner) -> None:
    runner.judge(GOOD)
    runner.run(GITHUB_ENV=str(runner.folder / "env"), GITHUB_TOKEN="x", GITHUB_PATH="y")
    seen = json.loads((runner.out / "environment.json").read_text())
    assert not {"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_TOKEN"} & set(seen)


@pytest.mark.parametrize(("code", "said"), [(1, "71.2, is below 90"), (2, "ended with 2"), (5, "Not every submission")])
def test_it_ends_like_the_judge(runner: Runner, code: int, said: str) -> None:
    runner.judge(GOOD, code)
    done = runner.run(SCORE_FAIL_UNDER="90")
    assert done.returncode == code
    assert [
        line for line in done.stdout.splitlines() if line.startswith("::error title=judge score::") and said in line
    ]
    assert runner.summary.exists() and "score=71.2" in runner.output.read_text()


@pytest.mark.parametrize(
    "score",
    [
        _report(),
        _report(80.0, error="x"),
        "not json",
        json.dumps({"submissions": [{"total": "1\nbadge=evil", "error": ""}]}),
        json.dumps({"submissions": [{"total": float("nan"), "error": ""}]}),
        json.dumps({"submissions": [{"total": 1e300, "error": ""}]}),
        json.dumps([1]),
    ],
)
def test_a_score_that_is_none_is_empty(runner: Runner, score: str) -> None:
    runner.judge({"score.json": score})
    done = runner.run()
    assert done.returncode == 0
    assert runner.output.read_text().splitlines() == ["score=", f"report={runner.out}"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"SCORE_SUITE": ""},
        {"SCORE_SUITE": "a\nb"},
        {"SCORE_SUBMISSIONS": " \n"},
        {"SCORE_FAIL_UNDER": "70; id"},
        {"SCORE_FAIL_UNDER": "-1"},
        {"SCORE_SANDBOX": "off"},
        {"SCORE_OUT": "a\nbadge=evil"},
    ],
)
def test_wrong_inputs_are_refused(runner: Runner, wrong: dict[str, str]) -> None:
    runner.judge(GOOD)
    done = runner.run(**wrong)
    assert done.returncode == 2
    assert done.stdout.startswith("::error title=judge score::The ")
    assert not runner.output.exists() and not (runner.out / "arguments.json").exists()


def test_results_that_lie_there_already_are_refused(runner: Runner) -> None:
    runner.judge(GOOD)
    runner.out.mkdir()
    (runner.out / "submissions.jsonl").write_text("{}")
    assert runner.run().returncode == 2
    link = runner.folder / "link"
    link.symlink_to(runner.folder / "elsewhere")
    assert runner.run(SCORE_OUT=str(link)).returncode == 2
    assert runner.run(SCORE_OUT=str(runner.folder / "new")).returncode == 0


def test_links_in_place_of_reports_are_not_followed(runner: Runner) -> None:
    secret = runner.folder / "secret"
    secret.write_text("secret")
    runner.program("judge", f'#!/bin/bash\nln -s "{secret}" "$4/score.md"; ln -s "{secret}" "$4/badge.svg"\n')
    assert runner.run().returncode == 0
    assert not runner.summary.exists()
    assert "badge" not in runner.output.read_text()


def test_the_action_passes_inputs_only_as_data() -> None:
    action = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    assert set(action["inputs"]) == {"suite", "submissions", "fail-under", "python-version", "sandbox", "out"}
    assert {"score", "badge"} <= set(action["outputs"])
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert "uses" not in step or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"])
    script = (ACTION / "run.sh").read_text(encoding="utf-8")
    given = set(re.findall(r"\$\{(SCORE_\w+)", script))
    assert given == {name for name in action["runs"]["steps"][1]["env"] if name.startswith("SCORE_")}


@pytest.mark.parametrize("name", ["score-example.yml", "score-example-comment.yml"])
def test_the_workflows_hand_nothing_to_a_shell(name: str) -> None:
    workflow: dict[Any, Any] = yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))
    assert "pull_request_target" not in workflow[True]
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_the_scoring_job_has_no_secret_and_no_right_to_write() -> None:
    text = (WORKFLOWS / "score-example.yml").read_text(encoding="utf-8")
    assert "secrets." not in text and "github.token" not in text and "write" not in text.replace("GITHUB_", "")
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_the_comment_follows_the_scoring_and_checks_out_no_pull_request() -> None:
    scoring = yaml.safe_load((WORKFLOWS / "score-example.yml").read_text(encoding="utf-8"))
    comment = yaml.safe_load((WORKFLOWS / "score-example-comment.yml").read_text(encoding="utf-8"))
    assert comment[True]["workflow_run"]["workflows"] == [scoring["name"]]
    job = comment["jobs"]["comment"]
    assert job["permissions"] == {"contents": "read", "actions": "read", "pull-requests": "write"}
    assert job["steps"][0]["with"]["ref"] == "${{ github.event.repository.default_branch }}"
    uploaded = scoring["jobs"]["score"]["steps"][-1]["with"]["name"]
    assert f"ARTIFACT:-{uploaded}" in (ACTION / "comment.sh").read_text(encoding="utf-8")


def _body(path: Path) -> str:
    spec = importlib.util.spec_from_file_location("comment_body", ACTION / "comment_body.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text: str = module.body(str(path))
    return text


def _artifact(path: Path, text: str, name: str = "score.md") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return path


HEAD = "### judge score: a: 3.0 of 100\n"


@pytest.mark.parametrize(
    "text",
    [
        "something else",
        HEAD + "@octocat",
        HEAD + "[a](b)",
        HEAD + "[a]: b",
        HEAD + "![a](b)",
        HEAD + "https://evil.example",
        HEAD + "<img src=x>",
        HEAD + "<details open>",
        HEAD + "<!-- x -->",
        HEAD + "<b",
        HEAD + "`code`",
        HEAD + "a\x1b[31m",
        HEAD + "a\u202eb",
        HEAD + "x" * 66_000,
    ],
)
def test_a_forged_report_is_not_posted(tmp_path: Path, text: str) -> None:
    found = _body(_artifact(tmp_path / "a.zip", text))
    assert "did not pass the check" in found and "octocat" not in found and len(found) < 200


def test_a_broken_artifact_is_not_posted(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(b"PK no zip")
    assert "did not pass" in _body(tmp_path / "b.zip")
    assert "did not pass" in _body(_artifact(tmp_path / "c.zip", HEAD, "../score.md"))
    assert "did not pass" in _body(_artifact(tmp_path / "d.zip", HEAD + "0" * 20_000_000))


_GH = """#!{python} -I
import json, pathlib, sys
arguments = sys.argv[1:]
place = next(item for item in arguments if item.startswith("repos/"))
with open({log!r}, "a") as file:
    file.write(json.dumps(arguments) + "\\n")
if place.endswith("/pulls"):
    print({number!r})
elif place.endswith("/artifacts"):
    print({artifact!r})
elif place.endswith("/zip"):
    sys.stdout.buffer.write(pathlib.Path({zip!r}).read_bytes())
elif place.endswith("/comments") and "POST" not in arguments:
    print({comment!r})
else:
    body = next(item for item in arguments if item.startswith("body=@"))
    pathlib.Path({posted!r}).write_text(pathlib.Path(body[6:]).read_text())
"""


def _comment(runner: Runner, number: str = "7", artifact: str = "3 1000", comment: str = "") -> tuple[Any, list[Any]]:
    log, posted = runner.folder / "log", runner.folder / "posted"
    _artifact(runner.folder / "a.zip", HEAD + "| a |\n")
    paths = {"log": str(log), "posted": str(posted), "zip": str(runner.folder / "a.zip"), "python": sys.executable}
    runner.program("gh", _GH.format(number=number, artifact=artifact, comment=comment, **paths))
    event = {"RUN_ID": "5", "HEAD_OWNER": "someone", "HEAD_BRANCH": "$(id)", "HEAD_SHA": "a" * 40}
    done = runner.run("comment.sh", GITHUB_REPOSITORY="o/r", GH_TOKEN="t", TMPDIR=str(runner.folder), **event)
    return done, [json.loads(line) for line in log.read_text().splitlines()]


def test_a_comment_is_posted_where_the_event_says(runner: Runner) -> None:
    done, calls = _comment(runner)
    assert done.returncode == 0, done.stderr
    assert "head=someone:$(id)" in calls[0]
    assert "repos/o/r/issues/7/comments" in calls[-1] and "POST" in calls[-1]
    assert (runner.folder / "posted").read_text() == f"<!-- judge-score -->\n{HEAD}| a |\n"


def test_a_comment_that_is_there_is_renewed(runner: Runner) -> None:
    done, calls = _comment(runner, comment="99")
    assert done.returncode == 0
    assert "repos/o/r/issues/comments/99" in calls[-1] and "PATCH" in calls[-1]


@pytest.mark.parametrize(
    ("number", "artifact", "said"),
    [("", "3 1000", "No open pull request"), ("7", "", "left no report"), ("7", "3 99999999999999", "too big")],
)
def test_nothing_is_posted_without_pull_request_or_report(
    runner: Runner, number: str, artifact: str, said: str
) -> None:
    done, calls = _comment(runner, number, artifact)
    assert done.returncode == 0 and said in done.stdout
    assert not (runner.folder / "posted").exists()
    assert not [call for call in calls if "POST" in call or "PATCH" in call]
