"""What the names of a generated specification are called.

No result may depend on it. The order of TLC's strings and model values follows where a word is read first, so two
namings are equivalent only where no word means two things, and none stands in a module that is read before.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from rmqproof.model.tla.resolve.name_table import hashed
from tools.fuzz.specification import Role, Specification
from tools.fuzz.types import Name

_SHORT = tuple("abcdefghijklmnopqrstuvwxyz") + tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NUMBERED = tuple(f"{letter}{digit}" for letter in "bnpxNT" for digit in (1, 2, 3, 9, 10))
_WORDS = ("alpha", "zeta", "node", "leader", "Idle", "Ready", "lock_", "_x", "front", "back", "Msg", "done", "IDs")
_REWRITTEN = tuple(f"{a}{b}{c}_" for a in "qzwkhy" for b in "uoaei" for c in "rtlm")
"""Words that no standard module has."""


def ordinary(spec: Specification, random: Random) -> dict[Name, str]:
    """Short names, as people give them: strings, model values and local names may be words that mean something else."""
    names = sorted(spec.all_names(), key=_order)
    free = list(dict.fromkeys(_SHORT + _NUMBERED + _WORDS + _REWRITTEN))
    random.shuffle(free)
    words: dict[Name, str] = {}
    for name in names:
        if name.kind in ("variable", "constant", "definition", "module", "local", "model value"):
            words[name] = free.pop(0)
    if random.random() < 0.2:  # typed model values: `A_p1` compares with its own type and untyped ones only
        for name in names:
            if name.kind == "model value":
                words[name] = f"T_{words[name].strip('_')}"
    for name in names:
        if name.kind == "string":
            others = [word for other, word in words.items() if other.kind != "string"]
            taken = {words[other] for other in words if other.kind == "string"}
            same = [word for word in others if word not in taken]
            words[name] = random.choice(same) if same and random.random() < 0.3 else free.pop(0)
    return _with_variables(spec, words, random)


def apart(spec: Specification, random: Random) -> dict[Name, str]:
    """A word for each name that is used nowhere else, and in no standard module."""
    names = sorted(spec.all_names(), key=_order)
    free = list(_REWRITTEN)
    random.shuffle(free)
    words = dict(zip(names, free, strict=False)) if len(free) >= len(names) else _numbered(names, random)
    return _with_variables(spec, words, random)


def is_apart(spec: Specification) -> bool:
    """Whether the specification has words of `apart`, so that others may replace them."""
    return all(word.endswith("_") and len(word) > 3 for word in spec.words.values()) and len(
        set(spec.words.values())
    ) == len(spec.words)


TABLES = (95, 191, 383, 767)
"""Sizes of a java.util.Hashtable of some hundred entries."""


def _with_variables(spec: Specification, words: dict[Name, str], random: Random) -> dict[Name, str]:
    """With other words for variables, where the order in which TLC has them decides, so that it is the written one.

    TLC asks VIEW of the least image under SYMMETRY, the least in its first variable, and of those the least in the next
    one. Which one is first it takes from a hash table of all names that the module knows (SANY's Context), whose size
    depends on how many there are, and so do the engines: two namings would be two specifications.
    """
    if not (spec.with_role(Role.VIEW) and spec.with_role(Role.SYMMETRY)):
        return words
    taken = {word for name, word in words.items() if name.kind != "variable"}
    variables = spec.main.variables
    free = sorted({*_REWRITTEN} - taken)
    while True:
        chosen = random.sample(free, len(variables))
        if all(hashed(a) % size < hashed(b) % size for a, b in pairwise(chosen) for size in TABLES):
            return {**words, **dict(zip(variables, chosen, strict=True))}


def _numbered(names: list[Name], random: Random) -> dict[Name, str]:
    numbers = random.sample(range(1000, 9000), len(names))
    return {name: f"w{number}_" for name, number in zip(names, numbers, strict=True)}


def _order(name: Name) -> tuple[str, int]:
    return name.kind, name.index
