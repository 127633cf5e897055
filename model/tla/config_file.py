"""Where a configuration stands: in a file of its own, or in a section of a .tla file beside the modules.

    ---- CONFIG Name ----
    SPECIFICATION Spec
    ====

is the configuration of Name.tla in that file. Headers and ends are whole lines without blanks before them.
Source: TLC's `util.MonolithSpecExtractor`.
"""

from __future__ import annotations

import re
from pathlib import Path

from rmqproof.model.tla.source import DISK, Source, Texts, TlaError

_END = re.compile(r"^====", re.MULTILINE)


def config_of(spec: Path, texts: Texts = DISK) -> Path | None:
    """The file with the specification's configuration: `SPEC.cfg`, else the specification when it has a section."""
    beside = spec.with_suffix(".cfg")
    if texts.has(beside):
        return beside
    return spec if has_section(spec, texts) else None


def has_section(spec: Path, texts: Texts = DISK) -> bool:
    """Whether the .tla file has a configuration of its own. A file that cannot be read has none."""
    try:
        return _section(texts.read(spec).text, spec.stem) is not None
    except (OSError, UnicodeDecodeError):
        return False


def config_source(path: Path, texts: Texts = DISK) -> Source:
    """The configuration's text. Of a .tla file its section, all else blank, so that places stay what they are.

    Like TLC, a .tla file without a section is an empty configuration.
    Raise `TlaError`: `config` when the file is no text, `system` when it cannot be read.
    """
    try:
        source = texts.read(path)
    except UnicodeDecodeError as error:
        raise TlaError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})", kind="config") from None
    except OSError as error:
        raise TlaError(f"{path}: {error.strerror}", kind="system") from None
    if not in_specification(path):
        return source
    start, end = _section(source.text, path.stem) or (0, 0)
    return Source(source.name, re.sub(r"[^\n]", "", source.text[:start]) + source.text[start:end])


def config_text(path: Path | None, texts: Texts = DISK) -> str:
    """The text of `config_source`; of None an empty one."""
    return config_source(path, texts).text if path is not None else ""


def in_specification(path: Path) -> bool:
    """Whether the configuration is a section of a .tla file."""
    return path.suffix == ".tla"


def _section(text: str, name: str) -> tuple[int, int] | None:
    """Where the text of the configuration begins and ends: the first of that name."""
    header = re.search(rf"^-{{4,}}[ \t]*CONFIG[ \t]+{re.escape(name)}[ \t]*-{{4,}}[ \t\r]*$", text, re.MULTILINE)
    if header is None:
        return None
    end = _END.search(text, header.end())
    return header.end(), len(text) if end is None else end.start()
