"""Epoch files: RocketMQ's own test vectors (EpochFileCacheTest), formats, the six cases."""

from __future__ import annotations

import json
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from rmqproof.model.cli import main
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.tla.core import Call, Literal, Record, TupleExpression
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model import load_model
from rmqproof.rocketmq.epoch_files import (
    CASES,
    UNBOUNDED,
    Entry,
    EpochError,
    EpochFile,
    compare,
    consistent_point,
    read_epochs,
    watermark_case,
)


def entries(spec: str, end: int | None = None) -> tuple[Entry, ...]:
    """`1:100 2:300` as entries, the last one ending at `end`."""
    found = [Entry(*map(int, item.split(":"))) for item in spec.split()]
    linked = [Entry(e.epoch, e.start, n.start) for e, n in pairwise(found)] + found[-1:]
    return EpochFile("", tuple(linked), 0).ending_at(None, end).entries


@pytest.mark.parametrize(
    ("local", "end", "other", "other_end", "point"),
    [
        ("1:100 2:300 3:500", None, "1:100 2:300 3:450", None, 450),  # E5
        ("1:100 2:300 3:500", 700, "1:100 2:300 3:500", 600, 600),  # E6
        ("1:100 2:300 3:500", None, "1:200 2:500", None, -1),  # E7
        ("1:100 2:300 3:500 4:800", None, "1:100 2:300 3:500", 700, 700),  # E8
        ("1:0 2:1000", 900, "1:0 2:1000", 2000, 2000),  # E12
        ("1:0 5:500", 900, "1:0 5:900", None, 500),  # E14
        ("6:200 7:1200 8:2250", 2500, "6:200 7:1200 8:2500", 2500, 2250),  # E17
        ("1:0", 0, "2:0", 50, -1),  # E19
        ("1:0 2:100", 150, "1:0 2:100", 400, 150),  # E20
        ("1:0 3:500", 700, "1:0 2:300 3:500", 900, 700),  # E26
        ("1:0 3:500", 700, "1:0 2:300 4:600", 900, 300),  # E27
        ("1:0", None, "", None, -1),  # E29
        ("", None, "1:0", None, -1),  # E29
        ("1:0", 305, "1:0 3:310 4:400", 500, 305),  # E30
        ("1:0", 305, "1:0 2:300 3:310 4:400", 500, 300),  # E30
        ("1:0", 2, "1:0 4:2 5:3", 3, 2),  # E31
        ("1:0", 2, "1:0 2:1 4:2 5:3", 3, 1),  # E31
    ],
)
def test_vectors(local: str, end: int | None, other: str, other_end: int | None, point: int) -> None:
    assert consistent_point(entries(local, end), entries(other, other_end)) == point


files = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 9)), max_size=4).map(
    lambda pairs: [
        Entry(e, s) for e, s in zip(sorted({e for e, _ in pairs}), sorted({s for _, s in pairs}), strict=False)
    ]
)


@pytest.fixture(scope="module")
def specified() -> Any:
    model = load_model(bundled("ControllerMode.tla"), bundled("TwoBrokers.cfg"))
    return model, system_of(model), model.specification.definitions["ConsistentPoint"]


@given(local=files, other=files, ends=st.tuples(st.integers(0, 12), st.integers(0, 12)))
def test_the_point_is_the_specification_s(
    local: list[Entry], other: list[Entry], ends: tuple[int, int], specified: Any
) -> None:
    _, system, definition = specified
    at = definition.at

    def file(of: list[Entry]) -> Any:
        return TupleExpression(
            at,
            tuple(Record(at, (("epoch", Literal(at, e.epoch)), ("start", Literal(at, e.start)))) for e in of),
        )

    asked = Call(at, definition, (file(local), Literal(at, ends[0]), file(other), Literal(at, ends[1])))
    point = system.constant(asked)
    mine = consistent_point(
        *(
            entries(" ".join(f"{e.epoch}:{e.start}" for e in of), end)
            for of, end in zip((local, other), ends, strict=True)
        )
    )
    assert (999999 if mine == UNBOUNDED else mine) == point


# --- formats -------------------------------------------------------------------------------------------------------


def epoch_file(path: Path, *lines: str, crc: int | None = None, count: int | None = None, end: str = "\n") -> str:
    body = "".join(line + end for line in lines)
    crc = zlib.crc32(body.encode()) & 0x7FFFFFFF if crc is None else crc
    path.write_bytes(f"{len(lines) if count is None else count}{end}{crc}{end}{body}".encode())
    return str(path)


def test_the_file_format(tmp_path: Path) -> None:
    path = epoch_file(tmp_path / "epochFileCheckpoint", "1-0", "2-300")
    assert Path(path).read_text() == "2\n1061013654\n1-0\n2-300\n"  # E18
    assert read_epochs(path).entries == (Entry(1, 0, 300), Entry(2, 300))
    assert read_epochs(epoch_file(tmp_path / "windows", "1-0", "2-300", end="\r\n")).entries[1].start == 300
    assert read_epochs(epoch_file(tmp_path / "unchecked", "1-0", crc=0)).entries == (Entry(1, 0),)


@pytest.mark.parametrize(
    ("lines", "changes", "words"),
    [
        (("1-0",), {"crc": 7}, ":2: the CRC32 is 7"),
        (("1-0",), {"count": 2}, ":1: it says 2 entries, and has 1"),
        (("1:0",), {}, ":3: '1:0' is no `epoch-startOffset`"),
        (("2-0", "1-5"), {}, "both must rise"),
        (("1-5", "2-5"), {}, "both must rise"),
    ],
)
def test_a_damaged_file_is_refused(lines: tuple[str, ...], changes: dict[str, int], words: str, tmp_path: Path) -> None:
    path = epoch_file(tmp_path / "epochs", *lines, **changes)  # type: ignore[arg-type]
    with pytest.raises(EpochError) as raised:
        read_epochs(path)
    assert words in str(raised.value) and path in str(raised.value)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(tmp_path_factory: Any, content: bytes) -> None:
    path = tmp_path_factory.mktemp("epochs") / "file"
    path.write_bytes(content)
    try:
        read_epochs(str(path))
    except EpochError as error:
        assert str(path) in str(error)


OUTPUT = """
#clusterName\tDefaultCluster
#brokerName\tbroker-a
#brokerAddr\t10.0.0.1:10911
#brokerId\t1
#Epoch: EpochEntry{epoch=1, startOffset=0, endOffset=1580}
#Epoch: EpochEntry{epoch=2, startOffset=1580, endOffset=3160}

#clusterName\tDefaultCluster
#brokerName\tbroker-a
#brokerAddr\t10.0.0.2:10911
#brokerId\t2
#Epoch: EpochEntry{epoch=1, startOffset=0, endOffset=2000}
"""


def test_the_output_of_get_broker_epoch(tmp_path: Path) -> None:
    path = tmp_path / "epochs.txt"
    path.write_text(OUTPUT, encoding="utf-8")
    master, slave = read_epochs(f"{path}@1"), read_epochs(f"{path}@2")
    assert (master.name, master.log_end, slave.log_end) == ("broker 1 of broker-a", 3160, 2000)
    found = compare(master, slave)
    assert (found.point, found.cut, found.case, found.warnings) == (1580, 420, "2-2", ())
    with pytest.raises(EpochError, match="it tells of the brokers 1, 2; choose one"):
        read_epochs(str(path))


# --- the six cases -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slave_min", "slave_max", "case"),
    [
        (0, 0, "1-1"), (0, 100, "1-1"), (50, 300, "1-2"), (100, 300, "2-2"), (200, 500, "2-2"), (50, 501, "1-3"),
        (200, 600, "2-3"), (500, 600, "2-3"), (501, 600, "3-3"),
    ],
)  # fmt: skip
def test_cases(slave_min: int, slave_max: int, case: str) -> None:
    """The master has 100 to 500."""
    assert watermark_case(100, 500, slave_min, slave_max) == case


@given(st.tuples(*[st.integers(0, 6)] * 4))
def test_there_are_six_cases(offsets: tuple[int, int, int, int]) -> None:
    master_min, master_max, slave_min, slave_max = (
        *sorted(offsets[:2]),
        *sorted(offsets[2:]),
    )
    assert watermark_case(master_min, master_max, slave_min, slave_max) in CASES


# --- the command ---------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["epochs", *arguments])


def test_command(tmp_path: Path) -> None:
    master = epoch_file(tmp_path / "m", "1-0", "2-1580")
    slave = epoch_file(tmp_path / "s", "1-0")
    done = run(master, slave, "--master-max", "3160", "--slave-max", "2000", "--json", str(tmp_path / "j"))
    assert done.exit_code == 1
    assert "consistent point: 1,580" in done.output and "cut: 420 bytes, 1,580 to 2,000" in done.output
    assert "case 2-2: the slave lags behind" in done.output
    assert json.loads((tmp_path / "j").read_text())["cut"] == 420
    done = run(master, slave, "--master-max", "3160", "--slave-max", "1580")
    assert done.exit_code == 0 and "cut: nothing" in done.output
    done = run(master, slave)
    assert "give the end of the slave's log" in done.output and "case: not known" in done.output


def test_warnings(tmp_path: Path) -> None:
    done = run(epoch_file(tmp_path / "m", "2-0"), epoch_file(tmp_path / "s", "1-0"))
    assert done.exit_code == 1 and "No entry is common" in done.output
    done = run(epoch_file(tmp_path / "m", "1-0", "3-5"), epoch_file(tmp_path / "s", "1-0", "3-7"))
    assert "Epoch 3 starts at 5 on the master and at 7" in done.output
    done = run(epoch_file(tmp_path / "m", "1-0"), epoch_file(tmp_path / "s", "1-0", "3-7"), "--slave-max", "5")
    assert "the right way round" in done.output and "the log lost its tail" in done.output
    done = run(str(tmp_path / "nothing"), str(tmp_path / "s"))
    assert done.exit_code == 2 and "No such file" in done.output
