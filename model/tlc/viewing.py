"""`-view`: states as VIEW shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rmqproof.model.evaluate.itf import from_itf, to_itf
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.report.behaviour import Value
from rmqproof.model.report.value import sequence_elements
from rmqproof.model.tla import core
from rmqproof.model.tlc.layout import Layout


class ViewLayout(Layout):
    """Writes a state as the value of VIEW. A view that is a tuple of variables is written as a state of those."""

    def __init__(self, layout: Layout, view: core.Definition, system: Callable[[], PythonSystem]) -> None:
        super().__init__(layout.notation)
        self._view, self._system = view, system
        self._names = _variables(view.body)

    def state(self, state: Mapping[str, Value], before: Mapping[str, Value] | None = None) -> str:
        """With `before` as without a view, and so where an ALIAS is shown instead of the state."""
        system = self._system()
        if before is not None or set(state) != set(system.variables):
            return super().state(state, before)
        values = [from_itf(state[name], system.model.model_values) for name in system.variables]
        shown = to_itf(system.evaluate_state(self._view.body, system.state(values)))
        elements = sequence_elements(shown)
        if self._names and elements is not None:
            pairs = zip(self._names, elements, strict=True)
            return "".join(f"/\\ {name} = {self.value(element)}\n" for name, element in pairs)
        return self.value(shown)


def _variables(view: core.Expression) -> tuple[str, ...]:
    """Their names, where the view is a tuple of different ones; else none."""
    entered: set[core.Definition] = set()
    while isinstance(view, core.Call) and not view.arguments and view.definition not in entered:
        entered.add(view.definition)
        view = view.definition.body
    if not isinstance(view, core.TupleExpression):
        return ()
    names = tuple(item.variable.name for item in view.items if isinstance(item, core.VariableReference))
    return names if len(set(names)) == len(view.items) else ()
