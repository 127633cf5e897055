"""Temporal formulas over a lasso: finitely many states, from the last of which the behaviour goes back to one of them
(*Specifying Systems* 8.1 to 8.4, 16.2.4).

From position i the behaviour visits exactly the positions from min(i, loop) on, so `[]F` is F at all of those, `<>F` at
one of them. WF and SF speak of the loop alone, since they forget every finite beginning (8.4.1, 8.4.2).
"""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.tla.expression_level import expression_level

from .evaluator import Evaluator
from .moment import Environment, Late, Moment, State
from .problems import NotInReference


class Lasso:
    """The behaviour through `states` that goes on at `loop` after the last one.

    `back`: where the last step leads, a state that is taken for the one at `loop`; None: to that one.
    """

    def __init__(self, evaluator: Evaluator, states: list[State], loop: int, back: State | None = None) -> None:
        self.evaluator, self.states, self.loop = evaluator, states, loop
        self.back = states[loop] if back is None else back

    def at(self, index: int) -> Moment:
        after = self.states[index + 1] if index + 1 < len(self.states) else self.back
        return Moment(self.states[index], after)

    def later(self, index: int) -> range:
        """The positions that come, this one included."""
        return range(min(index, self.loop), len(self.states))

    def holds(self, node: core.Expression, env: Environment, index: int = 0) -> bool:
        """The truth of a formula of the behaviour from a position on."""
        if expression_level(node) < core.TEMPORAL:
            return self.evaluator.holds(node, env, self.at(index))
        match node:
            case core.Builtin(operator="[]", arguments=(inner,)):
                return all(self.holds(inner, env, later) for later in self.later(index))
            case core.Builtin(operator="<>", arguments=(inner,)):
                return any(self.holds(inner, env, later) for later in self.later(index))
            case core.Builtin(operator="~>", arguments=(first, second)):
                return all(
                    not self.holds(first, env, later) or any(self.holds(second, env, end) for end in self.later(later))
                    for later in self.later(index)
                )
            case core.Fairness():
                return self.fair(node, env)
            case core.Builtin(operator="/\\"):
                return all(self.holds(part, env, index) for part in node.arguments)
            case core.Builtin(operator="\\/"):
                return any(self.holds(part, env, index) for part in node.arguments)
            case core.Builtin(operator="~", arguments=(inner,)):
                return not self.holds(inner, env, index)
            case core.Builtin(operator="=>", arguments=(first, second)):
                return not self.holds(first, env, index) or self.holds(second, env, index)
            case core.Builtin(operator="<=>", arguments=(first, second)):
                return self.holds(first, env, index) == self.holds(second, env, index)
            case core.Quantified():
                inside = self.evaluator.bindings(node.binders, env, self.at(index))
                every = node.kind == "\\A"
                return (all if every else any)(self.holds(node.body, inner, index) for inner in inside)
            case core.If():
                chosen = node.then if self.holds(node.condition, env, index) else node.otherwise
                return self.holds(chosen, env, index)
            case core.Let():
                return self.holds(node.body, self.evaluator.with_definitions(node, env), index)
            case core.Label():
                return self.holds(node.body, env, index)
            case core.Reference() if isinstance(late := env.get(node.binding), Late):
                return self.holds(late.node, late.env, index)
            case core.Call() if isinstance(late := env.get(node.definition), Late):
                return self.holds(late.node, late.env, index)
            case core.Call():
                names = self.evaluator.called(node.definition, node.arguments, env)
                return self.holds(node.definition.body, names, index)
        raise NotInReference(f"the temporal formula {type(node).__name__}", node.at)

    def fair(self, node: core.Fairness, env: Environment) -> bool:
        """WF_v(A): <A>_v happens in the loop, or is not enabled somewhere in it; SF_v(A): or nowhere."""
        if node.stands_for is not None:  # ENABLED speaks of the instance's own variables (17.8)
            raise NotInReference(f"{node.kind} in an instance", node.at)
        step = core.AngleAction(node.at, node.action, node.subscript)
        loop = range(self.loop, len(self.states))
        if any(self.evaluator.holds(step, env, self.at(index)) for index in loop):
            return True
        enabled = (self.evaluator.actions.enabled(step, env, self.at(index)) for index in loop)
        return not (all(enabled) if node.kind == "WF" else any(enabled))
