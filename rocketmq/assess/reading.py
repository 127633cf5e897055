"""What the files say: the value of every deciding setting, where it comes from, and what is odd about the files."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from rmqproof.model.tla.source import Location
from rmqproof.rocketmq.assess.properties_file import BYTE_ORDER_MARK, Entry, PropertiesFile
from rmqproof.rocketmq.assess.settings import SETTINGS, Choice, Setting, Side, settings_of


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a setting. `at` None: RocketMQ's default."""

    setting: Setting
    value: Choice
    at: Location | None = None

    def __str__(self) -> str:
        return f"{self.setting.name}={shown(self.value)}"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something in a file that does not do what it seems to. `serious`: a deciding setting has no effect."""

    sentence: str
    at: Location | None
    remedy: str = ""
    serious: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One file. `values` holds every setting of its side, by name."""

    source: str
    values: dict[str, Value]
    remarks: tuple[Remark, ...]

    def __getitem__(self, name: str) -> Choice:
        return self.values[name].value

    def shown(self) -> Iterator[Value]:
        """What is worth a row: what decides, and what a file sets."""
        return (value for value in self.values.values() if value.setting.usual or value.at is not None)


def shown(value: Choice) -> str:
    """A value as a properties file has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_side(file: PropertiesFile, side: Side) -> Reading:
    """The settings of one side out of a file."""
    known = {setting.name: setting for setting in settings_of(side)}
    values = {name: Value(setting, setting.default) for name, setting in known.items()}
    remarks: list[Remark] = []
    for entry, last in file.overridden:
        if entry.assigned or entry.name in known:
            remarks.append(
                Remark(
                    f"{entry.name} is set again in line {last.at.line}; the last one counts.", entry.at, "Remove one."
                )
            )
    strangers = []
    for name, entry in file.effective.items():
        if name in known:
            setting = known[name]
            remarks += _oddities(setting, entry)
            value = setting.read(entry.value)
            values[name] = Value(setting, setting.default if value is None else value, entry.at)
        else:
            strangers.append(entry)
    remarks += _strangers(strangers, side)
    return Reading(file.source.name, values, tuple(remarks))


def empty_reading(side: Side, source: str) -> Reading:
    """Nothing but defaults."""
    return Reading(source, {setting.name: Value(setting, setting.default) for setting in settings_of(side)}, ())


def _oddities(setting: Setting, entry: Entry) -> Iterator[Remark]:
    text = entry.value
    default = shown(setting.default)
    if isinstance(setting.default, bool):
        if text.lower() not in ("true", "false"):
            meant = (
                f"Write {entry.name}={text.strip().lower()}"
                if text.strip().lower() in ("true", "false")
                else (f"Write {entry.name}=true or {entry.name}=false")
            )
            blank = " (there is a blank at its end)" if text != text.strip() else ""
            yield Remark(
                f"RocketMQ reads {entry.name}={text!r} as false{blank}: only `true` is true.",
                entry.at,
                f"{meant}.",
                True,
            )
    elif setting.read(text) is None:
        kind = "one of " + ", ".join(setting.choices) if setting.choices else f"a whole number of {setting.bits} bits"
        yield Remark(
            f"{entry.name}={text!r} is not {kind}, and RocketMQ keeps its default {default} in silence.",
            entry.at,
            "Correct the value; mind blanks at its end.",
            True,
        )


MOST_STRANGERS = 50
"""So many unknown names are told one by one."""


def _strangers(entries: Sequence[Entry], side: Side) -> Iterator[Remark]:
    known = {name for names in _other_names().values() for name in names} | {each.name for each in SETTINGS}
    prose = [entry for entry in entries if not entry.assigned and entry.name not in known]
    named = [entry for entry in entries if entry.assigned or entry.name in known]
    for entry in named[:MOST_STRANGERS]:
        yield from _stranger(entry, side)
    if len(named) > MOST_STRANGERS:
        others = [entry for entry in named[MOST_STRANGERS:] if entry.name not in known]
        if others:
            yield Remark(
                f"Of {len(others):,} more settings of this file RocketMQ knows none, and ignores them in silence; the "
                f"first is {others[0].name[:60]}.",
                others[0].at,
            )
    if prose:
        yield Remark(
            f"{len(prose)} line{'s' if len(prose) > 1 else ''} from here on "
            f"{'are' if len(prose) > 1 else 'is'} read as settings that nobody knows ({prose[0].name[:60]}), "
            "and ignored.",
            prose[0].at,
            "A comment begins with #; a setting is name=value.",
        )


def _stranger(entry: Entry, side: Side) -> Iterator[Remark]:
    others = _other_names()
    mine = [*(setting.name for setting in settings_of(side)), *others[side.value]]
    if entry.name in others[side.value]:
        return
    other = Side.CONTROLLER if side is Side.BROKER else Side.BROKER
    if entry.name in [*(setting.name for setting in settings_of(other)), *others[other.value]]:
        deciding = entry.name in {setting.name for setting in settings_of(other)}
        yield Remark(
            f"{entry.name} is a {other.value}'s setting: a {side.value} does not read it.",
            entry.at,
            f"Put it into the {other.value}'s file.",
            deciding,
        )
        return
    if entry.name.startswith(BYTE_ORDER_MARK):
        name = entry.name.removeprefix(BYTE_ORDER_MARK)
        yield Remark(
            "The file begins with a byte order mark, which Java takes for a part of the first name: "
            f"{name} is not set.",
            entry.at,
            "Save the file as UTF-8 without BOM.",
            name in {setting.name for setting in settings_of(side)},
        )
        return
    likely = difflib.get_close_matches(entry.name, mine, 1, 0.75) or [
        name for name in mine if name.lower() == entry.name.lower()
    ]
    deciding = bool(likely) and likely[0] in {setting.name for setting in settings_of(side)}
    remedy = f"Is {likely[0]} meant?" if likely else ""
    yield Remark(f"RocketMQ knows no setting {entry.name}, and ignores it in silence.", entry.at, remedy, deciding)


@cache
def _other_names() -> dict[str, list[str]]:
    text = resources.files("rmqproof.rocketmq.assess").joinpath("other_settings.toml").read_text(encoding="utf-8")
    return {side: list(names) for side, names in tomllib.loads(text).items()}
