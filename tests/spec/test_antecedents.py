"""Each property has something to say in a default model of two brokers and in one of three, but for `SILENT`.

`spec/core/Antecedents.tla` says for each property P in which states it could fail at all: PIsIdle is false there. A
model in which PIsIdle never fails verifies nothing by P.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import DEFAULT_GROUP, ModelFiles, find_models
from tools.exercised import SPOKEN

IDLE = re.findall(r"^(\w+)IsIdle ==", bundled("Antecedents.tla").read_text(encoding="utf-8"), re.MULTILINE)

TWO = (
    "TwoBrokersGrownFlushLoss",
    "TwoBrokersMinInSync",
    "TwoBrokersMinInSyncCrash",
    "TwoBrokersLearner",
    "TwoBrokersLearnerCrash",
    "TwoBrokersConsumers",
)
THREE = (
    "ThreeBrokersLearner",
    "ThreeBrokersLearnerCrash",
    "ThreeBrokersMinInSync",
    "ThreeBrokersFlushLoss",
    "ThreeBrokersCrash",
    "ThreeBrokersTwoElections",
    "ThreeBrokersSmall",
)
SILENT: dict[int, set[str]] = {2: {"SSSProposalMonotone"}, 3: set()}
"""With two brokers a master with a proposal under way has nobody left to propose."""
OFTEN = {"ConsumedStable", "MinISRPromise", "LearnerNeverMaster", "LogMatching"}
"""What needs settings or faults that few models have: in two models of each size or more."""


@cache
def explored(name: str, folder: Path) -> Outcome:
    """The model with the idle formulas for its invariants; each violated one has a state in which P could fail."""
    (files,) = find_models([bundled(f"{name}.cfg")])
    assert files.config is not None and files.group == DEFAULT_GROUP
    text = re.sub(
        r"^INVARIANTS\n(?:  [\w ]+\n)+",
        f"INVARIANTS {' '.join(f'{each}IsIdle' for each in IDLE)}\n",
        files.config.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    config = folder / f"{name}.cfg"
    config.write_text(text, encoding="utf-8")
    return check(ModelFiles(files.spec, config), Options("native", workers=1, keep_going=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("antecedents")


def spoken(name: str, folder: Path) -> set[str]:
    return {violation.name.removesuffix("IsIdle") for violation in explored(name, folder).result.violations}


def test_every_property_of_the_models_has_its_antecedent() -> None:
    properties = set(re.findall(r"^(\w+) ==", bundled("Properties.tla").read_text(encoding="utf-8"), re.MULTILINE))
    helpers = {"Electable"}
    of_steps = {"ConfirmMonotone"}
    assert properties - helpers - of_steps == set(IDLE) - {"GrownSetLoses"}


@pytest.mark.large
@pytest.mark.parametrize("models", [TWO, THREE], ids=["two", "three"])
def test_each_property_has_something_to_say(models: tuple[str, ...], folder: Path) -> None:
    found = {name: spoken(name, folder) for name in models}
    for name in models:
        assert SPOKEN.get(name, set()) <= found[name], name
    for name in OFTEN:
        assert sum(name in spoken_there for spoken_there in found.values()) >= 2, name
    silent = set(IDLE) - set.union(*found.values())
    assert silent == SILENT[2 if models is TWO else 3]


def test_a_model_can_be_silent(folder: Path) -> None:
    """The formulas are no tautologies: nothing is said of learners where there are none."""
    found = spoken("TwoBrokersMinInSync", folder)
    assert not {"LearnerNeverMaster", "ConsumedStable"} & found
    assert {"MinISRPromise", "EpochFilesAgree", "EpochFileLabelsLog"} <= found
