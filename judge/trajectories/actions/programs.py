"""Which program a command starts, past wrappers such as sudo, and which script it runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.trajectories.actions.shell import Word

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_WRAPPERS = {
    "sudo": 0, "env": 0, "nohup": 0, "time": 0, "nice": 0, "stdbuf": 0, "command": 0, "exec": 0, "setsid": 0,
    "unbuffer": 0, "xvfb-run": 0, "builtin": 0, "timeout": 1, "gtimeout": 1, "ionice": 0, "eval": 0, "torchrun": 0,
}  # fmt: skip
"""Programs that start the command in their arguments, with the number of plain arguments before it."""
_TWO_WORDS = {
    ("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("rye", "run"), ("hatch", "run"),
    ("conda", "run"), ("mamba", "run"), ("accelerate", "launch"), ("coverage", "run"),
}  # fmt: skip
_VALUED = {
    "sudo": {"-u", "-g"}, "env": {"-u", "-C"}, "nice": {"-n"}, "conda": {"-n", "-p", "--name", "--prefix"},
    "mamba": {"-n", "-p"}, "timeout": {"-k", "-s", "--signal", "--kill-after"}, "uv": {"--with", "--python", "-p"},
    "stdbuf": {"-o", "-e", "-i"}, "ionice": {"-c", "-n"},
}  # fmt: skip
_PYTHON = re.compile(r"(python|pypy|ipython)(w?|\d(\.\d+)*t?)$")
_INTERPRETERS = {
    "node": "javascript", "nodejs": "javascript", "deno": "javascript", "bun": "javascript", "tsx": "javascript",
    "ts-node": "javascript", "bash": "shell", "sh": "shell", "zsh": "shell", "dash": "shell", "ksh": "shell",
    "source": "shell", ".": "shell", "Rscript": "r", "julia": "julia", "ruby": "ruby", "php": "php", "lua": "lua",
}  # fmt: skip
_SUBCOMMANDS = {
    "streamlit": {"run"}, "gradio": set(), "jupyter": {"nbconvert", "execute", "run"}, "papermill": set(),
    "uvicorn": set(), "gunicorn": set(), "hypercorn": set(), "panel": {"serve"}, "bokeh": {"serve"}, "go": {"run"},
    "fastapi": {"run", "dev"}, "pytest": set(), "py.test": set(), "nbexec": set(), "R": set(),
}  # fmt: skip
_OPAQUE = frozenset({
    "make", "npm", "yarn", "pnpm", "npx", "cargo", "mvn", "gradle", "ant", "tox", "nox", "flask", "docker",
    "docker-compose", "just", "invoke", "dvc", "snakemake", "rake",
})  # fmt: skip
# Modules of Python tools: `python -m pip` runs nothing of the workspace.
_TOOL_MODULES = frozenset({
    "pip", "venv", "http", "json", "compileall", "py_compile", "ensurepip", "mypy", "ruff", "black", "flake8",
    "pylint", "isort", "IPython", "virtualenv", "pipx", "build", "twine", "site", "sysconfig", "this", "zipfile",
    "tarfile", "pydoc", "ipykernel", "tensorboard", "spacy", "nltk", "textblob", "kaggle", "platform",
})  # fmt: skip
_CARRIERS = frozenset(
    {"pdb", "cProfile", "profile", "trace", "timeit", "coverage", "memory_profiler", "kernprof", "streamlit"}
)
_PYTHON_VALUED = frozenset({"-W", "-X", "-Q", "--check-hash-based-pycs"})


@dataclass(frozen=True, slots=True)
class Program:
    """A command without its wrappers.

    Attributes:
        name: The program's name without its folder; empty when there is none.
        args: Its arguments.
        script: The file that it runs, as written; for ``-m pkg.mod`` the module's path.
        code: Code given in the arguments (``-c``).
        reads_stdin: Whether the code comes from standard input.
        language: ``python``, ``shell`` or another; empty when it is no interpreter.
        is_runner: Whether it runs code of the workspace.
        opaque: Whether it runs something that cannot be told.
    """

    name: str = ""
    args: Sequence[Word] = ()
    script: str | None = None
    code: str | None = None
    reads_stdin: bool = False
    language: str = ""
    is_runner: bool = False
    opaque: bool = False


def find_program(words: Sequence[Word]) -> Program:
    """What a command's words start."""
    rest = _unwrap(list(words))
    if not rest:
        return Program()
    full = rest[0].text
    name, args = full.rsplit("/", 1)[-1], rest[1:]
    if rest[0].dynamic and not rest[0].pattern:
        return Program(name="", args=args, opaque=True)
    if _PYTHON.match(name):
        return _python(name, args)
    if name in _INTERPRETERS:
        return _interpreter(name, args, _INTERPRETERS[name])
    if name in _SUBCOMMANDS:
        return _tool(name, args)
    if name in _OPAQUE:
        return Program(name=name, args=args, opaque=True)
    if full.startswith(("./", "../")) or ("/" in full and re.search(r"\.(py|sh|js|R|rb|pl)$", full)):
        return Program(name=name, args=args, script=full, language="", is_runner=True)
    return Program(name=name, args=args)


def _unwrap(words: list[Word]) -> list[Word]:
    for _ in range(12):
        while words and _ASSIGNMENT.match(words[0].text):
            words = words[1:]
        if not words:
            return []
        name = words[0].text.rsplit("/", 1)[-1]
        two = (name, words[1].text) if len(words) > 1 else None
        if name not in _WRAPPERS and two not in _TWO_WORDS:
            return words
        plain = _WRAPPERS.get(name, 0)
        words = words[1:] if name in _WRAPPERS else words[2:]
        words = _skip_options(words, _VALUED.get(name, set()))
        words = words[plain:]
        if name == "torchrun" or two in {("accelerate", "launch"), ("coverage", "run")}:
            return [Word("python"), *words]
    return words


def _skip_options(words: list[Word], valued: set[str]) -> list[Word]:
    while words and words[0].text.startswith("-"):
        words = words[2:] if words[0].text in valued else words[1:]
    return words


def _python(name: str, args: list[Word]) -> Program:
    left = list(args)
    while left:
        word = left[0].text
        if word == "-c" or (
            word.startswith("-") and not word.startswith("--") and word.endswith("c") and len(word) <= 4
        ):
            code = left[1].text if len(left) > 1 else ""
            return Program(name, args, code=code, language="python", is_runner=True)
        if word == "-m":
            return _module(name, args, left[1:])
        if word in {"-V", "--version", "-h", "--help"}:
            return Program(name, args)
        if word == "-":
            break
        if not word.startswith("-"):
            if left[0].dynamic:
                return Program(name, args, language="python", opaque=True)
            return Program(name, args, script=word, language="python", is_runner=True)
        left = left[2:] if word in _PYTHON_VALUED else left[1:]
    return Program(name, args, reads_stdin=True, language="python", is_runner=True)


def _module(name: str, args: list[Word], left: list[Word]) -> Program:
    if not left or left[0].dynamic:
        return Program(name, args, language="python", opaque=True)
    module = left[0].text
    top = module.partition(".")[0]
    if module in {"pytest", "unittest", "nose", "nose2"}:
        return Program(name, args, opaque=True) if module != "pytest" else _tool("pytest", left[1:])
    if top in _CARRIERS:
        script = next((word.text for word in left[1:] if word.text.endswith(".py")), None)
        return Program(
            name, args, script=script, language="python", is_runner=script is not None, opaque=script is None
        )
    if top in _TOOL_MODULES or not re.fullmatch(r"[A-Za-z_][\w.]*", module):
        return Program(name, args)
    return Program(name, args, script=module.replace(".", "/") + ".py", language="python", is_runner=True)


def _interpreter(name: str, args: list[Word], language: str) -> Program:
    left = list(args)
    while left and left[0].text.startswith("-") and left[0].text != "-":
        if left[0].text in {"--version", "-v", "--help"}:
            return Program(name, args)
        if re.fullmatch(r"-l?[ce]", left[0].text) or left[0].text == "--eval":
            return Program(name, args, code=left[1].text if len(left) > 1 else "", language=language, is_runner=True)
        left = left[1:]
    if not left or left[0].text == "-":
        return Program(name, args, reads_stdin=True, language=language, is_runner=True)
    if left[0].dynamic:
        return Program(name, args, language=language, opaque=True)
    if name in {"deno", "bun"} and left[0].text == "run":
        left = left[1:] or left
    if name in {"source", "."} and re.search(r"(activate|\.env|\.bashrc|\.profile|conda\.sh)$", left[0].text):
        return Program(name, args)
    return Program(name, args, script=left[0].text, language=language, is_runner=True)


def _tool(name: str, args: list[Word]) -> Program:
    """Servers, test runners and notebook tools: the file is the argument that looks like one."""
    plain = [word for word in args if not word.text.startswith("-") and not word.dynamic]
    verbs = _SUBCOMMANDS[name]
    if verbs:
        if not plain or plain[0].text not in verbs:
            return Program(name, args)
        plain = plain[1:]
    if (
        name == "jupyter"
        and not any("--execute" in word.text for word in args)
        and "nbconvert" in {w.text for w in args}
    ):
        return Program(name, args)
    if name in {"uvicorn", "gunicorn", "hypercorn"}:
        target = next((word.text.partition(":")[0] for word in plain if ":" in word.text), None)
        script = target.replace(".", "/") + ".py" if target else None
    else:
        script = next(
            (word.text.partition("::")[0] for word in plain if re.search(r"\.\w{1,5}(::|$)", word.text)), None
        )
    if script is None:
        return Program(name, args, opaque=True)
    return Program(name, args, script=script, is_runner=True)
