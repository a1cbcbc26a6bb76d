"""The kinds of questions: a call, an object and its methods, expressions, a signature, timed calls."""

from __future__ import annotations

import builtins
import gc
from types import CoroutineType
from typing import TYPE_CHECKING, Any

from . import load
from .codec import decode, encode
from .outcome import describe

if TYPE_CHECKING:
    from types import ModuleType

Reply = dict[str, Any]


class Asker:
    """Puts questions to one loaded submission.

    Args:
        module: The submission; None when it could not be loaded.
        config: Of the worker.
    """

    def __init__(self, module: ModuleType | None, config: dict[str, Any]) -> None:
        """Asks nothing yet."""
        self._module, self._config = module, config
        self._kinds = {
            "call": self._call,
            "construct": self._construct,
            "evaluate": self._evaluate,
            "signature": self._signature,
        }

    def answer(self, request: Any, channel: Any) -> Reply:
        """The reply to a request; whatever the submission does, there is one.

        Args:
            request: Decoded.
            channel: For requests that take more than one frame.
        """
        if self._module is None:
            return {"status": "load", "detail": "the submission was not loaded"}
        try:
            if request["op"] == "timed":
                return self._timed(request, channel)
            return self._kinds[request["op"]](request)
        except BaseException as error:  # noqa: BLE001 - foreign code may raise anything, also to stop us
            return describe(error, self._config["scratch"])

    def _target(self, name: str | None) -> Any:
        return load.find(self._module, name or self._config["entry"])  # type: ignore[arg-type]

    def _call(self, request: Reply) -> Reply:
        args, kwargs = request["args"], request["kwargs"]
        try:
            target = self._target(request["entry"])
        except AttributeError:
            return {"status": "load", "detail": f"the file has no {request['entry'] or self._config['entry']}"}
        reply: Reply = {"value": self._finish(target(*args, **kwargs)), "status": "returned"}
        if request["after"]:
            reply["after"] = (args, kwargs)
        return reply

    def _finish(self, value: Any) -> Any:
        """Awaits a coroutine where that is allowed."""
        if type(value) is not CoroutineType:
            return value
        if not self._config["asynchronous"]:
            value.close()
            return value
        import asyncio

        return asyncio.run(value)

    def _construct(self, request: Reply) -> Reply:
        made = self._finish(self._target(request["entry"])(*request["init"]))
        values: list[Any] = []
        for number, (name, args, kwargs) in enumerate(request["calls"], start=1):
            try:
                value = self._finish(getattr(made, name)(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - as above
                reply = describe(error, self._config["scratch"])
                return {**reply, "value": values, "detail": f"call {number} ({name}): {reply['detail']}"}
            # A later call may change what this one returned.
            values.append(decode(encode(value)))
        return {"value": values, "status": "returned"}

    def _evaluate(self, request: Reply) -> Reply:
        names = {**vars(self._module), **request["names"], "__builtins__": builtins}
        values = [bool(eval(text, dict(names))) for text in request["expressions"]]
        return {"value": values, "status": "returned"}

    def _signature(self, request: Reply) -> Reply:
        import ast

        entry = request["entry"] or self._config["entry"]
        tree = ast.parse(self._config["files"][self._config["main"]])
        for node in reversed(tree.body):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == entry:
                returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
                return {"value": f"({ast.unparse(node.args)}){returns}", "status": "returned"}
        import inspect

        return {"value": str(inspect.signature(self._target(entry))).replace("'", ""), "status": "returned"}

    def _timed(self, request: Reply, channel: Any) -> Reply:
        target, finish, inputs = self._target(request["entry"]), self._finish, request["inputs"]
        outputs: list[Any] = [None] * len(inputs)
        gc.collect()
        gc.disable()
        channel.send({"status": "returned"})
        channel.receive()
        if self._config["asynchronous"]:
            _run_async(target, finish, inputs, outputs)
        else:
            _run_plain(target, inputs, outputs)
        channel.leave_children()
        channel.send({"status": "returned"})
        gc.enable()
        channel.receive()
        values = []
        for good, value in outputs:
            values.append((good, value if good else describe(value, self._config["scratch"])))
        return {"value": values, "status": "returned"}


def _run_plain(target: Any, inputs: Any, outputs: list[Any]) -> None:
    for number, args in enumerate(inputs):
        try:
            outputs[number] = (True, target(*args))
        except BaseException as error:  # noqa: BLE001 - as above
            outputs[number] = (False, error)


def _run_async(target: Any, finish: Any, inputs: Any, outputs: list[Any]) -> None:
    for number, args in enumerate(inputs):
        try:
            outputs[number] = (True, finish(target(*args)))
        except BaseException as error:  # noqa: BLE001 - as above
            outputs[number] = (False, error)
