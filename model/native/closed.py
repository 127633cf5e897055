"""Which expressions are constants that are worth computing once."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.tla.asking import asks
from rmqproof.model.tla.walk import with_definitions
from rmqproof.model.types.hints import is_constant

from .context import Context
from .questions import has_free_names

WORTH_KEEPING = (
    core.SetEnumeration,
    core.SetFilter,
    core.SetMap,
    core.Choose,
    core.Quantified,
    core.FunctionConstructor,
    core.RecordSet,
    core.Cartesian,
    core.FunctionSet,
    core.FunctionApplication,
    core.Record,
    core.Except,
    core.Call,
    core.Builtin,
)
SCALAR_OPERATORS = frozenset(["=", "#", "/=", "/\\", "\\/", "~", "=>", "<=>", "'", "UNCHANGED", "ENABLED"])


def is_closed(x: Context, e: core.Expression) -> bool:
    """Whether `e` is a constant worth computing once: no variable and no name bound around it occurs in it."""
    if not isinstance(e, WORTH_KEEPING) or (isinstance(e, core.Builtin) and e.operator in SCALAR_OPERATORS):
        return False
    if e not in x.closed:
        x.closed[e] = is_constant(e) and not _uses_local(e) and not has_free_names(e, set()) and not asks(e)
    return x.closed[e]


def key_of(e: core.Expression) -> object:
    """The same for all that is computed together with `e`."""
    return e.definition if isinstance(e, core.Call) and not e.arguments else e


def _uses_local(e: core.Expression) -> bool:
    if isinstance(e, core.Call) and (e.definition.local or e.definition.level > core.CONSTANT):
        return True
    if isinstance(e, core.OperatorArgument | core.CallParameter | core.Let):
        return True
    return any(map(_uses_local, with_definitions(e)))
