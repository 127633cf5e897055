"""While Spark starts the search goes on in this process; what comes of the start is looked at afterwards."""

from __future__ import annotations

import socket
import subprocess
import sys
from threading import Event
from time import sleep

import pytest

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import Verdict
from rmqproof.model.search.spark.daemon import GONE, quiet
from rmqproof.model.search.spark.runner import LocalRunner, Starting
from rmqproof.model.search.spark.spool import Spool
from rmqproof.model.search.spark.store import Store, states_file
from rmqproof.model.search.spark.worker import Worker

from ..test_random_graphs import comparable
from ..toys import two_phase
from .local import search_of


class Other(LocalRunner):
    """In the place of Spark."""

    chain = 2


def when_there(folder, level):
    """A start that is over when a level is stored."""

    def start():
        while not Store(str(folder)).exists(states_file(level, 0)):
            sleep(0.01)
        return Other(Worker(Spool()))

    return start


def explored(folder, spark, **setting):
    search = search_of(two_phase(4), folder, spark=spark, hand_over=100, **setting)
    return search.run(), search


def expected():
    return comparable(BreadthFirst(two_phase(4), workers=1).run())


def test_goes_on_meanwhile(tmp_path):
    found, search = explored(tmp_path, when_there(tmp_path, 7), beside=True)
    assert comparable(found) == expected()
    assert search.measure.handed_over >= 7


def test_waits_where_that_is_asked(tmp_path):
    found, search = explored(tmp_path, when_there(tmp_path, 5))
    assert comparable(found) == expected()
    assert search.measure.handed_over == 5  # the first level of a hundred states


def over_before(folder, start):
    """A search that is over when `start` begins."""
    over = Event()

    def late():
        over.wait()
        return start()

    search = search_of(two_phase(4), folder, spark=late, hand_over=100, beside=True)
    save = search._save

    def saved():
        save()
        if search._over:
            over.set()

    search._save = saved
    return search


def test_over_before_the_start_is(tmp_path):
    """The start is waited for, so that what it made can be ended."""
    made = []

    def start():
        made.append(Other(Worker(Spool())))
        return made[0]

    search = over_before(tmp_path, start)
    assert comparable(search.run()) == expected()
    assert made and not search.measure.handed_over


def no_java():
    raise OSError("no Java")


def test_start_that_fails(tmp_path):
    with pytest.raises(OSError, match="no Java"):
        explored(tmp_path, no_java)


def test_start_that_fails_meanwhile():
    starting = Starting(no_java)
    starting.wait()
    assert starting.is_over
    with pytest.raises(OSError, match="no Java"):
        starting.runner()


def test_start_that_fails_too_late_to_matter(tmp_path):
    assert over_before(tmp_path, no_java).run().verdict is Verdict.SUCCESS


LATE = """---- MODULE Late ----
EXTENDS Naturals, Sequences
VARIABLES a, b, q
Init == a = 0 /\\ b = 0 /\\ q = <<>>
Next == \\/ a < 40 /\\ a' = a + 1 /\\ UNCHANGED <<b, q>>
        \\/ b < 40 /\\ b' = b + 1 /\\ UNCHANGED <<a, q>>
        \\/ a + b > 30 /\\ Len(q) < 30 /\\ q' = Append(q, 1) /\\ UNCHANGED <<a, b>>
Spec == Init /\\ [][Next]_<<a, b, q>>
Few == a + b < 60
====
"""
EARLY = """import sys
from rmqproof.model.search.spark import setting
setting.HAND_OVER = 20
from rmqproof.model.cli import main
sys.argv[1:] = ["check", "Late.cfg", "--engine", "spark", "--master", "local[2]"]
main()
"""


@pytest.mark.large
def test_starts_over_in_the_same_session(tmp_path):
    """A sequence becomes longer than there is room for, after Spark has been started in a thread: twice."""
    (tmp_path / "Late.tla").write_text(LATE)
    (tmp_path / "Late.cfg").write_text("SPECIFICATION Spec\nINVARIANT Few\nCHECK_DEADLOCK FALSE\n")
    command = [sys.executable, "-c", EARLY]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 12, found.stdout + found.stderr
    assert found.stderr.count("the layout is widened") >= 2, found.stderr
    assert found.stderr.count("Spark takes over") >= 2, found.stderr
    assert "Few is violated" in found.stdout
    assert "refused" not in found.stdout + found.stderr


def test_worker_that_nobody_hears_ends_quietly():
    """Spark's Python workers answer through a Unix socket that Java has closed at the end of a session."""

    def worker(connection, authenticated):
        connection.sendall(b"ready")
        return 0

    mine, theirs = socket.socketpair()
    theirs.close()
    with pytest.raises(BrokenPipeError):
        worker(mine, True)
    assert quiet(worker)(mine, True) == GONE
    mine.close()
    mine, theirs = socket.socketpair()
    assert quiet(worker)(mine, True) == 0
    assert theirs.recv(5) == b"ready"
    mine.close()
    theirs.close()
