"""Modules of lemmas and their configurations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, count, islice
from pathlib import Path

from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.prove.lemma_parts import is_of_use
from rmqproof.model.prove.subject import Subject, subject_of
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.tla import core
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.model_files import ModelFiles, NoModel, files_of
from rmqproof.model.tla.source import TlaError

_GROUP = re.compile(r"^\\\* GROUP lemmas$", re.MULTILINE)
_REPLICAS = re.compile(r"^[ \t]*\\\*[ \t]*REPLICAS[ \t]+(\w+)[ \t]*$", re.MULTILINE)


def lemma_modules(folder: Path, with_replicas: bool = False) -> list[Path]:
    """The modules of lemmas in a folder that are proved where none is named: their configuration is in the group
    `lemmas`.

    `with_replicas`: only those whose configuration says which set `--replicas` is about.

    The inductive invariant is in a group of its own: it takes many minutes, and is asked for by name.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in folder.glob("*.cfg")}
    wanted = [path for path, text in texts.items() if _GROUP.search(text)]
    wanted = [path for path in wanted if not with_replicas or _REPLICAS.search(texts[path])]
    return sorted(path.with_suffix(".tla") for path in wanted)


ANY = 0
"""As a number of replicas: any."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of which size constant sets are, if not of that which the configuration gives.

    `replicas`: the set that its line `\\* REPLICAS Name` names has so many elements, or `ANY`. `any`: these have any
    number.
    """

    replicas: int | None = None
    any: tuple[str, ...] = ()


CONFIGURED = Sizes()


def open_module(spec: Path, config: Path | None = None, sizes: Sizes = CONFIGURED) -> Subject:
    """As `open_files`, of a module and its configuration."""
    try:
        return open_files(files_of(spec, config), sizes)
    except NoModel as error:
        raise TlaError(str(error), kind="config") from None


def open_files(files: ModelFiles, sizes: Sizes = CONFIGURED) -> Subject:
    """A module under its configuration, with constant sets of these sizes.

    Proofs are about any finite sets where the size is any, and countermodels have the sets that the configuration
    gives. Raise `TlaError`, `OSError`.
    """
    subject: Subject = deeply(_opened, files, sizes)
    return subject


def _opened(files: ModelFiles, sizes: Sizes) -> Subject:
    files = replace(files, config=files.config or config_of(files.spec, files.texts))
    text = files.config_text
    named = _REPLICAS.search(text)
    if sizes.replicas is not None and named is None:
        raise TlaError(
            f"{files.config or files.spec}: no line \\* REPLICAS Name says which constant set --replicas is about",
            remedy="Write one into the configuration, or name the set: --any Name.",
            kind="config",
        )
    subject = subject_of(files.load(), text)
    wanted = list(sizes.any)
    if named is not None and sizes.replicas is not None:
        if sizes.replicas == ANY:
            wanted.append(named[1])
        else:
            subject = _resized(files, subject, named[1], sizes.replicas)
    sets = _apart(subject, [_set(subject, name) for name in dict.fromkeys(wanted)])
    if len(sets) != 1:
        return replace(subject, open_sets=sets)
    count = len(subject.elements(sets[0])) + 1
    return replace(subject, open_sets=sets, larger=partial(deeply, _resized, files, subject, sets[0].name, count))


def _resized(files: ModelFiles, subject: Subject, name: str, size: int) -> Subject:
    """The same with so many elements in the set."""
    elements = ", ".join(islice(_elements(_set(subject, name), subject), size))
    return subject_of(files.overridden(f"CONSTANT {name} = {{{elements}}}").load(), files.config_text)


def _set(subject: Subject, name: str) -> core.Constant:
    """The constant of this name. Raise `TlaError` where it is no set of model values or strings."""
    constants = {constant.name: constant for constant in subject.model.specification.constants}
    found = constants.get(name)
    if found is None:
        known = ", ".join(constants) or "none"
        raise TlaError(f"There is no constant {name}", remedy=f"The constants are: {known}.", kind="config")
    if not isinstance(found.value, core.SetEnumeration) or not all(map(_is_name, found.value.items)):
        raise TlaError(f"{name} is no set of model values or strings under the configuration", kind="config")
    return found


def _is_name(item: core.Expression) -> bool:
    return isinstance(item, core.ModelValueLiteral) or (isinstance(item, core.Literal) and isinstance(item.value, str))


def _apart(subject: Subject, constants: list[core.Constant]) -> tuple[core.Constant, ...]:
    for one, other in combinations(constants, 2):
        if subject.elements(one) & subject.elements(other):
            raise TlaError(
                f"{one.name} and {other.name} have elements in common under the configuration",
                remedy="Give them different ones, so that it can be seen of which set a value is.",
                kind="config",
            )
    return tuple(constants)


def _elements(constant: core.Constant, subject: Subject) -> Iterator[str]:
    """Names for elements: those that the configuration gives, then others of their kind."""
    given = sorted(subject.elements(constant))
    names = [atom.name for atom in given]
    quote = '"' if given and not given[0].is_model else ""
    yield from (f"{quote}{name}{quote}" for name in names)
    stem = re.match(r"\D*", names[-1] if names else "e")
    taken = {*names, *subject.model.model_values}
    fresh = (f"{stem[0] if stem else ''}{number}" for number in count(1))
    yield from (f"{quote}{name}{quote}" for name in fresh if name not in taken)


def chosen(subject: Subject, names: tuple[str, ...]) -> list[Lemma]:
    """The lemmas of these names that the module has; all without names."""
    return [lemma for lemma in lemmas_of(subject.model.specification) if not names or lemma.name in names]


def used_by(subject: Subject, lemma: Lemma) -> tuple[Lemma, ...]:
    """The lemmas that a line USES names. Raise `TlaError`."""
    known = {other.name: other for other in lemmas_of(subject.model.specification)}
    order = list(known)
    for name in (use.name for use in lemma.uses):
        if name not in known or order.index(name) >= order.index(lemma.name) or known[name].expected != "proved":
            raise TlaError(
                f"{lemma.name} uses {name}, which is no lemma above it that is to be proved",
                lemma.at,
                "A lemma may use only what stands above it, so that nothing is proved from itself.",
                "evaluation",
            )
        if not is_of_use(known[name], lemma):
            raise TlaError(
                f"{lemma.name} uses {name}, of which not every hypothesis is one of {lemma.name}, or a conjunct of one",
                lemma.at,
                "A lemma about states is used of one in which its hypotheses hold, and has no NEW symbols.",
                "evaluation",
            )
    return tuple(known[use.name] for use in lemma.uses)
