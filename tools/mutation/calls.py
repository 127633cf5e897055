"""Calls of the cores: recorded while the right ones run, and answered again by a mutant.

A core is deterministic: what it does depends on its state, its settings and what it is given. So a mutant that answers
every call of a run as the right core did goes through that run alike, however often the run makes each call.
"""

from __future__ import annotations

import pickle
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any

from tools.mutation.mutations import MODULES, Line, Mutant


@dataclass(slots=True)
class Call:
    """`kind`: which method of a core. `setup`: pickled, what the core was made with. `given`: pickled, state and
    arguments. `did`: pickled, result and state afterwards, which `text` shows. `lines` were executed. `runs` are the
    names of the runs that make it."""

    kind: str
    setup: bytes
    given: bytes
    did: bytes
    text: str
    lines: frozenset[Line]
    runs: set[str] = field(default_factory=set)


class Recorder:
    """Notes the different calls while it is entered. `run` is the name of the run that is under way, `replaced` the
    rules in it that are others than the repaired ones. `outside`: lines of the cores that are executed by others than
    their own methods, by run."""

    def __init__(self) -> None:
        self.run = ""
        self.replaced: Mapping[str, str] = {}
        self.outside: dict[str, set[Line]] = {}
        self._calls: dict[tuple[str, bytes, str], Call] = {}
        self._inside = False
        self._modules: dict[str, str | None] = {}

    @property
    def calls(self) -> list[Call]:
        return list(self._calls.values())

    def begin(self, run: str, replaced: Mapping[str, str]) -> None:
        self.run, self.replaced = run, dict(replaced)

    def note(self, kind: str, config: Any, given: Any, work: Callable[[], tuple[Any, Any]]) -> Any:
        """Do it, and remember what it did."""
        if self._inside:  # a step of the controller applies its events itself
            return work()[0]
        setup = pickle.dumps((config, dict(self.replaced)))
        key = (kind, setup, repr(given))
        known = self._calls.get(key)
        before = pickle.dumps(given) if known is None else b""
        self._inside = True
        try:
            did, lines = self.watched(work, known is None)
        finally:
            self._inside = False
        if known is None:
            known = self._calls[key] = Call(kind, setup, before, pickle.dumps(did), repr(did), lines)
        known.runs.add(self.run)
        return did[0]

    def watched(self, work: Callable[[], tuple[Any, Any]], new: bool = True) -> tuple[tuple[Any, Any], frozenset[Line]]:
        """What `work` gives, and if that is `new` the lines of the cores that it executes."""
        tracer = sys.gettrace()
        lines: set[Line] = set()
        sys.settrace(self._tracer(lines) if new else None)
        try:
            did = work()
        finally:
            sys.settrace(tracer)
        return did, frozenset(lines)

    def _tracer(self, lines: set[Line]) -> Callable[[FrameType, str, Any], Any]:
        modules = self._modules

        def entered(frame: FrameType, event: str, argument: Any) -> Any:
            path = frame.f_code.co_filename
            if path not in modules:
                modules[path] = next((module for module in MODULES if path.endswith(f"/{module}")), None)
            module = modules[path]
            if module is None:
                return None
            lines.add((module, frame.f_lineno))

            def line(frame: FrameType, event: str, argument: Any) -> Any:
                lines.add((module, frame.f_lineno))
                return line

            return line

        return entered

    def trace_outside(self) -> None:
        """From now on look at what is executed outside of calls, for the present run."""
        sys.settrace(self._tracer(self.outside.setdefault(self.run, set())))

    def __enter__(self) -> Recorder:
        from rmqproof.impl.broker.broker import Broker
        from rmqproof.impl.controller.controller import Controller

        step, start = Broker.step, Broker.__dict__["start"].__func__
        controller_step, apply = Controller.step, Controller.apply
        self._right = (Broker, step, start, Controller, controller_step, apply)
        note = self.note

        def broker_step(core: Any, given: Any) -> Any:
            return note("broker", core.config, (core.state(), given), lambda: (step(core, given), core.state()))

        def broker_start(cls: Any, config: Any, rules: Any, stored: Any = None) -> Any:
            made: list[Any] = []

            def work() -> tuple[Any, Any]:
                broker, outputs = start(cls, config, rules, stored)
                made.append(broker)
                return outputs, broker.state()

            outputs = note("start", config, (stored,), work)
            return made[0], outputs

        def step_of_controller(core: Any, given: Any, now: int, order: Sequence[int] = ()) -> Any:
            return note(
                "controller",
                core.config,
                (core.state(), given, now, tuple(order)),
                lambda: (controller_step(core, given, now, order), core.state()),
            )

        def apply_at_controller(core: Any, event: Any, **said: bool) -> Any:
            # what the caller leaves out is not put in: a default can be another one
            return note(
                "apply", core.config, (core.state(), event, said), lambda: (apply(core, event, **said), core.state())
            )

        Broker.step, Broker.start = broker_step, classmethod(broker_start)  # type: ignore[method-assign,assignment]
        Controller.step, Controller.apply = step_of_controller, apply_at_controller  # type: ignore[method-assign,assignment]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        sys.settrace(None)
        broker, step, start, controller, controller_step, apply = self._right
        broker.step, broker.start = step, classmethod(start)  # type: ignore[method-assign,assignment]
        controller.step, controller.apply = controller_step, apply  # type: ignore[method-assign]


def by_line(calls: Sequence[Call]) -> dict[Line, list[int]]:
    """The places of the calls that execute a line."""
    found: dict[Line, list[int]] = {}
    for place, call in enumerate(calls):
        for line in call.lines:
            found.setdefault(line, []).append(place)
    return found


def touched(mutant: Mutant, calls: Sequence[Call], places: Mapping[Line, Sequence[int]]) -> list[int]:
    """The places of the calls that execute a mutant."""
    if mutant.at_import:
        return list(range(len(calls)))
    return sorted({place for line in mutant.head for place in places.get(line, ())})


_REMARK = re.compile(r"remark=('[^']*'|\"[^\"]*\")")

# --- answering -------------------------------------------------------------------------------------------------------


def answer(call: Call, given: Any = None) -> tuple[Any, Any]:
    """What the cores that are imported now do: what comes out, and the state after it."""
    from rmqproof.impl.broker.broker import Broker
    from rmqproof.impl.broker.readings import broker_rules
    from rmqproof.impl.controller.config import controller_rules
    from rmqproof.impl.controller.controller import Controller

    given = pickle.loads(call.given) if given is None else given
    config, replaced = pickle.loads(call.setup)
    if call.kind == "start":
        started, outputs = Broker.start(config, broker_rules(replaced), *given)
        return outputs, started.state()
    if call.kind == "broker":
        broker = Broker(config, broker_rules(replaced))
        broker.set_state(given[0])
        result: Any = broker.step(given[1])
        return result, broker.state()
    controller = Controller(config, controller_rules(replaced))
    controller.set_state(given[0])
    result = controller.step(*given[1:]) if call.kind == "controller" else controller.apply(given[1], **given[2])
    return result, controller.state()


def difference(call: Call) -> tuple[str, str] | None:
    """What the cores that are imported now do otherwise: kinds of outputs and parts of the state, or only the text
    that explains an answer (`remark`); and all that they do, as text."""
    try:
        did = answer(call)
        text = repr(did)
    except Exception as error:
        return "exception", f"{type(error).__name__}: {error}"
    if text == call.text:
        return None
    if _REMARK.sub("", text) == _REMARK.sub("", call.text):
        return "remark", text
    return ", ".join(_parts(pickle.loads(call.did), did)), text


def _parts(right: tuple[Any, Any], wrong: tuple[Any, Any]) -> list[str]:
    (result, state), (other, after) = right, wrong

    def outputs(of: Any) -> list[Any]:
        return list(of) if isinstance(of, list) else [*of.outputs, of.response, of.undecided]

    parts = [name for name in state if repr(state[name]) != repr(after.get(name))]
    one, two = Counter(map(repr, outputs(result))), Counter(map(repr, outputs(other)))
    kinds = {text.split("(")[0] for text in (one - two) + (two - one)}
    return sorted(parts) + sorted(kinds) or ["order of outputs"]
