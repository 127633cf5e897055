"""Load a model from its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rmqproof.model.checking.coverage import Coverage, coverage_of
from rmqproof.model.checking.liveness import Liveness
from rmqproof.model.checking.observed import ObservedSystem
from rmqproof.model.checking.options import SparkOptions
from rmqproof.model.checking.outcome import DeclaredProperty
from rmqproof.model.checking.possible import PossibleWatch
from rmqproof.model.checking.spark_engine import Finish, as_it_is
from rmqproof.model.checking.subject import SimulationOptions, Subject, identity_of
from rmqproof.model.evaluate.counting import CountingSystem
from rmqproof.model.evaluate.decided import check_decided, without_told
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import (
    PythonSystem,
    check_postconditions,
    sentence,
    system_of,
)
from rmqproof.model.evaluate.values import function
from rmqproof.model.judge.judge import Judge
from rmqproof.model.native.makers import actions_where_it_pays
from rmqproof.model.native.request import InPython
from rmqproof.model.native.request import Request as NativeRequest
from rmqproof.model.report.behaviour import Origin
from rmqproof.model.search.control import Control
from rmqproof.model.search.liveness.formula import Predicate
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphCode, Stop
from rmqproof.model.search.liveness.region_graph import Searched
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.result import Finding, Result
from rmqproof.model.tla.asking import asks_of_states, asks_the_search, draws_in
from rmqproof.model.tla.core import Builtin, Expression, Model
from rmqproof.model.tla.findings import static_findings
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import Location, Source, TlaError
from rmqproof.version import VERSION

if TYPE_CHECKING:
    from rmqproof.model.native.run import Run


def open_subject(files: ModelFiles, deadlock: bool = True, evaluations: bool = False) -> Subject:
    """The model ready to be searched. `deadlock` false: do not look for deadlocks, whatever the configuration says.

    `evaluations`: they are counted.
    Raise `TlaError` when the specification or the configuration is wrong, `OSError` when one cannot be read.
    """
    subject: Subject = deeply(_opened, files, deadlock, evaluations)
    return subject


def _opened(files: ModelFiles, deadlock: bool, evaluations: bool) -> Subject:
    model = files.load()
    if files.config is None and not files.overrides and model.specification.variables:
        # a module of constants is checked without one: its assumptions; with variables nothing would be explored
        raise TlaError(
            f"{files.spec.with_suffix('.cfg')}: there is no configuration, so nothing says where states start",
            model.specification.variables[0].at,
            "Write that file with a line SPECIFICATION Spec, or INIT Init and NEXT Next; or name one with --config; or "
            f"write it into {files.spec.name} as a section from ---- CONFIG {files.spec.stem} ---- to ====.",
            "config",
        )
    return subject_of(model if deadlock else replace(model, check_deadlock=False), files, evaluations)


def subject_of(model: Model, files: ModelFiles, evaluations: bool = False) -> Subject:
    """This model ready to be searched, which may be another than the one in `files`."""
    model = without_told(model)
    identity = _identity(model, files)
    # where a compiled program has searched it before, nobody may ask for its steps in Python
    system = system_of(model, known=actions_where_it_pays(identity))
    counting = CountingSystem(model, system.runtime) if evaluations else None
    explored = counting if counting is not None else system
    watch = PossibleWatch(explored, model.possible) if model.possible else None
    observed = ObservedSystem(explored, watch) if asks_the_search(model) or watch is not None else None
    searched = observed if observed is not None else explored
    live = any(prop.liveness for prop in model.properties)
    of_states = observed is not None and watch is None and asks_of_states(model)
    reduced = "SYMMETRY" if model.symmetry is not None else "VIEW" if model.view is not None else ""
    return Subject(
        system=searched,
        name=files.name,
        identity=identity,
        native=partial(_native, model, system) if observed is None or of_states else None,
        simulation=None if observed is not None else partial(_simulation, model, system),
        spark=None if observed is not None else partial(_spark, model, system, identity, files),
        judge=Judge(model, system) if observed is None else None,
        coverage=partial(_coverage, model, counting) if counting is not None else None,
        show=system.to_itf,
        show_value=to_itf,
        liveness=_liveness(model, system, None if of_states else observed, reduced, identity) if live else None,
        alias=system.alias if model.alias is not None else None,
        check_decided=partial(check_decided, system) if model.decided else None,
        false_assumption=lambda: _false_assumption(model, system),
        false_postcondition=lambda result: _false_postcondition(system, observed, watch, result),
        periodic=model.periodic.name if model.periodic is not None else "",
        impossible=watch.missed if watch is not None else None,
        drawn=draws_in(model),
        inputs=lambda: system.runtime.files,
        properties=tuple(_declared(model, system)),
        places=_places(model),
        findings=tuple(Finding(f.kind, f.message, f"{f.at}: {f.message}.") for f in static_findings(model)),
        origin=Origin(
            specification=str(files.spec),
            config=str(files.config) if files.config is not None else "",
            command=_command(files),
            tool=f"rmqproof {VERSION}",
            model_values=frozenset(model.model_values),
        ),
    )


def _coverage(model: Model, system: CountingSystem) -> Coverage:
    return coverage_of(model, system.evaluations, system.actions)


def _liveness(
    model: Model, system: PythonSystem, observed: ObservedSystem | None, reduced: str, identity: str
) -> Liveness:
    if observed is not None:
        return Liveness(observed, system, reduced)

    def compiled(
        whole: bool,
        predicates: Sequence[Predicate],
        hasty: bool,
        narrow: bool,
        storage: Storage,
        stop: Stop,
        say: Callable[[str], None],
    ) -> BehaviourGraph | None:
        from rmqproof.model.checking.liveness_graphs import CompiledGraphs

        return CompiledGraphs(model, system, predicates, identity, hasty, narrow).graph(whole, storage, stop, say)

    def searched(
        run: Run,
        ended: bool,
        predicates: Sequence[Predicate],
        storage: Storage,
        stop: Callable[[], bool],
        say: Callable[[str], None],
    ) -> AbstractContextManager[Searched | None]:
        from rmqproof.model.checking.liveness_graphs import CompiledGraphs

        return CompiledGraphs(model, system, predicates, identity).searched(run, ended, storage, stop, say)

    return Liveness(system, system, reduced, compiled, searched, _graph_code)


def _graph_code(steps: int) -> GraphCode | None:
    from rmqproof.model.native.graph_code import graph_code_for

    return graph_code_for(steps)


def _native(
    model: Model,
    system: PythonSystem,
    control: Control,
    request: NativeRequest,
    say: Callable[[str], None],
    in_python: InPython,
) -> Result:
    from rmqproof.model.native.choice import search

    return search(model, system, control, request, say, in_python)


def _simulation(
    model: Model, system: PythonSystem, control: Control, options: SimulationOptions, say: Callable[[str], None]
) -> Result:
    from rmqproof.model.native.choice import simulation

    return simulation(
        model,
        system,
        control,
        options.engine,
        options.behaviours,
        options.depth,
        options.seed,
        say,
        options.swarm,
        options.guided,
    ).run()


def _spark(
    model: Model,
    system: PythonSystem,
    identity: str,
    files: ModelFiles,
    options: SparkOptions,
    control: Control,
    say: Callable[[str], None],
    finish: Finish = as_it_is,
) -> Result:
    from rmqproof.model.checking.spark_engine import search

    return search(model, system, identity, files, options, control, say, finish=finish, judge=Judge(model, system))


def _false_assumption(model: Model, system: PythonSystem) -> str | None:
    """What to say of the first assumption that does not hold: the part of it that is false, with its place."""
    for assumption in model.specification.assumptions:
        if not assumption.axiom and not system.constant_truth(assumption.body):
            part: Expression = assumption.body
            while isinstance(part, Builtin) and part.operator == "/\\":
                part = next((item for item in part.arguments if not system.constant_truth(item)), part)
            name = f"the assumption {assumption.name}" if assumption.name else "this assumption"
            what = f"{name} is false" if part is assumption.body else f"{name} is false, because this is"
            return str(TlaError(what, part.at, "Give the constants other values in the configuration."))
    return None


def _false_postcondition(
    system: PythonSystem, observed: ObservedSystem | None, watch: PossibleWatch | None, result: Result
) -> str | None:
    if watch is not None:  # where TLC keeps them
        system.runtime.registers["s:_possible"] = function(dict(watch.counts))
    if observed is not None:
        observed.now(0, result.total, result.distinct, result.queue, result.depth)
    return next(iter(check_postconditions(system)), None)


def _declared(model: Model, system: PythonSystem) -> Iterator[DeclaredProperty]:
    sentences = {prop.name: prop.sentence for prop in (*system.invariants, *system.initial_properties)}
    sentences |= {prop.name: prop.sentence for prop in system.step_properties}
    for invariant in model.invariants:
        yield DeclaredProperty(invariant.name, "invariant", sentences.get(invariant.name, ""))
    for prop in model.properties:
        kind = "liveness" if prop.liveness else "step property" if prop.steps else "property"
        text = sentences.get(prop.name, sentence(prop.definition))
        yield DeclaredProperty(prop.name, kind, text, checked=not prop.liveness)
    if model.check_deadlock and model.next is not None:
        yield DeclaredProperty("deadlock", "deadlock", "Every reachable state has a successor.")


def _places(model: Model) -> dict[str, Location]:
    found = {"deadlock": model.next.at} if model.next is not None else {}
    return found | {name: definition.at for name, definition in model.specification.definitions.items()}


def _identity(model: Model, files: ModelFiles) -> str:
    """A digest of the texts that were read and of what changes the states that are explored."""
    spec = model.specification
    places = [constant.at for constant in spec.constants] + [variable.at for variable in spec.variables]
    places += [item.at for item in spec.assumptions] + [item.at for item in spec.definitions.values()]
    sources: dict[str, Source] = {place.source.name: place.source for place in places}
    texts = [text for name in sorted(sources) for text in (name, sources[name].text)]
    return identity_of(*texts, files.config_text, *_overridden(files), str(model.check_deadlock))


def _command(files: ModelFiles) -> str:
    """The command line that checks the model; none does where texts or overrides were given."""
    if files.texts.given or files.overrides:
        return ""
    return f"rmqproof check {files.spec}" + (f" --config {files.config}" if files.config is not None else "")


def _overridden(files: ModelFiles) -> list[str]:
    return [files.overrides.text, *sorted(files.overrides.without)] if files.overrides else []
