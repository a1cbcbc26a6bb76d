"""What Python code that an agent had run at once (a notebook cell, ``python -c``) does to files.

Only what the syntax tree shows: literal paths, and names bound once to a literal. Nothing is executed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable

from judge.trajectories.actions.record import Effect, Origin, Recorder
from judge.trajectories.actions.syntax import (
    bindings,
    calls,
    dotted,
    exec_target,
    handles,
    imported_names,
    is_literal,
    is_name,
    is_path,
)

Shell = Callable[[str, Recorder], None]

_MAX_CODE = 200_000
_SAVERS = frozenset({
    "to_csv", "to_json", "to_excel", "to_parquet", "to_pickle", "to_html", "to_markdown", "to_latex", "savefig",
    "save", "savetxt", "savez", "savez_compressed", "write_image", "write_html", "imwrite", "imsave", "save_model",
    "save_pretrained", "save_weights", "write_pdf",
})  # fmt: skip
_READERS = frozenset({
    "read_csv", "read_json", "read_excel", "read_parquet", "read_pickle", "imread", "loadtxt", "genfromtxt",
    "read_text", "read_bytes",
})  # fmt: skip
_REQUESTS = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "urlopen"})
_REMOVERS = frozenset({"os.remove", "os.unlink", "os.rmdir", "shutil.rmtree"})
_OPENERS = frozenset({"open", "io.open", "codecs.open"})
_SCRIPTS = frozenset({"runpy.run_path", "exec", "execfile"})
_MOVERS = frozenset({"os.rename", "os.replace", "shutil.move"})
_COPIERS = frozenset({"shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"})
_SHELLS = frozenset({"os.system", "os.popen", "subprocess.run", "subprocess.call", "subprocess.check_call"}) | {
    "subprocess.check_output",
    "subprocess.Popen",
    "subprocess.getoutput",
    "get_ipython.system",
}
# Editing functions that some agents offer inside their notebook.
_CREATE = frozenset({"create_file", "write_file", "write_to_file", "save_file"})
_EDIT = frozenset({
    "edit_file", "edit_file_by_replace", "edit_file_by_line", "insert_content_at_line", "append_file",
    "append_to_file", "replace_in_file",
})  # fmt: skip
_OPEN = frozenset({"open_file", "view_file", "read_file"})


def interpret_python(code: str, recorder: Recorder, shell: Shell) -> None:
    """Records what a piece of Python does; code that does not parse did not run either, and records nothing."""
    code = _magics(code[:_MAX_CODE], recorder, shell)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the code's own doubtful escapes are not ours to report
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    _Visitor(tree, recorder, shell).walk()


def _magics(code: str, recorder: Recorder, shell: Shell) -> str:
    """Takes notebook magics and ``!commands`` out of the code and records them."""
    cell = re.match(r"\s*%%(\w+)[ \t]*(.*)\n", code)
    if cell is not None:
        body = code[cell.end() :]
        if cell[1] in {"bash", "sh", "script", "cmd"}:
            shell(body, recorder)
            return ""
        if cell[1] in {"writefile", "file"}:
            words = cell[2].split()
            effect = Effect.EDITED if "-a" in words else Effect.WRITTEN
            if words:
                recorder.add(effect, words[-1].strip("'\""), origin=Origin.HAND, content=body)
            return ""
        code = body
    kept = []
    for line in code.split("\n"):
        magic = re.match(r"\s*(?:\w+\s*=\s*)?(!!?|%run\b|%cd\b|%pip\b|%)(.*)", line)
        if magic is None or (magic[1] == "%" and not re.match(r"\s*%\w", line)):
            kept.append(line)
            continue
        kept.append(line[: len(line) - len(line.lstrip())] + "pass")
        if magic[1] in {"!", "!!"}:
            shell(magic[2], recorder)
        elif magic[1] == "%run":
            shell("python " + magic[2].strip().removeprefix("-i ").strip(), recorder)
        elif magic[1] == "%cd":
            shell("cd " + magic[2].strip(), recorder)
    return "\n".join(kept)


class _Visitor:
    """Walks calls in source order, knowing what is conditional."""

    def __init__(self, tree: ast.Module, recorder: Recorder, shell: Shell) -> None:
        self.tree = tree
        self.recorder = recorder
        self.shell = shell
        self.names = bindings(tree)
        self.handles = handles(tree)

    def walk(self) -> None:
        self.recorder.imported |= imported_names(self.tree)
        before = self.recorder.certain
        for call, certain in calls(self.tree):
            self.recorder.certain = before and certain
            self._call(call)
        self.recorder.certain = before

    def literal(self, node: ast.expr | None) -> str | None:
        """The text of an expression when it is fixed; a path joined from fixed parts counts."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Call) and dotted(node.func) in {"Path", "pathlib.Path", "str"} and len(node.args) == 1:
            return self.literal(node.args[0])
        parts: list[ast.expr] | None = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Call) and dotted(node.func) in {"os.path.join", "path.join"}:
            parts = node.args
        texts = [self.literal(part) for part in parts] if parts else []
        return "/".join(t for t in texts if t is not None) if texts and None not in texts else None

    def _call(self, call: ast.Call) -> None:
        name = dotted(call.func)
        tail = name.rpartition(".")[2]
        first = self._argument(
            call, 0, "path", "file_name", "file_path", "filename", "file", "path_or_buf", "fname", "fp"
        )
        if name in _OPENERS or (tail == "open" and isinstance(call.func, ast.Attribute) and is_path(call.func)):
            self._open(call, first if name in _OPENERS else None)
        elif name in _SHELLS:
            self._shell(call)
        elif name in _MOVERS | _COPIERS and len(call.args) > 1:
            self._transfer(name, self.literal(call.args[0]), self.literal(call.args[1]))
        elif name in _SCRIPTS or name in _REMOVERS or name == "os.chdir":
            self._simple(call, name, first)
        elif isinstance(call.func, ast.Name):
            self._tool(call, name, first)
        elif isinstance(call.func, ast.Attribute):
            self._method(call, call.func, tail, first)

    def _simple(self, call: ast.Call, name: str, path: str | None) -> None:
        if name == "os.chdir":
            self.recorder.cwd = self.recorder.resolve(path) if path else None
        elif name in _SCRIPTS:
            if script := path or exec_target(call):
                self.recorder.run(script, f"{name}({script})")
        elif path and (deed := self.recorder.add(Effect.REMOVED, path)):
            deed.folder = deed.folder or name == "shutil.rmtree"

    def _method(self, call: ast.Call, func: ast.Attribute, tail: str, first: str | None) -> None:
        if tail in {"write_text", "write_bytes"}:
            path, content = self.literal(func.value), self.literal(call.args[0]) if call.args else None
            if path:
                origin = Origin.HAND if content is not None or is_literal(call.args) else Origin.RUN
                self.recorder.add(Effect.WRITTEN, path, origin=origin, content=content)
        elif tail == "unlink" and (path := self.literal(func.value)):
            self.recorder.add(Effect.REMOVED, path)
        elif tail in {"rename", "replace"} and not isinstance(func.value, ast.Constant) and is_path(func):
            self._transfer("shutil.move", self.literal(func.value), first)
        elif tail in _SAVERS:
            path = next((t for node in call.args[:2] if (t := self.literal(node)) and "." in t), first)
            if path:
                self.recorder.add(Effect.WRITTEN, path, origin=Origin.RUN)
        elif tail == "dump" and len(call.args) > 1 and (path := self.literal(call.args[1])):
            self.recorder.add(Effect.WRITTEN, path, origin=Origin.RUN)
        elif tail in _READERS and first:
            self.recorder.add(Effect.READ, first)
        elif tail in _REQUESTS and call.args:
            self._ask(tail, call.args[0])

    def _ask(self, tail: str, address: ast.expr) -> None:
        """A request to a test client, which takes a bare path, or to a server on the same machine."""
        text = self.literal(address)
        if text is None and isinstance(address, ast.JoinedStr | ast.BinOp):
            text = "".join(
                part.value
                for part in ast.walk(address)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )
        if text is not None and (text.startswith("/") or "://" in text):
            self.recorder.ask(
                "get" if tail == "urlopen" else tail, f"localhost{text}" if text.startswith("/") else text
            )

    def _tool(self, call: ast.Call, name: str, first: str | None) -> None:
        if first is None:
            return
        content = self._argument(call, 1, "content", "file_text", "text", "new_content", "to_insert")
        if name in _CREATE:
            self.recorder.add(Effect.WRITTEN, first, origin=Origin.HAND, content=content or "")
        elif name in _EDIT:
            self.recorder.add(Effect.EDITED, first, origin=Origin.HAND, content=self._edit_content(call))
        elif name in _OPEN:
            self.recorder.add(Effect.READ, first)

    def _edit_content(self, call: ast.Call) -> str | None:
        texts = [self.literal(node) for node in (*call.args[1:], *(keyword.value for keyword in call.keywords))]
        known = [text for text in texts if text is not None]
        return known[-1] if known else None

    def _argument(self, call: ast.Call, index: int, *names: str) -> str | None:
        if len(call.args) > index:
            return self.literal(call.args[index])
        return next((self.literal(k.value) for k in call.keywords if k.arg in names), None)

    def _open(self, call: ast.Call, path: str | None) -> None:
        is_method = isinstance(call.func, ast.Attribute) and path is None
        if is_method and isinstance(call.func, ast.Attribute):
            path = self.literal(call.func.value)
        mode_at = 0 if is_method else 1
        mode = self._argument(call, mode_at, "mode") if len(call.args) > mode_at or call.keywords else None
        if not path:
            return
        mode = mode or "r"
        if not set(mode) & set("wax+"):
            self.recorder.add(Effect.READ, path)
            return
        content = self._written(call)
        origin = Origin.RUN if content is None else Origin.HAND
        effect = Effect.EDITED if "a" in mode or "+" in mode else Effect.WRITTEN
        self.recorder.add(effect, path, origin=origin, content=content)

    def _written(self, call: ast.Call) -> str | None:
        """The text that goes into an opened file when all of it is literal; None when any is computed."""
        handle = self.handles.get(call)
        pieces: list[str] = []
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call):
                continue
            is_write = isinstance(node.func, ast.Attribute) and node.func.attr in {"write", "writelines"}
            if (
                is_write
                and isinstance(node.func, ast.Attribute)
                and (node.func.value is call or is_name(node.func.value, handle))
            ):
                text = self.literal(node.args[0]) if len(node.args) == 1 else None
                if text is None and not is_literal(node.args):
                    return None
                pieces.append(text or "")
            elif handle and any(
                is_name(argument, handle) for argument in (*node.args, *(k.value for k in node.keywords))
            ):
                if not is_literal([argument for argument in node.args if not is_name(argument, handle)]):
                    return None
                pieces.append("")
        return "".join(pieces) if pieces else None

    def _transfer(self, name: str, source: str | None, target: str | None) -> None:
        origin = self.recorder.resolve(source) if source else None
        if name in _MOVERS and source and target:
            self.recorder.add(Effect.MOVED, target, source=origin or "")
        elif target:
            self.recorder.add(Effect.WRITTEN, target, origin=Origin.COPY, source=origin or "")

    def _shell(self, call: ast.Call) -> None:
        node = call.args[0] if call.args else None
        text = self.literal(node)
        if text is None and isinstance(node, ast.List | ast.Tuple):
            words = [
                self.literal(item) or ("python" if dotted(item) == "sys.executable" else None) for item in node.elts
            ]
            if words and None not in words:
                text = " ".join("'" + (word or "").replace("'", "'\\''") + "'" for word in words)
        if text is None:
            self.recorder.opaque = True
        else:
            self.shell(text, self.recorder)
