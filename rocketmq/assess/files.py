"""The stories of an assessment as files: configuration, ITF, text, picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.render import draw
from rmqproof.rocketmq.assess.assessment import Assessment
from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.plan import plans, property_for
from rmqproof.rocketmq.assess.told import told


@dataclass(slots=True)
class Written:
    """The files about each yes, by the answer's place. `problem`: what is to be said of a picture that is none."""

    files: dict[int, dict[str, Path]] = field(default_factory=dict)
    problem: str = ""


def write_answers(assessment: Assessment, folder: Path) -> Written:
    """Raise `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    found = Written()
    for index, answer in enumerate(assessment.answers):
        if answer.behaviour is not None:
            found.files[index], problem = _write(answer, folder)
            found.problem = found.problem or problem
    return found


def _write(answer: Answer, folder: Path) -> tuple[dict[str, Path], str]:
    assert answer.behaviour is not None
    base = f"{answer.question.name}-{answer.faults}"
    written = {kind: folder / f"{base}.{kind}" for kind in ("cfg", "itf.json", "txt", "svg")}
    (plan,) = plans(answer.deployment, answer.faults, [answer.question])
    written["cfg"].write_text(plan.configuration([property_for(answer.deployment, answer.question)]), encoding="utf-8")
    write_itf(answer.behaviour, written["itf.json"])
    lines = [f"{number}. {sentence}" for number, sentence in enumerate(told(answer), 1)]
    written["txt"].write_text("\n".join([answer.question.text, *lines, answer.question.yes]) + "\n", encoding="utf-8")
    drawn = draw(behaviour_dot(answer.behaviour), written["svg"])
    if drawn.problem:
        del written["svg"]
        if drawn.path is not None:
            written["dot"] = drawn.path
    return written, drawn.problem
