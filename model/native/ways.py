"""How many ways there are to make a condition true, as TLC counts them: each is a step of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from rmqproof.model.actions.beforehand import is_table, known_before
from rmqproof.model.actions.form import (
    Apply,
    Arms,
    Choice,
    Conjunction,
    Disjunction,
    Enter,
    ForEach,
    Inside,
    Local,
    Parameter,
    form_of,
)
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Int

from .assigning import Assignments
from .calls import local_definitions
from .context import Context
from .functions import called, function_by_key, lifted_function
from .loops import nested
from .terms import C, Closure, Env, Named, Recursion
from .unfolding import opened

NUMBER = Int()


@dataclass(slots=True)
class Ways:
    """Counts the ways through the guards of Init or Next, which assign no variable."""

    expressions: Context
    assignments: Assignments
    first: bool = False
    """Whether the first way that leads to an end is the last one that is tried."""
    _entered: list[core.Definition] = field(default_factory=list)
    _followed: dict[core.Binding, Recursion] = field(default_factory=dict)
    """The C functions that count the ways through recursive functions, while their bodies are written."""

    def guard(self, e: core.Expression, env: Env, then: Callable[[Env], str]) -> str:
        """Statements that run `then` once for every way to make `e` true."""
        if self.one_way(e, env):
            return f"if ({self.expressions.condition(e, env).code}) {{ {then(env)} }}"
        if self.first:
            # All ways lead on alike, so one is followed; the others are evaluated after it: one may have no value.
            condition = self.expressions.condition(e, env)
            others = f" (void)({self.ways(e, env)});" if condition.risky else ""
            return f"if ({condition.code}) {{ {then(env)} }}{others}"
        n = self.expressions.name("n")
        return f"for (I {n} = {self.ways(e, env)}; {n} > 0; {n}--) {{ {then(env)} }}"

    def one_way(self, e: core.Expression, env: Env) -> bool:
        effects = self.assignments.effects
        return not effects.several_ways(e, env) and self._followed.keys().isdisjoint(effects.of(e).several_by)

    def ways(self, e: core.Expression, env: Env) -> str:
        """The number of ways to make `e` true: a C expression."""
        x = self.expressions
        if self.one_way(e, env):
            return f"(I)(({x.condition(e, env).code}) != 0)"
        n = x.name("n")
        match form_of(e, self.assignments.initial):
            case Conjunction(parts=parts):
                steps = " ".join(f"if ({n}) {n} *= {self.ways(part, env)};" for part in parts)
                return f"({{ I {n} = 1; {steps} {n}; }})"
            case Disjunction(parts=parts):
                return "(" + " + ".join(self.ways(part, env) for part in parts) + ")"
            case Arms(arms=arms, otherwise=otherwise):
                code = ""
                for condition, body in arms:
                    code += f"if ({x.condition(condition, env).code}) {n} = {self.ways(body, env)}; else "
                code += f"{n} = {self.ways(otherwise, env)};" if otherwise is not None else x.fail(e)
                return f"({{ I {n} = 0; {code} {n}; }})"
            case Choice(quantified=some):
                loop, _ = nested(
                    x,
                    some.binders,
                    env,
                    lambda _, inner: f"{n} += {self.ways(some.body, inner)};",
                    condition=some.body,
                )
                return f"({{ I {n} = 0; {loop} {n}; }})"
            case ForEach(quantified=every):
                loop, _ = nested(
                    x, every.binders, env, lambda _, inner: f"if ({n}) {n} *= {self.ways(every.body, inner)};"
                )
                return f"({{ I {n} = 1; {loop} {n}; }})"
            case Local(let=let):
                statements, inner = local_definitions(x, let, env)
                return f"({{ {statements} {self.ways(let.body, inner)}; }})"
            case Inside(body=body):
                return self.ways(body, env)
            case Parameter(reference=reference) if (passed := env.passed(reference.binding)) is not None:
                return self.ways(*passed)
            case Enter(call=call):
                return self.ways_of_call(call, env)
            case Apply(application=application):
                return self.ways_of_application(application, env)
        return f"(I)(({x.condition(e, env).code}) != 0)"

    def ways_of_call(self, e: core.Call, env: Env) -> str:
        x, definition = self.expressions, e.definition
        meaning = env.local.get(definition)
        if isinstance(meaning, Named):
            return self.ways(meaning.body, env.inside(meaning.env))
        if isinstance(meaning, Closure) and not isinstance(meaning.operator, core.Definition):
            return f"(I)(({x.condition(e, env).code}) != 0)"
        if known_before(e):
            return f"(I)(({x.condition(e, env).code}) != 0)"
        outer = env.inside(meaning.env) if isinstance(meaning, Closure) else replace(env, bindings={}, local={})
        statements, bound = self.assignments.arguments(definition, e.arguments, env)
        if self._entered.count(definition) > 20:
            raise x.refuse(e, f"{definition.name} is recursive")
        self._entered.append(definition)
        try:
            inner = self.ways(definition.body, outer.bind(bound))
        finally:
            self._entered.pop()
        return f"({{ {statements} {inner}; }})"

    def ways_of_application(self, e: core.FunctionApplication, env: Env) -> str:
        """`f[x]`: TLC looks into a function that it has not computed, a recursive one, too."""
        x, function = self.expressions, e.function
        if isinstance(function, core.Reference) and function.binding in self._followed:
            return called(x, e, self._followed[function.binding], x.compile(e.argument, env), "s").code
        constructor, outer = opened(function, env, lets=True)
        if not (isinstance(constructor, core.FunctionConstructor) and self._is_followed(function, constructor, outer)):
            return f"(I)(({x.condition(e, env).code}) != 0)"

        def count(own: Recursion, inner: Env) -> C:
            if constructor.recursion is None:
                return C(self.ways(constructor.body, inner), NUMBER)
            inner = inner.bind({constructor.recursion: function_by_key(x, constructor, inner)})
            self._followed[constructor.recursion] = own
            try:
                return C(self.ways(constructor.body, inner), NUMBER)
            finally:
                del self._followed[constructor.recursion]

        counting = lifted_function(x, constructor, outer, NUMBER, count)
        return called(x, e, counting, x.compile(e.argument, env), outer.current).code

    def _is_followed(self, function: core.Expression, constructor: core.FunctionConstructor, env: Env) -> bool:
        if isinstance(function, core.Call) and known_before(function) and is_table(function):
            return False
        return not self.one_way(constructor.body, env)
