"""Brings a folder to one version of the official data: checks what is there, downloads what is not."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from judge.errors import ConfigError, InputError, JudgeError, ProviderError, RunIncomplete
from judge.jsontext import Problem, printable
from judge.tasks.fetch.http import Http
from judge.tasks.fetch.manifest import FileRecord, Manifest, digests, read_manifest, safe_target, write_manifest
from judge.tasks.fetch.sources import MAX_FILE_BYTES, SOURCES, Listing, Remote

_MAX_TOTAL = 8 * 1024**3
_WORKERS = 4
_SAVE_EVERY = 20


class Progress(Protocol):
    """Hears how a download goes; called from several threads."""

    def start(self, files: int, size: int) -> None:
        """Called once with what is to be downloaded: files and bytes as far as known."""

    def received(self, size: int) -> None:
        """Bytes came in."""

    def done(self, path: str) -> None:
        """A file is complete."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The outcome.

    Attributes:
        commit: The version that the folder now holds.
        downloaded: Files that were downloaded now.
        kept: Files that were there and right.
        skipped: Links in the source, which are not made here.
    """

    commit: str
    downloaded: tuple[str, ...]
    kept: tuple[str, ...]
    skipped: tuple[str, ...] = ()


def fetch(
    folder: Path,
    *,
    source: str = "github",
    ref: str | None = None,
    base_url: str | None = None,
    http: Http | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Downloads the official data set; files that are there and right are not downloaded again.

    Args:
        folder: Where to; made when missing.
        source: ``github`` or ``huggingface``.
        ref: Branch, tag or commit.
        base_url: Replaces the addresses of the source's interface and files (a mirror).
        http: How requests are made.
        progress: Hears how it goes.

    Raises:
        ConfigError: No such source, or no usable base address.
        InputError: The folder cannot be written.
        ProviderError: The list of files cannot be had.
        RunIncomplete: Some files could not be had; the others are there.
    """
    site = SOURCES.get(source)
    if site is None:
        raise ConfigError(f'there is no source "{source}"', where="--source", hint="known: " + ", ".join(SOURCES))
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise ConfigError("is no http or https address", where="--base-url")
    http = http or Http()
    api, raw = (base_url.rstrip("/"),) * 2 if base_url else site.base_urls
    ref = ref or site.default_ref
    listing = site.list_files(http, api, raw, ref)
    _sane(listing, source)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", where=str(folder)) from None
    run = _Run(folder, Manifest(source=source, ref=ref, commit=listing.commit), http, progress)
    return run.bring(listing)


def _sane(listing: Listing, source: str) -> None:
    if not any("/instances/" in f"/{item.path}" for item in listing.files):
        raise ProviderError("the source lists no DevAI tasks", where=source)
    if sum(item.size or 0 for item in listing.files) > _MAX_TOTAL:
        raise ProviderError(f"the source lists more than {_MAX_TOTAL // 1024**3} GB", where=source)


class _Run:
    """One run of ``fetch``."""

    def __init__(self, folder: Path, manifest: Manifest, http: Http, progress: Progress | None) -> None:
        self.folder = folder
        self.old = read_manifest(folder)
        self.manifest = manifest
        self.files: dict[str, FileRecord] = {}
        self.http = http
        self.progress = progress

    def bring(self, listing: Listing) -> Fetched:
        wanted = {item.path: item for item in listing.files}
        kept = [path for path, item in wanted.items() if self._is_right(item)]
        missing = [item for path, item in wanted.items() if path not in self.files]
        if self.progress is not None:
            self.progress.start(len(missing), sum(item.size or 0 for item in missing))
        failed: list[str] = []
        downloaded: list[str] = []
        pool = ThreadPoolExecutor(_WORKERS)
        try:
            futures = {pool.submit(self._download, item): item for item in missing}
            for future in as_completed(futures):
                path = futures[future].path
                try:
                    self.files[path] = future.result()
                except (JudgeError, OSError) as error:
                    failed.append(str(error))
                    continue
                downloaded.append(path)
                if self.progress is not None:
                    self.progress.done(path)
                if len(downloaded) % _SAVE_EVERY == 0:
                    self._save()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            self._save()
        if failed:
            what = f"{len(failed)} of {len(wanted)} files could not be downloaded; first: {min(failed)}"
            raise RunIncomplete(what, where=str(self.folder), hint="run it again to fetch only these")
        return Fetched(listing.commit, tuple(sorted(downloaded)), tuple(sorted(kept)), listing.skipped)

    def _save(self) -> None:
        write_manifest(self.folder, self.manifest.model_copy(update={"files": dict(self.files)}))

    def _is_right(self, item: Remote) -> bool:
        """Whether the file is there with the right content; then its record is kept."""
        target = safe_target(self.folder, item.path)
        if not target.is_file():
            return False
        sha256, git, size = digests(target)
        if item.git or item.sha256:
            right = _fits(item, sha256, git, size)
        else:
            # Without a checksum of the source, only the same version's own record can tell.
            record = self.old.files.get(item.path) if self.old and self.old.commit == self.manifest.commit else None
            right = record is not None and record.sha256 == sha256
        if right:
            self.files[item.path] = FileRecord(sha256=sha256, size=size, git=item.git)
        return right

    def _download(self, item: Remote) -> FileRecord:
        target = safe_target(self.folder, item.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        part = safe_target(self.folder, item.path + ".part")
        limit = MAX_FILE_BYTES if item.size is None else item.size
        seen: Callable[[int], None] = self.progress.received if self.progress is not None else lambda _: None
        for last in (False, True):
            self.http.download(item.url, part, limit, seen)
            sha256, git, size = digests(part)
            if _fits(item, sha256, git, size):
                part.replace(target)
                return FileRecord(sha256=sha256, size=size, git=item.git)
            # A part of another version was continued, or the data is damaged: once more from the start.
            part.unlink()
            if last:
                break
        raise ProviderError("the downloaded file has the wrong checksum", where=item.url)


def _fits(item: Remote, sha256: str, git: str, size: int) -> bool:
    return (
        (item.size is None or item.size == size)
        and (not item.git or item.git == git)
        and (not item.sha256 or item.sha256 == sha256)
    )


def check(folder: Path) -> tuple[Manifest, tuple[Problem, ...]]:
    """Compares a folder with its manifest, without the network.

    Raises:
        InputError: There is no usable manifest.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise InputError("holds no usable manifest", where=str(folder), hint="`judge devai fetch` writes it")
    problems = []
    for path, record in manifest.files.items():
        try:
            target = safe_target(folder, path) if ".." not in path.split("/") and not path.startswith("/") else None
            if target is None:
                problems.append(Problem(printable(path), "is no path of a data set", "a path below the folder"))
            elif not target.is_file():
                problems.append(Problem(path, "is missing", "the downloaded file"))
            elif digests(target)[0] != record.sha256:
                problems.append(Problem(path, "was changed", f"SHA-256 {record.sha256[:12]}…"))
        except (OSError, InputError) as error:
            problems.append(Problem(path, f"cannot be read: {error}", "the downloaded file"))
    return manifest, tuple(problems)
