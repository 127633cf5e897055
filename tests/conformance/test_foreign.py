"""Implementations in other languages: they conform, and each broken variant is a difference, also one that ends."""

from __future__ import annotations

import shlex
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic

import pytest
from click.testing import CliRunner

from rmqproof.conformance import address_adapter, command_adapter
from rmqproof.conformance.abstraction import AbstractionError
from rmqproof.conformance.adapter import Answer, Snapshot, Value
from rmqproof.conformance.difference import Kind
from rmqproof.conformance.exploration import Conformance, Options, conform
from rmqproof.conformance.guard import AdapterFactory, Guard
from rmqproof.conformance.loading import LoadingError
from rmqproof.conformance.performer import Effort
from rmqproof.conformance.report import difference_text, verdict
from rmqproof.conformance.subject import ModelSubject, open_model
from rmqproof.model.cli import main
from tests.conformance.examples.adapter import TwoPhaseAdapter

KIT = Path(__file__).parent / "kit"
EXAMPLES = Path(__file__).parent / "examples"
LANGUAGES = ("python", "javascript", "c")
PYTHON = shlex.join([sys.executable, str(KIT / "lock.py")])


@pytest.fixture(scope="module")
def subject() -> ModelSubject:
    return open_model(KIT / "Lock.tla", KIT / "Lock.cfg")


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    found = {"python": PYTHON}
    if node := shutil.which("node"):
        found["javascript"] = shlex.join([node, str(KIT / "lock.js")])
    if compiler := shutil.which("cc"):
        program = tmp_path_factory.mktemp("kit") / "lock"
        subprocess.run([compiler, "-o", str(program), str(KIT / "lock.c")], check=True)
        found["c"] = shlex.join([str(program)])
    return found


def held(subject: ModelSubject, make: AdapterFactory, seconds: float = 600, losses: int = 1) -> Conformance:
    effort = Effort(probes=7, step_seconds=seconds, most_losses=losses)
    return conform(subject, make, Options(workers=1, paths=6, effort=effort))


def program(commands: dict[str, str], language: str) -> str:
    if language not in commands:
        pytest.skip(f"nothing that runs {language} is here")
    return commands[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_conforms(subject: ModelSubject, commands: dict[str, str], language: str) -> None:
    result = held(subject, command_adapter(program(commands, language)))
    assert result.conforms, verdict(result)
    assert result.edges == 72 and result.paths == 6


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("broken", "kind", "action"),
    [("order", Kind.STATE, "Grant"), ("dies", Kind.DIED, "GiveUp"), ("hangs", Kind.HUNG, "Release")],
)
def test_a_broken_one_is_caught(
    subject: ModelSubject,
    commands: dict[str, str],
    language: str,
    broken: str,
    kind: Kind,
    action: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LOCK_BROKEN", broken)
    # on a slow machine other calls may take too long as well, and then one more does not end the comparison
    limit, losses = (1.0, 1) if broken == "hangs" else (600, 2)
    result = held(subject, command_adapter(program(commands, language)), limit, losses)
    assert not result.conforms
    assert kind in {difference.kind for difference in result.differences}
    if broken != "hangs":
        assert {(difference.kind, difference.asked.action) for difference in result.differences} == {(kind, action)}
    assert result.stopped == ("" if broken == "order" else "lost")


def test_what_ended_is_told_with_its_status_and_last_words(
    subject: ModelSubject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCK_BROKEN", "dies")
    result = held(subject, command_adapter(PYTHON), losses=4)
    text = difference_text(result, result.differences[0])
    assert "exit status 3; its last lines on standard error: giving up, too" in text
    assert 'waiting: <<>> -> <<"ann">>' in text
    assert len(result.differences) > 1, "it was not started again"


@pytest.fixture
def server() -> Iterator[str]:
    with subprocess.Popen([sys.executable, str(KIT / "lock.py"), "0"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"127.0.0.1:{int(process.stdout.readline())}"
        process.kill()


def test_over_tcp(subject: ModelSubject, server: str) -> None:
    result = held(subject, address_adapter(server))
    assert result.conforms and result.edges == 72


def test_a_connection_that_breaks_is_a_difference(subject: ModelSubject) -> None:
    """In the middle of things, and then nobody is there any more."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            listening.close()
            with connection, connection.makefile("rwb") as lines:
                for answer in (b'{"protocol":1}', b"{}", OBSERVED, b"{}", OBSERVED):
                    lines.readline()
                    lines.write(answer + b"\n")
                    lines.flush()
                lines.readline()

        thread = threading.Thread(target=serve)
        thread.start()
        result = held(subject, address_adapter(f"127.0.0.1:{listening.getsockname()[1]}"), losses=2)
        thread.join()
    assert {difference.kind for difference in result.differences} == {Kind.DIED}
    texts = [difference.message for difference in result.differences]
    assert any("the connection to" in text and "broke" in text for text in texts), texts


OBSERVED = b'{"state":{"lock":{"held":false,"holder":"nobody"},"waiting":[],"served":{"#set":[]}}}'


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["started"], "is no JSON; what it logs belongs on standard error"),
        (["[1]"], "is no object"),
        (['{"protocol":2}'], "it speaks protocol 2"),
        (['{"error":"out of order"}'], "hello: out of order"),
        ([], "ended with exit status 0"),
    ],
)
def test_what_cannot_start_says_why(answers: list[str], words: str) -> None:
    script = "".join(f"input(); print({answer!r}, flush=True);" for answer in answers) or "input()"
    command = shlex.join([sys.executable, "-c", script])
    done = CliRunner().invoke(main, ["conform", str(KIT / "Lock.tla"), "--adapter-command", command, "--workers", "1"])
    assert done.exit_code == 1, done.output
    assert words in " ".join(done.output.split()) and "Traceback" not in done.output
    assert "foreign.py" not in done.output, "where the answer was found wrong is of no interest"


def test_the_last_words_of_java_and_node_are_not_the_calls_they_list() -> None:
    said = "throw new Error('gone')\n\nError: gone\n" + "".join(f"    at call{n} (x.js:{n}:1)\n" for n in range(9))
    command = shlex.join([sys.executable, "-c", f"import sys; input(); sys.stderr.write({said!r}); sys.exit(1)"])
    done = CliRunner().invoke(main, ["conform", str(KIT / "Lock.tla"), "--adapter-command", command, "--workers", "1"])
    assert "throw new Error('gone') | Error: gone" in " ".join(done.output.split()), done.output


@pytest.mark.parametrize("make", [lambda: command_adapter("no-such-program x"), lambda: address_adapter("nowhere")])
def test_what_is_no_implementation_is_refused(make: AdapterFactory) -> None:
    with pytest.raises(LoadingError, match="is no"):
        make()


# --- adapters in Python that raise or hang -----------------------------------------------------------------------


class Raising(TwoPhaseAdapter):
    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        if self.cluster.coordinator.decision is not None:
            raise BrokenPipeError("nobody listens")


class Showing(TwoPhaseAdapter):
    def observe(self) -> dict[str, Value]:
        if self.cluster.coordinator.votes:
            raise KeyError("votes")
        return dict(super().observe())


class Unsaved(TwoPhaseAdapter):
    def snapshot(self) -> Snapshot:
        raise OSError("no room")


class Silent(TwoPhaseAdapter):
    """Once a participant has given up."""

    def fields(self) -> Mapping[str, object]:
        if "aborted" in {participant.status for participant in self.cluster.participants.values()}:
            raise LookupError("which fields?")
        return super().fields()


def test_fields_that_cannot_be_told_of_end_the_comparison() -> None:
    two = open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg")
    with pytest.raises(AbstractionError, match=r"no account of its fields.*LookupError: which fields"):
        conform(two, Silent, Options(workers=1, paths=20, effort=Effort(probes=0)))


class Waiting(TwoPhaseAdapter):
    def do_GiveUp(self, name: str) -> bool:
        while self.cluster.participants[name].status == "working":
            pass
        return False


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (Raising, Kind.CRASHED, "restore(): BrokenPipeError: nobody listens at"),
        (Showing, Kind.CRASHED, "observe(): KeyError: 'votes' at"),
        (Unsaved, Kind.CRASHED, "snapshot(): OSError: no room at"),
    ],
)
def test_what_raises_is_a_difference(make: AdapterFactory, kind: Kind, words: str) -> None:
    two = open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg")
    result = held(two, make)
    assert {difference.kind for difference in result.differences} == {kind}
    assert all(words in difference.message for difference in result.differences)


class Tired(TwoPhaseAdapter):
    """Raises in the fourth step after an initial state, and never after a restore."""

    def initial(self, index: int) -> None:
        super().initial(index)
        self.left = 3

    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        self.left = 1000

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        if not self.left:
            raise OSError("too many")
        self.left -= 1
        return super().perform(action, arguments)


def test_what_raises_in_a_whole_path_only_is_a_difference() -> None:
    two = open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg")
    result = conform(two, Tired, Options(workers=1, paths=6, effort=Effort(probes=0)))
    assert {difference.kind for difference in result.differences} == {Kind.CRASHED}
    assert not result.conforms and "OSError: too many" in result.differences[0].message


def test_what_hangs_is_a_difference() -> None:
    two = open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg")
    result = held(two, Waiting, seconds=1.0)
    assert Kind.HUNG in {difference.kind for difference in result.differences}
    assert result.stopped == "lost" and not result.conforms


class Slow(TwoPhaseAdapter):
    """Takes several times the limit of a step to start."""

    def start(self, constants: Mapping[str, Value]) -> int:
        end = monotonic() + 0.5
        while monotonic() < end:
            pass
        return super().start(constants)


def test_a_start_may_take_longer_than_a_step() -> None:
    guard = Guard(Slow, 0.1)
    try:
        assert guard.start({"Participant": {"#set": ["a"]}}) == 1 and guard.lost == 0
    finally:
        guard.close()
