"""PDF: which pages are shown to models, what is encrypted, what has no pages."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from judge.readers import Document, Limits, State, read_document
from judge.readers.isolate import Isolation
from judge.workspace import Workspace
from tests.readers.formats.makers import figure
from tests.readers.formats.pdf import PDFS

Read = Callable[..., Document]


def pages(*pictures: Image.Image) -> bytes:
    out = io.BytesIO()
    pictures[0].save(out, "PDF", save_all=True, append_images=pictures[1:])
    return out.getvalue()


def test_pages_with_figures_are_shown_and_pages_of_text_are_not(
    tmp_path: Path, isolation: Isolation, read: Read
) -> None:
    PDFS[0].make_good(tmp_path / "report.pdf")
    found = read_document(Workspace.open(tmp_path), "report.pdf", Limits(), isolation)
    assert (len(found.images), found.facts["figure_pages"]) == (1, 1)
    many = read("a.pdf", pages(*[figure((200, 150), step=step) for step in range(9)]))
    assert (len(many.images), many.facts["figure_pages"]) == (3, 9)
    assert read("a.pdf", pages(figure()), image_side=0).images == ()
    assert read("a.pdf", pages(figure()), figure_pages=0).images == ()


def test_white_pages_are_nothing(read: Read) -> None:
    white = Image.new("RGB", (600, 800), "white")
    found = read("a.pdf", pages(white, white))
    assert (found.state, found.facts["blank"]) == (State.EMPTY, True)
    assert read("a.pdf", pages(white, figure())).state is State.SOUND


def test_a_file_behind_a_password_says_so(read: Read) -> None:
    """The dictionary of the standard handler is enough for a reader to ask for the password."""
    body = (
        b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
        b"2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n"
        b"3 0 obj\n<< /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"41" * 32 + b"> /U <" + b"42" * 32 + b"> >>\nendobj\n"
    )
    places = [body.index(b"%d 0 obj" % number) for number in (1, 2, 3)]
    table = b"xref\n0 4\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size 4 /Root 1 0 R /Encrypt 3 0 R /ID [<00> <00>] >>\nstartxref\n%d\n%%%%EOF\n" % len(body)
    found = read("a.pdf", body + table + end)
    assert (found.state, found.problems) == (State.UNREADABLE, ("encrypted, it opens with a password only",))
