"""What is computed once: constants when the search starts, what a loop does not change while that runs."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.types.domain import Nothing, Type

from .closed import WORTH_KEEPING, is_closed, key_of
from .code_motion import outermost, repeats
from .context import Context
from .expression import compile_node
from .questions import is_lazy
from .terms import C, Env, Kept, Made


def computed_once(x: Context, e: core.Expression, env: Env, want: Type | None) -> C:
    """The value of `e`, from where it is computed least often."""
    return _hoisted(x, e, want) if is_closed(x, e) else _repeated(x, e, env, want)


def _repeated(x: Context, e: core.Expression, env: Env, want: Type | None) -> C:
    """The value of `e`, which a loop that does not change it computes once."""
    if not x.loops or not isinstance(e, WORTH_KEEPING):
        return compile_node(x, e, env, want)
    of = None
    if isinstance(e, core.Call) and not e.arguments and not e.definition.local:
        state = tuple((v, c.code) for v, c in (env.primed or {}).items()) if env.next else ()
        of = (e.definition, env.current, env.next, state, want, x.target)
        known = next((loop.known[of] for loop in x.loops if of in loop.known), None)
        if known is not None:
            return known
    first = x.names
    return _kept(x, compile_node(x, e, env, want), first, of)


def _kept(x: Context, value: C, first: int, of: object) -> C:
    """The value, kept while the outermost loop runs that does not change it; its own names begin with `first`.

    `of`: what it is the value of, whatever the loops are.
    """
    if not x.loops or value.changes or value.lvalue or not repeats(value.code, x.repeating):
        return value
    loop = outermost(x.loops, value.code, first)
    if loop is None or isinstance(value.type, Nothing):
        return value
    name = x.name("kept")
    declared = f"{x.c_type(value.type)} {name}; int {name}has = 0;"
    compute, code = x.into(value, name), f"&{name}"
    if value.risky:
        declared += f" I {name}bad = 0;"
        compute = x.soft_statement(name, value)
        code = f"raise_(c, {name}bad), &{name}"
    loop.kept[name] = declared
    once = f"if (!{name}has) {{ {compute} {name}has = 1; }}"
    made = None
    if not x.routines.structures.is_scalar(value.type):
        raised = f" raise_(c, {name}bad);" if value.risky else ""
        made = Made("", f"{once}{raised}", name, False)
    result = C(f"(*({{ {once} {code}; }}))", value.type, value.risky, made=made)
    if of is not None:
        loop.known[of] = result
    return result


def _hoisted(x: Context, e: core.Expression, want: Type | None) -> C:
    """A constant, computed once when the search starts; a failure is raised where it is used."""
    key = (key_of(e), want)
    if key not in x.hoisted:
        with x.aiming(-1), x.apart():
            value = _of_constant(x, e, want)
        if len(value.code) > 24 and not isinstance(value.type, Nothing):
            value = _static(x, value)
        x.hoisted[key] = value
    return x.hoisted[key]


def _of_constant(x: Context, e: core.Expression, want: Type | None) -> C:
    if isinstance(e, core.Call) and not e.arguments and not e.definition.recursive and not is_lazy(e.definition.body):
        return x.compile(e.definition.body, Env())  # where the value lies, and not a C function that copies it
    return compile_node(x, e, Env(), want)


def _static(x: Context, value: C) -> C:
    name = x.name("constant")
    x.constants.append(f"static {x.c_type(value.type)} {name}; static I {name}bad;")
    x.initialisers.append(x.computed_at_start(name, f"{name} = {value.code};", value.risky))
    return Kept(name, f"{name}bad").value(value.type) if value.risky else C(name, value.type, False, True)
