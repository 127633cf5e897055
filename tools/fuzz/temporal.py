"""`python -m tools.fuzz.temporal`: random temporal formulas on small graphs, asked of TLC and of the engines.

Random specifications have a few forms of liveness properties and fairness; here a property is any formula, with
actions, fairness, quantifiers and LET inside, of a behaviour of one variable under random fairness; some are those of
an instance. Those whose actions stand where TLC takes none are beyond it: there the engines are compared with each
other.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
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
{instance}Prop == {formula}
====
"""
INSTANCE = """---- MODULE Abstract ----
EXTENDS Integers, TLC
VARIABLES y
A == y' \\in ({a})[y]
B == y' \\in ({b})[y]
P(k) == y = k \\/ y + 1 = k
Next == A \\/ B
Q(k) == y' = k /\\ Next
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
    abstract: str = ""
    """The module of which the property is an instance's."""

    def __str__(self) -> str:
        return self.text

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        root = folder / "Temporal.tla"
        root.write_text(self.spec, encoding="utf-8")
        root.with_suffix(".cfg").write_text(CONFIG, encoding="utf-8")
        if self.abstract:
            (folder / "Abstract.tla").write_text(self.abstract, encoding="utf-8")
        return root


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Draws parts of formulas in which `names` are bound to numbers. `x`: the variable. `enabled`: ENABLED, WF and SF
    are drawn; TLC has none of an action of an instance where something else stands for the variable. `asking`: so is
    what asks where the search is."""

    random: Random
    x: str = "x"
    enabled: bool = True
    asking: bool = False
    names: tuple[str, ...] = ()

    def number(self) -> str:
        named = self.names and self.random.random() < 0.5
        return self.random.choice(self.names) if named else str(self.random.randint(0, LARGEST))

    def state(self) -> str:
        if self.asking and self.random.random() < 0.5:
            return f"TLCGet({self.random.choice(_KEYS)}) {self.random.choice('=#<>')} {self.random.randint(0, 6)}"
        n = self.number()
        x = self.x
        asked = ("ENABLED A", "ENABLED B", f"ENABLED <<A>>_{self.subscript()}", f"ENABLED (A /\\ {x}' = {n})")
        tests = (f"{x} = {n}", f"{x} # {n}", f"{x} > {n}", f"{x} < {n}", f"{x} \\in {{0, {n}}}", f"P({n})", "TRUE")
        return self.random.choice((*tests, *asked) if self.enabled else tests)

    def subscript(self) -> str:
        x = self.x
        return self.random.choice((x, x, x, f"<<{x}>>", f"<<{x}, {x} + 1>>", f"({x} > 1)"))

    def action(self, giving: bool = False) -> str:
        """`giving`: seldom one that leaves the variable open, of which ENABLED has no value."""
        n, x = self.number(), self.x
        given = ["A", "B", "Next", f"{x}' = {n}", f"{x} = {n} /\\ A", f"A /\\ {x}' # {n}", f"Q({n})", "FALSE"]
        if not giving or self.random.random() < 0.05:
            given += [f"{x}' > {x}", "TRUE"]
        return self.random.choice(given)

    def formula(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.1:
            return f"({self.state()})"
        form = self.random.choice(_FORMS if self.enabled else _FORMS[2:])
        if form == "quantified":
            name = f"k{len(self.names)}"
            among = self.random.choice(("{0, 1}", "{1, 2, 3}", "{}", "0..2"))
            inner = replace(self, names=(*self.names, name)).formula(depth - 1)
            return f"(\\{self.random.choice('AE')} {name} \\in {among} : {inner})"
        parts = {
            "F": lambda: self.formula(depth - 1),
            "S": self.state,
            "A": self.action,
            "G": lambda: self.action(giving=True),
            "v": self.subscript,
        }
        return "".join(parts[each]() if each in parts else each for each in form.split("`"))


_KEYS = ('"queue"', '"distinct"', '"generated"', '"diameter"', '"level"')
_FORMS = (
    *("(WF_`v`(`G`))", "(SF_`v`(`G`))"),
    *("[]`F`", "[]`F`", "<>`F`", "<>`F`", "(`F` ~> `F`)", "(`F` => `F`)", "(`F` /\\ `F`)", "(`F` \\/ `F`)", "(~`F`)"),
    *("([]<>(`S`))", "(<>[](`S`))", "([]<><<`A`>>_`v`)", "(<>[][`A`]_`v`)"),
    *(
        "(`F` <=> `F`)",
        "(IF `S` THEN `F` ELSE `F`)",
        "(LET v == `F` IN v)",
        "(LET v == `F` IN `F` \\/ v)",
        "quantified",
    ),
)
"""F: a formula, S: one of a state, A: an action, G: one of fairness, v: a subscript. The first two speak of ENABLED."""


def temporal(seed: int, asking: bool = False) -> TemporalFormula:
    """The formula with this number, on every machine the same. `asking`: it may ask where the search is."""
    random = Random(seed)
    drawn = _Drawn(random, asking=asking)
    values = range(random.randint(1, LARGEST) + 1)

    def among(share: float) -> str:
        return ", ".join(str(value) for value in values if random.random() < share)

    a, b = (" @@ ".join(f"({value} :> {{{among(share)}}})" for value in values) for share in (0.4, 0.3))
    fair = "".join(
        f" /\\ {random.choice(('WF', 'WF', 'SF'))}_{drawn.subscript()}({drawn.action(giving=True)})"
        for _ in range(random.randint(0, 3))
    )
    graph = {"a": a, "b": b, "initial": among(0.5) or "0", "fair": fair}
    if random.random() < 0.7:
        text = drawn.formula(DEPTH)
        return TemporalFormula(seed, text, SPEC.format(**graph, instance="", formula=text))
    stands = random.choice(("x", "x", f"{LARGEST} - x", "x \\div 2", "(IF x > 1 THEN 0 ELSE x)"))
    text = _Drawn(random, "y", stands == "x", asking).formula(DEPTH)
    spec = SPEC.format(**graph, instance=f"I == INSTANCE Abstract WITH y <- {stands}\n", formula="I!Prop")
    whole = range(LARGEST + 1)
    a, b = (" @@ ".join(f"({value} :> {{{among(share)}}})" for value in whole) for share in (0.4, 0.3))
    return TemporalFormula(seed, f"{text}   y <- {stands}", spec, INSTANCE.format(a=a, b=b, formula=text))


@click.command()
@click.option("--count", default=1000, show_default=True, help="Formulas.")
@click.option("--seed", default=0, show_default=True, help="Of the first one.")
@click.option("--native", default=0.1, show_default=True, help="Share of the formulas that are compiled, too.")
@click.option("--tlc", default=classpath, required=True, metavar="CLASSPATH", help="Default: $TLC_CLASSPATH.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
@click.option("--asking", is_flag=True, help='Formulas ask for TLCGet("queue") and the like, too.')
def main(count: int, seed: int, native: float, tlc: str, workers: int, asking: bool) -> None:
    """Ask TLC and the engines about temporal formulas; print those on which they differ."""
    shares = {"python": 1.0, "native": native}
    sys.exit(bool(told([temporal(number, asking) for number in range(seed, seed + count)], shares, tlc, workers)))


if __name__ == "__main__":
    main()
