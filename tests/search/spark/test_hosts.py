"""A cluster of hosts: the driver, a master, three workers, a store that speaks S3; and what may happen to them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.observing import wait_until

from .hosts import Host, are_possible, network
from .standalone import bare_python, cluster, environment_of_others
from .test_object_stores import SERVER, needs_moto

pytestmark = [
    pytest.mark.xdist_group("spark"),
    pytest.mark.large,
    needs_moto,
    pytest.mark.skipif(not are_possible(), reason="makes network namespaces: for the superuser on Linux"),
]
SPEC = Path(__file__).parents[2] / "specs" / "TwoPhaseCommit7.cfg"
COUNTS = (296_448, 2_744_706, 23)
AWAY = 60
"""Seconds for which a worker is cut off. Less than Spark waits for one that is silent (120 s)."""
S3 = """
import sys
from rmqproof.model.search.spark.arrow import fs
system, _ = fs.FileSystem.from_uri(sys.argv[1] + "&allow_bucket_creation=true")
system.create_dir("states")
"""


class Driver:
    """The search as a process, and the level that it has spoken of last."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said: list[str] = []
        self.level = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            found = re.match(r"Level (\d+): ", line)
            self.level = int(found.group(1)) if found else self.level

    def reaches(self, level: int) -> bool:
        return wait_until(lambda: self.level >= level, self.process)

    def end(self) -> str:
        self.process.wait()
        self._reader.join()
        return "".join(self.said)


def start_store(host: Host, folder: Path) -> str:
    """A server on the host with an empty bucket. Gives the URI of a store in it."""
    assert SERVER is not None
    log = (folder / "store.log").open("w")
    subprocess.Popen([*host.prefix, *SERVER, "-H", host.address, "-p", "5000"], stdout=log, stderr=log)
    uri = f"s3://key:word@states/run?endpoint_override={host.address}:5000&scheme=http&region=us-east-1"
    command = [*host.prefix, sys.executable, "-c", S3, uri]
    assert wait_until(lambda: subprocess.run(command, capture_output=True).returncode == 0)
    return uri


def test_one_is_killed_one_is_cut_off_for_a_minute_and_one_is_slow(tmp_path):
    """Counts are those of a search by one process; the store is read afterwards."""
    result = tmp_path / "result.json"
    with network(["driver", "master", "store", "w1", "w2", "w3"]) as hosts:
        uri = start_store(hosts["store"], tmp_path)
        workers = [hosts[name] for name in ("w1", "w2", "w3")]
        environment = environment_of_others() | {
            "PYSPARK_PYTHON": str(bare_python(tmp_path)),
            "SPARK_LOCAL_IP": hosts["driver"].address,
        }
        with cluster(tmp_path, master_at=hosts["master"], workers_at=workers) as master:
            workers[2].slow_down("40mbit")
            command = [*hosts["driver"].prefix, sys.executable, "-m", "rmqproof", "check", str(SPEC)]
            command += ["--engine", "spark", "--master", master, "--store", uri, "--json", str(result)]
            driver = Driver([*command, "--partitions", "6", "--hand-over", "3000", "--memory", "1g"], environment)
            assert driver.reaches(8), driver.end()
            workers[0].kill()
            assert driver.reaches(12), driver.end()
            workers[1].cut_off()
            back = threading.Timer(AWAY, workers[1].reconnect)
            back.start()
            said = driver.end()
        assert back.finished.is_set(), "the search was over before the worker was back"
        assert driver.process.returncode == 0, said
        found = json.loads(result.read_text())
        assert (found["distinctStates"], found["totalStates"], found["stateDepth"]) == COUNTS
        info = [*hosts["driver"].prefix, sys.executable, "-m", "rmqproof", "states", "info", uri]
        assert "296,448 distinct states in 23 levels and 6 partitions" in subprocess.check_output(info, text=True)
