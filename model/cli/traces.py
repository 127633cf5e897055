"""Write the behaviour that a check found into a folder: ITF for tools, text and a picture for people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.render import draw
from rmqproof.model.report.text import behaviour_text
from rmqproof.model.search.result import Finding, FindingKind


def write_behaviour(outcome: Outcome, folder: Path) -> Outcome:
    """The outcome with the names of the files written: `<model>.itf.json`, `.txt` and `.svg`.

    Where there is no Graphviz, the picture is left as `.dot`, and a finding says what to install. Raise `OSError`.
    """
    behaviour = outcome.behaviour
    if behaviour is None:
        return outcome
    folder.mkdir(parents=True, exist_ok=True)
    base = folder / outcome.files.name
    written = {kind: base.with_name(f"{base.name}.{kind}") for kind in ("itf.json", "txt", "svg")}
    write_itf(behaviour, written["itf.json"])
    written["txt"].write_text(behaviour_text(behaviour).plain + "\n", encoding="utf-8")
    drawn = draw(behaviour_dot(behaviour), written["svg"])
    if drawn.problem:
        del written["svg"]
        if drawn.path is not None:
            written["dot"] = drawn.path
        said = Finding(FindingKind.NO_PICTURE, str(base), drawn.problem)
        outcome = replace(outcome, result=outcome.result.with_findings(said))
    return replace(outcome, written=written)
