"""PDF: text by page, what else is on the pages, and pictures of those that show more than text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.metadata import metadata_facts, tidy_metadata
from judge.readers.ocr import ocr_installed
from judge.readers.parts import Clock, TextBuilder
from judge.readers.writing import lines_on

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from judge.schemas import Image

_RENDERED_FOR_BLANK = 5
_BLANK_SIDE = 600
_OBJECTS = 2_000
_PATH_OBJECT, _IMAGE_OBJECT, _SHADING_OBJECT = 2, 3, 4  # as in FPDF_PAGEOBJ_…
_DRAWING = 12
"""Paths on a page from which on it may be a drawing, and not the lines of a table or under a heading."""
_SCANNED = 20
"""Characters of text below which a page with a picture may be a scan."""
_OCR_PAGES = 8
_OCR_SIDE = 1600


@dataclass(frozen=True, slots=True)
class _Page:
    """What is on one page.

    Attributes:
        chars: Characters of text without white space.
        pictures: Embedded pictures.
        paths: Drawn lines and areas.
        objects: Everything.
    """

    chars: int
    pictures: int
    paths: int
    objects: int

    @property
    def figure(self) -> bool:
        """Whether it shows more than text."""
        return self.pictures > 0 or self.paths >= _DRAWING or (self.chars == 0 and self.objects > 0)

    @property
    def scanned(self) -> bool:
        """Whether its text, if there is any, is in a picture."""
        return self.chars < _SCANNED and self.pictures > 0


def _read(source: Source, limits: Limits) -> Document:
    import pypdfium2

    if source.truncated:
        return Document(
            source.path, "pdf", Family.DOCUMENT, State.PARTIAL, problems=("larger than the bounds allow, not opened",)
        )
    try:
        pdf = pypdfium2.PdfDocument(source.data)
    except pypdfium2.PdfiumError as error:
        if "assword" in str(error):
            raise ReaderProblem("encrypted, it opens with a password only", State.UNREADABLE) from None
        raise ReaderProblem(f"cannot be opened: {error}") from None
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
        self.count = len(pdf)
        self.clock = Clock(limits.max_seconds * 0.6)
        self.problems: list[str] = []
        self.unread = 0
        self.empty_axes = False
        self.pages: dict[int, _Page] = {}
        self.texts: dict[int, str] = {}
        self.images: list[Image] = []

    def document(self) -> Document:
        if not self.count:
            raise ReaderProblem("no pages in it", State.EMPTY)
        for number in range(min(self.count, self.limits.max_pages)):
            self._page(number)
            if self.clock.over:
                break
        if len(self.pages) < self.count:
            self.problems.append(f"only {len(self.pages)} of {self.count} pages were read")
        shown = self._shown()
        if b"%%EOF" not in self.source.data[-2048:]:
            self.problems.append("the end of the file is missing")
        axes = {"empty_axes": True} if self.empty_axes else {}
        facts = {**self._facts(), "blank": not shown, **axes, **(self._writing() if self.limits.ocr else {})}
        state = State.SOUND if shown else State.EMPTY
        if self.unread >= max(1, len(self.pages)):
            state = State.BROKEN
        elif not shown:
            self.problems.append("nothing can be seen on its pages")
        return Document(
            self.source.path, "pdf", Family.DOCUMENT, state, self._text(), facts, tuple(self.images),
            tuple(self.problems),
        )  # fmt: skip

    def _facts(self) -> dict[str, Any]:
        pages = self.pages.values()
        facts: dict[str, Any] = {
            "pages": self.count,
            "text_chars": sum(page.chars for page in pages),
            "images": sum(page.pictures for page in pages),
            "drawn_objects": sum(page.objects for page in pages),
            "figure_pages": sum(page.figure for page in pages),
            "empty_pages": sum(page.objects == 0 and page.chars == 0 for page in pages),
            "scanned_pages": sum(page.scanned for page in pages),
            **_about(self.pdf),
        }
        return facts

    def _text(self) -> str:
        out = TextBuilder(self.limits.max_chars)
        for number in self.pages:
            if self.count > 1:
                out.add(f"# page {number + 1}")
            out.add(self.texts[number])
        return out.text()

    def _page(self, number: int) -> None:
        import pypdfium2

        try:
            page = self.pdf[number]
            text_page = page.get_textpage()
            text = text_page.get_text_bounded().replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "")
            kinds: dict[int, int] = {}
            for count, item in enumerate(page.get_objects(max_depth=3)):
                kinds[item.type] = kinds.get(item.type, 0) + 1
                if count >= _OBJECTS:
                    break
        except pypdfium2.PdfiumError as error:
            self.unread += 1
            self.problems.append(f"page {number + 1} cannot be read: {error}")
            return
        chars = len("".join(text.split()))
        drawn = kinds.get(_PATH_OBJECT, 0) + kinds.get(_SHADING_OBJECT, 0)
        self.pages[number] = _Page(chars, kinds.get(_IMAGE_OBJECT, 0), drawn, sum(kinds.values()))
        self.texts[number] = text.strip("\n")

    def _shown(self) -> bool:
        """Whether a page shows something; pages are drawn only when text does not tell, or a model wants them."""
        from judge.readers.pixels import measure
        from judge.readers.raster import image_part

        shown = any(page.chars for page in self.pages.values())
        for number in self._wanted():
            picture = self._draw(number, self.limits.image_side)
            if picture is not None:
                self.images.append(image_part(picture, self.limits.image_side))
                measures = measure(picture)
                shown = shown or not measures.blank
                if self.count == 1 and measures.empty_axes:
                    self.empty_axes = True
                    self.problems.append("a plot frame with nothing in it")
            if self.clock.over:
                break
        for number in list(self.pages)[:_RENDERED_FOR_BLANK]:
            if shown or self.clock.over:
                break
            picture = self._draw(number, _BLANK_SIDE)
            shown = picture is not None and not measure(picture).blank
        return shown or (self.count > _RENDERED_FOR_BLANK and any(page.objects for page in self.pages.values()))

    def _wanted(self) -> Iterator[int]:
        """Pages that are drawn for a model: the first ones when it asks, and those that show more than text."""
        if self.limits.image_side <= 0:
            return
        first = list(self.pages)[: self.limits.render_pages]
        figures = [number for number, page in self.pages.items() if page.figure and number not in first]
        yield from [*first, *figures[: max(0, self.limits.figure_pages - len(first))]]

    def _draw(self, number: int, side: int) -> Picture | None:
        import pypdfium2

        from judge.readers.pixels import flatten

        try:
            page = self.pdf[number]
            longest = max(page.get_width(), page.get_height(), 1.0)
            return flatten(page.render(scale=min(side / longest, 4.0)).to_pil())
        except (pypdfium2.PdfiumError, ValueError, MemoryError) as error:
            self.problems.append(f"page {number + 1} cannot be drawn: {error}")
            return None

    def _writing(self) -> dict[str, Any]:
        """Reads scanned pages by OCR into their text; facts on that."""
        clock = Clock(self.limits.ocr_seconds * 0.8)
        read = 0
        for number in [number for number, page in self.pages.items() if page.scanned][:_OCR_PAGES]:
            picture = None if clock.over else self._draw(number, _OCR_SIDE)
            if picture is None:
                continue
            writing = lines_on(picture, clock)
            if writing.note:
                missing = {} if ocr_installed() else {"install": "judge[ocr]"}
                return {"note": f"scanned pages were not read: {writing.note}", **missing}
            read += 1
            if writing.lines:
                said = "\n".join(["(read by OCR)", *(line.text for line in writing.lines)])
                self.texts[number] = "\n".join(filter(None, [self.texts[number], said]))
        return {"ocr_pages": read} if read else {}


def _about(pdf: Any) -> dict[str, Any]:
    """What the file says of itself, whether it is encrypted, and what it carries."""
    import pypdfium2.raw as raw

    try:
        facts: dict[str, Any] = {"encrypted": True} if raw.FPDF_GetSecurityHandlerRevision(pdf) >= 0 else {}
        if pdf.count_attachments():
            facts["attachments"] = pdf.count_attachments()
        said = pdf.get_metadata_dict(skip_empty=True)
    except Exception:  # noqa: BLE001 - task boundary: broken metadata makes the pages no worse
        return {}
    return facts | metadata_facts(tidy_metadata((key, value) for key, value in said.items() if "Date" not in key))


def _sniff(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


READER = Reader("pdf", frozenset({".pdf"}), _sniff, _read, isolated=True)
