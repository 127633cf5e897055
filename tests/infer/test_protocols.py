"""Published protocols, rewritten from their descriptions: an invariant of each is found without hints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.infer import command

PROTOCOLS = Path(__file__).parent / "protocols"
NOT_FOUND = {"ConsensusByVotes"}
"""Of which none is found in the time: see the table of docs/infer.md."""
FOUND = sorted(path.stem for path in PROTOCOLS.glob("*.tla") if path.stem not in NOT_FOUND)


@pytest.mark.large
@pytest.mark.parametrize("name", FOUND)
def test_an_invariant_is_found(name: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(PROTOCOLS / f"{name}.tla"), "--out", str(tmp_path), "--json", "-"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert set(found["proofs"].values()) == {"proved"}
    assert (tmp_path / f"{name}Invariant.tla").is_file()


def test_the_table_names_every_protocol() -> None:
    """docs/infer.md leaves none out, least of all one of which nothing is found."""
    page = (PROTOCOLS.parents[2] / "docs" / "infer.md").read_text(encoding="utf-8")
    for path in PROTOCOLS.glob("*.tla"):
        assert f"| {path.stem} |" in page, path.stem
