"""Pictures, sound, video and PDF."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from judge.readers import Family, State
from tests.readers.formats import hostile_media as hostile
from tests.readers.formats.entry import TROUBLED, Entry, Make
from tests.readers.formats.makers import animation, figure, film, recorded, save, sound, video
from tests.readers.formats.pdf import PDFS

_AV = ("av",)
_SNDFILE = ("av", "soundfile", "numpy")
_ANY = TROUBLED | {State.SOUND}


def _picture(format_: str, **options: Any) -> Make:
    return lambda path: save(path, figure(), format_, **options)


def _moving(format_: str, **options: Any) -> Make:
    frames = animation(6)
    return lambda path: save(path, frames[0], format_, save_all=True, append_images=frames[1:], **options)


def _png(path: Path) -> None:
    info = PngInfo()
    info.add_text("Software", "Plotter 1.0")
    info.add_text("Title", "Loss over epochs", zip=True)
    save(path, figure(), "PNG", pnginfo=info)


def _jpg(path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "Photo of a plot"
    exif[0x0110] = "Camera 3000"
    save(path, figure(), "JPEG", exif=exif, comment=b"made by hand")


def _heic(path: Path) -> None:
    import pillow_heif

    pillow_heif.from_pillow(figure()).save(str(path), quality=80)


def _svg(path: Path) -> None:
    root = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg", width="300", height="200")
    ElementTree.SubElement(root, "path", d="M10 190 L150 60 L290 20", stroke="blue", fill="none")
    ElementTree.SubElement(root, "text", x="100", y="15").text = "Training loss"
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _sampled(codec: str, container: str | None = None) -> Make:
    return lambda path: sound(path, codec, container)


def _recorded(container: str, subtype: str | None = None) -> Make:
    return lambda path: recorded(path, container, subtype, title="" if container == "AU" else "A tone")


def _video(codec: str, container: str | None = None, **options: Any) -> Make:
    return lambda path: video(path, codec, container, **options)


_MP4 = _video("libx264")
_FAST = _video("libx264", options={"movflags": "faststart"})
_FOREVER = {
    "announces ages": hostile.patched(_MP4, hostile.box_value(b"mvhd", 16, b"\x7f\xff\xff\xff")),
    "track of ages": hostile.patched(_FAST, hostile.box_value(b"mdhd", 16, b"\x7f\xff\xff\xff")),
    "4e9 samples announced": hostile.patched(_MP4, hostile.box_value(b"stsz", 4, b"\0\0\0\1\xff\xff\xff\xff")),
    "4e9 times announced": hostile.patched(_MP4, hostile.box_value(b"stts", 8, b"\xff\xff\xff\xff")),
    "boxes in boxes": hostile.boxes_deep,
    "a playlist": hostile.playlist,
    "flipped bytes": hostile.patched(_MP4, hostile.flipped),
}

PICTURES: tuple[Entry, ...] = (
    Entry(
        "png", (".png",), Family.IMAGE, _png,
        hostile={
            "60,000 x 60,000 px": hostile.png_pixel_bomb,
            "text chunks unpack to 400 MB": hostile.written(hostile.png_text_bomb),
            "flipped bytes": hostile.patched(_png, hostile.flipped),
        },
        text="640 x 480 pixels",
        facts={
            "width": 640, "axes": True, "blank": False, "hues": lambda hues: 1 <= hues <= 4,
            "metadata": {"Software": "Plotter 1.0", "Title": "Loss over epochs"},
        },
        image=True,
    ),
    Entry(
        "apng", (".apng", ".png"), Family.IMAGE, _moving("PNG"),
        hostile={"4e9 frames announced": hostile.patched(
            _moving("PNG"), lambda data: data.replace(b"acTL\0\0\0\6", b"acTL\x7f\xff\xff\xff"))},
        facts={"frames": 6, "animated": True, "distinct_frames": 6}, image=True,
    ),
    Entry(
        "jpg", (".jpg", ".jpeg", ".jfif"), Family.IMAGE, _jpg,
        hostile={
            "EXIF of 4,000 entries in a loop": hostile.exif_bomb,
            "65,535 x 65,535 px announced": hostile.patched(
                _jpg, lambda data: data.replace(struct.pack(">HH", 480, 640), b"\xff\xff\xff\xff")),
            "flipped bytes": hostile.patched(_jpg, hostile.flipped),
        },
        facts={"metadata": {"comment": "made by hand", "ImageDescription": "Photo of a plot", "Model": "Camera 3000"}},
        image=True,
    ),
    Entry(
        "gif", (".gif",), Family.IMAGE, _moving("GIF", duration=50),
        hostile={
            "100,000 frames": hostile.written(lambda: hostile.gif_of(100_000)),
            "1,500,000 frames": hostile.written(lambda: hostile.gif_of(1_500_000)),
            "65,535 x 65,535 px screen": hostile.gif_screen,
        },
        facts={"frames": 6, "animated": True, "distinct_frames": 6}, image=True,
    ),
    Entry(
        "webp", (".webp",), Family.IMAGE, _moving("WEBP", lossless=True),
        hostile={"flipped bytes": hostile.patched(_moving("WEBP", lossless=True), hostile.flipped)},
        facts={"frames": 6, "animated": True}, image=True,
    ),
    Entry("bmp", (".bmp", ".dib"), Family.IMAGE, _picture("BMP"), hostile={"2e9 x 2e9 px": hostile.bmp_huge},
          facts={"width": 640}, image=True),
    Entry(
        "tiff", (".tiff", ".tif"), Family.IMAGE, _moving("TIFF"),
        hostile={"pages in a loop": hostile.tiff_loop, "60,000 pages": hostile.tiff_pages},
        facts={"frames": 6, "animated": False}, image=True,
    ),
    Entry(
        "ico", (".ico",), Family.IMAGE, lambda path: save(path, figure((256, 256)), "ICO", sizes=[(64, 64)]),
        hostile={"60,000 x 60,000 px inside": hostile.ico_with_huge_png}, facts={"width": 64}, image=True,
    ),
    Entry("ppm", (".ppm", ".pnm"), Family.IMAGE, _picture("PPM"),
          hostile={"99,999 x 99,999 px": hostile.written(lambda: b"P6\n99999 99999\n255\n" + bytes(999))},
          facts={"width": 640}, image=True),
    Entry("jp2", (".jp2",), Family.IMAGE, _picture("JPEG2000"),
          hostile={"flipped bytes": hostile.patched(_picture("JPEG2000"), hostile.flipped)},
          facts={"width": 640}, image=True),
    Entry(
        "heic", (".heic", ".heif"), Family.IMAGE, _heic,
        hostile={
            "1e9 x 1e9 px announced": hostile.patched(_heic, hostile.box_value(b"ispe", 4, b"\x3f\xff\xff\xff" * 2)),
            "flipped bytes": hostile.patched(_heic, hostile.flipped),
        },
        facts={"width": 640, "blank": False}, image=True, extra="media", modules=("pillow_heif",),
    ),
    Entry(
        "avif", (".avif",), Family.IMAGE, _picture("AVIF"),
        hostile={"flipped bytes": hostile.patched(_picture("AVIF"), hostile.flipped)},
        facts={"width": 640, "blank": False}, image=True,
    ),
    Entry(
        "svg", (".svg",), Family.IMAGE, _svg,
        hostile={
            "billion laughs": hostile.written(hostile.SVG_LAUGHS.encode),
            "entity from outside": hostile.written(hostile.SVG_OUTSIDE.encode),
            "400,000 levels": hostile.written(hostile.svg_deep),
        },
        text="Training loss", facts={"elements": 2, "writing": ["Training loss"], "blank": False},
    ),
)  # fmt: skip

SOUNDS: tuple[Entry, ...] = (
    Entry(
        "wav", (".wav", ".wave"), Family.AUDIO, _recorded("WAV"),
        hostile={"header lies": hostile.wav_lie, "500,000 empty chunks": hostile.wav_chunks},
        text="wav audio, 1.5 s",
        facts={
            "duration": 1.5, "rate": 48_000, "channels": 2, "silent": False,
            "metadata": lambda said: said["title"] == "A tone",
        },
        modules=("soundfile", "numpy"),
    ),
    Entry(
        "mp3", (".mp3",), Family.AUDIO, _recorded("MP3"),
        hostile={
            "tag of 256 MB announced": hostile.id3_swell,
            "flipped bytes": hostile.patched(_recorded("MP3"), hostile.flipped),
        },
        text="mp3 audio",
        facts={"duration": lambda s: 1.4 < s < 1.7, "rate": 48_000, "silent": False, "decoded_to_end": True},
        extra="media", modules=_SNDFILE,
    ),
    Entry(
        "flac", (".flac",), Family.AUDIO, _recorded("FLAC"),
        hostile={
            "6e10 samples announced": hostile.patched(
                _recorded("FLAC"), lambda data: data[:21] + bytes([data[21] | 0x0F]) + b"\xff" * 4 + data[26:]),
            "flipped bytes": hostile.patched(_recorded("FLAC"), hostile.flipped),
        },
        facts={"duration": 1.5, "channels": 2, "silence_share": 0.0}, extra="media", modules=_SNDFILE,
    ),
    Entry(
        "ogg", (".ogg", ".oga"), Family.AUDIO, _recorded("OGG", "VORBIS"),
        hostile={"flipped bytes": hostile.patched(_recorded("OGG", "VORBIS"), hostile.flipped)},
        facts={"duration": 1.5, "codec": "vorbis"}, extra="media", modules=_SNDFILE,
    ),
    Entry("opus", (".opus",), Family.AUDIO, _sampled("libopus"), facts={"codec": "opus", "rate": 48_000},
          hostile={"flipped bytes": hostile.patched(_sampled("libopus"), hostile.flipped)},
          extra="media", modules=_AV),
    Entry(
        "m4a", (".m4a", ".m4b"), Family.AUDIO, _sampled("aac", "ipod"),
        hostile={"announces ages": hostile.patched(
            _sampled("aac", "ipod"), hostile.box_value(b"mdhd", 16, b"\x7f\xff\xff\xff"))},
        facts={"duration": lambda s: 1.4 < s < 1.7, "metadata": {"title": "A tone"}}, extra="media", modules=_AV,
    ),
    Entry("aac", (".aac",), Family.AUDIO, _sampled("aac", "adts"), facts={"codec": "aac"},
          hostile={"flipped bytes": hostile.patched(_sampled("aac", "adts"), hostile.flipped)},
          extra="media", modules=_AV),
    Entry("aiff", (".aiff", ".aif"), Family.AUDIO, _recorded("AIFF"), facts={"duration": 1.5},
          hostile={"flipped bytes": hostile.patched(_recorded("AIFF"), hostile.flipped)},
          extra="media", modules=_SNDFILE),
    Entry("au", (".au", ".snd"), Family.AUDIO, _recorded("AU"), facts={"duration": 1.5},
          damaged=_ANY,  # its header says nothing of its length
          extra="media", modules=_SNDFILE),
    Entry("caf", (".caf",), Family.AUDIO, _recorded("CAF"), facts={"duration": 1.5}, extra="media", modules=_SNDFILE),
)  # fmt: skip

_SEEN = {"width": 320, "height": 240, "frozen": False, "blank": False, "frames": 50}

VIDEOS: tuple[Entry, ...] = (
    Entry("mp4", (".mp4", ".m4v"), Family.VIDEO, _MP4, hostile=_FOREVER, text="320 x 240 pixels",
          facts={**_SEEN, "fps": 25.0, "duration": 2.0, "codec": "h264"}, image=True, extra="media", modules=_AV),
    Entry("mp4 with sound", (".mp4",), Family.VIDEO, film,
          facts={"sound": lambda heard: heard["channels"] == 1 and not heard["silent"]}, image=True,
          extra="media", modules=_AV),
    Entry("mov", (".mov",), Family.VIDEO, _video("mpeg4"), facts=_SEEN, image=True, extra="media", modules=_AV,
          hostile={"a playlist": hostile.playlist}),
    Entry("3gp", (".3gp",), Family.VIDEO, _video("mpeg4"), facts=_SEEN, image=True, extra="media", modules=_AV),
    Entry("avi", (".avi",), Family.VIDEO, _video("mpeg4"), facts=_SEEN, image=True, extra="media", modules=_AV,
          hostile={
              "60,000 x 60,000 px announced": hostile.patched(
                  _video("mpeg4"),
                  lambda data: data.replace(struct.pack("<II", 320, 240), struct.pack("<II", 60_000, 60_000))),
              "flipped bytes": hostile.patched(_video("mpeg4"), hostile.flipped),
          }),
    Entry("mkv", (".mkv",), Family.VIDEO, _video("libx264"), facts=_SEEN, image=True, extra="media", modules=_AV,
          hostile={"parts in parts": hostile.ebml_deep,
                   "flipped bytes": hostile.patched(_video("libx264"), hostile.flipped)}),
    Entry("webm", (".webm",), Family.VIDEO, _video("libvpx"), facts=_SEEN, image=True, extra="media", modules=_AV,
          hostile={"flipped bytes": hostile.patched(_video("libvpx"), hostile.flipped)}),
    Entry("mpg", (".mpg", ".mpeg"), Family.VIDEO, _video("mpeg2video"), facts=_SEEN, image=True,
          make_damaged=hostile.patched(_video("mpeg2video"), lambda data: data[: len(data) // 2 + 777]),
          hostile={"flipped bytes": hostile.patched(_video("mpeg2video"), hostile.flipped)},
          extra="media", modules=_AV),
    Entry("wmv", (".wmv",), Family.VIDEO, _video("wmv2"), facts=_SEEN, image=True, extra="media", modules=_AV,
          hostile={"flipped bytes": hostile.patched(_video("wmv2"), hostile.flipped)}),
    Entry("flv", (".flv",), Family.VIDEO, _video("flv"), facts=_SEEN, image=True, extra="media", modules=_AV,
          hostile={"flipped bytes": hostile.patched(_video("flv"), hostile.flipped)}),
    Entry("ogv", (".ogv",), Family.VIDEO, _video("libvpx", "ogg"), facts=_SEEN, image=True, extra="media", modules=_AV),
    Entry("mpeg-ts", (".m2ts", ".ts"), Family.VIDEO, _video("mpeg2video", "mpegts"), facts=_SEEN, image=True,
          make_damaged=hostile.patched(_video("mpeg2video", "mpegts"), lambda data: data[: len(data) // 2 + 77]),
          extra="media", modules=_AV),
)  # fmt: skip

ENTRIES: tuple[Entry, ...] = (*PICTURES, *SOUNDS, *VIDEOS, *PDFS)
