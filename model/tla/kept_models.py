"""Models that were read before: where none of the files has changed, nothing is parsed and resolved again.

What is kept is a pickle that is data: reading one makes trees of `core`, and runs nothing else.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import sys
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from rmqproof.model.cache import keep_bytes, kept_bytes, made_by
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.overrides import NONE, Overrides
from rmqproof.model.tla.source import DISK, Source, Texts, TlaError

_MAKERS = ("tla", "pluscal")
"""The packages that make a model of texts."""
_ALLOWED = ("rmqproof.model.tla.core", "rmqproof.model.tla.source", "rmqproof.model.tla.syntax")
_BUILTINS = ("frozenset", "set", "range", "complex")


@dataclass(frozen=True, slots=True)
class Noting(Texts):
    """The files of the disk, and what was asked about them: a digest of what was read, whether a file is there."""

    asked: dict[str, str | bool] = field(default_factory=dict)

    def has(self, path: Path) -> bool:
        answer = Texts.has(self, path)
        self.asked.setdefault(str(path), answer)
        return answer

    def read(self, path: Path) -> Source:
        source = Texts.read(self, path)
        self.asked[str(path)] = _digest(source.text)
        return source


def model_of(
    spec: Path,
    config: Path | None = None,
    *,
    search_path: Sequence[Path] = (),
    texts: Texts = DISK,
    overrides: Overrides = NONE,
) -> core.Model:
    """See `load_model`."""
    if texts.given or overrides:
        return _read(spec, config, search_path, texts, overrides)
    key = "\0".join([made_by(*_MAKERS), sys.version, *map(str, (spec, config, *search_path))])
    name = f"{_digest(key)}.model"
    known = _kept(name)
    if known is not None:
        return known
    noting = Noting()
    model = _read(spec, config, search_path, noting, overrides)
    _keep(name, noting, model)
    return model


def _read(
    spec: Path, config: Path | None, search_path: Sequence[Path], texts: Texts, overrides: Overrides
) -> core.Model:
    from rmqproof.model.tla.model import load_model  # which imports a parser

    return load_model(spec, config, search_path=search_path, texts=texts, overrides=overrides)


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module == "builtins" and name in _BUILTINS:
            return super().find_class(module, name)
        if module in _ALLOWED and "." not in name:  # a name with dots leads out of the module
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a model")


def _kept(name: str) -> core.Model | None:
    """The model that was kept, where all that its texts were read from is as it was."""
    asked, _, content = (kept_bytes(name) or b"").partition(b"\n")
    try:
        if not content or not all(_is_still(Path(path), answer) for path, answer in json.loads(asked).items()):
            return None
        model = _Reader(io.BytesIO(content)).load()
    except Exception:  # whatever a pickle of another version makes
        return None
    return model if isinstance(model, core.Model) else None


def _keep(name: str, noting: Noting, model: core.Model) -> None:
    from rmqproof.model.tla.resolve import deep_recursion

    try:
        with deep_recursion():
            content = pickle.dumps(model, 5)
    except (TlaError, pickle.PicklingError, TypeError, AttributeError):
        return  # it is read each time
    keep_bytes(name, json.dumps(noting.asked).encode() + b"\n" + content)


def _is_still(path: Path, answer: str | bool) -> bool:
    if isinstance(answer, bool):
        return DISK.has(path) == answer
    try:
        return _digest(DISK.read(path).text) == answer
    except (OSError, UnicodeDecodeError):
        return False


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
