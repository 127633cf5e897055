"""The streams of the debug adapter: what comes in pieces, what is no message, a search that is ended, a port."""

from __future__ import annotations

import io
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.model.debugger import adapter, launching
from rmqproof.model.debugger.wire import LARGEST, Writer, WrongMessage, read_message
from tests.debugger.client import SECONDS, Client, connected

DOCS = Path(__file__).parents[2] / "docs"
ENDLESS = """---- MODULE Endless ----
EXTENDS Naturals
VARIABLE n
Init == n = 0
Next == n' = n + 1
====
"""


def test_a_message_there_and_back() -> None:
    stream = io.BytesIO()
    writer = Writer(stream)
    writer.event("output", output="x ∈ S\n")
    writer.send("response", request_seq=4)
    stream.seek(0)
    assert read_message(stream) == {"seq": 1, "type": "event", "event": "output", "body": {"output": "x ∈ S\n"}}
    assert read_message(stream) == {"seq": 2, "type": "response", "request_seq": 4}
    assert read_message(stream) is None


def test_other_headers_and_plain_line_ends() -> None:
    text = b'Content-Type: x\nContent-Length: 2\n\n{}Content-Length: 7\r\n\r\n{"a":1}'
    stream = io.BytesIO(text)
    assert [read_message(stream), read_message(stream), read_message(stream)] == [{}, {"a": 1}, None]


@pytest.mark.parametrize(
    "text",
    [
        b"POST / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 3\r\n\r\n{a}",
        b"Content-Length: %d\r\n\r\n" % (LARGEST + 1),
    ],
)
def test_what_is_no_message(text: bytes) -> None:
    with pytest.raises(WrongMessage):
        read_message(io.BytesIO(text))


@pytest.mark.parametrize("text", [b"", b"Content-Length: 20\r\n\r\n{}", b"Content-Le"])
def test_a_stream_that_ends(text: bytes) -> None:
    if text.endswith(b"Le"):
        with pytest.raises(WrongMessage):
            read_message(io.BytesIO(text))
    else:
        assert read_message(io.BytesIO(text)) is None


def test_a_search_is_paused(tmp_path: Path) -> None:
    (tmp_path / "Endless.tla").write_text(ENDLESS)
    (tmp_path / "Endless.cfg").write_text("INIT Init\nNEXT Next\n")
    with connected() as client:
        client.launch(str(tmp_path / "Endless.tla"))
        client.event("stopped")
        client.ask("continue", threadId=1)
        client.ask("pause", threadId=1)
        assert client.event("stopped")["reason"] == "pause"
        client.ask("setFunctionBreakpoints", breakpoints=[{"name": "Next", "condition": "n' = 30"}])
        client.stopped("continue", threadId=1)
        assert client.ask("evaluate", expression="n")["result"] == "30"


def test_a_client_may_leave_while_it_searches(tmp_path: Path) -> None:
    (tmp_path / "Endless.tla").write_text(ENDLESS)
    (tmp_path / "Endless.cfg").write_text("INIT Init\nNEXT Next\n")
    with connected() as client:
        client.launch(str(tmp_path / "Endless.tla"), mostStates=1_000_000_000)
        client.event("stopped")
        client.ask("continue", threadId=1)


def test_a_search_has_a_limit(tmp_path: Path) -> None:
    (tmp_path / "Endless.tla").write_text(ENDLESS)
    (tmp_path / "Endless.cfg").write_text("INIT Init\nNEXT Next\n")
    with connected() as client:
        client.launch(str(tmp_path / "Endless.tla"), mostStates=100)
        client.event("stopped")
        client.ask("continue", threadId=1)
        assert "mostStates" in client.event("output")["output"]
        assert client.event("stopped")["reason"] == "pause"


def test_standard_streams() -> None:
    command = [sys.executable, "-m", "rmqproof", "debug-adapter"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        client = Client(process.stdout, process.stdin)  # type: ignore[arg-type]
        assert client.ask("initialize", adapterID="x")["supportsStepBack"]
        client.ask("disconnect")
        assert process.wait(SECONDS) == 0
        assert process.stderr.read() == b""


def test_a_port_of_this_machine_alone() -> None:
    command = [sys.executable, "-m", "rmqproof", "debug-adapter", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline().decode()
            found = re.match(r"listening on 127\.0\.0\.1:(\d+); Ctrl-C ends it\n", line)
            assert found is not None, line
            for _ in range(2):  # one client after the other
                connection = socket.create_connection(("127.0.0.1", int(found[1])), SECONDS)
                with connection, connection.makefile("rb") as incoming, connection.makefile("wb") as outgoing:
                    client = Client(incoming, outgoing)
                    client.ask("initialize", adapterID="x")
                    client.ask("disconnect")
            with socket.create_connection(("127.0.0.1", int(found[1])), SECONDS) as page:
                page.sendall(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
                assert page.recv(1) == b""  # a page in a browser is hung up on
        finally:
            process.terminate()
        process.wait(SECONDS)


def test_what_is_known_is_what_is_said() -> None:
    """A capability that is told has its request."""
    requests = {name.removeprefix("on_").lower() for name in dir(adapter.Adapter) if name.startswith("on_")}
    told = [re.fullmatch(r"supports(\w+)Request", name) for name in adapter.CAPABILITIES]
    assert {found[1].lower() for found in told if found is not None} <= requests
    assert json.dumps(adapter.CAPABILITIES)


def test_what_the_page_gives_editors() -> None:
    """docs/debugger.md: what its package.json starts is the adapter, and its launch.json launches."""
    blocks = re.findall(r"```json\n(.*?)```", (DOCS / "debugger.md").read_text(encoding="utf-8"), re.DOTALL)
    package, launch = map(json.loads, blocks)
    (debugger,) = package["contributes"]["debuggers"]
    assert debugger["runtime"] == "rmqproof"
    command = [sys.executable, "-m", debugger["runtime"], *debugger["runtimeArgs"], "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Debug Adapter Protocol" in " ".join(said.split())
    known = debugger["configurationAttributes"]["launch"]["properties"]
    source = Path(launching.__file__).read_text(encoding="utf-8") + Path(adapter.__file__).read_text(encoding="utf-8")
    assert all(f'"{name}"' in source for name in known)
    for configuration in launch["configurations"]:
        arguments = {key: value for key, value in configuration.items() if key not in ("type", "request", "name")}
        assert arguments.keys() <= known.keys()
        with connected() as client:
            arguments["program"] = arguments["program"].replace("${file}", str(DOCS / "tutorial" / "Lock.tla"))
            client.launch(**arguments)
            assert client.event("stopped")["reason"] == "entry"
