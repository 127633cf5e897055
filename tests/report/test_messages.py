"""Messages: what is put into a set or bag and leaves it."""

from __future__ import annotations

from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.report.messages import message_variables, messages
from tests.report.samples import sample

_A = {"type": "a", "from": "p", "to": "q"}
_B = {"type": "b", "from": "q", "to": "p"}


def _run(*steps: tuple[str, tuple[object, ...], object]) -> Behaviour:
    first = Step(0, None, (), {"net": {"#set": []}})
    rest = [Step(i, name, arguments, {"net": net}) for i, (name, arguments, net) in enumerate(steps, 1)]
    return Behaviour(("net",), (first, *rest))


def test_sent_and_taken_out() -> None:
    trace = _run(("Send", (), {"#set": [_A]}), ("Wait", (), {"#set": [_A]}), ("Receive", (), {"#set": [_B]}))
    (found,) = messages(trace)
    assert (found.sent, found.ended, found.dropped, found.named) == (1, 3, False, False)
    assert (found.source, found.destination, found.kind, found.variable) == ("p", "q", "a", "net")


def test_an_argument_that_stays_is_received_too() -> None:
    trace = _run(("Send", (), {"#set": [_A]}), ("Receive", (_A,), {"#set": [_A]}))
    (found,) = messages(trace)
    assert (found.sent, found.ended, found.named) == (1, 2, True)


def test_what_goes_beside_an_argument_is_dropped() -> None:
    trace = _run(("Send", (), {"#set": [_A, _B]}), ("Receive", (_A,), {"#set": []}))
    assert [(found.kind, found.dropped) for found in messages(trace)] == [("a", False), ("b", True)]


def test_a_bag_counts() -> None:
    trace = _run(
        ("Send", (), {"#map": [[_A, 1]]}),
        ("Send", (), {"#map": [[_A, 2]]}),
        ("Receive", (_A,), {"#map": [[_A, 1]]}),
        ("Receive", (_A,), {"#tup": []}),
    )
    assert [(found.sent, found.ended) for found in messages(trace)] == [(1, 3), (2, 4)]


def test_what_holds_messages() -> None:
    assert message_variables(sample("two_phase_commit")) == ("sent",)
    assert message_variables(sample("failover")) == ("requests",)
    assert message_variables(sample("election")) == ("network",)
    assert message_variables(sample("die_hard")) == ()


def test_still_under_way_at_the_end_is_no_message() -> None:
    assert messages(_run(("Send", (), {"#set": [_A]}))) == []
