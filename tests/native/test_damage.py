"""Checkpoints that were damaged are refused, whatever was damaged: there is no wrong count, no signal, no traceback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.saved import MANIFEST, Folder
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import MANIFEST as INTERPRETED
from rmqproof.model.search.checkpoint import Checkpoint, CheckpointError, locked
from rmqproof.model.search.control import Control
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST
from tests.native.test_choice import SPECS, check

PART = 700
"""States after which the search is saved; it has 3,921."""


@pytest.fixture(scope="module")
def native() -> NativeModel:
    model = load_model(SPECS / "Paxos.tla", SPECS / "Paxos.cfg")
    native = NativeModel(model, model.check_deadlock, flags=FAST)
    native.compile()
    return native


@pytest.fixture(scope="module")
def saved(native: NativeModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("native") / "saved"
    system = system_of(native.model)
    NativeSearch(native, system, workers=1, control=Control(max_states=PART), folder=Folder(path, "it")).run()
    return path


def damaged(content: bytes, kind: str, random: Random) -> bytes:
    at = random.randrange(len(content))
    match kind:
        case "cut":
            return content[:at]
        case "bit":
            return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]
    digits = [i for i, byte in enumerate(content) if chr(byte).isdigit()]
    at = random.choice(digits)
    return content[:at] + str((content[at] - 48 + random.randrange(1, 10)) % 10).encode() + content[at + 1 :]


def damages(path: Path, random: Random) -> Iterator[bytes]:
    """A bounded number of them."""
    content = path.read_bytes()
    text = path.suffix == ".json"
    for kind in ("cut", "bit", "digit") if text else ("cut", "bit"):
        for _ in range(40 if text else 8):
            yield damaged(content, kind, random)
    yield b""


def test_a_damaged_native_checkpoint_is_refused(native: NativeModel, saved: Path, tmp_path: Path) -> None:
    random = Random(5)
    system = system_of(native.model)
    for name in sorted(path.name for path in saved.iterdir()):
        for number, content in enumerate(damages(saved / name, random)):
            copy = tmp_path / f"{name}-{number}"
            shutil.copytree(saved, copy)
            (copy / name).write_bytes(content)
            with pytest.raises(CheckpointError):
                if name == MANIFEST:
                    Folder(copy, "it").load()
                    json.loads(content)  # only a blank was damaged
                    raise CheckpointError
                NativeSearch(native, system, workers=1, folder=Folder(copy, "it"), resume=True).run()
            shutil.rmtree(copy)


def test_a_missing_file_is_refused(native: NativeModel, saved: Path, tmp_path: Path) -> None:
    for name in sorted(path.name for path in saved.iterdir()):
        copy = tmp_path / name
        shutil.copytree(saved, copy)
        (copy / name).unlink()
        with pytest.raises(CheckpointError):
            NativeSearch(native, system_of(native.model), folder=Folder(copy, "it"), resume=True).run()


@pytest.mark.parametrize(
    ("name", "value"), [("expanded", 10**3), ("level_end", 1 << 62), ("level_end", -1), ("total", 1)]
)
def test_numbers_that_were_changed_are_refused(saved: Path, tmp_path: Path, name: str, value: int) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(saved, copy)
    document = json.loads((copy / MANIFEST).read_text())
    document["body"]["numbers"][name] = value
    (copy / MANIFEST).write_text(json.dumps(document))
    with pytest.raises(CheckpointError, match="damaged"):
        Folder(copy, "it").load()


def test_a_damaged_checkpoint_of_the_python_engine_is_refused(native: NativeModel, tmp_path: Path) -> None:
    random = Random(6)
    search = BreadthFirst(system_of(native.model), control=Control(max_states=PART))
    search.run()
    whole = tmp_path / "whole"
    Checkpoint(whole, "it").save(search.search, 1.0)
    for path in sorted(whole.iterdir()):
        for number, content in enumerate(damages(path, random)):
            copy = tmp_path / f"{path.name}-{number}"
            shutil.copytree(whole, copy)
            (copy / path.name).write_bytes(content)
            with pytest.raises(CheckpointError):
                Checkpoint(copy, "it").load()
                assert path.name == INTERPRETED
                raise CheckpointError  # only a blank was damaged
            shutil.rmtree(copy)


READING = """---- MODULE Reading ----
EXTENDS Naturals, Json
VARIABLE x
Most == JsonDeserialize("FILE")[1]
Init == x = 0
Next == x' = (x + 1) % Most
====
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_file_that_was_read_must_not_change(tmp_path: Path, engine: str) -> None:
    numbers = tmp_path / "numbers.json"
    numbers.write_text("[400]")
    (tmp_path / "Reading.tla").write_text(READING.replace("FILE", str(numbers)))
    config = tmp_path / "Reading.cfg"
    config.write_text("INIT Init\nNEXT Next\n")
    options = [str(config), "--engine", engine, "--checkpoint", str(tmp_path / "saved")]
    check(*options, "--max-states", "100", status=152)
    numbers.write_text("[500]")
    with pytest.raises(AssertionError, match=r"numbers\.json, which the\s+specification\s+reads,\s+has\s+changed"):
        check(*options, "--resume")
    numbers.write_text("[400]")
    result, _ = check(*options, "--resume")
    assert (result["result"], result["distinctStates"]) == ("success", 400)


def test_two_processes_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    with (
        locked(folder, "Other.cfg"),
        pytest.raises(CheckpointError, match=r"process \d+ on .* \(Other.cfg\)"),
        locked(folder, "Paxos.cfg"),
    ):
        raise AssertionError
    assert not folder.exists()
    with locked(folder, "Paxos.cfg"):
        pass
