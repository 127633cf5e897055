"""A client of the debug adapter that speaks the protocol byte by byte: what is on the wire is tested."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, BinaryIO

from rmqproof.model.debugger.serving import serve

Json = dict[str, Any]
SECONDS = 120
"""After which a test gives up on an answer."""


class Client:
    """`events` are those that came and that nobody asked for yet."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming, self._outgoing, self._number = incoming, outgoing, 0
        self.events: list[Json] = []

    def send(self, command: str, **arguments: Any) -> int:
        self._number += 1
        message = {"seq": self._number, "type": "request", "command": command, "arguments": arguments}
        text = json.dumps(message).encode("utf-8")
        self._outgoing.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self._outgoing.flush()
        return self._number

    def response(self, command: str, **arguments: Any) -> Json:
        number = self.send(command, **arguments)
        while True:
            message = self._read()
            if message["type"] == "response" and message["request_seq"] == number:
                assert message["command"] == command
                return message
            self.events.append(message)

    def ask(self, command: str, **arguments: Any) -> Any:
        """The body of an answer, which is one."""
        answer = self.response(command, **arguments)
        assert answer["success"], answer
        return answer.get("body")

    def refused(self, command: str, **arguments: Any) -> str:
        answer = self.response(command, **arguments)
        assert not answer["success"]
        assert answer["message"] == answer["body"]["error"]["format"]
        return str(answer["message"])

    def event(self, name: str) -> Json:
        """The next event of this name; those before it are passed over."""
        while True:
            message = self.events.pop(0) if self.events else self._read()
            if message["type"] == "event" and message["event"] == name:
                body: Json = message["body"]
                return body

    def stopped(self, command: str, **arguments: Any) -> Json:
        """Where it stands after a request."""
        self.ask(command, **arguments)
        return self.event("stopped")

    def launch(self, program: str, breakpoints: list[Json] | None = None, **more: Any) -> list[Json]:
        """To the first stop; what is said of the breakpoints of the program's file."""
        self.ask("initialize", adapterID="rmqproof", pathFormat="path")
        filters = more.pop("filters", ["violation", "error"])
        self.ask("launch", program=program, **more)
        self.event("initialized")
        found = self.ask("setBreakpoints", source={"path": program}, breakpoints=breakpoints or [])
        self.ask("setExceptionBreakpoints", filters=filters)
        self.ask("configurationDone")
        return list(found["breakpoints"])

    @property
    def frames(self) -> list[str]:
        """The names of the frames, the present state's first."""
        return [frame["name"] for frame in self.ask("stackTrace", threadId=1)["stackFrames"]]

    def scope(self, name: str, frame: int = 1) -> dict[str, Json]:
        """The variables of a scope by their names."""
        scopes = self.ask("scopes", frameId=frame)["scopes"]
        number = next(scope["variablesReference"] for scope in scopes if scope["name"] == name)
        return self.variables(number)

    def variables(self, number: int, **more: Any) -> dict[str, Json]:
        return {each["name"]: each for each in self.ask("variables", variablesReference=number, **more)["variables"]}

    def _read(self) -> Json:
        header = self._incoming.readline()
        assert header.startswith(b"Content-Length: ") and header.endswith(b"\r\n"), header
        assert self._incoming.readline() == b"\r\n"
        message: Json = json.loads(self._incoming.read(int(header.split()[1])))
        return message


@contextmanager
def connected() -> Iterator[Client]:
    """A client of an adapter that runs in this process; the adapter ends when the client leaves."""
    ours, theirs = socket.socketpair()
    ours.settimeout(SECONDS)
    with ours, theirs, theirs.makefile("rb") as incoming, theirs.makefile("wb") as outgoing:
        thread = Thread(target=serve, args=(incoming, outgoing), daemon=True)
        thread.start()
        with ours.makefile("rb") as reading, ours.makefile("wb") as writing:
            client = Client(reading, writing)
            yield client
            client.ask("disconnect")
            thread.join(SECONDS)
            assert not thread.is_alive()
