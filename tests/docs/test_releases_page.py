"""What `make releases` has kept of a release is not done again; what was late is."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import pytest

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.replaying import Replayed
from rmqproof.rocketmq.running import Outcome
from rmqproof.rocketmq.schedules import SCHEDULES
from tools.docs.releases import Doers, main

ALL = [each.id for each in SCHEDULES]


@pytest.fixture
def run() -> list[list[str]]:
    """Which schedules were run, call by call; F-16 is late the first time."""
    return []


@pytest.fixture
def doers(run: list[list[str]]) -> Doers:

    def run_schedules(release: Release, *, only: Collection[str]) -> list[Outcome]:
        run.append(list(only))
        late = len(run) == 1
        return [
            Outcome(name, "title", "", "", None, "TimeoutError: the ack did not come within 60 s")
            if name == "F-16" and late
            else Outcome(name, "title", "", "", True, "it was seen")
            for name in only
        ]

    return Doers(lambda version: Release(version, "", ()), run_schedules, lambda calls, release: Replayed(7))


def test_a_run_goes_on_where_it_was(
    run: list[list[str]], doers: Doers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RocketmqError, match=r"On 5\.9\.0 what F-16 wait for"):
        main(("5.9.0",), tmp_path, doers=doers)
    assert "| F-16 |" not in capsys.readouterr().out, "nothing is said of what was late"
    kept = json.loads((tmp_path / "5.9.0.json").read_text(encoding="utf-8"))
    del kept["schedules"]["F-1"]
    (tmp_path / "5.9.0.json").write_text(json.dumps(kept), encoding="utf-8")
    main(("5.9.0",), tmp_path, doers=doers)
    assert run == [ALL, [name for name in ALL if name in ("F-16", "F-1")]]
    said = capsys.readouterr().out
    assert "| F-16 | title |  | seen |" in said and "| 5.9.0 | 7 | none |" in said


def test_without_a_folder_all_is_done(run: list[list[str]], doers: Doers) -> None:
    run.append([])
    main(("5.9.0",), doers=doers)
    assert run[1] == ALL
