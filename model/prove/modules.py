"""Modules of lemmas and their configurations."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from rmqproof.model.prove.problem import Subject, subject_of
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.tla.config_file import config_of, config_text
from rmqproof.model.tla.library import PROTOCOL
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.overrides import Overrides
from rmqproof.model.tla.source import TlaError

LEMMAS = PROTOCOL / "lemmas"
_GROUP = re.compile(r"^\\\* GROUP lemmas$", re.MULTILINE)
_BROKERS = re.compile(r"(\bBroker[ \t]*=[ \t]*)\{[^}]*\}")


def lemma_modules(with_brokers: bool = False) -> list[Path]:
    """The modules of lemmas that come with rmqproof: those whose configuration is in the group `lemmas`.

    `with_brokers`: only those whose configuration names brokers.

    The inductive invariant is in a group of its own: it takes many minutes, and is asked for by name.
    """
    texts = {path: path.read_text(encoding="utf-8") for path in LEMMAS.glob("*.cfg")}
    wanted = [path for path, text in texts.items() if _GROUP.search(text)]
    wanted = [path for path in wanted if not with_brokers or _BROKERS.search(texts[path])]
    return sorted(path.with_suffix(".tla") for path in wanted)


ANY = 0
"""As a number of replicas: any."""


def open_module(spec: Path, config: Path | None = None, replicas: int | None = None) -> Subject:
    """The module under its configuration; `replicas` puts a set of so many brokers for the one given there.

    With `ANY`, proofs are about any finite set of brokers, and countermodels have those of the configuration. Raise
    `TlaError`, `OSError`.
    """
    config = config or config_of(spec)
    text = config_text(config)
    if replicas is None or config is None or not _BROKERS.search(text):
        if replicas is not None:
            raise TlaError(
                f"{config or spec}: there is no line Broker = {{…}}, so --replicas changes nothing", kind="config"
            )
        return subject_of(load_model(spec, config), text)
    if replicas == ANY:
        subject = subject_of(load_model(spec, config), text)
        everyone = next((c for c in subject.model.specification.constants if c.name == "Broker"), None)
        return replace(subject, everyone=everyone)
    brokers = ", ".join(f"b{number}" for number in range(1, replicas + 1))
    overrides = Overrides(f"CONSTANT Broker = {{{brokers}}}")
    return subject_of(load_model(spec, config, overrides=overrides), text)


def chosen(subject: Subject, names: tuple[str, ...]) -> list[Lemma]:
    """The lemmas of these names that the module has; all without names."""
    return [lemma for lemma in lemmas_of(subject.model.specification) if not names or lemma.name in names]


def used_by(subject: Subject, lemma: Lemma) -> tuple[Lemma, ...]:
    """The lemmas that a line USES names. Raise `TlaError`."""
    known = {other.name: other for other in lemmas_of(subject.model.specification)}
    order = list(known)
    for name in lemma.uses:
        if name not in known or order.index(name) >= order.index(lemma.name) or known[name].expected != "proved":
            raise TlaError(
                f"{lemma.name} uses {name}, which is no lemma above it that is to be proved",
                lemma.at,
                "A lemma may use only what stands above it, so that nothing is proved from itself.",
                "evaluation",
            )
    return tuple(known[name] for name in lemma.uses)
