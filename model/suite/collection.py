"""Read a collection of models with published results, laid out as tlaplus/Examples is.

Every folder of `specifications/` has a `manifest.json`:

    {"modules": [{"path": "specifications/A/A.tla",
                  "models": [{"path": "specifications/A/A.cfg", "runtime": "00:00:01",
                              "mode": "exhaustive search", "result": "success",
                              "distinctStates": 6, "totalStates": 15, "stateDepth": 2}]}]}

Paths count from the collection's root. The counts may be missing.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_RUNTIME = re.compile(r"(\d+):(\d\d):(\d\d)")


class CollectionError(Exception):
    """The folder is not such a collection; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Counts:
    """TLC's three counts; None where they are not known."""

    distinct: int | None = None
    total: int | None = None
    depth: int | None = None

    @property
    def known(self) -> bool:
        return self.distinct is not None or self.total is not None

    def __str__(self) -> str:
        return "/".join("?" if n is None else f"{n:,}" for n in (self.distinct, self.total, self.depth))


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A model and what is published about it. `seconds` is how long TLC took, None when unknown.

    `mode` is `exhaustive search`, `symbolic`, `generate` or `simulate`. `root` is where relative paths that the
    specification itself uses (files it reads) count from.
    """

    name: str
    root: Path
    spec: Path
    config: Path
    mode: str
    result: str
    counts: Counts
    seconds: float | None


def read_collection(folder: Path, only: str = "") -> list[PublishedModel]:
    """The models whose name contains `only`, those that TLC checks soonest first.

    `folder` is the root, its `specifications`, or one folder of these. Raise `CollectionError`.
    """
    root, manifests = _manifests(folder)
    models = [model for manifest in manifests for model in _models(root, manifest)]
    if not models:
        raise CollectionError(f"{folder}: there is no specifications/*/manifest.json that lists a model")
    chosen = [model for model in models if only.lower() in model.name.lower()]
    return sorted(chosen, key=lambda model: (model.seconds is None, model.seconds, model.counts.total or 0, model.name))


def _manifests(folder: Path) -> tuple[Path, list[Path]]:
    for root, pattern in (
        (folder, "specifications/*/manifest.json"),
        (folder.parent, f"{folder.name}/*/manifest.json"),
        (folder.parent.parent, f"{folder.parent.name}/{folder.name}/manifest.json"),
    ):
        found = sorted(root.glob(pattern))
        if found:
            return root, found
    raise CollectionError(f"{folder}: there is no specifications/*/manifest.json")


def _models(root: Path, manifest: Path) -> list[PublishedModel]:
    try:
        content = json.loads(manifest.read_text(encoding="utf-8"))
        return [_model(root, module, model) for module in content["modules"] for model in module["models"]]
    except (ValueError, KeyError, TypeError) as error:
        raise CollectionError(f"{manifest}: it cannot be read as a manifest: {error!r}") from None


def _model(root: Path, module: dict[str, Any], model: dict[str, Any]) -> PublishedModel:
    mode = model["mode"]
    spec, config = Path(module["path"]), Path(model["path"])
    return PublishedModel(
        name=_name(spec, config),
        root=root,
        spec=root / spec,
        config=root / config,
        mode=mode if isinstance(mode, str) else next(iter(mode)),
        result=model["result"],
        counts=Counts(model.get("distinctStates"), model.get("totalStates"), model.get("stateDepth")),
        seconds=_seconds(model["runtime"]),
    )


def _name(spec: Path, config: Path) -> str:
    """`Paxos/MCPaxos`, or `Paxos/MCPaxos:MCPaxosTiny` when the configuration has another name."""
    folders = [part for part in spec.parent.parts if part != "specifications"]
    name = "/".join([*folders, spec.stem])
    return name if config.stem == spec.stem else f"{name}:{config.stem}"


def _seconds(runtime: str) -> float | None:
    match = _RUNTIME.fullmatch(runtime)
    if match is None:
        return None
    hours, minutes, seconds = map(int, match.groups())
    return 3600.0 * hours + 60.0 * minutes + seconds
