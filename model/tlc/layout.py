"""Values and states laid out as TLC does: in lines of 80 columns, broken at the elements of what does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rmqproof.model.report.behaviour import Value
from rmqproof.model.report.value import Notation, function_pairs, is_field, sequence_elements, set_elements

WIDTH = 80


@dataclass(frozen=True, slots=True)
class _Form:
    """How a kind of value is broken into lines."""

    opening: str
    closing: str
    separator: str
    between: str = ""
    """What stands between argument and result."""
    deeper: int = 4
    """Columns by which a result is indented that does not fit beside its argument."""


_SET = _Form("{ ", " }", ",")
_SEQUENCE = _Form("<< ", " >>", ",")
_FUNCTION = _Form("( ", " )", " @@", " :>")
_RECORD = _Form("[ ", " ]", ",", " |->")


class Layout:
    """Writes values; see `Notation`."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation

    def value(self, value: Value) -> str:
        return self._broken(value, WIDTH, 0, "")

    def state(self, state: Mapping[str, Value], before: Mapping[str, Value] | None = None) -> str:
        """A line or more for each variable; with `before` for those that have another value."""
        names = [name for name in state if before is None or before.get(name) != state[name]]
        bullet = "/\\ " if len(state) > 1 else ""
        return "".join(f"{bullet}{name} = {self.value(state[name])}\n" for name in names)

    def _broken(self, value: Value, width: int, trailing: int, pad: str) -> str:
        """`trailing` columns are kept free at the end of the last line."""
        whole = self.notation.line(value)
        if len(whole) <= width - trailing:
            return whole
        elements = set_elements(value)
        form = _SET
        if elements is None:
            elements, form = sequence_elements(value), _SEQUENCE
        if elements is not None:
            return form.opening + self._elements(elements, form, width, trailing, pad) + form.closing
        pairs = function_pairs(value)
        if not pairs:
            return whole
        fields = all(isinstance(key, str) and is_field(key) for key, _ in pairs) and whole.startswith("[")
        form = _RECORD if fields else _FUNCTION
        named = [(key if fields else self.notation.line(key), key, item) for key, item in pairs]
        return form.opening + self._pairs(named, form, width, trailing, pad) + form.closing

    def _elements(self, elements: Sequence[Value], form: _Form, width: int, trailing: int, pad: str) -> str:
        indent = len(form.opening)
        inner, end = pad + " " * indent, trailing + len(form.closing)
        lines = [self._broken(item, width - indent, len(form.separator), inner) for item in elements[:-1]]
        lines += [self._broken(item, width - indent, end, inner) for item in elements[-1:]]
        return f"{form.separator}\n{inner}".join(lines)

    def _pairs(
        self, pairs: Sequence[tuple[str, Value, Value]], form: _Form, width: int, trailing: int, pad: str
    ) -> str:
        indent = len(form.opening)
        inner, room = pad + " " * indent, width - indent
        lines = []
        for number, (name, key, item) in enumerate(pairs):
            last = number + 1 == len(pairs)
            end = trailing + len(form.closing) if last else len(form.separator)
            beside = f"{name}{form.between} {self.notation.line(item)}"
            if len(beside) <= room - end:
                lines.append(beside)
                continue
            if len(name) + len(form.between) > room:
                name = self._broken(key, room, trailing + len(form.closing) + len(form.between), inner)
            below = inner + " " * form.deeper
            lines.append(f"{name}{form.between}\n{below}{self._broken(item, room - form.deeper, end, below)}")
        return f"{form.separator}\n{inner}".join(lines)
