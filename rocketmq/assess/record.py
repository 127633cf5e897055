"""An assessment as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.assess.assessment import Assessment
from rmqproof.rocketmq.assess.by_release import WORDS, ByRelease
from rmqproof.rocketmq.assess.console import survives_power_loss, verdict_word
from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.lemmas import behind
from rmqproof.rocketmq.assess.told import told


def assessment_record(assessment: Assessment, written: Mapping[int, Mapping[str, Path]]) -> dict[str, Any]:
    """`settings` by file, `remarks`, `deployment`, `answers` (yes, no or open) with story, files and advice,
    and `release`: the answers with its rules, and what newer ones change."""
    return {
        "settings": [
            {
                "file": reading.source,
                "values": {
                    value.setting.name: {"value": value.value, "at": str(value.at) if value.at is not None else None}
                    for value in reading.shown()
                },
            }
            for reading in assessment.readings
        ],
        "remarks": [
            {
                "at": str(remark.at) if remark.at is not None else None,
                "sentence": remark.sentence,
                "remedy": remark.remedy,
                "serious": remark.serious,
            }
            for remark in assessment.remarks
        ],
        "deployment": {
            "replicas": assessment.deployment.replicas,
            "learners": assessment.deployment.learners,
            "controllers": assessment.deployment.controllers,
            "settings": list(assessment.deployment.settings()),
        },
        "survivesPowerLossOfAll": survives_power_loss(assessment),
        "answers": [
            _answer(assessment, answer, written.get(index, {})) for index, answer in enumerate(assessment.answers)
        ],
        "release": _release(assessment.by_release) if assessment.by_release is not None else None,
    }


def _release(found: ByRelease) -> dict[str, Any]:
    return {
        "version": found.version,
        "named": found.named,
        "answers": [
            {"question": each.question.name, "faults": str(each.faults), "answer": verdict_word(each)}
            for each in found.answers
        ],
        "upgrades": [
            {
                "version": version,
                "changes": [
                    {"question": each.question, "faults": each.faults, "answer": WORDS[each.after]} for each in changed
                ],
            }
            for version, changed in found.upgrades
        ],
    }


def _answer(assessment: Assessment, answer: Answer, files: Mapping[str, Path]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "question": answer.question.name,
        "text": answer.question.text,
        "faults": str(answer.faults),
        "answer": verdict_word(answer),
        "bounds": answer.bounds,
        "decidedBy": [s for s in answer.deployment.settings() if s.split("=")[0] in answer.question.deciding],
        "provedForAllSizes": [f"{lemma.module}!{lemma.name}" for lemma in behind(answer)],
        "distinctStates": answer.distinct,
    }
    if answer.behaviour is not None:
        record["story"] = list(told(answer))
        record["files"] = {kind: str(path) for kind, path in files.items()}
    advice = assessment.advice_on(answer)
    if advice is not None:
        record["advice"] = {
            "changes": [adjustment.text for adjustment in advice.adjustments],
            "costs": [adjustment.cost for adjustment in advice.adjustments],
            "opens": [question.name for question in advice.opened],
            "tried": advice.tried,
        }
    return record
