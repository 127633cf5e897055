"""The settings that are said to decide a question: one value answers yes and another no."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.faults import EACH_FAULT
from rmqproof.rocketmq.assess.matrix import combinations
from rmqproof.rocketmq.assess.questions import LOG_QUESTIONS, QUESTIONS
from rmqproof.rocketmq.assess.state_space import Explore

FIELDS = {
    "allAckInSyncStateSet": "all_ack",
    "inSyncReplicas": "in_sync_replicas",
    "minInSyncReplicas": "min_in_sync_replicas",
    "enableElectUncleanMaster": "unclean_election",
    "flushDiskType": "sync_flush",
    "readUnCommitted": "read_uncommitted",
}


def test_deciding_settings_are_settings() -> None:
    sets = (Deployment(2, read_uncommitted=True), MasterSlave(2, transient_pool=True))
    known = {each.split("=")[0] for broker_set in sets for each in broker_set.settings()}
    assert {name for question in QUESTIONS for name in question.deciding} <= known


@pytest.mark.large
def test_a_setting_decides_where_it_is_said_to() -> None:
    """Every combination of two replicas under every class of faults; a majority of two is both of them, and serves."""
    explore = Explore()
    two = [
        replace(deployment, read_uncommitted=read)
        for deployment in combinations()
        if deployment.replicas == 2
        for read in (False, True)
    ]
    answers = {
        (deployment, faults, question.name): finding.yes
        for deployment in two
        for faults in EACH_FAULT
        for question, finding in zip(LOG_QUESTIONS, explore(deployment, faults, LOG_QUESTIONS), strict=True)
    }
    for question in LOG_QUESTIONS:
        decide = set()
        for deployment, faults, name in answers:
            if name == question.name:
                for setting, field in FIELDS.items():
                    value = getattr(deployment, field)
                    other = replace(deployment, **{field: not value if isinstance(value, bool) else 3 - value})
                    changed = answers.get((other, faults, name))
                    if changed is not None and changed != answers[deployment, faults, name]:
                        decide.add(setting)
        expected = set() if question.name == "majority-stalls" else set(question.deciding) & FIELDS.keys()
        assert decide == expected, question.name
