"""`python -m tools.translation [MODULE...]`: the formulas of `prove` held to the reference evaluator.

For each lemma values are drawn for what it speaks of: constants that are open, new symbols, a state of a random walk or
one that has parts of others. Z3 is told these values as equations, with all axioms, and asked whether each hypothesis
and each part of the goal follows, or its negation; the reference evaluator says what is right. Steps are pairs of
states: each step of the specification must be one of the ways that `prove` asks about, no other pair may be, and the
parts of the goal are compared as above. What has no value for the reference evaluator must not have one by what `prove`
demands.

Prints a table as Markdown, and which operators occur. The exit status is 1 where something differs.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import click

from rmqproof.model.prove.modules import chosen, lemma_modules, open_module
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.tla import core
from rmqproof.model.tla.library import PROTOCOL
from rmqproof.model.tla.walk import reached
from tools.translation.compare import Comparison, compared, compared_steps
from tools.translation.worlds import Worlds

INVARIANT = PROTOCOL / "lemmas" / "InductiveInvariant.tla"


def operators(lemmas: list[Lemma]) -> list[str]:
    """Operators and constructs that occur in formulas of lemmas."""
    nodes = [node for lemma in lemmas for h in lemma.hypotheses for node in reached(h.formula, lemma.goal)]
    names = {n.operator if isinstance(n, core.Builtin) else type(n).__name__ for n in nodes}
    return sorted(names)


@click.command()
@click.argument("modules", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--worlds", default=100, show_default=True, help="So many for each lemma that is about no step.")
@click.option("--steps", default=20, show_default=True, help="Steps from so many states for each lemma that is.")
@click.option("--seed", default=1, show_default=True)
@click.option("--lemma", "names", multiple=True, help="Only these.")
def main(modules: tuple[Path, ...], worlds: int, steps: int, seed: int, names: tuple[str, ...]) -> None:
    """Formulas of lemmas in Z3 beside the reference evaluator."""
    columns = ("true", "false", "no value", "undecided", "a step", "no step")
    print(f"| lemma | {' | '.join(columns)} | differ | s |\n|---|{'--:|' * (len(columns) + 2)}")
    every, differ, total = [], [], 0
    for module in modules or (*lemma_modules(PROTOCOL / "lemmas"), INVARIANT):
        subject = open_module(module)
        for lemma in chosen(subject, names):
            start = time.perf_counter()
            comparison = Comparison(subject, lemma)
            found = comparison.found
            drawn = Worlds(subject, lemma, random.Random(f"{seed} {lemma.name}"))
            if lemma.is_about_steps:
                compared_steps(comparison, drawn, steps)
            else:
                compared(comparison, drawn, worlds)
            cells = " | ".join(f"{found.counts[column]:,}" for column in columns)
            print(f"| `{lemma.name}` | {cells} | {len(found.differ)} | {time.perf_counter() - start:.0f} |", flush=True)
            every.append(lemma)
            differ += found.differ
            total += found.comparisons
    print(f"\n{total:,} comparisons, {len(differ)} differ. Operators: {' '.join(operators(every))}")
    for line in differ[:10]:
        print(line[:400])
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
