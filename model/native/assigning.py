"""Which variables a formula gives values, what it leaves unchanged, and what the parameters of its operators mean."""

from __future__ import annotations

from dataclasses import field

from rmqproof.model.actions.effects import Effects
from rmqproof.model.actions.names import variable_of
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core

from .calls import argument_of, depends_on_state
from .context import Context
from .terms import Bound, C, Env, Named


@dataclass(slots=True)
class Assignments:
    """What Init (`initial`) or Next assigns."""

    expressions: Context
    initial: bool
    effects: Effects = field(init=False)

    def __post_init__(self) -> None:
        self.effects = Effects(self.initial)

    def unassigned(self, e: core.Expression, env: Env) -> core.Variable | None:
        """The variable that `e` names (in Next: its next value) and that has no value yet."""
        variable = variable_of(e, env, primed=not self.initial)
        return variable if variable is not None and variable not in (env.primed or {}) else None

    def _is_condition_with_ways(self, e: core.Expression, env: Env) -> bool:
        return self.effects.several_ways(e, env) and not self.effects.gives_value(e, env)

    def _assigns(self, e: core.Expression, env: Env) -> bool:
        """Whether `e` has no value yet, since it is, or gives a value to, what has none."""
        return self.unassigned(e, env) is not None or self.effects.gives_value(e, env)

    def arguments(
        self, definition: core.Definition, arguments: tuple[core.Expression, ...], env: Env
    ) -> tuple[str, dict[core.Binding, Bound]]:
        """Statements, and what the parameters mean: by name where an argument depends on the state, or can be true in
        several ways, each of which is taken where the parameter is followed."""
        x = self.expressions
        statements = ""
        bound: dict[core.Binding, Bound] = {}
        for parameter, given in zip(definition.parameters, arguments, strict=True):
            known = env.bindings.get(given.binding) if isinstance(given, core.Reference) else None
            if isinstance(known, Named):
                bound[parameter] = known
                continue
            ways = not parameter.arity and self._is_condition_with_ways(given, env)
            by_name = ways or depends_on_state(given, env) or self.unassigned(given, env) is not None
            if _closed(given) or not by_name:
                argument = argument_of(x, given, env)
                if isinstance(argument, C):
                    more, argument = x.given(argument)
                    statements += more
                bound[parameter] = argument
                continue
            bound[parameter] = Named(given, env)
            if not variable_of(given, env, primed=False) and not self._assigns(given, env):
                computed = x.compile(given, env)
                if not computed.risky:
                    more, computed = x.held(computed)
                    statements += more
                    bound[parameter] = Named(given, env, computed)
        return statements, bound


def _closed(e: core.Expression) -> bool:
    return isinstance(e, core.OperatorArgument | core.Lambda)
