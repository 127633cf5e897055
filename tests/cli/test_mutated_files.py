"""Files with a few bytes changed: whatever is in them, a command says what is wrong and has a status of its own."""

from __future__ import annotations

import random
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.checking import exit_status
from rmqproof.model.cli import main
from rmqproof.rocketmq.commands import assess

CASES = 40
READ = exit_status.INTERRUPTED
"""Of `assess` here, where a file is in order: its searches are left out."""
CHECK = {0, 10, 11, 12, 13, 14, 75, 76, 77, 150, 151, 152, 153}
SPEC = """---- MODULE Small ----
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Node, Limit
VARIABLES n, log, seen
vars == <<n, log, seen>>
TypeOK == n \\in 0..Limit /\\ log \\in Seq(Node) /\\ seen \\subseteq Node
RECURSIVE Sum(_)
Sum(s) == IF s = <<>> THEN 0 ELSE Head(s).a + Sum(Tail(s))
Init == /\\ n = 0
        /\\ log = <<>>
        /\\ seen = {}
Add(p) == /\\ n < Limit
          /\\ n' = n + 1
          /\\ log' = Append(log, p)
          /\\ seen' = seen \\cup {p}
Drop == \\/ /\\ Len(log) > 0
           /\\ log' = Tail(log)
           /\\ UNCHANGED <<n, seen>>
        \\/ n = Limit /\\ n' = 0 /\\ UNCHANGED <<log, seen>>
Next == (\\E p \\in Node : Add(p)) \\/ Drop
Spec == Init /\\ [][Next]_vars /\\ WF_vars(Drop)
Few == LET f == [p \\in Node |-> IF p \\in seen THEN 1 ELSE 0] IN \\A p \\in DOMAIN f : f[p] \\in {0, 1}
Goes == [](n = Limit => <>(n = 0))
Rec == [a |-> 1, b |-> "text"].a = 1 /\\ [[a |-> 1] EXCEPT !.a = @ + 1].a = 2
====
"""
CONFIG = """\\* A comment.
SPECIFICATION Spec
CONSTANTS
  Node = {a, b}
  Limit = 2
INVARIANTS TypeOK Few Rec
PROPERTY Goes
CHECK_DEADLOCK FALSE
"""
TRACE = """{"#meta": {"format": "ITF"}, "params": [], "vars": ["n", "log"], "loop": 0, "states": [
 {"#meta": {"index": 0, "action": "Init"}, "n": {"#bigint": "0"}, "log": {"#map": [["a", 1], ["b", {"#tup": [1, 2]}]]}},
 {"#meta": {"index": 1, "action": "Add", "arguments": [3]}, "n": {"#bigint": "1"}, "log": {"#set": [1, true, "x"]}}]}
"""
BROKER = """# a broker
brokerClusterName = DefaultCluster
brokerName=broker-a
enableControllerMode = true
controllerAddr = 127.0.0.1:9878
inSyncReplicas=2
allAckInSyncStateSet = false
minInSyncReplicas=1
totalReplicas = 3
flushDiskType=ASYNC_FLUSH
haMaxTimeSlaveNotCatchup=15000
"""
EPOCHS = "1-0\n2-100\n3-250\n"
CHANGES = (
    b"\x00",
    b"\xff",
    b"\xc3\x28",
    b"\r",
    b"\n",
    b"(",
    b")",
    b"{",
    b"}",
    b"<<",
    b">>",
    b'"',
    b"\\",
    b"'",
    b"==",
    b"-",
)
FILES = {
    "Small.tla": (SPEC, ("check", "Small.tla", "--engine", "python", "--max-states", "40"), CHECK),
    "Small.cfg": (CONFIG, ("check", "Small.tla", "--engine", "python", "--max-states", "40"), CHECK),
    "run.itf.json": (TRACE, ("trace", "show", "run.itf.json"), {0, 2, 150, 151, 153}),
    "broker.conf": (BROKER, ("assess", "broker.conf"), {READ, 151}),
    "epochs": (EPOCHS, ("epochs", "epochs", "epochs.slave"), {0, 1, 2}),
}


def mutated(content: bytes, chance: random.Random) -> bytes:
    """With one to three bytes, words or lines taken out, put in, doubled or exchanged."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice((1, 1, 3, 12, 80)))
        piece = content[start:end]
        new = chance.choice((b"", piece * 2, piece[::-1], chance.choice(CHANGES), chance.choice(CHANGES) + piece))
        content = content[:start] + new + content[end:]
    return content


def no_searches(*given: object, **more: object) -> None:
    raise BrokenProcessPool


@pytest.mark.parametrize("name", FILES)
def test_a_mutated_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(assess, "ProcessPoolExecutor", no_searches)
    original, words, statuses = FILES[name]
    chance = random.Random(name)
    (tmp_path / "Small.tla").write_text(SPEC)
    (tmp_path / "Small.cfg").write_text(CONFIG)
    (tmp_path / "epochs.slave").write_text(EPOCHS)
    wrong = []
    for case in range(CASES):
        content = mutated(original.encode(), chance)
        (tmp_path / name).write_bytes(content)
        result = CliRunner().invoke(main, words)
        told = result.output
        unforeseen = result.exception is not None and not isinstance(result.exception, SystemExit)
        if unforeseen or "Traceback" in told or "a defect of rmqproof" in told or result.exit_code not in statuses:
            wrong.append((case, result.exit_code, result.exception, told, content))
    assert not wrong
