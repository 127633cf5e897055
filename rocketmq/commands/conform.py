"""`rmqproof conform --rocketmq`: the command of the checker, with the real controller of a release as implementation.

The model is one with the shipped controller's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from rmqproof.conformance.guard import AdapterFactory
from rmqproof.conformance.loading import REFERENCE
from rmqproof.conformance.subject import open_files
from rmqproof.model.cli.commands import conform
from rmqproof.model.cli.commands.conform import Target, TargetUnusable
from rmqproof.model.cli.writable import Output
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq import controller_only
from rmqproof.rocketmq.adapter import Tally, adapter_of
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.releases import get_release, with_broker_ids, with_jraft
from rmqproof.rocketmq.replicas_info_manager import RaftReplicasInfoManager, ReplicasInfoManager
from rmqproof.rocketmq.shipped import with_shipped_controller

_OPTIONS = (
    click.Option(
        ["--rocketmq"],
        metavar="VERSION",
        help="The controller is the one of this release of RocketMQ, with the shipped rules (see rmqproof rocketmq"
        " get).",
    ),
    click.Option(
        ["--jraft"],
        is_flag=True,
        help="With --rocketmq: the class of controllers on JRaft, RaftReplicasInfoManager (since 5.2.0).",
    ),
    click.Option(["--java"], type=click.Path(exists=True, path_type=Path), metavar="HOME", help="With --rocketmq."),
    click.Option(
        ["--calls"],
        type=Output(folder=True),
        metavar="DIR",
        help="With --rocketmq: keep every different request with its answer here, as NDJSON.",
    ),
)


def _compare(rocketmq: str | None, jraft: bool, java: Path | None, calls: Path | None, **given: Any) -> None:
    if rocketmq is None:
        if jraft or java is not None or calls is not None:
            raise click.UsageError("--jraft, --java and --calls go with --rocketmq.")
        conform.compare(None, **given)
    if given["engine"] == "spark" or given["adapter"] != REFERENCE:
        raise click.UsageError("--rocketmq goes neither with --engine spark nor with --adapter.")
    conform.compare(partial(real_controller, rocketmq, jraft, java, calls), **given)


_PLAIN = conform.command.params
_AFTER = next(place for place, option in enumerate(_PLAIN) if option.name == "adapter") + 1
command = click.Command(
    "conform",
    params=[*_PLAIN[:_AFTER], *_OPTIONS, *_PLAIN[_AFTER:]],
    callback=_compare,
    help=conform.command.help,
)


@contextmanager
def real_controller(
    version: str, jraft: bool, java: Path | None, calls: Path | None, files: ModelFiles
) -> Iterator[Target]:
    """Raise `TargetUnusable`, and `TlaError` for a model that is not one of ControllerMode."""
    try:
        release = with_broker_ids(get_release(version))
        release = with_jraft(release) if jraft else release
        find_java(java)
        if files.config is None:
            raise RocketmqError(f"{files.spec} has no configuration.", "Name one of spec/models/*.cfg.")
        alone = files.spec.stem == controller_only.SPECIFICATION
        replaced: dict[str, str] = {}
        shipped, replaced = (files, replaced) if alone else with_shipped_controller(files)
        make_of: Callable[..., AdapterFactory] = controller_only.real if alone else adapter_of
        subject = open_files(shipped, f"rmqproof conform {files.config} --rocketmq {version}", files.name)
        # reports name what the model was made from
        origin = replace(subject.origin, specification=str(files.spec), config=str(files.config))
        subject, tally = replace(subject, origin=origin), Tally(calls)
        make = make_of(release, java, tally, jraft)
        asked = f"class {(RaftReplicasInfoManager if jraft else ReplicasInfoManager).name}"
        notes = partial(_notes, f"{release.title}, {asked}", tally, replaced)
        yield Target(f"the controller of {release.title}", make, subject, notes)
    except RocketmqError as error:
        raise TargetUnusable(str(error)) from None


def _notes(asked: str, tally: Tally, replaced: dict[str, str]) -> list[str]:
    if not replaced:
        return [f"{asked}, alone.", *_asked(tally)]
    return [
        f"Controller: {asked}; brokers: the reference implementation.",
        *_asked(tally),
        "Rules as shipped: " + ", ".join(sorted(replaced)) + ".",
    ]


def _asked(tally: Tally) -> list[str]:
    return [
        f"Asked of the real class: {tally.asked:,} times, {tally.different:,} different requests in"
        " different states (each process remembers what it asked).",
    ]
