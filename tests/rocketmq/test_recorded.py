"""Our controller gives the answers that the one of RocketMQ 5.5.0 gave, without a Java. `record.py` writes the data."""

from __future__ import annotations

from collections import Counter

from rmqproof.rocketmq.calls import Call, of_json, read_calls, to_json
from rmqproof.rocketmq.comparing import why_controller
from rmqproof.rocketmq.replaying import differences_of_ours
from tests.rocketmq.record import FILE


def test_every_difference_has_a_reason() -> None:
    calls = read_calls(FILE)
    assert len(calls) > 3_000
    assert {type(call.request).__name__ for call in calls} >= {"AlterSyncStateSetRequest", "ElectMasterRequest"}
    reasons: Counter[str] = Counter()
    for call in calls:
        found = differences_of_ours(call)
        if found:
            reason = why_controller(call, found)
            assert reason, (found, call)
            reasons[reason] += 1
    worded = reasons.pop("another wording of the remark", 0)
    assert sum(reasons.values()) < 0.01 * len(calls), reasons
    assert worded < 0.5 * len(calls)


def test_another_answer_is_noticed() -> None:
    call = next(call for call in read_calls(FILE) if call.answer.code == 2001)
    wrong = of_json(to_json(call) | {"answer": to_json(call)["answer"] | {"code": 2000}})
    assert isinstance(wrong, Call)
    assert differences_of_ours(call) == []
    assert differences_of_ours(wrong)[0] == "code"
    assert why_controller(wrong, ["code", "response"]) == ""
