#!/usr/bin/env python3
"""Check the bundled data set (standard library only).

Every task loads and has DevAI's keys, prerequisites are valid and acyclic, each
label file repeats its task word for word, trajectories follow the schema and
their usage adds up, sizes are small, no path of a build machine is left.  At the
end the counts, and how well two naive judges would do (they should do badly).

    python check.py [--schema trajectory-schema.json]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEVAI, TRAJ = ROOT / "devai", ROOT / "trajectories"
CATEGORIES = {
    "Dataset or Environment",
    "Data preprocessing and postprocessing",
    "Machine Learning Method",
    "Save Trained Model",
    "Performance Metrics",
    "Visualization",
    "Human Computer Interaction",
    "Other",
}
TASK_KEYS = [
    "name",
    "query",
    "tags",
    "requirements",
    "preferences",
    "is_kaggle_api_needed",
    "is_training_needed",
    "is_web_navigation_needed",
]
REQ_KEYS = ["requirement_id", "prerequisites", "criteria", "category", "satisfied"]
problems: list[str] = []


def need(ok: bool, text: str) -> None:
    if not ok:
        problems.append(text)


def read(path: Path):
    return json.loads(path.read_text(encoding="utf-8"))


def acyclic(pre: dict[int, list[int]]) -> bool:
    state: dict[int, int] = {}

    def visit(n: int) -> bool:
        if state.get(n) == 1:
            return False
        if state.get(n) == 2:
            return True
        state[n] = 1
        good = all(visit(m) for m in pre[n])
        state[n] = 2
        return good

    return all(visit(n) for n in pre)


TYPES = {
    "array": list,
    "object": dict,
    "string": str,
    "integer": int,
    "number": (int, float),
    "null": type(None),
    "boolean": bool,
}


def matches(value, schema: dict, where: str) -> None:
    """The part of JSON Schema that the trajectory schema uses."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, TYPES[k]) for k in kinds):
        need(False, f"{where}: not a {kinds}")
        return
    if isinstance(value, dict):
        for key in schema.get("required", []):
            need(key in value, f"{where}: {key} missing")
        for key, sub in schema.get("properties", {}).items():
            if key in value:
                matches(value[key], sub, f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            matches(item, schema["items"], f"{where}[{i}]")


def check_task(path: Path) -> tuple[int, int]:
    t, labels = read(path), read(DEVAI / "labels" / path.name)
    name = path.stem
    need(list(t) == TASK_KEYS, f"{name}: keys {list(t)}")
    need(t["name"] == name and labels["name"] == name, f"{name}: name differs from the file name")
    need((DEVAI / "workspaces" / name).is_dir(), f"{name}: no workspace")
    need(5 <= len(t["requirements"]) <= 8, f"{name}: {len(t['requirements'])} requirements")
    pre = {}
    for i, r in enumerate(t["requirements"]):
        need(list(r) == REQ_KEYS, f"{name} r{i}: keys {list(r)}")
        need(r["requirement_id"] == i, f"{name} r{i}: id")
        need(r["satisfied"] is None, f"{name} r{i}: task file carries a label")
        need(r["category"] in CATEGORIES, f"{name} r{i}: category {r['category']}")
        need(
            all(p in range(len(t["requirements"])) and p != i for p in r["prerequisites"]),
            f"{name} r{i}: prerequisites",
        )
        pre[i] = [p for p in r["prerequisites"] if p in range(len(t["requirements"]))]
    need(acyclic(pre), f"{name}: prerequisites have a cycle")
    for r in labels["requirements"]:
        need(isinstance(r["satisfied"], bool), f"{name} label {r['requirement_id']}: no label")
        need(len(r.get("reason", "")) > 30, f"{name} label {r['requirement_id']}: no reason")
    bare = json.loads(json.dumps(labels))
    for r in bare["requirements"]:
        r.pop("reason", None)
        r["satisfied"] = None
    need(bare == t, f"{name}: label file does not repeat the task")
    return len(t["requirements"]), sum(r["satisfied"] for r in labels["requirements"])


def check_trajectory(path: Path, schema) -> int:
    steps = read(path)
    if schema:
        matches(steps, schema, path.stem)
    need(8 <= len(steps) <= 20, f"{path.stem}: {len(steps)} steps")
    need((DEVAI / "tasks" / path.name).is_file(), f"{path.stem}: no such task")
    need(steps[0]["user_message"].startswith(read(DEVAI / "tasks" / path.name)["query"]), f"{path.stem}: other query")
    cost = clock = 0.0
    for i, s in enumerate(steps):
        cost += s["step_usage"]["cost"]
        clock += s["step_usage"]["step_execution_time"]
        need(s["step"] == i, f"{path.stem}: step number {i}")
        need(abs(s["accumulated_usage"]["accumulated_cost"] - cost) < 1e-6, f"{path.stem} {i}: cost")
        need(abs(s["accumulated_usage"]["accumulated_time"] - clock) < 1e-6, f"{path.stem} {i}: time")
    return len(steps)


def naive(kind: str) -> tuple[int, int]:
    """Judge by existing paths or by quoted words that occur in the text files."""
    right = total = 0
    for path in sorted((DEVAI / "labels").glob("*.json")):
        ws = DEVAI / "workspaces" / path.stem
        text = ""
        for f in ws.rglob("*"):
            if f.is_file() and f.suffix in {".py", ".md", ".txt", ".json", ".csv", ".sh", ".ipynb", ".toml"}:
                text += f.read_text(encoding="utf-8", errors="replace").lower()
        for r in read(path)["requirements"]:
            c = r["criteria"]
            paths = [p for p in re.findall(r"`([^`]+)`", c) if re.search(r"/|\.\w{2,5}$", p) and " " not in p]
            words = [w.lower() for w in re.findall(r'"([^"`]+)"', c)]
            here = all((ws / p).exists() for p in paths if not p.startswith("/"))
            said = all(w in text or w.replace(" ", "") in text or w.replace("-", "") in text for w in words)
            guess = {"paths": here, "words": said, "paths and words": here and said}[kind]
            right += guess == r["satisfied"]
            total += 1
    return right, total


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--schema", type=Path, help="DevAI's trajectory-schema.json")
    args = ap.parse_args()
    schema = read(args.schema) if args.schema else None
    tasks = sorted((DEVAI / "tasks").glob("*.json"))
    reqs = met = 0
    for path in tasks:
        n, m = check_task(path)
        print(f"{path.stem}: {n} requirements, {m} met")
        reqs, met = reqs + n, met + m
    reasons = [r["reason"] for p in tasks for r in read(DEVAI / "labels" / p.name)["requirements"]]
    need(len(set(reasons)) == len(reasons), "a reason occurs twice")
    for path in sorted(TRAJ.glob("*.json")):
        print(f"trajectory {path.stem}: {check_trajectory(path, schema)} steps")
    size = 0
    for f in sorted([*DEVAI.rglob("*"), *TRAJ.glob("*.json")]):
        if f.is_file():
            size += f.stat().st_size if DEVAI in f.parents else 0
            need(f.stat().st_size < 200_000, f"{f.name}: larger than 200 KB")
            need("__pycache__" not in f.parts, f"{f}: byte code")
            found = re.search(rb"(?<![\w.])/(tmp|home|root|work|Users|opt)/", f.read_bytes())
            need(found is None, f"{f.relative_to(ROOT)}: machine path {found and found.group(0)}")
    need(size < 3_000_000, f"devai/ has {size} bytes")
    print(f"{len(tasks)} tasks, {reqs} requirements, {met} met, {reqs - met} unmet, devai/ {size / 1e6:.2f} MB")
    for kind in ("paths", "words", "paths and words"):
        right, total = naive(kind)
        print(f"naive judge by {kind}: {right}/{total} = {right / total:.0%}")
    for p in problems:
        print("PROBLEM", p)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
