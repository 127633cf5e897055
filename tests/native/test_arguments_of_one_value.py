"""An argument whose type has one value may have none: machine code evaluates it all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.native.test_random_expressions import check_failure_of


@pytest.mark.parametrize(
    "formula",
    [
        "q[CHOOSE n \\in s : r.b] = 1",
        'r[CHOOSE n \\in {"a"} : r.b] = 0',
        "[q EXCEPT ![CHOOSE n \\in s : r.b] = 4] = q",
        '[r EXCEPT ![CHOOSE n \\in {"a"} : r.b] = 4] = r',
        '[u |-> q[CHOOSE n \\in s : r.b], v |-> 3] \\in [{"u", "v"} -> s]',
    ],
)
def test_it_is_evaluated(tmp_path: Path, formula: str) -> None:
    """Once there was success where TLC and the Python engine have an error."""
    check_failure_of(
        tmp_path,
        "VARIABLES s, q, r, bool\nInit == s = {1} /\\ q = <<3>> /\\ r = [a |-> 0, b |-> FALSE] /\\ bool = TRUE\n"
        f"Next == bool' = ({formula}) /\\ UNCHANGED <<s, q, r>>\n",
    )
