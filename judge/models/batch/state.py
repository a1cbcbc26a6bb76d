"""Which batches are under way, on disk, so that a process that is started again collects what it has paid for."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from judge.bounded import read_whole
from judge.errors import InputError

_VERSION = 1


@dataclass(slots=True)
class Sent:
    """One batch.

    Attributes:
        tag: Finds it at the provider when its id never arrived.
        keys: Of its requests.
        id: Its id at the provider; empty until that is known.
        created: When it was sent, seconds since 1970.
        delivered: Whether everything that came of it has been handed over.
    """

    tag: str
    keys: tuple[str, ...]
    id: str = ""
    created: float = field(default_factory=time.time)
    delivered: bool = False


class Record:
    """The file of one model in a folder.

    Args:
        folder: The folder; made when first written to.
        model: ``provider:name``.
        server: Where it answers.
    """

    def __init__(self, folder: Path, model: str, server: str) -> None:
        digest = hashlib.sha256(f"{model}\0{server}".encode()).hexdigest()[:8]
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("-.")[:60]
        self.path = folder / f"{slug}-{digest}.json"
        self._model = model

    def read(self) -> list[Sent]:
        """The batches whose results have not been handed over.

        Raises:
            InputError: The file is there and cannot be read: going on would pay for the same batches twice.
        """
        try:
            value = json.loads(read_whole(self.path))
            found = [_sent(item) for item in value["batches"]]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            what = f"says which batches are under way and cannot be read: {type(error).__name__}"
            raise InputError(what, where=str(self.path), hint="remove it to give them up") from error
        return [item for item in found if not item.delivered]

    def write(self, batches: list[Sent]) -> None:
        """Replaces the file at once.

        Raises:
            InputError: It cannot be written.
        """
        value = {"schema_version": _VERSION, "model": self._model, "batches": [asdict(item) for item in batches]}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".batch-")
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(value, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(self.path)) from error


def _sent(item: Any) -> Sent:
    keys = item["keys"]
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise TypeError("keys")
    return Sent(str(item["tag"]), tuple(keys), str(item["id"]), float(item["created"]), bool(item["delivered"]))
