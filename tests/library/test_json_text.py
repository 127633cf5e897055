"""Numbers in JSON as TLC reads them, such as the times in a trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.library.json_text import json_deserialize
from rmqproof.model.evaluate.library.operator import Runtime

READ = {
    "1712329729.6024537": 1712329729,
    "-1.9": -1,
    "2.0": 2,
    "1e3": 1000,
    "0.5": 0,
    "12345678.99999999999999999999": 12345678,
}


def read(text: str, folder: Path) -> object:
    path = folder / "a.json"
    path.write_text(text)
    return json_deserialize(Runtime(), str(path))


@pytest.mark.parametrize("text", READ)
def test_a_fraction_is_cut_off(text: str, tmp_path: Path) -> None:
    assert read(f'[{text}, {{"at": {text}}}]', tmp_path) == (READ[text], read(json.dumps({"at": READ[text]}), tmp_path))


@pytest.mark.parametrize("text", ["null", "1e999", "-1e999999999", "NaN", "Infinity"])
def test_what_is_no_number(text: str, tmp_path: Path) -> None:
    with pytest.raises(Fault, match="has no counterpart in TLA"):
        read(f"[{text}]", tmp_path)
