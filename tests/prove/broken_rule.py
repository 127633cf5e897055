"""A lemma about a step, asked with one rule of the protocol replaced by a broken one."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import CliRunner, Result

from rmqproof.model.cli.commands.prove import command
from rmqproof.model.tla.library import PROTOCOL, bundled


def asked_with(folder: Path, module: str, rule: str, broken: str, definition: str, lemma: str, action: str) -> Result:
    """`module` of spec/lemmas with `rule <- broken`, of which `definition` is the text."""
    for source in (*PROTOCOL.glob("core/*.tla"), *PROTOCOL.glob("lemmas/*.tla")):
        shutil.copy(source, folder)
    path = folder / "Broken.tla"
    path.write_text(f"---- MODULE Broken ----\nEXTENDS {module}\n{definition}\n====\n", encoding="utf-8")
    config = bundled(f"{module}.cfg").read_text(encoding="utf-8")
    replaced = config.replace("CONSTANTS\n", f"CONSTANTS\n  {rule} <- {broken}\n")
    assert replaced != config
    path.with_suffix(".cfg").write_text(replaced, encoding="utf-8")
    only = ["--lemma", lemma, "--action", action, "--timeout", "10", "--workers", "1"]
    return CliRunner().invoke(command, [str(path), *only])
