"""An assessment on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.advice import Advice
from rmqproof.rocketmq.assess.assessment import Assessment
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.by_release import release_lines
from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.faults import Fault, Faults
from rmqproof.rocketmq.assess.lemmas import Lemma, behind
from rmqproof.rocketmq.assess.questions import QUESTIONS, Question
from rmqproof.rocketmq.assess.reading import Remark, shown
from rmqproof.rocketmq.assess.told import told

_RULES = {
    False: "The rules are the repaired ones of spec/core/Rules.tla, with flush and acknowledgement as RocketMQ "
    "documents them; --rules shipped asks the same of the code as it is.",
    True: "The rules are those of {}, with its known defects (docs/rules.md).",
}
_MASTER_SLAVE_RULES = {
    False: "The rules are the repaired ones of SlaveActingMaster.tla, QuorumLock.tla and "
    "MasterSlave.tla in spec/protocols; --rules shipped asks the same of the code as it is.",
    True: "The rules are those of the Java snapshot: logs are not compared at a handshake, a slave takes commits after "
    "its offsets were pulled, a master that is not listed registers at once, locks are forgotten by a restart.",
}
_POWER_LOSS = Faults((Fault.POWER_LOSS,))
_QUESTION_WIDTH = 26
_STYLE = {True: "bold red", False: "green", None: "yellow"}


def verdict_word(answer: Answer) -> str:
    return {True: "yes", False: "no", None: "open"}[answer.yes]


def print_assessment(assessment: Assessment, console: Console, written: Mapping[int, Mapping[str, Path]]) -> None:
    """`written` names the files about an answer, by its place in `assessment.answers`."""
    _settings(assessment, console)
    for remark in assessment.remarks:
        console.print(remark_text(remark))
    _matrix(assessment, console)
    _explored(assessment, console)
    for question in asked(assessment):
        _question(assessment, question, console, written)
    if assessment.by_release is not None:
        console.print()
        for line in release_lines(assessment.by_release):
            console.print(Text(line))


def asked(assessment: Assessment) -> Iterator[Question]:
    names = {answer.question.name for answer in assessment.answers}
    return (question for question in QUESTIONS if question.name in names)


def remark_text(remark: Remark) -> Text:
    text = Text()
    text.append("! " if remark.serious else "· ", "bold red" if remark.serious else "yellow")
    text.append(f"{remark.at}: " if remark.at is not None else "")
    text.append(remark.sentence)
    if remark.remedy:
        text.append(f" {remark.remedy}", "dim")
    return text


def _settings(assessment: Assessment, console: Console) -> None:
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for heading in ("setting", "value", "from"):
        table.add_column(heading, overflow="fold")
    seen: set[tuple[str, str]] = set()
    for reading in assessment.readings:
        for value in reading.shown():
            row = (value.setting.name, shown(value.value) or "(empty)")
            if row not in seen:
                seen.add(row)
                place = Text(str(value.at)) if value.at is not None else Text("RocketMQ's default", "dim")
                table.add_row(*map(Text, row), place)
    console.print(table)
    console.print(f"\n{about(assessment.deployment)}")


def about(broker_set: BrokerSet) -> str:
    if isinstance(broker_set, MasterSlave):
        acting = "a slave acts for a missing master" if broker_set.acting else "nobody acts for a missing master"
        return f"{broker_set.replicas} replicas, brokerId 0 is the master; {acting}."
    return (
        f"{broker_set.replicas} replicas, {broker_set.learners} of them asyncLearner; "
        f"{broker_set.controllers} controller{'s' if broker_set.controllers > 1 else ''}."
    )


def _heading(name: str) -> str:
    return name.replace("-", "-\n").replace("+", "+\n")


def _verdicts(assessment: Assessment, classes: list[str]) -> Table:
    """A row for each question, a column for each of these classes of faults."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    table.add_column("question", overflow="fold", min_width=_QUESTION_WIDTH)
    for name in classes:
        table.add_column(_heading(name), justify="center")
    for question in asked(assessment):
        by_class = {str(answer.faults): answer for answer in assessment.about(question)}
        cells = [
            Text(verdict_word(by_class[name]), _STYLE[by_class[name].yes]) if name in by_class else Text("–", "dim")
            for name in classes
        ]
        table.add_row(question.text, *cells)
    return table


def fitting(classes: Iterable[str], width: int) -> list[list[str]]:
    """Classes of faults in groups, each with room beside the questions: one that is cut off would not be seen."""
    groups: list[list[str]] = [[]]
    left = width - _QUESTION_WIDTH
    for name in classes:
        needed = max(len(line) for line in _heading(name).splitlines()) + 3
        if needed > left and groups[-1]:
            groups.append([])
            left = width - _QUESTION_WIDTH
        groups[-1].append(name)
        left -= needed
    return groups


def _matrix(assessment: Assessment, console: Console) -> None:
    for classes in fitting(dict.fromkeys(str(answer.faults) for answer in assessment.answers), console.width):
        console.print()
        console.print(_verdicts(assessment, classes))
    word = survives_power_loss(assessment)
    if word is not None:
        style = {"no": "bold red", "yes": "green", "open": "yellow"}[word]
        console.print(Text(f"{SURVIVES} ") + Text(word, style))


SURVIVES = "Does every acknowledged message survive power loss of all replicas at once?"


def survives_power_loss(assessment: Assessment) -> str | None:
    """The answer to `SURVIVES`; None where that was not asked."""
    found = next((answer for answer in assessment.about(QUESTIONS[0]) if answer.faults == _POWER_LOSS), None)
    return {True: "no", False: "yes", None: "open"}[found.yes] if found is not None else None


def _question(
    assessment: Assessment, question: Question, console: Console, written: Mapping[int, Mapping[str, Path]]
) -> None:
    answer = assessment.shortest(question)
    if answer is None or answer.behaviour is None:
        return
    console.print()
    console.print(Text(question.text, "bold"))
    also = [str(other.faults) for other in assessment.about(question) if other.yes]
    console.print(f"Yes, under {', '.join(also)}. {question.yes} The shortest way, under {answer.faults}:")
    for number, sentence in enumerate(told(answer), 1):
        console.print(Padding(Text(f"{number:2}. {sentence}"), (0, 0, 0, 2)))
    for index, other in enumerate(assessment.answers):
        if other.question == question and index in written:
            picture = written[index].get("svg") or written[index].get("dot")
            console.print(Padding(Text(f"{other.faults}: {picture}", "dim"), (0, 0, 0, 2)), soft_wrap=True)
    for line in advice_lines(assessment, question):
        console.print(Text(line))
    console.print(Text(decided_line(assessment, question), "dim"))


def decided_line(assessment: Assessment, question: Question) -> str:
    """The settings that can change this answer, as they are."""
    settings = [each for each in assessment.deployment.settings() if each.split("=")[0] in question.deciding]
    return f"Decided by: {', '.join(settings)}." if settings else "No setting decides it."


def advice_lines(assessment: Assessment, question: Question) -> Iterator[str]:
    """What makes the answer no, the classes of faults with the same advice together."""
    grouped: dict[str, list[str]] = {}
    for answer in assessment.about(question):
        advice = assessment.advice_on(answer)
        if advice is not None:
            grouped.setdefault(advice_text(advice), []).append(str(answer.faults))
    for text, classes in grouped.items():
        yield f"{', '.join(classes)}: {text}"


def advice_text(advice: Advice) -> str:
    if not advice.adjustments:
        return f"none of the {advice.tried} changes of up to two settings that were checked makes it no."
    changes = " and ".join(adjustment.text for adjustment in advice.adjustments)
    costs = "; ".join(adjustment.cost for adjustment in advice.adjustments)
    verb = "make" if len(advice.adjustments) > 1 else "makes"
    text = f"{changes} {verb} it no (checked); the cost: {costs}."
    if advice.opened:
        text += " But then yes to: " + " ".join(question.text for question in advice.opened)
    return text


def _explored(assessment: Assessment, console: Console) -> None:
    states = sum(answer.distinct for answer in assessment.answers if answer.yes is False)
    console.print()
    console.print(
        Text(
            f"A no was explored to the end within these bounds, and says nothing beyond them ({states:,} states):",
            "dim",
        )
    )
    for line in bounds_lines(assessment):
        console.print(Text(f"  {line}", "dim"))
    lemmas = lemma_lines(assessment)
    if lemmas:
        console.print(
            Text("Proved for all sizes, of the rules behind a no, and of the whole protocol where it says so:", "dim")
        )
        for line in lemmas:
            console.print(Text(f"  {line}", "dim"))
    refused = [question for question in asked(assessment) if assessment.shortest(question) is None]
    for question in refused:
        console.print(Text(f"{question.text} {decided_line(assessment, question)}", "dim"))
    console.print(Text(rules_sentence(assessment), "dim"))


def bounds_lines(assessment: Assessment) -> list[str]:
    """How far the searches went, with what they asked and the classes of faults."""
    by_bounds: dict[str, dict[str, None]] = {}
    kinds: dict[str, dict[str, None]] = {}
    for answer in assessment.answers:
        by_bounds.setdefault(answer.bounds, {})[str(answer.faults)] = None
        kinds.setdefault(answer.bounds, {})[answer.question.name] = None
    one_kind = len({tuple(names) for names in kinds.values()}) == 1
    return [
        f"{bounds} ({', '.join(classes) if one_kind else ', '.join(kinds[bounds])})"
        for bounds, classes in by_bounds.items()
    ]


def lemma_lines(assessment: Assessment) -> list[str]:
    """Each lemma once, with the questions whose no it stands behind."""
    asked: dict[Lemma, dict[str, None]] = {}
    for answer in assessment.answers:
        for lemma in behind(answer):
            asked.setdefault(lemma, {})[answer.question.name] = None
    return [f"{', '.join(names)}: {lemma.sentence()} ({lemma.place()})" for lemma, names in asked.items()]


def rules_sentence(assessment: Assessment) -> str:
    rules = _MASTER_SLAVE_RULES if isinstance(assessment.deployment, MasterSlave) else _RULES
    return rules[bool(assessment.deployment.shipped_rules)].format(assessment.by_release)
