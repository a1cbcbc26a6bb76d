"""Makers of media files that lie, swell or never end."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from tests.readers.formats.entry import Make
from tests.readers.formats.makers import chunk, figure, huge_png, png_with, save


def written(data: Callable[[], bytes]) -> Make:
    """A maker from bytes."""
    return lambda path: path.write_bytes(data()) and None


def patched(make: Make, change: Callable[[bytes], bytes]) -> Make:
    """A maker that changes what another one writes."""

    def run(path: Path) -> None:
        make(path)
        before = path.read_bytes()
        after = change(before)
        assert after != before, "nothing was changed"
        path.write_bytes(after)

    return run


def flipped(data: bytes) -> bytes:
    """Every 97th byte after the first few hundred, inverted."""
    changed = bytearray(data)
    for place in range(300, len(changed), 97):
        changed[place] ^= 0xFF
    return bytes(changed)


def png_text_bomb() -> bytes:
    packed = zlib.compress(bytes(200_000_000), 9)
    return png_with(
        chunk(b"zTXt", b"Comment\0\0" + packed),
        chunk(b"iTXt", b"Other\0\1\0\0\0" + packed),
        *[chunk(b"tEXt", b"k%d\0v" % number) for number in range(20_000)],
    )


def png_pixel_bomb(path: Path) -> None:
    path.write_bytes(huge_png())


def gif_of(frames: int) -> bytes:
    """A GIF of tiny frames."""
    head = b"GIF89a" + struct.pack("<HHBBB", 60, 60, 0x80, 0, 0) + b"\xff\xff\xff\x00\x00\x00"
    frame = b"\x2c" + struct.pack("<HHHHB", 1, 1, 1, 1, 0) + b"\x02\x02\x4c\x01\x00"
    return head + frame * frames + b";"


def gif_screen(path: Path) -> None:
    data = bytearray(gif_of(3))
    data[6:10] = struct.pack("<HH", 65_535, 65_535)
    path.write_bytes(data)


def exif_bomb(path: Path) -> None:
    """A JPEG whose EXIF directory has 60,000 entries that all point to the whole block, and itself as a folder."""
    entries = [struct.pack("<HHII", 0x8769, 4, 1, 8)]
    entries += [struct.pack("<HHII", 0x9286 + number % 5, 2, 0xFFFF, 8) for number in range(4_000)]
    block = b"Exif\0\0II*\0" + struct.pack("<IH", 8, len(entries)) + b"".join(entries) + bytes(4)
    save(path, figure(), "JPEG", exif=block[:65_000])


def tiff_loop(path: Path) -> None:
    """A TIFF whose last directory is followed by its first."""
    save(path, figure((200, 100)), "TIFF", save_all=True, append_images=[figure((200, 100), step=5)])
    data = bytearray(path.read_bytes())
    first = struct.unpack("<I", data[4:8])[0]
    position = first
    while True:
        link = position + 2 + 12 * struct.unpack("<H", data[position : position + 2])[0]
        position = struct.unpack("<I", data[link : link + 4])[0]
        if not position:
            break
    data[link : link + 4] = struct.pack("<I", first)
    path.write_bytes(data)


def tiff_pages(path: Path) -> None:
    """A TIFF of 60,000 pages that all show the same strip."""
    one = io.BytesIO()
    Image.new("L", (8, 8), 200).save(one, "TIFF")
    data = bytearray(one.getvalue())
    first = struct.unpack("<I", data[4:8])[0]
    count = struct.unpack("<H", data[first : first + 2])[0]
    directory = bytes(data[first : first + 2 + 12 * count])
    if len(data) % 2:
        data += b"\0"
    data[4:8] = struct.pack("<I", len(data))
    for number in range(60_000):
        following = len(data) + len(directory) + 4 if number < 59_999 else 0
        data += directory + struct.pack("<I", following)
    path.write_bytes(data)


def ico_with_huge_png(path: Path) -> None:
    data = huge_png()
    path.write_bytes(struct.pack("<HHH", 0, 1, 1) + struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, len(data), 22) + data)


def bmp_huge(path: Path) -> None:
    head = struct.pack("<IiiHHIIiiII", 40, 2_000_000_000, 2_000_000_000, 1, 24, 0, 0, 0, 0, 0, 0)
    path.write_bytes(b"BM" + struct.pack("<IHHI", 54 + 64, 0, 0, 54) + head + bytes(64))


SVG_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + ']><svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>'
)
SVG_OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    '<svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text><path d="M0 0L9 9"/></svg>'
)


def svg_deep() -> bytes:
    return b'<svg xmlns="http://www.w3.org/2000/svg">' + b"<g>" * 400_000 + b"</g>" * 400_000 + b"</svg>"


def wav_lie(path: Path) -> None:
    samples = bytes(range(256)) * 64
    form = struct.pack("<HHIIHH", 1, 65_535, 0xFFFFFFFF, 0xFFFFFFFF, 65_535, 16)
    path.write_bytes(
        b"RIFF\xff\xff\xff\x7fWAVEfmt \x10\0\0\0" + form + b"data" + struct.pack("<I", 0x7FFFFE00) + samples
    )


def wav_chunks(path: Path) -> None:
    path.write_bytes(b"RIFF\xff\xff\xff\x7fWAVE" + (b"junk" + bytes(4)) * 500_000)


def id3_swell(path: Path) -> None:
    """An MP3 whose tag announces 256 MB, and holds a frame that does as well."""
    path.write_bytes(b"ID3\x04\0\0\x7f\x7f\x7f\x7f" + b"TIT2\x7f\x7f\x7f\x7f\0\0" + bytes(200_000))


def box_value(kind: bytes, offset: int, value: bytes) -> Callable[[bytes], bytes]:
    """A change of bytes in the first box of a kind of an MP4."""

    def change(data: bytes) -> bytes:
        place = data.index(kind) + 4 + offset
        return data[:place] + value + data[place + len(value) :]

    return change


def boxes_deep(path: Path) -> None:
    """An MP4 of folders in folders."""
    body = b""
    for _ in range(50_000):
        body = struct.pack(">I4s", len(body) + 8, b"moov" if len(body) % 16 else b"trak") + body[:400_000]
    path.write_bytes(struct.pack(">I4s4sI4s", 20, b"ftyp", b"isom", 0, b"isom") + body)


def ebml_deep(path: Path) -> None:
    """A Matroska file of which every part is of unknown size and holds the next."""
    head = bytes.fromhex("1a45dfa3a342868101") + b"\x42\x82\x88matroska" + bytes(22)
    path.write_bytes(head + bytes.fromhex("1853806701ffffffffffffff") * 100_000)


def playlist(path: Path) -> None:
    """A list of things to load, in place of a video."""
    path.write_text(
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXTINF:10,\nhttp://127.0.0.1:9/x.ts\n",
        encoding="utf-8",
    )
