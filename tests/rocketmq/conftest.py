"""Releases for the tests that run RocketMQ's own classes.

They run on what is in the user's cache (`rmqproof rocketmq get`), and are skipped where it is not. With
RMQPROOF_REQUIRE_ROCKETMQ=1, as in `.ci/run`, the releases are fetched, and what cannot be had is a failure.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.releases import Release, get_release, open_release

NEWEST, OLDEST = "5.5.0", "5.1.4"
OLDEST_AT_LENGTH = pytest.mark.parametrize(
    "release", [NEWEST, pytest.param(OLDEST, marks=pytest.mark.large)], indirect=True, scope="session"
)
NEWEST_AT_LENGTH = pytest.mark.parametrize(
    "release", [OLDEST, pytest.param(NEWEST, marks=pytest.mark.large)], indirect=True, scope="session"
)


def wanted(version: str, instead: str = "") -> Release:
    """`instead`: of which release the parts are that the registry lacks."""
    required = os.environ.get("RMQPROOF_REQUIRE_ROCKETMQ") == "1"
    try:
        pytest.importorskip("jpype") if not required else __import__("jpype")
        find_java()
        return get_release(version, instead=[instead] if instead else ()) if required else open_release(version)
    except RocketmqError as error:
        if required:
            raise
        pytest.skip(f"no release to run: {error}")


@pytest.fixture(params=[NEWEST, OLDEST], scope="session")
def release(request: pytest.FixtureRequest) -> Release:
    return wanted(request.param)


@pytest.fixture(scope="session")
def newest() -> Release:
    return wanted(NEWEST)


def rolled_over(logs: Path) -> None:
    """The first half of each log as RocketMQ moves it away."""
    for path in sorted(logs.rglob("*.log")):
        lines = path.read_text().splitlines(True)
        away = path.parent / "otherdays" / f"{path.stem}.1.log.gz"
        away.parent.mkdir(exist_ok=True)
        away.write_bytes(gzip.compress("".join(lines[: len(lines) // 2]).encode()))
        path.write_text("".join(lines[len(lines) // 2 :]))
