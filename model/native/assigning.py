"""Which variables a formula gives values, what it leaves unchanged, and what the parameters of its operators mean."""

from __future__ import annotations

from dataclasses import dataclass, field

from rmqproof.model.actions.names import variable_of
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import with_definitions

from .expression import Expressions
from .questions import has_one_way
from .terms import Bound, C, Env, Named


@dataclass(slots=True)
class Assignments:
    """What Init (`initial`) or Next assigns."""

    expressions: Expressions
    initial: bool
    _known: dict[core.Expression, bool] = field(default_factory=dict)

    def assigns(self, e: core.Expression, seen: frozenset[int] = frozenset()) -> bool:
        """Whether `e` may assign a variable."""
        if e not in self._known or seen:
            answer = self._find_assignment(e, seen)
            if seen:
                return answer
            self._known[e] = answer
        return self._known[e]

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
        return any(self.assigns(child, seen) for child in with_definitions(e))

    def assigns_in(self, definition: core.Definition, seen: frozenset[int]) -> bool:
        return self.assigns(definition.body, seen | {id(definition)})

    def unassigned(self, e: core.Expression, env: Env) -> core.Variable | None:
        """The variable that `e` names (in Next: its next value) and that has no value yet."""
        variable = variable_of(e, env, primed=not self.initial)
        return variable if variable is not None and variable not in (env.primed or {}) else None

    def arguments(
        self, definition: core.Definition, arguments: tuple[core.Expression, ...], env: Env
    ) -> tuple[str, dict[core.Binding, Bound]]:
        """Statements, and what the parameters mean: by name where a prime on the argument means something."""
        x = self.expressions
        statements = ""
        bound: dict[core.Binding, Bound] = {}
        for parameter, given in zip(definition.parameters, arguments, strict=True):
            if not parameter.arity and not has_one_way(given) and not self.assigns(given):
                raise x.refuse(given, "a condition with several ways to be true, passed as an argument")
            known = env.bindings.get(given.binding) if isinstance(given, core.Reference) else None
            if isinstance(known, Named):
                bound[parameter] = known
                continue
            if _closed(given) or not (_may_be_primed(given, env) or self.unassigned(given, env) is not None):
                argument = x.argument(given, env)
                if isinstance(argument, C):
                    more, argument = x.held(argument)
                    statements += more
                bound[parameter] = argument
                continue
            bound[parameter] = Named(given, env)
            if not variable_of(given, env, primed=False) and self.unassigned(given, env) is None:
                computed = x.compile(given, env)
                if not computed.risky:
                    more, computed = x.held(computed)
                    statements += more
                    bound[parameter] = Named(given, env, computed)
        return statements, bound


def _closed(e: core.Expression) -> bool:
    return isinstance(e, core.OperatorArgument | core.Lambda)


def _may_be_primed(e: core.Expression, env: Env) -> bool:
    """Whether the expression speaks of variables, itself or by parameters, so that a prime on it means something."""
    if isinstance(e, core.VariableReference):
        return True
    if isinstance(e, core.Reference):
        return isinstance(env.bindings.get(e.binding), Named)
    if isinstance(e, core.Call):
        meaning = env.local.get(e.definition)
        if meaning is not None and _may_be_primed(e.definition.body, meaning.env):
            return True
        return e.definition.level > core.CONSTANT or any(_may_be_primed(a, env) for a in e.arguments)
    return any(_may_be_primed(child, env) for child in with_definitions(e))
