"""The TLA+ of an algorithm: its variables, Init, an action for each step, Next, Spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rmqproof.model.pluscal.expression import Expression
from rmqproof.model.pluscal.fairness import spec_lines
from rmqproof.model.pluscal.lexer import Kind, PlusCalError, Token
from rmqproof.model.pluscal.options import Options
from rmqproof.model.pluscal.statements import Owner, StepWriter
from rmqproof.model.pluscal.steps import steps_of
from rmqproof.model.pluscal.tree import Algorithm, Labelled, Procedure, Process, Unit, Variable
from rmqproof.model.pluscal.writer import Line, Writer, needs_parentheses

_TERMINATION = "(* Allow infinite stuttering to prevent deadlock on termination. *)"


@dataclass(frozen=True, slots=True)
class MadeStep:
    """An action of the translation: its name, the process or procedure that it is of, the line at which it begins."""

    action: str
    owner: str
    line: int


def translation(
    algorithm: Algorithm, report: Sequence[str], options: Options, pc_first: bool = False
) -> tuple[list[Line], list[MadeStep]]:
    """The lines of the translation. The algorithm has its labels and names, and is changed by it."""
    generator = _Generator(algorithm, options, pc_first)
    return generator.lines(report), generator.made


class _Generator:
    def __init__(self, algorithm: Algorithm, options: Options, pc_first: bool) -> None:
        self.algorithm = algorithm
        self.options = options
        self.out = Writer(options.width)
        self.made: list[MadeStep] = []
        self.several = bool(algorithm.processes)
        self.ends = not (options.no_end or algorithm.without_end)
        of_procedures = [v for p in algorithm.procedures for v in p.declared()]
        of_processes = [v for p in algorithm.processes for v in p.variables]
        declared, pc = [variable.name for variable in algorithm.variables], [] if algorithm.without_pc else ["pc"]
        self.globals = [*pc, *declared] if pc_first else [*declared, *pc]
        self.globals += ["stack"] if algorithm.procedures else []
        self.locals = [variable.name for variable in (*of_procedures, *of_processes)]
        self.subscripted = {variable.name for variable in of_procedures}
        self.subscripted |= {v.name for p in algorithm.processes if not p.equal for v in p.variables}

    def lines(self, report: Sequence[str]) -> list[Line]:
        algorithm, out = self.algorithm, self.out
        # all steps first: a mistake in one is said before anything is written
        steps = {id(unit): steps_of(algorithm, unit) for unit in algorithm.units}
        for unit in algorithm.units:
            self.made += [MadeStep(self._action(step, unit), _owner(unit), step.begins) for step in steps[id(unit)]]
        for text in report:
            out.line(text)
        self._declarations()
        if self.several:
            self._process_set()
        self._init()
        for procedure in algorithm.procedures:
            owner = Owner(Expression()) if not self.several else Owner(_self())
            self._unit(procedure, steps[id(procedure)], owner, "(self)" if self.several else "")
        for process in algorithm.processes:
            owner = Owner(process.identity) if process.equal else Owner(_self())
            self._unit(process, steps[id(process)], owner, "" if process.equal else "(self)")
        if algorithm.main is not None:
            for step in steps[id(algorithm.main)]:
                self._step(step, Owner(Expression()), "", algorithm.main)
        self._next([step.label for step in steps[id(algorithm.main)]] if algorithm.main is not None else [])
        for text in spec_lines(algorithm, self.options):
            out.line(text)
        out.line()
        if not algorithm.without_pc and not algorithm.without_end:
            everywhere = '\\A self \\in ProcSet: pc[self] = "Done"' if self.several else 'pc = "Done"'
            out.line(f"Termination == <>({everywhere})")
            out.line()
        return out.lines

    # --- variables -----------------------------------------------------------------------------------------------

    def _declarations(self) -> None:
        out, algorithm = self.out, self.algorithm
        if algorithm.default_value:
            out.line("CONSTANT defaultInitValue")
        if algorithm.definitions:
            self._variables(self.globals)
            out.line()
            out.line("(* define statement *)")
            out.expression(algorithm.definitions)
            out.line()
            self._variables(self.locals)
        else:
            self._variables(self.globals + self.locals)
        names = self.globals + self.locals
        if not names:
            raise PlusCalError("The algorithm has no variables.")
        out.line()
        out.put("vars == << ")
        self._names(names, len("vars == << "))
        if len(out.pending) + 4 > out.width:
            out.end()
            out.put(" " * len("vars =="))
        out.put(" >>")
        out.end()
        out.line()

    def _variables(self, names: Sequence[str]) -> None:
        if names:
            word = "VARIABLES " if len(names) > 1 else "VARIABLE "
            self.out.put(word)
            self._names(names, len(word))
            self.out.end()

    def _names(self, names: Sequence[str], indent: int) -> None:
        out = self.out
        for number, name in enumerate(names):
            if number:
                out.put(", ")
            if len(out.pending) + len(name) + 1 > out.width:
                out.end()
                out.put(" " * indent)
            out.put(name)

    def _process_set(self) -> None:
        out = self.out
        out.put("ProcSet == ")
        for number, process in enumerate(self.algorithm.processes):
            out.put(" \\cup " if number else "")
            out.put("{" if process.equal else "(")
            out.expression(process.identity)
            out.put("}" if process.equal else ")")
        out.end()
        out.line()

    # --- Init ----------------------------------------------------------------------------------------------------

    def _init(self) -> None:
        algorithm, out = self.algorithm, self.out
        indent = " " * len("Init == ")
        self._beginning = "Init == "

        def begin() -> str:
            now, self._beginning = self._beginning, indent
            return now

        if algorithm.variables:
            out.line(begin() + "(* Global variables *)")
            for variable in algorithm.variables:
                self._value(begin(), variable)
        for procedure in algorithm.procedures:
            variables = procedure.declared()
            if variables:
                out.line(f"{begin()}(* Procedure {procedure.name} *)")
            for variable in variables:
                if self.several:
                    self._function(f"{begin()}/\\ {variable.name} = [ self \\in ProcSet |-> ", variable)
                else:
                    self._value(begin(), variable)
        for process in algorithm.processes:
            if process.variables:
                out.line(f"{begin()}(* Process {process.name} *)")
            for variable in process.variables:
                self._of_process(begin(), process, variable)
        if algorithm.procedures:
            empty = "[self \\in ProcSet |-> << >>]" if self.several else "<< >>"
            out.line(f"{begin()}/\\ stack = {empty}")
        out.origin = 0
        if not algorithm.without_pc:
            self._first_pc(begin())
        out.line()

    def _value(self, beginning: str, variable: Variable) -> None:
        out = self.out
        out.origin = variable.line
        out.put(f"{beginning}/\\ {variable.name} {'=' if variable.equal else chr(92) + 'in'} ")
        parentheses = needs_parentheses(variable.value.text_lines())
        out.put("(" if parentheses else "")
        out.expression(variable.value)
        out.put(")" if parentheses else "")
        out.end()

    def _function(self, beginning: str, variable: Variable) -> None:
        self.out.origin = variable.line
        self.out.put(beginning)
        self.out.expression(self._writer(Owner(_self())).subscripted_by(variable.value, _self()))
        self.out.put("]")
        self.out.end()

    def _of_process(self, beginning: str, process: Process, variable: Variable) -> None:
        out = self.out
        out.origin = variable.line
        if process.equal:
            out.put(f"{beginning}/\\ {variable.name} {'=' if variable.equal else chr(92) + 'in'} ")
            out.expression(variable.value)
            out.end()
            return
        if variable.equal:
            out.put(f"{beginning}/\\ {variable.name} = [self \\in ")
            out.expression(process.identity)
            out.put(" |-> ")
            out.expression(self._writer(Owner(_self())).subscripted_by(variable.value, _self()))
        else:
            out.put(f"{beginning}/\\ {variable.name} \\in [")
            out.expression(process.identity)
            out.put(" -> ")
            out.expression(self._writer(Owner(_self())).chosen(variable.value, process.identity))
        out.put("]")
        out.end()

    def _first_pc(self, beginning: str) -> None:
        algorithm, out = self.algorithm, self.out
        if algorithm.main is not None:
            out.line(f'{beginning}/\\ pc = "{algorithm.main.first}"')
            return
        processes = algorithm.processes
        out.put(f"{beginning}/\\ pc = [self \\in ProcSet |-> ")
        if len(processes) == 1:
            out.put(f'"{processes[0].first}"]')
            out.end()
            return
        out.put("CASE ")
        indent = len(out.pending) - 3
        for number, process in enumerate(processes):
            if number:
                out.put(" " * indent + "[] ")
            out.put(f"self {'=' if process.equal else chr(92) + 'in'} ")
            out.expression(process.identity)
            out.put(f' -> "{process.first}"' + ("]" if number + 1 == len(processes) else ""))
            out.end()

    # --- actions -------------------------------------------------------------------------------------------------

    def _writer(self, owner: Owner) -> StepWriter:
        return StepWriter(self.out, self.globals + self.locals, self.subscripted, owner, self.several)

    def _unit(self, unit: Unit, steps: Sequence[Labelled], owner: Owner, argument: str) -> None:
        out = self.out
        for step in steps:
            self._step(step, owner, argument, unit)
        if self.algorithm.without_pc:
            return
        out.origin = unit.line
        out.put(f"{unit.name}{argument} == ")
        indent = " " * (len(out.pending) + 2)
        for number, step in enumerate(steps):
            disjunct = step.label + argument
            if number and len(out.pending) + 7 + len(disjunct) > out.width:
                out.end()
            if number:
                out.put(f"{'' if out.pending else indent} \\/ ")
            out.put(disjunct)
        out.end()
        out.origin = 0
        out.line()

    def _action(self, step: Labelled, unit: Unit) -> str:
        return step.label if not self.algorithm.without_pc else unit.name or "Next"

    def _step(self, step: Labelled, owner: Owner, argument: str, unit: Unit) -> None:
        self._writer(owner).step(f"{self._action(step, unit)}{argument} == ", step)
        self.out.line()
        self.out.origin = 0

    # --- Next ----------------------------------------------------------------------------------------------------

    def _next(self, labels: Sequence[str]) -> None:
        algorithm, out = self.algorithm, self.out
        if algorithm.without_pc and not self.several:
            return
        if self.ends:
            out.line(_TERMINATION)
            if self.several:
                out.line('Terminating == /\\ \\A self \\in ProcSet: pc[self] = "Done"')
                out.line(" " * len("Terminating == ") + "/\\ UNCHANGED vars")
            else:
                out.line('Terminating == pc = "Done" /\\ UNCHANGED vars')
            out.line()
        procedures = [procedure.name for procedure in algorithm.procedures]
        alone = [process.name for process in algorithm.processes if process.equal]
        singles = alone if self.several else [*procedures, *labels]
        parts = _disjuncts(singles, out.width - len("Next == \\/ "))
        beginning, indent = "Next == ", " " * (len("Next == ") + 2)
        for part in parts:
            out.line(beginning + part)
            beginning = f"{indent} \\/ "
        of_any = _calls(procedures, out.width) if self.several else []
        if of_any:
            start = f"{beginning}(\\E self \\in ProcSet: "
            column = " " * len(start)
            start += " \\/ " if len(of_any) > 1 else ""
            for part in of_any:
                out.line(start + part)
                start = f"{column} \\/ "
            beginning = f"{indent} \\/ "
        for process in algorithm.processes:
            if process.equal:
                continue
            lines = _of_each(process)
            first = beginning == "Next == "
            out.origin = process.line
            for text in lines:
                out.line(beginning + text)
                beginning = " " * (len(indent) - 2 if first else len(indent) + 4)
            beginning = f"{indent} \\/ "
        out.origin = 0
        if self.ends:
            out.line(beginning + "Terminating")
        out.line()


def _disjuncts(names: Sequence[str], width: int) -> list[str]:
    lines: list[str] = []
    text = ""
    for name in names:
        if len(name) + 4 + len(text) > width:
            lines.append(text)
            text = ""
        text += (" \\/ " if text else "") + name
    return [*lines, text] if text else lines


def _calls(names: Sequence[str], columns: int) -> list[str]:
    """`p(self) \\/ q(self))` in lines."""
    width = columns - len("Next == \\/ (\\E self \\in ProcSet: \\/ ")
    lines = _disjuncts([f"{name}(self)" for name in names], width)
    return [*lines[:-1], lines[-1] + ")"] if lines else []


def _of_each(process: Process) -> list[str]:
    start = "(\\E self \\in "
    first, *more = process.identity.text_lines()
    lines = [start + first, *(" " * len(start) + text for text in more)]
    lines[-1] += f": {process.name}(self))"
    return lines


def _owner(unit: Unit) -> str:
    match unit:
        case Process():
            return f"process {unit.name}"
        case Procedure():
            return f"procedure {unit.name}"
    return ""


def _self() -> Expression:
    return Expression([[Token("self", Kind.IDENTIFIER)]])
