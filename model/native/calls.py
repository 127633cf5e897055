"""Definitions, LET, operators applied, operators as arguments, recursion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached
from rmqproof.model.types.application import recursive
from rmqproof.model.types.domain import Bool, Enum, Int, Type, Unknown, cardinality
from rmqproof.model.types.expressions import typing_of

from . import parameters
from .captures import Captures
from .code_motion import repeats
from .context import Context
from .questions import is_lazy, is_path, uses_of
from .ranks import rank_of
from .terms import Bound, C, Closure, Env, Kept, Lifted, Named

LARGEST_REMEMBERED = 4096
"""Bytes of all values of an operator up to which they are remembered with their state."""
LARGEST_TOGETHER = 65_536
"""Of all operators: a state lies on the stack."""
MOST_REMEMBERED = 64
"""Values of an operator, by its arguments, likewise."""


def local_definitions(x: Context, e: core.Let, env: Env) -> tuple[str, Env]:
    """Statements that compute the definitions, and the scope of the body."""
    statements = ""
    for i, definition in enumerate(e.definitions):
        if definition.parameters or definition.recursive:
            env = env.define(definition, Closure(definition, env, object()))
            continue
        rest = [d.body for d in e.definitions[i + 1 :]] + [e.body]
        uses = sum(uses_of(part, definition, 0) for part in rest)
        if uses == 0:
            continue
        delayed = Named(definition.body, env)
        if uses == 1 or definition.level >= core.ACTION or is_lazy(definition.body) or _by_key(x, definition.body, env):
            env = env.define(definition, delayed)
            continue
        value = x.compile(definition.body, env)
        if value.lvalue or value.code.rstrip("L").isdigit():
            env = env.define(definition, replace(delayed, value=value))
            continue
        if not value.risky:
            more, held = x.held(value)
            statements += f"{more} (void){held.code};"
            env = env.define(definition, replace(delayed, value=held))
            continue
        more, kept = x.softly(value)
        statements += more
        env = env.define(definition, replace(delayed, value=kept.value(value.type)))
    return statements, env


def _by_key(x: Context, e: core.Expression, env: Env) -> bool:
    """Whether it is a function of which each value is computed where it is asked for."""
    e = e.body if isinstance(e, core.Label) else e
    return isinstance(e, core.FunctionConstructor) and not x.has_form(e, env)


def call(x: Context, e: core.Call, env: Env, want: Type | None) -> C:
    definition = e.definition
    meaning = env.local.get(definition)
    if isinstance(meaning, Named):
        return x.named(meaning, env, want)
    if isinstance(meaning, Closure):
        return apply_closure(x, e, meaning, e.arguments, env, want)
    if _looks_behind(x, definition):
        given = by_name(x, definition, e.arguments, env)
        return inline(x, e, definition, given, replace(env, bindings={}, local={}), want)
    return apply(x, e, definition, [argument_of(x, a, env) for a in e.arguments], env, want)


def by_name(x: Context, definition: core.Definition, arguments: tuple[core.Expression, ...], env: Env) -> list[Bound]:
    """Arguments of an operator that may prime its parameters."""
    given: list[Bound] = []
    primed = x.analysis.by_name_parameters(definition)
    for number, argument in enumerate(arguments):
        if isinstance(argument, core.OperatorArgument | core.Lambda):
            given.append(argument_of(x, argument, env))
        elif isinstance(argument, core.Reference) and isinstance(env.bindings.get(argument.binding), Named):
            given.append(env.bindings[argument.binding])
        elif not isinstance(argument, core.Builtin | core.Call) and number not in primed:
            given.append(x.compile(argument, env))
        else:
            given.append(Named(argument, env))
    return given


def depends_on_state(e: core.Expression, env: Env) -> bool:
    """Whether the expression speaks of variables, itself or by what names stand for: in another state, or once more
    of them have their next values, it may be another value. Whether an operator looks at it there is not asked."""
    for node in reached(e):
        match node:
            case core.VariableReference():
                return True
            case (
                core.Reference(binding=name)
                | core.CallParameter(binding=name)
                | core.OperatorArgument(target=core.Binding() as name)
            ):
                if isinstance(env.bindings.get(name), Named | Closure):
                    return True
    return False


def argument_of(x: Context, e: core.Expression, env: Env) -> C | Closure:
    if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Binding):
        bound = env.bindings.get(e.target)
        if isinstance(bound, Closure):
            return bound
    if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Definition) and e.target in env.local:
        meaning = env.local[e.target]
        if isinstance(meaning, Closure):
            return meaning
    if isinstance(e, core.OperatorArgument | core.Lambda):
        return Closure(e, env)
    return x.compile(e, env)


def apply(
    x: Context,
    e: core.Expression,
    definition: core.Definition,
    arguments: list[C | Closure],
    env: Env,
    want: Type | None,
) -> C:
    """A definition of a module applied to arguments."""
    if definition.recursive:
        return apply_recursive(x, e, definition, arguments, env)
    closures = any(isinstance(a, Closure) for a in arguments)
    primed = definition.level >= core.ACTION or (env.next and definition.level >= core.STATE)
    if closures or primed or is_lazy(definition.body) or is_path(definition.body):
        return inline(x, e, definition, list(arguments), replace(env, bindings={}, local={}), want)
    values = [a for a in arguments if isinstance(a, C)]
    key = (definition, tuple((a.type, a.risky) for a in values))
    if key not in x.lifted:
        x.lifted[key] = _lift(x, e, definition, values)
    name, type_, risky = x.lifted[key]
    statements, given = "", ""
    for value in values:
        bad = ""
        if value.risky:
            more, kept = x.softly(value)
            statements += more
            value, bad = C(kept.place, value.type, False, True), f", {kept.failure}"
        more, argument = parameters.passed(x, value)
        statements += more
        given += f", {argument}{bad}"
    code = f"{name}(c, {env.current}{given})"
    risky = risky or any(a.risky for a in values)
    return C(f"({{ {statements} {code}; }})" if statements else code, type_, risky)


def _lift(x: Context, e: core.Expression, definition: core.Definition, values: list[C]) -> tuple[str, Type, bool]:
    """A C function for the definition; an argument that can fail comes with its failure, raised when it is used."""
    if definition in x.inlining:
        raise x.refuse(e, f"{definition.name} is recursive")
    name = x.name("op")
    bound: dict[core.Binding, Bound] = {}
    names = ""
    for i, (parameter, value) in enumerate(zip(definition.parameters, values, strict=True)):
        names += f", {parameters.declared(x, f'p{i}_', value.type)}"
        bound[parameter] = given = parameters.inside(x, f"p{i}_", value.type)
        if value.risky:
            names += f", I p{i}_bad"
            bound[parameter] = Kept(given.code, f"p{i}_bad").value(value.type)
    x.inlining.append(definition)
    try:
        with x.aiming(-1), x.apart():
            body = x.compile(definition.body, Env(bound))
            before, held = ("", body) if body.made is None else x.held(body)
    finally:
        x.inlining.pop()
    if repeats(body.code, x.repeating):
        x.repeating.add(name)
    head = f"static {x.c_type(body.type)} {name}(Ctx *c, const S *s{names})"
    x.prototypes.append(f"{head};")
    statements = f"{before} return {held.code};"
    if definition.level == core.STATE and name in x.repeating:
        statements = _once_a_state(x, body, values) or statements
    x.functions.append(f"/* {definition.name} */\n{head} {{ (void)c; (void)s; {statements} }}")
    return name, body.type, body.risky


def _once_a_state(x: Context, body: C, arguments: Sequence[C]) -> str | None:
    """Statements that return the value in a state, computed when it is first asked for; what fails is computed again.

    Before there is a state, in Init and in constants, nothing is remembered. None where there are too many values.
    """
    count, index = 1, "0"
    for number, argument in enumerate(arguments):
        ways = cardinality(argument.type) if isinstance(argument.type, Int | Bool | Enum) else None
        if ways is None or argument.risky or count * ways > MOST_REMEMBERED:
            return None
        count, index = count * ways, f"({index}) * {ways} + {rank_of(x.routines, argument.type, f'p{number}_')}"
    size = x.routines.structures.size
    together = count * size(body.type) + sum(n * size(type_) for type_, n in x.remembered)
    if count * size(body.type) > LARGEST_REMEMBERED or together > LARGEST_TOGETHER:
        return None
    number, first = len(x.remembered), sum(count for _, count in x.remembered)
    x.remembered.append((body.type, count))
    value, has = f"((S *)s)->remembered_.v{number}[i_]", f"((S *)s)->has_[{first} + i_]"
    known = f"s && i_ >= 0 && i_ < {count}"  # beyond it is what is made of something that failed
    return (
        f"I i_ = {index}; if ({known} && {has}) return {value}; {x.c_type(body.type)} result_; "
        f"{x.into(body, 'result_')} "
        f"if ({known} && (!c->soft || !c->kept)) {{ {value} = result_; {has} = 1; }} return result_;"
    )


def with_arguments(x: Context, e: core.Call, env: Env) -> tuple[str, Env]:
    """Statements that compute the arguments of a definition of a module, and what its body sees."""
    statements, bound = _given(x, e.definition, [argument_of(x, argument, env) for argument in e.arguments])
    return statements, replace(env, bindings=bound, local={})


def _given(
    x: Context, definition: core.Definition, arguments: Sequence[Bound]
) -> tuple[str, dict[core.Binding, Bound]]:
    """Statements that compute arguments, and what the parameters mean then."""
    statements, bound = "", dict[core.Binding, Bound]()
    for parameter, argument in zip(definition.parameters, arguments, strict=True):
        if isinstance(argument, C):
            more, argument = x.given(argument)
            statements += more
        bound[parameter] = argument
    return statements, bound


def inline(
    x: Context,
    e: core.Expression,
    definition: core.Definition,
    arguments: list[Bound],
    env: Env,
    want: Type | None,
) -> C:
    """The definition's body with the arguments in place of the parameters; `env` is the definition's own scope."""
    if x.inlining.count(definition) > 40:
        raise x.refuse(e, f"{definition.name} is recursive")
    statements, bound = _given(x, definition, arguments)
    x.inlining.append(definition)
    try:
        body = x.compile(definition.body, env.bind(bound), want)
    finally:
        x.inlining.pop()
    risky = body.risky or any(isinstance(a, C) and a.risky for a in arguments)
    if not statements:
        return replace(body, risky=risky, changes=(), kept=None)
    return x.behind(statements, body, risky=risky)


def apply_recursive(
    x: Context,
    e: core.Expression,
    definition: core.Definition,
    arguments: list[C | Closure],
    env: Env,
    local: Closure | None = None,
) -> C:
    """A recursive definition applied; `local`: as one of LET."""
    if any(isinstance(a, Closure) for a in arguments):
        raise x.refuse(e, f"{definition.name} is recursive and takes an operator")
    if x.analysis.by_name_parameters(definition):
        raise x.refuse(e, f"{definition.name} is recursive and asks whether a parameter is ENABLED")
    values = [a for a in arguments if isinstance(a, C)]
    of = local.instance if local is not None else definition
    active = x.recursions.get(of)
    if active is not None and active.captured and x.lifting[-1] is not of:
        raise x.refuse(e, f"{definition.name} is called from another recursion and uses names around it")
    if active is None:
        around = env.inside(local.env) if local is not None else None
        scope = x.scope(around if around is not None else env)
        typing = typing_of(dict(x.variables), x.landmarks, x.passed)
        found, result = recursive(typing, definition, [a.type for a in values], scope)
        if isinstance(result, Unknown) or any(isinstance(t, Unknown) for t in found):
            raise x.refuse(e, f"{definition.name} is recursive and its type is not known")
        types, result = [x.settle(t) for t in found], x.settle(result)
        captures = Captures(x)
        inner = captures.scope(definition.body, around) if around is not None else Env()
        if local is not None:
            inner = inner.define(definition, replace(local, env=inner))
        key = (definition, tuple(types))
        if captures.values or not captures.plain or key not in x.lifted:
            name = x.name("recursive")
            x.recursions[of] = Lifted(name, types, result, captures.inside)
            x.lifting.append(of)
            try:
                _lift_recursive(x, definition, x.recursions[of], inner, captures)
            finally:
                del x.recursions[of]
                x.lifting.pop()
            x.lifted[key] = (name, result, True)
        active = Lifted(x.lifted[key][0], types, result, captures.outside)
    given = [x.to(value, type_) for value, type_ in zip(values, active.parameters, strict=True)]
    code = parameters.call(x, active.name, env.current, [*active.captured, *given])
    return C(code, active.result, True)


def _lift_recursive(x: Context, definition: core.Definition, lifted: Lifted, around: Env, captures: Captures) -> None:
    types, result = lifted.parameters, lifted.result
    names = [f"own{i}_" for i in range(len(types))]
    own = zip(definition.parameters, names, types, strict=True)
    inner = around.bind({p: parameters.inside(x, n, t) for p, n, t in own})
    with x.aiming(-1), x.apart():
        body = x.to(x.compile(definition.body, inner, result), result)
        statements, held = x.held(body)
    declared = [parameters.declared(x, n, t) for n, t in zip(names, types, strict=True)]
    head = f"static {x.c_type(result)} {lifted.name}(Ctx *c, const S *s{captures.declared}"
    head += "".join(f", {one}" for one in declared) + ")"
    x.prototypes.append(f"{head};")
    zero = x.zero(result, "zero_")
    x.functions.append(
        f"/* {definition.name} */\n{head} {{ if (++c->depth > DEEPEST) {{ c->depth--; fail_(c, DEEP, -1); {zero} "
        f"return zero_; }} {statements} c->depth--; return {held.code}; }}"
    )


def apply_closure(
    x: Context,
    e: core.Expression,
    closure: Closure,
    arguments: tuple[core.Expression, ...],
    env: Env,
    want: Type | None = None,
) -> C:
    operator = closure.operator
    if isinstance(operator, core.Definition) and not operator.recursive and _looks_behind(x, operator):
        return inline(x, e, operator, by_name(x, operator, arguments, env), env.inside(closure.env), want)
    return apply_values(x, e, closure, [argument_of(x, a, env) for a in arguments], env, want)


def apply_values(
    x: Context, e: core.Expression, closure: Closure, values: list[C | Closure], env: Env, want: Type | None = None
) -> C:
    operator = closure.operator
    inner = env.inside(closure.env)
    if isinstance(operator, core.Definition):
        if operator.recursive:
            return apply_recursive(x, e, operator, values, env, closure)
        # A definition of LET sees itself's scope and what is defined beside it.
        return inline(x, e, operator, list(values), inner, want)
    if isinstance(operator, core.Lambda):
        statements, bound = "", {}
        for parameter, value in zip(operator.parameters, values, strict=True):
            if isinstance(value, C):
                more, value = x.given(value)
                statements += more
            bound[parameter] = value
        body = x.compile(operator.body, inner.bind(bound), want)
        return x.behind(statements, body) if statements else replace(body, lvalue=False, changes=(), kept=None)
    if isinstance(operator.target, core.Definition):
        meaning = inner.local.get(operator.target)
        if isinstance(meaning, Closure):
            return apply_values(x, e, meaning, values, env, want)
        return apply(x, e, operator.target, values, inner, want)
    raise x.refuse(e, "an operator that is not known here")


def _looks_behind(x: Context, definition: core.Definition) -> bool:
    """Whether the operator may look behind the values of its arguments: prime them, or ask whether one is ENABLED."""
    return definition.level >= core.ACTION or bool(x.analysis.by_name_parameters(definition))
