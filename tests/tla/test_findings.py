"""Findings before the search, and the models that have none."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.tla.findings import FindingKind, static_findings

from .specs import load

MODULE = """
EXTENDS Naturals, TLC
CONSTANTS Used, Unused, Assumed
VARIABLES x, ghost, seen
ASSUME Assumed > 0
Init == x = 0 /\\ ghost = 0 /\\ seen = {}
Step == x' = (x + 1) % Used /\\ ghost' = ghost + x /\\ seen' = seen \\cup {x}
Rest == UNCHANGED <<x, ghost, seen>>
Forgotten == x' = 7 /\\ UNCHANGED <<ghost, seen>>
Next == Step \\/ Rest
Inv == 1 \\in seen \\/ x \\in Nat
Empty == Used # 77
Watch == TLCGet("level") < 100
"""
CONFIG = "CONSTANTS Used = 3 Unused = 4 Assumed = 1 Gone = 5\nINIT Init NEXT Next\n"


def test_findings(tmp_path: Path) -> None:
    found = static_findings(load(tmp_path, CONFIG + "INVARIANTS Inv Empty Watch", M=MODULE))
    assert [(finding.kind, finding.message.split()[1]) for finding in found] == [
        (FindingKind.CONSTANT_UNUSED, "Unused"),
        (FindingKind.VARIABLE_UNREAD, "ghost"),
        (FindingKind.INVARIANT_CONSTANT, "Empty"),
        (FindingKind.ACTION_UNREACHED, "Forgotten"),
        (FindingKind.SETTING_UNKNOWN, "has"),
    ]
    assert [finding.at.line for finding in found] == [4, 5, 13, 10, 1]


def test_a_property_counts_as_use(tmp_path: Path) -> None:
    module = MODULE + "P == [][Forgotten => ghost = Unused]_x\n"
    found = static_findings(load(tmp_path, CONFIG.replace("Gone = 5", "") + "INVARIANT Inv PROPERTY P", M=module))
    assert found == ()
