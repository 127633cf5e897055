"""A model with the controller's rules as RocketMQ ships them."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.tla.model_files import ModelFiles

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
"""Rules of spec/core/Rules.tla about what a controller does and is asked, and their readings in AsShipped.tla."""


def with_shipped_controller(files: ModelFiles) -> tuple[ModelFiles, dict[str, str]]:
    """The model with these rules, and which are replaced now. What the configuration replaces itself stays as it is."""
    configuration = files.configuration()
    given = {each.name.text for each in configuration.replacements} if configuration is not None else set()
    replaced = {rule: reading for rule, reading in CONTROLLER_RULES.items() if rule not in given}
    name = f"{files.name}WithShippedController"
    text = f"---- MODULE {name} ----\nEXTENDS {', '.join(dict.fromkeys((files.spec.stem, 'AsShipped')))}\n====\n"
    lines = "".join(f"  {rule} <- {reading}\n" for rule, reading in replaced.items())
    over = replace(files.overrides, text=f"{files.overrides.text}\nCONSTANTS\n{lines}")
    return replace(files.extended(name, text), overrides=over), replaced
