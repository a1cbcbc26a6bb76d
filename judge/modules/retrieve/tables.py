"""What is made once for one trajectory: its words, its files' histories, what its steps print and test."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.modules.retrieve.show import boilerplate
from judge.modules.search.base import Index, Passage, Search

if TYPE_CHECKING:
    from judge.schemas import Step, Trajectory
    from judge.trajectories import FileEvent, FileHistory

_STEP_CHARS = 20_000
_LEAST_CHARS = 2_000
_ALL_CHARS = 6_000_000
"""Characters whose words are counted in all: of many long steps only the ends can be."""
_ACTION_CHARS = 8_000
_TAIL_CHARS = 6_000
_MEASURES_TEXT = """
accuracy|acc|precision|recall|specificity|sensitivity|f1|auc|roc|rmse|mse|mae|mape|r2|r\\^2|loss|error|score|bleu|rouge|
perplexity|psnr|ssim|fid|iou|map|dice|reward|return|success|silhouette|inertia|wer|cer|ndcg|hit|support|lift|profit|
sharpe|coherence|passed|failed
"""
_PRINTED = re.compile(
    rf"(?<![a-z0-9])({_MEASURES_TEXT.replace(chr(10), '')})s?(?![a-z0-9])[^\n0-9]{{0,40}}[-+]?[0-9]", re.IGNORECASE
)
_TEST_RUN = re.compile(
    r"\b(?:py\.?test|unittest|nosetests?|nose2|tox|nox|ctest|jest|vitest|mocha|rspec|phpunit|testthat)\b"
    r"|\b(?:npm|yarn|pnpm|bun|cargo|go|mvn|mvnw|gradle|gradlew|dotnet|swift|sbt|mix|make|rails|deno) (?:run )?test",
)
_TEST_RESULT = re.compile(
    r"^=+ .*\b\d+ (?:passed|failed|errors?)\b.* =+$|^Ran \d+ tests? in|^test result: |^Tests?:? +\d+ (?:passed|failed)"
    r"|^(?:ok|FAIL)\s+\S+\s+[\d.]+s$|^\d+ (?:passing|failing)\b|^Tests run: \d+",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Tables:
    """What is known of a trajectory.

    Attributes:
        trajectory: The recorded steps.
        history: What happened to every file.
        index: Ranks the steps by their words.
        texts: Text of every step; of very long ones both ends.
        said: The part of it that is the agent's own.
        noise: Lines that the agent's tools add to many results.
        events: What happened to files, by step number.
        prints: Names of measures that the result of a step gives with a number, in lower case, by position.
        tests: Positions of the steps that ran tests.
    """

    trajectory: Trajectory
    history: FileHistory
    index: Index
    texts: tuple[str, ...]
    said: tuple[str, ...]
    noise: frozenset[str]
    events: Mapping[int, Sequence[FileEvent]]
    prints: tuple[frozenset[str], ...]
    tests: tuple[int, ...]


async def make_tables(trajectory: Trajectory, search: Search) -> Tables:
    """Reads a trajectory once.

    Args:
        trajectory: The recorded steps.
        search: Ranks them.

    Raises:
        ProviderError: A server that makes embeddings did not answer.
        BudgetExceeded: The run's limit is reached.
    """
    texts = tuple([_ends(step_text(step)) for step in trajectory.steps])
    share = max(_LEAST_CHARS, _ALL_CHARS // max(len(texts), 1))
    index = await search.index([Passage(_ends(text, share)) for text in texts])
    return await asyncio.to_thread(_tables, trajectory, texts, index)


def _tables(trajectory: Trajectory, texts: tuple[str, ...], index: Index) -> Tables:
    from judge.trajectories import file_history

    steps = trajectory.steps
    history = file_history(trajectory)
    events: dict[int, list[FileEvent]] = {}
    for event in history.all_events:
        events.setdefault(event.step, []).append(event)
    return Tables(
        trajectory=trajectory,
        history=history,
        index=index,
        texts=texts,
        said=tuple(said_text(step) for step in steps),
        noise=boilerplate(steps),
        events=events,
        prints=tuple(printed(step) for step in steps),
        tests=tuple(position for position, step in enumerate(steps) if ran_tests(step)),
    )


def step_text(step: Step) -> str:
    """All text of a step."""
    parts = (step.user_message, step.thought, step.action, step.environment)
    return "\n".join(part for part in parts if part)


def said_text(step: Step) -> str:
    """What an agent itself said and did in a step, and how a command failed: a mere listing of files is left out."""
    result = step.environment or ""
    parts = (step.user_message, step.thought, step.action, result if "Traceback" in result else "")
    return _ends("\n".join(part for part in parts if part))


def printed(step: Step) -> frozenset[str]:
    """Measures that the result of a step gives with a number."""
    return frozenset(match[1].lower() for match in _PRINTED.finditer(_ends(step.environment or "", _TAIL_CHARS)))


def measures_in(text: str) -> frozenset[str]:
    """Measures that a criterion names, as ``printed`` names them."""
    found = re.findall(rf"(?<![a-z0-9])({_MEASURES_TEXT.replace(chr(10), '')})s?(?![a-z0-9])", text, re.IGNORECASE)
    return frozenset(name.lower() for name in found)


def ran_tests(step: Step) -> bool:
    """Whether a step ran tests, as its command or its result tells."""
    if not step.action:
        return False
    tail = (step.environment or "")[-_TAIL_CHARS:]
    return bool(_TEST_RESULT.search(tail)) or bool(tail and _TEST_RUN.search(step.action[:_ACTION_CHARS]))


def _ends(text: str, most: int = _STEP_CHARS) -> str:
    """A very long text without its middle."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}\n{text[-half:]}"
