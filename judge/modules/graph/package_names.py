"""Names of external packages, told from the dotted or slashed name that an import gives."""

from __future__ import annotations

_REVERSED = frozenset({"com", "org", "net", "edu", "gov", "dev", "me", "de", "uk", "fr", "ch", "eu", "info"})
"""First parts of names that are domains written backwards."""


def external_name(dotted: str) -> str:
    """The package that a name belongs to.

    Example:
        >>> external_name("numpy.linalg.norm"), external_name("@scope/pkg/lib"), external_name("org.junit.jupiter.Test")
        ('numpy', '@scope/pkg', 'org.junit')
        >>> external_name("github.com/spf13/cobra/doc"), external_name("opencv2/opencv.hpp")
        ('github.com/spf13/cobra', 'opencv2')
    """
    if dotted[:1] == "@":
        return "/".join(dotted.partition(".")[0].split("/")[:2])
    first, slash, rest = dotted.partition("/")
    if slash and "." in first and not first.endswith(".h"):
        owner, _, name = rest.partition("(")[0].partition("/")
        return "/".join(part for part in (first, owner, name.split("/")[0].split(".")[0]) if part)
    name = first.partition(".")[0].partition("(")[0]
    if name in _REVERSED and not slash:
        return ".".join(dotted.partition("(")[0].split(".")[:2])
    return name
