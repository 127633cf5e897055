"""What is said of a search: its beginning, its progress, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.evaluate.temporal import fairness_of, temporal_properties
from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.report.value import Notation
from rmqproof.model.search.control import Progress
from rmqproof.model.search.lengths import Lengths
from rmqproof.model.search.liveness.formula import conjunction, negation
from rmqproof.model.search.liveness.problem import problems
from rmqproof.model.search.result import Failure, PropertyKind, Result, Stopped, Verdict, Violation
from rmqproof.model.search.result import Step as Taken
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.tla import core
from rmqproof.model.tla.config import parse_config
from rmqproof.model.tla.config_file import config_source
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tlc import failures
from rmqproof.model.tlc.command_line import Request
from rmqproof.model.tlc.coverage import print_coverage
from rmqproof.model.tlc.deepening import Deepening
from rmqproof.model.tlc.dumping import Written
from rmqproof.model.tlc.dumping import write as dump
from rmqproof.model.tlc.layout import Layout
from rmqproof.model.tlc.messages import Code, Printer, Severity, now
from rmqproof.model.tlc.places import place
from rmqproof.model.tlc.steps import Steps
from rmqproof.model.tlc.trace_spec import TraceSpec, file_of
from rmqproof.model.tlc.tracing import FORMATS, counterexample
from rmqproof.model.tlc.viewing import ViewLayout

_OF_VERDICT = {
    Verdict.SUCCESS: 0,
    Verdict.ASSUMPTION: 10,
    Verdict.DEADLOCK: 11,
    Verdict.SAFETY: 12,
    Verdict.LIVENESS: 13,
}


@dataclass(slots=True)
class Report:
    """Of one search of one model."""

    request: Request
    printer: Printer
    files: ModelFiles
    model: core.Model
    started: float
    layout: Layout = field(init=False)
    steps: Steps = field(init=False)
    counterexample: Behaviour | None = None
    _system: PythonSystem | None = None
    _told_initial: bool = False
    _branches: int = 0

    def __post_init__(self) -> None:
        notation = Notation(self.model.model_values)
        self.layout = Layout(notation)
        if self.request.view and self.model.view is not None:
            self.layout = ViewLayout(self.layout, self.model.view, lambda: self.system)
        self.steps = Steps(self.model, lambda: self.system, notation)

    @property
    def system(self) -> PythonSystem:
        """The model as Python code, to evaluate single formulas."""
        if self._system is None:
            self._system = system_of(self.model)
        return self._system

    # --- while it goes on ------------------------------------------------------------------------------------------

    def begins(self) -> None:
        self._warnings()
        if self.request.simulate or self.request.deepest is not None:
            return
        if any(prop.liveness for prop in self.model.properties):
            self._branches = _branches(self.system)
            self.printer.say(
                Code.LIVENESS_BRANCHES,
                f"Implied-temporal checking--satisfiability problem has {self._branches} branches.",
            )
        if self.request.recover is not None:
            self.printer.say(Code.RECOVERING, f"Starting recovery from checkpoint {self.request.recover}")
        else:
            self.printer.say(Code.COMPUTING_INITIAL, "Computing initial states...")

    def initial(self, generated: int, distinct: int) -> None:
        """The initial states are known."""
        if self._told_initial or self.request.deepest is not None or self.request.recover is not None:
            return
        self._told_initial = True
        plural = "" if generated == 1 else "s"
        if self.request.simulate:
            self.printer.say(Code.INITIAL_PROGRESS, f"Computed {generated} initial states...")
            plural = ""
        if generated == distinct:
            self.printer.say(
                Code.INITIAL_STATES,
                f"Finished computing initial states: {generated} distinct state{plural} generated at {now()}.",
            )
        else:
            self.printer.say(
                Code.INITIAL_STATES_REPEATED,
                f"Finished computing initial states: {generated} state{plural} generated, with {distinct} of them "
                f"distinct at {now()}.",
            )

    def progress(self, progress: Progress) -> None:
        if self.request.simulate:
            behaviours, states = (
                self.request.behaviours - progress.queue,
                _successors(progress.distinct, progress.lengths),
            )
            self._progress_of_simulation(behaviours, states, progress.lengths)
            return
        if self.request.deepest is not None:
            return
        minutes = max(progress.seconds, 1e-3) / 60
        self._progress(
            progress.depth,
            progress.total,
            progress.distinct,
            progress.queue,
            f" ({int(progress.rate * 60):,} s/min)",
            f" ({int(progress.distinct / minutes):,} ds/min)",
        )

    def _progress(self, depth: int, total: int, distinct: int, queue: int, rate: str = "", new: str = "") -> None:
        self.printer.say(
            Code.PROGRESS,
            f"Progress({depth}) at {now()}: {total:,} states generated{rate}, {distinct:,} distinct states found{new}, "
            f"{queue:,} states left on queue.",
        )

    def _progress_of_simulation(self, behaviours: int, states: int, lengths: Lengths | None) -> None:
        if self.printer.tool:
            unknown = "-1 distinct states found, -1 states left on queue."
            text = f"Progress({behaviours}) at {now()}: {states} states generated, {unknown}"
        else:
            told = lengths if lengths is not None else Lengths()
            text = (
                f"Progress: {states} states checked, {behaviours} traces generated "
                f"(trace length: mean={told.mean - bool(told.count)}, var(x)={told.variance}, sd={told.deviation})"
            )
        self.printer.say(Code.PROGRESS_SIMULATION, text)

    def _warnings(self) -> None:
        for prop in self.model.properties:
            if prop.definition.level <= core.STATE:
                self.printer.warn(
                    Code.LEVEL_OF_PROPERTY,
                    f"{prop.name} is a formula about a state, and a PROPERTY is one about behaviours: it is checked of "
                    f"the initial states alone. INVARIANT {prop.name} checks it of all states, and so does a property "
                    f"[]{prop.name}.",
                )
        if self.model.symmetry is not None and any(prop.liveness for prop in self.model.properties):
            self.printer.warn(
                Code.LIVENESS_WITH_SYMMETRY,
                "SYMMETRY is declared, and a liveness property is checked: it is judged without the symmetry.",
            )

    # --- what came of it -------------------------------------------------------------------------------------------

    def ended(self, outcome: Outcome) -> int:
        """Say it all; the exit status."""
        outcome = _as_tlc_calls_it(outcome)
        result = outcome.result
        if outcome.error is not None:
            return self._could_not_begin(outcome.error)
        if result.verdict is Verdict.ASSUMPTION and not result.initial:
            return self._assumption(result)
        if self.request.simulate:
            return self._simulated(outcome)
        if self._at_the_start(outcome):
            self._write_trace(outcome)
            self._write_states(result)
            return _OF_VERDICT[result.verdict]
        deepening = self._deepening(result)
        if deepening is not None:
            deepening.begun(self.printer)
        elif result.initial and not (result.failure is not None and _is_of_initial_state(result.failure)):
            self.initial(result.initial, min(result.initial, result.distinct))
        status = self._found(outcome, deepening)
        if self.model.next is None and result.failure is not None:
            return status
        self._write_states(result)
        if outcome.coverage is not None:
            print_coverage(self.printer, outcome.coverage, result, self.steps.parts, self.model)
        if deepening is not None:
            deepening.ended(self.printer)
        else:
            self._summary(result)
        return status

    def _deepening(self, result: Result) -> Deepening | None:
        if self.request.deepest is None:
            return None
        try:
            return Deepening.of(self.system, self.request.deepest, result)
        except TlaError:  # which is what the search found, and is told
            return None

    def _write_trace(self, outcome: Outcome) -> None:
        """The counterexample, in the files that are asked for. That it was written is no message to TLC."""
        whole, shown = outcome.behaviour, self._shown(outcome)
        if whole is None or shown is None:
            return
        self.counterexample = whole
        for form, file in self.request.traces:
            value = counterexample(shown, whole, self.steps)
            try:
                file.write_text(FORMATS[form](value, shown.variables, self.layout.notation, file), encoding="utf-8")
            except OSError as error:
                self.printer.error(Code.GENERAL, f"{error.filename}: {error.strerror}.")
            else:
                self.printer.line(f'"CounterExample written: {file}"')

    def write_trace_spec(self) -> None:
        """A specification that goes through the counterexample again. Of one state alone there is none, as in TLC."""
        found = self.counterexample
        if not self.request.explored or found is None or (len(found.steps) == 1 and found.loop is None):
            return
        spec = Path(f"{self.request.spec}.tla")
        file = file_of(spec, self.request.explored_in)
        config = parse_config(config_source(self.files.config or spec))
        written = TraceSpec(file.stem, spec.stem, self.model, config, found, self.layout.notation)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(written.text(), encoding="utf-8")
        except OSError as error:
            self.printer.error(Code.GENERAL, f"{error.filename}: {error.strerror}.")
        else:
            self.printer.say(Code.TRACE_SPEC_WRITTEN, f"Trace exploration spec path: {file}")

    def _write_states(self, result: Result) -> None:
        if self.request.dump is None:
            return
        try:
            dump(self.request.dump, Written(self.system, self.layout, self.steps, self.request.differences), result)
        except OSError as error:
            self.printer.error(Code.GENERAL, f"{error.filename}: {error.strerror}.")
        except TlaError as error:
            self.printer.error(Code.GENERAL, f"Not all states are written: {error}")

    def _could_not_begin(self, error: Exception) -> int:
        if isinstance(error, TlaError) and error.kind == "config":
            failing = failures.of_configuration(error)
            self.printer.error(failing.code, failing.text)
            return failing.status
        return self._failed(error, "").status

    def _assumption(self, result: Result) -> int:
        for assumption in self.model.specification.assumptions:
            at = place(assumption.body.at, _module_of(assumption.body.at.source.name))
            try:
                if assumption.axiom or self.system.constant_truth(assumption.body):
                    continue
                self.printer.error(Code.ASSUMPTION_FALSE, f"Assumption {at} is false.")
            except (TlaError, RecursionError) as error:
                self.printer.error(Code.ASSUMPTION_EVALUATION, f"Evaluating assumption {at} failed.\n{error}")
            return 10
        self.printer.error(Code.ASSUMPTION_FALSE, result.message)
        return 10

    def _at_the_start(self, outcome: Outcome) -> bool:
        """An initial state that violates something: nothing else is said then."""
        result, violation = outcome.result, outcome.result.violation
        if violation is None or outcome.behaviour is None or violation.depth != 1 or self.request.keep_going:
            return False
        state = self.layout.state(outcome.behaviour.steps[0].state)
        if violation.kind is PropertyKind.INVARIANT:
            text = f"Invariant {violation.name} is violated by the initial state:\n{state}"
            self.printer.error(Code.INVARIANT_VIOLATED_INITIAL, text)
        elif violation.kind is PropertyKind.INITIAL:
            text = f"Property {violation.name} is violated by the initial state:\n{state}"
            self.printer.error(Code.PROPERTY_VIOLATED_INITIAL, text)
        else:
            return False
        return result.verdict in _OF_VERDICT

    def _found(self, outcome: Outcome, deepening: Deepening | None) -> int:
        result = outcome.result
        if result.verdict is Verdict.LIVENESS and result.violations[0].kind is PropertyKind.LIVENESS:
            return self._liveness(outcome)
        if result.violations:
            self._violated(outcome)
            self._write_trace(outcome)
        if result.failure is not None or (result.verdict is Verdict.ERROR and not result.violations):
            return self._ended_badly(outcome)
        live = any(prop.liveness for prop in self.model.properties)
        if result.verdict is Verdict.SUCCESS and live and result.stopped is None:
            self._judging(result)
            self.printer.say(Code.LIVENESS_DONE, f"Finished checking temporal properties in 00s at {now()}")
        if result.verdict is Verdict.ASSUMPTION:
            self.printer.error(Code.POSTCONDITION_FALSE, result.message)
        elif result.verdict is Verdict.SUCCESS or (self.request.keep_going and result.exhaustive):
            if result.message:
                self.printer.warn(Code.GENERAL, result.message)
            if deepening is None:
                self._success(result, result.collision.optimistic)
            elif deepening.whole:
                self._success(result, deepening.collision)
        return _OF_VERDICT[result.verdict]

    def _violated(self, outcome: Outcome) -> None:
        """Each violation with its behaviour; of more than one only the first is at hand as the reports want it."""
        for number, violation in enumerate(outcome.result.violations):
            match violation.kind:
                case PropertyKind.DEADLOCK:
                    self.printer.error(Code.DEADLOCK, "Deadlock reached.")
                case PropertyKind.STEP:
                    self.printer.error(Code.ACTION_PROPERTY_VIOLATED, f"Action property {violation.name} is violated.")
                case _:
                    self.printer.error(Code.INVARIANT_VIOLATED, f"Invariant {violation.name} is violated.")
            behaviour = self._shown(outcome) if number == 0 else self._behaviour(violation)
            if behaviour is not None:
                self.behaviour(behaviour, outcome.behaviour if number == 0 else behaviour)

    def _liveness(self, outcome: Outcome) -> int:
        result = outcome.result
        self._judging(result)
        names = list(dict.fromkeys(violation.name for violation in result.violations))
        if len(names) == 1:
            text = f"Temporal property {names[0]} was violated.\n"
        else:
            last = f"{' and' if len(names) == 2 else ', and'} {names[-1]}"
            text = f"Temporal properties {', '.join(names[:-1])}{last} were violated.\n"
        self.printer.error(Code.TEMPORAL_PROPERTY_VIOLATED, text)
        self.printer.error(Code.COUNTEREXAMPLE, "The following behavior constitutes a counter-example:\n")
        behaviour = self._shown(outcome)
        assert behaviour is not None and outcome.behaviour is not None
        self._states(behaviour, outcome.behaviour)
        loop = behaviour.loop
        if loop == len(behaviour.steps) - 1:
            self.printer.say(Code.STUTTERING, f"{len(behaviour.steps) + 1}: Stuttering", Severity.STATE)
        elif loop is not None:
            back = f"Back to state: <{self.steps.back(outcome.behaviour)}>\n"
            text = f"{loop + 1}: {back}" if self.printer.tool else f"Back to state {loop + 1}: {back[15:]}"
            self.printer.say(Code.BACK_TO_STATE, text, Severity.STATE if self.printer.tool else Severity.NONE)
        self._write_trace(outcome)
        self.printer.say(Code.LIVENESS_DONE, f"Finished checking temporal properties in 00s at {now()}")
        return _OF_VERDICT[Verdict.LIVENESS]

    def _judging(self, result: Result) -> None:
        self._progress(result.depth, result.total, result.distinct, 0)
        branches = f"{self._branches} branches of " if self._branches > 1 else ""
        states = result.distinct * max(1, self._branches)
        self.printer.say(
            Code.CHECKING_LIVENESS,
            f"Checking {branches}temporal properties for the complete state space with {states} total distinct states "
            f"at ({now()})",
        )

    def _success(self, result: Result, collision: float) -> None:
        found = "Errors have been found." if result.violations else "No error has been found."
        text = (
            f"Model checking completed. {found}\n"
            "  Estimates of the probability that TLC did not check all reachable states\n"
            "  because two distinct states had the same fingerprint:\n"
            f"  calculated (optimistic):  val = {probability(collision)}"
        )
        if result.collision.observed is not None:
            text += f"\n  based on the actual fingerprints:  val = {probability(result.collision.observed)}"
        self.printer.say(Code.SUCCESS, text)

    def _ended_badly(self, outcome: Outcome) -> int:
        result = outcome.result
        failure = result.failure
        if failure is None:
            self.printer.error(Code.GENERAL, result.message)
            return outcome.status
        initial = _is_of_initial_state(failure)
        failing = self._failed(failure.error, failure.during, initial)
        behaviour = self._shown(outcome)
        if not initial and behaviour is not None and outcome.behaviour is not None:
            self.behaviour(behaviour, outcome.behaviour)
            self._write_trace(outcome)
        at = failure.error.at if isinstance(failure.error, TlaError) else None
        if at is not None and failing.code != Code.INVARIANT_EVALUATION:
            self.printer.error(Code.NESTED_EXPRESSION, failures.nested(at))
        return failing.status

    def _failed(self, error: Exception, during: str, initial: bool = False) -> failures.Failing:
        failing = failures.of_evaluation(error, during, initial)
        self.printer.error(failing.code, failing.text)
        return failing

    def _simulated(self, outcome: Outcome) -> int:
        result = outcome.result
        if result.initial:
            self.initial(result.initial, result.initial)
        status = 0
        if result.violations:
            self._violated(outcome)
            status = _OF_VERDICT[result.verdict]
        elif result.failure is not None:
            status = self._ended_badly(outcome)
        elif result.stopped is not None and result.verdict is not Verdict.SUCCESS:
            status = outcome.status
        if result.verdict is Verdict.SUCCESS and result.stopped is not None:
            self.printer.warn(Code.GENERAL, result.message)
        states = result.initial + _successors(result.distinct, result.lengths)
        self._progress_of_simulation(result.behaviours or 0, states, result.lengths)
        self.printer.say(
            Code.STATISTICS_SIMULATION,
            f"The number of states generated: {states}\n"
            f"Simulation using seed {self.request.seed} and aril {self.request.aril}",
        )
        if self.request.behaviours_to:
            self._write_behaviours(result.behaviours or 0)
        return status

    def _write_behaviours(self, count: int) -> None:
        """Those of the simulation, drawn once more, each into a file of its own as TLC's one worker names it."""
        number = 0

        def written(steps: Sequence[Taken]) -> None:
            nonlocal number
            file = Path(f"{self.request.behaviours_to}_0_{number}")
            behaviour = self._shown_steps(steps, None)
            lines = [f"---------------- MODULE {file.name} -----------------"]
            for index, step in enumerate(behaviour.steps):
                how = self.steps.title(behaviour, index) if index else self._initial_place()
                lines += [f"\\* <{how}>", f"STATE_{index + 1} == ", self.layout.state(step.state) + "\n"]
            file.write_text("\n".join([*lines, "=" * 49, ""]), encoding="utf-8")
            number += 1

        depth, seed = self.request.steps + 1, self.request.seed
        assert seed is not None
        try:
            Simulation(self.system, behaviours=count, depth=depth, seed=seed, told=written).run()
        except OSError as error:
            self.printer.error(Code.GENERAL, f"{error.filename}: {error.strerror}.")

    def _summary(self, result: Result) -> None:
        total, distinct, queue = result.total, result.distinct, result.queue
        if self.printer.tool:
            minutes = max(time.monotonic() - self.started, 1e-3) / 60
            rates = f" ({int(total / minutes):,} s/min)", f" ({int(distinct / minutes):,} ds/min)"
            self._progress(result.depth, total, distinct, queue, *rates)
        self.printer.say(
            Code.STATISTICS,
            f"{total} states generated, {distinct} distinct states found, {queue} states left on queue.",
        )
        self.printer.say(Code.DEPTH, f"The depth of the complete state graph search is {result.depth}.")

    # --- behaviours ------------------------------------------------------------------------------------------------

    def behaviour(self, shown: Behaviour, whole: Behaviour | None) -> None:
        self.printer.error(Code.BEHAVIOUR_SO_FAR, "The behavior up to this point is:")
        self._states(shown, whole or shown)

    def _states(self, shown: Behaviour, whole: Behaviour) -> None:
        before: Mapping[str, object] | None = None
        for number, step in enumerate(shown.steps):
            how = "Initial predicate" if number == 0 else self.steps.title(whole, number)
            if number == 0 and self.request.simulate:
                how = self._initial_place()
            text = f"{number + 1}: <{how}>\n{self.layout.state(step.state, before)}"
            self.printer.say(Code.STATE, text, Severity.STATE)
            before = step.state if self.request.differences else None

    def _initial_place(self) -> str:
        initial = self.model.initial
        if not isinstance(initial, core.Call):
            return "Initial predicate"
        definition = initial.definition
        return f"{definition.name} {place(definition.body.at, definition.module)}"

    def _shown(self, outcome: Outcome) -> Behaviour | None:
        return outcome.shown if outcome.shown is not None else outcome.behaviour

    def _behaviour(self, violation: Violation) -> Behaviour:
        """A further violation's behaviour."""
        return self._shown_steps(violation.behaviour, violation.loop)

    def _shown_steps(self, taken: Sequence[Taken], loop: int | None) -> Behaviour:
        steps = tuple(
            Step(number, step.action, tuple(map(to_itf, step.arguments)), self.system.to_itf(step.state))
            for number, step in enumerate(taken)
        )
        return Behaviour(tuple(self.system.variables), steps, loop)


def _is_of_initial_state(failure: Failure) -> bool:
    """Whether an invariant has no value in an initial state, of which TLC speaks before it has counted them."""
    return failure.during.startswith("invariant ") and len(failure.behaviour) == 1


def _successors(visited: int, lengths: Lengths | None) -> int:
    """Those of the states of a simulation that steps lead to: TLC counts the steps of a behaviour."""
    return visited - (lengths.count if lengths is not None else 0)


def probability(value: float) -> str:
    """As TLC prints it: two digits."""
    if value == 0:
        return "0.0"
    mantissa, _, exponent = f"{value:.1E}".partition("E")
    power = int(exponent)
    return f"{mantissa}E{power}" if not -4 < power < 7 else f"{value:.2g}"


def _branches(system: PythonSystem) -> int:
    """How many different automata the liveness properties need: what TLC calls branches."""
    properties = [part.formula for part in temporal_properties(system)]
    negated = conjunction([fairness_of(system), negation(conjunction(properties))])
    return len({problem.rest for problem in problems(negated)})


def _module_of(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".tla")


def _as_tlc_calls_it(outcome: Outcome) -> Outcome:
    """A search that the specification has ended is a success to TLC; ours says with it that nothing is proved."""
    result = outcome.result
    if result.verdict is not Verdict.ERROR or result.stopped is not Stopped.ASKED or result.violations:
        return outcome
    return replace(outcome, result=replace(result, verdict=Verdict.SUCCESS))
