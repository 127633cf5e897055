"""`python -m tools.fuzz.temporal`: random temporal formulas on small graphs, asked of TLC and of the engines.

Random specifications have a few forms of liveness properties and fairness; here a property is any formula, with
actions, fairness, quantifiers and LET inside, of a behaviour of one variable under random fairness. Those whose actions
stand where TLC takes none are beyond it: there the engines are compared with each other.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import click

from tools.fuzz.compared import told
from tools.fuzz.tlc import classpath

SPEC = """---- MODULE Temporal ----
EXTENDS Integers, TLC
VARIABLES x
A == x' \\in ({a})[x]
B == x' \\in ({b})[x]
P(k) == x = k \\/ x + 1 = k
Next == A \\/ B
Q(k) == x' = k /\\ Next
Init == x \\in {{{initial}}}
Spec == Init /\\ [][Next]_x{fair}
Prop == {formula}
====
"""
CONFIG = "SPECIFICATION Spec\nPROPERTY Prop\nCHECK_DEADLOCK FALSE\n"
LARGEST = 3
"""Values of x are 0 to this at most."""
DEPTH = 3


@dataclass(frozen=True, slots=True)
class TemporalFormula:
    seed: int
    text: str
    spec: str

    def __str__(self) -> str:
        return self.text

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        root = folder / "Temporal.tla"
        root.write_text(self.spec, encoding="utf-8")
        root.with_suffix(".cfg").write_text(CONFIG, encoding="utf-8")
        return root


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Draws parts of formulas in which `names` are bound to numbers."""

    random: Random
    names: tuple[str, ...] = field(default=())

    def number(self) -> str:
        named = self.names and self.random.random() < 0.5
        return self.random.choice(self.names) if named else str(self.random.randint(0, LARGEST))

    def state(self) -> str:
        n = self.number()
        asked = ("ENABLED A", "ENABLED B", "ENABLED <<A>>_x", f"ENABLED (A /\\ x' = {n})", f"P({n})", "TRUE")
        return self.random.choice((f"x = {n}", f"x # {n}", f"x > {n}", f"x < {n}", f"x \\in {{0, {n}}}", *asked))

    def action(self) -> str:
        n = self.number()
        tests = (f"x' = {n}", f"x = {n} /\\ A", f"A /\\ x' # {n}", f"Q({n})", "x' > x", "TRUE", "FALSE")
        return self.random.choice(("A", "B", "Next", *tests))

    def formula(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.1:
            return f"({self.state()})"
        form = self.random.choice(_FORMS)
        if form == "quantified":
            name = f"k{len(self.names)}"
            among = self.random.choice(("{0, 1}", "{1, 2, 3}", "{}", "0..2"))
            inner = _Drawn(self.random, (*self.names, name)).formula(depth - 1)
            return f"(\\{self.random.choice('AE')} {name} \\in {among} : {inner})"
        parts = {"F": lambda: self.formula(depth - 1), "S": self.state, "A": self.action}
        return "".join(parts[each]() if each in parts else each for each in form.split("`"))


_FORMS = (
    *("[]`F`", "[]`F`", "<>`F`", "<>`F`", "(`F` ~> `F`)", "(`F` => `F`)", "(`F` /\\ `F`)", "(`F` \\/ `F`)", "(~`F`)"),
    *("([]<>(`S`))", "(<>[](`S`))", "([]<><<`A`>>_x)", "(<>[][`A`]_x)", "(WF_x(`A`))", "(SF_x(`A`))"),
    *(
        "(`F` <=> `F`)",
        "(IF `S` THEN `F` ELSE `F`)",
        "(LET v == `F` IN v)",
        "(LET v == `F` IN `F` \\/ v)",
        "quantified",
    ),
)
"""F: a formula, S: one of a state, A: an action."""


def temporal(seed: int) -> TemporalFormula:
    """The formula with this number, on every machine the same."""
    random = Random(seed)
    drawn = _Drawn(random)
    values = range(random.randint(1, LARGEST) + 1)

    def among(share: float) -> str:
        return ", ".join(str(value) for value in values if random.random() < share)

    a, b = (" @@ ".join(f"({value} :> {{{among(share)}}})" for value in values) for share in (0.4, 0.3))
    fair = "".join(f" /\\ {random.choice(('WF', 'WF', 'SF'))}_x({drawn.action()})" for _ in range(random.randint(0, 3)))
    text = drawn.formula(DEPTH)
    return TemporalFormula(seed, text, SPEC.format(a=a, b=b, initial=among(0.5) or "0", fair=fair, formula=text))


@click.command()
@click.option("--count", default=1000, show_default=True, help="Formulas.")
@click.option("--seed", default=0, show_default=True, help="Of the first one.")
@click.option("--native", default=0.1, show_default=True, help="Share of the formulas that are compiled, too.")
@click.option("--tlc", default=classpath, required=True, metavar="CLASSPATH", help="Default: $TLC_CLASSPATH.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
def main(count: int, seed: int, native: float, tlc: str, workers: int) -> None:
    """Ask TLC and the engines about temporal formulas; print those on which they differ."""
    shares = {"python": 1.0, "native": native}
    sys.exit(bool(told([temporal(number) for number in range(seed, seed + count)], shares, tlc, workers)))


if __name__ == "__main__":
    main()
