from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from judge.cli.devai import app
from judge.errors import ConfigError, InputError, ProviderError, RunIncomplete
from judge.tasks import load_tasks
from judge.tasks.fetch import Http, check, fetch
from judge.tasks.fetch.http import retry_after
from judge.tasks.fetch.sources import wanted_path

COMMIT = "c0ffee" + "0" * 34
TASK = json.dumps({"name": "t", "query": "q", "requirements": [{"requirement_id": 0, "criteria": "A"}]}).encode()
FILES = {
    "benchmark/devai/instances/t.json": TASK,
    "benchmark/devai/constraints.json": b"{}",
    "benchmark/workspaces/A/t/big file#1.bin": bytes(range(256)) * 4000,
    "benchmark/trajectories/A/t.json": b"[]",
    "benchmark/judgment/A/human_as_a_judge/t.json": TASK,
    "agent_as_a_judge/agent.py": b"not data",
    "README.md": b"not data",
}


def git_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass
class Server:
    """A public host on loopback that can misbehave in every usual way."""

    files: dict[str, bytes] = field(default_factory=lambda: dict(FILES))
    extra: list[dict[str, Any]] = field(default_factory=list)
    drop_after: dict[str, int] = field(default_factory=dict)
    answers: dict[str, list[tuple[int, dict[str, str]]]] = field(default_factory=dict)
    corrupt: Counter[str] = field(default_factory=Counter)
    ranges: bool = True
    page: int = 3
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""

    def count(self, path: str) -> int:
        return sum(path.replace(" ", "%20").replace("#", "%23") in url for url, _ in self.requests)


def handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            from urllib.parse import unquote

            path = unquote(self.path)
            server.requests.append((self.path, self.headers.get("Range")))
            for key, queue in server.answers.items():
                if key in path and queue:
                    status, headers = queue.pop(0)
                    self.reply(status, b"{}", headers)
                    return
            if "/commits/" in path or "/revision/" in path:
                self.reply(200, json.dumps({"sha": COMMIT}).encode())
            elif "/git/trees/" in path:
                tree = [
                    {"path": p, "type": "blob", "mode": "100644", "size": len(d), "sha": git_id(d)}
                    for p, d in server.files.items()
                ]
                self.reply(200, json.dumps({"sha": "x", "tree": tree + server.extra, "truncated": False}).encode())
            elif "/tree/" in path:
                self.tree(path)
            else:
                self.file(path)

        def tree(self, path: str) -> None:
            start = int(path.partition("cursor=")[2] or 0)
            items = [self.entry(p, d) for p, d in server.files.items()][start : start + server.page]
            following = start + server.page
            link = (
                {"Link": f'<{server.url}{path.partition("&cursor")[0]}&cursor={following}>; rel="next"'}
                if following < len(server.files)
                else {}
            )
            self.reply(200, json.dumps(items).encode(), link)

        def entry(self, path: str, data: bytes) -> dict[str, Any]:
            made: dict[str, Any] = {"type": "file", "path": path, "size": len(data), "oid": git_id(data)}
            if path.endswith(".bin"):
                made["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data)}
            return made

        def file(self, path: str) -> None:
            name = path.partition(COMMIT + "/")[2]
            data = server.files.get(name)
            if data is None:
                self.reply(404, b"no")
                return
            if server.corrupt[name] > 0:
                server.corrupt[name] -= 1
                data = bytes(len(data))
            tag = '"' + git_id(data) + '"'
            wanted = self.headers.get("Range")
            start = (
                int(wanted.removeprefix("bytes=").removesuffix("-"))
                if wanted and server.ranges and self.headers.get("If-Range") == tag
                else 0
            )
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(data) - start))
            self.send_header("ETag", tag)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()
            end = server.drop_after.pop(name, None)
            self.wfile.write(data[start : len(data) if end is None else end])
            self.close_connection = True

        def reply(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for key, value in (headers or {}).items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    with ThreadingHTTPServer(("127.0.0.1", 0), handler(made)) as http:
        made.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        http.shutdown()
        thread.join()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def http(waits: list[float]) -> Http:
    return Http(timeout=5, sleep=waits.append)


BIG = "benchmark/workspaces/A/t/big file#1.bin"


def data_files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()} - {"devai-manifest.json"}


def test_only_the_data_is_fetched_and_found_again(tmp_path: Path, server: Server, http: Http) -> None:
    done = fetch(tmp_path, base_url=server.url, http=http)
    assert data_files(tmp_path) == {p for p in FILES if p.startswith("benchmark/")}
    assert done.commit == COMMIT and len(done.downloaded) == 5
    assert (tmp_path / BIG).read_bytes() == FILES[BIG]
    assert load_tasks([tmp_path]).requirements == 1
    assert all("Range" not in str(r) for _, r in server.requests)


def test_a_second_run_fetches_only_what_is_missing_or_changed(tmp_path: Path, server: Server, http: Http) -> None:
    fetch(tmp_path, base_url=server.url, http=http)
    (tmp_path / BIG).unlink()
    (tmp_path / "benchmark/devai/instances/t.json").write_bytes(b"{}")
    server.requests.clear()
    done = fetch(tmp_path, base_url=server.url, http=http)
    assert set(done.downloaded) == {BIG, "benchmark/devai/instances/t.json"}
    assert len(done.kept) == 3 and len(server.requests) == 4


def test_a_broken_connection_is_continued_with_a_range(tmp_path: Path, server: Server, http: Http) -> None:
    server.drop_after[BIG] = 300_000
    fetch(tmp_path, base_url=server.url, http=http)
    assert (tmp_path / BIG).read_bytes() == FILES[BIG]
    ranges = [r for url, r in server.requests if "big%20file%231" in url]
    assert ranges[0] is None and len(ranges) == 2
    assert ranges[1] is not None and 0 < int(ranges[1][6:-1]) <= 300_000
    assert not list(tmp_path.rglob("*.part*"))


def test_a_killed_download_is_continued_by_the_next_run(tmp_path: Path, server: Server, http: Http) -> None:
    part = tmp_path / (BIG + ".part")
    part.parent.mkdir(parents=True)
    part.write_bytes(FILES[BIG][:500_000])
    part.with_name(part.name + ".etag").write_text(f'"{git_id(FILES[BIG])}"', encoding="utf-8")
    fetch(tmp_path, base_url=server.url, http=http)
    assert ("bytes=500000-") in [r for _, r in server.requests]
    assert (tmp_path / BIG).read_bytes() == FILES[BIG]


@pytest.mark.parametrize("ranges", [True, False])
def test_a_part_of_another_version_is_started_over(tmp_path: Path, server: Server, http: Http, ranges: bool) -> None:
    server.ranges = ranges
    part = tmp_path / (BIG + ".part")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"x" * 500_000)
    part.with_name(part.name + ".etag").write_text('"old"', encoding="utf-8")
    fetch(tmp_path, base_url=server.url, http=http)
    assert (tmp_path / BIG).read_bytes() == FILES[BIG]


def test_a_wrong_part_with_the_right_tag_is_caught_by_the_checksum(tmp_path: Path, server: Server, http: Http) -> None:
    part = tmp_path / (BIG + ".part")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"x" * 500_000)
    part.with_name(part.name + ".etag").write_text(f'"{git_id(FILES[BIG])}"', encoding="utf-8")
    fetch(tmp_path, base_url=server.url, http=http)
    assert (tmp_path / BIG).read_bytes() == FILES[BIG]


def test_wrong_checksums_are_tried_once_more_then_refused(tmp_path: Path, server: Server, http: Http) -> None:
    server.corrupt[BIG] = 1
    fetch(tmp_path / "a", base_url=server.url, http=http)
    assert (tmp_path / "a" / BIG).read_bytes() == FILES[BIG]
    server.corrupt[BIG] = 99
    with pytest.raises(RunIncomplete, match=r"1 of 5 files .* wrong checksum"):
        fetch(tmp_path / "b", base_url=server.url, http=http)
    assert len(data_files(tmp_path / "b")) == 4
    server.corrupt.clear()
    assert fetch(tmp_path / "b", base_url=server.url, http=http).downloaded == (BIG,)


def test_overload_is_waited_for_as_the_server_asks(
    tmp_path: Path, server: Server, http: Http, waits: list[float]
) -> None:
    server.answers["big file"] = [(503, {"Retry-After": "7"}), (429, {})]
    server.answers["/commits/"] = [(500, {})]
    fetch(tmp_path, base_url=server.url, http=http)
    assert sorted(waits) == [1.0, 2.0, 7.0]


def test_a_missing_file_fails_alone_and_at_once(tmp_path: Path, server: Server, http: Http, waits: list[float]) -> None:
    server.answers["big file"] = [(404, {})]
    with pytest.raises(RunIncomplete, match="answered 404"):
        fetch(tmp_path, base_url=server.url, http=http)
    assert waits == [] and len(data_files(tmp_path)) == 4


@pytest.mark.parametrize("status", [404, 403, 500])
def test_a_failing_list_is_a_provider_error(tmp_path: Path, server: Server, http: Http, status: int) -> None:
    server.answers["/commits/"] = [(status, {"x-ratelimit-remaining": "0"})] * 9
    with pytest.raises(ProviderError, match=str(status)):
        fetch(tmp_path / "x", base_url=server.url, http=http)
    assert not (tmp_path / "x").exists()


def test_no_server_is_a_provider_error(tmp_path: Path, http: Http) -> None:
    with pytest.raises(ProviderError, match="no complete answer after 5 attempts"):
        fetch(tmp_path, base_url="http://127.0.0.1:9", http=http)


def test_hostile_lists_never_leave_the_folder(tmp_path: Path, server: Server, http: Http) -> None:
    blob = {"type": "blob", "mode": "100644", "size": 2, "sha": git_id(b"{}")}
    server.extra = [
        blob | {"path": "benchmark/devai/instances/../../../../evil.json"},
        blob | {"path": "/etc/passwd"},
        blob | {"path": "benchmark/devai/instances//x.json"},
        blob | {"path": "benchmark/devai/instances/a\\b.json"},
        blob | {"path": "benchmark/devai/instances/a\nb.json"},
        {"path": "benchmark/workspaces/A/link", "type": "blob", "mode": "120000", "size": 2, "sha": git_id(b"{}")},
        {"path": 3},
        {"path": "benchmark/workspaces/A", "type": "tree"},
    ]
    done = fetch(tmp_path / "in", base_url=server.url, http=http)
    assert len(done.downloaded) == 5 and done.skipped == ("benchmark/workspaces/A/link",)
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_links_in_the_destination_are_not_written_through(tmp_path: Path, server: Server, http: Http) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "benchmark").symlink_to(tmp_path / "outside")
    with pytest.raises(InputError, match="is a link"):
        fetch(tmp_path / "in", base_url=server.url, http=http)
    assert list((tmp_path / "outside").iterdir()) == []


def test_files_longer_than_listed_are_refused(tmp_path: Path, server: Server, http: Http) -> None:
    server.extra = [
        {
            "path": "benchmark/devai/trajectory-schema.json",
            "type": "blob",
            "mode": "100644",
            "size": 1,
            "sha": git_id(b"{"),
        }
    ]
    server.files["benchmark/devai/trajectory-schema.json"] = b"{}" * 1000
    with pytest.raises(RunIncomplete, match="larger than 1 bytes"):
        fetch(tmp_path, base_url=server.url, http=http)


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"<html>", b'{"sha": 5}', b'{"sha": "../x"}', b"[" * 100_000])
def test_nonsense_answers_are_provider_errors(
    tmp_path: Path, body: bytes, http: Http, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Http, "get", lambda self, url, limit, accept="": (body, {}))
    for source in ("github", "huggingface"):
        with pytest.raises(ProviderError):
            fetch(tmp_path, source=source, base_url=server.url, http=http)


def test_the_hub_is_listed_page_by_page_and_checked(tmp_path: Path, server: Server, http: Http) -> None:
    server.files = {p.removeprefix("benchmark/").removeprefix("devai/"): d for p, d in FILES.items()}
    server.files["benchmark/workspaces/A/t/m.bin"] = b"lfs"
    done = fetch(tmp_path, source="huggingface", base_url=server.url, http=http, ref="v1")
    assert "benchmark/devai/instances/t.json" in done.downloaded
    assert any("/revision/v1" in url for url, _ in server.requests)
    assert sum("/tree/" in url for url, _ in server.requests) == 3


def test_check_finds_what_is_missing_or_changed(tmp_path: Path, server: Server, http: Http) -> None:
    fetch(tmp_path, base_url=server.url, http=http)
    assert check(tmp_path)[1] == ()
    (tmp_path / BIG).write_bytes(b"x")
    (tmp_path / "benchmark/devai/constraints.json").unlink()
    assert {(p.path, p.what) for p in check(tmp_path)[1]} == {
        (BIG, "was changed"),
        ("benchmark/devai/constraints.json", "is missing"),
    }
    (tmp_path / "devai-manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="manifest"):
        check(tmp_path)


def test_the_command_prints_what_it_did(tmp_path: Path, server: Server) -> None:
    run = CliRunner().invoke(app, ["fetch", str(tmp_path), "--base-url", server.url])
    assert run.exit_code == 0
    assert run.stdout.startswith(f"5 files downloaded, 0 already there, version {COMMIT[:12]}")
    run = CliRunner().invoke(app, ["fetch", str(tmp_path), "--base-url", server.url, "--json"])
    assert len(json.loads(run.stdout)["kept"]) == 5
    assert CliRunner().invoke(app, ["fetch", str(tmp_path), "--check"]).exit_code == 0
    (tmp_path / BIG).unlink()
    run = CliRunner().invoke(app, ["fetch", str(tmp_path), "--check"])
    assert run.exit_code == 2 and "is missing" in run.stdout


def test_wrong_options_are_config_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        fetch(tmp_path, source="nowhere")
    for url in ("file:///etc", "ftp://x", "x"):
        with pytest.raises(ConfigError):
            fetch(tmp_path, base_url=url)


def test_waiting_times() -> None:
    assert retry_after("7", 0) == 7
    assert retry_after("99999", 0) == 120
    assert retry_after(None, 3) == 8
    assert retry_after("nonsense", 1) == 2
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT", 1) == 0


def test_paths_of_the_data() -> None:
    assert wanted_path("benchmark/devai/instances/1.json") == "benchmark/devai/instances/1.json"
    assert wanted_path("constraints.json") == "benchmark/devai/constraints.json"
    assert wanted_path("devai/judgment/a.json") == "benchmark/devai/judgment/a.json"
    for bad in (
        "",
        "/",
        "instances",
        "instances/",
        "a/instances/x",
        "devai/benchmark/instances/x",
        "instances/..",
        "x.json",
    ):
        assert wanted_path(bad) is None
