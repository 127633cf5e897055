"""Write the behaviour that a check found into a folder: ITF for tools, text and a picture for people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rmqproof.model.cli.outcome import Outcome
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.text import behaviour_text


def write_behaviour(outcome: Outcome, folder: Path) -> Outcome:
    """The outcome with the names of the files written: `<model>.itf.json` and `<model>.txt`. Raise `OSError`."""
    behaviour = outcome.behaviour
    if behaviour is None:
        return outcome
    folder.mkdir(parents=True, exist_ok=True)
    written = {"itf": folder / f"{outcome.files.name}.itf.json", "text": folder / f"{outcome.files.name}.txt"}
    write_itf(behaviour, written["itf"])
    written["text"].write_text(behaviour_text(behaviour).plain + "\n", encoding="utf-8")
    return replace(outcome, written=written)
