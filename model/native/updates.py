"""EXCEPT: parts of values changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Tuple,
    Type,
    Union,
    includes,
    join,
    kind,
)

from .context import Context
from .conversion import conversion
from .questions import comparable, known_value
from .ranks import rank_of
from .terms import C, Change, Env


def updated(x: Context, e: core.Except, env: Env, want: Type | None, changes: Sequence[Change] = ()) -> C:
    """`changes`: names, declared outside, for what each update changes; the result has them where they are set."""
    result = x.compile(e.function, env, want)
    for i, update in enumerate(e.updates):
        # The old value is converted before it is changed, so the type must take both.
        natural = x.settle(join(result.type, _updated_type(x, result.type, update.path, update, env)))
        target = want if want is not None and includes(want, natural) and kind(want) == kind(natural) else natural
        start = x.to(result, target)
        t = x.name()
        risks: list[bool] = []
        if changes and target == want and isinstance(target, Function) and target.total:
            origin = start.code if i == 0 and start.place else t
            place = C(t, target, place=True, changes=(changes[i],))
            code = _update(x, e, place, list(update.path), update, env, risks, origin)
        else:
            changes = ()
            code = _update(x, e, C(t, target, place=True), list(update.path), update, env, risks)
        result = C(
            f"({{ {x.c_type(target)} {t} = {start.code}; {code} {t}; }})",
            target,
            start.risky or result.risky or any(risks),
        )
    return replace(result, changes=tuple(changes))


def _updated_type(x: Context, target: Type, path: tuple[core.Expression, ...], update: core.Update, env: Env) -> Type:
    if not path:
        held = C("0", target, place=True)
        return x.compile(update.value, env.bind({update.old: held}), target).type
    argument = x.compile(path[0], env).type
    literal = known_value(path[0], argument)
    return operators.update(target, argument, literal, lambda old: _updated_type(x, old, path[1:], update, env))


def _update(
    x: Context,
    e: core.Except,
    place: C,
    path: list[core.Expression],
    update: core.Update,
    env: Env,
    risks: list[bool],
    origin: str = "",
) -> str:
    """Statements that change `place`, whose type already takes the new value.

    With a name for the change in `place` it is noted there, too; `origin` is what the old element is read from.
    """
    if not path:
        old = x.name("old")
        value = x.compile(update.value, env.bind({update.old: C(old, place.type, place=True)}), place.type)
        risks.append(value.risky)
        new = x.to(value, place.type)
        return f"{{ {x.c_type(place.type)} {old} = {place.code}; (void){old}; {place.code} = {new.code}; }}"
    argument = x.compile(path[0], env)
    type_ = place.type
    if isinstance(type_, Seq | Tuple) and isinstance(argument.type, Union):
        number = next((m for m in argument.type.members if isinstance(m, Int)), None)
        if number is not None:
            argument = x.checked(e, argument, number)
    risks.append(argument.risky)
    literal = known_value(path[0], argument.type)
    match type_:
        case Record() if isinstance(literal, str):
            if literal not in type_.names:
                return ";"
            i = type_.names.index(literal)
            return _update(x, e, C(f"{place.code}.f{i}", type_.fields[i][1], place=True), path[1:], update, env, risks)
        case Tuple() if isinstance(literal, int):
            if not 1 <= literal <= len(type_.items):
                return ";"
            item = C(f"{place.code}.f{literal - 1}", type_.items[literal - 1], place=True)
            return _update(x, e, item, path[1:], update, env, risks)
        case Tuple() if isinstance(argument.type, Int):
            at = x.name("i")
            cases = ""
            for i, item_type in enumerate(type_.items):
                inner = _update(x, e, C(f"{place.code}.f{i}", item_type, place=True), path[1:], update, env, risks)
                cases += f"case {i + 1}: {{ {inner} }} break; "
            return f"{{ I {at} = {argument.code}; switch ({at}) {{ {cases} }} }}"
        case Union() if all(isinstance(m, Record | Tuple | Seq | Function) for m in type_.members):
            cases = ""
            for i, member in enumerate(type_.members):
                inner = _update(x, e, C(f"{place.code}.m{i}", member, place=True), path, update, env, risks)
                cases += f"case {i}: {{ {inner} }} break; "
            return f"switch ({place.code}.tag) {{ {cases} }}"
        case Seq() if type_.most == 0:
            return f"(void)({argument.code});"
        case Seq() if isinstance(argument.type, Int):
            if type_.most == 0:
                return ";"
            at = x.name("i")
            item = C(f"{place.code}.a[{at} - 1]", type_.element, place=True)
            inner = _update(x, e, item, path[1:], update, env, risks)
            return f"{{ I {at} = {argument.code}; if ({at} >= 1 && {at} <= {place.code}.n) {{ {inner} }} }}"
        case Function():
            k, r = x.name("k"), x.name("r")
            if isinstance(type_.key, Nothing) or not comparable(argument.type, type_.key):
                raise x.refuse(e, "EXCEPT at an argument of another kind")
            convert = conversion(x.routines, argument.type, type_.key)
            rank = rank_of(x.routines, type_.key, k)
            item = C(f"{place.code}.a[{r}]", type_.value, place=True)
            if place.changes:
                change = place.changes[0]
                inner = _update(x, e, C(change.value, type_.value, place=True), path[1:], update, env, risks)
                inner = f"{change.value} = {origin}.a[{r}]; {inner} {item.code} = {change.value}; {change.rank} = {r};"
            else:
                inner = _update(x, e, item, path[1:], update, env, risks)
            present = "" if type_.total else f"if ({place.code}.w[{r} >> 6] >> ({r} & 63) & 1)"
            return (
                f"{{ {x.zero(type_.key, k)} if ({convert}(c, {argument.code}, &{k})) {{ I {r} = {rank}; "
                f"{present} {{ {inner} }} }} }}"
            )
    raise x.refuse(e, "EXCEPT on a value of several kinds")
