"""What cells of a sweep share: workspaces read once, and model calls made once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from judge.engine.cases import Parts, make_parts
from judge.models.wrapper import ModelWrapper
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.models import Model, Reply, Request
    from judge.workspace import Workspace

_KEPT = 64


class SharedWorkspaces:
    """Graphs and documents of workspaces, by their folder: a sweep lists each of them once."""

    def __init__(self, writings: Path | None = None) -> None:
        """Starts empty.

        Args:
            writings: Folder where what OCR reads is kept from run to run; nowhere when None.
        """
        self._writings = writings
        self._parts: OrderedDict[str, Parts] = OrderedDict()
        self._busy: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        self.built = 0

    def parts(self, workspace: Workspace) -> Parts:
        """The parts of a workspace; made once, however many cells ask for it at once."""
        key = str(workspace.root)
        with self._lock:
            busy = self._busy.setdefault(key, threading.Lock())
        with busy:
            with self._lock:
                if key in self._parts:
                    self._parts.move_to_end(key)
                    return self._parts[key]
            made = make_parts(workspace, self._writings, whole=True)
            with self._lock:
                self._parts[key] = made
                self.built += 1
            return made

    def trim(self) -> None:
        """Drops what was used longest ago; to be called while nothing runs."""
        with self._lock:
            while len(self._parts) > _KEPT:
                _, old = self._parts.popitem(last=False)
                old.documents.close()

    def close(self) -> None:
        """Drops everything."""
        with self._lock:
            for parts in self._parts.values():
                parts.documents.close()
            self._parts.clear()


class Memo:
    """Replies by what was asked, over all cells of a sweep."""

    def __init__(self) -> None:
        """Starts empty."""
        self._replies: dict[str, Reply] = {}

    def get(self, key: str) -> Reply | None:
        """The reply to that request, when it was given before."""
        return self._replies.get(key)

    def put(self, key: str, reply: Reply) -> None:
        """Keeps a reply."""
        self._replies[key] = reply


class MemoModel(ModelWrapper):
    """A model that is asked everything once; a reply from before uses nothing."""

    def __init__(self, model: Model, memo: Memo) -> None:
        """Wraps a model.

        Args:
            model: Who is asked.
            memo: Shared by the models of a sweep.
        """
        super().__init__(model)
        self._memo = memo

    async def complete(self, request: Request) -> Reply:
        """Answers a request, from memory where it can.

        Raises:
            ProviderError: As the model does.
            BudgetExceeded: As the model does.
        """
        from dataclasses import replace

        key = request_key(self.id, request)
        known = self._memo.get(key)
        if known is not None:
            return replace(known, usage=Usage())
        reply = await self._inner.complete(request)
        self._memo.put(key, reply)
        return reply


def request_key(model: str, request: Request) -> str:
    """A hash of everything that decides a reply."""
    digest = hashlib.sha256()
    head = (model, request.schema, request.max_output_tokens, request.temperature, request.vote, request.purpose)
    digest.update(repr(head).encode("utf-8", "surrogatepass"))
    for message in request.messages:
        text = message.text.encode("utf-8", "surrogatepass")
        digest.update(f"\0{message.role.value}\0{len(text)}\0{len(message.images)}\0".encode())
        digest.update(text)
        for image in message.images:
            digest.update(image.data_base64.encode("ascii", "replace"))
    return digest.hexdigest()
