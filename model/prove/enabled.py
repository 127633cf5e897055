"""ENABLED: whether a step of an action is possible, as a formula about the state before it."""

from __future__ import annotations

from typing import Any

from rmqproof.model.prove.actions import Step, Steps
from rmqproof.model.prove.defined import all_of
from rmqproof.model.prove.environment import Context
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, conjunction, disjunction, negation
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import Value
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Type


class _NothingChosen(Maker):
    """What a step chooses from a set that cannot be listed would have to be quantified: it is refused."""

    def choose(self, type_: Type, name: str, parameters: tuple[Any, ...] = ()) -> Value:
        raise Untranslatable(
            f"ENABLED of an action that chooses {name.partition('!')[0]} from a set that cannot be listed",
            remedy="Name what it chooses, as a parameter of the action.",
        )


def enabled(translator: Translator, action: core.Expression, c: Context) -> Truth:
    """Whether some way to take the action is open; of `<<A>>_v` one that changes v. Raise `Untranslatable`.

    Its conditions and the new values must have a value, also of a way that is closed.
    """
    if c.now is None:
        raise Untranslatable("ENABLED where there is no state", action.at)
    changing = action if isinstance(action, core.AngleAction) else None
    walk = Steps(translator, _NothingChosen(), c.now)
    ways: list[Truth] = []
    for step in walk.of(action if changing is None else changing.action, c.environment):
        whole = step.all_read()
        translator.demands.add(all_of(whole.demands))
        changes = True if changing is None else negation(_unchanged(translator, changing, whole, walk, c))
        ways.append(conjunction([*whole.conditions, changes]))
    translator.demands.add(all_of(walk.lost))
    return disjunction(ways)


def _unchanged(translator: Translator, action: core.AngleAction, step: Step, walk: Steps, c: Context) -> Truth:
    same = core.Builtin(action.at, "UNCHANGED", (action.subscript,))
    return translator.truth(same, c.environment, walk.now, [step.assigned[index] for index in range(len(walk.now))])
