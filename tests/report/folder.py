"""Run folders for tests of reports, written by hand: also what no run of ours would write."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

HOSTILE = (
    "</script><script>window.pwned=1</script>",
    '"><img src=x onerror="window.pwned=2">',
    "'><svg onload=window.pwned=3>",
    "</style><style>body{display:none;background:url(http://evil.example/a.png)}</style>",
    "[click](javascript:window.pwned=4) <a href=javascript:window.pwned=5>x</a>",
    "</pre></code></details></article><h1>owned</h1><!-- ",
    "<iframe src=http://evil.example/></iframe><base href=http://evil.example/>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "&lt;b&gt; &amp;#60;script&amp;#62; {{7*7}} ${alert(1)} `code`",
    "@octocat closes #1 GH-12 octo/repo#3 https://evil.example www.evil.example a|b ``` ~~~ | deadbeefcafe1234",
    "bidi \u202etxt.exe\u202c zero\u200bwidth \u2066iso\u2069 nul\x00 esc\x1b[31m bell\x07",
    '=HYPERLINK("http://evil.example")',
    "]]> <![CDATA[ <?xml version='1.0'?> \ufffe \uffff",
)
EVERYTHING = "\n".join(HOSTILE)
BLOCKED_WORDS = ("window.pwned", "evil.example")


class RunWriter:
    """Writes one run folder.

    Attributes:
        path: The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: list[dict[str, Any]] = []
        self._inputs: dict[str, str] = {}
        (path / "judgments").mkdir(parents=True)
        (path / "evidence").mkdir()

    def task(self, name: str, requirements: list[dict[str, Any]], **more: Any) -> None:
        """A task; of a requirement only its criteria and prerequisites need be given."""
        full = [
            {"requirement_id": number, "prerequisites": [], "category": None, "satisfied": None, **item}
            for number, item in enumerate(requirements)
        ]
        value = {"name": name, "query": "Do it.", "tags": [], "requirements": full, "preferences": [], **more}
        self._inputs[f"task:{name}"] = "0" * 64
        (self.path / "judgments" / f"{len(self._inputs)}.json").write_text(json.dumps(value), encoding="utf-8")

    def evidence(self, *items: dict[str, Any]) -> str:
        """Stores evidence; returns its hash."""
        base = {"module": "read", "kind": "file", "title": "", "text": "", "images": []}
        data = json.dumps({"schema_version": 1, "evidence": [{**base, **item} for item in items]}).encode()
        digest = hashlib.sha256(data).hexdigest()
        (self.path / "evidence" / f"{digest}.json").write_bytes(data)
        return digest

    def verdict(self, task: str, number: int, verdict: str, **more: Any) -> None:
        """One line of the journal."""
        base = {"task": task, "requirement_id": number, "verdict": verdict, "reason": "because", "confidence": 0.9}
        self._lines.append({**base, "judge": "agent", "model": "scripted:x", **more})

    def close(self, **header: Any) -> Path:
        """Writes header and journal; returns the folder."""
        base = {"version": "0", "judge": "agent", "model": "scripted:x", "setting": "black-box", "modules": ["ask"]}
        value = {**base, "inputs": self._inputs, "created": "2026-01-02T03:04:05+00:00", **header}
        (self.path / "run.json").write_text(json.dumps(value), encoding="utf-8")
        text = "".join(json.dumps(line) + "\n" for line in self._lines)
        (self.path / "verdicts.jsonl").write_text(text, encoding="utf-8")
        return self.path


def small_run(path: Path) -> Path:
    """Two tasks: a chain with an unmet start, an ERROR and one that was not reached."""
    run = RunWriter(path)
    run.task(
        "Alpha",
        [
            {"criteria": "Data is loaded in `src/load.py`.", "category": "Dataset"},
            {"criteria": "A model is trained.", "prerequisites": [0], "category": "Method"},
            {"criteria": "The result is saved.", "prerequisites": [1, 0], "category": "Output"},
        ],
    )
    run.task("Beta", [{"criteria": "An app starts."}, {"criteria": "It answers.", "prerequisites": [0]}])
    text = "\n".join(f"{number}| line {number} of load" for number in range(1, 21))
    shared = {"path": "src/load.py", "title": "src/load.py", "text": text, "line": 1, "end_line": 20, "tokens": 80}
    first = run.evidence(shared, {"path": "a.txt", "text": "only for the first", "title": "a.txt"})
    second = run.evidence(shared, {"step": 4, "kind": "step", "title": "Step 4", "text": "one\nthe quoted\nthree"})
    cited = {"path": "src/load.py", "line": 10, "end_line": 11, "quote": "line 10 of load\nline 11 of load"}
    usage = {"calls": 1, "input_tokens": 1000, "output_tokens": 50, "cost": 0.0125, "seconds": 2.0}
    run.verdict("Alpha", 0, "ERROR", error="the provider was away", reason="", confidence=0, usage=usage)
    run.verdict(
        "Alpha",
        0,
        "UNSATISFIED",
        reason="`src/load.py` loads nothing",
        evidence_hash=first,
        usage=usage,
        votes=["UNSATISFIED"],
        citations=[{**cited, "verified": True}],
        citations_verified=True,
    )
    steps = [
        {"step": 4, "quote": "the  quoted", "verified": True},
        {"path": "gone.py", "quote": "nowhere", "verified": False},
    ]
    run.verdict(
        "Alpha", 1, "SATISFIED", evidence_hash=second, citations=steps, citations_verified=False, confidence=0.5
    )
    run.verdict("Alpha", 2, "SATISFIED", evidence_hash=second)
    run.verdict("Beta", 0, "ERROR", error="the provider was away", reason="", confidence=0)
    return run.close()


def hostile_run(path: Path) -> Path:
    """Every text that a stranger can choose is hostile; one is a megabyte long."""
    run = RunWriter(path)
    listed = [
        {"criteria": text, "category": text, "prerequisites": [number - 1] if number else []}
        for number, text in enumerate(HOSTILE)
    ]
    run.task("Hostile", listed, query=EVERYTHING, tags=list(HOSTILE))
    item = {"title": EVERYTHING, "text": EVERYTHING, "why": EVERYTHING, "path": HOSTILE[1], "problems": list(HOSTILE)}
    image = {"media_type": "image/svg+xml", "width": 1, "height": 1, "file": "../../../etc/passwd"}
    digest = run.evidence(item, {**item, "kind": HOSTILE[0], "module": HOSTILE[1], "images": [image, HOSTILE[0]]})
    for number, text in enumerate(HOSTILE):
        cited = [
            {"path": text, "line": 1, "end_line": 1, "quote": EVERYTHING, "verified": False},
            {"path": HOSTILE[1], "quote": "window.pwned=1", "verified": True},
        ]
        run.verdict(
            "Hostile",
            number,
            "SATISFIED" if number % 2 else "UNSATISFIED",
            reason=EVERYTHING,
            evidence_hash=digest,
            citations=cited,
            injection=[text],
            redacted=[text],
            judge=text,
            model=text,
            prompt_hash=text,
            raw_answer=text,
        )
    run.verdict("</title>" + HOSTILE[0], 0, "ERROR", reason="x" * 1_000_000, error="<b>" * 400_000, confidence=0)
    run.verdict("../../up", 0, "UNSATISFIED", evidence_hash="../../../../etc/passwd", reason="A" * 3000)
    return run.close(
        model=HOSTILE[0], options={HOSTILE[1]: EVERYTHING}, prompts={HOSTILE[0]: HOSTILE[1]}, created=HOSTILE[0]
    )
