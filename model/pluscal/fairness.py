"""Spec: Init, Next, and the fairness of the processes and of the procedures that they call."""

from __future__ import annotations

from dataclasses import dataclass, field

from rmqproof.model.pluscal.options import Options
from rmqproof.model.pluscal.tree import Algorithm, Fairness, Procedure, Process, Unit

_SAFETY = "Init /\\ [][Next]_vars"


def spec_lines(algorithm: Algorithm, options: Options) -> list[str]:
    several = bool(algorithm.processes)
    some = options.fairness is not Fairness.UNFAIR
    whole = options.whole or algorithm.fair or algorithm.fair_body or (not several and some)
    if (options.none and (several or not algorithm.fair)) or (not several and not whole):
        return [f"Spec == {_SAFETY}"]
    formulas = [
        _of_process(algorithm, p, options.width) for p in algorithm.processes if p.fairness is not Fairness.UNFAIR
    ]
    if not whole and not formulas:
        return [f"Spec == {_SAFETY}"]
    lines = [f"Spec == /\\ {_SAFETY}"]
    if whole:
        lines.append("        /\\ WF_vars(Next)")
    for formula in formulas:
        lines += ("        /\\ " + formula.text(len("Spec == /\\ "))).rstrip("\n").split("\n")
    return lines


@dataclass(frozen=True, slots=True)
class _Pair:
    """The fairness of all steps, and the strong one of those with a `+`."""

    weak: str
    strong: str = ""

    @property
    def line(self) -> str:
        return f"{self.weak} /\\ {self.strong}" if self.strong else self.weak

    def lines(self, column: int) -> str:
        return f"/\\ {self.weak}" + (f"\n{' ' * column}/\\ {self.strong}" if self.strong else "")


@dataclass(frozen=True, slots=True)
class _Formula:
    """`prefix`: the lines that bind `self`; `width` is that of a line."""

    width: int
    prefix: list[str]
    body: _Pair
    procedures: list[_Pair] = field(default_factory=list)

    def text(self, column: int) -> str:
        beginning = ("\n" + " " * column).join(self.prefix)
        if self._fits(column):
            return beginning + " /\\ ".join(pair.line for pair in (self.body, *self.procedures))
        column += len(self.prefix[-1]) if self.prefix else 0
        text = beginning + self._pair(self.body, column)
        for number, pair in enumerate(self.procedures):
            text += ("\n" if not number else "") + " " * column + self._pair(pair, column)
            text += "\n" if column + len(pair.line) + 3 <= self.width else ""
        return text

    def _pair(self, pair: _Pair, column: int) -> str:
        return f"/\\ {pair.line}" if column + len(pair.line) + 3 <= self.width else pair.lines(column)

    def _fits(self, column: int) -> bool:
        if not self.body.strong and not self.procedures:
            return True
        widest = max((len(text) for text in self.prefix[:-1]), default=0)
        width = len(self.prefix[-1]) if len(self.prefix) > 1 else 0
        width += len(self.body.weak) + len(self.body.strong) + sum(len(pair.line) for pair in self.procedures)
        return column + max(widest, width) <= self.width


def _of_process(algorithm: Algorithm, process: Process, width: int) -> _Formula:
    kind = "WF" if process.fairness is Fairness.WEAK else "SF"
    identity = process.identity.text_lines()
    prefix: list[str] = []
    own = "self"
    if process.equal and len(identity) == 1:
        own = identity[0]
    else:
        start, end = ("LET self == ", "") if process.equal else ("\\A self \\in ", " : ")
        prefix = [(start if not number else " " * len(start)) + text for number, text in enumerate(identity)]
        prefix[-1] += end
        prefix += ["IN "] if process.equal else []
    argument = "" if process.equal else "(self)"
    known = {procedure.name: procedure for procedure in algorithm.procedures}
    called = [known[name] for name in process.calls if name in known]
    return _Formula(
        width, prefix, _pair(process, kind, own, argument), [_pair(p, kind, own, f"({own})") for p in called]
    )


def _pair(unit: Process | Procedure, kind: str, own: str, argument: str) -> _Pair:
    weak = f"{kind}_vars({_without(unit, own)}{unit.name}{argument})"
    strong = ""
    if kind == "WF":
        strong = " /\\ ".join(f"SF_vars({label}{argument})" for label in unit.plus)
    return _Pair(weak, strong)


def _without(unit: Unit, own: str) -> str:
    """All steps but those with a `-`."""
    if not unit.minus:
        return ""
    if len(unit.minus) == 1:
        return f'(pc[{own}] # "{unit.minus[0]}") /\\ '
    labels = '", "'.join(unit.minus)
    return f'(pc[{own}] \\notin {{"{labels}"}}) /\\ '
