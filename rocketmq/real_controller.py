"""`conform --rocketmq`: a model with the shipped controller's rules, and the real controller of a release."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rmqproof.conformance.adapter import Adapter
from rmqproof.conformance.subject import ModelSubject, open_model
from rmqproof.model.cli.models import ModelFiles
from rmqproof.rocketmq.adapter import Tally, adapter_of
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.releases import Release, get_release
from rmqproof.rocketmq.shipped import with_shipped_controller


@dataclass(frozen=True, slots=True)
class RealController:
    release: Release
    make: Callable[[], Adapter]
    subject: ModelSubject
    replaced: dict[str, str]
    tally: Tally

    @property
    def name(self) -> str:
        return f"the controller of {self.release.title}"

    def notes(self) -> list[str]:
        """What to say after a comparison."""
        return [
            f"Controller: {self.release.title}, class ReplicasInfoManager; brokers: the reference implementation.",
            f"Asked of the real class: {self.tally.asked:,} times, {self.tally.different:,} different requests in"
            " different states (each process remembers what it asked).",
            "Rules as shipped: " + ", ".join(sorted(self.replaced)) + ".",
        ]


@contextmanager
def real_controller(version: str, java: Path | None, files: ModelFiles, calls: Path | None) -> Iterator[RealController]:
    """Raise `RocketmqError`, and `TlaError` for a model that is not one of ControllerMode."""
    release = get_release(version)
    find_java(java)
    if files.config is None:
        raise RocketmqError(f"{files.spec} has no configuration.", "Name one of spec/*.cfg.")
    with tempfile.TemporaryDirectory(prefix="rmqproof-shipped-") as folder:
        spec, config, replaced = with_shipped_controller(files.spec, files.config, Path(folder))
        command = f"rmqproof conform {files.config} --rocketmq {version}"
        subject = open_model(spec, config, command, files.name, [files.spec.parent])
        # what was written for this run is gone after it: reports name what it was made from
        origin = replace(subject.origin, specification=str(files.spec), config=str(files.config))
        subject, tally = replace(subject, origin=origin), Tally(calls)
        yield RealController(release, adapter_of(release, java, tally), subject, replaced, tally)
