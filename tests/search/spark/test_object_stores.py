"""Stores that are not on a local disk: an object store in memory, and S3's protocol on this machine."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.cli.commands.states import command as states
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.spark import store as stores
from rmqproof.model.search.spark.arrow import fs
from rmqproof.model.search.spark.files import StoreError, file_system, shown
from rmqproof.model.search.spark.rows import SCHEMA
from rmqproof.model.search.spark.runner import LocalRunner
from rmqproof.model.search.spark.search import SparkSearch
from rmqproof.model.search.spark.setting import Setting
from rmqproof.model.search.spark.store import Store, states_file
from rmqproof.model.search.spark.system_kernel import decode
from rmqproof.model.search.spark.worker import Worker
from tests.observing import wait_until

from ..test_random_graphs import comparable
from ..toys import two_phase
from .local import InHand
from .object_store import Objects

URI = "objects://name:word@bucket/run?option=1"
SPEC = Path(__file__).parents[2] / "specs" / "TwoPhaseCommit.cfg"


@pytest.fixture
def objects(monkeypatch):
    """Every store is in this one."""
    handler = Objects()
    monkeypatch.setattr(stores, "file_system", lambda uri: (fs.PyFileSystem(handler), "bucket/run"))
    return handler


class _Stops(Exception):
    """The driver dies here."""


def search_of(jobs=1000, **setting) -> SparkSearch:
    """One that dies after so many jobs, when Spark has done its work and nobody has heard of it."""
    recipe = InHand(two_phase(3))
    search = SparkSearch(recipe.system, recipe, recipe.kernel(), decode, Setting(Store(URI), 2, **setting))

    class Mortal(LocalRunner):
        def run(self, plan, stop):
            nonlocal jobs
            found = super().run(plan, stop)
            jobs -= 1
            if jobs < 0:
                raise _Stops
            return found

    search._local = Mortal(Worker())
    return search


def expected():
    return comparable(BreadthFirst(two_phase(3), workers=1).run())


@pytest.mark.parametrize("replaces", [True, False], ids=["moves replace", "moves do not replace"])
def test_a_search(objects, replaces):
    objects.replaces = replaces
    assert comparable(search_of(edges=True).run()) == expected()
    assert not [name for name in objects.content if "/_" in name]
    assert comparable(search_of(edges=True, resume=True).run()) == expected()


@pytest.mark.parametrize("replaces", [True, False], ids=["moves replace", "moves do not replace"])
@pytest.mark.parametrize("jobs", [0, 5, 10])
def test_killed_and_resumed(objects, replaces, jobs):
    objects.replaces = replaces
    with pytest.raises(_Stops):
        search_of(jobs).run()
    assert comparable(search_of(resume=True).run()) == expected()


def test_killed_between_the_removal_of_a_manifest_and_its_move(objects):
    """Only where a move does not replace. What is under the temporary name is whole, and is found."""
    objects.replaces = False
    moves = 0

    def fail(request, path):
        nonlocal moves
        if (request, path) == ("delete_file", "bucket/run/manifest.json"):
            moves += 1
        if request == "move" and path == "bucket/run/manifest.json" and moves == 4:
            raise _Stops

    objects.fail = fail
    with pytest.raises(_Stops):
        search_of().run()
    assert "bucket/run/manifest.json" not in objects.content
    objects.put("bucket/run/_manifest.json.later", b'{"format": 2')  # cut
    objects.fail = lambda request, path: None
    assert comparable(search_of(resume=True).run()) == expected()


def test_states_of_a_level_that_the_manifest_does_not_name_are_removed(objects):
    """A search that goes on numbers states anew: a file of before would not fit those beside it."""
    with pytest.raises(_Stops):
        search_of(5).run()
    left = states_file(7, 0)
    assert f"bucket/run/{left}" in objects.content
    Store(URI).remove_after(6)
    assert f"bucket/run/{left}" not in objects.content
    assert f"bucket/run/{states_file(6, 0)}" in objects.content


@pytest.mark.parametrize("request_", ["create_dir", "write", "move"])
def test_a_file_that_cannot_be_written(objects, request_):
    """It is named, without the password; nothing is left of it, and the search goes on later."""

    def fail(request, path):
        if request == request_ and "level=00004" in path:
            raise OSError("no room there")

    objects.fail = fail
    with pytest.raises(StoreError) as error:
        search_of().run()
    assert "objects://bucket/run/fingerprints/level=00004/part-00000.parquet: this file cannot" in str(error.value)
    assert "no room there" in str(error.value)
    assert "word" not in str(error.value)
    assert not [name for name in objects.content if "level=00004" in name]
    objects.fail = lambda request, path: None
    assert comparable(search_of(resume=True).run()) == expected()


def test_an_error_while_a_file_is_written_leaves_nothing(objects):
    with pytest.raises(ZeroDivisionError), Store(URI).writer("states/x.parquet", SCHEMA) as writer:
        writer.add(SCHEMA.empty_table())
        raise ZeroDivisionError
    assert objects.content == {}


def test_a_damaged_file(objects):
    with pytest.raises(_Stops):
        search_of(5).run()
    name = f"bucket/run/{states_file(3, 1)}"
    objects.content[name] = objects.content[name][:-1]
    with pytest.raises(StoreError, match=r"^objects://bucket/run/states/level=00003/part-00001.parquet: .*bytes and"):
        search_of(resume=True).run()


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("s3://key:word@bucket/a/?region=x&scheme=http", "s3://bucket/a"),
        ("file:///a/b/", "file:///a/b"),
        ("hdfs://host:9000/a", "hdfs://host:9000/a"),
        ("a/b?c", "a/b?c"),
    ],
)
def test_what_messages_show(uri, said):
    assert shown(uri) == said


def test_a_wrong_uri():
    with pytest.raises(StoreError, match="Unexpected query parameter") as error:
        Store("s3://key:word@bucket/a?nothing=1").exists("manifest.json")
    assert "word" not in str(error.value)


# --- S3's protocol ---------------------------------------------------------------------------------------------------


def _server() -> list[str] | None:
    found = shutil.which("moto_server")
    if found is not None:
        return [found]
    return [sys.executable, "-m", "moto.server"] if find_spec("moto") and find_spec("flask") else None


SERVER = _server()
needs_moto = pytest.mark.skipif(
    SERVER is None, reason="speaks S3 to moto, and there is no moto_server: `pip install 'moto[server]'`, on the path"
)


def answers(port):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/moto-api/").close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def s3():
    """The URI of an empty bucket, for a store in it."""
    assert SERVER is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [*SERVER, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        assert wait_until(lambda: answers(port), process)
        options = f"endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"
        system, _ = fs.FileSystem.from_uri(f"s3://key:word@states/?{options}&allow_bucket_creation=true")
        system.create_dir("states")
        yield lambda name: f"s3://key:word@states/{name}?{options}"
    finally:
        process.kill()
        process.wait()


def explored(uri, *more, spec=SPEC, partitions=3):
    command = [spec, "--engine", "spark", "--master", "local[2]", "--store", uri, "--partitions", partitions, *more]
    return CliRunner().invoke(check, list(map(str, command)))


def asked(*arguments):
    return CliRunner().invoke(states, [*map(str, arguments), "--master", "local[2]"])


@needs_moto
@pytest.mark.large
@pytest.mark.xdist_group("spark")
class TestS3:
    def test_driver_alone(self, s3, tmp_path):
        """The same files as in a folder, byte for byte."""
        here = tmp_path / "store"
        assert explored(s3("alone"), "--hand-over", 10**9, "--edges").exit_code == 0
        assert explored(here, "--hand-over", 10**9, "--edges").exit_code == 0
        system, root = fs.FileSystem.from_uri(s3("alone"))
        names = [info.path for info in system.get_file_info(fs.FileSelector(root, recursive=True)) if info.is_file]
        names = [name.removeprefix(f"{root}/") for name in names]
        assert sorted(names) == sorted(str(path.relative_to(here)) for path in here.rglob("*") if path.is_file())
        for name in names:
            if name != "manifest.json":
                assert system.open_input_stream(f"{root}/{name}").read() == (here / name).read_bytes()

    def test_on_spark_and_asked(self, spark, s3, tmp_path):
        uri = s3("spark")
        run = explored(uri, "--hand-over", 100, "--edges")
        assert run.exit_code == 0, run.output
        assert "1,568 distinct" in run.output
        assert "1,568 distinct states in 14 levels and 3 partitions" in CliRunner().invoke(states, ["info", uri]).output
        here = tmp_path / "store"
        assert explored(here, "--hand-over", 10**9, "--edges").exit_code == 0
        for question in (
            ["levels"],
            ["actions"],
            ["values"],
            ["values", "decision"],
            ["find", 'decision = "committed"'],
            ["sql", "SELECT count(*) AS n, count(DISTINCT target) AS t, sum(level) FROM edges"],
            ["sql", "SELECT level, order, action, arguments FROM states ORDER BY 1, 2, 3 LIMIT 40"],
        ):
            there = asked(question[0], uri, *question[1:])
            assert there.exit_code == 0, there.output
            assert there.output == asked(question[0], here, *question[1:]).output
        for store in (uri, here):
            graph = asked("graph", store, 'decision = "committed"', "-o", tmp_path / f"{len(str(store))}.dot")
            assert graph.exit_code == 0, graph.output
        one, two = (re.sub(r"rmqproof states .*", "", p.read_text()) for p in tmp_path.glob("*.dot"))
        assert one == two
        assert asked("diff", uri, here).exit_code == 0

    def test_resumed(self, spark, s3, tmp_path):
        """A real driver is killed on the way."""
        uri, result = s3("resumed"), tmp_path / "result.json"
        command = [sys.executable, "-m", "rmqproof", "check", str(SPEC), "--engine", "spark", "--store", uri]
        command += ["--partitions", "3", "--hand-over", "1000000", "--quiet"]
        process = subprocess.Popen(command)
        wait_until(lambda: levels_told(uri) >= 5, process)
        process.kill()
        assert process.wait() < 0
        run = explored(uri, "--resume", "--hand-over", 100, "--json", result)
        assert run.exit_code == 0, run.output
        found = json.loads(result.read_text())
        assert (found["distinctStates"], found["totalStates"], found["stateDepth"]) == (1568, 8258, 14)

    def test_damaged_and_missing(self, s3):
        uri = s3("damaged")
        assert explored(uri, "--hand-over", 10**9).exit_code == 0
        system, root = file_system(uri)
        name = f"{root}/{states_file(4, 1)}"
        content = system.open_input_stream(name).read()
        for broken, why in ((content[:-3], "bytes and should have"), (None, "it is missing")):
            if broken is None:
                system.delete_file(name)
            else:
                with system.open_output_stream(name) as stream:
                    stream.write(broken)
            for run, status in ((explored(uri, "--resume"), 2), (CliRunner().invoke(states, ["info", uri]), 153)):
                assert run.exit_code == status
                said = " ".join(run.output.split())
                assert f"s3://states/damaged/{states_file(4, 1)}: this store cannot be used" in said
                assert why in said
                assert "word" not in said

    def test_no_bucket(self, s3):
        run = explored(s3("x").replace("states/x", "nowhere/x"), "--hand-over", 10**9)
        assert run.exit_code == 2
        assert "Traceback" not in run.output
        assert "s3://nowhere/x" in run.output

    def test_nobody_answers(self, s3):
        run = explored(re.sub(r"127.0.0.1:\d+", "127.0.0.1:9", s3("x")), "--hand-over", 10**9)
        assert run.exit_code == 2
        assert "the file system does not answer" in " ".join(run.output.split())


def levels_told(uri) -> int:
    try:
        return len(Store(uri).load().levels)
    except StoreError:
        return 0
