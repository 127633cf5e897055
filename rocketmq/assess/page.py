"""An assessment as one HTML page with its pictures inside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.render import NoGraphviz, picture
from rmqproof.rocketmq.assess.assessment import Assessment
from rmqproof.rocketmq.assess.by_release import release_lines
from rmqproof.rocketmq.assess.console import (
    SURVIVES,
    advice_lines,
    asked,
    bounds_lines,
    decided_line,
    lemma_lines,
    rules_sentence,
    survives_power_loss,
    verdict_word,
)
from rmqproof.rocketmq.assess.questions import Question
from rmqproof.rocketmq.assess.reading import shown
from rmqproof.rocketmq.assess.told import told

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .2rem .8rem; text-align: left; border-bottom: 1px solid #ddd }
td.yes { color: #b00020; font-weight: bold } td.no { color: #176b2c } td.open { color: #8a6d00 }
figure { overflow-x: auto; margin: 1rem 0 } .dim { color: #777 }
"""


def assessment_page(assessment: Assessment) -> str:
    body = "\n".join(_parts(assessment))
    title = "What these settings promise"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>"
    )


def _parts(assessment: Assessment) -> Iterator[str]:
    yield "<table><tr><th>setting</th><th>value</th><th>from</th></tr>"
    for reading in assessment.readings:
        for value in reading.shown():
            place = escape(str(value.at)) if value.at is not None else "<span class=dim>RocketMQ's default</span>"
            yield f"<tr><td>{value.setting.name}</td><td>{escape(shown(value.value))}</td><td>{place}</td></tr>"
    yield "</table>"
    if assessment.remarks:
        items = (
            f"<li>{escape(f'{remark.at}: ' if remark.at else '')}{escape(remark.sentence)} {escape(remark.remedy)}</li>"
            for remark in assessment.remarks
        )
        yield f"<ul>{''.join(items)}</ul>"
    classes = list(dict.fromkeys(str(answer.faults) for answer in assessment.answers))
    yield "<table><tr><th>question</th>" + "".join(f"<th>{name}</th>" for name in classes) + "</tr>"
    for question in asked(assessment):
        verdicts = {str(answer.faults): verdict_word(answer) for answer in assessment.about(question)}
        words = [verdicts.get(name, "–") for name in classes]
        cells = "".join(f"<td class={word}>{word}</td>" for word in words)
        yield f"<tr><td>{question.text}</td>{cells}</tr>"
    yield "</table>"
    survives = survives_power_loss(assessment)
    if survives is not None:
        yield f"<p>{SURVIVES} <b>{survives}</b></p>"
    yield "<p>A no was explored to the end within these bounds, and says nothing beyond them:</p>"
    yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in bounds_lines(assessment)) + "</ul>"
    if lemmas := lemma_lines(assessment):
        yield "<p>Proved for all sizes, of the rules behind a no, and of the whole protocol where it says so:</p>"
        yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lemmas) + "</ul>"
    yield f"<p>{escape(rules_sentence(assessment))}</p>"
    for question in asked(assessment):
        yield from _question(assessment, question)
    if assessment.by_release is not None:
        yield f"<pre>{escape(chr(10).join(release_lines(assessment.by_release)))}</pre>"


def _question(assessment: Assessment, question: Question) -> Iterator[str]:
    answer = assessment.shortest(question)
    if answer is None or answer.behaviour is None:
        return
    yield f"<h2>{question.text}</h2><p>Yes. {question.yes} The shortest way, under {answer.faults}:</p>"
    yield "<ol>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in told(answer)) + "</ol>"
    yield _figure(answer.behaviour)
    yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in advice_lines(assessment, question)) + "</ul>"
    yield f"<p class=dim>{escape(decided_line(assessment, question))}</p>"


def _figure(behaviour: Behaviour) -> str:
    try:
        svg = picture(behaviour_dot(behaviour), "svg").decode("utf-8")
    except NoGraphviz as error:
        return f"<p class=dim>No picture: {escape(error.message)}. {escape(error.remedy)}</p>"
    return f"<figure>{re.sub(r'^.*?(?=<svg)', '', svg, flags=re.DOTALL)}</figure>"
