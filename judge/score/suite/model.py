"""What a suite says, as frozen models; every number has its unit in its name or docstring."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from judge.score.suite.problems import SuiteProblem

Positive = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Call = Annotated[tuple[str, list[Any]], Strict(False)] | Annotated[tuple[str, list[Any], dict[str, Any]], Strict(False)]


class _Part(BaseModel):
    """Unknown keys are mistakes; nothing changes once it is read."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


class Target(_Part):
    """What a submission must hold."""

    kind: Literal["function", "class", "program"] = "function"
    entry: str = ""
    """Name of the function or class; for a program empty (the file itself is run)."""
    signature: str = ""
    """Such as ``(nums: list[int], target: int) -> list[int] | None``; empty means that of the reference."""
    asynchronous: Literal["forbid", "allow", "require"] = Field(default="forbid", alias="async")
    init: list[Any] = []
    """Arguments of the class where a case has none of its own."""


class FileRef(_Part):
    """A name in a Python file beside the suite; it runs in a sandboxed worker of its own, like everything else."""

    file: str
    entry: str = ""


class Compare(_Part):
    """How an output is held against what is expected."""

    list_type: Literal["strict", "sequence"] = "strict"
    dict_type: Literal["strict", "subclass_ok"] = "subclass_ok"
    dict_order: Literal["ignore", "strict"] = "ignore"
    set_as_list: bool = False
    bool_as_int: bool = False
    int_float: Literal["strict", "equal"] = "strict"
    rel_tol: Annotated[float, Field(ge=0, lt=1)] = 0.0
    abs_tol: Annotated[float, Field(ge=0)] = 0.0
    nan_equal: bool = True
    signed_zero: Literal["ignore", "strict"] = "ignore"
    unordered: bool = False
    """The order of the outermost list does not count."""
    checker: str = ""
    """``file.py:function``, called with (args, kwargs, output, expected or None); true means right."""
    stdout: Literal["exact", "rstrip_lines", "tokens", "floats"] = "rstrip_lines"
    exception: Literal["subclass", "exact"] = "subclass"


class Inputs(_Part):
    """What an input may be and what may be done to it."""

    mutation: Literal["forbid", "allow"] = "forbid"
    domain: dict[str, str] = {}
    """Parameter name -> a Hypothesis strategy as text, such as ``lists(integers(-50, 50), max_size=50)``."""
    requires: list[str] = []
    """Conditions over the parameter names; an input that does not meet them is never asked."""


class Limits(_Part):
    """Bounds of one worker; seconds, MiB, KiB."""

    cpu_s: Positive = 10.0
    """CPU seconds of one call."""
    wall_s: Positive = 20.0
    """Seconds of one call."""
    memory_mb: Annotated[int, Field(ge=64)] = 1024
    processes: Annotated[int, Field(ge=1)] = 16
    output_kb: Annotated[int, Field(ge=1)] = 1024
    file_kb: Annotated[int, Field(ge=0)] = 0
    """Most that may be written into the scratch folder; 0 forbids writing."""
    network: Literal[False] = False
    suite_wall_s: Positive = 300.0
    """Seconds of a whole submission without the performance dimension."""


class Environment(_Part):
    """What a submission may rely on."""

    python: str = ">=3.10"
    packages: list[str] = []
    """Reserved, must be empty: the sandbox shows the standard library alone."""
    allow_imports: list[str] = []
    """Top-level modules that may be imported; empty allows the whole standard library."""
    deny_imports: list[str] = []


class Generate(_Part):
    """Arguments made by the suite's own code, ``func(*params, seed=seed)``: big, deep or typed values."""

    file: str
    func: str
    params: list[Any] = []
    seed: int = 0


class Case(_Part):
    """One question with exactly one oracle (``expected``, ``raises``, ``property``, ``reference``, ``stdout``)."""

    id: str = ""
    tier: Literal["standard", "edge"] = "standard"
    category: str = ""
    """For edge cases: empty, single, duplicate, order, extreme, sign, unicode, large, nested, error, or one's own."""
    weight: Positive = 1.0
    args: list[Any] | None = None
    kwargs: dict[str, Any] = {}
    generate: Generate | None = None
    init: list[Any] | None = None
    calls: list[Call] | None = None
    """Methods in order on one object, each ``[method, [arguments]]`` or ``[method, [arguments], {names}]``."""
    stdin: str | None = None
    argv: list[str] = []
    expected: Any = None
    expected_args: list[Any] | None = None
    """What the positional arguments must be after the call, for functions that work in place."""
    raises: str = ""
    match: str = ""
    """Regular expression that the exception's message must hold."""
    properties: list[str] = Field(default=[], alias="property")
    """Named properties or ``file.py:function`` of the output, all of which must hold."""
    reference: bool = False
    stdout: str | None = None
    exit: int = 0
    compare: Compare | None = None
    """Rules of this case alone; the suite's for each that is absent."""

    @property
    def has_expected(self) -> bool:
        """Whether ``expected`` was written (null is a value)."""
        return "expected" in self.model_fields_set


class Boundary(_Part):
    """Combinations of boundary values of each parameter."""

    strategy: Literal["product", "pairwise", "sample"] = "pairwise"
    max: Annotated[int, Field(ge=1, le=10_000)] = 64
    values: dict[str, list[Any]] = {}
    """Parameter name -> further boundary values."""


class Random(_Part):
    """Random inputs with shrinking."""

    examples: Annotated[int, Field(ge=0, le=100_000)] = 100
    seed: int = 0


class Shares(_Part):
    """How the edge points are split over the sources; what is not there is left out and the rest renormalised."""

    written: Share = 0.5
    boundary: Share = 0.25
    random: Share = 0.25


class Metamorphic(_Part):
    """Change the input by ``transform``; the two outputs must stand in ``relation``.

    Both are ``file.py:function``: ``transform(args, kwargs)`` gives the changed arguments, or None for an input that it
    has nothing to do with; ``relation(output, changed_output, args, changed_args)`` is true when the outputs fit.
    """

    name: str
    transform: str
    relation: str


class EdgeCases(_Part):
    """Where edge cases come from."""

    auto: bool = True
    boundary: Boundary = Boundary()
    random: Random = Random()
    shares: Shares = Shares()
    metamorphic: list[Metamorphic] = []
    plugins: list[str] = []
    """Packs of the entry-point group ``judge.edge_cases``, or ``file.py:function`` beside the suite."""
    properties: list[str] = Field(default=[], alias="property")
    """Oracle of generated inputs beside the reference."""


class PerformanceInputs(_Part):
    """Who makes the timed inputs: ``func(size, seed)`` gives the positional arguments of one call."""

    file: str
    func: str
    size: Annotated[int, Field(ge=1)] = 1000


class Growth(_Part):
    """Sizes of the growth measurement, smallest and largest; ``points`` doubling steps between them."""

    sizes: Annotated[tuple[int, int], Strict(False)] = (250, 8000)
    points: Annotated[int, Field(ge=5, le=12)] = 6
    max_excess: Positive = 0.35


class Performance(_Part):
    """How speed is measured; see the performance room for the procedure."""

    iterations: Annotated[int, Field(ge=6, le=100)] = 10
    rounds: Annotated[int, Field(ge=1)] = 3
    warmup: Annotated[int, Field(ge=0)] = 1
    discard: Annotated[int, Field(ge=0)] = 1
    inputs: PerformanceInputs | None = None
    """Absent: speed is not measured, and the report says so."""
    tolerance: Annotated[float, Field(ge=0)] = 0.10
    wall_tolerance: Annotated[float, Field(ge=0)] = 0.50
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
    baseline: str = ""
    zero_at: Annotated[float, Field(gt=1)] = 10.0
    growth: Growth | None = None


class Quality(_Part):
    """Weights and thresholds of the rubric of code quality."""

    weights: dict[str, Annotated[float, Field(ge=0)]] = {}
    max_length: Annotated[int, Field(ge=1)] = 40
    max_branching: Annotated[int, Field(ge=1)] = 8
    max_complexity: Annotated[int, Field(ge=1)] = 10
    ruff: list[str] = ["D1", "ANN", "N", "RET", "B"]
    exempt: list[str] = []


class Weights(_Part):
    """Points of each dimension before renormalising to 100."""

    correctness: Annotated[float, Field(ge=0)] = 40.0
    edge_cases: Annotated[float, Field(ge=0)] = 25.0
    performance: Annotated[float, Field(ge=0)] = 20.0
    quality: Annotated[float, Field(ge=0)] = 15.0


class Integrity(_Part):
    """What happens when a submission cheats."""

    on_cheating: Literal["cap", "zero", "report"] = "cap"
    cap: Annotated[float, Field(ge=0, le=100)] = 15.0
    determinism_runs: Annotated[int, Field(ge=1, le=10)] = 2
    hardcode_probe: bool = True


class Override(_Part):
    """A human reviewer's value for one item of the quality rubric; it stays visible in the report."""

    submission: str
    item: str
    """A criterion of the rubric, such as ``naming``."""
    value: Share
    author: str
    reason: str


class Suite(_Part):
    r"""One problem: what is asked, how answers are checked, timed and weighted.

    Values of cases may carry tags for what YAML does not know: ``!tuple [1, 2]``, ``!set [1, 2]``, ``!frozenset [1]``,
    ``!bytes "\x00a"`` (characters up to ``\xff``), ``!hex "00ff"``, ``!complex 1+2j``, ``!dict [[key, value]]`` for
    keys of any kind; ``.nan``, ``.inf`` and ``-.inf`` are floats.
    """

    schema_version: Literal[1] = Field(alias="schema")
    problem: str
    title: str = ""
    description: str = ""
    tags: list[str] = []
    target: Target
    contract: str = ""
    reference: FileRef | None = None
    compare: Compare = Compare()
    inputs: Inputs = Inputs()
    limits: Limits = Limits()
    env: Environment = Environment()
    cases: list[Case] = []
    edge_cases: EdgeCases = EdgeCases()
    performance: Performance = Performance()
    quality: Quality = Quality()
    weights: Weights = Weights()
    integrity: Integrity = Integrity()
    overrides: list[Override] = []

    def rules(self, case: Case) -> Compare:
        """How the outputs of a case are compared: the suite's rules, but for those that the case writes itself."""
        if case.compare is None:
            return self.compare
        own = {name: getattr(case.compare, name) for name in case.compare.model_fields_set}
        return self.compare.model_copy(update=own)


class LoadedSuite(_Part):
    """A suite with the folder it stands in and the files it names.

    Attributes:
        suite: What it says.
        path: The YAML file.
        files: Contents of every Python file that the suite names, by the name it uses.
        warnings: One line each, such as a word that YAML reads as a truth value.
        notes: The same with their places.
        digest: SHA-256 over the suite and its files, hexadecimal.
    """

    suite: Suite
    path: Path
    files: dict[str, bytes]
    warnings: tuple[str, ...] = ()
    notes: tuple[SuiteProblem, ...] = ()
    digest: str
