"""The hook of mkdocs: pages link to files of the repository, as on the hosting site; here those files come along.

A relative link that leaves docs/ (to a model, a picture, a source) is turned into one to a copy under `files/`. What a
page links to and is not there is a warning, which `mkdocs build --strict` makes an error.
"""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"(!?\[[^\]]*\]\()((?!\w+:)[^)\s#]+)((?:#[^)\s]*)?\))")
_TEXTS = (".tla", ".cfg", ".py", ".toml", ".conf", ".ndjson", ".c", ".h", ".yml", ".lark")
_log = logging.getLogger("mkdocs.plugins.files")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn the links of a page that leave docs/, outside of code."""
    folder = PurePosixPath(page.file.src_uri).parent
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [_LINK.sub(lambda found: _turned(found, folder, config, files, page), part) for part in parts[::2]]
    return "".join(parts)


def _turned(found: re.Match[str], folder: PurePosixPath, config: Any, files: Any, page: Any) -> str:
    inside = os.path.normpath(folder / found[2])
    if not inside.startswith(".."):
        return found[0]
    target = Path(os.path.normpath(ROOT / "docs" / inside))
    if not target.exists():
        _log.warning("%s links to %s, which is not there", page.file.src_uri, found[2])
        return found[0]
    if target.is_dir():
        return f"{found[1]}{found[2]}{found[3]}" if found[1].startswith("!") else f"`{found[2].lstrip('./')}`"
    name = f"files/{target.relative_to(ROOT).as_posix()}"
    uri = name + ".txt" if target.suffix in _TEXTS else name
    if files.get_file_from_path(uri) is None:
        files.append(_file(config, uri, target))
    return f"{found[1]}{os.path.relpath(uri, folder)}{found[3]}"


def _file(config: Any, uri: str, target: Path) -> Any:
    from mkdocs.structure.files import File

    return File.generated(config, uri, abs_src_path=str(target))
