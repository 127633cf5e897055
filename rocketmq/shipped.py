"""A model with the controller's rules as RocketMQ ships them, written beside the one that was named."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.tla.config import read_config

CONTROLLER_RULES = {
    "FirstElected": "FirstElectedAsShipped",
    "EligibleUncleanly": "EligibleUncleanlyAsShipped",
    "MayBeCleaned": "MayBeCleanedAsShipped",
    "NumberMayReturn": "NumberMayReturnAsShipped",
    "EpochAfterClean": "EpochAfterCleanAsShipped",
    "SssEpochAfterClean": "SssEpochAfterCleanAsShipped",
    "SyncStateSetAfterClean": "SyncStateSetAfterCleanAsShipped",
    "MayResume": "MayResumeAsShipped",
}
"""Rules of spec/Rules.tla about what a controller does and is asked, and their readings in spec/AsShipped.tla."""


def with_shipped_controller(spec: Path, config: Path, folder: Path) -> tuple[Path, Path, dict[str, str]]:
    """A specification and a configuration in `folder`, and the rules that are replaced now. What the configuration
    replaces itself stays as it is."""
    given = {each.name.text for each in read_config(config).replacements}
    replaced = {rule: reading for rule, reading in CONTROLLER_RULES.items() if rule not in given}
    name = f"{config.stem}WithShippedController"
    made = folder / f"{name}.tla"
    text = f"---- MODULE {name} ----\nEXTENDS {', '.join(dict.fromkeys((spec.stem, 'AsShipped')))}\n====\n"
    made.write_text(text, encoding="utf-8")
    lines = "".join(f"  {rule} <- {reading}\n" for rule, reading in replaced.items())
    settings = folder / f"{name}.cfg"
    settings.write_text(f"{config.read_text(encoding='utf-8')}\nCONSTANTS\n{lines}", encoding="utf-8")
    return made, settings, replaced
