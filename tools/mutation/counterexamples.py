"""The counterexamples of the models, taken step by step by the reference implementation with the same wrong rule."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from rmqproof.conformance.abstraction import AbstractionError
from rmqproof.conformance.adapter import Answer
from rmqproof.conformance.reference import ReferenceAdapter
from rmqproof.conformance.reference.registration import RegistrationAdapter
from rmqproof.model.tla.library import bundled

ROOT = Path(__file__).parents[2]
TRACES = sorted((ROOT / "traces").glob("*.itf.json"))
WITHOUT_CONFIRM = {"TruncationBeyondLog"}
"""The false ack also moves the master's confirmOffset, in the Java and in the cores; the model leaves that out."""


def constants_of(config: Path) -> dict[str, Any]:
    """What a configuration sets, and the settings that it does not name; a replaced rule is there with the name of its
    reading."""
    text = re.sub(r"\\\*.*", "", config.read_text(encoding="utf-8"))
    found: dict[str, Any] = {}
    if "FirstSyncStateSet" in text:
        settings = bundled("Settings.tla").read_text(encoding="utf-8")
        found = {name: _value(value) for name, value in re.findall(r"^(\w+) == (.+)$", settings, re.MULTILINE)}
    for name, value in re.findall(r"^ *(\w+) *= *(.+?) *$", text, re.MULTILINE):
        found[name] = _value(value)
    found |= dict(re.findall(r"^ *(\w+) *<- *(\w+)", text, re.MULTILINE))
    return found


def _value(text: str) -> Any:
    if text.startswith("{"):
        return {"#set": [item.strip() for item in text.strip("{}").split(",") if item.strip()]}
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    return int(text) if text.lstrip("-").isdigit() else text


def canonical(value: Any) -> Any:
    """Equal for equal values, however their sets are ordered and their sequences written."""
    if isinstance(value, dict):
        if "#set" in value:
            return frozenset(canonical(item) for item in value["#set"])
        if "#map" in value:
            return tuple(sorted((str(key), canonical(item)) for key, item in value["#map"]))
        if "#tup" in value:
            return tuple(canonical(item) for item in value["#tup"])
        return tuple(sorted((key, canonical(item)) for key, item in value.items()))
    if isinstance(value, list):
        return tuple(canonical(item) for item in value)
    return value


def without_confirm(disks: Any) -> Any:
    return {"#map": [[b, {key: item for key, item in disk.items() if key != "confirm"}] for b, disk in disks["#map"]]}


@cache
def supported(constants: str) -> str:
    """Why an implementation for these constants cannot be made; empty if it can."""
    try:
        known = json.loads(constants)
        adapter = RegistrationAdapter() if "Replica" in known else ReferenceAdapter()
        adapter.start(known)
    except (AbstractionError, ValueError) as problem:
        return str(problem)
    return ""


class Unsupported(Exception):
    """The implementation is not one of this model, for the reason that is the text."""


def take(path: Path) -> None:
    """Raise `Unsupported`, and `AssertionError` where the implementation does something else than the trace."""
    trace = json.loads(path.read_text(encoding="utf-8"))
    name = path.name.removesuffix(".itf.json")
    constants = constants_of(ROOT / trace["#meta"]["config"])
    if problem := supported(json.dumps(constants)):
        raise Unsupported(problem)
    adapter = RegistrationAdapter() if "Replica" in constants else ReferenceAdapter()
    adapter.start(constants)
    for state in trace["states"]:
        meta = state["#meta"]
        if meta.get("action"):
            answer = adapter.perform(meta["action"], tuple(_argument(a) for a in meta.get("arguments", ())))
            if answer is Answer.UNSUPPORTED:
                raise Unsupported(f"{meta['action']} is of a model that the adapter is not for")
            assert answer is Answer.PERFORMED, f"step {meta['index']}: {meta['action']}{meta['arguments']}"
        shown = adapter.observe()
        for variable in trace["vars"]:
            seen, expected = shown[variable], state[variable]
            if variable == "disk" and name in WITHOUT_CONFIRM:
                seen, expected = without_confirm(seen), without_confirm(expected)
            assert canonical(seen) == canonical(expected), f"step {meta['index']}: {variable}"


def _argument(value: Any) -> Any:
    return value["#tup"] if isinstance(value, dict) and "#tup" in value else value
