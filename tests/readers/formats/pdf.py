"""PDF: a report, a scan, and files that loop, nest or have no page."""

from __future__ import annotations

import io
from pathlib import Path

from judge.readers import Family
from tests.readers.formats import hostile_media as hostile
from tests.readers.formats.entry import Entry
from tests.readers.formats.makers import figure, save


def _pdf(path: Path) -> None:
    """A report of a page of text with a figure on it, made by the library that Chrome prints with."""
    import pypdfium2
    import pypdfium2.raw as raw

    pdf = pypdfium2.PdfDocument.new()
    page = pdf.new_page(595, 842)
    font = raw.FPDFText_LoadStandardFont(pdf, b"Helvetica")
    for line, words in enumerate(("Results of the experiment", "The accuracy was 0.91 after ten epochs.")):
        text = raw.FPDFPageObj_CreateTextObj(pdf, font, 14.0)
        letters = (words + "\0").encode("utf-16-le")
        raw.FPDFText_SetText(text, (raw.FPDF_WCHAR * (len(letters) // 2)).from_buffer_copy(letters))
        raw.FPDFPageObj_Transform(text, 1, 0, 0, 1, 60, 760 - 24 * line)
        raw.FPDFPage_InsertObject(page, text)
    image = pypdfium2.PdfImage.new(pdf)
    image.set_bitmap(pypdfium2.PdfBitmap.from_pil(figure()))
    image.set_matrix(pypdfium2.PdfMatrix().scale(400, 300).translate(60, 380))
    page.insert_obj(image)
    page.gen_content()
    pdf.save(str(path))


def _pdf_of(*objects: bytes) -> bytes:
    """A PDF with a table of contents, put together from objects, the first one its root."""
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    return out.getvalue()


def _pdf_loop() -> bytes:
    stream = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 4 0 R >> >> /Length 5 >>"
    return _pdf_of(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 1000000 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 5 0 R "
        b"/Resources << /XObject << /F 4 0 R >> >> >>",
        stream + b"\nstream\n/F Do\nendstream",
        b"<< /Length 5 >>\nstream\n/F Do\nendstream",
    )


def _pdf_deep() -> bytes:
    kids = [
        b"<< /Type /Pages /Parent %d 0 R /Kids [%d 0 R] /Count 1 >>" % (number - 1, number + 1)
        for number in range(2, 20_000)
    ]
    return _pdf_of(b"<< /Type /Catalog /Pages 2 0 R >>", *kids, b"<< /Type /Page /MediaBox [0 0 9 9] >>")


def _pdf_pageless() -> bytes:
    return _pdf_of(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>")


PDFS: tuple[Entry, ...] = (
    Entry(
        "pdf", (".pdf",), Family.DOCUMENT, _pdf,
        hostile={
            "objects in a loop": hostile.written(_pdf_loop),
            "20,000 levels of pages": hostile.written(_pdf_deep),
            "no pages": hostile.written(_pdf_pageless),
            "flipped bytes": hostile.patched(_pdf, hostile.flipped),
        },
        text="The accuracy was 0.91", facts={"pages": 1, "images": 1, "figure_pages": 1, "blank": False}, image=True,
    ),
    Entry(
        "pdf of scans", (".pdf",), Family.DOCUMENT, lambda path: save(path, figure(), "PDF"),
        facts={"pages": 1, "scanned_pages": 1, "text_chars": 0, "blank": False}, image=True,
    ),
)  # fmt: skip
