"""An SDK that is imported without its types gives all of them to whoever asks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.models.sdk_import import import_sdk

FILES = {
    "__init__.py": "from . import types\nfrom .types.first import First\n",
    "types/__init__.py": (
        "from .first import First as First\nfrom .second import Second as Second\n__all__ = ['First']\n"
    ),
    "types/first.py": "class First: pass\n",
    "types/second.py": "from . import First\nclass Second(First): pass\n",
    "types/deep/__init__.py": "from .inner import Inner as Inner\nVALUE = 7\n",
    "types/deep/inner.py": "class Inner: pass\n",
    "use.py": "from .types import *\n",
}


@pytest.fixture
def sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = "sdk_of_a_test"
    for path, text in FILES.items():
        file = tmp_path / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield name
    for module in [item for item in sys.modules if item.partition(".")[0] == name]:
        del sys.modules[module]


def loaded(name: str) -> set[str]:
    return {item.removeprefix(f"{name}.") for item in sys.modules if item.startswith(f"{name}.")}


def test_only_what_is_used_of_the_types_is_run(sdk: str) -> None:
    finders = list(sys.meta_path)
    found = import_sdk(sdk)
    assert sys.meta_path == finders
    assert loaded(sdk) == {"types", "types.first"}
    assert found.types.Second.__mro__[1] is found.First
    assert "types.second" in loaded(sdk)


def test_everything_is_found_as_after_a_plain_import(sdk: str) -> None:
    found = import_sdk(sdk)
    assert import_sdk(sdk) is found
    use = __import__(f"{sdk}.use", fromlist=["First"])
    assert use.First is found.First and not hasattr(use, "Second")
    from sdk_of_a_test.types.deep import VALUE, Inner  # type: ignore[import-not-found]

    assert VALUE == 7 and Inner.__module__ == f"{sdk}.types.deep.inner"
    with pytest.raises(AttributeError, match="nothing"):
        _ = found.types.nothing


def test_a_package_that_is_not_installed_is_an_import_error() -> None:
    finders = list(sys.meta_path)
    with pytest.raises(ImportError):
        import_sdk("no_such_sdk_anywhere")
    assert sys.meta_path == finders


@pytest.mark.parametrize("package", ["openai", "anthropic"])
def test_the_types_of_the_real_ones_are_whole(package: str) -> None:
    found = import_sdk(package)
    assert found.types.__all__ if hasattr(found.types, "__all__") else vars(found.types)
    name = "Completion" if package == "openai" else "Message"
    assert getattr(found.types, name).__module__.startswith(f"{package}.types.")
