"""Lemmas, asked with rules of the protocol replaced by broken ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.modules import Sizes, open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.tla.library import PROTOCOL, bundled


def copy_modules(folder: Path, *parts: str) -> None:
    """Put the modules of spec/lemmas, and what they extend, into `folder`, and those of other `parts` of spec."""
    for part in ("core", "lemmas", *parts):
        for source in PROTOCOL.glob(f"{part}/*.tla"):
            shutil.copy(source, folder)


def asked_with(folder: Path, module: str, rule: str, broken: str, definition: str, lemma: str, action: str) -> Result:
    """`module` of spec/lemmas with `rule <- broken`, of which `definition` is the text."""
    copy_modules(folder)
    path = folder / "Broken.tla"
    path.write_text(f"---- MODULE Broken ----\nEXTENDS {module}\n{definition}\n====\n", encoding="utf-8")
    config = bundled(f"{module}.cfg").read_text(encoding="utf-8")
    replaced = config.replace("CONSTANTS\n", f"CONSTANTS\n  {rule} <- {broken}\n")
    assert replaced != config
    path.with_suffix(".cfg").write_text(replaced, encoding="utf-8")
    only = ["--lemma", lemma, "--action", action, "--timeout", "10", "--workers", "1"]
    return CliRunner().invoke(command, [str(path), *only])


def opened_with(
    folder: Path, lemmas: str, module: str, rules: Sequence[str], dropped: str = "", replicas: int | None = None
) -> Subject:
    """`lemmas` of spec/lemmas with rules that `module` of the protocol has in the place of others.

    `rules`: lines of a configuration. `dropped`: one that the configuration of the lemmas has, and that goes.
    `replicas`: for so many brokers; None for those of the configuration.
    """
    copy_modules(folder, "bugs")
    path = folder / "Broken.tla"
    path.write_text(f"---- MODULE Broken ----\nEXTENDS {lemmas}, {module}\n====\n", encoding="utf-8")
    config = bundled(f"{lemmas}.cfg").read_text(encoding="utf-8").replace(dropped, "")
    path.with_suffix(".cfg").write_text("\n".join([config, "CONSTANTS", *rules, ""]), encoding="utf-8")
    return open_module(path, sizes=Sizes(replicas))


def rules_of(model: str) -> tuple[str, list[str]]:
    """The module of a model of spec/bugs, and the lines of its configuration that replace rules."""
    text = bundled(f"{model}.cfg").read_text(encoding="utf-8")
    spec = re.search(r"SPEC (\w+)\.tla", text)
    return spec[1] if spec else model, re.findall(r"^  (?:\w+ <- \w+|MaxSets = \d+)$", text, re.M)
