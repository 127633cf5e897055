"""Which engine searches a model: machine code where it pays and covers the model, else the interpreter."""

from __future__ import annotations

from collections.abc import Callable

from rmqproof.model.evaluate.system import InterpretedSystem
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Result
from rmqproof.model.tla import core

from .engine import NativeModel, NativeSearch, permutations_of
from .errors import NoCompiler, NotCompilable

FIRST_LOOK = 1.5
"""Seconds that the interpreter gets before a compiler is started: half of what compiling a large model takes."""


def search(
    model: core.Model,
    system: InterpretedSystem,
    control: Control,
    workers: int | None,
    engine: str = "auto",
    say: Callable[[str], None] = lambda text: None,
) -> Result:
    """Search breadth-first with `engine`, which is `auto` or `native`. `say` gets a line for each change of plan.

    The interpreter takes over where the compiled form does not cover the model, or there is no compiler.
    """
    if engine == "auto":
        result = _first_look(system, control)
        if result is not None:
            return result
    native = NativeModel(model, system.check_deadlock, say, group=permutations_of(system))
    try:
        native.compile()
    except NotCompilable as error:
        say(f"The native engine does not cover this model ({error}); the interpreter runs.")
    except NoCompiler as error:
        say(f"{error} The interpreter runs.")
    else:
        return NativeSearch(native, system, control=control, workers=workers).run()
    return BreadthFirst(system, control=control, workers=workers).run()


def _first_look(system: InterpretedSystem, control: Control) -> Result | None:
    """The result, when the interpreter has one before a compiler would have started."""
    brief = Control(max_states=control.max_states, max_seconds=_shorter(FIRST_LOOK, control.max_seconds))
    result = BreadthFirst(system, control=brief, workers=1).run()
    if brief.stopped is None or _reached(control, brief):
        control.stopped = brief.stopped
        return result
    return None


def _shorter(seconds: float, limit: float | None) -> float:
    return seconds if limit is None else min(seconds, limit)


def _reached(control: Control, brief: Control) -> bool:
    """Whether the short search ended because of a limit that was asked for."""
    if control.max_seconds is not None and control.max_seconds <= FIRST_LOOK:
        return True
    return control.max_states is not None and str(brief.stopped) == "limit of states"


__all__ = ["search"]
