"""Init and Next to C: formulas that assign variables become nested loops and conditions that emit states.

As in TLC, every way to make the formula true emits a state: a disjunction tries each side, `\\E` each element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rmqproof.model.tla import core
from rmqproof.model.tla.types import operators
from rmqproof.model.tla.types.domain import Function, Type
from rmqproof.model.tla.types.walk import children

from .expression import Expressions
from .terms import Bound, C, Change, Closure, Env, Named

Continue = Callable[[Env], str]
LARGEST_ACTION = 3_000_000


@dataclass(slots=True)
class Formulas:
    """Compiles Init (`initial`) or Next to statements that emit states."""

    expressions: Expressions
    variables: tuple[core.Variable, ...]
    emit: Callable[[Env, core.Expression], str]
    initial: bool
    public: frozenset[core.Definition] = frozenset()
    """Definitions that give a step its name."""
    showing: bool = False
    """Steps carry the arguments of their actions."""
    _entered: list[core.Definition] = field(default_factory=list)
    _assigns: dict[core.Expression, bool] = field(default_factory=dict)

    def compile(self, e: core.Expression, env: Env) -> str:
        return self.act(e, env, lambda final: self.emit(final, e))

    def act(self, e: core.Expression, env: Env, then: Continue) -> str:
        """Statements that run `then` for every way to make `e` true."""
        x = self.expressions
        if not self.assigns(e):
            return self.guard(e, env, then)
        match e:
            case core.Builtin(operator="/\\"):
                return self.conjunction(e.arguments, env, then)
            case core.Builtin(operator="\\/"):
                return self.disjunction(e, env, then)
            case core.Builtin(operator="="):
                variable = self.unassigned(e.arguments[0], env)
                if variable is not None:
                    return self.assign(variable, e.arguments[1], env, then)
            case core.Builtin(operator="\\subseteq"):
                variable = self.unassigned(e.arguments[0], env)
                if variable is not None:
                    subsets = core.Builtin(e.at, "SUBSET", (e.arguments[1],))
                    return self.choose(core.Builtin(e.at, "\\in", (e.arguments[0], subsets)), variable, env, then)
            case core.Builtin(operator="\\in"):
                variable = self.unassigned(e.arguments[0], env)
                if variable is not None:
                    return self.choose(e, variable, env, then)
            case core.Builtin(operator="UNCHANGED"):
                return self.unchanged(e, e.arguments[0], env, then)
            case core.Builtin(operator="=>"):
                condition = x.condition(e.arguments[0], env)
                yes = self.act(e.arguments[1], env, then)
                return f"if ({condition.code}) {{ {yes} }} else {{ {then(env)} }}"
            case core.Quantified(kind="\\A"):
                raise x.refuse(e, "\\A over what a step may do")
            case core.Quantified(kind="\\E"):
                return x.nested(e.binders, env, lambda _, inner: self.act(e.body, inner, then))[0]
            case core.If():
                known = x.truth(e.condition, env, self.initial)
                if known is not None:
                    return self.act(e.then if known else e.otherwise, env, then)
                condition = x.condition(e.condition, env)
                yes, no = self.act(e.then, env, then), self.act(e.otherwise, env, then)
                return f"if ({condition.code}) {{ {yes} }} else {{ {no} }}"
            case core.Case():
                code = ""
                for guard, body in e.arms:
                    code += f"if ({x.condition(guard, env).code}) {{ {self.act(body, env, then)} }} else "
                return code + ("{ " + (self.act(e.other, env, then) if e.other is not None else x.fail(e)) + " }")
            case core.Let():
                x.typing.local.update(e.definitions)
                statements, inner = x.definitions(e, env)
                return f"{{ {statements} {self.act(e.body, inner, self._back(env, then))} }}"
            case core.Label():
                return self.act(e.body, env, then)
            case core.Call():
                return self.call(e, env, then)
            case core.CallParameter():
                closure = env.bindings.get(e.binding)
                if isinstance(closure, Closure):
                    return self.closure(e, closure, e.arguments, env, then)
            case core.BoxAction():
                left = self.act(e.action, env, then)
                return f"{{ {left} }} {{ {self.unchanged(e, e.subscript, env, then)} }}"
            case core.AngleAction():
                changed = core.Builtin(e.at, "#", (core.Builtin(e.at, "'", (e.subscript,)), e.subscript))
                return self.act(
                    e.action, env, lambda after: f"if ({x.condition(changed, after).code}) {{ {then(after)} }}"
                )
        condition = x.condition(e, env)
        return f"if ({condition.code}) {{ {then(env)} }}"

    def _back(self, outer: Env, then: Continue) -> Continue:
        """`then` in the scope `outer` with what was assigned since."""
        return lambda inner: then(replace(outer, primed=inner.primed).named_as(inner))

    def guard(self, e: core.Expression, env: Env, then: Continue) -> str:
        """A formula that assigns nothing: `then` runs once for every way to make it true, as TLC counts them."""
        if _plain(e):
            return f"if ({self.expressions.condition(e, env).code}) {{ {then(env)} }}"
        n = self.expressions.name("n")
        return f"for (I {n} = {self.ways(e, env)}; {n} > 0; {n}--) {{ {then(env)} }}"

    def ways(self, e: core.Expression, env: Env) -> str:
        """The number of ways to make `e` true: a C expression."""
        x = self.expressions
        if _plain(e):
            return f"(I)(({x.condition(e, env).code}) != 0)"
        n = x.name("n")
        match e:
            case core.Builtin(operator="/\\"):
                steps = " ".join(f"if ({n}) {n} *= {self.ways(part, env)};" for part in e.arguments)
                return f"({{ I {n} = 1; {steps} {n}; }})"
            case core.Builtin(operator="\\/"):
                return "(" + " + ".join(self.ways(part, env) for part in e.arguments) + ")"
            case core.Builtin(operator="=>"):
                condition = x.condition(e.arguments[0], env)
                return f"({condition.code} ? {self.ways(e.arguments[1], env)} : 1)"
            case core.Quantified(kind="\\E"):
                loop, _ = x.nested(e.binders, env, lambda _, inner: f"{n} += {self.ways(e.body, inner)};")
                return f"({{ I {n} = 0; {loop} {n}; }})"
            case core.Quantified():
                loop, _ = x.nested(e.binders, env, lambda _, inner: f"if ({n}) {n} *= {self.ways(e.body, inner)};")
                return f"({{ I {n} = 1; {loop} {n}; }})"
            case core.If():
                condition = x.condition(e.condition, env)
                return f"({condition.code} ? {self.ways(e.then, env)} : {self.ways(e.otherwise, env)})"
            case core.Case():
                code = ""
                for guard, body in e.arms:
                    code += f"if ({x.condition(guard, env).code}) {n} = {self.ways(body, env)}; else "
                code += f"{n} = {self.ways(e.other, env)};" if e.other is not None else x.fail(e)
                return f"({{ I {n} = 0; {code} {n}; }})"
            case core.Let():
                statements, inner = x.definitions(e, env)
                return f"({{ {statements} {self.ways(e.body, inner)}; }})"
            case core.Label():
                return self.ways(e.body, env)
            case core.Call():
                return self.ways_of_call(e, env)
            case core.FunctionApplication():
                raise x.refuse(e, "a condition with several ways to be true inside of a function")
        return f"(I)(({x.condition(e, env).code}) != 0)"

    def ways_of_call(self, e: core.Call, env: Env) -> str:
        x, definition = self.expressions, e.definition
        meaning = env.local.get(definition)
        if isinstance(meaning, Named):
            return self.ways(meaning.body, env.inside(meaning.env))
        if isinstance(meaning, Closure) and not isinstance(meaning.operator, core.Definition):
            return f"(I)(({x.condition(e, env).code}) != 0)"
        if not e.arguments and definition.level == core.CONSTANT and definition not in x.typing.local:
            # TLC computes such a definition once, before it searches
            return f"(I)(({x.condition(e, env).code}) != 0)"
        outer = env.inside(meaning.env) if isinstance(meaning, Closure) else replace(env, bindings={}, local={})
        statements, bound = self.arguments(definition, e.arguments, env)
        if self._entered.count(definition) > 20:
            raise x.refuse(e, f"{definition.name} is recursive")
        self._entered.append(definition)
        try:
            inner = self.ways(definition.body, outer.bind(bound))
        finally:
            self._entered.pop()
        return f"({{ {statements} {inner}; }})"

    def conjunction(self, parts: tuple[core.Expression, ...], env: Env, then: Continue) -> str:
        if len(parts) > 1:
            env = replace(env, final=not env.root)

        def rest(number: int, at: Env) -> str:
            if number == len(parts):
                return then(at)
            if not at.same_name(env):
                at = replace(at, final=True)
            return self.follow(parts[number], at, lambda after: rest(number + 1, after))

        return rest(0, env)

    def complete(self, env: Env) -> bool:
        return len(env.primed or {}) == len(self.variables)

    def follow(self, e: core.Expression, env: Env, then: Continue) -> str:
        """A conjunct: once every variable has a value it is a test, as in TLC."""
        if self.expressions.truth(e, env, self.initial) is False:
            return ";"
        if self.complete(env):
            return f"if ({self.expressions.condition(e, env).code}) {{ {then(env)} }}"
        return self.act(e, env, then)

    def disjunction(self, e: core.Builtin, env: Env, then: Continue) -> str:
        x = self.expressions
        codes = []
        size = 0
        for part in e.arguments:
            code = self.act(part, env, then)
            size += len(code)
            if size > LARGEST_ACTION:
                raise x.refuse(e, "an action that unfolds to too much code")
            codes.append(f"{{ {code} }}")
        return " ".join(codes)

    def assigns(self, e: core.Expression, seen: frozenset[int] = frozenset()) -> bool:
        """Whether `e` may assign a variable."""
        if e not in self._assigns or seen:
            answer = self._find_assignment(e, seen)
            if seen:
                return answer
            self._assigns[e] = answer
        return self._assigns[e]

    def _find_assignment(self, e: core.Expression, seen: frozenset[int]) -> bool:
        if isinstance(e, core.Builtin):
            if e.operator == "UNCHANGED":
                return True
            if e.operator in ("=", "\\in", "\\subseteq"):
                left = e.arguments[0]
                if self.initial and isinstance(left, core.VariableReference | core.Reference):
                    return True
                if not self.initial and isinstance(left, core.Builtin) and left.operator == "'":
                    return True
                if isinstance(left, core.Reference) and left.binding in self.expressions.passed.as_next:
                    return True
        if isinstance(e, core.Call) and id(e.definition) not in seen and self.assigns_in(e.definition, seen):
            return True
        if isinstance(e, core.CallParameter | core.BoxAction | core.AngleAction):
            return True
        return any(self.assigns(child, seen) for child in children(e))

    def assigns_in(self, definition: core.Definition, seen: frozenset[int]) -> bool:
        return self.assigns(definition.body, seen | {id(definition)})

    def unassigned(self, e: core.Expression, env: Env) -> core.Variable | None:
        """The variable that `e` names and that has no value yet."""
        if not self.initial:
            while isinstance(e, core.Reference) and e.binding in self.expressions.passed.as_next:
                bound = env.bindings.get(e.binding)
                if not isinstance(bound, Named):
                    return None
                e, env = bound.body, bound.env
            if not (isinstance(e, core.Builtin) and e.operator == "'"):
                return None
            e = e.arguments[0]
        variable = self.variable(e, env)
        return variable if variable is not None and variable not in (env.primed or {}) else None

    def variable(self, e: core.Expression, env: Env) -> core.Variable | None:
        for _ in range(50):
            if isinstance(e, core.VariableReference):
                return e.variable
            if isinstance(e, core.Reference):
                bound = env.bindings.get(e.binding)
                if not isinstance(bound, Named):
                    return None
                e, env = bound.body, bound.env
            elif isinstance(e, core.Call) and not e.arguments:
                meaning = env.local.get(e.definition)
                e = e.definition.body
                if isinstance(meaning, Named):
                    env = meaning.env
            else:
                return None
        return None

    def stored(self, variable: core.Variable, value: C) -> C:
        """The value in the variable's own type, checked."""
        x = self.expressions
        before, x.target = x.target, variable.index
        try:
            return x.to(value, x.variables[variable])
        finally:
            x.target = before

    def computed(self, variable: core.Variable, e: core.Expression, env: Env, changes: Sequence[Change] = ()) -> C:
        x = self.expressions
        before, x.target = x.target, variable.index
        try:
            if changes and isinstance(e, core.Except):
                return x.updated(e, env, x.variables[variable], changes)
            return x.compile(e, env, x.variables[variable])
        finally:
            x.target = before

    def assign(self, variable: core.Variable, e: core.Expression, env: Env, then: Continue) -> str:
        x = self.expressions
        if not self.initial and not env.next and isinstance(e, core.VariableReference) and e.variable is variable:
            return then(env.assign(variable, self.same(variable)))
        changes = self.changes(variable, e, env)
        declared = "".join(f"I {change.rank} = -1; {self.element_of(variable)} {change.value}; " for change in changes)
        computed = self.computed(variable, e, env, changes)
        value = self.stored(variable, computed)
        name = x.name("t")
        type_ = x.variables[variable]
        inner = then(env.assign(variable, C(name, type_, False, True, computed.changes)))
        return f"{{ {declared}{x.c_type(type_)} {name} = {value.code}; (void){name}; {inner} }}"

    def changes(self, variable: core.Variable, e: core.Expression, env: Env) -> tuple[Change, ...]:
        """Names for what changes of a function where `e` says so element by element."""
        x = self.expressions
        if self.initial or env.next or env.current != "s" or not isinstance(e, core.Except):
            return ()
        base = e.function
        if not (isinstance(base, core.VariableReference) and base.variable is variable):
            return ()
        if not isinstance(x.variables[variable], Function):
            return ()
        return tuple(Change(x.name("r"), x.name("e")) for _ in e.updates)

    def element_of(self, variable: core.Variable) -> str:
        """The C type of the values of a variable that is a function."""
        type_ = self.expressions.variables[variable]
        assert isinstance(type_, Function)
        return self.expressions.c_type(type_.value)

    def same(self, variable: core.Variable) -> C:
        return C(f"s->v{variable.index}", self.expressions.variables[variable], False, True)

    def choose(self, e: core.Builtin, variable: core.Variable, env: Env, then: Continue) -> str:
        x = self.expressions

        def body(value: C) -> str:
            stored = self.stored(variable, value)
            name = x.name("t")
            type_: Type = x.variables[variable]
            inner = then(env.assign(variable, C(name, type_, False, True)))
            return f"{x.c_type(type_)} {name} = {stored.code}; (void){name}; {inner}"

        return x.each(e.arguments[1], env, body)[0]

    def unchanged(self, at: core.Expression, e: core.Expression, env: Env, then: Continue) -> str:
        """`e` keeps its value: assign its variables, test those that are assigned."""
        x = self.expressions
        parts = self.parts(e, env)
        tests: list[str] = []
        for part, scope in parts:
            variable = self.variable(part, scope)
            if variable is not None and variable not in (env.primed or {}):
                env = env.assign(variable, self.same(variable))
            else:
                same = core.Builtin(at.at, "=", (core.Builtin(at.at, "'", (part,)), part))
                tests.append(x.condition(same, env.inside(scope)).code)
        inner = then(env)
        return f"if ({' && '.join(tests)}) {{ {inner} }}" if tests else inner

    def parts(self, e: core.Expression, env: Env) -> list[tuple[core.Expression, Env]]:
        """The variables of a tuple of tuples."""
        match e:
            case core.TupleExpression():
                return [part for item in e.items for part in self.parts(item, env)]
            case core.Call() if not e.arguments:
                meaning = env.local.get(e.definition)
                if isinstance(meaning, Named):
                    return self.parts(meaning.body, meaning.env)
                return self.parts(e.definition.body, env)
            case core.Reference():
                bound = env.bindings.get(e.binding)
                if isinstance(bound, Named):
                    return self.parts(bound.body, bound.env)
            case core.Label():
                return self.parts(e.body, env)
        return [(e, env)]

    def call(self, e: core.Call, env: Env, then: Continue) -> str:
        x, definition = self.expressions, e.definition
        meaning = env.local.get(definition)
        if isinstance(meaning, Named):
            inner = env.inside(meaning.env)
            return self.act(meaning.body, inner, self._back(env, then))
        if isinstance(meaning, Closure):
            return self.closure(e, meaning, e.arguments, env, then)
        if definition.recursive:
            raise x.refuse(e, f"{definition.name}, a recursive action")
        return self.enter(e, definition, e.arguments, replace(env, bindings={}, local={}), env, then, named=True)

    def enter(
        self,
        e: core.Expression,
        definition: core.Definition,
        arguments: tuple[core.Expression, ...],
        outer: Env,
        env: Env,
        then: Continue,
        *,
        named: bool = False,
    ) -> str:
        """The body of a definition, whose own scope is `outer`, applied to arguments of the scope `env`.

        `named`: a step of it is called by its name, and with these arguments.
        """
        if self._entered.count(definition) > 20:
            raise self.expressions.refuse(e, f"{definition.name} is recursive")
        statements, bound = self.arguments(definition, arguments, env)
        if not env.final and definition in self.public:
            shown = tuple(value for value in map(self._shown, bound.values()) if value is not None) if named else ()
            outer = replace(outer, action=definition.name, arguments=shown, root=not env.action)
        self._entered.append(definition)
        try:
            inner = self.act(definition.body, outer.bind(bound), self._back(env, then))
        finally:
            self._entered.pop()
        return f"{{ {statements} {inner} }}" if statements else inner

    def _shown(self, bound: Bound) -> C | None:
        """The value of an argument by which a step is told from others, where it is a value that can be had."""
        if not self.showing:
            return None
        if isinstance(bound, C):
            return bound
        if isinstance(bound, Named) and bound.value is not None:
            return bound.value
        if isinstance(bound, Named) and self.variable(bound.body, bound.env) is not None:
            return self.expressions.compile(bound.body, bound.env)
        return None

    def arguments(
        self, definition: core.Definition, arguments: tuple[core.Expression, ...], env: Env
    ) -> tuple[str, dict[core.Binding, Bound]]:
        """Statements, and what the parameters mean: by name where a prime on the argument means something."""
        x = self.expressions
        statements = ""
        bound: dict[core.Binding, Bound] = {}
        for parameter, given in zip(definition.parameters, arguments, strict=True):
            if not parameter.arity and not _plain(given) and not self.assigns(given):
                raise x.refuse(given, "a condition with several ways to be true, passed as an argument")
            if _closed(given) or not (_may_be_primed(given) or self.unassigned(given, env) is not None):
                argument = x.argument(given, env)
                if isinstance(argument, C):
                    more, argument = x.held(argument)
                    statements += more
                bound[parameter] = argument
                continue
            bound[parameter] = Named(given, env)
            if not self.variable(given, env) and self.unassigned(given, env) is None:
                computed = x.compile(given, env)
                if not computed.risky:
                    more, computed = x.held(computed)
                    statements += more
                    bound[parameter] = Named(given, env, computed)
        return statements, bound

    def closure(
        self, e: core.Expression, closure: Closure, arguments: tuple[core.Expression, ...], env: Env, then: Continue
    ) -> str:
        operator, outer = closure.operator, env.inside(closure.env)
        if isinstance(operator, core.Definition):
            return self.enter(e, operator, arguments, outer, env, then)
        if isinstance(operator, core.OperatorArgument) and isinstance(operator.target, core.Definition):
            return self.enter(e, operator.target, arguments, replace(outer, bindings={}, local={}), env, then)
        if isinstance(operator, core.Lambda):
            named = {p: Named(a, env) for p, a in zip(operator.parameters, arguments, strict=True)}
            return self.act(operator.body, outer.bind(named), self._back(env, then))
        return f"if ({self.expressions.condition(e, env).code}) {{ {then(env)} }}"


def _plain(e: core.Expression, entered: frozenset[core.Definition] = frozenset()) -> bool:
    """Whether there is one way only to make the condition true, as TLC tries it."""

    def plain(*parts: core.Expression) -> bool:
        return all(_plain(part, entered) for part in parts)

    match e:
        case core.Builtin(operator="/\\"):
            return plain(*e.arguments)
        case core.Builtin(operator="\\/") | core.Quantified(kind="\\E"):
            return False
        case core.Builtin(operator="=>"):
            return plain(e.arguments[1])
        case core.Quantified(kind="\\A") | core.Let() | core.Label():
            return plain(e.body)
        case core.Call():
            return e.definition in entered or _plain(e.definition.body, entered | {e.definition})
        case core.FunctionApplication():
            constructor = _constructor(e.function)
            return constructor is None or plain(constructor.body)
        case core.If():
            return plain(e.then, e.otherwise)
        case core.Case():
            return plain(*(body for _, body in e.arms), *([e.other] if e.other is not None else []))
        case core.CallParameter():
            return False
    return True


def _constructor(e: core.Expression) -> core.FunctionConstructor | None:
    """The `[x \\in S |-> …]` that a function stands for, where TLC looks into it."""
    if isinstance(e, core.Call) and not e.arguments:
        e = e.definition.body
    return e if isinstance(e, core.FunctionConstructor) else None


def _closed(e: core.Expression) -> bool:
    return isinstance(e, core.OperatorArgument | core.Lambda)


def _may_be_primed(e: core.Expression) -> bool:
    """Whether the expression speaks of variables, so that a prime on it means something."""
    if isinstance(e, core.VariableReference | core.Reference):
        return isinstance(e, core.VariableReference)
    if isinstance(e, core.Call):
        return e.definition.level > core.CONSTANT or any(_may_be_primed(a) for a in e.arguments)
    return any(_may_be_primed(child) for child in children(e))


__all__ = ["Formulas", "operators"]
