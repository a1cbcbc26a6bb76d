"""Settings: flags > environment > judge.toml > defaults. The only reader of the environment."""

from judge.config.load import CONFIG_NAME, KEY_VARIABLES, load_settings
from judge.config.parse import APIS, DEFAULT_MODULES, EFFORTS, MODULES, PARTS, SEARCH_METHODS, STRICTNESS, TIES
from judge.config.places import cache_home
from judge.config.secret import Secret
from judge.config.settings import ModelSettings, Server, Settings

__all__ = [
    "APIS",
    "CONFIG_NAME",
    "DEFAULT_MODULES",
    "EFFORTS",
    "KEY_VARIABLES",
    "MODULES",
    "PARTS",
    "SEARCH_METHODS",
    "STRICTNESS",
    "TIES",
    "ModelSettings",
    "Secret",
    "Server",
    "Settings",
    "cache_home",
    "load_settings",
]
