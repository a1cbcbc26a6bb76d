"""A real Chromium, and pages opened from disk in it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.engine.reporting import load_report
from judge.report import FORMATS

_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


def _executable() -> str | None:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for the tests of a module; they skip where there is none.

    It runs an event loop in this thread as long as it is open, so that no other test may run meanwhile.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = _executable()
    if executable is None:
        pytest.skip("no Chromium is installed (apt-get install chromium)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=executable, args=list(_FLAGS))
        yield browser
        browser.close()


class Opened:
    """A page and what it tried.

    Attributes:
        page: The page.
        requests: Addresses that it asked for, itself left out.
        complaints: Messages on the console, errors and dialogs.
    """

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []


@pytest.fixture
def show(chromium: Any) -> Iterator[Callable[..., Opened]]:
    """Opens a file; keyword arguments are those of a browser context."""
    contexts = []

    def opener(path: Path, **options: Any) -> Opened:
        context = chromium.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        contexts.append(context)
        opened = Opened(context.new_page())
        address = path.resolve().as_uri()

        def asked(request: Any) -> None:
            if request.url != address and not request.url.startswith(f"{address}#"):
                opened.requests.append(request.url)

        def dialog(item: Any) -> None:
            opened.complaints.append(f"dialog {item.message}")
            item.dismiss()

        opened.page.on("request", asked)
        opened.page.on("dialog", dialog)
        opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        opened.page.on("console", lambda message: opened.complaints.append(message.text))
        opened.page.on("popup", lambda popup: opened.complaints.append(f"popup {popup.url}"))
        opened.page.goto(address)
        return opened

    yield opener
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def folders() -> Any:
    """The module that writes run folders."""
    path = Path(__file__).parents[1] / "report" / "folder.py"
    spec = importlib.util.spec_from_file_location("judge_tests_folder", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes the HTML report of runs."""

    def writer(*runs: Path, labels: tuple[Path, ...] = ()) -> Path:
        target = tmp_path / f"report{len(os.listdir(tmp_path))}.html"
        target.write_text(FORMATS["html"].render(load_report(runs, labels)), encoding="utf-8")
        return target

    return writer
