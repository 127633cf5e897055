"""What a definition inside other definitions needs of them when it becomes a Python function of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rmqproof.model.actions.facts import Analysis, Facts
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import ByName, Entry, Env, OperatorValue
from rmqproof.model.tla.core import Binding, Definition


def capture(
    analysis: Analysis, values: Mapping[str, Any], facts: Facts, env: Env
) -> tuple[list[tuple[Any, Entry]], list[str], Any]:
    """What a function outside of this Python function needs of the bindings around it.

    The (binding, entry as seen there) pairs, the texts to pass, and a key for what is passed.
    """
    texts: list[str] = []
    names: dict[str, str] = {}

    def passed(text: str) -> str:
        if text not in names:
            names[text] = f"c{len(names)}"
            texts.append(text)
        return names[text]

    def translate(entry: Entry) -> tuple[Entry, Any]:
        if isinstance(entry, Code):
            if entry.text in values:
                return entry, entry.text
            return entry._replace(text=passed(entry.text)), (names[entry.text], entry.shape)
        if isinstance(entry, OperatorValue) and entry.text is not None:
            return replace(entry, text=passed(entry.text)), names[entry.text]
        inner = entry.env
        node = entry.node if isinstance(entry, ByName) else entry.target
        if inner is None or node is None:
            return entry, None
        inner_facts = facts_of_target(analysis, node)
        bindings, lets, key = translate_all(inner_facts, inner)
        new = replace(inner, bindings=bindings, lets=lets)
        return replace(entry, env=new), (id(node), key)

    def translate_all(wanted: Facts, around: Env) -> tuple[dict[Binding, Entry], dict[Definition, Code], Any]:
        bindings: dict[Binding, Entry] = {}
        lets: dict[Definition, Code] = {}
        parts: list[Any] = []
        for binding in sorted(wanted.free, key=_binding_order):
            if binding in around.bindings:
                bindings[binding], part = translate(around.bindings[binding])
                parts.append((binding, part))
        for definition in sorted(wanted.zero, key=_definition_order):
            if definition in around.lets:
                entry, part = translate(around.lets[definition])
                assert isinstance(entry, Code)
                lets[definition] = entry
                parts.append((definition, part))
        return bindings, lets, tuple(parts)

    bindings, lets, key = translate_all(facts, env)
    return [*bindings.items(), *lets.items()], texts, key


def read_by_name(analysis: Analysis, captured: Sequence[tuple[Any, Entry]]) -> frozenset[int]:
    """The variables that arguments passed by name read or prime, to be looked at in either state of a step."""
    found: frozenset[int] = frozenset()
    for _, entry in captured:
        if isinstance(entry, Code) or entry.env is None:
            continue
        node = entry.node if isinstance(entry, ByName) else entry.target
        if node is None:
            continue
        facts = facts_of_target(analysis, node)
        inner = [(binding, entry.env.bindings[binding]) for binding in facts.free if binding in entry.env.bindings]
        found |= facts.reads | facts.primed | read_by_name(analysis, inner)
    return found


def captured_parameters(count: int) -> list[str]:
    """The names of the parameters that get so many texts."""
    return [f"c{number}" for number in range(count)]


def facts_of_target(analysis: Analysis, target: Any) -> Facts:
    if isinstance(target, Definition):
        return analysis.of_definition(target)
    if isinstance(target, Binding):
        return Facts(free=frozenset({target}))
    return analysis.of(target)


def _binding_order(binding: Binding) -> tuple[str, int, int]:
    return binding.name, binding.at.line, binding.at.column


def _definition_order(definition: Definition) -> tuple[str, int, int]:
    return definition.name, definition.at.line, definition.at.column


def received(captured: Sequence[tuple[Any, Entry]]) -> tuple[dict[Binding, Entry], dict[Definition, Code]]:
    """The bindings and the definitions of LETs inside of the function that gets what `capture` found."""
    bindings: dict[Binding, Entry] = {}
    lets: dict[Definition, Code] = {}
    for bound, entry in captured:
        done = entry._replace(atom=True) if isinstance(entry, Code) else entry
        if isinstance(bound, Definition):
            assert isinstance(done, Code)
            lets[bound] = done
        else:
            bindings[bound] = done
    return bindings, lets
