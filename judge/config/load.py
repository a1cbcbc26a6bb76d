"""Resolves the settings from flags, the environment and judge.toml, with one-line errors that name the place."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from judge.bounded import read_whole
from judge.config.parse import PARSERS, SERVER_PARSERS, parse_url
from judge.config.places import cache_home
from judge.config.secret import Secret
from judge.config.settings import Server, Settings
from judge.errors import ConfigError

CONFIG_NAME = "judge.toml"
_LARGEST = 1024 * 1024
KEY_VARIABLES = ("JUDGE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
_URL_VARIABLES = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL")


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    config: Path | None = None,
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Resolves the settings: flags > environment > judge.toml > defaults.

    Args:
        flags: Setting name -> value given on the command line; None means not given.
        config: The judge.toml to read; None to look for one from ``cwd`` upward.
        cwd: Where to start looking; the current directory by default.
        environ: The environment; the process's own by default.

    Raises:
        ConfigError: A file that cannot be read, an unknown key, or a value that does not fit, each named.
    """
    environ = os.environ if environ is None else environ
    path = _existing(config) if config is not None else _find(cwd or _here())
    table = _read(path) if path is not None else {}
    servers = _servers(table.pop("servers", {}), str(path))
    values: dict[str, Any] = {}
    sources = dict.fromkeys(PARSERS, "default")
    if path is not None:
        _check_keys(table, (*PARSERS, "servers"), str(path))
        _take(table, {name: f"{path}: {name}" for name in table}, values)
        sources.update(dict.fromkeys(table, str(path)))
    variables = {name: f"JUDGE_{name.upper()}" for name in PARSERS}
    given = {name: environ[variable] for name, variable in variables.items() if environ.get(variable)}
    _take(given, variables, values)
    sources.update({name: variables[name] for name in given})
    set_flags = {name: value for name, value in (flags or {}).items() if value is not None}
    _check_keys(set_flags, tuple(PARSERS), "flags")
    _take(set_flags, {name: f"--{name.replace('_', '-')}" for name in set_flags}, values)
    sources.update(dict.fromkeys(set_flags, "flag"))
    values["panel"] = values.get("model", ())
    values["model"] = next(iter(values["panel"]), "")
    key_names = KEY_VARIABLES + tuple(server.api_key_env for server in servers.values() if server.api_key_env)
    return Settings(
        **values,
        servers=servers,
        keys={name: Secret(environ[name].strip()) for name in key_names if environ.get(name, "").strip()},
        provider_urls={name: _url(environ[name], name) for name in _URL_VARIABLES if environ.get(name)},
        sources=sources,
        config_path=path,
        config_found=path is not None and config is None,
        cache_home=cache_home(environ),
        warnings=_misspelt(environ, tuple(variables.values()) + KEY_VARIABLES),
    )


def _here() -> Path | None:
    try:
        return Path.cwd()
    except FileNotFoundError:  # the current folder was removed
        return None


def _find(start: Path | None) -> Path | None:
    for folder in (start.absolute(), *start.absolute().parents) if start is not None else ():
        candidate = folder / CONFIG_NAME
        with suppress(OSError):  # a folder above that may not be looked into
            if candidate.is_file():
                return candidate
    return None


def _existing(path: Path) -> Path:
    if not path.exists():
        raise ConfigError("no such file", where=str(path), hint="--config names a judge.toml")
    return path


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_whole(path, _LARGEST).decode("utf-8-sig").replace("\r\n", "\n"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"is not valid TOML: {error}", where=str(path)) from error


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key.replace("-", "_").lower(), known, n=2, cutoff=0.5)
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "known keys: " + ", ".join(known)
            raise ConfigError(f"unknown key {key!r}", where=where, hint=hint)


def _take(raw: Mapping[str, Any], where: Mapping[str, str], values: dict[str, Any]) -> None:
    for name, value in raw.items():
        try:
            values[name] = PARSERS[name](value)
        except (ValueError, TypeError, OverflowError) as error:
            raise ConfigError(f"expects {error}", where=where[name]) from error


def _servers(table: Any, where: str) -> dict[str, Server]:
    if not isinstance(table, dict):
        raise ConfigError("expects tables [servers.NAME]", where=f"{where}: servers")
    servers = {}
    for name, entry in table.items():
        place = f"{where}: servers.{name}"
        if not isinstance(entry, dict) or "base_url" not in entry:
            raise ConfigError("expects a table with a base_url", where=place)
        _check_keys(entry, tuple(item.name for item in fields(Server)), place)
        values: dict[str, Any] = {}
        for key, value in entry.items():
            try:
                values[key] = SERVER_PARSERS[key](value)
            except (ValueError, TypeError) as error:
                raise ConfigError(f"expects {error}", where=f"{place}.{key}") from error
        servers[name] = Server(**values)
    return servers


def _misspelt(environ: Mapping[str, str], known: tuple[str, ...]) -> tuple[str, ...]:
    lines = []
    for name in sorted(environ):
        if name.startswith("JUDGE_") and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.85)
            if near:
                lines.append(f"{name} is not a setting; did you mean {near[0]}?")
    return tuple(lines)


def _url(value: str, where: str) -> str:
    try:
        return parse_url(value)
    except ValueError as error:
        raise ConfigError(f"expects {error}", where=where) from error
