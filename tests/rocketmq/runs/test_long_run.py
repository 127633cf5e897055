"""A run of `python -m bench.long_run`: a behaviour, and none with one thing wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.alterations import Alteration, Decided, alterations, altered, decide, main, read_results, table
from bench.every_alteration import Verdict
from bench.every_alteration import sweep as sweep_all
from bench.long_run import record
from rmqproof.conformance.runs.event import Event, RunError
from rmqproof.conformance.runs.folding import Pace
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.cli import main as command_line
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.runs.cluster import read_cluster, with_text
from tests.rocketmq.runs.cluster_recording import LATE_ACKS, LATE_BATCHES

AHEAD = 32


def recorded(events: int, seed: int, every: int = 150) -> list[str]:
    out = io.StringIO()
    assert record(events, seed, out, every=every) == len(out.getvalue().splitlines()) >= events
    return out.getvalue().splitlines(True)


def answer(lines: list[str], tmp_path: Path, files: ModelFiles = LATE_ACKS) -> Validation:
    path = tmp_path / "run.ndjson"
    path.write_text("".join(lines), encoding="utf-8")
    return validate_runs([path], files, "cluster", Bounds(ahead=AHEAD))


LATE = 341
"""The first line in which a slave appends a batch that was overtaken, of seed 3."""


def overtaken() -> list[str]:
    """Until a slave appends a batch that the controller has overtaken, with the confirmOffset of when it was sent."""
    out = io.StringIO()
    record(LATE, 3, out, every=120, late=True)
    lines = out.getvalue().splitlines(True)[:LATE]
    last = json.loads(lines[-1])
    assert (last["action"], last["state"]["disk"]["confirm"]) == ("SlaveAppendsBatch", 27)
    return lines


def test_a_batch_that_was_under_way_is_a_step_of_late_batches(tmp_path: Path) -> None:
    assert answer(overtaken(), tmp_path, LATE_BATCHES).answer is Answer.YES


@pytest.mark.large
def test_a_batch_that_was_under_way_is_no_step_of_late_acks(tmp_path: Path) -> None:
    refused = answer(overtaken(), tmp_path)
    assert refused.answer is Answer.NO and refused.explained == len(refused.order.events) - 1


def test_a_refusal_names_the_rules_that_have_more_behaviours(tmp_path: Path) -> None:
    """It names them where the rules were not named by the user."""
    run, wider = tmp_path / "run.ndjson", "TwoBrokersLateBatches.cfg"
    *lines, last = recorded(100, 2)[:4]
    assert last.count('"masterEpoch":0') == 1
    run.write_text("".join([*lines, last.replace('"masterEpoch":0', '"masterEpoch":1')]), encoding="utf-8")
    done = CliRunner().invoke(command_line, ["validate", "--quiet", str(run)])
    assert done.exit_code == 1 and f"With --config rmqproof:{wider} it is." in done.output
    done = CliRunner().invoke(command_line, ["validate", "--quiet", "--config", f"rmqproof:{wider}", str(run)])
    assert done.exit_code == 1 and "With --config" not in done.output


@pytest.mark.large
@pytest.mark.parametrize(("what", "by"), [("confirm", 7), ("logEnd", 1)])
def test_a_batch_that_brings_what_no_master_had_is_refused(what: str, by: int, tmp_path: Path) -> None:
    """A confirmOffset that the master has not reached, or a message that it has not sent."""
    *lines, last = overtaken()
    line = json.loads(last)
    line["state"]["disk"][what] += by
    assert answer([*lines, json.dumps(line) + "\n"], tmp_path, LATE_BATCHES).answer is Answer.NO


def test_the_same_seed_gives_the_same_run() -> None:
    assert recorded(300, 3) == recorded(300, 3) != recorded(300, 4)


def test_slaves_keep_up_and_what_is_sent_to_them_is_not_overtaken_by_the_controller() -> None:
    ends: dict[str, int] = {}
    sent: dict[str, int] = {}
    told: dict[str, int] = {}
    overtaken: list[str] = []
    behind = 0
    for number, text in enumerate(recorded(3_000, 2)):
        line = json.loads(text)
        node, received = line["node"], line.get("received", [])
        if node != "controller" and any(message.startswith("controller:") for message in received):
            told[node] = number
        if line["action"] == "SlaveAppendsBatch":
            overtaken += [message for message in received if message in sent and sent[message] < told[node]]
        sent.update(dict.fromkeys(line["sent"], number))
        if "disk" in line.get("state", {}):
            ends[node] = line["state"]["disk"]["logEnd"]
            behind = max(behind, max(ends.values()) - min(ends.values()))
    assert not overtaken
    assert behind < 80


@pytest.mark.large
def test_a_run_is_a_behaviour_and_its_layers_are_forgotten(tmp_path: Path) -> None:
    found = answer(recorded(1_200, 2), tmp_path)
    assert found.answer is Answer.YES
    assert len(found.layers) < 100 < len(found.widths) == len(found.order.events) + 1
    assert len(found.steps) >= len(found.order.events)
    # what is beside the way is not tried before it is needed, but for where the search does not know which way it is
    assert found.tried < 1.02 * len(found.order.events)
    middle = found.steps[len(found.steps) // 2]
    assert found.model.subject.system.fingerprint(middle.state) == middle.fingerprint


@pytest.mark.large
def test_of_epoch_files_the_end_is_left(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_text("".join(recorded(800, 2, every=40)), encoding="utf-8")
    found = validate_runs([path], LATE_ACKS, "cluster", Bounds(pace=Pace(8, 4, 8)))
    assert found.answer is Answer.YES
    disks = found.model.subject.system.to_itf(found.steps[-1].state)["disk"]["#map"]
    assert max(len(disk["epochFile"]["#tup"]) for _, disk in disks) < 5 <= len(found.bindings.prefix.rows)


@pytest.mark.large
@pytest.mark.parametrize("field", ["confirm", "flushed", "logEnd"])
def test_a_run_with_one_number_altered_is_refused(field: str, tmp_path: Path) -> None:
    lines = recorded(1_200, 2)
    place = next(
        number for number in range(len(lines) // 2, len(lines)) if '"action":"SlaveAppendsBatch"' in lines[number]
    )
    line = json.loads(lines[place])
    line["state"]["disk"][field] += 1
    lines[place] = json.dumps(line) + "\n"
    found = answer(lines, tmp_path)
    assert found.answer is Answer.NO and found.explained > len(found.order.events) / 4
    if field != "flushed":
        # a line has no place, so that is the answer whatever else can be explained
        assert found.order.contradictions and found.tried < 1.02 * found.explained + 2 * AHEAD


@pytest.mark.large
def test_what_was_left_beside_the_way_is_tried_before_a_run_is_refused(tmp_path: Path) -> None:
    lines = recorded(600, 2)
    place = next(
        number for number in range(len(lines) // 2, len(lines)) if '"action":"MasterReceivesAck"' in lines[number]
    )
    line = json.loads(lines[place])
    line["state"]["broker"]["sss"]["#set"] = []
    lines[place] = json.dumps(line) + "\n"
    found = answer(lines, tmp_path)
    assert found.answer is Answer.NO and not found.order.contradictions
    assert found.explained > 4 * AHEAD and found.tried > 1.2 * found.explained


def test_an_epoch_file_that_lines_repeat_is_made_once(tmp_path: Path) -> None:
    lines, path = recorded(400, 2), tmp_path / "run.ndjson"
    path.write_text("".join(lines), encoding="utf-8")
    events, _ = read_cluster([path])
    files = [event.state["disk.epochFile"] for event in events if event.state.get("disk.epochFile")]
    entries = [entry for file in files for entry in file.items]
    assert len({id(entry["start"]) for entry in entries}) < len(entries) / 3


def test_an_epoch_file_can_be_said_by_what_is_new(tmp_path: Path) -> None:
    shorter, path = recorded(400, 2, every=30), tmp_path / "run.ndjson"
    whole, files = [], dict[str, list[object]]()
    for text in shorter:
        line = json.loads(text)
        disk = line.get("state", {}).get("disk")
        if disk is not None:
            said = disk["epochFile"]
            known = files.get(line["node"], [])
            files[line["node"]] = said if isinstance(said, list) else known[: said["kept"]] + said.get("then", [])
            disk["epochFile"] = files[line["node"]]
        whole.append(json.dumps(line) + "\n")

    def said(lines: list[str]) -> list[object]:
        path.write_text("".join(lines), encoding="utf-8")
        return [event.state for event in read_cluster([path])[0]]

    assert max(map(len, files.values())) > 3
    assert said(shorter) == said(whole)
    number = next(n for n, text in enumerate(shorter) if '"kept":1' in text)
    wrong = [*shorter[:number], shorter[number].replace('"kept":1', '"kept":100'), *shorter[number + 1 :]]
    with pytest.raises(RunError, match=f"run.ndjson:{number + 1}: 100.* entries of the epoch file are kept, of 1"):
        said(wrong)


def test_one_number_in_every_so_manieth_line_is_altered_by_one() -> None:
    lines = recorded(300, 2)
    found = list(alterations(lines, 20, 1))
    assert found == list(alterations(lines, 20, 1)) != list(alterations(lines, 20, 2))
    assert 5 < len(found) <= len(lines) / 20
    for alteration, text in found:
        one, other = json.loads(lines[alteration.line - 1]), json.loads(text)
        assert one != other and abs(alteration.new - alteration.old) == 1
        for key in alteration.field.split(".")[:-1]:
            one, other = (each[int(key) if isinstance(each, list) else key] for each in (one, other))
            assert one.keys() == other.keys() if isinstance(one, dict) else len(one) == len(other)


def test_a_sweep_goes_on_where_it_was_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, results, asked = tmp_path / "run.ndjson", tmp_path / "results", []
    run.write_text("".join(recorded(100, 2)[:60]), encoding="utf-8")

    def decided(path: Path, alteration: Alteration, seconds: float) -> Decided:
        asked.append(alteration.line)
        assert path.read_text() != run.read_text()
        if len(asked) == 3:
            raise KeyboardInterrupt
        return Decided(alteration, "no", 1, 2, seconds)

    monkeypatch.setattr("bench.alterations.decide", decided)
    arguments = [str(run), "--every", "12", "--seconds", "5", "--results", str(results)]
    assert main(arguments) == 130
    known = read_results(results)
    assert len(known) == 2 and capsys.readouterr().out.endswith(table(known) + "\n")
    results.write_text(results.read_text() + '{"alteration": ', encoding="utf-8")
    assert main(arguments) == 0
    assert asked[2] == asked[3] and len(set(asked)) == len(asked) - 1
    assert [each.alteration.line for each in read_results(results)] == asked[:2] + asked[3:]


def test_a_line_is_read_again_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_text("".join(recorded(400, 2, every=30)), encoding="utf-8")
    before: dict[str, Event] = {}
    for event in read_cluster([path])[0]:
        if event.origin.line:
            assert with_text(event, event.text, before.get(event.node)) == event
        if "disk.epochFile" in event.state:
            before[event.node] = event


@pytest.mark.large
def test_every_alteration_is_decided_as_validate_decides_it(tmp_path: Path) -> None:
    run, lines, found = tmp_path / "run.ndjson", recorded(362, 2, every=600), list[Verdict]()
    run.write_text("".join(lines), encoding="utf-8")
    assert sweep_all([run], 1, found.append).answer is Answer.YES
    assert len(found) > 200 and not [verdict for verdict in found if verdict.answer == "open"]
    # those that take a search of their own, and some of the others
    hard = [verdict for verdict in found if "events" in verdict.why]
    assert {verdict.answer for verdict in hard} == {"yes", "no"}
    for verdict in [*hard, *found[::40]]:
        place = verdict.alteration.line - 1
        alteration_and_text = altered(lines[place], place + 1, 1)
        assert alteration_and_text is not None
        run.write_text("".join([*lines[:place], alteration_and_text[1], *lines[place + 1 :]]), encoding="utf-8")
        assert decide(run, verdict.alteration, 600).answer == verdict.answer, verdict


@pytest.mark.large
def test_parts_of_a_run_are_decided_as_the_whole(tmp_path: Path) -> None:
    run = tmp_path / "run.ndjson"
    run.write_text("".join(recorded(3_000, 2)), encoding="utf-8")
    whole, parts = list[Verdict](), list[Verdict]()
    sweep_all([run], 1, whole.append)
    sweep_all([run], 1, parts.append, workers=2, part=700)
    assert parts == whole and len(whole) > 1_900


@pytest.mark.large
def test_an_alteration_is_decided(tmp_path: Path) -> None:
    run, lines = tmp_path / "run.ndjson", recorded(100, 2)[:40]
    alteration, text = next(found for found in alterations(lines, 1, 1) if found[0].field == "state.disk.logEnd")
    run.write_text("".join([*lines[: alteration.line - 1], text, *lines[alteration.line :]]), encoding="utf-8")
    assert decide(run, alteration, 600).answer == "no"
    assert decide(run, alteration, 600).explained < 40


def test_the_table_has_a_row_for_each_answer() -> None:
    some = Alteration(1, "b1", None, "state.disk.confirm", 1, 2)
    shown = table([Decided(some, "no", 7, 8, 1.0), Decided(some, "no", 7, 8, 3.0), Decided(some, "open", 7, 8, 9.0)])
    assert [line.split() for line in shown.splitlines()[1:]] == [
        ["no", "2", "2.0", "3.0", "4.0"], ["open", "1", "9.0", "9.0", "9.0"],
    ]  # fmt: skip
