"""One Spark session for all tests of a pytest process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rmqproof.model.search.spark.session import spark_session

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def spark() -> Iterator[object]:
    """`local[2]`. Its Python workers can import the tests."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), before]))
    try:
        with spark_session("local[2]") as session:
            yield session
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
