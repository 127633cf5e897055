"""What a request brings, read with its types; and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


class BadRequest(Exception):
    """A request cannot be answered; the message says why, to who sent it."""


class Arguments:
    """The arguments of a request. Each question raises `BadRequest` for what has another type."""

    def __init__(self, given: Any) -> None:
        self._given: Mapping[str, Any] = given if isinstance(given, dict) else {}

    def has(self, name: str) -> bool:
        return self._given.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        return str(self._value(name, str, default))

    def number(self, name: str, default: int | None = None) -> int:
        found = self._value(name, int, default)
        if isinstance(found, bool):
            raise BadRequest(f"{name} is a number.")
        return int(found)

    def truth(self, name: str, default: bool = False) -> bool:
        return bool(self._value(name, bool, default))

    def path(self, name: str, folder: Path) -> Path | None:
        """A file's path; a relative one is in this folder. None where it is not said."""
        return folder / Path(self.text(name)).expanduser() if self.has(name) else None

    def inner(self, name: str) -> Arguments:
        return Arguments(self._value(name, dict, {}))

    def each(self, name: str) -> list[Arguments]:
        return [Arguments(each) for each in self._value(name, list, [])]

    def texts(self, name: str) -> list[str]:
        found = self._value(name, list, [])
        if not all(isinstance(each, str) for each in found):
            raise BadRequest(f"{name} is a list of texts.")
        return list(found)

    def _value(self, name: str, kind: type, default: Any) -> Any:
        found = self._given.get(name)
        if found is None:
            if default is None:
                raise BadRequest(f"{name} is missing.")
            return default
        if not isinstance(found, kind):
            raise BadRequest(f"{name} is {found!r}, and has to be a {_KINDS[kind]}.")
        return found


_KINDS = {str: "text", int: "number", bool: "truth value", dict: "object", list: "list"}
