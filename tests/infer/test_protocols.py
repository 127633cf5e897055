"""Published protocols, rewritten from their descriptions: an invariant of each is found without hints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.infer import command
from tools.infer import STATES, protocols

PROTOCOLS = Path(__file__).parent / "protocols"


@pytest.mark.large
@pytest.mark.parametrize("spec", protocols(), ids=lambda spec: spec.stem)
def test_an_invariant_is_found(spec: Path, tmp_path: Path) -> None:
    name = spec.stem
    states = ["--states", str(STATES[name])] if name in STATES else []
    result = CliRunner().invoke(command, [str(spec), "--out", str(tmp_path), "--json", "-", *states])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert set(found["proofs"].values()) == {"proved"}
    assert (tmp_path / f"{name}Invariant.tla").is_file()


def test_the_table_names_every_protocol() -> None:
    """docs/infer.md leaves none out, least of all one of which nothing is found."""
    page = (PROTOCOLS.parents[2] / "docs" / "infer.md").read_text(encoding="utf-8")
    for path in PROTOCOLS.glob("*.tla"):
        assert f"| {path.stem} |" in page, path.stem
