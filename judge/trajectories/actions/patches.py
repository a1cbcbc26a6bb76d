"""Edits written as patches: ``*** Begin Patch`` blocks, SEARCH/REPLACE blocks and unified diffs."""

from __future__ import annotations

import re

from judge.trajectories.actions.record import Effect, Origin, Recorder

_PATCH_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.M)
_MOVE = re.compile(r"^\*\*\* Move to: (.+)$", re.M)
_SEARCH = re.compile(
    r"^(?P<path>[^\s`<>]+)\n(?:```\w*\n)?<{5,9} SEARCH\n(?P<old>.*?)^={5,9}\n(?P<new>.*?)^>{5,9} REPLACE",
    re.M | re.DOTALL,
)
_DIFF = re.compile(r"^--- (?:a/)?(\S+)[^\n]*\n\+\+\+ (?:b/)?(\S+)[^\n]*\n@@", re.M)


def interpret_patches(text: str, recorder: Recorder) -> bool:
    """Records the files that patches in a text change; False when there are none, or only in passing."""
    if "*** Begin Patch" in text:
        return _begin_patch(text, recorder)
    found = False
    for match in _SEARCH.finditer(text):
        found = True
        effect = Effect.EDITED if match["old"].strip() else Effect.WRITTEN
        recorder.add(effect, match["path"], origin=Origin.HAND, content=match["new"])
    if found or not text.lstrip().startswith(("---", "diff ")):
        return found
    for match in _DIFF.finditer(text):
        found = True
        if match[2] == "/dev/null":
            recorder.add(Effect.REMOVED, match[1])
        else:
            effect = Effect.WRITTEN if match[1] == "/dev/null" else Effect.EDITED
            recorder.add(effect, match[2], origin=Origin.HAND)
    return found


def _begin_patch(text: str, recorder: Recorder) -> bool:
    heads = list(_PATCH_FILE.finditer(text))
    for index, head in enumerate(heads):
        end = heads[index + 1].start() if index + 1 < len(heads) else len(text)
        body = text[head.end() : end].partition("\n*** End Patch")[0]
        path = head[2].strip()
        added = "\n".join(line[1:] for line in body.split("\n") if line.startswith("+"))
        if head[1] == "Delete":
            recorder.add(Effect.REMOVED, path)
        elif head[1] == "Add":
            recorder.add(Effect.WRITTEN, path, origin=Origin.HAND, content=added + "\n" if added else "")
        else:
            recorder.add(Effect.EDITED, path, origin=Origin.HAND, content=added)
            if move := _MOVE.search(body):
                recorder.add(Effect.MOVED, move[1].strip(), source=recorder.resolve(path) or "")
    return bool(heads)
