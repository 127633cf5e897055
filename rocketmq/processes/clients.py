"""Producers and a consumer of a release's own client, in a process of their own; what happens to them is the history.

The process is told `VERSION NAME_SERVER HISTORY PRODUCERS [JAVA]`, works until its input says `stop`, reads everything
once more when it says `read`, and ends with its input. Each producer has a queue of its own and sends one message at a
time, each once (no retries), so that the order of a queue is the order of its producer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.releases import open_release

TOPIC, GROUP = "ChaosTopic", "rmqproof"
_BROKER = "broker-a"
_PUT_MILLISECONDS, _PULL_MILLISECONDS = 3000, 3000
_PAUSE = 0.03
_BATCH = 32


class Clients:
    """The process, seen from the one that started it."""

    def __init__(self, version: str, name_server: str, history: Path, producers: int, java: Path | None) -> None:
        command = [sys.executable, "-m", "rmqproof.rocketmq.processes.clients"]
        arguments = [version, name_server, str(history), str(producers), *([str(java)] if java else [])]
        self._errors = history.with_suffix(".errors").open("wb")
        # Ctrl-C is for whoever started it: the process ends with its input
        self._process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,
        )
        try:
            self._expect("ready")
        except BaseException:  # Ctrl-C, too
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def begin(self) -> None:
        self._say("begin", "begun")

    def stop(self) -> None:
        """No more messages; what is under way has been answered."""
        self._say("stop", "stopped")

    def read(self) -> None:
        """All of the topic, as it is now, once more."""
        self._say("read", "has read")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._errors.close()

    def _say(self, word: str, answer: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(word + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        self._expect(answer)

    def _expect(self, answer: str) -> None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if line != answer:
            self.close()
            raise RocketmqError(
                f"The process of the clients ended (it said {line!r}).", f"Its errors are in {self._errors.name}."
            )


@dataclass(slots=True)
class _Work:
    """What the threads of the process share."""

    jpype: Any
    name_server: str
    history: TextIO
    producers: int
    stopped: threading.Event = field(default_factory=threading.Event)
    writing: threading.Lock = field(default_factory=threading.Lock)

    def write(self, **event: Any) -> None:
        with self.writing:
            self.history.write(json.dumps(event) + "\n")
            self.history.flush()

    def class_(self, name: str) -> Any:
        return self.jpype.JClass(f"org.apache.rocketmq.{name}")

    def queue(self, number: int) -> Any:
        return self.class_("common.message.MessageQueue")(TOPIC, _BROKER, number)


def _producer(work: _Work) -> Any:
    producer = work.class_("client.producer.DefaultMQProducer")(GROUP)
    producer.setNamesrvAddr(work.name_server)
    producer.setPollNameServerInterval(500)
    producer.setSendMsgTimeout(_PUT_MILLISECONDS)
    producer.setRetryTimesWhenSendFailed(0)
    producer.setDefaultTopicQueueNums(work.producers)
    producer.setVipChannelEnabled(False)
    producer.start()
    return producer


def _produce(work: _Work, producer: Any, number: int) -> None:
    message, queue = work.class_("common.message.Message"), work.queue(number)
    put = 0
    while not work.stopped.is_set():
        put += 1
        began = time.time()
        offset, error = -1, ""
        try:
            result = producer.send(
                message(TOPIC, work.jpype.JArray(work.jpype.JByte)(f"{number}-{put}".encode())), queue
            )
            status, offset = str(result.getSendStatus()), int(result.getQueueOffset())
        except work.jpype.JException as raised:
            status, error = str(raised.getClass().getSimpleName()), str(raised.getMessage()).splitlines()[0][:200]
        work.write(
            kind="put", body=f"{number}-{put}", queue=number, began=began, ended=time.time(), status=status,
            offset=offset, error=error,
        )  # fmt: skip
        time.sleep(_PAUSE if status == "SEND_OK" else 5 * _PAUSE)


def _consumer(work: _Work) -> Any:
    consumer = work.class_("client.consumer.DefaultMQPullConsumer")(GROUP)
    consumer.setNamesrvAddr(work.name_server)
    consumer.setPollNameServerInterval(500)
    consumer.setConsumerPullTimeoutMillis(_PULL_MILLISECONDS)
    consumer.setVipChannelEnabled(False)
    consumer.start()
    return consumer


def _pull(work: _Work, consumer: Any, queue: int, first: int, kind: str) -> tuple[int, str]:
    """What comes next, and with which word the broker answered."""
    try:
        result = consumer.pull(work.queue(queue), "*", first, _BATCH)
        word = str(result.getPullStatus())
        found = list(result.getMsgFoundList() or ()) if word == "FOUND" else []
    except work.jpype.JException as raised:
        return first, str(raised.getClass().getSimpleName())
    for each in found:
        body, offset = bytes(each.getBody()).decode(errors="replace"), int(each.getQueueOffset())
        work.write(kind=kind, queue=queue, offset=offset, body=body, at=time.time())
        first = offset + 1
    if word == "OFFSET_ILLEGAL":
        work.write(kind="illegal", queue=queue, offset=first, next=int(result.getNextBeginOffset()), at=time.time())
    return first, word


def _consume(work: _Work, consumer: Any) -> None:
    """Read on in each queue; where there is no such offset at the broker, ask again."""
    places = [0] * work.producers
    while not work.stopped.is_set():
        for queue, first in enumerate(places):
            places[queue], _ = _pull(work, consumer, queue, first, "seen")
        time.sleep(0.1)


def _read_all(work: _Work, consumer: Any, patience: float = 60.0) -> None:
    """From the first offset to the end, as a new consumer does."""
    end = time.monotonic() + patience
    for queue in range(work.producers):
        place, word = 0, ""
        while word != "NO_NEW_MSG" and time.monotonic() < end:
            before = place
            place, word = _pull(work, consumer, queue, place, "read")
            if word == "OFFSET_ILLEGAL" and place == before:
                break
        work.write(kind="read to the end", queue=queue, offset=place, word=word, at=time.time())


def _serve(work: _Work, asked: TextIO, answers: TextIO) -> None:
    def answer(word: str) -> None:
        answers.write(word + "\n")
        answers.flush()

    producer, consumer = _producer(work), _consumer(work)
    threads = [threading.Thread(target=_produce, args=(work, producer, n), daemon=True) for n in range(work.producers)]
    threads.append(threading.Thread(target=_consume, args=(work, consumer), daemon=True))
    answer("ready")
    for line in asked:
        match line.strip():
            case "begin":
                for thread in threads:
                    thread.start()
                answer("begun")
            case "stop":
                work.stopped.set()
                for thread in threads:
                    thread.join(60)
                answer("stopped")
            case "read":
                _read_all(work, consumer)
                answer("has read")


def main(version: str, name_server: str, history: str, producers: str, java: str = "") -> None:
    import os
    import signal

    from rmqproof.rocketmq import jvm

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "w")  # what Java prints must not come between the answers
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory(prefix="rmqproof-clients-", ignore_cleanup_errors=True) as home:
        jpype = jvm.start(open_release(version), find_java(Path(java) if java else None), Path(home))
        try:
            with Path(history).open("a", encoding="utf-8") as file, suppress(BrokenPipeError):  # whoever asked is gone
                _serve(_Work(jpype, name_server, file, int(producers)), sys.stdin, answers)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)  # threads of the client would keep the JVM from ending


if __name__ == "__main__":
    main(*sys.argv[1:])
