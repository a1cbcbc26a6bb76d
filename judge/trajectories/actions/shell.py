"""Splits shell text into simple commands, tolerantly: what cannot be told is marked dynamic, nothing raises."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MAX_COMMANDS = 500
_REDIRECT = re.compile(r"(\d*|&)(>>|>\||>&|>|<<<|<<-|<<|<&|<>|<)")
_SPECIAL = re.compile(r'["\\$`]')
_OPENING = frozenset({"if", "while", "until", "for", "case", "select"})
_CLOSING = frozenset({"fi", "done", "esac"})
_NEUTRAL = frozenset({"then", "do", "else", "elif", "!", "{", "}", "in", "time"})


@dataclass(slots=True)
class Word:
    """One word; ``dynamic`` when its text depends on a variable, a substitution or a pattern."""

    text: str
    dynamic: bool = False
    pattern: bool = False


@dataclass(slots=True)
class Command:
    """One simple command.

    Attributes:
        words: Name and arguments, unquoted.
        outputs: (target, append) of redirected output.
        errors_hidden: Whether the error output goes elsewhere.
        heredoc: Text given as input; None when there is none.
        heredoc_literal: Whether that text reaches the command unchanged.
        joiner: ``&&``, ``||``, ``;``, ``|`` or ``&`` before it; empty for the first.
        background: Whether it is started in the background.
        conditional: Whether it stands in a condition, loop or function.
        subshell: Whether it stands in parentheses, so that its ``cd`` does not last.
    """

    words: list[Word] = field(default_factory=list)
    outputs: list[tuple[Word, bool]] = field(default_factory=list)
    errors_hidden: bool = False
    heredoc: str | None = None
    heredoc_literal: bool = True
    joiner: str = ""
    background: bool = False
    conditional: bool = False
    subshell: bool = False


class _Splitter:
    """A single pass over the text, character by character."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        self.commands: list[Command] = []
        self.current = Command()
        self.blocks = 0
        self.functions = 0
        self.parens = 0
        self.waiting: list[tuple[Command, str, bool, bool]] = []

    def split(self) -> list[Command]:
        while self.at < len(self.text) and len(self.commands) < _MAX_COMMANDS:
            self._step()
        self._end("")
        return self.commands

    def _step(self) -> None:
        text, at = self.text, self.at
        char = text[at]
        two = text[at : at + 2]
        if char in " \t":
            self.at += 1
        elif two == "\\\n":
            self.at += 2
        elif char == "\n":
            self.at += 1
            self._end(";")
            self._heredocs()
        elif char == "#":
            end = text.find("\n", at)
            self.at = len(text) if end < 0 else end
        elif two in {"&&", "||", ";;"}:
            self.at += 2
            self._end(";" if two == ";;" else two)
        elif match := _REDIRECT.match(text, at):
            self._redirect(match)
        elif char in ";|&()":
            self._separator(char)
        else:
            self._word()

    def _separator(self, char: str) -> None:
        self.at += 2 if self.text.startswith("|&", self.at) else 1
        if char == "(":
            if self.current.words and self.text[self.at : self.at + 1] == ")":
                # A function definition: its body runs when it is called, if ever.
                self.at += 1
                self.current = Command(joiner=self.current.joiner)
                self.functions += 1
                return
            self.parens += 1
        elif char == ")":
            self._end(";")
            self.parens = max(0, self.parens - 1)
        else:
            if char == "&":
                self.current.background = True
            self._end(char)

    def _end(self, joiner: str) -> None:
        command = self.current
        if command.words or command.outputs:
            command.conditional = self.blocks > 0 or self.functions > 0
            command.subshell = self.parens > 0
            self._keywords(command)
            if command.words or command.outputs:
                self.commands.append(command)
            self.current = Command(joiner=joiner)
        elif joiner:
            self.current.joiner = (
                self.current.joiner if joiner == ";" and self.current.joiner in {"&&", "||", "|"} else joiner
            )

    def _keywords(self, command: Command) -> None:
        while command.words and not command.words[0].dynamic:
            name = command.words[0].text
            if name in _OPENING:
                self.blocks += 1
                command.conditional = True
                command.words = [] if name in {"for", "case", "select"} else command.words[1:]
            elif name in _CLOSING:
                self.blocks = max(0, self.blocks - 1)
                command.words = command.words[1:]
            elif name in _NEUTRAL:
                if name == "}":
                    self.functions = max(0, self.functions - 1)
                command.words = command.words[1:]
            else:
                return

    def _redirect(self, match: re.Match[str]) -> None:
        self.at = match.end()
        stream, op = match[1], match[2]
        while self.text[self.at : self.at + 1] in {" ", "\t"}:
            self.at += 1
        quoted = self.text[self.at : self.at + 1] in {"'", '"', "\\"}
        word = self._read_word()
        if op in {"<<", "<<-"}:
            if word.text:
                self.waiting.append((self.current, word.text, op == "<<-", quoted))
        elif op == "<<<":
            self.current.heredoc, self.current.heredoc_literal = word.text + "\n", not word.dynamic
        elif op == ">&" and (word.text.isdigit() or word.text == "-"):
            return
        elif op.startswith(">"):
            if stream == "2":
                self.current.errors_hidden = True
                return
            self.current.errors_hidden |= stream == "&" or op == ">&"
            self.current.outputs.append((word, op == ">>"))

    def _heredocs(self) -> None:
        for command, delimiter, dashed, quoted in self.waiting:
            lines: list[str] = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = min(end + 1, len(self.text))
                line = line.lstrip("\t") if dashed else line
                if line.rstrip() == delimiter:
                    break
                lines.append(line)
            command.heredoc = "".join(line + "\n" for line in lines)
            command.heredoc_literal = quoted or not re.search(r"[$`]", command.heredoc)
        self.waiting = []

    def _word(self) -> None:
        start = self.at
        word = self._read_word()
        if self.at == start:
            self.at += 1
        else:
            self.current.words.append(word)

    def _read_word(self) -> Word:
        parts: list[str] = []
        word = Word("")
        text = self.text
        while self.at < len(text) and text[self.at] not in " \t\n;|&()<>":
            char = text[self.at]
            if char == "'":
                end = text.find("'", self.at + 1)
                end = len(text) if end < 0 else end
                parts.append(text[self.at + 1 : end])
                self.at = end + 1
            elif char == '"':
                self._double(parts, word)
            elif char == "\\":
                parts.append(text[self.at + 1 : self.at + 2].replace("\n", ""))
                self.at += 2
            elif char in "$`":
                self._substitution(parts, word)
            else:
                if char in "*?[" or (char == "{" and "," in text[self.at : self.at + 200].partition("}")[0]):
                    word.dynamic = word.pattern = True
                parts.append(char)
                self.at += 1
        word.text = "".join(parts)
        return word

    def _double(self, parts: list[str], word: Word) -> None:
        self.at += 1
        text = self.text
        while self.at < len(text) and text[self.at] != '"':
            if text[self.at] == "\\":
                following = text[self.at + 1 : self.at + 2]
                parts.append(
                    following.replace("\n", "") if following in {"$", "`", '"', "\\", "\n"} else "\\" + following
                )
                self.at += 2
            elif text[self.at] in "$`":
                self._substitution(parts, word)
            else:
                found = _SPECIAL.search(text, self.at)
                end = found.start() if found else len(text)
                parts.append(text[self.at : end])
                self.at = end
        self.at += 1

    def _substitution(self, parts: list[str], word: Word) -> None:
        """Skips over a variable or a command substitution; its value is not known."""
        text, start = self.text, self.at
        if text.startswith("$'", start):
            self.at += 1
            return
        word.dynamic = word.dynamic or len(text) > start + 1
        if text.startswith("$(", start) or text.startswith("${", start):
            opening, closing = text[start + 1], ")" if text[start + 1] == "(" else "}"
            depth, self.at = 0, start + 1
            while self.at < len(text):
                depth += (text[self.at] == opening) - (text[self.at] == closing)
                self.at += 1
                if depth == 0:
                    break
        elif text[start] == "`":
            end = text.find("`", start + 1)
            self.at = len(text) if end < 0 else end + 1
        else:
            self.at += 1
        parts.append(text[start : self.at])


def split_shell(text: str) -> list[Command]:
    """The simple commands of a shell text, in order."""
    return _Splitter(text).split()
