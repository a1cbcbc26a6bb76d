"""pdf, docx, pptx, odt, epub: text, pictures, pages, and what is nothing but paper."""

from __future__ import annotations

import io
import time
import zipfile
import zlib
from collections.abc import Callable

import pytest

from judge.readers import Document, Family, State

Read = Callable[..., Document]


def pdf(*pages: str, picture: bool = False) -> bytes:
    """A PDF with these content streams, one a page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for stream in pages:
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        resources = "/Font << /F 3 0 R >>" if number > 3 or pages else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents {number + 1} 0 R "
            f"/Resources << {resources.replace('3 0 R', 'FONT')} /XObject << /I IMAGE >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    objects.append(
        "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 4 >>"
        "\nstream\n\x00@\x00@\nendstream"
    )
    font, image = len(objects) - 1, len(objects)
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        body = body.replace("FONT", f"{font} 0 R").replace("IMAGE", f"{image} 0 R")
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    tail = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    return out + f"{tail}startxref\n{len(out)}\n%%EOF\n".encode()


HELLO = "BT /F 24 Tf 30 150 Td (Hello report) Tj ET"


def test_pdf_text_by_page(read: Read) -> None:
    found = read("a.pdf", pdf(HELLO, "BT /F 12 Tf 30 150 Td (Second) Tj ET"))
    assert (found.state, found.family, found.facts["pages"]) == (State.SOUND, Family.DOCUMENT, 2)
    assert found.text == "# page 1\nHello report\n# page 2\nSecond"
    assert found.facts["text_chars"] == len("HelloreportSecond")
    assert found.images == ()


def test_pdf_without_text(read: Read) -> None:
    assert read("a.pdf", pdf("")).state is State.EMPTY
    assert read("a.pdf", pdf("1 1 1 rg 0 0 300 300 re f")).state is State.EMPTY
    drawn = read("a.pdf", pdf("", "0 0 1 RG 4 w 10 10 m 200 250 l S"))
    assert (drawn.state, drawn.facts["text_chars"], drawn.facts["blank"]) == (State.SOUND, 0, False)
    pictured = read("a.pdf", pdf("q 200 0 0 200 50 50 cm /I Do Q"))
    assert (pictured.state, pictured.facts["images"]) == (State.SOUND, 1)


def test_pdf_pages_are_drawn_when_asked(read: Read) -> None:
    found = read("a.pdf", pdf(HELLO, HELLO, HELLO), render_pages=2)
    assert len(found.images) == 2
    assert max(found.images[0].width, found.images[0].height) <= 1024


def test_damaged_and_wrong_pdf(read: Read) -> None:
    whole = pdf(HELLO)
    assert read("a.pdf", b"%PDF-1.4\n" + bytes(range(256)) * 8).state is State.BROKEN
    assert "the end of the file is missing" in read("a.pdf", whole[:-40]).problems or read("a.pdf", whole[:-40]).state
    assert read("a.pdf", "just some text").state is State.MISMATCH
    assert read("a.pdf", "<html><body>x</body></html>").state is State.MISMATCH
    assert read("a.txt", whole).format in {"pdf", "txt"}


def test_hostile_pdf(read: Read) -> None:
    loop = pdf(HELLO).replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]")
    assert read("a.pdf", loop).state in {State.BROKEN, State.EMPTY, State.SOUND}
    bomb = zlib.compress(bytes(100_000_000), 9)
    body = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(bomb) + bomb + b"\nendstream"
    data = pdf("PLACE").replace(b"<< /Length 5 >>\nstream\nPLACE\nendstream", body)
    start = time.monotonic()
    read("a.pdf", data, max_seconds=5.0)
    assert time.monotonic() - start < 20
    many = read("a.pdf", pdf(*[HELLO] * 120))
    assert many.facts["pages"] == 120
    assert any("of 120 pages" in problem for problem in many.problems)


def docx(*paragraphs: str, table: bool = False) -> bytes:
    import docx as producer

    document = producer.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    if paragraphs:
        document.add_heading("Results", level=1)
    if table:
        document.add_table(2, 2).cell(0, 0).text = "cell"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_docx(read: Read) -> None:
    found = read("a.docx", docx("Hello", "world", table=True))
    assert (found.state, found.facts["tables"], found.facts["headings"]) == (State.SOUND, 1, ["Results"])
    assert found.text.startswith("Hello\nworld\n")
    assert "cell" in found.text
    assert read("a.docx", docx()).state is State.EMPTY
    assert read("a.docx", docx("x")[:3000]).state is State.BROKEN
    assert read("a.docx", "plain").state is State.MISMATCH
    assert read("a.zip", docx("x")).state is State.SOUND


def package(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data, compress_type=zipfile.ZIP_STORED if name == "mimetype" else None)
    return out.getvalue()


def test_pptx_odt_epub(read: Read) -> None:
    slide = '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>Slide {}</a:t></a:r></a:p></p:sld>'
    slides = {f"ppt/slides/slide{i}.xml": slide.format(i).encode() for i in (10, 2, 1)}
    found = read("a.pptx", package({"ppt/presentation.xml": b"<p/>", **slides}))
    assert (found.text, found.facts["pages"]) == (
        "# slide 1\nSlide 1\n# slide 2\nSlide 2\n# slide 3\nSlide 10",
        3,
    )
    content = b'<office:document-content xmlns:office="o" xmlns:text="t"><text:h>Head</text:h><text:p>Body</text:p>'
    odt = {
        "mimetype": b"application/vnd.oasis.opendocument.text",
        "content.xml": content + b"</office:document-content>",
    }
    found = read("a.odt", package(odt))
    assert (found.text, found.facts["headings"]) == ("Head\nBody", ["Head"])
    epub = {"mimetype": b"application/epub+zip", "c1.xhtml": b"<html><body><p>Chapter</p></body></html>"}
    assert read("a.epub", package(epub)).text == "Chapter"


@pytest.mark.parametrize(
    "part",
    [
        b" " * 100_000_000,
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w"><w:t>&a;</w:t></w:document>',
        b"<w:document xmlns:w='w'>" + b"<w:p>" * 300_000,
        b"\xff\xfe\x00",
    ],
)
def test_hostile_docx(read: Read, part: bytes) -> None:
    found = read("a.docx", package({"[Content_Types].xml": b"<x/>", "word/document.xml": part}))
    assert found.state in {State.BROKEN, State.UNREADABLE}
    assert "root:" not in found.text
