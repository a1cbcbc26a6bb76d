#!/usr/bin/env python3
"""Rebuild the bundled data set: tasks, labels, workspace artefacts, trajectories.

Each task has one recipe in ``recipes/tNN.py``.  A recipe holds

TASK       the task in DevAI's format, with the labels: every requirement is
           (criteria, category, prerequisites, satisfied, reason)
ARTEFACTS  glob patterns, relative to the workspace, of everything that is
           *produced*; whatever does not match is a hand-written source file
STEPS      how the workspace comes about:
             ("write", path, thought)        the file as it is in the workspace
             ("write", path, thought, text)  an earlier version of a file
             ("run", command, thought)       a shell command, really run
             ("sources",)                    all source files at once
             ("done", thought)               the last word
           The thoughts matter only with TRAJECTORY = True.
GIVEN      (optional) files the user had put into the folder beforehand
TRAJECTORY True: the steps become ``trajectories/<task>.json`` with the output
           each command really gave (sandbox path shown as /workspace)

The steps are played in an empty temporary directory.  At its end the sources
there must equal those in ``devai/workspaces/<task>/``; the products are then
copied over.  The artefacts are therefore what the (good or bad) code, and the
agent's own shell commands, really leave behind.

    python build.py                      everything
    python build.py --task 03            one task (number or any part of its name)
    python build.py --json-only          tasks and labels only, nothing is run
    python build.py --python /venv/bin/python

This script needs the standard library only.  The code in the workspaces needs
(Python 3.11): numpy pandas scikit-learn matplotlib seaborn pillow joblib torch
flask nbformat nbclient ipykernel.  Seeds are fixed; SOURCE_DATE_EPOCH,
PYTHONHASHSEED and one thread make reruns repeatable with the same versions.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEVAI = ROOT / "devai"
TRAJ = ROOT / "trajectories"
CLOCK = re.compile(r"(Ran \d+ tests? in )[\d.]+s")  # unittest's duration varies
PROMPT = "agent@sandbox:/workspace $ "
NOTE = (
    "\n\nThis is a task that requires you to write, execute, and save source code. "
    "Everything you want to be judged must be in the working folder when you finish. "
    "There is no network and no GPU."
)
# Usage figures of the scripted agent: computed, not measured (see devai/README.md).
MODEL, AGENT = "scripted-demo-1", "scripted_agent"
IN_PRICE, OUT_PRICE = 2.5e-6, 1e-5


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def task_json(t: dict, labels: bool) -> dict:
    reqs = []
    for i, (criteria, category, pre, satisfied, reason) in enumerate(t["requirements"]):
        r = {
            "requirement_id": i,
            "prerequisites": list(pre),
            "criteria": criteria,
            "category": category,
            "satisfied": satisfied if labels else None,
        }
        if labels:
            r["reason"] = reason
        reqs.append(r)
    return {
        "name": t["name"],
        "query": t["query"],
        "tags": t["tags"],
        "requirements": reqs,
        "preferences": [{"preference_id": i, "criteria": c, "satisfied": None} for i, c in enumerate(t["preferences"])],
        "is_kaggle_api_needed": False,
        "is_training_needed": t["is_training_needed"],
        "is_web_navigation_needed": False,
    }


def dump(path: Path, data) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=4, ensure_ascii=False) + "\n", encoding="utf-8")


def is_product(rel: str, patterns) -> bool:
    return any(fnmatch.fnmatch(rel, p) for p in patterns)


def files(root: Path):
    for p in sorted(root.rglob("*")):
        if p.is_file() and "__pycache__" not in p.parts and ".ipynb_checkpoints" not in p.parts:
            yield p.relative_to(root).as_posix()


def run(cmd: str, cwd: Path, python: str) -> str:
    env = {
        "PATH": f"{Path(python).parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": os.environ.get("HOME", "/tmp"),
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "SOURCE_DATE_EPOCH": "1700000000",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "TZ": "UTC",
        "TERM": "dumb",
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",  # the sandbox of the tasks has no network
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    out = subprocess.run(
        ["bash", "-c", cmd], cwd=cwd, env=env, text=True, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ).stdout
    prefix = str(Path(python).parent.parent)
    out = out.replace(str(cwd), "/workspace")
    if prefix not in ("/usr", "/usr/local"):  # a virtual environment
        out = out.replace(prefix, "/usr/local")
    out = CLOCK.sub(r"\g<1>0.04s", out)
    return out


def heredoc(path: str, text: str) -> str:
    parent = os.path.dirname(path)
    mk = f"mkdir -p {parent} && " if parent else ""
    body = text if text.endswith("\n") else text + "\n"
    return f"{mk}cat > {path} << 'EOF'\n{body}EOF"


def tidy_notebook(path: Path) -> None:
    """Drop clock times and random ids that an executed notebook records."""
    nb = json.loads(path.read_text(encoding="utf-8"))
    for i, cell in enumerate(nb.get("cells", [])):
        cell.get("metadata", {}).pop("execution", None)
        if "id" in cell:
            cell["id"] = f"cell{i}"
    path.write_text(json.dumps(nb, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def play(mod, python: str, verbose: bool) -> None:
    name = mod.TASK["name"]
    ws = DEVAI / "workspaces" / name
    records = []
    with tempfile.TemporaryDirectory() as tmp:
        box = Path(tmp) / "workspace"
        box.mkdir()
        for rel, text in getattr(mod, "GIVEN", {}).items():
            (box / rel).parent.mkdir(parents=True, exist_ok=True)
            (box / rel).write_text(text, encoding="utf-8")
        for step in mod.STEPS:
            kind = step[0]
            if kind == "done":
                records.append((step[1], None, None))
                continue
            if kind == "sources":
                for rel in files(ws):
                    if not is_product(rel, mod.ARTEFACTS):
                        (box / rel).parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(ws / rel, box / rel)
                continue
            if kind == "write":
                text = step[3] if len(step) > 3 else (ws / step[1]).read_text(encoding="utf-8")
                cmd = heredoc(step[1], text)
            else:
                cmd = step[1]
            out = run(cmd, box, python)
            if verbose and kind == "run":
                print(f"$ {cmd[:200]}\n{out[-1800:]}")
            shown = out + ("" if not out or out.endswith("\n") else "\n") + PROMPT
            records.append((step[2] if len(step) > 2 else "", "Running command: " + cmd, shown))
        made = set(files(box))
        for rel in made:
            same = (ws / rel).is_file() and (ws / rel).read_bytes() == (box / rel).read_bytes()
            if not same and not is_product(rel, mod.ARTEFACTS):
                raise SystemExit(f"{name}: {rel} is no product and differs from the workspace")
        for rel in list(files(ws)):
            if is_product(rel, mod.ARTEFACTS):
                (ws / rel).unlink()
            elif rel not in made:
                raise SystemExit(f"{name}: source {rel} is never written by the recipe")
        for rel in sorted(made):
            if is_product(rel, mod.ARTEFACTS):
                (ws / rel).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(box / rel, ws / rel)
                if rel.endswith(".ipynb"):
                    tidy_notebook(ws / rel)
                if rel.endswith("report.txt"):  # same clock as in the trajectory
                    text = (ws / rel).read_text(encoding="utf-8")
                    (ws / rel).write_text(CLOCK.sub(r"\g<1>0.04s", text), encoding="utf-8")
        for d in sorted((p for p in ws.rglob("*") if p.is_dir()), reverse=True):
            if not any(d.iterdir()):
                d.rmdir()
    if mod.TRAJECTORY:
        dump(TRAJ / f"{name}.json", trajectory(mod.TASK["query"] + NOTE, records))


def trajectory(query: str, records) -> list:
    steps, context, cost, clock = [], 1900 + len(query) // 4, 0.0, 0.0
    for i, (thought, action, env) in enumerate(records):
        out_tokens = 12 + (len(thought) + len(action or "")) // 4
        step_cost = round(context * IN_PRICE + out_tokens * OUT_PRICE, 6)
        infer = round(0.7 + out_tokens * 0.021, 3)
        busy = 0.05 if action is None else 0.4
        if action and re.search(r"\bpython3? ", action) and "<<" not in action:
            busy = 3.1 + (len(env) % 37) / 10
        step_time = round(infer + busy, 3)
        cost, clock = round(cost + step_cost, 6), round(clock + step_time, 3)
        steps.append(
            {
                "step": i,
                "user_message": query if i == 0 else None,
                "agent": {"thought": thought, "action": action, "agent_name": AGENT},
                "environment": env,
                "step_usage": {
                    "input_tokens": context,
                    "output_tokens": out_tokens,
                    "model": MODEL,
                    "cost": step_cost,
                    "llm_inference_time": infer,
                    "step_execution_time": step_time,
                },
                "accumulated_usage": {"accumulated_cost": cost, "accumulated_time": clock},
            }
        )
        context += out_tokens + len(env or "") // 4
    return steps


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--task", help="number or part of the name; default: all")
    ap.add_argument("--python", default=sys.executable, help="interpreter that has the packages")
    ap.add_argument("--json-only", action="store_true", help="write tasks and labels, run nothing")
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()
    found = 0
    for path in sorted((HERE / "recipes").glob("t*.py")):
        mod = load(path)
        name = mod.TASK["name"]
        if args.task and args.task not in name:
            continue
        found += 1
        dump(DEVAI / "tasks" / f"{name}.json", task_json(mod.TASK, False))
        dump(DEVAI / "labels" / f"{name}.json", task_json(mod.TASK, True))
        if not args.json_only:
            play(mod, args.python, args.verbose)
        print("built", name)
    return 0 if found else 1


if __name__ == "__main__":
    raise SystemExit(main())
