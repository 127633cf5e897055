"""Every bug that the model finds is shown happening in the implementation: with the rule that the bug's module puts in
place of the repaired one, the cores take the counterexample step by step, up to the state in which the property fails.

Sources of the rules: the issues and hazards that spec/bugs names.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.mutation.counterexamples import ROOT, TRACES, Unsupported, constants_of, supported, take


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.removesuffix(".itf.json"))
def test_the_counterexample_happens(path: Path) -> None:
    try:
        take(path)
    except Unsupported as reason:
        pytest.skip(str(reason))


def test_most_bugs_are_shown() -> None:
    """The others are of models with other actions, or of rules that the cores have in one reading only."""
    shown = 0
    for path in TRACES:
        config = ROOT / json.loads(path.read_text(encoding="utf-8"))["#meta"]["config"]
        shown += not supported(json.dumps(constants_of(config)))
    assert shown >= 48
