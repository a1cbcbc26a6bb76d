"""Aider's chat history, ``.aider.chat.history.md``: sessions one after the other in one text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats.aider_edits import find_edits
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import time_of

NAME = "aider"
_SESSION = re.compile(r"^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", re.M)
_TOKENS = re.compile(
    r"Tokens: ([\d.,]+[kKmM]?) sent,(?: ([\d.,]+[kKmM]?) cache (?:write|hit),)*\s*([\d.,]+[kKmM]?) received\."
)
_COST = re.compile(r"Cost: \$([\d.,]+) (?:request|message|send)")
_MODEL = re.compile(r"^(?:Main model|Models?): (\S+) with")
_APPLIED = re.compile(r"^(?:Applied edit to|Created|Wrote) (.+?)\s*$")
_RUN = ("/run ", "/test ", "!", "/git ")
_FAILED = re.compile(
    r"SEARCH/REPLACE blocks? failed|failed to apply|did not conform to the edit format|malformed", re.I
)


def sniff(sample: Sample) -> Match | None:
    """The line with which each session starts."""
    if _SESSION.search(sample.head):
        return Match(CERTAIN, "a line # aider chat started at")
    if re.search(r"^> Aider v\d", sample.head, re.M) and re.search(r"^#### ", sample.head, re.M):
        return Match(LIKELY, "notes of Aider and prompts")
    return None


def read(source: Source) -> Iterator[Converted]:
    """All sessions of the file as one trajectory: they worked on one folder, one after the other."""
    reader = _Reader(source)
    for line in source.text_lines():
        reader.line(line)
    if reader.recognised:
        yield reader.finish()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.builder = Builder(NAME, source)
        self._prompt: list[str] = []
        self._answer: list[str] = []
        self._notes: list[str] = []
        self._model: str | None = None
        self._time: float | None = None
        self._fence = False
        self._blank = False
        self.recognised = False
        """Whether anything of it is Aider's: without that a text is no chat history, whatever it holds."""

    def line(self, raw: str) -> None:
        """One line: a session's start, a prompt, a note of the program, or the model's answer."""
        line = raw.rstrip()
        # Lines of one prompt follow each other; a blank line ends it.
        self._blank = bool(self._prompt) and (self._blank or not line)
        # The program ends its own lines with two blanks; inside a code block only those are taken for its own.
        own = not self._fence or raw.endswith("  ") or line.startswith("> Tokens: ")
        if match := _SESSION.match(line):
            self._end_exchange()
            self.recognised = True
            self._count("sessions")
            self._time = time_of(match[1].replace(" ", "T"))
            self.builder.tick(self._time)
        elif own and (line.startswith("#### ") or line == "####"):
            if self._answer or self._notes or self._blank:
                self._end_exchange()
            self._fence = False
            self.recognised = True
            self._prompt.append(line[4:].strip())
        elif own and (line.startswith("> ") or line == ">"):
            self._note(line[2:].strip())
        elif line or self._answer:
            if line and any(_TOKENS.search(note) for note in self._notes):
                # A further answer to the same prompt, such as after a failed test.
                self._end_exchange()
            if line.startswith("```"):
                self._fence = not self._fence
            self._answer.append(line)

    def _note(self, text: str) -> None:
        if match := _MODEL.match(text):
            self._model = match[1]
        if "KeyboardInterrupt" in text:
            self._count("interrupts")
        self._notes.append(text)
        if _TOKENS.search(text):
            # The answer is over; what follows are notes on it.
            self._fence = False

    def _count(self, key: str) -> None:
        notes = self.builder.report.notes
        notes[key] = notes.get(key, 0) + 1

    def _end_exchange(self) -> None:
        prompt = "\n".join(self._prompt).strip()
        answer = "\n".join(self._answer).strip()
        notes = [note for note in self._notes if note]
        self._prompt, self._answer, self._notes = [], [], []
        self._fence = self._blank = False
        if prompt.startswith(("/", "!")) and not prompt.startswith(("/ask ", "/code ", "/architect ")):
            self._count("slash commands")
            self._slash(prompt, answer, notes)
        elif prompt:
            self.builder.used("prompt")
            self._count("prompts")
            self.builder.user(prompt)
            if answer:
                self._turn(answer, notes)
            else:
                self.builder.skip("note", len(notes))
        elif answer:
            self._turn(answer, notes)
        else:
            self.builder.skip("note", len(notes))

    def _slash(self, prompt: str, answer: str, notes: list[str]) -> None:
        """A command to Aider itself; one that runs something shows what came out."""
        for start in _RUN:
            if prompt.startswith(start):
                self.builder.used("command that was run")
                words = prompt[len(start) :].strip()
                self.builder.turn("")
                self.builder.call(None, "run", f"git {words}" if start == "/git " else words)
                self.builder.result(None, "\n".join([*notes, answer]).strip())
                return
        self.builder.skip("slash command")
        self.builder.skip("note", len(notes))
        if answer:
            # A prompt that a command sent on, such as /lint.
            self._turn(answer, notes)

    def _turn(self, answer: str, notes: list[str]) -> None:
        self.builder.used("answer")
        self.builder.used("note", len(notes))
        self.builder.turn(answer, usage=self._usage(notes))
        applied = [match[1] for note in notes if (match := _APPLIED.match(note))]
        told = "\n".join(note for note in notes if not _TOKENS.search(note))
        failed = any(_FAILED.search(note) for note in notes)
        edits = find_edits(answer, applied)
        for edit in edits:
            done = edit.path in applied or not applied
            self.builder.call(None, edit.tool, edit.arguments)
            self.builder.result(None, told or "(no note)", failed=(failed and not done) or None)
        if not edits and (commands := [note[8:] for note in notes if note.startswith("Running ")]):
            self.builder.call(None, "run", commands[0])
            self.builder.result(None, told)
        listed = self.builder.report.notes.setdefault("applied edits", [])
        listed += [path for path in applied if path not in listed][:100]

    def _usage(self, notes: list[str]) -> StepUsage:
        """Rounded figures, as the program prints them; several answers of one exchange are added."""
        fed = made = 0
        cost = 0.0
        tokens = priced = False
        for note in notes:
            if match := _TOKENS.search(note):
                tokens = True
                # Tokens written to the cache are counted beside those sent, tokens read from it within them.
                fed += _number(match[1])
                made += _number(match[3])
            if match := _COST.search(note):
                priced = True
                cost += float(match[1].replace(",", ""))
        return StepUsage(
            input_tokens=fed if tokens else None,
            output_tokens=made if tokens else None,
            cost=round(cost, 6) if priced else None,
            model=self._model,
        )

    def finish(self) -> Converted:
        self._end_exchange()
        notes = self.builder.report.notes
        if notes.get("sessions", 0) > 1:
            self.builder.warn(f"{notes['sessions']} sessions follow each other and are read as one")
        if not notes.get("applied edits"):
            notes.pop("applied edits", None)
        return self.builder.finish()


def _number(text: str) -> int:
    scale = {"k": 1000, "m": 1_000_000}.get(text[-1:].lower(), 1)
    digits = text.rstrip("kKmM").replace(",", "").strip(".")
    try:
        return round(float(digits) * scale)
    except ValueError:
        return 0


FORMAT = Format(
    name=NAME,
    description="Aider chat history (.aider.chat.history.md)",
    sniff=sniff,
    read=read,
)
