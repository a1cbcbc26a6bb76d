"""The whole way from the command to a real language model on the loopback.

Its verdicts are chance, so none is expected to be right: what is tested is that answers arrive in the form that was
asked for, that tokens are counted, and that what the model does wrong ends as ERROR.
"""

from __future__ import annotations

import asyncio
import json
import select
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.models import Message, Request, Role, open_model

ROOT = Path(__file__).resolve().parents[2]
MODEL = "openai:smollm2-135m-instruct"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("local-model")]


def _serve(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A started server and its address; skips where its packages cannot be installed."""
    command = ["bash", str(ROOT / "scripts" / "local-model"), *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    ready, _, _ = select.select([server.stdout], [], [], 240)
    url = server.stdout.readline().strip() if ready else ""
    if not url:
        server.kill()
        _, errors = server.communicate()
        pytest.skip(f"the local model does not start here: {errors.strip().splitlines()[-1:]}")
    return server, url


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a real model."""
    started, url = _serve()
    yield url
    started.terminate()
    started.communicate(timeout=30)


@pytest.fixture
def task(lab: Any) -> Any:
    """One task with two requirements."""
    lab.add("01_Greeting", [[], [0]])
    return lab


def _run(start: Callable[..., Any], task: Any, url: str, out: Path) -> tuple[int, str]:
    process = start("run", task.tasks, "-w", task.workspaces, "--base-url", url, "--model", MODEL, "-o", out, "-c", 1)
    _, errors = process.communicate(timeout=400)
    return process.returncode, errors


def test_a_run_against_a_real_model(start: Callable[..., Any], task: Any, server: str, tmp_path: Path) -> None:
    config = tmp_path / "cwd" / "judge.toml"
    config.write_text("max_output_tokens = 160\ntimeout = 200\nmax_retries = 0\n", encoding="utf-8")
    out = tmp_path / "run"
    code, errors = _run(start, task, server, out)
    assert code in {0, 3, 5}, errors
    lines = task.lines(out)
    assert [line["requirement_id"] for line in lines] == [0, 1]
    for line in lines:
        usage = line["usage"]
        assert usage["calls"] in {1, 2} and usage["output_tokens"] > 0 and usage["cost"] is None
        assert usage["input_tokens"] + usage["cache_read_tokens"] > 500
        if line["verdict"] == "ERROR":
            assert line["error"] and line["raw_answer"]
        else:
            assert line["verdict"] in {"SATISFIED", "UNSATISFIED"} and 0 <= line["confidence"] <= 1
    # The second requirement begins with the words of the first, which this server has at hand.
    assert lines[1]["usage"]["cache_read_tokens"] > 300
    judged = sum(line["verdict"] != "ERROR" for line in lines)
    again, _ = _run(start, task, server, out)
    assert again in {0, 3, 5}
    assert len(task.lines(out)) == 2 + (2 - judged), "what was judged is not asked again"


def test_a_schema_is_kept_by_the_server(server: str) -> None:
    schema = {
        "type": "object",
        "properties": {"verdict": {"type": "string", "enum": ["SATISFIED", "UNSATISFIED"]}},
        "required": ["verdict"],
        "additionalProperties": False,
    }
    request = Request((Message(Role.USER, "Is water wet?"),), schema=schema, max_output_tokens=60)

    async def ask() -> Any:
        model = open_model(MODEL, ModelSettings(base_url=server, keys={"OPENAI_API_KEY": Secret("none")}, timeout=120))
        try:
            return await model.complete(request)
        finally:
            await model.close()

    reply = asyncio.run(ask())
    assert reply.structured
    assert json.loads(reply.text)["verdict"] in {"SATISFIED", "UNSATISFIED"}
    assert reply.usage.output_tokens > 0
