"""An element that is lost for want of room shows in what is drawn, where there is hardly any."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.native.context import Context
from tools.fuzz.engines import ENGINES
from tools.fuzz.generate import generate

FOUND = 248_010_051
"""The first that shows it from 248,010,000 on. Another generator needs another."""


@pytest.mark.parametrize("lost", [pytest.param(False, marks=pytest.mark.large), True])
def test_a_failure_that_nobody_looks_at_is_found(lost: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = generate(FOUND).write(tmp_path)
    expected = ENGINES["python"](spec)
    if lost:
        kept = Context.computed_at_start
        monkeypatch.setattr(Context, "may_overflow", lambda *_: False)
        monkeypatch.setattr(Context, "computed_at_start", lambda x, name, compute, _: kept(x, name, compute, True))
    found = ENGINES["narrow"](spec)
    assert found.differs(expected) is lost
