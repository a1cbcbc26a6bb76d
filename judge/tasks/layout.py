"""Knows how the official DevAI repository lays out its folders, so that any of its levels can be given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

# Where the parts lie below the folder that a user may name: the repository, its benchmark folder, or the data itself.
_ROOTS = ("", "benchmark/devai", "benchmark", "devai")
_PARTS = ("instances", "workspaces", "trajectories", "judgment")
_HUMAN = "human_as_a_judge"


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of the official data that are there.

    Attributes:
        instances: Folder of task files; None when absent.
        workspaces: Agent name -> folder that holds one folder per task.
        trajectories: Agent name -> folder that holds one trajectory per task.
        judgments: Agent name -> kind (``human_as_a_judge``, ``agent_as_a_judge/gray_box``, …) -> folder of label files.
    """

    instances: Path | None = None
    workspaces: Mapping[str, Path] = field(default_factory=dict)
    trajectories: Mapping[str, Path] = field(default_factory=dict)
    judgments: Mapping[str, Mapping[str, Path]] = field(default_factory=dict)


def find_layout(folder: Path) -> Layout | None:
    """The official layout in or below a folder: the repository's root, ``benchmark/`` or ``benchmark/devai/``.

    Both arrangements are understood: all parts below ``benchmark/devai``, or the instances there and the other parts
    beside it. Returns None when there is no ``instances`` folder with JSON files at any of these places.
    """
    parts: dict[str, Path] = {}
    for root in _ROOTS:
        for part in _PARTS:
            place = folder / root / part
            if part not in parts and _is_folder(place):
                parts[part] = place
    instances = parts.get("instances")
    if instances is None or not any(json_files(instances)):
        return None
    # Given benchmark/devai of the second arrangement, the other parts are beside the folder.
    if instances.parent.name == "devai" and instances.parent.resolve().parent.name == "benchmark":
        for part in _PARTS[1:]:
            beside = instances.parent.resolve().parent / part
            if part not in parts and _is_folder(beside):
                parts[part] = beside
    return Layout(
        instances=instances,
        workspaces=_subfolders(parts.get("workspaces")),
        trajectories=_subfolders(parts.get("trajectories")),
        judgments={agent: judgment_kinds(path) for agent, path in _subfolders(parts.get("judgment")).items()},
    )


def judgment_kinds(folder: Path) -> dict[str, Path]:
    """The label folders of one agent: kind -> folder, the human consensus first."""
    kinds: dict[str, Path] = {}
    for name, path in _subfolders(folder).items():
        if any(json_files(path)):
            kinds[name] = path
        kinds |= {f"{name}/{sub}": deeper for sub, deeper in _subfolders(path).items() if any(json_files(deeper))}
    return dict(sorted(kinds.items(), key=lambda item: (not item[0].startswith(_HUMAN), item[0])))


def json_files(folder: Path) -> Iterator[Path]:
    """The JSON and JSON-lines files directly in a folder, by name; hidden ones are left out. Unreadable: none."""
    try:
        names = sorted(folder.iterdir())
    except OSError:
        return
    for path in names:
        if (
            path.name.lower().endswith((".json", ".jsonl", ".ndjson"))
            and not path.name.startswith(".")
            and not _is_folder(path)
        ):
            yield path


def _subfolders(folder: Path | None) -> dict[str, Path]:
    if folder is None:
        return {}
    try:
        return {
            path.name: path for path in sorted(folder.iterdir()) if not path.name.startswith(".") and _is_folder(path)
        }
    except OSError:
        return {}


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
