"""What is said of exceptions that no command foresaw."""

from __future__ import annotations

import ctypes

import pytest

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.unforeseen import told


class Interrupted:
    """An argument that is being converted when Ctrl-C comes."""

    @property
    def _as_parameter_(self) -> int:
        raise KeyboardInterrupt


def test_an_interrupt_while_an_argument_is_handed_to_a_library(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ctypes.ArgumentError) as raised:
        function = ctypes.CDLL(None).abs
        function.argtypes = [ctypes.c_int]
        function(Interrupted())
    assert told(raised.value) == exit_status.INTERRUPTED
    assert capsys.readouterr().err == "Interrupted.\n"


def test_another_argument_that_is_none_is_a_defect(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(ctypes.ArgumentError("argument 1: TypeError: wrong type")) == exit_status.SYSTEM
    assert "a defect of rmqproof" in capsys.readouterr().err
