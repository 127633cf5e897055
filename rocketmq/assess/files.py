"""The stories of an assessment as files: configuration, ITF, text, picture."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.render import NoGraphviz, render
from rmqproof.rocketmq.assess.assessment import Assessment
from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.plan import plans, property_for
from rmqproof.rocketmq.assess.told import told


def write_answers(assessment: Assessment, folder: Path) -> dict[int, dict[str, Path]]:
    """The files about each yes, by the answer's place. Raise `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    return {
        index: _write(answer, folder) for index, answer in enumerate(assessment.answers) if answer.behaviour is not None
    }


def _write(answer: Answer, folder: Path) -> dict[str, Path]:
    assert answer.behaviour is not None
    base = f"{answer.question.name}-{answer.faults}"
    written = {kind: folder / f"{base}.{kind}" for kind in ("cfg", "itf.json", "txt", "svg")}
    (plan,) = plans(answer.deployment, answer.faults, [answer.question])
    written["cfg"].write_text(plan.configuration([property_for(answer.deployment, answer.question)]), encoding="utf-8")
    write_itf(answer.behaviour, written["itf.json"])
    lines = [f"{number}. {sentence}" for number, sentence in enumerate(told(answer), 1)]
    written["txt"].write_text("\n".join([answer.question.text, *lines, answer.question.yes]) + "\n", encoding="utf-8")
    try:
        render(behaviour_dot(answer.behaviour), written["svg"])
    except NoGraphviz as missing:
        del written["svg"]
        if missing.saved is not None:
            written["dot"] = missing.saved
    return written
