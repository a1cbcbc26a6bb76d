"""Settings: flags > environment > judge.toml > defaults. The only reader of the environment."""

from judge.config.load import CONFIG_NAME, KEY_VARIABLES, load_settings
from judge.config.parse import DEFAULT_MODULES, MODULES, PARTS, SEARCH_METHODS
from judge.config.secret import Secret
from judge.config.settings import ModelSettings, Server, Settings

__all__ = [
    "CONFIG_NAME",
    "DEFAULT_MODULES",
    "KEY_VARIABLES",
    "MODULES",
    "PARTS",
    "SEARCH_METHODS",
    "ModelSettings",
    "Secret",
    "Server",
    "Settings",
    "load_settings",
]
