"""Random protocols whose messages are records of several kinds in one set, by both engines: counts, verdict, failures
of evaluation and states in the order of discovery."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rmqproof.model.native.errors import NotCompilable
from rmqproof.model.tla.model import load_model
from tests.native.differential import interpreted, native, outcome

SEEDS = range(6)
FIELDS = {"who": "Nodes", "round": "0..2", "val": "Nodes \\cup {None}", "note": '{"x", "y"}'}
HEAD = """---- MODULE Protocol ----
EXTENDS Naturals, FiniteSets
CONSTANTS Nodes, None
VARIABLES msgs, st, seen
Init == msgs = {} /\\ st = [n \\in Nodes |-> [round |-> 0, val |-> None, got |-> {}]] /\\ seen = {}
Bounded == Cardinality(msgs) <= 3 /\\ \\A n \\in Nodes : st[n].round <= 3
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_engines_agree_on_random_protocols(seed: int, tmp_path: Path) -> None:
    assert differs(seed, tmp_path) == ""


def differs(seed: int, folder: Path) -> str:
    """What the engines do not agree on; empty where they agree, or one does not take the specification."""
    model = load_model(*written(seed, folder))
    try:
        found = native(model)
    except NotCompilable:
        return ""
    expected = interpreted(model)
    if outcome(found.result) != outcome(expected.result):
        return f"{outcome(found.result)} {outcome(expected.result)}"
    return "" if found.states == expected.states else "states"


def written(seed: int, folder: Path) -> tuple[Path, Path]:
    spec, config = folder / "Protocol.tla", folder / "Protocol.cfg"
    spec.write_text(Protocol(random.Random(seed)).text())
    config.write_text(
        "CONSTANTS Nodes = {a, b}\nNone = None\nINIT Init\nNEXT Next\nCONSTRAINT Bounded\nINVARIANT Inv\n"
        "CHECK_DEADLOCK FALSE\n"
    )
    return spec, config


class Protocol:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        names = ["ask", "vote", "done", "stop"][: draw.randint(2, 4)]
        self.kinds = {name: draw.sample(sorted(FIELDS), draw.randint(0, 3)) for name in names}

    def text(self) -> str:
        begin = [f"A{i}(n) == st[n].round < 2 /\\ {self.effects(None)}" for i in range(2)]
        actions = [*begin, *(self.action(f"A{i}") for i in range(2, self.draw.randint(4, 6)))]
        choices = " \\/ ".join(f"A{i}(n)" for i in range(len(actions)))
        body = "\n".join(actions)
        return f"{HEAD}{body}\nNext == \\E n \\in Nodes : {choices}\nInv == {self.invariant()}\n====\n"

    def action(self, name: str) -> str:
        draw = self.draw
        if draw.random() < 0.35:
            before = f"(~\\E x \\in msgs : {self.conditions('x', 2)})" if draw.random() < 0.7 else "st[n].round < 2"
            return f"{name}(n) == {before} /\\ {self.effects(None)}"
        domain = "msgs" if draw.random() < 0.7 else f"{{y \\in msgs : {self.conditions('y', 1)}}}"
        body = f"{self.conditions('m', draw.randint(1, 3))} /\\ {self.effects('m')}"
        if draw.random() < 0.3:
            return f"{name}Do(m, n) == {body}\n{name}(n) == \\E m \\in {domain} : {name}Do(m, n)"
        return f"{name}(n) == \\E m \\in {domain} : {body}"

    def conditions(self, m: str, count: int) -> str:
        """Mostly what has a value: of a kind of message, what its fields are."""
        draw = self.draw
        if draw.random() < 0.15:
            return " /\\ ".join(self.of_field(m, draw.choice(sorted(FIELDS))) for _ in range(count))
        kind = draw.choice(sorted(self.kinds))
        first = draw.choice([f'{m}.type = "{kind}"', f'{m}.type \\in {{"{kind}"}}', f'~({m}.type # "{kind}")'])
        fields = self.kinds[kind]
        rest = [self.of_field(m, draw.choice(fields)) for _ in range(count - 1)] if fields else []
        return " /\\ ".join([first, *rest])

    def of_field(self, m: str, field: str) -> str:
        conditions = {
            "who": [f"{m}.who # n", f"{m}.who \\in Nodes"],
            "round": [f"{m}.round > 0", f"{m}.round >= st[n].round", f"{m}.round + 1 < 3", f"{m}.round \\in 0..1"],
            "val": [f"{m}.val \\in Nodes", f"{m}.val = None", f"{m}.val # st[n].val"],
            "note": [f'{m}.note = "x"', "st[n].val = None"],
        }
        return self.draw.choice(conditions[field])

    def effects(self, m: str | None) -> str:
        draw = self.draw
        added = self.message(m)
        sent = draw.choice(
            [f"msgs \\cup {{{added}}}", f"msgs \\cup {{{added}}}", f"{{{added}}} \\cup msgs",
             f"IF st[n].round > 1 THEN msgs \\cup {{{added}}} ELSE msgs",
             f"(msgs \\ {{{m}}}) \\cup {{{added}}}" if m else "{z \\in msgs : z.type # \"ask\"}"]
        )  # fmt: skip
        number = f"{m}.round" if m and draw.random() < 0.3 else "st[n].round"
        state = draw.choice(
            ["st", f"[st EXCEPT ![n].round = {number} + 1]",
             f"[st EXCEPT ![n].val = n, ![n].got = @ \\cup {{{number}}}]",
             f"[st EXCEPT ![n] = [@ EXCEPT !.round = {number}, !.val = None]]",
             f"[k \\in Nodes |-> IF k = n THEN [st[k] EXCEPT !.got = {{{number}}}] ELSE st[k]]"]
        )  # fmt: skip
        kept = draw.choice(
            ["seen", f"seen \\cup {{{m or added}}}", "seen \\cup msgs", '{z \\in msgs : z.type = "vote"}']
        )
        return f"msgs' = {sent} /\\ st' = {state} /\\ seen' = {kept}"

    def message(self, m: str | None) -> str:
        draw = self.draw
        kind = draw.choice(sorted(self.kinds))
        values = {"who": "n", "val": "st[n].val", "note": draw.choice(['"x"', '"y"'])}
        values["round"] = f"{m}.round" if m and draw.random() < 0.3 else "st[n].round"
        fields = "".join(f", {name} |-> {values[name]}" for name in self.kinds[kind])
        return f'[type |-> "{kind}"{fields}]'

    def invariant(self) -> str:
        least = '\\/ msgs = {} \\/ (CHOOSE x \\in msgs : TRUE).type \\in {"ask", "vote", "done", "stop"}'
        return self.draw.choice(
            ["\\A x \\in seen : x.type = \"vote\" => x \\in msgs \\/ TRUE", f"({least})", "Cardinality(seen) < 3",
             "\\A x \\in msgs : x.type \\in {\"ask\", \"vote\"} => x.round < 3"]
        )  # fmt: skip
