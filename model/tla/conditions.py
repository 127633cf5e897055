"""What a condition asks for whatever the state, and what in some states only: `B` in `A \\/ B`."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.records import dataclass

from .core import Builtin, Call, Expression, If, Label


@dataclass(frozen=True, slots=True)
class Asked:
    """The parts of a condition, in their order: those that it asks for `always`, then those that may be left out."""

    always: tuple[Expression, ...]
    sometimes: tuple[Expression, ...] = ()


def asked_by(condition: Expression) -> Asked | None:
    """The parts of a condition that is made of others, or only names one."""
    match condition:
        case Label(body=body):
            return Asked((body,))
        case Call(definition=used) if not used.parameters and not used.recursive and not used.local:
            return Asked((used.body,))
        case Builtin(operator="/\\", arguments=parts):
            return Asked(parts)
        case Builtin(operator="\\/" | "=>", arguments=(first, *others)):
            return Asked((first,), tuple(others))
        case If():
            return Asked((condition.condition,), (condition.then, condition.otherwise))
    return None


def always_asked(condition: Expression) -> Iterator[Expression]:
    """What it asks for whatever the state, in parts that are not made of others."""
    asked = asked_by(condition)
    if asked is None:
        yield condition
    else:
        for part in asked.always:
            yield from always_asked(part)
