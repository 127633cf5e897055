"""Files of values are TLC's: one that TLC wrote is read, what we write is read again, and damage is said."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.library.value_files import io_deserialize, io_serialize
from rmqproof.model.evaluate.values import FALSE, TRUE, Value, function, model_value, record

OF_TLC = bytes.fromhex(
    """
040000000b0300000178ffffffff000000046e616d65030000024bffffffff00000003616263030000017bffffffff000000056f746865
72070004010000000101fffffffe030000024bffffffff0000000361626300010300000180ffffffff0000000373657405000000030500
000000050000000101000000030500000002010000000101000000020300000184ffffffff0000000366756e0900030000000003000000
050100000009010000001001000000190300000189ffffffff0000000570616972730900020103000001dcffffffff0000000161070000
030000020bffffffff00000001620100000001030000018effffffff000000036f64640900020107000101000000010300000197ffffff
ff00000001780700010100000002030000024bffffffff000000036162630300000190ffffffff00000008696e74657276616c17000000
02000000060300000192ffffffff00000003626967017fffffff0300000194ffffffff00000004726f777307000304000000011a000103
0000024bffffffff0000000361626304000000011a00010300000197ffffffff000000017804000000011a0001030000024bffffffff00
0000036162630300000195ffffffff00000005656d7074790700000300000196ffffffff0000000468616c660900020101000000040500
0000010100000004010000000905000000010100000009
"""
)
"""What TLC writes of `WRITTEN`: with strings and records that come again, an interval and a function on one."""
WRITTEN = record(
    name="abc",
    other=(1, -2, "abc", TRUE),
    set=frozenset([frozenset([1, 2]), frozenset(), frozenset([3])]),
    fun=function({i: i * i for i in range(3, 6)}),
    pairs=record(b=1, a=()),
    odd=function({(1,): "x", (2,): "abc"}),
    interval=frozenset(range(2, 7)),
    big=2147483647,
    rows=(record(name="abc"), record(name="x"), record(name="abc")),
    empty=(),
    half=function({x: frozenset([x]) for x in (4, 9)}),
)


def read(path: Path, content: bytes, compressed: bool = False) -> Value:
    path.write_bytes(content)
    return io_deserialize(Runtime(), str(path), TRUE if compressed else FALSE)


def test_a_file_of_tlc(tmp_path: Path) -> None:
    assert read(tmp_path / "a.bin", OF_TLC) == WRITTEN
    assert read(tmp_path / "a.bin", gzip.compress(OF_TLC), True) == WRITTEN


def test_a_model_depends_on_the_file(tmp_path: Path) -> None:
    runtime, path = Runtime(), tmp_path / "a.bin"
    path.write_bytes(OF_TLC)
    io_deserialize(runtime, str(path), FALSE)
    assert list(runtime.files) == [str(path)]


TEXTS = st.text(st.characters(max_codepoint=255), max_size=5)
INTEGERS = st.integers(-(2**31), 2**31 - 1)


def functions(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(st.dictionaries(TEXTS, values, max_size=3), st.dictionaries(INTEGERS, values, max_size=3)).map(
        function
    )


VALUES: st.SearchStrategy[Value] = st.recursive(
    st.one_of(TEXTS, INTEGERS, st.sampled_from([TRUE, FALSE])),
    lambda parts: st.one_of(
        st.lists(parts, max_size=4).map(tuple), st.frozensets(INTEGERS, max_size=4), functions(parts)
    ),
    max_leaves=12,
)


@given(VALUES, st.booleans())
@settings(max_examples=200, deadline=None)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, value: Value, compressed: bool) -> None:
    path, packed = tmp_path_factory.getbasetemp() / "a.bin", TRUE if compressed else FALSE
    assert io_serialize(value, str(path), packed) is TRUE
    assert io_deserialize(Runtime(), str(path), packed) == value


@given(st.integers(0, len(OF_TLC) - 1), st.integers(0, 255), st.booleans())
@settings(max_examples=500, deadline=None)
def test_damage_is_said_or_another_value(
    tmp_path_factory: pytest.TempPathFactory, at: int, byte: int, cut: bool
) -> None:
    content = OF_TLC[:at] if cut else OF_TLC[:at] + bytes([byte]) + OF_TLC[at + 1 :]
    try:
        found = read(tmp_path_factory.getbasetemp() / "b.bin", content)
    except Fault as fault:
        assert "IODeserialize cannot read" in fault.message
    else:
        assert not cut and found is not None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it ends at byte 0"),
        (bytes([21, 0, 1]), "it holds a model value"),
        (bytes([26, 0, 5]), "there is no value number 5"),
        (bytes([5, 127, 0, 0, 0]), "parts are to come"),
        (bytes([23, 0, 0, 0, 0, 127, 0, 0, 0]), "too large"),
        (bytes([7, 0, 1]) * 5000 + b"\x01", "too deep"),
    ],
)
def test_what_is_no_value(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(Fault) as caught:
        read(tmp_path / "a.bin", content)
    assert message in caught.value.message


def test_what_cannot_be_written_or_read(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="32 bits"):
        io_serialize(2**31, str(tmp_path / "a"), FALSE)
    with pytest.raises(Fault, match="8 bits"):
        io_serialize("\u0416", str(tmp_path / "a"), FALSE)
    with pytest.raises(Fault, match="model value"):
        io_serialize(model_value("m"), str(tmp_path / "a"), FALSE)
    with pytest.raises(Fault, match="cannot write"):
        io_serialize(1, str(tmp_path / "no" / "a"), FALSE)
    with pytest.raises(Fault, match="cannot read"):
        io_deserialize(Runtime(), str(tmp_path / "none"), FALSE)
    with pytest.raises(Fault, match="cannot read"):
        read(tmp_path / "a", OF_TLC, True)
