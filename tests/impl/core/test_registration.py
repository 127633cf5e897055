"""How a broker gets its id, against ReplicasManagerRegisterTest (R1-R7), and when a member counts as left behind."""

from __future__ import annotations

import pytest

from rmqproof.impl.broker.caught_up import CaughtUpTimes
from rmqproof.impl.broker.registration import (
    ContinueRegistration,
    IdentityMismatch,
    RegisterState,
    Registration,
    RequestFailed,
)
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core.broker_outputs import ToController
from rmqproof.impl.core.codes import ResponseCode
from rmqproof.impl.core.controller_messages import (
    ApplyBrokerIdRequest,
    ApplyBrokerIdResponse,
    GetNextBrokerIdRequest,
    GetNextBrokerIdResponse,
    RegisterBrokerRequest,
    RegisterBrokerResponse,
)
from rmqproof.impl.core.writes import DeleteTemporaryIdentity, WriteIdentity, WriteTemporaryIdentity

TEMPORARY = WriteTemporaryIdentity("c", "bn", 1, "here:1;5")
IDENTITY = WriteIdentity("c", "bn", 1)


def test_r1_the_whole_way() -> None:
    process, controller = Registration("c", "bn", "here:1"), Controller()
    written: list[object] = []
    outputs = process.step(ContinueRegistration(5))
    while outputs:
        output = outputs.pop(0)
        if isinstance(output, ToController):
            response = controller.step(output.request, now=0).response
            assert isinstance(response, GetNextBrokerIdResponse | ApplyBrokerIdResponse | RegisterBrokerResponse)
            outputs += process.step(response)
        else:
            written.append(output)
    assert written == [TEMPORARY, IDENTITY, DeleteTemporaryIdentity()]
    assert (process.state, process.broker_id) == (RegisterState.REGISTERED, 1)
    assert process.step(ContinueRegistration(6)) == []


def test_r2_files_of_another_broker_are_refused() -> None:
    for name in (("c", "other"), ("other", "bn")):
        with pytest.raises(IdentityMismatch, match="the identity on the disk is of bn in c"):
            Registration(*name, "here:1", identity=IDENTITY)
        with pytest.raises(IdentityMismatch):
            Registration(*name, "here:1", temporary=TEMPORARY)


def test_r3_without_an_id_nothing_is_written() -> None:
    process = Registration("c", "bn", "here:1")
    assert process.step(ContinueRegistration(5)) == [ToController(GetNextBrokerIdRequest("c", "bn"))]
    assert process.step(GetNextBrokerIdResponse(ResponseCode.CONTROLLER_NOT_LEADER)) == []
    assert process.step(RequestFailed()) == []
    assert process.state is RegisterState.INITIAL


@pytest.mark.parametrize("answer", [RequestFailed(), ApplyBrokerIdResponse(ResponseCode.CONTROLLER_BROKER_ID_INVALID)])
def test_r5_an_id_that_may_be_taken_is_given_up(answer: RequestFailed | ApplyBrokerIdResponse) -> None:
    process = Registration("c", "bn", "here:1", temporary=TEMPORARY)
    assert process.step(answer) == [DeleteTemporaryIdentity()]
    assert process.state is RegisterState.INITIAL


def test_r6_a_crash_does_not_burn_the_id() -> None:
    process = Registration("c", "bn", "here:1", temporary=TEMPORARY)
    (output,) = process.step(ContinueRegistration(99))
    assert output == ToController(ApplyBrokerIdRequest("c", "bn", 1, "here:1;5"))
    assert process.step(ApplyBrokerIdResponse(ResponseCode.SUCCESS))[:2] == [IDENTITY, DeleteTemporaryIdentity()]


def test_r7_a_registration_that_fails_is_tried_again() -> None:
    process = Registration("c", "bn", "here:1", identity=IDENTITY)
    for _ in range(2):
        assert process.step(ContinueRegistration(5)) == [ToController(RegisterBrokerRequest("c", "bn", 1, "here:1"))]
        process.step(RegisterBrokerResponse(ResponseCode.CONTROLLER_BROKER_NEED_TO_BE_REGISTERED))
    assert process.state is RegisterState.CREATE_METADATA_FILE_DONE


def test_who_is_left_behind() -> None:
    """RIP-44 "Shrink": haMaxTimeSlaveNotCatchup since a member had all that the master had sent."""
    members = frozenset({1, 2, 3})
    times = CaughtUpTimes()
    assert times.left_behind(members, 1, {}, 0, now=0) == (2, 3), "never connected to this process"
    assert times.left_behind(members, 1, {2: 0, 3: 0}, 0, now=99_999) == (), "nothing to copy"
    times = times.sent(2, 100, now=1_000).acknowledged(2, 100, 100, now=1_500)
    assert times.left_behind(members, 1, {2: 100, 3: 0}, 200, now=16_500) == ()
    assert times.left_behind(frozenset({1, 2}), 1, {2: 100}, 200, now=16_501) == (2,)
    assert times.left_behind(frozenset({1, 2}), 1, {}, 200, now=16_500) == (), "a short break is no reason"


def test_a_slave_that_lags_but_follows_is_caught_up_to_the_last_transfer() -> None:
    times = CaughtUpTimes().sent(2, 100, now=1_000).acknowledged(2, 100, 300, now=9_000)
    assert times.left_behind(frozenset({1, 2}), 1, {2: 100}, 300, now=16_000) == ()
    assert times.left_behind(frozenset({1, 2}), 1, {2: 100}, 300, now=16_001) == (2,)
    assert times.acknowledged(2, 50, 300, now=15_000) == times


def test_a_slave_that_takes_and_does_not_acknowledge_is_left_behind() -> None:
    """Hazard F-15."""
    times = CaughtUpTimes().sent(2, 100, now=1_000)
    assert times.left_behind(frozenset({1, 2}), 1, {2: 0}, 100, now=16_000) == ()
    assert times.left_behind(frozenset({1, 2}), 1, {2: 0}, 100, now=16_001) == (2,)
