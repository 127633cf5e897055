"""Records and tuples."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.types.domain import (
    EMPTY_SEQUENCE,
    Record,
    Seq,
    Tuple,
    Type,
    includes,
    members_of,
)

from .context import Context
from .questions import narrower
from .terms import C, Env


def record(x: Context, e: core.Record, env: Env, want: Type | None) -> C:
    names = tuple(sorted(name for name, _ in e.fields))
    wanted = next((m for m in members_of(want) if isinstance(m, Record) and m.names == names), None) if want else None
    values = {n: x.compile(v, env, wanted.field(n) if wanted else None) for n, v in e.fields}
    fields = []
    for name in names:
        natural = values[name].type
        target = wanted.field(name) if wanted is not None else None
        fields.append((name, target if target is not None and includes(target, natural) else natural))
    # Enumerations and ranges stay as narrow as they are: only the representation follows what is wanted.
    type_ = Record(tuple((n, narrower(t, values[n].type, x.routines.structures)) for n, t in fields))
    r = x.name()
    sets = " ".join(x.put(x.to(values[n], t), f"{r}.f{i}") for i, (n, t) in enumerate(type_.fields))
    risky = any(v.risky for v in values.values())
    return x.made(type_, r, sets, risky)


def row(x: Context, e: core.TupleExpression, env: Env, want: Type | None) -> C:
    if not e.items:
        s = x.name()
        return x.filled(EMPTY_SEQUENCE, s, "")
    wants: list[Type | None] = [None] * len(e.items)
    for member in members_of(want) if want is not None else ():
        if isinstance(member, Tuple) and len(member.items) == len(e.items):
            wants = list(member.items)
        elif isinstance(member, Seq):
            wants = [member.element] * len(e.items)
    values = [x.compile(item, env, w) for item, w in zip(e.items, wants, strict=True)]
    type_ = Tuple(tuple(v.type for v in values))
    t = x.name()
    sets = " ".join(x.put(v, f"{t}.f{i}") for i, v in enumerate(values))
    return x.made(type_, t, sets, any(v.risky for v in values))
