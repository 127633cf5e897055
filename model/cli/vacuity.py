"""What `rmqproof prove --vacuity` prints: which actions can be taken, and what each hypothesis is needed for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from rmqproof.model.prove.lemma_parts import WHOLE
from rmqproof.model.prove.vacuity import STOPPED, Need, Taken, Vacuity

_POSSIBLE = {
    True: "yes",
    False: "never: the hypotheses and its conditions contradict each other",
    None: "no values were found",
}


def print_taken(taken: Taken, console: Console) -> None:
    """One line about a way to take the step, as soon as it is known."""
    if taken.way is not None:
        open_ = f"; no proof of {', '.join(taken.open)}" if taken.open else ""
        possible = _POSSIBLE[taken.possible]
        console.print(f"{taken.lemma}: {taken.way.title} can be taken: {possible}{open_}", markup=False, soft_wrap=True)


def print_need(need: Need, console: Console) -> None:
    """One line, as soon as it is known."""
    console.print(f"{need.lemma}: {need.part}: {use_of(need)}", markup=False, soft_wrap=True)


def use_of(need: Need) -> str:
    """What a part is needed for."""
    if need.needed is None:
        return f"not known ({need.why or STOPPED})"
    if not need.needed:
        at = f" at {', '.join(need.among)}" if need.among else ""
        return f"nothing{at}: everything else is proved without it"
    where = f"{need.step}: {need.goal or WHOLE}" if need.step else need.goal or WHOLE
    return f"{where} ({'values show it' if need.countermodel is not None else 'no proof without it in the time'})"


def print_vacuities(found: Sequence[Vacuity], console: Console) -> None:
    """The tables, and what is of no use."""
    for one in found:
        if one.open:
            console.print(
                f"{one.lemma.name}: no proof of {'; '.join(one.open)}. What it needs is not known.", markup=False
            )
        if one.actions:
            table = _table(
                f"{one.lemma.name}: can the step be taken?", "action", "from a state that satisfies the hypotheses"
            )
            for action, possible in one.actions.items():
                table.add_row(action, _POSSIBLE[possible])
            console.print(table)
        if one.needs:
            table = _table(f"{one.lemma.name}: what is each hypothesis needed for?", "hypothesis", "needed for")
            for need in one.needs:
                table.add_row(need.part, use_of(need))
            console.print(table)
    parts: dict[str, set[bool | None]] = {}
    for need in (need for one in found for need in one.needs):
        parts.setdefault(need.part, set()).add(need.needed)
    needed = sum(True in answers for answers in parts.values())
    shown = {need.part for one in found for need in one.needs if need.countermodel is not None}
    among = ", ".join(dict.fromkeys(action for one in found for need in one.needs for action in need.among))
    idle = [part for part, answers in parts.items() if answers == {False}]
    at = f" at {among}" if among else ""
    console.print(
        f"{len(parts)} hypotheses, {needed} of them needed"
        + (f", {needed - len(shown)} as far as no proof was found in the time." if needed > len(shown) else ".")
        + (f" Needed for nothing but themselves{at}: {', '.join(idle)}." if idle else ""),
        markup=False,
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, show_edge=False, title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def to_json(found: Sequence[Vacuity]) -> list[dict[str, Any]]:
    return [
        {
            "lemma": one.lemma.name,
            "open": one.open,
            "actions": one.actions,
            "needs": [
                {"hypothesis": need.part, "needed": need.needed, "step": need.step,
                 "goal": need.goal, "values": need.countermodel is not None}
                for need in one.needs
            ],
        }
        for one in found
    ]  # fmt: skip
