"""Takes the text of a comment out of an artifact and prints it, if it is what ``judge score`` writes.

The artifact comes from a job that ran untrusted code, so that it is checked here as if that code had written it: one
small file, and in it no link, no mention, no picture, and no HTML but the few elements of the report.
"""

from __future__ import annotations

import re
import sys
import zipfile

LIMIT = 65_400
MARK = "<!-- judge-score -->"
REFUSED = "judge score: the report did not pass the check for comments; it lies in the artifact of the run."
_TAGS = frozenset(f"<{end}{name}>" for name in ("details", "summary", "b", "code", "sub") for end in ("", "/"))
_TAG = re.compile(r"<[^>]*>?")
_BAD = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
    r"|[@`\\]|\]\s*[(\[:]|!\[|://|www\.|javascript:|(?m:^\s*::)|(?m:^\s*\[)",
    re.IGNORECASE,
)


def body(path: str) -> str:
    """The text of the comment.

    Args:
        path: The artifact, a ZIP file.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open("score.md") as file:
            data = file.read(LIMIT + 1)
        text = data.decode("utf-8")
    except (OSError, KeyError, ValueError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile):
        return f"{MARK}\n{REFUSED}\n"
    if len(data) > LIMIT or not text.startswith("### judge score: ") or _BAD.search(text):
        return f"{MARK}\n{REFUSED}\n"
    if any(tag not in _TAGS for tag in _TAG.findall(text)):
        return f"{MARK}\n{REFUSED}\n"
    return f"{MARK}\n{text}"


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.write(body(sys.argv[1]))
