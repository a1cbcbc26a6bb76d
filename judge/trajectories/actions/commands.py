"""What shell commands do to files, command by command; an unknown command is taken to do nothing known."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from judge.trajectories.actions.programs import Program, find_program
from judge.trajectories.actions.python_code import interpret_python
from judge.trajectories.actions.record import Effect, Origin, Recorder
from judge.trajectories.actions.shell import Command, Word, split_shell

_READERS = frozenset({"cat", "head", "tail", "less", "more", "bat", "nl", "wc", "file", "stat"})
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_MAKERS = frozenset({"pandoc", "convert", "magick", "ffmpeg", "gcc", "g++", "clang", "dot", "wkhtmltopdf", "pdflatex"})


def interpret_shell(text: str, recorder: Recorder) -> None:
    """Records what a shell text does, following ``cd``, redirections, pipes and here-documents."""
    commands = split_shell(text)
    outside = recorder.certain
    start = recorder.cwd
    for index, command in enumerate(commands):
        recorder.certain = outside and not command.conditional and command.joiner != "||"
        recorder.joiner = command.joiner
        if command.subshell and (index == 0 or not commands[index - 1].subshell):
            start = recorder.cwd
        piped_from = commands[index - 1] if command.joiner == "|" and index else None
        piped_to = index + 1 < len(commands) and commands[index + 1].joiner == "|"
        _Interpreter(command, piped_from, recorder).interpret(piped_to=piped_to, last=index + 1 == len(commands))
        if command.subshell and (index + 1 == len(commands) or not commands[index + 1].subshell):
            recorder.cwd = start
    recorder.certain = outside
    recorder.joiner = ""


class _Interpreter:
    """One simple command."""

    def __init__(self, command: Command, piped_from: Command | None, recorder: Recorder) -> None:
        self.command = command
        self.piped_from = piped_from
        self.recorder = recorder
        self.program: Program = find_program(command.words)
        self.name = self.program.name
        self.args = self.program.args

    def interpret(self, *, piped_to: bool, last: bool) -> None:
        handler = _HANDLERS.get(self.name)
        if self.program.is_runner:
            self._run(piped_to=piped_to, last=last)
        elif handler is not None:
            handler(self)
        elif self.name in _READERS:
            for word in self._plain():
                self.recorder.add(Effect.READ, word.text)
        elif self.name in _MAKERS:
            self._option_output("-o", "--output")
        elif self.program.opaque:
            self.recorder.opaque = True
        if not self.program.is_runner:
            self._outputs(self._origin(self.command))

    def _plain(self) -> list[Word]:
        """Arguments that are no options."""
        return [word for word in self.args if not word.text.startswith("-") or word.text == "-"]

    def _origin(self, command: Command) -> tuple[Origin, str | None, str]:
        """Where a command's output comes from, its text when it is literal, and the file it is taken from."""
        name, args = find_program(command.words).name, find_program(command.words).args
        if name in {"echo", "printf"}:
            dynamic = any(word.dynamic and not word.pattern for word in args)
            text = " ".join(word.text for word in args if not re.fullmatch(r"-[neE]+", word.text))
            return (Origin.UNKNOWN, None, "") if dynamic else (Origin.HAND, text + ("\n" if name == "echo" else ""), "")
        plain = [word for word in args if not word.text.startswith("-")]
        if name in {"cat", "tee", ""} and not plain and command.heredoc is not None:
            return (Origin.HAND, command.heredoc, "") if command.heredoc_literal else (Origin.UNKNOWN, None, "")
        if name in {"", ":", "true"}:
            return Origin.HAND, "", ""
        if name == "cat" and len(plain) == 1 and not plain[0].dynamic:
            return Origin.COPY, None, self.recorder.resolve(plain[0].text) or ""
        if name in {"curl", "wget"}:
            return Origin.DOWNLOAD, None, ""
        return (Origin.COPY if name == "cat" else Origin.RUN), None, ""

    def _outputs(self, origin: tuple[Origin, str | None, str], source: str = "") -> None:
        for word, append in self.command.outputs:
            if not word.dynamic:
                effect = Effect.EDITED if append else Effect.WRITTEN
                self.recorder.add(effect, word.text, origin=origin[0], content=origin[1], source=source or origin[2])

    def _run(self, *, piped_to: bool, last: bool) -> None:
        program, command = self.program, self.command
        hidden = bool(command.outputs) or command.background or (command.errors_hidden and piped_to)
        text = " ".join(word.text for word in command.words)
        if command.errors_hidden:
            hidden = True
        if program.code is not None or program.reads_stdin:
            code = program.code if program.code is not None else command.heredoc
            deed = self.recorder.run(None, text, hidden=hidden, inline=True)
            if code is not None and program.language == "python":
                interpret_python(code, self.recorder, interpret_shell)
            elif code is not None and program.language == "shell":
                interpret_shell(code, self.recorder)
        elif program.script is not None:
            deed = self.recorder.run(program.script, text, hidden=hidden)
        else:
            deed = None
            self.recorder.opaque = True
        if deed is not None:
            deed.last = last
        source = deed.path if deed is not None else ""
        self._outputs((Origin.RUN, None, source), source)

    def _option_output(self, *options: str) -> None:
        words = [word.text for word in self.args]
        for index, word in enumerate(words):
            target = (
                word.partition("=")[2] if word.startswith(tuple(f"{o}=" for o in options if o.startswith("--"))) else ""
            )
            if word in options and index + 1 < len(words):
                target = words[index + 1]
            if target and not self.args[index].dynamic:
                self.recorder.add(Effect.WRITTEN, target, origin=Origin.RUN)

    def cd(self) -> None:
        """Follows a change of folder; into a variable it is lost."""
        target = next(iter(self._plain()), None)
        recorder = self.recorder
        if self.command.conditional or self.command.joiner == "|":
            return
        if target is None or target.text == "-" or target.dynamic:
            recorder.cwd = None
        else:
            recorder.cwd = recorder.resolve(target.text)

    def remove(self) -> None:
        """Records removed files; a pattern is kept as one."""
        deep = any(re.match(r"-\w*[rR]|--recursive", word.text) for word in self.args)
        for word in self._plain():
            if not word.dynamic or word.pattern:
                deed = self.recorder.add(Effect.REMOVED, word.text)
                if deed is not None:
                    deed.pattern, deed.folder = word.pattern, deep

    def transfer(self) -> None:
        """Records a move or a copy, of one file or of several into a folder."""
        words = [word for word in self._plain() if not word.dynamic]
        if len(words) < 2 or len(words) != len(self._plain()):
            return
        target = words[-1].text
        into = target.endswith("/") or target in {".", ".."} or len(words) > 2
        for word in words[:-1]:
            goal = posixpath.join(target, posixpath.basename(word.text.rstrip("/"))) if into else target
            source = self.recorder.resolve(word.text) or ""
            if self.name == "mv":
                self.recorder.add(Effect.MOVED, goal, source=source)
            else:
                self.recorder.add(Effect.WRITTEN, goal, origin=Origin.COPY, source=source)

    def touch(self) -> None:
        """Records a file that is made empty unless it is there; the history knows which."""
        for word in self._plain():
            if not word.dynamic:
                self.recorder.add(Effect.WRITTEN, word.text, origin=Origin.UNKNOWN, content=None, source="touch")

    def tee(self) -> None:
        """Records files that get a copy of what is piped in."""
        origin = self._origin(self.piped_from) if self.piped_from else self._origin(self.command)
        source = ""
        if self.piped_from is not None and find_program(self.piped_from.words).is_runner:
            origin, source = (Origin.RUN, None, ""), find_program(self.piped_from.words).script or ""
        effect = Effect.EDITED if any(word.text in {"-a", "--append"} for word in self.args) else Effect.WRITTEN
        for word in self._plain():
            if not word.dynamic:
                resolved = self.recorder.resolve(source) or "" if source else origin[2]
                self.recorder.add(effect, word.text, origin=origin[0], content=origin[1], source=resolved)

    def sed(self) -> None:
        """Records files edited in place."""
        if not any(re.match(r"-\w*i|--in-place", word.text) for word in self.args):
            return
        plain = self._plain()
        has_script = any(word.text in {"-e", "-f"} for word in self.args)
        for word in plain if has_script else plain[1:]:
            if not word.dynamic and re.search(r"[\w/]\.\w+$|^[\w./-]+$", word.text):
                self.recorder.add(Effect.EDITED, word.text, origin=Origin.HAND)

    def fetch(self) -> None:
        """Records a downloaded file whose name is given, and a request to a server on the same machine."""
        words = [word.text for word in self.args]
        self._ask(words)
        for option in ("-O", "-o", "--output", "--output-document"):
            if option in words[:-1] and not (self.name == "curl" and option == "-O"):
                self.recorder.add(Effect.WRITTEN, words[words.index(option) + 1], origin=Origin.DOWNLOAD)

    def _ask(self, words: list[str]) -> None:
        """The method is named (``-X PUT``, ``http PUT :80/x``), else follows from whether there is a body."""
        method = "GET"
        for index, word in enumerate(words):
            joined = re.fullmatch(r"(?:-X|--request=|--method=)([A-Za-z]+)", word)
            if joined or word in _METHODS:
                method = joined[1] if joined else word
            elif word in {"-X", "--request", "--method"} and index + 1 < len(words):
                method = words[index + 1]
            elif method == "GET" and re.match(r"-d|--data|--json|-F|--form|--post-data", word):
                method = "POST"
            elif word in {"-I", "--head"}:
                method = "HEAD"
        if self.name in {"http", "xh"} and method == "GET" and any(re.match(r"[\w-]+:?=", word) for word in words):
            method = "POST"
        for word in words:
            address = f"localhost{word}" if self.name in {"http", "xh"} and word.startswith((":", "/")) else word
            if not word.startswith("-"):
                self.recorder.ask(method, address)

    def editor(self) -> None:
        """Records the editor commands of agents that edit through the shell."""
        words = [word.text for word in self.args]
        verb, path = (
            (words[0], words[1])
            if self.name == "str_replace_editor" and len(words) > 1
            else (self.name, words[0] if words else "")
        )
        effects = {
            "create": Effect.WRITTEN,
            "str_replace": Effect.EDITED,
            "insert": Effect.EDITED,
            "view": Effect.READ,
            "open": Effect.READ,
        }
        if verb in effects and path and ("." in path or "/" in path):
            content = next(
                (words[i + 1] for i, word in enumerate(words[:-1]) if word in {"--file_text", "--new_str"}), None
            )
            self.recorder.add(effects[verb], path, origin=Origin.HAND, content=content)


_HANDLERS: dict[str, Callable[[_Interpreter], None]] = {
    "cd": _Interpreter.cd,
    "pushd": _Interpreter.cd,
    "rm": _Interpreter.remove,
    "unlink": _Interpreter.remove,
    "mv": _Interpreter.transfer,
    "cp": _Interpreter.transfer,
    "install": _Interpreter.transfer,
    "touch": _Interpreter.touch,
    "tee": _Interpreter.tee,
    "sed": _Interpreter.sed,
    "perl": _Interpreter.sed,
    "curl": _Interpreter.fetch,
    "wget": _Interpreter.fetch,
    "http": _Interpreter.fetch,
    "xh": _Interpreter.fetch,
    "str_replace_editor": _Interpreter.editor,
    "create": _Interpreter.editor,
    "open": _Interpreter.editor,
}
