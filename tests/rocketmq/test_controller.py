"""The controller of a release takes the steps of the model, and a controller that does not is caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rmqproof.conformance.difference import Kind
from rmqproof.conformance.exploration import Conformance, Options, conform
from rmqproof.conformance.performer import Effort
from rmqproof.conformance.subject import open_files
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.adapter import RocketmqAdapter, Tally, adapter_of
from rmqproof.rocketmq.controller_only import ControllerOnlyAdapter, OurController, real
from rmqproof.rocketmq.controller_state import ControllerState, RealAnswer
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.shipped import with_shipped_controller
from tests.at_length import first
from tests.rocketmq.conftest import OLDEST_AT_LENGTH

MODELS = Path(__file__).parents[2] / "tools" / "mutation" / "models"


def held(make: Callable[[], RocketmqAdapter], config: str) -> Conformance:
    files = ModelFiles(bundled("ControllerMode.tla"), MODELS / f"{config}.cfg")
    subject = open_files(with_shipped_controller(files)[0])
    return conform(subject, make, Options(workers=1, effort=Effort(probes=0), paths=3))


@OLDEST_AT_LENGTH
@pytest.mark.parametrize(("config", "edges"), first(1, [("Cleaned", 68), ("Three", 744)]))
def test_it_takes_every_step(release: Release, config: str, edges: int, tmp_path: Path) -> None:
    tally = Tally()
    result = held(adapter_of(release, None, tally), config)
    assert result.conforms, result.differences[:1]
    assert result.edges == edges
    assert tally.different >= 20  # the real class was asked


def forgetful(answer: RealAnswer, after: ControllerState) -> tuple[RealAnswer, ControllerState]:
    """A cleaning that is refused where a master is stored, as without cleanLivingBroker."""
    if answer.events and answer.events[0][0] == "CLEAN_BROKER_DATA_EVENT":
        return RealAnswer(2009, "Broker is still alive, clean up failure"), after
    return answer, after


def generous(answer: RealAnswer, after: ControllerState) -> tuple[RealAnswer, ControllerState]:
    """An AlterSyncStateSet that is accepted whatever is wrong with it."""
    if answer.code in (2000, 2001, 2002, 2006, 2013):
        return replace(answer, code=0, events=(("ALTER_SYNC_STATE_SET_EVENT", frozenset({1})),)), after
    return answer, after


@pytest.mark.parametrize(("change", "kind"), [(forgetful, Kind.REFUSED), (generous, Kind.PERFORMED)])
def test_a_wrong_answer_is_a_difference(newest: Release, change: Any, kind: Kind, tmp_path: Path) -> None:
    class Wrong(RocketmqAdapter):
        def _controller(self, settings: Any) -> Any:
            controller = super()._controller(settings)
            call = controller._real.call  # type: ignore[attr-defined]
            controller._real.call = (  # type: ignore[attr-defined]
                lambda name, *given: change(*call(name, *given)) if name == "ask" else call(name, *given)
            )
            return controller

    result = held(lambda: Wrong(newest, None, Tally()), "Cleaned" if kind is Kind.REFUSED else "Grow")
    assert kind in {difference.kind for difference in result.differences}


# --- the controller alone --------------------------------------------------------------------------------------------


def alone(make: Callable[[], ControllerOnlyAdapter], cleans: int) -> Conformance:
    files = ModelFiles(bundled("ControllerOnly.tla"), bundled("ControllerOnly.cfg"))
    text = f"{files.overrides.text}\nCONSTANTS\n  MaxEpoch = 1\n  MaxCleans = {cleans}\n"
    subject = open_files(replace(files, overrides=replace(files.overrides, text=text)))
    return conform(subject, make, Options(workers=1, effort=Effort(disabled=False, probes=0), paths=3))


@pytest.mark.large
def test_the_class_answers_whatever_is_asked(newest: Release) -> None:
    result = alone(real(newest, None, Tally()), 1)
    assert result.conforms, result.differences[:1]
    assert result.edges == 7_344


def test_the_class_on_jraft_answers_whatever_is_asked(newest: Release) -> None:
    """Which knows by itself who is alive."""
    tally = Tally()
    result = alone(real(newest, None, tally, jraft=True), 0)
    assert result.conforms, result.differences[:1]
    assert result.edges == 1_702
    assert tally.different > 1_000


def test_our_controller_answers_whatever_is_asked() -> None:
    """Without cleanings: ours does not know a set that is in one table only."""
    result = alone(OurController, 0)
    assert result.conforms, result.differences[:1]
    assert result.edges == 1_702


def test_a_wrong_answer_to_anybody_is_a_difference() -> None:
    class Deaf(OurController):
        def _request(self, action: str, arguments: Any) -> Any:
            if action == "AlterIsRefused":
                return super()._request(action, (*arguments[:3], 0, arguments[4]))
            return super()._request(action, arguments)

    assert not alone(Deaf, 0).conforms
