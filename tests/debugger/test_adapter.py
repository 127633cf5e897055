"""The debug adapter as an editor meets it: each request over the wire, by a walk through Lock, which lets two in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rmqproof import check, load
from tests.debugger.client import Client, connected

LOCK = str(Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla")
TAKE, LEAVE = 22, 33
"""Lines of Lock.tla: where a worker takes the lock, and gives it back."""
COUNT = """---- MODULE Count ----
EXTENDS Naturals, Sequences, TLC
VARIABLES n, log
Init == n \\in 0..2 /\\ log = <<>>
Up == n < 4 /\\ PrintT(<<"up", n>>) /\\ n' = n + 1 /\\ log' = Append(log, [was |-> n, seen |-> {n, 9}])
Stuck == n = 4 /\\ log[1].was > 1 /\\ n' = log[7].was /\\ UNCHANGED log
Next == Up \\/ Stuck
Spec == Init /\\ [][Next]_<<n, log>>
====
"""

RACE = """---- MODULE Race ----
EXTENDS Naturals
(*--algorithm Race
variables x = 0;
process p \\in 1..2
variables t = 0;
begin
  read: t := x;
  write:
    if t < 5 then
      x := t + 1;
    end if;
end process;
end algorithm; *)
Both == (\\A i \\in 1..2 : pc[i] = "Done") => x = 2
====
"""


@pytest.fixture
def client() -> Iterator[Client]:
    with connected() as opened:
        yield opened


@pytest.fixture
def count(tmp_path: Path) -> str:
    (tmp_path / "Count.tla").write_text(COUNT)
    (tmp_path / "Count.cfg").write_text("SPECIFICATION Spec\n")
    return str(tmp_path / "Count.tla")


def test_it_stops_at_the_initial_state(client: Client) -> None:
    client.launch(LOCK)
    assert client.event("stopped") == {"reason": "entry", "threadId": 1, "allThreadsStopped": True}
    (frame,) = client.ask("stackTrace", threadId=1)["stackFrames"]
    assert (frame["name"], frame["source"]["path"], frame["line"]) == ("1: Initial state", LOCK, 7)
    assert client.ask("threads") == {"threads": [{"id": 1, "name": "Lock"}]}


def test_values_are_a_tree(client: Client, count: str) -> None:
    client.launch(count)
    client.event("stopped")
    client.stopped("stepIn", threadId=1, targetId=3)
    client.stopped("next", threadId=1)
    log = client.scope("State", 2)["log"]
    assert log["type"] == "sequence of 1"
    assert log["indexedVariables"] == 1
    (record,) = client.variables(log["variablesReference"]).values()
    assert record["evaluateName"] == "log[1]"
    fields = client.variables(record["variablesReference"])
    assert (fields["was"]["value"], fields["was"]["evaluateName"]) == ("2", "log[1].was")
    seen = client.variables(fields["seen"]["variablesReference"])
    assert [(name, each["value"]) for name, each in seen.items()] == [("1", "2"), ("2", "9")]
    assert list(client.variables(fields["seen"]["variablesReference"], start=1, count=1)) == ["2"]
    assert client.variables(fields["seen"]["variablesReference"], filter="named") == {}


def test_a_function_is_opened_by_its_arguments(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    at = client.scope("State")["at"]
    assert at["value"] == '(w1 :> "idle" @@ w2 :> "idle")'
    inside = client.variables(at["variablesReference"])
    assert inside["[w1]"]["value"] == '"idle"'
    assert client.ask("evaluate", expression=inside["[w2]"]["evaluateName"])["result"] == '"idle"'


def test_what_was_opened_is_forgotten_at_the_next_step(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    number = client.scope("State")["at"]["variablesReference"]
    client.stopped("next", threadId=1)
    assert "any more" in client.refused("variables", variablesReference=number)


def test_a_step_is_a_choice(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    targets = client.ask("stepInTargets", frameId=1)["targets"]
    assert [target["label"] for target in targets] == ["1. Look(w1)", "2. Look(w2)"]
    assert targets[0]["line"] == 13
    assert client.stopped("stepIn", threadId=1, targetId=2)["reason"] == "step"
    client.stopped("next", threadId=1)
    assert client.frames == ["3: Look(w1)", "2: Look(w2)", "1: Initial state"]
    assert client.ask("stepInTargets", frameId=1)["targets"] == []  # steps are made from the present state
    assert "no step 9" in client.refused("stepIn", threadId=1, targetId=9)


def test_back_and_forward_again(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    client.stopped("stepIn", threadId=1, targetId=2)
    client.stopped("next", threadId=1)
    walked = client.frames
    client.stopped("stepBack", threadId=1)
    client.stopped("stepBack", threadId=1)
    assert client.frames == ["1: Initial state"]
    client.stopped("stepBack", threadId=1)
    assert client.frames == ["1: Initial state"]
    client.stopped("next", threadId=1)
    client.stopped("next", threadId=1)
    assert client.frames == walked
    assert client.stopped("restartFrame", frameId=2)["reason"] == "restart"
    assert client.frames == walked[1:]
    assert client.stopped("restart")["reason"] == "entry"
    assert client.frames == walked[2:]


def test_a_breakpoint_at_a_line(client: Client) -> None:
    (found,) = client.launch(LOCK, [{"line": TAKE}])
    assert (found["verified"], found["line"]) == (True, TAKE)
    client.event("stopped")
    stopped = client.stopped("continue", threadId=1)
    assert (stopped["reason"], stopped["hitBreakpointIds"]) == ("breakpoint", [found["id"]])
    frame = client.ask("stackTrace", threadId=1)["stackFrames"][0]
    assert (frame["name"], frame["line"]) == ("3: Take(w1)", TAKE)


def test_a_conditional_breakpoint_sees_the_parameters(client: Client) -> None:
    client.launch(LOCK, [{"line": TAKE, "condition": 'w = w2 /\\ at[w1] = "saw it free"'}])
    client.event("stopped")
    client.stopped("continue", threadId=1)
    assert client.frames[0] == "4: Take(w2)"
    assert client.ask("evaluate", expression="<<w, at[w]>>", frameId=4)["result"] == '<<w2, "inside">>'
    assert "none led here" in client.refused("evaluate", expression="holder'", frameId=1)
    assert client.ask("evaluate", expression="holder'", frameId=4)["result"] == "w2"


def test_the_number_of_hits(client: Client) -> None:
    client.launch(LOCK, [{"line": TAKE, "hitCondition": "= 3"}], filters=[])
    client.event("stopped")
    client.stopped("continue", threadId=1)
    third = client.frames
    assert third[0].startswith(("4: Take", "5: Take"))


def test_a_line_of_an_invariant(client: Client) -> None:
    (found,) = client.launch(LOCK, [{"line": 44}], filters=[])
    assert found["line"] == 44
    client.event("stopped")
    assert client.stopped("continue", threadId=1)["hitBreakpointIds"] == [found["id"]]
    assert client.frames[0] == "5: Take(w2)"
    (frame, *_) = client.ask("stackTrace", threadId=1, levels=1)["stackFrames"]
    assert frame["line"] == 44


def test_a_line_of_an_algorithm(client: Client, tmp_path: Path) -> None:
    (tmp_path / "Race.tla").write_text(RACE)
    (tmp_path / "Race.cfg").write_text("SPECIFICATION Spec\nINVARIANT Both\n")
    (found,) = client.launch(str(tmp_path / "Race.tla"), [{"line": 11, "condition": "self = 2 /\\ x = 1"}])
    assert (found["verified"], found["line"]) == (True, 11)
    client.event("stopped")
    stopped = client.stopped("continue", threadId=1)
    assert stopped["hitBreakpointIds"] == [found["id"]]
    frames = client.ask("stackTrace", threadId=1)["stackFrames"]
    assert [frame["name"].partition(" ")[2] for frame in frames if "write" in frame["name"]] == ["write(2)", "write(1)"]
    assert frames[0]["line"] == 11


def test_a_line_that_is_logged(client: Client) -> None:
    client.launch(LOCK, [{"line": TAKE, "logMessage": "{holder} to {holder'}"}, {"line": LEAVE}])
    client.event("stopped")
    client.ask("continue", threadId=1)
    assert client.event("output")["output"] == "nobody to w1\n"
    assert client.event("stopped")["reason"] == "breakpoint"
    assert client.frames[0] == "4: Leave(w1)"


def test_an_operator_and_a_variable_as_breakpoints(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    good, bad = client.ask("setFunctionBreakpoints", breakpoints=[{"name": "Leave"}, {"name": "OneInside"}])[
        "breakpoints"
    ]
    assert (good["verified"], good["line"], bad["verified"]) == (True, 32, False)
    info = client.ask("dataBreakpointInfo", name="holder")
    assert info["dataId"] == "holder"
    assert client.ask("dataBreakpointInfo", name="w")["dataId"] is None
    client.ask("setDataBreakpoints", breakpoints=[{"dataId": "holder"}])
    assert client.stopped("continue", threadId=1)["reason"] == "data breakpoint"
    assert client.frames[0] == "3: Take(w1)"
    client.ask("setDataBreakpoints", breakpoints=[{"dataId": "holder", "condition": "holder = w1"}])
    client.stopped("continue", threadId=1)
    assert client.frames[0] == "4: Leave(w1)"


def test_a_violation_is_an_exception(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    stopped = client.stopped("continue", threadId=1)
    assert (stopped["reason"], stopped["description"]) == ("exception", "OneInside is violated")
    assert client.ask("exceptionInfo", threadId=1) == {
        "exceptionId": "OneInside",
        "description": "Two workers are inside at once.",
        "breakMode": "always",
    }
    found = check(load(LOCK))
    assert found.behaviour is not None
    assert len(client.frames) == len(found.behaviour)
    assert client.scope("Properties", 5)["OneInside"]["value"] == "violated"
    assert client.scope("Properties", 4)["OneInside"]["value"] == "holds"


def test_going_on_from_a_violation_comes_to_another_one(client: Client, tmp_path: Path) -> None:
    """And not to each of the states in which the same invariant is still false."""
    spec = tmp_path / "Waves.tla"
    spec.write_text(
        "---- MODULE Waves ----\nEXTENDS Naturals\nVARIABLE n\nInit == n = 0\nNext == n < 9 /\\ n' = n + 1\n"
        "Low == n % 4 < 2\nSmall == n < 3\n====\n"
    )
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANTS Low Small\nCHECK_DEADLOCK FALSE\n")
    client.launch(str(spec))
    client.event("stopped")
    met = [client.stopped("continue", threadId=1)["description"] for _ in range(3)]
    assert met == ["Low is violated", "Small is violated", "Low is violated"]
    assert len(client.frames) == 7
    client.ask("continue", threadId=1)
    assert "Nothing stops in the" in client.event("output")["output"]


def test_nothing_that_stops_is_the_end(client: Client) -> None:
    client.launch(LOCK, filters=[])
    client.event("stopped")
    client.ask("continue", threadId=1)
    assert client.event("output")["output"] == "Nothing stops in the 14 states that can be reached from here.\n"
    assert client.event("exited") == {"exitCode": 0}
    client.event("terminated")
    assert client.stopped("restart")["reason"] == "entry"


def test_what_was_terminated_can_begin_anew(client: Client) -> None:
    client.launch(LOCK, [{"line": TAKE}])
    client.event("stopped")
    client.ask("terminate")
    client.event("terminated")
    client.stopped("restart")
    assert client.stopped("continue", threadId=1)["reason"] == "breakpoint"


def test_without_a_stop_at_the_beginning(client: Client) -> None:
    client.launch(LOCK, [{"line": LEAVE}], stopOnEntry=False)
    assert client.event("stopped")["reason"] == "breakpoint"
    assert client.frames[0] == "4: Leave(w1)"


def test_back_to_a_breakpoint(client: Client) -> None:
    client.launch(LOCK, [{"line": 16}])
    client.event("stopped")
    for _ in range(3):
        client.stopped("continue", threadId=1)
    assert client.stopped("reverseContinue", threadId=1)["reason"] == "breakpoint"
    while len(client.frames) > 1:
        client.stopped("reverseContinue", threadId=1)
    assert client.frames == ["1: Initial state"]


def test_a_line_to_go_to(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    client.stopped("next", threadId=1)
    source = {"path": LOCK}
    targets = client.ask("gotoTargets", source=source, line=TAKE)["targets"]
    assert [target["label"] for target in targets] == ["1. Take(w1)"]
    assert client.stopped("goto", threadId=1, targetId=1)["reason"] == "goto"
    assert client.frames[0] == "3: Take(w1)"
    assert "No step passes here" in client.refused("gotoTargets", source=source, line=47)


def test_breakpoints_can_stand_where_steps_pass(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    found = client.ask("breakpointLocations", source={"path": LOCK}, line=19, endLine=24)["breakpoints"]
    assert [each["line"] for each in found] == [20, 20, 21, 22, 23]
    verdicts = client.ask("setBreakpoints", source={"path": LOCK}, breakpoints=[{"line": 44}, {"line": 47}])
    assert [each["verified"] for each in verdicts["breakpoints"]] == [True, False]


def test_the_console_takes_what_the_prompt_takes(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    assert client.ask("evaluate", expression=":steps", context="repl")["result"].startswith("1. Look(w1)\n")
    client.ask("evaluate", expression='Idle == {w \\in Worker : at[w] = "idle"}', context="repl")
    assert client.ask("evaluate", expression="Idle", context="watch")["result"] == "{w1, w2}"
    client.ask("evaluate", expression=":find holder = w2", context="repl")
    assert client.event("stopped")["reason"] == "goto"
    assert client.frames == ["3: Take(w2)", "2: Look(w2)", "1: Initial state"]
    words = client.ask("completions", text="1 + MayT", column=9)["targets"]
    assert [word["label"] for word in words] == ["MayTake", "MayTakeIfFree"]
    assert (words[0]["start"], words[0]["length"]) == (5, 4)


def test_several_initial_states_are_a_choice(client: Client, count: str) -> None:
    client.launch(count)
    assert client.event("stopped")["reason"] == "entry"
    assert client.frames == ["Choose one of 3 initial states"]
    assert [each["value"] for each in client.scope("Initial states").values()] == [
        f"n = {number}, log = <<>>" for number in range(3)
    ]
    assert client.ask("evaluate", expression="1 + 1")["result"] == "2"
    assert "speaks of" in client.refused("evaluate", expression="n + 1")
    client.stopped("stepIn", threadId=1, targetId=2)
    assert client.ask("evaluate", expression="n", frameId=1)["result"] == "1"


def test_a_deadlock_and_an_error_are_exceptions(client: Client, count: str) -> None:
    client.launch(count, filters=["deadlock", "error"], stopOnEntry=False)
    stopped = client.event("stopped")
    assert (stopped["reason"], stopped["description"]) == ("exception", "Next")  # from n = 2 on
    assert "log[7]" in stopped["text"]
    client.ask("setExceptionBreakpoints", filters=["deadlock"])
    client.stopped("restart")
    client.stopped("evaluate", expression=":init 1", context="repl")
    stopped = client.stopped("continue", threadId=1)
    assert (stopped["description"], client.frames[0]) == ("deadlock", "5: Up")
    assert "No step is possible" in client.refused("next", threadId=1)


def test_what_the_specification_prints_is_output(client: Client, count: str) -> None:
    client.launch(count)
    client.event("stopped")
    client.ask("stepIn", threadId=1, targetId=1)
    assert client.event("output")["category"] == "stdout"


def test_a_counterexample_is_stepped_through(client: Client, tmp_path: Path) -> None:
    behaviour = check(load(LOCK)).behaviour
    assert behaviour is not None
    trace = tmp_path / "lock.itf.json"
    trace.write_text(json.dumps(behaviour.itf()))
    client.launch(str(trace), filters=["violation"])
    assert client.event("stopped")["reason"] == "entry"
    client.stopped("next", threadId=1)
    assert client.stopped("continue", threadId=1)["reason"] == "exception"
    assert [name.partition(" ")[2] for name in reversed(client.frames)] == [
        "Initial state", "Look(w1)", "Look(w2)", "Take(w1)", "Take(w2)",
    ]  # fmt: skip
    client.stopped("stepBack", threadId=1)
    client.stopped("next", threadId=1)
    assert client.frames[0] == "5: Take(w2)"


def test_lines_may_count_from_zero(client: Client) -> None:
    client.ask("initialize", adapterID="x", linesStartAt1=False, columnsStartAt1=False)
    client.ask("launch", program=LOCK)
    (found,) = client.ask("setBreakpoints", source={"path": LOCK}, breakpoints=[{"line": TAKE - 1}])["breakpoints"]
    assert (found["line"], found["column"]) == (TAKE - 1, 5)


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({}, "program"),
        ({"program": "nowhere.tla"}, "no such file"),
        ({"program": 3}, "text"),
        ({"program": __file__}, "give a specification"),
    ],
)
def test_a_launch_that_fails_says_why(client: Client, arguments: dict[str, object], said: str) -> None:
    client.ask("initialize", adapterID="x")
    assert said in client.refused("launch", **arguments)


def test_a_mistake_in_the_specification_has_its_place(client: Client, tmp_path: Path) -> None:
    (tmp_path / "Bad.tla").write_text("---- MODULE Bad ----\nInit == nothing\n====\n")
    (tmp_path / "Bad.cfg").write_text("INIT Init\nNEXT Init\n")
    client.ask("initialize", adapterID="x")
    assert "Bad.tla:2:9" in client.refused("launch", program=str(tmp_path / "Bad.tla"))


@pytest.mark.parametrize(
    "command", ["stackTrace", "next", "continue", "setBreakpoints", "evaluate", "configurationDone"]
)
def test_before_anything_is_launched(client: Client, command: str) -> None:
    client.ask("initialize", adapterID="x")
    assert "Nothing is debugged yet" in client.refused(command, expression="1")


def test_requests_that_are_none(client: Client) -> None:
    client.launch(LOCK)
    client.event("stopped")
    assert "not known here" in client.refused("dance")
    assert "frameId" in client.refused("scopes")
    assert "no frame 7" in client.refused("scopes", frameId=7)
    assert "none of the filters" in client.refused("setExceptionBreakpoints", filters=["all"])
    assert "source.path" in client.refused("setBreakpoints", source={}, breakpoints=[])
    assert client.refused("evaluate", expression="holder +", frameId=1)
