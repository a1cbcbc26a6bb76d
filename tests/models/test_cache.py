"""Kept replies: what is the same question, what is kept, and what happens when the file is not usable."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.config import ModelSettings, Secret
from judge.errors import ProviderError
from judge.fence import Fence
from judge.models import VERDICT_SCHEMA, Fault, Finish, Ledger, Message, Reply, Request, Role, open_model
from judge.models.cache import CachedModel, ReplyStore, StoreError, canonical
from judge.schemas import Image, Usage

VERDICT = json.dumps({"reason": "It is there.", "citations": [], "confidence": 0.9, "verdict": "SATISFIED"})
REQUEST = Request(messages=(Message(Role.USER, "The criterion."),), schema=VERDICT_SCHEMA, schema_name="verdict")
WHO = ("openai:m", "http://s", "")


class Asked:
    """Answers, and counts how often it was asked."""

    id = "openai:m"
    sees_images = False
    context_tokens = 1_000

    def __init__(self, answer: Callable[[Request], Reply] | None = None, wait: float = 0.0) -> None:
        self.answer = answer or (lambda request: Reply(VERDICT, usage=Usage(calls=1, input_tokens=9, cost=0.5)))
        self.wait = wait
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        await asyncio.sleep(self.wait)
        return self.answer(request)

    async def close(self) -> None:
        pass


def ask(model: Any, *requests: Request) -> list[Reply]:
    async def go() -> list[Reply]:
        try:
            return [await model.complete(request) for request in requests]
        finally:
            await model.close()

    return asyncio.run(go())


def test_the_same_question_is_asked_once_over_runs(tmp_path: Path) -> None:
    asked = Asked()
    first = ask(CachedModel(asked, ReplyStore(tmp_path)), REQUEST)[0]
    again = ask(CachedModel(asked, ReplyStore(tmp_path)), replace(REQUEST, purpose="other"))[0]
    assert len(asked.requests) == 1
    assert (again.text, again.finish, again.structured) == (first.text, first.finish, first.structured)
    assert again.usage == Usage(cached_calls=1)


IMAGE = Image(media_type="image/png", data_base64="iVBORw0KGgo=", width=1, height=1)


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, messages=(Message(Role.USER, "The criterion. "),)),
        replace(REQUEST, messages=(Message(Role.SYSTEM, "The criterion."),)),
        replace(REQUEST, messages=(Message(Role.USER, "The "), Message(Role.USER, "criterion."))),
        replace(REQUEST, messages=(Message(Role.USER, "The criterion.", images=(IMAGE,)),)),
        replace(REQUEST, schema=None),
        replace(REQUEST, schema={"type": "object"}),
        replace(REQUEST, schema_name="other"),
        replace(REQUEST, max_output_tokens=7),
        replace(REQUEST, temperature=None),
        replace(REQUEST, temperature=0.5),
        replace(REQUEST, vote=1),
    ],
)
def test_whatever_can_change_the_answer_is_another_question(other: Request) -> None:
    assert canonical(WHO, other).key != canonical(WHO, REQUEST).key


def test_another_model_server_or_manner_is_asked_anew(tmp_path: Path) -> None:
    keys = {canonical(who, REQUEST).key for who in (WHO, ("b", *WHO[1:]), ("openai:m", "s", ""), (*WHO[:2], "high"))}
    assert len(keys) == 4
    assert canonical(("a", "bc", ""), REQUEST).key != canonical(("ab", "c", ""), REQUEST).key


def fenced(fence: Fence, *texts: str) -> Request:
    blocks = [fence.wrap(f"file {number}.py", text) for number, text in enumerate(texts)]
    return replace(REQUEST, messages=tuple(Message(Role.USER, f"Look:\n{block}\nSo?") for block in blocks))


def test_random_markers_do_not_make_a_new_question_and_answers_name_those_of_the_run(tmp_path: Path) -> None:
    def answer(request: Request) -> Reply:
        line = request.messages[1].text.splitlines()[1]
        quote = {"path": "1.py", "line": 1, "end_line": None, "step": None, "quote": line + "\0"}
        value = {"reason": f"See {line}.", "citations": [quote], "confidence": 1, "verdict": "SATISFIED"}
        return Reply(json.dumps(value))

    asked = Asked(answer)
    texts = ("x = 1\n", "y = '\0' + \"\0" + '0;"\n')
    first = ask(CachedModel(asked, ReplyStore(tmp_path)), fenced(Fence.new(), *texts))[0]
    second = fenced(Fence.new(), *texts)
    again = ask(CachedModel(asked, ReplyStore(tmp_path)), second)[0]
    assert len(asked.requests) == 1
    assert asked.requests[0].messages[0].text != second.messages[0].text, "what is sent stays random"
    marker = second.messages[1].text.splitlines()[1]
    assert json.loads(again.text)["reason"] == f"See {marker}."
    assert first.text != again.text


def test_other_text_between_markers_is_another_question() -> None:
    fence = Fence.new()
    assert canonical(WHO, fenced(fence, "a")).key != canonical(WHO, fenced(Fence.new(), "b")).key
    assert canonical(WHO, fenced(fence, "a", "b")).key != canonical(WHO, fenced(fence, "b", "a")).key


@pytest.mark.parametrize(
    "text",
    ["\x000;", "\x00\x000;", "<<<BEGIN 0000000000000000 file x>>>", "<<<END 0000000000000000>>>", "0;", "\0"],
)
def test_untrusted_text_cannot_look_like_a_marker(text: str) -> None:
    """Whatever stands for a marker in the key must not be had by writing it."""
    fence = Fence.new()
    marker = fenced(fence, "a").messages[0].text.splitlines()[1].split()[1]
    plain = replace(REQUEST, messages=(*fenced(fence, "a").messages, Message(Role.USER, f"{text} end")))
    real = replace(REQUEST, messages=(*fenced(fence, "a").messages, Message(Role.USER, f"{marker} end")))
    assert canonical(WHO, plain).key != canonical(WHO, real).key
    inside = canonical(WHO, fenced(Fence.new(), text))
    assert inside.unfold(inside.fold(text)) == text
    assert len(inside.markers) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(VERDICT, Finish.LENGTH),
        Reply(VERDICT, Finish.REFUSAL),
        Reply(VERDICT, Finish.FILTER),
        Reply(VERDICT, Finish.OTHER),
        Reply(""),
        Reply("  \n"),
        Reply("I cannot say."),
        Reply(VERDICT + VERDICT),
        Reply(VERDICT[:-5]),
    ],
)
def test_what_is_no_whole_clear_answer_is_not_kept(tmp_path: Path, reply: Reply) -> None:
    asked = Asked(lambda request: reply)
    for _ in range(2):
        ask(CachedModel(asked, ReplyStore(tmp_path)), REQUEST)
    assert len(asked.requests) == 2


def test_other_shapes_are_kept_when_they_are_what_was_asked_for(tmp_path: Path) -> None:
    chosen = replace(REQUEST, schema={"required": ["files"]}, schema_name="files")
    for text, calls in (('{"files": []}', 1), ('{"file": []}', 2), ("none", 2)):
        asked = Asked(lambda request, text=text: Reply(text))
        for _ in range(2):
            ask(CachedModel(asked, ReplyStore(tmp_path / text)), chosen)
        assert len(asked.requests) == calls, text
    free = Asked(lambda request: Reply("An answer."))
    ask(CachedModel(free, ReplyStore(tmp_path)), *[replace(REQUEST, schema=None)] * 2)
    assert len(free.requests) == 1


def test_failures_are_not_kept_and_not_multiplied(tmp_path: Path) -> None:
    def fail(request: Request) -> Reply:
        raise Fault("down", retryable=True)

    asked = Asked(fail, wait=0.01)
    model = CachedModel(asked, ReplyStore(tmp_path))

    async def go() -> list[Any]:
        results = await asyncio.gather(*(model.complete(REQUEST) for _ in range(5)), return_exceptions=True)
        await model.close()
        return results

    assert all(isinstance(item, ProviderError) for item in asyncio.run(go()))
    assert len(asked.requests) == 1
    asked.answer = lambda request: Reply(VERDICT)
    assert ask(model, REQUEST)[0].text == VERDICT


def test_identical_calls_in_flight_are_made_once_and_paid_once(tmp_path: Path) -> None:
    asked = Asked(wait=0.02)
    model = CachedModel(asked, ReplyStore(tmp_path))

    async def go() -> list[Reply]:
        votes = [replace(REQUEST, vote=number % 2) for number in range(20)]
        replies = await asyncio.gather(*(model.complete(request) for request in votes))
        await model.close()
        return replies

    total = sum((reply.usage for reply in asyncio.run(go())), Usage())
    assert len(asked.requests) == 2
    assert (total.calls, total.cached_calls, total.cost) == (2, 18, 1.0)


def test_a_cancelled_call_does_not_take_the_others_along(tmp_path: Path) -> None:
    asked = Asked(wait=0.05)
    model = CachedModel(asked, ReplyStore(tmp_path))

    async def go() -> Reply:
        first = asyncio.create_task(model.complete(REQUEST))
        while not asked.requests:
            await asyncio.sleep(0.001)
        second = asyncio.create_task(model.complete(REQUEST))
        await asyncio.sleep(0)
        first.cancel()
        reply = await second
        await model.close()
        return reply

    assert asyncio.run(go()).text == VERDICT
    assert len(asked.requests) == 2


def test_only_its_owner_can_read_the_file_and_no_prompt_or_key_is_in_it(server: Any, chat: Any, tmp_path: Path) -> None:
    server.will(chat.good())
    kept = tmp_path / "deep" / "responses"
    key = "sk-secret-0a1B2c3D4e5F"
    settings = ModelSettings(base_url=server.url + "/v1", keys={"JUDGE_API_KEY": Secret(key)}, cache_dir=kept)
    request = replace(REQUEST, messages=(Message(Role.USER, "a very particular prompt"),))
    for _ in range(2):
        model = open_model("openai:m", settings)
        ask(model, request)
    assert len(server.hits) == 1
    assert model.ledger.total == Usage(cached_calls=1)
    assert kept.stat().st_mode & 0o777 == 0o700
    for file in kept.iterdir():
        assert file.stat().st_mode & 0o077 == 0
        assert key.encode() not in file.read_bytes()
        assert b"particular" not in file.read_bytes()


def test_a_hit_needs_no_budget(server: Any, chat: Any, tmp_path: Path) -> None:
    server.will(chat.good())
    settings = ModelSettings(base_url=server.url + "/v1", cache_dir=tmp_path, max_tokens=10_000)
    ask(open_model("openai:m", settings), REQUEST)
    poor = open_model("openai:m", settings, ledger=Ledger(None, 1))
    assert ask(poor, REQUEST)[0].usage.cached_calls == 1


def test_another_port_or_effort_is_another_question(server: Any, chat: Any, tmp_path: Path) -> None:
    server.will(chat.good())
    base = ModelSettings(base_url=server.url + "/v1", cache_dir=tmp_path)
    changed = (base, replace(base, effort="low"), replace(base, base_url=server.url + "/w1"), replace(base, api="chat"))
    for settings in changed:
        ask(open_model("openai:m", settings), REQUEST)
    assert len(server.hits) == 4


def broken(path: Path) -> None:
    path.write_bytes(b"this is no database, " * 500)
    path.chmod(0o600)


def open_to_all(path: Path) -> None:
    ReplyStore(path.parent).put("k", "m", "s", b"x", tokens=1, cost=None)
    path.chmod(0o666)


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link(path: Path) -> None:
    (path.parent / "elsewhere").write_bytes(b"")
    path.symlink_to(path.parent / "elsewhere")


def of_the_future(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    path.chmod(0o600)


def locked(path: Path) -> None:
    ReplyStore(path.parent).put("k", "m", "s", b"x", tokens=1, cost=None)


@pytest.mark.parametrize("harm", [broken, open_to_all, a_folder, a_link, of_the_future])
def test_an_unusable_file_is_told_once_and_done_without(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    store = ReplyStore(tmp_path)
    harm(store.path)
    told: list[str] = []
    asked = Asked()
    model = CachedModel(asked, store, warn=told.append)
    replies = ask(model, *[replace(REQUEST, vote=number) for number in range(3)])
    assert [reply.text for reply in replies] == [VERDICT] * 3
    assert len(told) == 1
    assert "responses.sqlite3" in told[0]
    assert "\n" not in told[0]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    told: list[str] = []
    assert ask(CachedModel(Asked(), ReplyStore(tmp_path / "file" / "x"), warn=told.append), REQUEST)[0].text == VERDICT
    assert len(told) == 1


def test_a_locked_file_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.models.cache.store._BUSY", 0.1)
    ReplyStore(tmp_path).put("k", "m", "s", b"x", tokens=1, cost=None)
    holder = sqlite3.connect(tmp_path / "responses.sqlite3", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    told: list[str] = []
    asked = Asked()
    assert ask(CachedModel(asked, ReplyStore(tmp_path), warn=told.append), REQUEST)[0].text == VERDICT
    holder.close()
    assert "locked" in told[0]


def test_a_damaged_reply_is_asked_for_again(tmp_path: Path) -> None:
    asked = Asked()
    ask(CachedModel(asked, ReplyStore(tmp_path)), REQUEST)
    for body in (b"", b"garbage", b"x\x9c\x03\x00\x00\x00\x00\x01"):
        with sqlite3.connect(tmp_path / "responses.sqlite3") as connection:
            connection.execute("UPDATE replies SET body = ?", (body,))
        connection.close()
        assert ask(CachedModel(asked, ReplyStore(tmp_path)), REQUEST)[0].text == VERDICT
    assert len(asked.requests) == 4


def test_it_stays_within_its_size_and_keeps_what_is_used(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path, max_bytes=600_000)
    for number in range(1_400):
        store.put(f"{number}", "m", "s", os.urandom(1_000), tokens=1, cost=0.1)
    store.prune(max_bytes=600_000)
    assert store.path.stat().st_size <= 600_000
    assert store.get("1399") is not None
    assert store.get("0") is None
    store.close()


def test_statistics_pruning_and_clearing(tmp_path: Path) -> None:
    store = ReplyStore(tmp_path)
    assert store.stats().models == ()
    assert store.prune(older_than=1) == 0
    assert not store.path.exists(), "looking makes no file"
    for number in range(10):
        store.put(f"{number}", f"m{number % 2}", "s", b"x" * 10, tokens=7, cost=None if number == 1 else 0.25)
    stats = store.stats()
    assert [(item.model, item.entries, item.tokens, item.cost) for item in stats.models] == [
        ("m0", 5, 35, 1.25),
        ("m1", 5, 35, None),
    ]
    assert stats.size > 0
    store.close()
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE replies SET used = ? WHERE model = 'm0'", (time.time() - 1_000,))
    connection.close()
    assert store.prune(older_than=500) == 5
    assert [item.model for item in store.stats().models] == ["m1"]
    store.clear()
    assert list(tmp_path.iterdir()) == []
    broken(store.path)
    with pytest.raises(StoreError):
        store.stats()
    store.clear()
    assert store.stats().models == ()


def test_many_processes_at_once(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom judge.models.cache import ReplyStore\n"
        "store = ReplyStore(Path(sys.argv[1]))\n"
        "for n in range(150):\n"
        "    store.put(f'{n}', 'm', 's', b'body %d' % n, tokens=1, cost=0.0)\n"
        "    assert store.get(f'{n}') == b'body %d' % n\n"
        "store.close()\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    store = ReplyStore(tmp_path)
    assert store.stats().models[0].entries == 150
    store.close()
