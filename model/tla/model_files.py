"""Which models somebody names: a specification, a configuration, or a folder of configurations.

A configuration belongs to the specification of the same name, or to the one that a line of it names:

    \\* SPEC ControllerMode.tla
    \\* GROUP large

`GROUP` puts a model into a group for `check --group`; without such a line it is in `default`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SPEC = re.compile(r"^[ \t]*\\\*[ \t]*SPEC[ \t]+(\S+)[ \t]*$", re.MULTILINE)
_GROUP = re.compile(r"^[ \t]*\\\*[ \t]*GROUP[ \t]+(\S+)[ \t]*$", re.MULTILINE)
DEFAULT_GROUP = "default"


class NoModel(Exception):
    """What was named is no model; the message says what to do."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A specification and a configuration of it. `config` None: a module without one."""

    spec: Path
    config: Path | None
    group: str = DEFAULT_GROUP

    @property
    def name(self) -> str:
        return (self.config or self.spec).stem


def find_models(paths: Sequence[Path], configs: Sequence[Path] = ()) -> list[ModelFiles]:
    """The models that `paths` name, in a fixed order. Raise `NoModel`."""
    if configs:
        if len(paths) != 1 or paths[0].suffix != ".tla":
            raise NoModel("--config goes with exactly one SPEC.tla.")
        return [ModelFiles(paths[0], config, _group(config)) for config in configs]
    found: list[ModelFiles] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.cfg") if not any(part.startswith(".") for part in p.parts))
            if not inside:
                raise NoModel(f"{path}: there is no configuration (.cfg) in this folder.")
            found += [_of_config(config) for config in inside]
        elif path.suffix == ".cfg":
            found.append(_of_config(path))
        elif path.suffix == ".tla":
            found.append(_of_spec(path))
        else:
            raise NoModel(f"{path}: give a specification (.tla), a configuration (.cfg) or a folder.")
    return found


def _of_spec(spec: Path) -> ModelFiles:
    config = spec.with_suffix(".cfg")
    if config.exists():
        return ModelFiles(spec, config, _group(config))
    others = [str(path) for path in sorted(spec.parent.glob("*.cfg")) if spec == _named_spec(path)]
    if others:
        raise NoModel(f"{config} does not exist. Choose with --config one of: {', '.join(others)}")
    return ModelFiles(spec, None)


def _of_config(config: Path) -> ModelFiles:
    spec = _named_spec(config) or config.with_suffix(".tla")
    if not spec.exists():
        raise NoModel(
            f"{config}: its specification {spec} does not exist. Name it in the configuration: \\* SPEC Name.tla"
        )
    return ModelFiles(spec, config, _group(config))


def _named_spec(config: Path) -> Path | None:
    match = _SPEC.search(_text(config))
    return config.parent / match[1] if match else None


def _group(config: Path) -> str:
    match = _GROUP.search(_text(config))
    return match[1] if match else DEFAULT_GROUP


def _text(config: Path) -> str:
    try:
        return config.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise NoModel(f"{config}: {error.strerror}") from None
