"""Documents: text and code in any encoding, markup, office documents, mails."""

from __future__ import annotations

import json
import struct
from email.message import EmailMessage
from pathlib import Path

from judge.readers import Family, State
from tests.readers.formats.entry import Entry, Make
from tests.readers.formats.making import package, raw, repeated, sample, scrambled, swapped

_TEXT_DAMAGE = frozenset({State.SOUND, State.MISMATCH})
_WORDS = "Die Genauigkeit beträgt 0,93 – geprüft an 1.200 Sätzen.\nZweite Zeile mit Grüßen aus Köln.\n"
_JAPANESE = "精度は九十三パーセントに達しました。これは検証用の文章です。\n二行目もあります。\n" * 4
_CHINESE = "分类器在测试集上的准确率达到百分之九十三。这是第二句话，用于测试编码。\n" * 4
_LAUGHS = "<!DOCTYPE x [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {chr(98 + i)} '{f'&{chr(97 + i)};' * 10}'>" for i in range(10)
)
_EXTERNAL = "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>"


def _encoded(text: str, encoding: str) -> Make:
    return lambda path: path.write_bytes(text.encode(encoding)) and None


def _docx(path: Path) -> None:
    import docx

    document = docx.Document()
    document.add_heading("Findings", level=1)
    document.add_paragraph("The classifier reached an accuracy of 0.93 on the held-out reviews.")
    table = document.add_table(2, 2)
    for row, cells in enumerate((("metric", "value"), ("accuracy", "0.93"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    document.sections[0].footer.paragraphs[0].text = "page of the report"
    document.save(str(path))


def _pptx(path: Path) -> None:
    import pptx

    show = pptx.Presentation()
    for title, body in (("Study", "Accuracy 0.93"), ("Outlook", "Calibration")):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
    show.slides[0].notes_slide.notes_text_frame.text = "Say hello."
    show.save(str(path))


def _notebook(path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Study"]},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": "print(0.93)",
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["0.93\n"]}],
        },
    ]
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}), encoding="utf-8")


def _mail(path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ann <ann@example.org>", "bob@example.org", "Résumé of the run"
    mail.set_content("The accuracy is 0.93.\nBest wishes")
    mail.add_alternative("<p>The accuracy is <b>0.93</b>.</p>", subtype="html")
    mail.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="scores.csv")
    path.write_bytes(mail.as_bytes())


def _nested_mail(path: Path) -> None:
    head = b"From: a@example.org\nTo: b@example.org\nSubject: x\n"
    parts = [f"Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n".encode() for i in range(10_000)]
    path.write_bytes(head + b"".join(parts))


def _wide_mail(path: Path) -> None:
    head = b"From: a@example.org\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n"
    path.write_bytes(head + b"--b\nContent-Type: text/plain\n\nx\n" * 20_000 + b"--b--\n")


def _epub_loop(path: Path) -> None:
    pages = {f"c{i}.xhtml": b"<html><body>" + b"<p>" * 2_000 + b"x" for i in range(200)}
    path.write_bytes(package({"mimetype": b"application/epub+zip", **pages}))


def _ppt_records(path: Path) -> None:
    """The records of a presentation made to contain each other for ever: lengths that reach to the end."""
    sample("sample.ppt.xz")(path)
    data = path.read_bytes()
    mark = data.find(struct.pack("<HHI", 0x000F, 0x03E8, 0)[:4])
    path.write_bytes(data[: mark + 4] + b"\xff\xff\xff\x7f" + data[mark + 8 :])


def _ring(path: Path) -> None:
    """The table of sectors says of every sector that the one before it follows."""
    sample("sample.doc")(path)
    data = bytearray(path.read_bytes())
    at = (int.from_bytes(data[76:80], "little") + 1) * 512
    for number in range(128):
        data[at + 4 * number : at + 4 * number + 4] = struct.pack("<I", max(0, number - 1))
    path.write_bytes(bytes(data))


_DOCUMENT_XML = "word/document.xml"
_LOG = "".join(f"2024-05-01 10:00:{i % 60:02} INFO step {i}\n" for i in range(500))
_LOG += "2024-05-01 10:09:00 ERROR disk full\nTraceback (most recent call last):\nOSError: no space\n"

ENTRIES: tuple[Entry, ...] = (
    Entry("text", (".txt", ".bib"), Family.TEXT, raw("One line.\nAnother.\n"), text="Another.", facts={"lines": 2},
          make_damaged=raw(bytes(range(256)) * 8), hostile={"a line of 100 MB": repeated((b"x", 100_000_000))}),
    Entry("text in UTF-16", (".txt",), Family.TEXT, _encoded(_WORDS, "utf-16"), text="geprüft",
          facts={"encoding": lambda name: name.startswith("utf-16")}, damaged=_TEXT_DAMAGE,
          hostile={"an odd number of bytes": raw(_WORDS.encode("utf-16")[:-1])}),
    Entry("text in UTF-32", (".txt",), Family.TEXT, _encoded(_WORDS, "utf-32"), text="geprüft", damaged=_TEXT_DAMAGE),
    Entry("text in latin-1", (".txt",), Family.TEXT, _encoded(_WORDS.replace("–", "-"), "latin-1"),
          text="geprüft", damaged=_TEXT_DAMAGE, make_damaged=raw(b"\x80\x9d" * 500)),
    Entry("text in Shift-JIS", (".txt",), Family.TEXT, _encoded(_JAPANESE, "shift_jis"), text="検証用",
          damaged=_TEXT_DAMAGE),
    Entry("text in GB18030", (".txt",), Family.TEXT, _encoded(_CHINESE, "gb18030"), text="准确率",
          damaged=_TEXT_DAMAGE),
    Entry("code", (".py", ".js", ".rs"), Family.CODE, raw("def f():\n    return 1\n"), text="return 1",
          make_damaged=raw(b"\0\1\2\3" * 500), hostile={"brackets without end": repeated((b"(", 5_000_000))}),
    Entry("log", (".log", ".out", ".err"), Family.TEXT, raw(_LOG), text="step 499",
          facts={"error_count": 2, "tracebacks": 1, "last_time": "2024-05-01 10:09:00",
                 "error_lines": lambda lines: lines[0].startswith("501: ")},
          make_damaged=raw(bytes(range(256)) * 8),
          hostile={"200,000 errors and no line end": repeated((b"ERROR Traceback ", 200_000))}),
    Entry("markdown", (".md", ".markdown"), Family.MARKUP, raw("# Title\n\n![p](p.png)\n\nSome words.\n"), text="words",
          facts={"headings": ["Title"], "pictures": ["p.png"]}, make_damaged=raw(bytes(range(256)) * 8),
          hostile={"brackets that never close": repeated((b"![", 1_000_000))}),
    Entry("reStructuredText", (".rst",), Family.MARKUP, raw("Title\n=====\n\nWords.\n\n.. figure:: p.png\n"),
          text="Words", facts={"headings": ["Title"], "pictures": ["p.png"]}, make_damaged=raw(bytes(range(256)) * 8),
          hostile={"nothing but underlines": repeated((b"=====\n", 400_000))}),
    Entry("LaTeX", (".tex",), Family.MARKUP,
          raw("\\documentclass{article}\n\\title{A \\emph{small} study}\n\\begin{document}\n\\section{Intro}\n"
              "We reach 93\\,\\%. % a note\n\\includegraphics[width=2cm]{plot.png}\n\\begin{equation}a\\end{equation}\n"
              "\\end{document}\n"), text="We reach",
          facts={"title": "A small study", "headings": ["Intro"], "pictures": ["plot.png"], "formulas": 1},
          make_damaged=raw("\\begin{document}\nWe reach"),
          hostile={"commands without end": repeated((b"\\title{\\section{\\begin{", 200_000))}),
    Entry("HTML", (".html", ".htm"), Family.MARKUP,
          raw("<!doctype html><title>T</title><body><h1>Hi</h1><img src='p.png'></body>"), text="Hi",
          facts={"title": "T", "pictures": ["p.png"]}, make_damaged=raw("no tags at all"),
          hostile={"comments without end": repeated((b"<!--", 1_000_000)),
                   "tags without end": repeated((b"<a ", 900_000))}),
    Entry("XML", (".xml", ".xsd"), Family.MARKUP, raw("<?xml version='1.0'?><a><b>hi</b></a>"), text="hi",
          facts={"root": "a", "elements": 2},
          hostile={"an external entity": raw(_EXTERNAL), "a billion laughs": raw(f"{_LAUGHS}]><x>&k;</x>"),
                   "a million levels": repeated((b"<a>", 1_000_000))}),
    Entry("notebook", (".ipynb",), Family.NOTEBOOK, _notebook, text="print(0.93)",
          facts={"cells": 2, "executed_cells": 1}, hostile={"deep JSON": repeated((b'{"cells": [', 200_000))}),
    Entry("Word (docx)", (".docx",), Family.DOCUMENT, _docx, text="accuracy | 0.93",
          facts={"tables": 1, "headings": ["Findings"]},
          hostile={"a zip bomb": swapped(_docx, _DOCUMENT_XML, b" " * 100_000_000),
                   "an external entity": swapped(_docx, _DOCUMENT_XML, _EXTERNAL.encode()),
                   "a billion laughs": swapped(_docx, _DOCUMENT_XML, f"{_LAUGHS}]><x>&k;</x>".encode()),
                   "300,000 levels": swapped(_docx, _DOCUMENT_XML, b"<w:p>" * 300_000)}),
    Entry("PowerPoint (pptx)", (".pptx",), Family.DOCUMENT, _pptx, text="# notes of the speaker\nSay hello.",
          facts={"pages": 2},
          hostile={"an external entity": swapped(_pptx, "ppt/slides/slide1.xml", _EXTERNAL.encode())}),
    Entry("Word (doc)", (".doc",), Family.DOCUMENT, sample("sample.doc"), text="Łukasz and 山田",
          facts={"table_rows": 2, "words": lambda words: words > 40},
          hostile={"its table of pieces scrambled": scrambled(sample("sample.doc"), 0.55, 9_000),
                   "its directory scrambled": scrambled(sample("sample.doc"), 0.02, 3_000),
                   "sectors that follow each other in a ring": _ring}),
    Entry("PowerPoint (ppt)", (".ppt", ".pps"), Family.DOCUMENT, sample("sample.ppt.xz"),
          text="Calibration and drift 山田", facts={"pages": 3},
          hostile={"records longer than the file": _ppt_records}),
    Entry("OpenDocument text", (".odt",), Family.DOCUMENT, sample("sample.odt"), text="accuracy | 0.93",
          facts={"tables": 1}, hostile={"a billion laughs": swapped(
              sample("sample.odt"), "content.xml", f"{_LAUGHS}]><x>&k;</x>".encode())}),
    Entry("OpenDocument presentation", (".odp",), Family.DOCUMENT, sample("sample.odp"), text="# slide 3\nOutlook",
          facts={"pages": 3}),
    Entry("Rich Text Format", (".rtf",), Family.DOCUMENT, sample("sample.rtf"), text="accuracy of 0.93",
          facts={"table_rows": 2},
          hostile={"groups without end": repeated((b"{\\rtf1 ", 1), (b"{", 400_000)),
                   "pictures as digits": repeated((b"{\\rtf1{\\pict ", 1), (b"ab" * 500_000, 1), (b"}}", 1))}),
    Entry("epub", (".epub",), Family.DOCUMENT, sample("sample.epub"), text="held-out set", facts={"tables": 1},
          hostile={"200 broken chapters": _epub_loop}),
    Entry("mail (eml)", (".eml",), Family.DOCUMENT, _mail, text="attached: scores.csv",
          facts={"subject": "Résumé of the run", "attachments": ["scores.csv"]},
          hostile={"10,000 parts within each other": _nested_mail, "20,000 parts": _wide_mail}),
)  # fmt: skip
