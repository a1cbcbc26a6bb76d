"""Settings: precedence, one-line errors, keys that never show."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judge.config import Secret, cache_home, load_settings
from judge.errors import ConfigError


def load(tmp_path: Path, toml: str = "", environ: dict[str, str] | None = None, **flags: Any) -> Any:
    if toml:
        (tmp_path / "judge.toml").write_text(toml, encoding="utf-8")
    return load_settings(flags, cwd=tmp_path, environ=environ or {})


def test_flags_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    toml = 'model = "openai:file"\nconcurrency = 3\ntimeout = 5\ngate = true\n'
    settings = load(tmp_path, toml, {"JUDGE_MODEL": "openai:env", "JUDGE_CONCURRENCY": "4"}, model="openai:flag")
    assert (settings.model, settings.concurrency, settings.timeout, settings.gate) == ("openai:flag", 4, 5.0, True)
    assert settings.max_retries == 8
    assert settings.sources["model"] == "flag"
    assert settings.sources["concurrency"] == "JUDGE_CONCURRENCY"
    assert settings.sources["timeout"] == str(tmp_path / "judge.toml")
    assert settings.sources["max_retries"] == "default"


def test_the_file_is_found_from_a_folder_below(tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text("concurrency = 2", encoding="utf-8")
    below = tmp_path / "a b" / "c"
    below.mkdir(parents=True)
    assert load_settings(cwd=below, environ={}).concurrency == 2


def test_a_named_file_wins_over_a_found_one(tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text("concurrency = 2", encoding="utf-8")
    other = tmp_path / "other.toml"
    other.write_text("concurrency = 5", encoding="utf-8")
    settings = load_settings(config=other, cwd=tmp_path, environ={})
    assert settings.concurrency == 5
    assert not settings.config_found


def test_none_flags_and_empty_variables_are_not_given(tmp_path: Path) -> None:
    assert load(tmp_path, "concurrency = 2", {"JUDGE_CONCURRENCY": ""}, concurrency=None).concurrency == 2


@pytest.mark.parametrize(
    ("toml", "parts"),
    [
        ("modle = 1", ["judge.toml", "unknown key 'modle'", "did you mean", "'model'"]),
        ("max-cost = 1", ["unknown key 'max-cost'", "'max_cost'"]),
        ("zzzzqqq = 1", ["unknown key 'zzzzqqq'", "known keys"]),
        ("concurrency = 0", ["judge.toml: concurrency", "a whole number of at least 1"]),
        ("concurrency = 1.5", ["whole number"]),
        ("concurrency = true", ["whole number"]),
        ("max_cost = nan", ["a number of at least 0"]),
        ("max_cost = inf", ["a number of at least 0"]),
        ("timeout = 0", ["a number above 0"]),
        ("gate = 3", ["true or false"]),
        ("modules = [1]", ["a list of texts"]),
        ('modules = ["graph", "sarch"]', ["judge.toml: modules", "names among graph, locate", "'sarch' is none"]),
        ('modules = ["serch"]', ["names among", "'serch' is none"]),
        ('judge = "oracle"', ["one of agent, llm, rules"]),
        ('judge = "majority"', ["agent, llm or rules", "judge majority RUN"]),
        ('cache_folder = "x"', ["unknown key 'cache_folder'"]),
        ("model = 3", ["judge.toml: model", "the name of a model, or a list of names"]),
        ('model = ["openai:a", 3]', ["the name of a model, or a list of names"]),
        ('model = ["openai:a", "openai:a"]', ["each model once", "--votes"]),
        ("votes = 2", ["judge.toml: votes", "odd number"]),
        ("votes = 0", ["odd number"]),
        ("votes = -1", ["odd number"]),
        ("votes = 1.5", ["odd number"]),
        ("votes = true", ["odd number"]),
        ('tie = "satisfied"', ["one of error, unsatisfied"]),
        ('strictness = "strict"', ["one of literal, intent"]),
        ('api = "completions"', ["one of auto, chat, responses"]),
        ('effort = "extreme"', ["one of minimal, low, medium, high"]),
        ("requests_per_minute = 0", ["a whole number of at least 1"]),
        ("tokens_per_minute = 0", ["a whole number of at least 1"]),
        ("run_deadline = 0", ["a number above 0"]),
        ('cache = "maybe"', ["true or false"]),
        ("prices = 3", ["a path"]),
        ('setting = "white-box"', ["one of black-box, gray-box"]),
        ('base_url = "localhost:11434"', ["an http:// or https:// address"]),
        ("model = [", ["judge.toml", "is not valid TOML"]),
        ("servers = 3", ["[servers.NAME]"]),
        ("[servers.a]", ["servers.a", "base_url"]),
        ('[servers.a]\nbase_url = "http://x"\napi_key = "sk-1"', ["servers.a", "unknown key 'api_key'", "api_key_env"]),
        (
            '[servers.a]\nbase_url = "http://x"\napi_key_env = "hf_secret1"',
            ["the name of an environment variable in capitals"],
        ),
    ],
)
def test_mistakes_in_the_file_are_one_line_that_names_them(tmp_path: Path, toml: str, parts: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, toml)
    line = str(caught.value)
    assert "\n" not in line
    assert "hf_secret1" not in line
    for part in parts:
        assert part in line


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_settings(config=tmp_path / "none.toml", environ={})
    (tmp_path / "judge.toml").write_bytes(b"model = '\xff'")
    with pytest.raises(ConfigError, match="is not valid TOML"):
        load_settings(cwd=tmp_path, environ={})


@pytest.mark.parametrize(
    "environ",
    [
        {"JUDGE_MAX_COST": "ten"},
        {"JUDGE_GATE": "maybe"},
        {"JUDGE_BASE_URL": "x"},
        {"OPENAI_BASE_URL": "ftp://x"},
        {"JUDGE_CONCURRENCY": "9" * 5000},
        {"JUDGE_TIMEOUT": "1e999"},
    ],
)
def test_mistakes_in_the_environment_name_the_variable(tmp_path: Path, environ: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=next(iter(environ))):
        load(tmp_path, environ=environ)


def test_a_mistaken_flag_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--max-cost: expects a number"):
        load(tmp_path, max_cost=-1)


def test_values_from_the_environment_have_their_types(tmp_path: Path) -> None:
    environ = {"JUDGE_GATE": "yes", "JUDGE_MODULES": "graph, ask", "JUDGE_MAX_TOKENS": "100", "JUDGE_OUT": "runs/x"}
    settings = load(tmp_path, environ=environ)
    assert settings.gate is True
    assert settings.modules == ("graph", "ask")
    assert settings.max_tokens == 100
    assert settings.out == Path("runs/x")


@pytest.mark.parametrize(
    ("toml", "environ", "flags", "panel"),
    [
        ("", {}, {}, ()),
        ('model = "openai:a"', {}, {}, ("openai:a",)),
        ('model = ["openai:a", "anthropic:b"]', {}, {}, ("openai:a", "anthropic:b")),
        ("", {"JUDGE_MODEL": "openai:a, openai-compatible:lab/b"}, {}, ("openai:a", "openai-compatible:lab/b")),
        ("", {"JUDGE_MODEL": "scripted:/tmp/one, two.json"}, {}, ("scripted:/tmp/one, two.json",)),
        ('model = ["openai:a", "openai:b"]', {}, {"model": ["openai:c"]}, ("openai:c",)),
        ('model = "openai:a"', {}, {"model": []}, ()),
        ("", {}, {"model": "openai:a"}, ("openai:a",)),
    ],
)
def test_one_model_or_a_panel(
    tmp_path: Path, toml: str, environ: dict[str, str], flags: dict[str, Any], panel: tuple[str, ...]
) -> None:
    settings = load(tmp_path, toml, environ, **flags)
    assert settings.panel == panel
    assert settings.model == (panel[0] if panel else "")


def test_settings_of_models_reach_the_models(tmp_path: Path) -> None:
    toml = (
        'api = "responses"\neffort = "low"\nrequests_per_minute = 30\ntokens_per_minute = 1000\nrun_deadline = 60\n'
        'prices = "p.toml"\nvotes = 3\ntie = "unsatisfied"\nstrictness = "intent"\nbatch = true\n'
    )
    settings = load(tmp_path, toml, {"XDG_CACHE_HOME": str(tmp_path / "kept")})
    models = settings.models
    assert (models.api, models.effort, models.requests_per_minute) == ("responses", "low", 30)
    assert (models.tokens_per_minute, models.run_deadline, models.prices) == (1000, 60.0, Path("p.toml"))
    assert (settings.votes, settings.tie, settings.strictness, settings.batch) == (3, "unsatisfied", "intent", True)
    assert models.cache_dir == tmp_path / "kept" / "judge" / "responses"
    assert models.memory == tmp_path / "kept" / "judge" / "models.json"


def test_the_cache_can_be_turned_off_and_moved(tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    off = load(tmp_path, environ=environ, cache=False)
    assert off.models.cache_dir is None
    assert off.responses == tmp_path / "judge" / "responses"
    assert load(tmp_path, environ=environ, cache_dir=tmp_path / "x").models.cache_dir == tmp_path / "x"


def test_the_cache_folder_is_found_without_a_home(tmp_path: Path) -> None:
    assert cache_home({"HOME": "/home/u"}) == Path("/home/u/.cache/judge")
    assert cache_home({"HOME": "/home/u", "XDG_CACHE_HOME": "relative"}) == Path("/home/u/.cache/judge")
    assert cache_home({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "judge"
    assert cache_home({}).is_absolute()


def test_misspelt_variables_are_told(tmp_path: Path) -> None:
    assert load(tmp_path, environ={"JUDGE_MAX_COSTS": "1"}).warnings == (
        "JUDGE_MAX_COSTS is not a setting; did you mean JUDGE_MAX_COST?",
    )


def test_servers_and_their_keys(tmp_path: Path) -> None:
    toml = '[servers.lab]\nbase_url = "http://10.0.0.1:8000/v1/"\napi_key_env = "LAB_KEY"\nimages = true\n'
    settings = load(tmp_path, toml, {"LAB_KEY": " lab-secret \n", "OTHER": "x"})
    assert settings.servers["lab"].base_url == "http://10.0.0.1:8000/v1"
    assert settings.models.keys["LAB_KEY"].reveal() == "lab-secret"
    assert "OTHER" not in settings.keys
    assert "lab-secret" not in repr(settings) + str(settings) + repr(settings.models) + f"{settings.keys}"


def test_a_secret_goes_nowhere() -> None:
    secret = Secret("sk-very-secret")
    assert "sk-very" not in f"{secret!r} {secret!s} {secret}" + f"{[secret]}"
    for leak in (lambda: pickle.dumps(secret), lambda: copy.deepcopy(secret), lambda: json.dumps(secret)):
        with pytest.raises(TypeError):
            leak()
    assert secret == Secret("sk-very-secret")
    assert not Secret("")


@pytest.mark.parametrize(
    ("toml", "environ", "flags", "base_url", "provider"),
    [
        ("", {"OPENAI_BASE_URL": "http://p/v1"}, {}, "", "http://p/v1"),
        ('base_url = "http://f"', {"OPENAI_BASE_URL": "http://p/v1"}, {}, "http://f", "http://p/v1"),
        ("", {"OPENAI_BASE_URL": "http://p/v1", "JUDGE_BASE_URL": "http://j"}, {}, "http://j", None),
        ("", {"OPENAI_BASE_URL": "http://p/v1"}, {"base_url": "http://flag"}, "http://flag", None),
    ],
)
def test_which_address_counts(
    tmp_path: Path, toml: str, environ: dict[str, str], flags: dict[str, str], base_url: str, provider: str | None
) -> None:
    models = load(tmp_path, toml, environ, **flags).models
    assert (models.base_url, models.provider_urls.get("OPENAI_BASE_URL")) == (base_url, provider)


def test_a_file_found_in_the_judged_workspace_is_refused(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "judge.toml").write_text('base_url = "http://evil.example"', encoding="utf-8")
    settings = load_settings(cwd=work, environ={})
    with pytest.raises(ConfigError, match="--config"):
        settings.check_trusted(work)
    settings.check_trusted(tmp_path / "elsewhere")
    load_settings(config=work / "judge.toml", environ={}).check_trusted(work)


def test_import_is_cheap() -> None:
    code = "import sys, judge.config; assert not {'pydantic', 'openai'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
