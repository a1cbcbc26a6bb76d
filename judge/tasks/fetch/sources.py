"""Where the official data can be had, and which files there belong to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from judge.errors import ProviderError
from judge.tasks.fetch.http import Http

GITHUB_REPOSITORY = "metauto-ai/agent-as-a-judge"
HUGGINGFACE_DATASET = "DEVAI-benchmark/DEVAI"
_LIST_BYTES = 64 * 1024 * 1024
_MAX_FILES = 50_000
_MAX_PAGES = 200
MAX_FILE_BYTES = 512 * 1024 * 1024
_PARTS = ("instances", "workspaces", "trajectories", "judgment")
_SINGLE = ("constraints.json", "trajectory-schema.json")


@dataclass(frozen=True, slots=True)
class Remote:
    """One file of the data set.

    Attributes:
        path: Where it goes, below the destination folder.
        url: Where it is.
        size: Bytes; None when the source does not say.
        git: Its git blob id (SHA-1 over a header and the content); empty when unknown.
        sha256: Its SHA-256; empty when unknown.
    """

    path: str
    url: str
    size: int | None = None
    git: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """All files of one fixed version, and links or odd names that were left out."""

    commit: str
    files: tuple[Remote, ...]
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceSite:
    """A place that offers the data.

    Attributes:
        name: As in ``--source``.
        default_ref: The branch that is taken when none is named.
        base_urls: Base address of the interface, and of the files.
        list_files: Lists the files of a branch, tag or commit.
    """

    name: str
    default_ref: str
    base_urls: tuple[str, str]
    list_files: Callable[[Http, str, str, str], Listing]


def wanted_path(path: str) -> str | None:
    """Where a file of the source goes, in the official layout; None when it is no part of the data or unsafe.

    >>> wanted_path("instances/01.json"), wanted_path("benchmark/judgment/a/b.json"), wanted_path("agent/x.py")
    ('benchmark/devai/instances/01.json', 'benchmark/judgment/a/b.json', None)
    """
    parts = path.split("/")
    if not all(parts) or any(
        p in {".", ".."} or len(p.encode()) > 255 or re.search(r"[\x00-\x1f\x7f\\:]", p) for p in parts
    ):
        return None
    rest = parts
    while rest and rest[0] in {"benchmark", "devai"}:
        rest = rest[1:]
    below = parts[: len(parts) - len(rest)]
    if below not in ([], ["benchmark"], ["benchmark", "devai"], ["devai"]):
        return None
    known = len(rest) > 1 and rest[0] in _PARTS if len(rest) != 1 else rest[0] in _SINGLE
    if not known or (not below and rest[0] in {"trajectories", "workspaces"} and len(rest) < 3):
        return None
    return "/".join(parts if below[:1] == ["benchmark"] else ["benchmark", "devai", *rest])


def _json(http: Http, url: str) -> tuple[Any, dict[str, str]]:
    data, headers = http.get(url, _LIST_BYTES)
    try:
        return json.loads(data), {key.lower(): value for key, value in headers.items()}
    except (ValueError, RecursionError):
        raise ProviderError("the server's answer is no JSON", where=url) from None


def _text(value: Any, url: str, *keys: str) -> str:
    """A text somewhere in a server's answer."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, str) or not re.fullmatch(r"[0-9a-zA-Z]{7,64}", value):
        raise ProviderError(f"the server's answer has no usable {'.'.join(keys)}", where=url)
    return value


def _entries(value: Any, url: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise ProviderError("the server's answer holds no list of files", where=url)
    if len(value) > _MAX_FILES:
        raise ProviderError(f"the server lists more than {_MAX_FILES} files", where=url)
    return [item for item in value if isinstance(item, dict) and isinstance(item.get("path"), str)]


def _size(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _hash(value: Any, length: int) -> str:
    return value if isinstance(value, str) and re.fullmatch(rf"[0-9a-f]{{{length}}}", value) else ""


def list_github(http: Http, api: str, raw: str, ref: str) -> Listing:
    """Lists the repository's files at a commit; the ref is resolved first, so that all files are of one version."""
    url = f"{api}/repos/{GITHUB_REPOSITORY}/commits/{quote(ref, safe='')}"
    commit = _text(_json(http, url)[0], url, "sha")
    url = f"{api}/repos/{GITHUB_REPOSITORY}/git/trees/{commit}?recursive=1"
    tree = _json(http, url)[0]
    if isinstance(tree, dict) and tree.get("truncated") is True:
        raise ProviderError("the server's list of files is cut off", where=url, hint="try --source huggingface")
    files: list[Remote] = []
    skipped: list[str] = []
    for item in _entries(tree.get("tree") if isinstance(tree, dict) else None, url):
        path = wanted_path(item["path"])
        if item.get("type") != "blob" or path is None:
            continue
        if item.get("mode") == "120000":
            skipped.append(item["path"])
            continue
        address = f"{raw}/{GITHUB_REPOSITORY}/{commit}/{quote(item['path'])}"
        files.append(Remote(path, address, _size(item.get("size")), git=_hash(item.get("sha"), 40)))
    return Listing(commit, tuple(files), tuple(skipped))


def list_huggingface(http: Http, api: str, raw: str, ref: str) -> Listing:
    """Lists the data set's files at a commit, page by page."""
    url = f"{api}/api/datasets/{HUGGINGFACE_DATASET}/revision/{quote(ref, safe='')}"
    commit = _text(_json(http, url)[0], url, "sha")
    files = []
    for item in _pages(http, f"{api}/api/datasets/{HUGGINGFACE_DATASET}/tree/{commit}?recursive=true", api):
        path = wanted_path(item["path"])
        if item.get("type") != "file" or path is None:
            continue
        lfs = item.get("lfs") if isinstance(item.get("lfs"), dict) else {}
        address = f"{raw}/datasets/{HUGGINGFACE_DATASET}/resolve/{commit}/{quote(item['path'])}"
        sha256 = _hash((lfs or {}).get("oid"), 64)
        files.append(
            Remote(path, address, _size(item.get("size")), "" if sha256 else _hash(item.get("oid"), 40), sha256)
        )
    return Listing(commit, tuple(files))


def _pages(http: Http, url: str, api: str) -> Iterator[dict[str, Any]]:
    for _ in range(_MAX_PAGES):
        value, headers = _json(http, url)
        yield from _entries(value, url)
        following = re.search(r'<([^>]+)>\s*;\s*rel="next"', headers.get("link", ""))
        if following is None:
            return
        url = following[1] if following[1].startswith(("http://", "https://")) else api + following[1]
    raise ProviderError(f"the list of files has more than {_MAX_PAGES} pages", where=url)


SOURCES: dict[str, SourceSite] = {
    "github": SourceSite(
        "github", "main", ("https://api.github.com", "https://raw.githubusercontent.com"), list_github
    ),
    "huggingface": SourceSite(
        "huggingface", "main", ("https://huggingface.co", "https://huggingface.co"), list_huggingface
    ),
}
