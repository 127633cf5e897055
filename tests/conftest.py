"""For all tests: no verdict depends on how busy the machine is, and nothing is compiled more often than once."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator
from tempfile import TemporaryDirectory

import pytest
from _pytest.python import pytest_pyfunc_call as called
from hypothesis import HealthCheck, settings

from rmqproof.model.cli import YOUNG
from rmqproof.model.frames import in_one_piece

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")


@pytest.fixture
def without_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with neither `dot` nor the wheel."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setitem(sys.modules, "pygraphviz", None)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for processes, which leaves one idle now and then."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Programs that tests start can be interrupted, wherever the tests run. Where no bytecode is written, each of the
    hundreds of them would compile all that it imports: they share some for as long as the run takes. The hundreds of
    compiled models run for a moment each: but for those of the tests that take long, they are not optimised."""
    if "not large" in config.option.markexpr:
        os.environ.setdefault("RMQPROOF_CFLAGS", "-O0")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so it is for what a shell runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not sys.dont_write_bytecode or "PYTHONPYCACHEPREFIX" in os.environ:
        return (yield)
    with TemporaryDirectory(prefix="rmqproof-bytecode-") as folder:
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop() -> Generator[None, object, object]:
    """As in the command: cycles are looked for less often than by default, and not among all that was imported."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """As pytest's own, with the frames in one piece, as the command has them."""
    return in_one_piece(lambda: called(pyfuncitem))
