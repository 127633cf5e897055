"""Text inside DOT."""

from __future__ import annotations

import re
from html import escape

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def quoted(text: str) -> str:
    """`text` as a DOT string in quotes; its line breaks stay line breaks."""
    clean = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + clean.replace("\r", "").replace("\n", "\\n") + '"'


def html(text: str) -> str:
    """`text` for an HTML-like label."""
    return escape(printable(text))


def printable(text: str) -> str:
    """`text` without the characters that no XML may have, so neither Graphviz's labels nor its SVG."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
