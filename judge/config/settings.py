"""What the user decided, as plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.config.secret import Secret
from judge.errors import ConfigError

_FOR_MODELS = (
    "keys",
    "servers",
    "timeout",
    "deadline",
    "max_retries",
    "concurrency",
    "max_cost",
    "max_tokens",
    "context_tokens",
    "requests_per_minute",
    "tokens_per_minute",
    "run_deadline",
    "api",
    "effort",
    "prices",
)


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server, named in judge.toml as ``[servers.NAME]``.

    Attributes:
        base_url: Where it answers, usually ending in ``/v1``.
        api_key_env: The environment variable that holds its key; empty when it needs none.
        images: Whether its models see images.
        context_tokens: Size of the context window, tokens; 0 when unknown.
        api: ``chat`` or ``responses``; ``auto`` for chat, until it says otherwise. Outranks the general setting.
    """

    base_url: str
    api_key_env: str = ""
    images: bool = False
    context_tokens: int = 0
    api: str = "auto"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """All that opening a model needs.

    Attributes:
        base_url: Server for ``openai:`` and ``anthropic:`` models; empty for the provider's own.
        provider_urls: ``OPENAI_BASE_URL`` and ``ANTHROPIC_BASE_URL`` where they apply.
        keys: Variable name -> key, for the variables that are set.
        servers: Named OpenAI-compatible servers.
        timeout: Seconds for one attempt, from its start to the last byte.
        deadline: Seconds for one call with all its retries.
        max_retries: Repetitions after a failed first attempt; 0 for none.
        concurrency: Calls in flight at most.
        max_cost: Limit of a run in US dollars; None for no limit.
        max_tokens: Limit of a run in tokens of all kinds; None for no limit.
        context_tokens: Context window to assume, tokens; 0 to go by the model.
        requests_per_minute: Calls that may start in a minute, for each server; None to go by what the server says.
        tokens_per_minute: Tokens in a minute, for each server; None to go by what the server says.
        run_deadline: Seconds for the whole run, counted from the opening of its first model; None for no limit.
        api: ``chat`` or ``responses`` of OpenAI; ``auto`` to go by the model.
        effort: How hard a reasoning model thinks: ``minimal``, ``low``, ``medium``, ``high``; empty for its default.
        prices: TOML file of prices that outrank the known ones.
        cache_dir: Folder where replies are kept; None to keep none.
        memory: File that remembers what models on servers refused; None to forget it with the process.
    """

    base_url: str = ""
    provider_urls: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, Secret] = field(default_factory=dict)
    servers: Mapping[str, Server] = field(default_factory=dict)
    timeout: float = 180.0
    deadline: float = 900.0
    max_retries: int = 8
    concurrency: int = 8
    max_cost: float | None = None
    max_tokens: int | None = None
    context_tokens: int = 0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    run_deadline: float | None = None
    api: str = "auto"
    effort: str = ""
    prices: Path | None = None
    cache_dir: Path | None = None
    memory: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user decided. Empty and None mean "not decided": the command then chooses.

    Attributes:
        model: ``provider:name``; empty means the offline rules judge. Of a panel it is the first.
        panel: All models that are asked; one is no panel.
        judge: ``agent``, ``llm`` or ``rules``.
        setting: ``black-box`` or ``gray-box``.
        modules: Names of the modules that gather evidence.
        search: How texts are ranked: ``bm25``, ``embeddings`` or ``fuzzy``.
        embeddings: What makes embeddings: ``folder:PATH``, ``openai:MODEL`` or ``openai-compatible:SERVER/MODEL``.
        drop_steps: Which steps of a long trajectory are given up first: ``beginning``, ``middle`` or ``end``.
        cut_steps: Which part of a long step is cut.
        redact: Whether secrets are masked before text leaves the machine.
        base_url: Server that answers for the model.
        concurrency: Calls in flight at most.
        max_retries: Repetitions after a failed attempt.
        timeout: Seconds for one attempt.
        deadline: Seconds for one call with all its retries.
        max_cost: Limit of a run, US dollars.
        max_tokens: Limit of a run, tokens.
        max_output_tokens: Upper bound on one answer, tokens.
        context_tokens: Context window to assume; 0 to go by the model.
        requests_per_minute: Calls that may start in a minute, for each server.
        tokens_per_minute: Tokens in a minute, for each server.
        run_deadline: Seconds for the whole run; then it stops cleanly, as at a cost limit.
        api: ``auto``, ``chat`` or ``responses``.
        effort: How hard a reasoning model thinks; empty for its default.
        votes: How often each model is asked about a requirement at most; odd.
        tie: What a panel that splits in halves gives: ``error`` or ``unsatisfied``.
        strictness: How a criterion is read: ``literal`` or ``intent``.
        cache: Whether replies are kept and used again.
        cache_dir: Where; None for ``responses`` in the program's cache folder.
        batch: Whether calls go through the provider's batch API: half the price, hours instead of seconds.
        prices: TOML file of prices that outrank the known ones.
        gate: Whether a requirement whose prerequisite failed is not asked.
        ignore: Extra patterns of workspace files that are not looked at.
        out: Run folder.
        servers: Named OpenAI-compatible servers.
        keys: Variable name -> key, for the variables that are set.
        provider_urls: ``OPENAI_BASE_URL``, ``ANTHROPIC_BASE_URL``, when set.
        sources: Setting -> where its value comes from: ``flag``, a variable, a file, or ``default``.
        config_path: The judge.toml in use.
        config_found: True when it was found by looking upward, False when it was named.
        cache_home: The program's cache folder; None when there is no home.
        warnings: Lines worth showing, such as a variable that is likely misspelt.
    """

    model: str = ""
    panel: tuple[str, ...] = ()
    judge: str = ""
    setting: str = ""
    modules: tuple[str, ...] = ()
    search: str = "bm25"
    embeddings: str = ""
    drop_steps: str = "beginning"
    cut_steps: str = "middle"
    redact: bool = True
    base_url: str = ""
    concurrency: int = 8
    max_retries: int = 8
    timeout: float = 180.0
    deadline: float = 900.0
    max_cost: float | None = None
    max_tokens: int | None = None
    max_output_tokens: int = 2048
    context_tokens: int = 0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    run_deadline: float | None = None
    api: str = "auto"
    effort: str = ""
    votes: int = 1
    tie: str = "error"
    strictness: str = "literal"
    cache: bool = True
    cache_dir: Path | None = None
    batch: bool = False
    prices: Path | None = None
    gate: bool = False
    ignore: tuple[str, ...] = ()
    out: Path | None = None
    servers: Mapping[str, Server] = field(default_factory=dict)
    keys: Mapping[str, Secret] = field(default_factory=dict)
    provider_urls: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    config_path: Path | None = None
    config_found: bool = False
    cache_home: Path | None = None
    warnings: tuple[str, ...] = ()

    @property
    def models(self) -> ModelSettings:
        """The part that ``judge.models`` needs."""
        # A provider's own variable is environment, so it outranks a base_url from judge.toml.
        from_file = self.sources.get("base_url") == str(self.config_path)
        return ModelSettings(
            base_url=self.base_url,
            provider_urls=self.provider_urls if from_file or not self.base_url else {},
            cache_dir=self.responses if self.cache else None,
            memory=self.cache_home / "models.json" if self.cache_home is not None else None,
            **{name: getattr(self, name) for name in _FOR_MODELS},
        )

    @property
    def responses(self) -> Path | None:
        """Folder where replies are kept, whether or not they are now; None when there is no home."""
        if self.cache_dir is not None:
            return self.cache_dir
        return self.cache_home / "responses" if self.cache_home is not None else None

    def check_trusted(self, workspace: Path) -> None:
        """Refuses a judge.toml that was merely found inside the judged workspace: the agent may have written it.

        Raises:
            ConfigError: It lies there.
        """
        if self.config_path is None or not self.config_found:
            return
        if self.config_path.resolve().is_relative_to(workspace.resolve()):
            raise ConfigError(
                "this file lies in the judged workspace, whose author must not decide how it is judged",
                where=str(self.config_path),
                hint="name it with --config if you trust it",
            )
