"""Find an adapter by the name that a command line gives: `package.module:Class`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rmqproof.conformance.adapter import Adapter

REFERENCE = "rmqproof.conformance.reference:ReferenceAdapter"
"""The adapter of our own implementation."""


class LoadingError(Exception):
    """There is no such thing, or it is of no use; the text says what and what to do."""


def load_adapter(name: str) -> Callable[[], Adapter]:
    """What makes the adapter: a class, or a function without arguments. Raise `LoadingError`."""
    made = load_object(name, "an adapter")
    if not callable(made):
        raise LoadingError(f"{name} is {type(made).__name__}, not a class or function that makes an adapter.")
    missing = [method for method in _methods() if isinstance(made, type) and not hasattr(made, method)]
    if missing:
        raise LoadingError(f"{name} is no adapter: it has no {', '.join(missing)}. See rmqproof.conformance.adapter.")
    factory: Callable[[], Adapter] = made
    return factory


def load_object(name: str, what: str) -> Any:
    """What `package.module:name` means; modules beside the current folder are found. Raise `LoadingError`."""
    module_name, colon, attribute = name.partition(":")
    if not colon or not module_name or not attribute:
        raise LoadingError(f"{name!r} does not name {what}: write package.module:Name.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise LoadingError(
            f"{name}: there is no module {error.name}. Run in the folder that holds it, or install its package."
        ) from None
    except Exception as error:
        raise LoadingError(f"{name}: importing {module_name} fails: {type(error).__name__}: {error}") from None
    for part in attribute.split("."):
        if not hasattr(module, part):
            raise LoadingError(f"{name}: {module_name} has no {attribute}.")
        module = getattr(module, part)
    return module


def _methods() -> list[str]:
    return [name for name in vars(Adapter) if not name.startswith("_")]
