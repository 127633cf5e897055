"""Several processes, each with an adapter of its own, that share the states of a level."""

from __future__ import annotations

import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any

from rmqproof.conformance.performer import Expansion, Performer, Task

_CHUNK = 24
_AHEAD = 2
"""Chunks that a worker has at once, so that it never waits."""
_TICK = 0.2


class WorkerDied(Exception):
    """A worker ended without an answer, or its adapter raised where nothing is expected to."""


class _Terminated(BaseException):
    """The parent has no more work, and does not wait."""


class Team:
    """`workers` forked processes. Use as a context; `run` may be called for each level."""

    def __init__(self, make: Callable[[], Performer], workers: int) -> None:
        context = get_context("fork")
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        for _ in range(workers):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(make, there), daemon=True)
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.terminate()
            process.join()

    def run(self, tasks: Sequence[Task], tick: Callable[[], bool]) -> Iterator[Expansion]:
        """The expansion of each task, in order. `tick` is called now and then; stop when it returns True."""
        chunks = deque(enumerate([tasks[at : at + _CHUNK] for at in range(0, len(tasks), _CHUNK)]))
        busy = dict.fromkeys(self._pipes, 0)
        done: dict[int, list[Expansion]] = {}
        turn = 0
        while chunks or any(busy.values()) or turn in done:
            for pipe in self._pipes:
                while chunks and busy[pipe] < _AHEAD:
                    pipe.send_bytes(pickle.dumps(chunks.popleft(), protocol=pickle.HIGHEST_PROTOCOL))
                    busy[pipe] += 1
            for ready in wait([pipe for pipe in self._pipes if busy[pipe]], timeout=_TICK):
                assert isinstance(ready, Connection)
                number, expansions = _received(ready)
                busy[ready] -= 1
                done[number] = expansions
            stop = tick()
            while turn in done:
                yield from done.pop(turn)
                turn += 1
            if stop:
                return


def _received(pipe: Connection) -> tuple[int, list[Expansion]]:
    try:
        number, answer = pickle.loads(pipe.recv_bytes())
    except EOFError:
        raise WorkerDied("a worker process ended without an answer (killed, or out of memory?)") from None
    if isinstance(answer, BaseException):
        raise answer
    return number, answer


def _work(make: Callable[[], Performer], pipe: Connection) -> None:
    """The life of a worker. Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _terminate)
    number, answer = 0, None
    performer: Performer | None = None
    try:
        performer = make()
        while True:
            number, tasks = pickle.loads(pipe.recv_bytes())
            answer = [performer.expand(task) for task in tasks]
            pipe.send_bytes(pickle.dumps((number, answer), protocol=pickle.HIGHEST_PROTOCOL))
    except (EOFError, BrokenPipeError, _Terminated):
        return
    except BaseException as error:
        pipe.send_bytes(pickle.dumps((number, portable(error))))
    finally:
        if performer is not None:
            performer.close()


def _terminate(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Terminated


def portable(error: BaseException) -> BaseException:
    """The error, or where it cannot travel between processes, its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerDied(f"{type(error).__name__}: {error}")
    return error
