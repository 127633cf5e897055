"""Values as a tree that a client opens as far as it wants: records, functions, sequences and sets have parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rmqproof.model.report.value import Notation, function_pairs, integer, is_record, sequence_elements, set_elements

Json = dict[str, Any]
_LONGEST = 2_000
"""Characters of a value in one line."""
_Parts = Callable[[], "Sequence[Part]"]


@dataclass(frozen=True, slots=True)
class Part:
    """A value by a name. `expression` gives it in TLA+, where one does; `text` stands for the value where it is set.

    `parts` opens what is no value of the model, as a list of steps.
    """

    name: str
    value: Any = None
    expression: str = ""
    text: str = ""
    parts: Callable[[], Sequence[Part]] | None = None
    kind: str = ""


class Tree:
    """Gives what can be opened a number. Numbers are known until `forget`."""

    def __init__(self, notation: Notation) -> None:
        self._notation = notation
        self._opened: list[Callable[[], Sequence[Part]]] = []

    def forget(self) -> None:
        self._opened.clear()

    def number(self, parts: Callable[[], Sequence[Part]]) -> int:
        """A number for what is to be opened."""
        self._opened.append(parts)
        return len(self._opened)

    def open(self, number: int, start: int = 0, count: int = 0, only: str = "") -> list[Json]:
        """The parts behind a number: `count` of them (0: all), `only` those that are `named` or `indexed`.

        Raise `KeyError`.
        """
        if not 1 <= number <= len(self._opened):
            raise KeyError(number)
        parts = self._opened[number - 1]()
        if only:
            parts = [part for part in parts if (part.kind == "indexed") == (only == "indexed")]
        end = start + count if count else len(parts)
        return [self.shown(part) for part in parts[start:end]]

    def shown(self, part: Part) -> Json:
        """A part as the protocol has it."""
        inner, indexed, kind = self._inside(part)
        text = part.text or (self._notation.line(part.value) if part.parts is None else "")
        shown: Json = {
            "name": part.name,
            "value": text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…",
            "variablesReference": self.number(inner) if inner is not None else 0,
        }
        if kind:
            shown["type"] = kind
        if indexed:
            shown["indexedVariables"] = indexed
        if part.expression:
            shown["evaluateName"] = part.expression
        return shown

    def _inside(self, part: Part) -> tuple[_Parts | None, int, str]:
        """How to open a part, how many parts without names it has, and what kind of value it is."""
        if part.parts is not None:
            return part.parts, 0, ""
        value, way = part.value, part.expression
        if (elements := set_elements(value)) is not None:
            return self._numbered(elements, "set", lambda number: (str(number), ""))
        if (items := sequence_elements(value)) is not None:
            return self._numbered(items, "sequence", lambda number: (f"[{number}]", f"{way}[{number}]" if way else ""))
        if (pairs := function_pairs(value)) is None:
            return None, 0, _simple(value, self._notation.line(value))
        record = is_record(value)
        kind = f"{'record' if record else 'function'} of {len(pairs)}"
        return (lambda: [self._applied(way, record, key, item) for key, item in pairs]) if pairs else None, 0, kind

    def _numbered(
        self, values: Sequence[Any], kind: str, called: Callable[[int], tuple[str, str]]
    ) -> tuple[_Parts | None, int, str]:
        def parts() -> list[Part]:
            names = map(called, range(1, len(values) + 1))
            return [Part(name, value, way, kind="indexed") for (name, way), value in zip(names, values, strict=True)]

        return parts if values else None, len(values), f"{kind} of {len(values)}"

    def _applied(self, way: str, record: bool, key: Any, item: Any) -> Part:
        if record:
            return Part(str(key), item, f"{way}.{key}" if way else "")
        text = self._notation.line(key)
        return Part(f"[{text}]", item, f"{way}[{text}]" if way else "")


def variables(shown: Mapping[str, Any]) -> list[Part]:
    return [Part(name, value, name) for name, value in shown.items()]


def _simple(value: Any, text: str) -> str:
    if isinstance(value, str):
        return "string" if text.startswith('"') else "model value"
    return "boolean" if isinstance(value, bool) else "number" if integer(value) is not None else ""
