"""A model that answers from a file, for tests and demonstrations: no network, no cost."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.models.base import Finish, Reply, Request
from judge.models.body import counted_usage
from judge.models.faults import Fault, from_status
from judge.models.script import load_script
from judge.models.shape import image_count, prompt_text
from judge.schemas import Usage


class ScriptedModel:
    """Answers from a script; see ``judge.models.script.load_script`` for its format."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._script = load_script(path)
        self._turn = 0
        self._turns: dict[int, int] = {}

    @property
    def id(self) -> str:
        """``scripted:FILE``, the file's name alone."""
        return f"scripted:{self._path.name}"

    @property
    def sees_images(self) -> bool:
        """Whether the script says that it sees images."""
        return self._script.images

    @property
    def context_tokens(self) -> int:
        """Context window of the script, tokens."""
        return self._script.context_tokens

    async def complete(self, request: Request) -> Reply:
        """Gives the next reply that fits.

        Raises:
            Fault: The script says so, or has no reply left.
        """
        prompt = prompt_text(request)
        matched, reply = self._next(prompt, request.purpose)
        self._log(request, prompt, matched)
        latency = float(reply.get("latency", self._script.latency)) if reply is not None else 0.0
        if latency > 0:
            await asyncio.sleep(latency)
        if reply is None:
            raise Fault("the script has no reply for this prompt", where=self.id)
        _fail(reply, self.id)
        text = _text(reply)
        counted = counted_usage(prompt, text, "", image_count(request)).model_copy(
            update={"cost": 0.0, "seconds": latency}
        )
        return Reply(
            text=text,
            finish=Finish(reply.get("finish", "stop")),
            usage=Usage.model_validate(counted.model_dump() | dict(reply.get("usage", {}))),
            model=self.id,
            structured=bool(reply.get("structured", "text" not in reply and request.schema is not None)),
        )

    async def close(self) -> None:
        """Nothing to close."""

    def _next(self, prompt: str, purpose: str) -> tuple[str, Mapping[str, Any] | None]:
        for index, rule in enumerate(self._script.rules):
            if rule.matches(prompt, purpose):
                turn = self._turns.get(index, 0)
                self._turns[index] = turn + 1
                return " & ".join(rule.when), rule.replies[min(turn, len(rule.replies) - 1)]
        if self._turn < len(self._script.replies):
            self._turn += 1
            return "", self._script.replies[self._turn - 1]
        return "", self._script.default

    def _log(self, request: Request, prompt: str, matched: str) -> None:
        if self._script.log is None:
            return
        digest = hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        line = {"purpose": request.purpose, "vote": request.vote, "prompt": digest, "when": matched}
        data = (json.dumps(line) + "\n").encode()
        # One write in append mode: whole lines, even from several processes or one that is killed.
        descriptor = os.open(self._script.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)


def _fail(reply: Mapping[str, Any], where: str) -> None:
    if "status" in reply:
        asked = reply.get("retry_after")
        headers = {} if asked is None else {"retry-after": str(asked)}
        raise from_status(int(reply["status"]), str(reply.get("message", "scripted")), headers, where)
    if "error" in reply:
        retryable = bool(reply.get("retryable", True))
        raise Fault(f"scripted failure: {reply['error']}", where=where, retryable=retryable)


def _text(reply: Mapping[str, Any]) -> str:
    if "json" in reply:
        return json.dumps(reply["json"], ensure_ascii=False)
    if "verdict" in reply:
        answer = {
            "reason": reply.get("reason", "scripted"),
            "citations": reply.get("citations", []),
            "confidence": reply.get("confidence", 0.9),
            "verdict": reply["verdict"],
        }
        return json.dumps(answer, ensure_ascii=False)
    return str(reply.get("text", ""))
