"""Keys are in no output, and secrets of a workspace reach no server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_run_batch import Server as Batches
from tests.models.conftest import Answer, Server, openai_body

KEY = "sk-canary-Zq7x9K2mPw4vT8nL3bY6hJ1dR5gF0sXcQe"
SECRETS = {
    "aws": "AKIAZ7QXJ4MPN2VKT5WB",
    "github": "ghp_Zq7x9K2mPw4vT8nL3bY6hJ1dR5gF0sXcQe12",
    "openai": "sk-proj-aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cE3gI5kM7oQ9sU1w",
    "anthropic": "sk-ant-api03-Zq7x9K2mPw4vT8nL3bY6hJ1dR5gF0sXcQe-9f8e7d6c5b4a",
    "google": "AIzaSyD4x7Kq9mPw2vT8nL3bY6hJ1dR5gF0sXcQ",
    "slack": "xoxb-2847561930-5738291046-Kq9mPw2vT8nL3bY6hJ1dR5gF",
    "stripe": "sk_live_Kq9mPw2vT8nL3bY6hJ1dR5gF",
    "jwt": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI4NDczOTEwMjU2In0.Kq9mPw2vT8nL3bY6hJ1dR5gF0sXcQe7zU4iO",
    "url": "postgres://keeper:Kq9mPw2vT8nL3bY6@db.example.org/tides",
    "assignment": 'api_key = "Kq9mPw2vT8nL3bY6hJ1dR5gF0sXcQe7z"',
    "basic": "Authorization: Basic a2VlcGVyOktxOW1QdzJ2VDhuTDNiWTY=",
    "private key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDKq9mPw2vT8nL3\n"
    "-----END PRIVATE KEY-----",
}
CORES = {
    **SECRETS,
    "url": "Kq9mPw2vT8nL3bY6@",
    "assignment": "Kq9mPw2vT8nL3bY6hJ1dR5gF0sXcQe7z",
    "basic": "a2VlcGVyOktxOW1QdzJ2VDhuTDNiWTY",
    "private key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
}
"""What must not be seen of each."""


@pytest.fixture
def batches() -> Iterator[Batches]:
    found = Batches()
    thread = threading.Thread(target=found.http.serve_forever, daemon=True)
    thread.start()
    yield found
    found.http.shutdown()
    found.http.server_close()
    thread.join()


@pytest.fixture
def place(lab: Any, tmp_path: Path) -> Any:
    lab.add("01_A", [[], []])
    lab.folder = tmp_path / "work"
    lab.folder.mkdir()
    return lab


def judge(place: Any, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("JUDGE_", "OPENAI_", "ANTHROPIC_"))
    }
    command = [sys.executable, "-m", "judge", *map(str, arguments)]
    return subprocess.run(
        command, cwd=place.folder, env=env | environment, capture_output=True, text=True, timeout=120, check=False
    )


def everywhere(place: Any, *texts: str) -> Iterator[tuple[str, bytes]]:
    """All that the program wrote: what it printed, its run folders, its caches."""
    for text in texts:
        yield "printed", text.encode("utf-8", "surrogateescape")
    for root in (place.folder, Path(os.environ["XDG_CACHE_HOME"])):
        for path in root.rglob("*"):
            if path.is_file() and path.name != "judge.toml":
                yield str(path), path.read_bytes()


def no_key(place: Any, *texts: str) -> None:
    found = [name for name, data in everywhere(place, *texts) if KEY.encode() in data]
    assert not found, found


def test_the_search_for_the_key_finds_it(place: Any) -> None:
    (place.folder / "leak.txt").write_text(f"key {KEY}")
    with pytest.raises(AssertionError, match=r"leak\.txt"):
        no_key(place)


@pytest.mark.parametrize("debug", [False, True], ids=["plain", "debug"])
@pytest.mark.parametrize("trouble", ["none", "401 with the key", "500 with the key", "cut", "refused"])
def test_a_key_is_in_no_output(place: Any, server: Server, trouble: str, debug: bool) -> None:
    url = server.url
    if trouble.endswith("with the key"):
        echo = {"error": {"message": f"Incorrect API key provided: {KEY}.", "code": f"bad {KEY}"}}
        server.will(Answer(echo, status=int(trouble[:3]), headers={"x-request-id": KEY}))
    elif trouble == "cut":
        server.will(Answer(f"<html>{KEY}".encode(), headers={"content-type": "text/html"}))
    elif trouble == "refused":
        server.close()
    flags = ["--debug"] if debug else []
    given = ("-w", place.workspaces, "-m", "openai:some-model", "--base-url", f"{url}/v1", "--max-retries", 0)
    ran = judge(place, *flags, "run", place.tasks, *given, "--out", "out", "--details", OPENAI_API_KEY=KEY)
    more = [ran]
    if not debug and trouble in ("none", "401 with the key"):
        more += [judge(place, "ask", place.workspaces / "01_A", "What is it?", *given[2:], OPENAI_API_KEY=KEY)]
        more += [judge(place, "doctor", "-m", "openai:some-model", "--base-url", f"{url}/v1", OPENAI_API_KEY=KEY)]
        more += [judge(place, "report", "out", "--format", "html", "--format", "json")]
    if trouble == "none":
        assert ran.returncode == 0, ran.stderr
        assert server.hits and all(KEY in hit.headers.get("authorization", "") for hit in server.hits)
        assert not [hit for hit in server.hits if KEY.encode() in hit.raw or KEY in hit.path]
    else:
        assert ran.returncode != 0
    no_key(place, *(part for item in more for part in (item.stdout, item.stderr)))


def test_a_key_of_a_named_server_is_in_no_output(place: Any, server: Server) -> None:
    (place.folder / "judge.toml").write_text(f'[servers.lab]\nbase_url = "{server.url}/v1"\napi_key_env = "LAB_KEY"\n')
    given = ("-w", place.workspaces, "-m", "openai-compatible:lab/some", "--out", "out")
    ran = judge(place, "run", place.tasks, *given, LAB_KEY=KEY)
    no_key(place, ran.stdout, ran.stderr)
    if ran.returncode == 0:
        assert any(KEY in hit.headers.get("authorization", "") for hit in server.hits)


def test_a_key_is_in_no_output_of_a_sweep_and_of_what_is_shown_without_a_model(place: Any, server: Server) -> None:
    labels = {**json.loads((place.tasks / "01_A.json").read_text()), "preferences": []}
    for requirement in labels["requirements"]:
        requirement["satisfied"] = True
    (place.folder / "labels").mkdir()
    (place.folder / "labels" / "01_A.json").write_text(json.dumps(labels))
    sweep = {
        "version": 1,
        "name": "canary",
        "tasks": [str(place.tasks)],
        "labels": "labels",
        "agents": [{"name": "some", "workspaces": str(place.workspaces)}],
        "settings": ["black-box"],
        "judges": ["agent"],
        "models": ["openai:some-model"],
        "module_sets": [["ask"]],
    }
    (place.folder / "sweep.yaml").write_text(json.dumps(sweep))
    url = ("--base-url", f"{server.url}/v1")
    ran = [judge(place, "sweep", "sweep.yaml", *url, "--out", "swept", OPENAI_API_KEY=KEY)]
    assert ran[0].returncode == 0, ran[0].stderr
    assert server.hits and all(KEY in hit.headers.get("authorization", "") for hit in server.hits)
    task = ("evidence", place.tasks / "01_A.json", "-w", place.workspaces, "--requirement", "0")
    ran += [judge(place, *task, OPENAI_API_KEY=KEY, JUDGE_API_KEY=KEY)]
    ran += [judge(place, "graph", place.workspaces / "01_A", OPENAI_API_KEY=KEY)]
    assert [item.returncode for item in ran] == [0, 0, 0]
    no_key(place, *(part for item in ran for part in (item.stdout, item.stderr)))


@pytest.mark.slow  # a batch is looked after only so often
def test_a_key_is_in_no_output_of_a_batch(place: Any, batches: Batches) -> None:
    batches.done = True
    given = ("-m", "openai:gpt-4o-mini", "--base-url", batches.url, "--api", "chat", "--batch", "--out", "out")
    ran = judge(place, "--debug", "run", place.tasks, "-w", place.workspaces, *given, OPENAI_API_KEY=KEY)
    assert ran.returncode == 0, ran.stderr
    assert batches.files, "it was sent as a batch"
    no_key(place, ran.stdout, ran.stderr, json.dumps(batches.files))


def test_a_key_is_not_in_the_title_of_the_process(place: Any, server: Server) -> None:
    server.will(Answer(openai_body(), delay=1.5))
    env = {**os.environ, "OPENAI_API_KEY": KEY}
    given = ["-w", str(place.workspaces), "-m", "openai:some-model", "--base-url", f"{server.url}/v1", "--out", "out"]
    process = subprocess.Popen(
        [sys.executable, "-m", "judge", "run", str(place.tasks), *given],
        cwd=place.folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    titles = set()
    while process.poll() is None:
        for path in (Path(f"/proc/{process.pid}/cmdline"), Path(f"/proc/{process.pid}/comm")):
            if path.exists():
                titles.add(path.read_bytes())
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    out, err = process.communicate()
    assert process.returncode == 0, err
    if Path("/proc/self/cmdline").exists():
        assert titles
    assert not [title for title in titles if KEY.encode() in title]
    no_key(place, out, err)


def write_secrets(place: Any) -> None:
    source = place.workspaces / "01_A" / "src"
    lines = [f"# {name}\n{text}\n" for name, text in SECRETS.items()]
    (source / "main.py").write_text("print('hello')\n" + "".join(lines))
    (source / ".env").write_text("TIDE_PASSWORD=Vx3nB8qLr6wK1zT9\n")


def sent(server: Server) -> str:
    return "\n".join(json.dumps(hit.body, ensure_ascii=False).replace("\\n", "\n") for hit in server.hits)


def test_secrets_of_a_workspace_reach_no_server_and_are_listed(place: Any, server: Server) -> None:
    write_secrets(place)
    given = ("-w", place.workspaces, "-m", "openai:some-model", "--base-url", f"{server.url}/v1")
    ran = judge(place, "run", place.tasks, *given, "--out", "out", OPENAI_API_KEY=KEY)
    assert ran.returncode == 0, ran.stderr
    body = sent(server)
    assert "hello" in body, "the file was shown"
    assert not [name for name, text in CORES.items() if text in body]
    assert "Vx3nB8qLr6wK1zT9" not in body
    lines = place.lines(place.folder / "out")
    for line in lines:
        listed = next(item for item in line["redacted"] if "main.py: " in item)
        kinds = set(listed.partition("main.py: ")[2].split(", "))
        assert {"aws-key", "github-token", "jwt", "private-key", "stripe-key", "url-password"} <= kinds


def test_no_redact_leaves_them_in(place: Any, server: Server) -> None:
    write_secrets(place)
    given = ("-w", place.workspaces, "-m", "openai:some-model", "--base-url", f"{server.url}/v1", "--no-redact")
    ran = judge(place, "run", place.tasks, *given, "--out", "out", OPENAI_API_KEY=KEY)
    assert ran.returncode == 0, ran.stderr
    body = sent(server)
    assert [name for name, text in CORES.items() if text in body], "the test above would otherwise prove nothing"
