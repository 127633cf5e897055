"""Three for each temporal operator and each form of fairness: a small specification that has the property, one that has
not because fairness is missing, and one that has not for a real cycle. docs/liveness.md shows them as a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.models import ModelFiles
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.evaluate.temporal import fairness_of, temporal_properties
from rmqproof.model.search.liveness.check import LivenessCheck
from rmqproof.model.search.liveness.recorder import behaviour_graph
from rmqproof.model.tla.model import load_model
from tests.evaluate.test_temporal import ALL, BOTH, FLIP, NEXT, RESET, TAKE, UP, write

PAGE = Path(__file__).parents[2] / "docs" / "liveness.md"
BEGIN, END = "<!-- forms -->\n", "<!-- end of forms -->\n"


@dataclass(frozen=True)
class Case:
    """The next-state action, what is assumed besides, the property."""

    step: str
    fair: str
    formula: str


@dataclass(frozen=True)
class Form:
    name: str
    holds: Case
    unfair: Case
    """`holds` with less fairness."""
    cycle: Case
    """Something happens for ever."""


def form(name: str, formula: str, holds: tuple[str, str], unfair: str, cycle: tuple[str, str]) -> Form:
    """One property of three specifications."""
    return Form(name, Case(*holds, formula), Case(holds[0], unfair, formula), Case(*cycle, formula))


EACH = r"\A n \in 1..3 : WF_vars(x = n - 1 /\ Up)"
QUIET = r"Up \/ (x # 3 /\ Flip)"
FORMS = [
    form("<>P", "<>(x = 3)", (ALL, UP), "TRUE", (ALL, NEXT)),
    form("[]<>P", "[]<>(x = 0)", (ALL, BOTH), UP, (ALL, rf"{UP} /\ {NEXT}")),
    form("<>[]P", "<>[](x = 3)", (r"Up \/ Flip", UP), "TRUE", (r"Up \/ Reset", BOTH)),
    form("P ~> Q", "x = 1 ~> x = 3", (ALL, BOTH), RESET, (ALL, NEXT)),
    form("[](P => <>Q)", "[](x = 1 => <>(x = 0))", (ALL, BOTH), UP, (ALL, NEXT)),
    form("[]P", r"[](x # 1) \/ <>(x = 3)", (ALL, UP), "TRUE", (ALL, NEXT)),
    form("[]<><<A>>_v", "[]<><<Flip>>_vars", (ALL, FLIP), UP, (ALL, BOTH)),
    form("<><<A>>_v", "<><<Up>>_vars", (ALL, UP), "TRUE", (ALL, NEXT)),
    form("<>[][A]_v", "<>[][Up]_vars", (QUIET, UP), "TRUE", (ALL, BOTH)),
    form("~F", "~<>[](y = 0)", (ALL, FLIP), "TRUE", (ALL, BOTH)),
    form(r"F /\ G", r"<>(x = 1) /\ []<>(y = 1)", (ALL, rf"{UP} /\ {FLIP}"), UP, (ALL, FLIP)),
    form(r"F \/ G", r"<>(x = 3 /\ y = 1) \/ []<>(y = 1)", (ALL, FLIP), "TRUE", (r"Up \/ Reset", BOTH)),
    form("F => G", "[]<>(x = 3) => []<>(y = 1)", (ALL, FLIP), "TRUE", (ALL, BOTH)),
    form("F <=> G", "[]<>(x = 3) <=> []<>(x = 0)", (r"Up \/ Reset", NEXT), "TRUE", (ALL, NEXT)),
    form(r"\A i \in S : F", r"\A i \in 1..3 : <>(x = i)", (ALL, UP), "TRUE", (ALL, NEXT)),
    form(r"\E i \in S : F", r"\E i \in {7, 3} : <>(x = i)", (ALL, UP), "TRUE", (ALL, NEXT)),
    form("ENABLED A", "[]<>ENABLED Reset", (ALL, BOTH), "TRUE", (ALL, NEXT)),
    form("LET", r"LET later == <>(x = 2) IN later /\ <>(x = 1)", (ALL, UP), "TRUE", (ALL, NEXT)),
    form("IF", "IF x = 0 THEN <>(x = 3) ELSE FALSE", (ALL, UP), "TRUE", (ALL, NEXT)),
    form("an operator on formulas", r"Often(x = 1 /\ Often(x = 0))", (ALL, BOTH), UP, (ALL, NEXT)),
    Form(
        "WF_v(A) assumed",
        Case(r"Up \/ Flip", UP, "<>(x = 3)"),
        Case(r"Up \/ Flip", "TRUE", "<>(x = 3)"),
        Case(r"Take \/ Flip", rf"{FLIP} /\ {TAKE}", "<>(x = 3)"),
    ),
    Form(
        "SF_v(A) assumed",
        Case(r"Take \/ Flip", rf"{FLIP} /\ SF_vars(Take)", "<>(x = 3)"),
        Case(r"Take \/ Flip", FLIP, "<>(x = 3)"),
        Case(r"Take \/ Flip \/ Reset", rf"{FLIP} /\ {RESET} /\ SF_vars(Take)", "<>[](x = 3)"),
    ),
    Form(
        r"\A i \in S : WF_v(A) assumed",
        Case(ALL, EACH, "<>(x = 3)"),
        Case(ALL, EACH.replace("3", "2"), "<>(x = 3)"),
        Case(r"Up \/ Reset", rf"({EACH}) /\ {RESET}", "<>[](x = 3)"),
    ),
    form("WF_v(A)", "WF_vars(Flip)", (ALL, FLIP), "TRUE", (ALL, BOTH)),
    form("SF_v(A)", "SF_vars(Take)", (r"Take \/ Flip", "SF_vars(Take)"), "TRUE", (r"Take \/ Flip", TAKE)),
    form("I!Spec with WF", "Abstract(y)!Spec", (ALL, FLIP), UP, (ALL, BOTH)),
    form("I!Spec with SF", "Abstract(y)!Strong", (ALL, r"SF_vars(Flip /\ y = 1)"), "TRUE", (ALL, BOTH)),
    form("I!Spec, an expression for a variable", "Side!Spec", (r"Up \/ Reset", BOTH), UP, (ALL, NEXT)),
]
"""Assumed: in the specification; else in the property. Safety ([]P and [][A]_v by themselves) needs no fairness."""


def cycle_of(folder: Path, case: Case) -> int | None:
    """How many states the cycle has of a behaviour that violates the property; None when it holds."""
    system = system_of(load_model(*write(folder, case.step, case.fair, case.formula)))
    graph = behaviour_graph(system, system.fingerprint)
    found = LivenessCheck(graph, fairness_of(system)).violated(temporal_properties(system))
    return len(found[0][1].cycle) if found else None


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_three_for_each_form(tmp_path, form):
    assert cycle_of(tmp_path, form.holds) is None
    assert form.unfair == replace(form.holds, fair=form.unfair.fair), "only fairness is missing"
    assert cycle_of(tmp_path, form.unfair) is not None
    assert (cycle_of(tmp_path, form.cycle) or 0) > 1


@pytest.mark.large
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_three_for_each_form_in_machine_code(tmp_path, monkeypatch, form):
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-O0")
    for case in (form.holds, form.unfair, form.cycle):
        files = ModelFiles(*write(tmp_path, case.step, case.fair, case.formula))
        options = Options("native", workers=1)
        result = check(files, options).result
        cycle = cycle_of(tmp_path, case)
        assert result.engine == "native"
        assert result.verdict == ("success" if cycle is None else "liveness failure")
        lengths = [violation.depth - violation.loop for violation in result.violations if violation.loop is not None]
        assert lengths == ([] if cycle is None else [cycle])


def table() -> str:
    """The forms as the page shows them."""
    lines = [
        "| form | holds | fails: fairness is missing | fails: a real cycle |",
        "|---|---|---|---|",
    ]
    for form in FORMS:
        cells = [
            f"`{case.formula}`<br>`{case.step}`<br>`{case.fair}`".replace("|", "\\|")
            for case in (form.holds, form.unfair, form.cycle)
        ]
        cells[1] = f"`{form.unfair.fair}`"
        lines.append(f"| `{form.name}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def test_the_page_shows_every_form():
    """`python -m tests.evaluate.test_temporal_forms` writes the table."""
    assert table() in PAGE.read_text(encoding="utf-8")


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.split(END)[1], encoding="utf-8")
