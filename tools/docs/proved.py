"""`python -m tools.docs.proved`: docs/proved.md, one table of what is proved, for which sizes and by whom, from the log
of `tools.proof_runs`; it is printed, too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.table import Table
from rich.text import Text

from rmqproof.model.prove.decide import PROVED, REFUTED, UNKNOWN
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.theorems import Hypothesis, Lemma
from rmqproof.model.report.console import open_console
from rmqproof.model.tla import core
from tools.engine_runs import ROOT, logged
from tools.proof_runs import (
    ANY,
    CHECKER,
    CONFIGURED,
    CVC5,
    LOG,
    NOT_PUT,
    Z3,
    Module,
    Question,
    Run,
    current,
    modules,
)

PAGE = ROOT / "docs" / "proved.md"
NOT_ASKED = "not asked"
AS_DECLARED = "refuted, as declared"
SHORT = 80
"""Characters of a formula that is shown."""
COLUMNS = ("theorem", "hypotheses", "sizes", "Z3", "cvc5", "certificates", "s")
HEAD = """# What is proved

Each lemma of `spec/lemmas`: what it stands on, for which sizes it is settled, and who says so. Whatever has no value by
its configuration is open: a lemma is about every number of messages, epochs, offsets and faults. Made by
`make prove-all`, which asks what has not been asked since the texts of the module, or of one that it extends, have
changed; an answer about other texts is not counted. The prover may have changed since: it was as it is at the commit of
its answer. What the answers mean, and what rests on what, is in [Proofs for all sizes](proofs.md).

- **theorem**: its sentence. Where it is known to be wrong a countermodel is wanted: *refuted, as declared*.
- **hypotheses**: by their labels, with the formula where it is short. *stands on*: a lemma above that is taken as a
  hypothesis. What a module as a whole assumes stands in its row.
- **sizes**: the constants that the lemma reads and that had one value, each with it. Of *any number* of brokers: a
  proof for every finite set. *Every size*: it reads no such constant.
- **Z3**, **cvc5**: what they say; of cvc5, on how many of Z3's proofs of pieces, and countermodels, it agrees.
- **certificates**: so many of cvc5's proofs a checker that is no solver has accepted, and no solver was asked. A
  question that comes up twice is checked once. There are none for any number of brokers.
- **s**: seconds of the run that gave each of these answers; what Z3 or cvc5 had answered before was not asked again.

*Not asked* is what it says: nobody has tried, or not since the texts have changed.

"""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: of a module only the first cell, which says what it is about."""

    cells: tuple[str, ...]

    @property
    def is_of_module(self) -> bool:
        return len(self.cells) == 1


def rows(known: Sequence[Module], runs: Mapping[Question, Run]) -> list[Row]:
    """For each module a row of its own, then one for each lemma and size; one for a lemma that speaks of no set."""
    found = []
    for module in known:
        found.append(Row((f"**{module.name}** {about(module)}",)))
        for lemma in module.lemmas:
            alone = runs.get(Question(module.name, lemma.name, CONFIGURED, Z3), {}).get("sizes") == {}
            found += [_row(module, lemma, size, runs) for size in module.sizes() if size == CONFIGURED or not alone]
    return found


def _row(module: Module, lemma: Lemma, size: str, runs: Mapping[Question, Run]) -> Row:
    answers = {by: _answers(module, lemma, size, by, runs) for by in (Z3, CVC5, CHECKER)}
    sizes = next((run for found in answers.values() for run in found.values() if run is not None), None)
    return Row(
        (
            f"`{lemma.name}`: {lemma.sentence}",
            words(lemma),
            sizes_in(sizes, size),
            verdict_in(answers[Z3].get(""), lemma),
            cvc5_in(answers[CVC5], lemma),
            certificates_in(answers[CHECKER], lemma),
            "; ".join(map(seconds_of, answers.values())),
        )
    )


def _answers(module: Module, lemma: Lemma, size: str, by: str, runs: Mapping[Question, Run]) -> dict[str, Run | None]:
    """By part; None for what nobody has asked."""
    of_this = Question(module.name, lemma.name, size, by)
    got = {asked.part: run for asked, run in runs.items() if replace(asked, part="") == of_this}
    if not any(got):
        return {"": got.get("")}  # to find the parts of a lemma takes seconds
    parts = {part: got.get(part) for part in module.parts[lemma.name]}
    return {"": got[""]} if "" in got and None in parts.values() else dict(parts)


def about(module: Module) -> str:
    """The comment at the module's head."""
    text = module.path.read_text(encoding="utf-8")
    found = re.search(r"\(\*{10,}\)\n((?:\(\*.*\*\)\n)+?)\(\*{10,}\)", text)
    lines = found[1].splitlines() if found else []
    return " ".join(word for line in lines for word in line[2:-2].split())


def words(lemma: Lemma) -> str:
    """The hypotheses by their labels."""
    said = [_hypothesis(hypothesis) for hypothesis in lemma.hypotheses]
    for actions in dict.fromkeys(use.actions for use in lemma.uses):
        used = ", ".join(f"`{use.name}`" for use in lemma.uses if use.actions == actions)
        where = f" at {', '.join(actions)}" if actions else ""
        said.append(f"stands on {used}{where}")
    return "; ".join(said) or "none"


def _hypothesis(hypothesis: Hypothesis) -> str:
    formula = hypothesis.formula
    if not isinstance(formula, core.Label):
        return f"{'a step of ' if gives_values(formula) else ''}`{hypothesis.name}`"
    label = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", formula.name)
    label = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in label.split())
    at = formula.body.at
    short = at.line == at.end_line and len(at.text) <= SHORT
    return f"{label} (`{at.text}`)" if short else label


def sizes_in(run: Run | None, size: str) -> str:
    if run is None or "sizes" not in run:
        return f"{'any number of brokers' if size == ANY else 'as configured'}"
    return ", ".join(f"{name} {value}" for name, value in run["sizes"].items()) or "every size"


def verdict_in(run: Run | None, lemma: Lemma) -> str:
    """What Z3 says; that it is as declared where that is no proof."""
    if run is None:
        return NOT_ASKED
    verdict = str(run["verdict"])
    if verdict == NOT_PUT:
        return f"unknown: {run['reason']}"
    if verdict == lemma.expected:
        return AS_DECLARED if verdict == REFUTED else verdict
    return f"{verdict}, not as declared" if verdict != UNKNOWN else verdict


def cvc5_in(answers: Mapping[str, Run | None], lemma: Lemma) -> str:
    """What cvc5 says of Z3's answers, in all parts that it was asked about."""
    got = {part: run for part, run in answers.items() if run is not None}
    if not got:
        return NOT_ASKED
    said = [run.get("cvc5", {}) for run in got.values()]
    total = {key: sum(one.get(key, 0) for one in said) for key in ("asked", "agrees", "noAnswer", "disagrees")}
    stopped = [str(run["reason"]) for run in got.values() if run["verdict"] == UNKNOWN and run.get("reason")]
    nothing = stopped[0] if stopped else "nothing to ask"
    told = [f"agrees on {total['agrees']:,} of {total['asked']:,}" if total["asked"] else nothing]
    told += [f"no answer to {total['noAnswer']:,}"] * bool(total["noAnswer"])
    told += [f"the opposite of {total['disagrees']:,}"] * bool(total["disagrees"])
    return ", ".join(told) + _short("open", got, lemma) + _left(answers)


def certificates_in(answers: Mapping[str, Run | None], lemma: Lemma) -> str:
    """What a checker has accepted, and whether that is all."""
    got = {part: run for part, run in answers.items() if run is not None}
    if not got:
        return NOT_ASKED
    tallies = [run.get("certificates", {}) for run in got.values()]
    accepted = sum(one.get("checked", 0) for one in tallies)
    holes, refused = (
        sum(one.get("withHoles", 0) for one in tallies),
        sum(len(one.get("refused", ())) for one in tallies),
    )
    told = [f"{accepted:,} accepted"]
    told += [f"{holes:,} with holes"] * bool(holes) + [f"{refused:,} refused"] * bool(refused)
    short = _short("not enough", got, lemma)
    if lemma.expected == REFUTED and not short and not accepted:
        return "none needed: a countermodel"
    return ", ".join(told) + short + _left(answers)


def _short(what: str, got: Mapping[str, Run], lemma: Lemma) -> str:
    """Where something is left of what was asked."""
    left = [part for part, run in got.items() if run["verdict"] != lemma.expected and not run.get("provedFor")]
    return f"; {what}{' for ' if any(left) else ''}{', '.join(left)}" if left else ""


def _left(answers: Mapping[str, Run | None]) -> str:
    """How much of a lemma that is asked in parts was not."""
    left = [part for part, run in answers.items() if run is None]
    if not left:
        return f" (all {len(answers)} parts)" if len(answers) > 1 else ""
    return f" ({len(answers) - len(left)} of {len(answers)} parts; {NOT_ASKED}: {', '.join(left)})"


def seconds_of(answers: Mapping[str, Run | None]) -> str:
    got = [run.get("seconds", 0.0) for run in answers.values() if run is not None]
    return f"{sum(got):.1f}" if got else "–"


def page(found: Sequence[Row]) -> str:
    """The page."""
    text = HEAD + f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n"
    for row in found:
        cells = [*row.cells, *[""] * (len(COLUMNS) - len(row.cells))]
        text += f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"
    return text + f"\n{summary(found)}\n"


def summary(found: Sequence[Row]) -> str:
    """How many of the lines are settled by whom."""
    lines = [row.cells for row in found if not row.is_of_module]
    z3, cvc5, certificates = (
        [cells[COLUMNS.index(name)] for cells in lines] for name in ("Z3", "cvc5", "certificates")
    )
    settled = [said in (PROVED, AS_DECLARED) for said in z3]
    both = [re.fullmatch(r"agrees on ([\d,]+) of \1(?: \(all \d+ parts\))?", said) is not None for said in cvc5]
    checked = [re.fullmatch(r"[\d,]+ accepted(?: \(all \d+ parts\))?", said) is not None for said in certificates]
    return (
        f"{len(lines)} lines: {sum(settled)} are settled by Z3 as declared; in {sum(map(min, settled, both))} of them "
        f"cvc5 agrees on everything; {sum(checked)} are proved by certificates alone."
    )


def print_table(found: Sequence[Row]) -> None:
    """The same on the terminal."""
    table = Table(box=None, pad_edge=False, show_edge=False)
    for name in COLUMNS:
        table.add_column(name, overflow="fold", justify="right" if name == "s" else "left")
    for row in found:
        table.add_row(*(Text(re.sub(r"`|\*\*", "", cell)) for cell in row.cells))
    console = open_console()
    console.print(table)
    console.print(summary(found), markup=False)


def main(log: Path = LOG) -> None:
    known = modules()
    found = rows(known, current(logged(log), known))
    PAGE.write_text(page(found), encoding="utf-8")
    print_table(found)


if __name__ == "__main__":
    main()
