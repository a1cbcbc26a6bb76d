"""Sound and video: how long, what is in it, does it play to its end, is there anything to hear or see."""

from __future__ import annotations

from dataclasses import replace

from judge.readers.container import media_installed, open_container
from judge.readers.document import Document, Family, Limits, Reader, Source, State
from judge.readers.extras import advice
from judge.readers.heads import Head, head_of
from judge.readers.media_kinds import MEDIA_KINDS, WAV, MediaKind, claimed_kind, media_kind
from judge.readers.parts import Clock
from judge.readers.playing import Player, summary


def read_media(source: Source, limits: Limits, kind: MediaKind | None = None) -> Document:
    """The document of a sound or video file.

    Args:
        source: The bytes.
        limits: Bounds on the read.
        kind: What it is, when that is known already.
    """
    kind = kind or _kind_of(source)
    head = head_of(source, kind, Clock(limits.max_seconds * 0.1))
    if not media_installed():
        return _fit(_from_head(source, kind, head), source)
    return _fit(_opened(source, limits, kind, head), source)


def _opened(source: Source, limits: Limits, kind: MediaKind, head: Head) -> Document:
    import av

    try:
        container = open_container(source, kind)
    except (av.FFmpegError, ValueError, OSError) as error:
        state = State.PARTIAL if source.truncated else State.BROKEN
        return Document(
            source.path, kind.name, kind.family, state, facts=head.facts,
            problems=(head.cut or f"cannot be opened: {getattr(error, 'strerror', None) or error}",),
        )  # fmt: skip
    with container:
        return Player(source, limits, kind, head, container).document()


def _fit(document: Document, source: Source) -> Document:
    """The document with what does not fit its extension."""
    claimed = claimed_kind(source.suffix)
    if claimed is None or media_kind(source.data) is None or _kind_of(source) is claimed or claimed is WAV:
        return document
    problem = f"the content is {document.format}, not {source.suffix.lstrip('.')}"
    state = document.state if document.state in (State.BROKEN, State.UNREADABLE) else State.MISMATCH
    return replace(document, state=state, problems=(problem, *document.problems))


def _from_head(source: Source, kind: MediaKind, head: Head) -> Document:
    """The document where the extra is missing."""
    state = State.BROKEN if head.cut and head.sure else State.PARTIAL
    note = f"only its header was looked at: {advice('media')}"
    facts = {**head.facts, "install": "judge[media]"}
    problems = (head.cut, note) if head.cut else (note,)
    text = f"{summary(kind.name, kind.family, facts)}\n{note}"
    return Document(source.path, kind.name, kind.family, state, text, facts, problems=problems)


def _kind_of(source: Source) -> MediaKind:
    """The kind of the content; of several that share a container, the one that the extension means."""
    found = media_kind(source.data)
    claimed = claimed_kind(source.suffix)
    if claimed is not None and (found is None or claimed.demuxer == found.demuxer):
        return claimed
    return found or MEDIA_KINDS[0]


def _sniff(data: bytes) -> bool:
    return media_kind(data) is not None


_ELSEWHERE = frozenset({".ts"})  # TypeScript mostly


def _reader(family: Family) -> Reader:
    suffixes = frozenset[str]().union(*(kind.suffixes for kind in MEDIA_KINDS if kind.family is family))
    return Reader(str(family), suffixes, _sniff, read_media, isolated=True, kin="media", also=_ELSEWHERE)


AUDIO = _reader(Family.AUDIO)
VIDEO = _reader(Family.VIDEO)
