"""Characters that are not seen, and text without them and without look-alike letters."""

from __future__ import annotations

import re
import unicodedata

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f"
    "\u2060-\u2064\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
"""Characters, for a class of a regular expression, that are not seen but may stand inside a word."""
TAGS = re.compile("[\U000e0000-\U000e007f\U000e0100-\U000e01ef]+")
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
HIDDEN_RUN = re.compile(f"[{INVISIBLE}]{{6,}}")
"""More of them in a row than any script needs: they spell something."""
ZERO_WIDTH_INSIDE = re.compile("(?<=[A-Za-z])[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+(?=[A-Za-z])")
_HIDDEN = re.compile(f"[{INVISIBLE}\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f\U000e0100-\U000e01ef]+")
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁһӏԛԝьвкмнтгАВЕКМНОРСТУХІЅЈԌαεορτυνικχηΑΒΕΖΗΙΚΜΝΟΡΤΥΧıɡⅼ",
    "aeopcyxisjdhlqwbbkmhtrABEKMHOPCTYXISJGaeoptuvikxnABEZHIKMNOPTYXigl",
)


def folded(text: str) -> str:
    """A text in lower case, its look-alike letters and accents folded to Latin ones, invisible characters gone."""
    if not text.isascii():
        text = _HIDDEN.sub("", text)
        text = unicodedata.normalize("NFKD", text).translate(_LOOKALIKES)
        text = "".join(char for char in text if not unicodedata.combining(char))
    return text.lower()
