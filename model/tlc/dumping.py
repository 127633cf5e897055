"""`-dump`: all states, as text or as a graph in the language of Graphviz, in the form of TLC's `StateWriter`s."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.search.result import Result
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tlc.layout import Layout
from rmqproof.model.tlc.places import place
from rmqproof.model.tlc.steps import Steps
from rmqproof.model.tlc.visiting import Met, Visit

_SCHEME = "paired12"


@dataclass(frozen=True, slots=True)
class Dump:
    """What is to be written. `dot`: as a graph; the others are options of it, as in TLC."""

    file: Path
    dot: bool = False
    colorize: bool = False
    action_labels: bool = False
    snapshot: bool = False
    constrained: bool = False
    strict: bool = False

    @classmethod
    def of(cls, options: str, name: str) -> Dump:
        """`options`: empty, or `dot,colorize,…`. A file without the ending gets it. An option that is none is none."""
        ending = ".dot" if options else ".dump"
        file = Path(name if name.endswith(ending) else name + ending)
        given = options.lower()
        chosen = ("colorize" in given, "actionlabels" in given, "snapshot" in given, "constrained" in given)
        return cls(file, bool(options), *chosen, "strict" in given)


@dataclass(frozen=True, slots=True)
class Written:
    """How states and steps are written: what reports of a search have at hand."""

    system: PythonSystem
    layout: Layout
    steps: Steps
    differences: bool = False

    def state(self, state: State, before: State | None = None) -> str:
        earlier = self._shown(before) if before is not None else None
        return self.layout.state(self._shown(state), earlier)

    def _shown(self, state: State) -> dict[str, object]:
        alias = self.system.model.alias
        return (
            self.system.alias(state) if alias is not None and alias.level <= core.STATE else self.system.to_itf(state)
        )

    def signature(self, met: Met) -> tuple[str, str]:
        """The name of the action by which a state is met, and the same with its arguments."""
        assert met.step is not None and met.before is not None
        to_itf = self.system.to_itf
        step = Step(1, met.step.action, met.step.arguments, to_itf(met.state))
        behaviour = Behaviour((), (Step(0, None, (), to_itf(met.before)), step))
        title = self.steps.title(behaviour, 1).partition(" line ")[0]
        return title.partition("(")[0], title


def write(dump: Dump, written: Written, result: Result) -> None:
    """Write the file. Raise `OSError`, `TlaError`."""
    visit = Visit(written.system, result)
    with dump.file.open("w", encoding="utf-8") as file:
        for text in _graph(dump, written, visit) if dump.dot else _plain(written, visit):
            file.write(text)
    if dump.dot and dump.snapshot:
        snapshot = dump.file.with_name(dump.file.name.replace(".dot", "_snapshot.dot"))
        snapshot.write_text(dump.file.read_text(encoding="utf-8"), encoding="utf-8")


def _plain(written: Written, visit: Visit) -> Iterator[str]:
    number = 0
    for met in visit.states():
        if met.new and met.inside:
            number += 1
            yield f"State {number}:\n{written.state(met.state)}\n"


def _graph(dump: Dump, written: Written, visit: Visit) -> Iterator[str]:
    yield "strict digraph DiskGraph {\nnode [shape=box,style=rounded]\n"
    if dump.colorize:
        yield f'edge [colorscheme="{_SCHEME}"]\n'
    yield 'nodesep=0.35;\nsubgraph cluster_graph {\ncolor="white";\n'
    ranks: dict[int, dict[int, None]] = {}
    colours: dict[str, int] = {}
    drawn: set[tuple[int, int]] = set()
    excluded = _excluding(written.system)
    for met in visit.states():
        if not (met.inside or (dump.constrained and met.before is not None)):
            continue
        mark = _number(written.system.fingerprint(met.state))
        if met.before is None:
            if met.new:
                ranks.setdefault(1, {})[mark] = None
                yield f'{mark} [label="{_quoted(written.state(met.state))}",style = filled]\n'
            continue
        source = _number(written.system.fingerprint(met.before))
        ranks.setdefault(met.level - 1, {})[source] = None
        if dump.strict and (source, mark) in drawn:
            continue
        drawn.add((source, mark))
        name, signature = written.signature(met) if dump.colorize or dump.action_labels else ("", "")
        colour = str(colours.setdefault(name, len(colours) + 2)) if dump.colorize else "black"
        label = _quoted(signature) if dump.action_labels else ""
        label += "" if met.inside else f"\n{excluded(met)}"
        yield f'{source} -> {mark} [label="{label}",color="{colour}",fontcolor="{colour}"];\n'
        if met.new:
            before = met.before if written.differences else None
            style = "" if met.inside else ",style = filled, fillcolor=lightyellow"
            texts = (_quoted(written.state(met.state, before)), _quoted(written.state(met.state)))
            yield f'{mark} [label="{texts[0]}",tooltip="{texts[1]}"{style}];\n'
    for rank in ranks.values():
        yield "{rank = same; " + "".join(f"{mark};" for mark in rank) + "}\n"
    yield "}\n"
    if len(colours) > 1:
        yield _legend(colours)
    yield "}"


def _legend(colours: dict[str, int]) -> str:
    entries = "".join(
        f'{name.replace("!", ":")} [label="{name}",fillcolor={number}]\n' for name, number in colours.items()
    )
    return (
        'subgraph cluster_legend {graph[style=bold];label = "Next State Actions" style="solid"\n'
        f'node [ labeljust="l",colorscheme="{_SCHEME}",style=filled,shape=record ]\n{entries}}}'
    )


def _number(fingerprint: int) -> int:
    """As Java's long."""
    return fingerprint - (1 << 64) if fingerprint >= 1 << 63 else fingerprint


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').strip().replace("\n", "\\n")


def _excluding(system: PythonSystem) -> Callable[[Met], str]:
    """Which constraint a state or step does not satisfy, as its place."""
    model = system.model
    states = [(each, system.state_condition(each.body)) for each in model.constraints]
    steps = [(each, system.step_condition(each.body)) for each in model.action_constraints]

    def found(met: Met) -> str:
        wrong = next((each for each, holds in states if not holds(met.state)), None)
        if wrong is None:
            wrong = next(each for each, holds in steps if not holds(met.before, met.state))
        return place(wrong.body.at, wrong.module)

    return found
