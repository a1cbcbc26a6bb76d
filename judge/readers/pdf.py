"""PDF: text by page, pictures in it, and whether any page shows something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock, TextBuilder

if TYPE_CHECKING:
    from judge.schemas import Image

_RENDERED_FOR_BLANK = 5
_BLANK_SIDE = 600
_OBJECTS = 2_000
_IMAGE_OBJECT = 3  # FPDF_PAGEOBJ_IMAGE


def _read(source: Source, limits: Limits) -> Document:
    import pypdfium2

    if source.truncated:
        return Document(
            source.path, "pdf", Family.DOCUMENT, State.PARTIAL, problems=("larger than the bounds allow, not opened",)
        )
    try:
        pdf = pypdfium2.PdfDocument(source.data)
    except pypdfium2.PdfiumError as error:
        state = State.UNREADABLE if "assword" in str(error) else State.BROKEN
        raise ReaderProblem(f"cannot be opened: {error}", state) from None
    try:
        return _Pages(source, limits, pdf).document()
    finally:
        pdf.close()


class _Pages:
    """What is on the pages of one file."""

    def __init__(self, source: Source, limits: Limits, pdf: Any) -> None:
        self.source = source
        self.limits = limits
        self.pdf = pdf
        self.clock = Clock(limits.max_seconds * 0.6)
        self.problems: list[str] = []
        self.chars = self.pictures = self.objects = self.read = 0
        self.images: list[Image] = []

    def document(self) -> Document:
        pages = len(self.pdf)
        if not pages:
            raise ReaderProblem("no pages in it", State.EMPTY)
        out = TextBuilder(self.limits.max_chars)
        for number in range(min(pages, self.limits.max_pages)):
            self._page(number, out)
            if self.clock.over:
                break
        if self.read < pages:
            self.problems.append(f"only {self.read} of {pages} pages were read")
        shown = self._shown(pages)
        if b"%%EOF" not in self.source.data[-2048:]:
            self.problems.append("the end of the file is missing")
        facts = {
            "pages": pages,
            "text_chars": self.chars,
            "images": self.pictures,
            "drawn_objects": self.objects,
            "blank": not shown,
        }
        state = State.SOUND if shown else State.EMPTY
        if not self.read:
            state = State.BROKEN
        elif not shown:
            self.problems.append("nothing can be seen on its pages")
        return Document(
            self.source.path,
            "pdf",
            Family.DOCUMENT,
            state,
            out.text(),
            facts,
            tuple(self.images),
            tuple(self.problems),
        )

    def _page(self, number: int, out: TextBuilder) -> None:
        import pypdfium2

        try:
            page = self.pdf[number]
            text_page = page.get_textpage()
            text = text_page.get_text_bounded().replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "")
            for count, item in enumerate(page.get_objects(max_depth=3)):
                self.objects += 1
                self.pictures += item.type == _IMAGE_OBJECT
                if count >= _OBJECTS:
                    break
        except pypdfium2.PdfiumError as error:
            self.problems.append(f"page {number + 1} cannot be read: {error}")
            return
        self.read += 1
        self.chars += len("".join(text.split()))
        if len(self.pdf) > 1:
            out.add(f"# page {number + 1}")
        out.add(text.strip("\n"))

    def _shown(self, pages: int) -> bool:
        """Whether a page shows something; pages are drawn only when text does not tell, or a model wants them."""
        from judge.readers.picture import image_part
        from judge.readers.pixels import measure

        shown = self.chars > 0
        for number in range(min(pages, self.limits.render_pages if self.limits.image_side > 0 else 0)):
            picture = self._draw(number, self.limits.image_side)
            if picture is not None:
                self.images.append(image_part(picture, self.limits.image_side))
                shown = shown or not measure(picture).blank
            if self.clock.over:
                break
        for number in range(min(pages, _RENDERED_FOR_BLANK)):
            if shown or self.clock.over:
                break
            picture = self._draw(number, _BLANK_SIDE)
            shown = picture is not None and not measure(picture).blank
        return shown or (pages > _RENDERED_FOR_BLANK and self.objects > 0)

    def _draw(self, number: int, side: int) -> Any:
        import pypdfium2

        from judge.readers.pixels import flatten

        try:
            page = self.pdf[number]
            longest = max(page.get_width(), page.get_height(), 1.0)
            return flatten(page.render(scale=min(side / longest, 4.0)).to_pil())
        except (pypdfium2.PdfiumError, ValueError, MemoryError) as error:
            self.problems.append(f"page {number + 1} cannot be drawn: {error}")
            return None


def _sniff(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


READER = Reader("pdf", frozenset({".pdf"}), _sniff, _read, isolated=True)
