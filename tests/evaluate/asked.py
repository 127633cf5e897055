"""What an engine says of a specification that a test writes."""

from __future__ import annotations

from pathlib import Path

from tools.fuzz.engines import ENGINES


def verdict(engine: str, text: str, config: str, folder: Path) -> str:
    """Of the module K with this text."""
    spec = folder / "K.tla"
    spec.write_text(text)
    spec.with_suffix(".cfg").write_text(config)
    return ENGINES[engine](spec).verdict
