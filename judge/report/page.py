"""The shell of every HTML report: one file that loads nothing and runs nothing but its own small script."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from judge.report.markup import Html, element, escape


def page(title: str, body: Html, *, styles: tuple[str, ...] = (), scripts: tuple[str, ...] = ()) -> str:
    """A whole document.

    The policy in it allows the style sheets and scripts given here by their hash, pictures inside the file, and
    nothing else: no network, no other script, no inline style.

    Args:
        title: Plain text.
        body: What stands in ``<body>``.
        styles: Names of style sheets in ``judge/report/assets``.
        scripts: Names of scripts there; what all of them use, ``shell.js``, stands before the first.
    """
    sheets = [_asset(name) for name in ("base.css", *styles)]
    programs = [_asset(name) for name in scripts]
    if programs:
        programs[0] = _asset("shell.js") + programs[0]
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src {' '.join(_hash(item) for item in sheets)}",
            f"script-src {' '.join(_hash(item) for item in programs) or chr(39) + 'none' + chr(39)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    head = "\n".join(
        (
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{escape(title, 200)}</title>",
            *(f"<style>{item}</style>" for item in sheets),
        )
    )
    tail = "".join(f"<script>{item}</script>\n" for item in programs)
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}\n{tail}</body>\n</html>\n'


def header(brand: str, title: str | Html, words: str | Html) -> Html:
    """The head of a report, with the button for its theme.

    Args:
        brand: Which command made it.
        title: What it is about.
        words: The most important of it, on one line.
    """
    return element(
        "header",
        {"class": "top"},
        element(
            "div",
            None,
            element("p", {"class": "brand"}, brand),
            element("h1", None, title),
            element("p", {"class": "meta"}, words),
        ),
        element("button", {"type": "button", "id": "theme", "class": "button", "hidden": True}, "Dark"),
    )


def _asset(name: str) -> str:
    text = files("judge.report").joinpath("assets", name).read_text(encoding="utf-8")
    if "</" in text:
        raise ValueError(f"{name} would end its own element")
    return text


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
