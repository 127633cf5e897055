"""Types as text."""

from __future__ import annotations

from .domain import (
    Bool,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    Unknown,
)


def render(type_: Type) -> str:
    """As TLA+ would write the set of values, nearly."""
    match type_:
        case Nothing():
            return "{}"
        case Unknown():
            return "?"
        case Bool():
            return "BOOLEAN"
        case Text():
            return "STRING"
        case Int():
            if type_.low is None and type_.high is None:
                return "Int"
            if type_.low == 0 and type_.high is None:
                return "Nat"
            low = "-infinity" if type_.low is None else type_.low
            return f"{low}..{'infinity' if type_.high is None else type_.high}"
        case Enum():
            return "{" + ", ".join(a.name if a.is_model else f'"{a.name}"' for a in sorted(type_.atoms)) + "}"
        case Set():
            return f"SUBSET {_wrapped(type_.element)}"
        case Seq():
            if type_.most is None:
                return f"Seq({render(type_.element)})"
            length = f"{type_.least}..{type_.most}" if type_.least != type_.most else f"{type_.most}"
            return f"Seq({render(type_.element)}, length {length})"
        case Tuple():
            return "(" + " \\X ".join(_wrapped(item) for item in type_.items) + ")"
        case Record():
            return "[" + ", ".join(f"{name} : {render(field)}" for name, field in type_.fields) + "]"
        case Function():
            partly = "" if type_.total else "partly "
            return f"[{partly}{render(type_.key)} -> {render(type_.value)}]"
        case Union():
            return " \\cup ".join(_wrapped(member) for member in type_.members)
    return repr(type_)


def _wrapped(type_: Type) -> str:
    return f"({render(type_)})" if isinstance(type_, Union | Set) else render(type_)
