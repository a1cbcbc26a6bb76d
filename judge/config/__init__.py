"""Settings: flags > environment > judge.toml > defaults. The only reader of the environment."""

from judge.config.load import CONFIG_NAME, KEY_VARIABLES, load_settings
from judge.config.parse import MODULES
from judge.config.secret import Secret
from judge.config.settings import ModelSettings, Server, Settings

__all__ = ["CONFIG_NAME", "KEY_VARIABLES", "MODULES", "ModelSettings", "Secret", "Server", "Settings", "load_settings"]
