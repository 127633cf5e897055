"""Several questions at once, each in a process of its own that can be stopped."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from rmqproof.model.evaluate.deep_stack import deeply

_ENDING = {number for number in signal.Signals if number.name in ("SIGINT", "SIGTERM", "SIGALRM")}


@dataclass(frozen=True, slots=True)
class Task:
    """`run` is called in a process of its own; what it returns must be picklable. `seconds`: then it is stopped."""

    name: str
    run: Callable[..., Any]
    seconds: float


@dataclass(frozen=True, slots=True)
class Done:
    """The task's result, or why there is none: what was raised, or that it was stopped."""

    task: Task
    result: Any = None
    error: BaseException | None = None
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class _Told:
    what: Any


@dataclass(slots=True)
class _Running:
    task: Task
    process: BaseProcess
    end: float


_GLANCE = 1.0
"""Seconds after which it is said that there is nothing new."""


def run_all(tasks: Sequence[Task], workers: int, told: Callable[[Task, Any], None] | None = None) -> Iterator[Done]:
    """The results as they come. Whatever ends the iteration early (Ctrl-C too) ends the processes.

    `told`: each task's `run` is given a function then, and what it calls that with, which must be picklable, is told
    here at once, with the task; else `run` is given nothing. Where a task that runs tells nothing, None is told of it
    every second.
    Where a process cannot fork they are done here, one after the other, and none is stopped.
    """
    if not hasattr(os, "fork"):
        yield from (_here(task, told) for task in tasks)
        return
    context = multiprocessing.get_context("fork")
    waiting = list(reversed(tasks))
    running: dict[Connection, _Running] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                task = waiting.pop()
                with _uninterrupted():
                    receiver, sender = context.Pipe(duplex=False)
                    process = context.Process(target=_work, args=(task.run, sender, told is not None), daemon=True)
                    process.start()
                    sender.close()
                    running[receiver] = _Running(task, process, time.monotonic() + task.seconds)
            left = max(0.0, min(entry.end for entry in running.values()) - time.monotonic())
            ready = wait(list(running), timeout=left if told is None else min(left, _GLANCE))
            if told is not None and not ready:
                for entry in running.values():
                    told(entry.task, None)
            for connection in ready:
                assert isinstance(connection, Connection)
                received = _received(connection, running[connection])
                if isinstance(received, Done):
                    del running[connection]
                    yield received
                elif told is not None:
                    told(running[connection].task, received.what)
            for connection, entry in list(running.items()):
                if time.monotonic() >= entry.end:
                    with _uninterrupted():
                        del running[connection]
                        _stop(connection, entry)
                    yield Done(entry.task, stopped=True)
    finally:
        with _uninterrupted():
            for entry in running.values():
                entry.process.kill()
            for connection, entry in running.items():
                _stop(connection, entry)


def _here(task: Task, told: Callable[[Task, Any], None] | None) -> Done:
    try:
        return Done(task, deeply(task.run if told is None else partial(task.run, partial(told, task))))
    except Exception as error:
        return Done(task, error=error)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """No process is forgotten between its start and its name, nor while all are stopped."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _received(connection: Connection, entry: _Running) -> Done | _Told:
    try:
        received = connection.recv()
        if isinstance(received, _Told):
            return received
        result, error = received
    except EOFError:
        result, error = None, RuntimeError("the process ended without an answer")
    connection.close()
    entry.process.join()
    return Done(entry.task, result, error)


def _stop(connection: Connection, entry: _Running) -> None:
    entry.process.kill()
    entry.process.join()
    connection.close()


def _work(run: Callable[..., Any], sender: Connection, tells: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    try:
        given = [lambda what: sender.send(_Told(what))] if tells else []
        deeply(lambda: sender.send((run(*given), None)))
    except Exception as error:
        sender.send((None, error))
