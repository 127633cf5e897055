"""The step of the inductive invariant is not proved for a rule that is broken: the proof rests on the rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.prove import command
from rmqproof.model.tla.library import PROTOCOL, bundled

BROKEN = """---- MODULE Broken ----
EXTENDS InductiveInvariant
AckSetOfIssue5663(b) == broker[b].sss
====
"""


@pytest.mark.large
def test_acknowledging_by_the_confirmed_set_alone_breaks_the_step(tmp_path: Path) -> None:
    """Issue 5663, as spec/bugs has it: the open proposal's members are not asked."""
    for source in (*PROTOCOL.glob("core/*.tla"), *PROTOCOL.glob("lemmas/*.tla")):
        shutil.copy(source, tmp_path)
    module = tmp_path / "Broken.tla"
    module.write_text(BROKEN, encoding="utf-8")
    config = bundled("InductiveInvariant.cfg").read_text(encoding="utf-8")
    rule = config.replace("CONSTANTS\n", "CONSTANTS\n  AckSet <- AckSetOfIssue5663\n")
    assert rule != config
    (tmp_path / "Broken.cfg").write_text(rule, encoding="utf-8")
    only = ["--lemma", "InvIsInductive", "--action", "AcknowledgePut", "--timeout", "10", "--workers", "1"]
    result = CliRunner().invoke(command, [str(module), *only])
    assert result.exit_code == 1
    assert "0 proved, 1 refuted" in result.output
    assert "2. AcknowledgePut(b1, 1)" in result.output
