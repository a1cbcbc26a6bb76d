"""All readers, in the order in which content without a telling extension is offered to them."""

from __future__ import annotations

from judge.readers import (
    archive,
    arrays,
    binary,
    data,
    database,
    env,
    markup,
    notebook,
    office,
    pdf,
    pickles,
    picture,
    plain,
    sound,
    svg,
    table,
    weights,
    workbook,
)
from judge.readers.document import Reader

READERS: tuple[Reader, ...] = (
    picture.READER,
    pdf.READER,
    office.READER,
    workbook.READER,
    pickles.READER,
    *weights.READERS,
    *arrays.READERS,
    database.READER,
    sound.READER,
    *archive.READERS,
    binary.KNOWN_READER,
    notebook.READER,
    svg.READER,
    env.READER,
    table.READER,
    *markup.READERS,
    *data.READERS,
    plain.CODE_READER,
    plain.TEXT_READER,
    binary.UNKNOWN_READER,
    # Below the one that takes anything: never found by content, only by extension.
    pickles.PACKED_READER,
)
