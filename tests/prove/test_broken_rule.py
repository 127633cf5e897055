"""The step of the inductive invariant is not proved for a rule that is broken: the proof rests on the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prove.broken_rule import asked_with

BROKEN = "AckSetOfIssue5663(b) == broker[b].sss"


@pytest.mark.large
def test_acknowledging_by_the_confirmed_set_alone_breaks_the_step(tmp_path: Path) -> None:
    """Issue 5663, as spec/bugs has it: the open proposal's members are not asked."""
    rule = ("AckSet", "AckSetOfIssue5663", BROKEN)
    result = asked_with(tmp_path, "InductiveInvariant", *rule, "InvIsInductive", "AcknowledgePut")
    assert result.exit_code == 1
    assert "0 proved, 1 refuted" in result.output
    assert "2. AcknowledgePut(b1, 1)" in result.output
