"""Read settings.toml once; settings.forecast["horizon"] and so on."""
import tomllib
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parent.parent
with open(ROOT / "settings.toml", "rb") as fh:
    settings = SimpleNamespace(**tomllib.load(fh))
