"""A process of its own with a JVM and the classes of a release.

A JVM does not survive a fork and ends with its process. So whoever forks (`conform`), or wants several releases, asks a
worker: calls and answers are pickles on its standard input and output.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.releases import Release


class Worker:
    """The nearer end. Made where it is used: its process belongs to the one that made it."""

    def __init__(self, release: Release, java: Path | None = None, jraft: bool = False) -> None:
        """`jraft`: the controller's class is that of controllers on JRaft. Raise `RocketmqError`."""
        command = [sys.executable, "-m", "rmqproof.rocketmq.worker"]
        # Ctrl-C is for whoever asked: the worker ends when its input does
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self._calls = 0
        self.call("start", release, java, jraft)

    def call(self, name: str, *arguments: Any) -> Any:
        """What the worker's function of that name returns; what it raises is raised here."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            pickle.dump((name, arguments), self._process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
            good, answer = pickle.load(self._process.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            code = self._process.poll()
            raise RocketmqError(
                f"The JVM of a worker ended{f' with status {code}' if code is not None else ''} in {name}.",
                "Try another Java (--java); its crash report, hs_err_pid….log, says more.",
            ) from None
        self._calls += 1
        if not good:
            raise answer
        return answer

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        self._process.wait()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def serve(calls: BinaryIO, answers: BinaryIO, home: Path) -> None:
    """The farther end, until there are no more calls. `home` is the JVM's."""
    functions: dict[str, Callable[..., Any]] = {}

    def start(release: Release, java: Path | None, jraft: bool) -> None:
        from rmqproof.rocketmq import jvm
        from rmqproof.rocketmq.replicas_info_manager import RaftReplicasInfoManager, ReplicasInfoManager
        from rmqproof.rocketmq.walks.walker import Walker

        jpype = jvm.start(release, find_java(java), home)
        manager, walker = (RaftReplicasInfoManager if jraft else ReplicasInfoManager)(jpype), Walker(jpype)
        functions.update(ask=manager.ask, apply=manager.apply, scan=manager.scan, elect=manager.elect)
        functions.update(walk_begin=walker.begin, walk_take=walker.take, walk_open_files=walker.open_files)
        functions.update(story_open=walker.open, story_play=walker.play, story_seen=walker.seen)
        functions.update(story_close=walker.close)

    functions["start"] = start
    while True:
        try:
            name, arguments = pickle.load(calls)
        except EOFError:
            return
        try:
            found = True, functions[name](*arguments)
        except Exception as error:
            found = False, _portable(error)
        pickle.dump(found, answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _portable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # what Java prints must not come between the answers
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory(prefix="rmqproof-jvm-", ignore_cleanup_errors=True) as home:
        with contextlib.suppress(BrokenPipeError):  # whoever asked is gone
            serve(sys.stdin.buffer, answers, Path(home))
        with contextlib.suppress(BrokenPipeError):
            answers.close()
    os._exit(0)  # threads of RocketMQ would keep the JVM from ending
