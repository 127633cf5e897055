"""The Python functions of a model: its initial states, the successors of a state, tests and values of states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rmqproof.model.actions.naming import StepName
from rmqproof.model.evaluate.action_writer import ActionWriter
from rmqproof.model.evaluate.actions import follow
from rmqproof.model.evaluate.fingerprint import Digests
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lazy import plain
from rmqproof.model.evaluate.lines import Lines
from rmqproof.model.evaluate.scope import Env, LocalFrame, Names, WholeFrame
from rmqproof.model.evaluate.shape import NEVER, Shape, join
from rmqproof.model.evaluate.steps import Progress, Then
from rmqproof.model.search.system import Transition
from rmqproof.model.tla.core import Call, Expression, Model
from rmqproof.model.tla.source import Location

State = tuple[Any, ...]
"""The values of the variables in their order, and then the state's fingerprint (0 with VIEW or SYMMETRY)."""


class Appendable(Protocol):
    """Where generated code puts the states and transitions that it finds."""

    def append(self, item: Any, /) -> None: ...


class Program:
    """The functions that one generator wrote for a system; without `steps` those for initial states alone."""

    initial: Callable[[Appendable], None]
    next: Callable[[State, Appendable], None]

    def __init__(
        self,
        g: Generator,
        model: Model,
        actions: list[str],
        between: list[int],
        tables: Sequence[Digests],
        digested: bool,
        steps: bool = True,
    ) -> None:
        """`actions` gets the names of the actions; `between` the number of states found inside of compositions;
        `digested`: states end with their fingerprints."""
        self.g, self.model, self.actions, self.digested, self.steps = g, model, actions, digested, steps
        self.public = frozenset(model.specification.definitions.values())
        self.assigned: dict[int, Shape] = {}
        self._texts: list[tuple[str, str]] = []
        g.namespace["make"] = tuple.__new__
        g.namespace["MIDDLE"] = between
        g.namespace["Transition"] = Transition
        for index, table in enumerate(tables):
            g.namespace[f"D{index}"] = table
        if model.initial is not None:
            self._write_initial(model.initial)
        if model.next is not None and steps:
            self._write_next(model.next)

    def linked(self) -> Program:
        """The same, its text turned into functions."""
        for name, text in self._texts:
            self.g.execute(name, text)
            setattr(self, name, self.g.namespace[name])
        if not hasattr(self, "next"):
            self.next = lambda state, found: None
        return self

    def _write_initial(self, node: Expression) -> None:
        writer = ActionWriter(follow, self.g, Lines(1), initial=True, public=self.public, counted_for="")

        def leaf(progress: Progress) -> None:
            if self._incomplete(writer, progress, ""):
                return
            texts = [progress.frame.texts[index] for index in range(len(self.g.variables))]
            digests = [f"D{index}[{text}]" for index, text in enumerate(texts)]
            writer.out.add(f"add(({', '.join([*texts, self._fingerprint(digests)])}))")

        writer.act(node, Env(Names()), Progress(LocalFrame({}), StepName()), Then(leaf))
        self._finish("initial", "found", ["add = found.append"], writer)

    def _write_next(self, node: Expression) -> None:
        count = len(self.g.variables)
        old = [f"v{index}" for index in range(count)]
        current = LocalFrame(dict(enumerate(old)), "s")
        writer = ActionWriter(
            follow, self.g, Lines(1), initial=False, public=self.public, current=current, counted_for="Next"
        )
        changed: set[int] = set()

        def leaf(progress: Progress) -> None:
            name = progress.named.name or "Next"
            if self._incomplete(writer, progress, name):
                return
            texts = [progress.frame.texts[index] for index in range(count)]
            digests = ["fp"]
            for index, text in enumerate(texts):
                if text != old[index]:
                    changed.add(index)
                    digests += [f"o{index}", f"D{index}[{text}]"]
            state = f"({', '.join([*texts, self._fingerprint(digests)])})"
            arguments = "".join(f"{text}, " for text in progress.named.arguments)
            action = self._number(name)
            writer.out.add(f"add(make(Transition, ({action}, ({arguments}), {state})))")

        writer.act(node, Env(Names(), current=current), Progress(LocalFrame({}), StepName()), Then(leaf))
        if not self.actions:
            self.actions.append("Next")  # Next == FALSE: an action that is never taken
        start = [f"{', '.join([*old, 'fp'])} = s", "add = found.append"]
        if self.digested:
            start += [f"o{index} = D{index}[v{index}]" for index in sorted(changed)]
        self._finish("next", "s, found", start, writer)

    def _number(self, action: str) -> int:
        if action not in self.actions:
            self.actions.append(action)
        return self.actions.index(action)

    def _incomplete(self, writer: ActionWriter, progress: Progress, action: str) -> bool:
        missing = [name for i, name in enumerate(self.g.variables) if not progress.frame.assigned(i)]
        if missing:
            at = _definition_place(self.model, action)
            text = f"unassigned({missing!a}, {action!a})"
            writer.out.add(self.g.places.mark(at, text) if at is not None else text)
        return bool(missing)

    def _fingerprint(self, digests: Sequence[str]) -> str:
        return " ^ ".join(digests) if self.digested else "0"

    def _finish(self, name: str, parameters: str, start: Sequence[str], writer: ActionWriter) -> None:
        lines = [f" {line}" for line in start] + writer.following.lines + (writer.out.lines or [" pass"])
        self._texts.append((name, f"def {name}({parameters}):\n" + "\n".join(lines) + "\n"))
        for index, shape in writer.assigned.items():
            self.assigned[index] = join(self.assigned.get(index, NEVER), shape)

    def test(self, node: Expression, step: bool | None, form: str, plainly: bool = True) -> Callable[..., Any]:
        """A Python function of states. `plainly` false: a set that is described stays a `LazySet`."""
        env = Env(
            Names(), current=WholeFrame("s") if step is not None else None, next=WholeFrame("n") if step else None
        )
        while isinstance(node, Call) and not node.arguments and not node.definition.recursive:
            if self.g.analysis.of(node).constant and self.g.analysis.of_definition(node.definition).impure:
                break  # it is drawn or printed once, under its name
            node = node.definition.body
        parameters = [] if step is None else ["s", "n"] if step else ["s"]
        name = self.g.function("test", parameters, [f"return {self.g.formed(node, env, form).text}"])
        function: Callable[..., Any] = self.g.namespace[name]
        if form == "value" and plainly:
            return lambda *states: plain(function(*states))
        return function


def _definition_place(model: Model, name: str) -> Location | None:
    definition = model.specification.definitions.get(name)
    if definition is not None:
        return definition.at
    node = model.next if name else model.initial
    return node.at if node is not None else None
