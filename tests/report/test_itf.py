"""ITF files: what is written is read back, other tools' files are read, bad files are explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.itf import itf_text, parse_itf, read_itf, write_itf
from rmqproof.model.report.text import behaviour_text
from rmqproof.model.tla.source import Source, TlaError
from tests.report.samples import TRACES, behaviours, sample


@settings(max_examples=50)
@given(behaviours())
def test_what_is_written_is_read_back(behaviour: Behaviour) -> None:
    text = itf_text(behaviour)
    again = parse_itf(Source("t", text))
    assert again == behaviour
    assert itf_text(again) == text


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    write_itf(sample("election"), tmp_path / "t.itf.json")
    assert read_itf(tmp_path / "t.itf.json") == sample("election")


@pytest.mark.parametrize("name", TRACES)
def test_one_line_a_variable_so_that_files_can_be_compared(name: str) -> None:
    behaviour = sample(name)
    text = itf_text(behaviour)
    around = 6 if behaviour.loop is None else 7
    assert len(text.splitlines()) == around + len(behaviour.steps) * (len(behaviour.variables) + 3)
    assert json.loads(text)["states"][0]["#meta"]["index"] == 0


def test_the_shapes_of_apalache() -> None:
    behaviour = sample("counter_apalache_shape")
    assert [step.action for step in behaviour.steps] == [None, None, None]
    text = behaviour_text(behaviour).plain
    assert "count: 0 -> 1" in text
    assert 'queue: <<"a">> -> <<"a", "b">>' in text
    assert "9007199254740993" in text


def test_the_actions_of_quint() -> None:
    behaviour = sample("counter_quint_shape")
    assert [step.action for step in behaviour.steps] == [None, "increase"]


_GOOD: dict[str, Any] = {"#meta": {}, "vars": ["x"], "states": [{"#meta": {"index": 0}, "x": 1}]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": None}, "t: states: must be a list of at least one state"),
        ({"states": []}, "t: states: must be a list of at least one state"),
        ({"vars": "x"}, "t: vars: must be the list of the variables' names"),
        ({"vars": ["x", "y"]}, "t: states[0]: has no value for variable `y`"),
        ({"states": [7]}, "t: states[0]: must be an object with a value for each variable"),
        ({"states": [{"x": None}]}, "t: states[0].x: null is no TLA+ value"),
        ({"states": [{"x": 1.5}]}, "t: states[0].x: 1.5 is no TLA+ value"),
        ({"states": [{"x": [1, {"#set": 2}]}]}, "t: states[0].x[1]: #set must hold a list"),
        ({"states": [{"x": {"#map": [[1]]}}]}, "t: states[0].x[0]: #map must hold pairs [key, value]"),
        ({"states": [{"x": {"#map": [[[1], 1], [[1], 2]]}}]}, "t: states[0].x: #map has two values for one key"),
        ({"states": [{"x": {"#bigint": "1e3"}}]}, "t: states[0].x: #bigint must hold an integer as a string"),
        ({"states": [{"x": {"#bag": []}}]}, 't: states[0].x: ["#bag"] is no shape of ITF'),
        ({"states": [{"x": {"#set": [], "f": 1}}]}, 't: states[0].x: ["#set", "f"] is no shape of ITF'),
        ({"states": [{"#meta": {"action": 3}, "x": 1}]}, "t: states[0].#meta.action: must be the name of an action"),
        ({"states": [{"#meta": {"action": "A", "arguments": 3}, "x": 1}]}, "t: states[0].#meta.arguments: must be"),
        ({"loop": 1}, "t: loop: must be the index of a state, 0 to 0, and is 1"),
        ({"#meta": {"modelValues": "b1"}}, "t: #meta.modelValues: must be a list of names"),
    ],
)
def test_bad_traces_are_explained(change: dict[str, Any], message: str) -> None:
    parse_itf(Source("t", json.dumps(_GOOD)))
    with pytest.raises(TlaError) as caught:
        parse_itf(Source("t", json.dumps(_GOOD | change)))
    assert caught.value.message.startswith(message)
    assert "Informal Trace Format" in caught.value.remedy


def test_json_of_something_else() -> None:
    with pytest.raises(TlaError, match="this JSON has no `states`"):
        parse_itf(Source("t", '{"result": "success"}'))


def test_broken_json_is_shown_with_its_place() -> None:
    with pytest.raises(TlaError) as caught:
        parse_itf(Source("t.itf.json", '{\n  "vars": [x]\n}'))
    assert str(caught.value).startswith('t.itf.json:2:12: this is no JSON: Expecting value\n      "vars": [x]\n')


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "t.itf.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TlaError, match="is not UTF-8"):
        read_itf(tmp_path / "t.itf.json")
