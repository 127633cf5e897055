"""Which models somebody names: a specification, a configuration, or a folder of configurations.

A configuration is a .cfg file, or a section of a specification (see `config_file`), which counts where there is no
.cfg file of that name. It belongs to the specification of the same name, or to the one that a line of it names:

    \\* SPEC ControllerMode.tla
    \\* GROUP large

`\\* LIBRARY folder` is a folder in which modules are looked for, too; there may be several such lines.

A name as `rmqproof:Operations.tla` is that of a specification that comes with rmqproof, wherever the configuration is,
and `rmqproof:` stands for the folders of their modules.

`GROUP` puts a model into a group for `check --group`; without such a line it is in `default`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.config_entries import Config
from rmqproof.model.tla.config_file import config_of, config_text
from rmqproof.model.tla.kept_models import model_of
from rmqproof.model.tla.library import configs_about, folders_of, spec_of
from rmqproof.model.tla.overrides import NONE, Overrides
from rmqproof.model.tla.source import DISK, Texts, TlaError

_SPEC = re.compile(r"^[ \t]*\\\*[ \t]*SPEC[ \t]+(\S+)[ \t]*$", re.MULTILINE)
_GROUP = re.compile(r"^[ \t]*\\\*[ \t]*GROUP[ \t]+(\S+)[ \t]*$", re.MULTILINE)
DEFAULT_GROUP = "default"
_LIBRARY = re.compile(r"^[ \t]*\\\*[ \t]*LIBRARY[ \t]+(\S+)[ \t]*$", re.MULTILINE)


class NoModel(Exception):
    """What was named is no model; the message says what to do."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A specification and a configuration of it, and all else that a model is read from.

    `config` None: a module without one. `texts` may stand for files; `overrides` has the last word on what the
    configuration says.
    """

    spec: Path
    config: Path | None
    group: str = DEFAULT_GROUP
    texts: Texts = DISK
    overrides: Overrides = NONE
    search_path: tuple[Path, ...] = ()
    """Folders in which modules are looked for, too."""

    @property
    def name(self) -> str:
        return (self.config or self.spec).stem

    @property
    def config_text(self) -> str:
        """The configuration's text without the overrides. Raise `TlaError`."""
        return config_text(self.config, self.texts)

    def configuration(self) -> Config | None:
        """What the configuration says, with the overrides. Raise `TlaError`."""
        from rmqproof.model.tla.config import read_config  # which imports a parser

        config = self.config or config_of(self.spec, self.texts)
        return self.overrides.applied(read_config(config, self.texts) if config is not None else None)

    def overridden(self, text: str, without: Iterable[str] = ()) -> ModelFiles:
        """The model with these lines of a configuration in the place of its own, without these names in any list."""
        return replace(self, overrides=self.overrides.joined(text, without))

    def extended(self, name: str, text: str) -> ModelFiles:
        """The model with the module `name`, of this text, as its root; it EXTENDS the present one."""
        root = self.spec.with_name(f"{name}.tla")
        texts = Texts((*self.texts.given, (root, text)))
        return replace(self, spec=root, config=self.config or config_of(self.spec, self.texts), texts=texts)

    def load(self) -> core.Model:
        """Raise `TlaError` as `load_model`. It is kept for the next time."""
        return model_of(
            self.spec, self.config, search_path=self.search_path, texts=self.texts, overrides=self.overrides
        )


def files_of(spec: Path, config: Path | None = None) -> ModelFiles:
    """A specification with this configuration, else the one that goes by its name, else none. Raise `NoModel`."""
    return ModelFiles(spec, config, search_path=tuple(_libraries(config or config_of(spec))))


def find_models(
    paths: Sequence[Path], configs: Sequence[Path] = (), library: Sequence[str | Path] = ()
) -> list[ModelFiles]:
    """The models that `paths` name, in a fixed order. Raise `NoModel`.

    `library`: folders in which modules are looked for, too, before those that the configuration names.
    """
    models = _named(paths, configs)
    given = tuple(folder for name in library for folder in _folders(str(name), Path()))
    return [replace(files, search_path=(*given, *_libraries(files.config))) for files in models]


def _libraries(config: Path | None) -> Iterator[Path]:
    if config is not None:
        for name in _LIBRARY.findall(_text(config)):
            yield from _folders(name, config.parent)


def _folders(name: str, beside: Path) -> tuple[Path, ...]:
    folders = folders_of(name, beside)
    if not all(folder.is_dir() for folder in folders):
        raise NoModel(f"{name}: there is no such folder to look for modules in.")
    return folders


def _named(paths: Sequence[Path], configs: Sequence[Path]) -> list[ModelFiles]:
    if configs:
        if len(paths) != 1 or paths[0].suffix != ".tla":
            raise NoModel("--config goes with exactly one SPEC.tla.")
        return [ModelFiles(paths[0], config, _group(config)) for config in configs]
    found: list[ModelFiles] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(_configs(path))
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


def _configs(folder: Path) -> Iterator[Path]:
    """The configurations in a folder and the folders in it."""
    for path in folder.rglob("*"):
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        if path.suffix == ".cfg" or (path.suffix == ".tla" and path.is_file() and config_of(path) == path):
            yield path


def _of_spec(spec: Path) -> ModelFiles:
    config = config_of(spec)
    if config is not None:
        return ModelFiles(spec, config, _group(config))
    others = [str(path) for path in configs_about(spec) if _same(spec, _named_spec(path))]
    if others:
        beside = spec.with_suffix(".cfg")
        raise NoModel(f"{beside} does not exist. Choose with --config one of: {', '.join(others)}")
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
    return spec_of(match[1], config.parent) if match is not None else None


def _same(spec: Path, named: Path | None) -> bool:
    return named is not None and spec.name == named.name and spec.resolve() == named.resolve()


def _group(config: Path) -> str:
    match = _GROUP.search(_text(config))
    return match[1] if match else DEFAULT_GROUP


def _text(config: Path) -> str:
    try:
        return config_text(config)
    except TlaError as error:
        if error.kind != "system":
            return ""  # whoever reads it next says what is wrong
        raise NoModel(str(error)) from None
