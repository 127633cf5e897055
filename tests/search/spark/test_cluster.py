"""Executors that are processes of their own: one is killed, one is slow and its task runs twice.

`local-cluster` is Spark's own small cluster on one machine. It needs a session of its own, so the test is a program.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.model.search.breadth_first import BreadthFirst

from ..toys import two_phase

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.large]
ROOT = Path(__file__).parents[3]

PROGRAM = """
import os
import sys
from pathlib import Path
from rmqproof.model.search.spark.search import SparkSearch
from rmqproof.model.search.spark.setting import Setting
from rmqproof.model.search.spark.session import spark_session
from rmqproof.model.search.spark.spark_runner import SparkRunner
from rmqproof.model.search.spark.store import Store
from rmqproof.model.search.spark.system_kernel import decode
from tests.search.spark import faults

folder = Path(sys.argv[1])
settings = {
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.speculation": "true",
    "spark.speculation.interval": "200ms",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.multiplier": "1.5",
    "spark.speculation.minTaskRuntime": "500ms",
}
with spark_session("local-cluster[2,1,512]", heap=512 << 20, settings=settings) as session:
    for fault, where, after in ((faults.kill_executor, "check", 2), (faults.dawdle, "check", 2)):
        once = folder / fault.__name__
        recipe = faults.FaultyRecipe(faults.two_phase, (4,), fault, where, after, once, os.getpid())
        kernel = recipe.kernel()
        setting = Setting(Store(str(folder / f"store-{fault.__name__}")), 3, hand_over=200)
        search = SparkSearch(kernel.system, recipe, kernel, decode, setting, spark=lambda: SparkRunner(session))
        found = search.run()
        print(fault.__name__, once.exists(), found.verdict, found.distinct, found.total, found.depth, end=" ")
        print(*(counts.distinct for counts in found.coverage))
"""


def test_executors(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    expected = BreadthFirst(two_phase(4), workers=1).run()
    coverage = " ".join(str(action.distinct) for action in expected.coverage)
    assert run.stdout.splitlines() == [
        f"{fault} True success 1568 8258 14 {coverage}" for fault in ("kill_executor", "dawdle")
    ]
