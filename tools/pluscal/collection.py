"""Folders with algorithms: which modules have one, and which of their configurations check one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.pluscal.translate import has_algorithm, has_translation

_EXTENDS = re.compile(r"^\s*EXTENDS\s+([\w, \t\n]+?)$", re.MULTILINE)
_OWN = re.compile(r"^[ \t]*(Init|Next|Spec|vars)[ \t]*==", re.MULTILINE)
_OPTIONS = re.compile(r'super\("(\w+)", "pcal"(?:, new String\[\] \{([^}]*)\})?')


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A module. `options` are those that TLC's own tests translate it with."""

    file: Path
    root: Path
    options: str = ""

    @property
    def name(self) -> str:
        return str(self.file.relative_to(self.root))


@dataclass(frozen=True, slots=True)
class Job:
    """A model that runs the algorithms of a folder. `config` None: the one that TLC's translator writes."""

    module: Path
    config: Path | None
    options: str
    root: Path

    @property
    def name(self) -> str:
        return str((self.config or self.module).relative_to(self.root))


def text_of(file: Path) -> str:
    return file.read_text("utf-8", errors="replace").replace("\r\n", "\n")


def is_translated(text: str) -> bool:
    """Its algorithm is what is checked, and not only there to be read."""
    if not has_algorithm(text):
        return False
    return has_translation(text) or not _OWN.search(text)


def algorithms(root: Path, tests: Path | None = None) -> Iterator[Algorithm]:
    """All below `root`. `tests`: the folder of the Java tests that say options."""
    known = _options(tests) if tests is not None else {}
    for file in sorted(root.rglob("*.tla")):
        if ".toolbox" not in str(file) and has_algorithm(text_of(file)):
            yield Algorithm(file, root, known.get(file.stem, ""))


def module_of(config: Path) -> Path | None:
    """The module beside a configuration that has its name, or the longest beginning of it."""
    fitting = [file for file in config.parent.glob("*.tla") if config.stem.startswith(file.stem)]
    return max(fitting, key=lambda file: len(file.stem), default=None)


def jobs(found: list[Algorithm]) -> Iterator[Job]:
    for folder in sorted({each.file.parent for each in found}):
        here = {each.file.stem: each for each in found if each.file.parent == folder}
        modules = {file.stem: file for file in sorted(folder.glob("*.tla"))}
        extended = {name: _reached(name, modules) for name in modules}
        checked: set[str] = set()
        for config in sorted(folder.glob("*.cfg")):
            module = module_of(config)
            run = [here[each] for each in extended[module.stem] if each in here] if module is not None else []
            run = [each for each in run if is_translated(text_of(each.file))]
            if module is not None and run:
                checked.update(each.file.stem for each in run)
                yield Job(module, config, run[0].options, run[0].root)
        for name, algorithm in here.items():
            if name not in checked and is_translated(text_of(algorithm.file)):
                yield Job(algorithm.file, None, algorithm.options, algorithm.root)


def _reached(name: str, modules: dict[str, Path]) -> list[str]:
    """The modules of the folder that it is made of, itself first."""
    found = [name]
    for each in found:
        for match in _EXTENDS.finditer(text_of(modules[each])):
            for word in re.findall(r"\w+", match[1]):
                if word in modules and word not in found:
                    found.append(word)
    return found


def _options(tests: Path) -> dict[str, str]:
    found = {}
    for file in sorted(tests.glob("*Test.java")):
        match = _OPTIONS.search(file.read_text())
        if match is not None:
            found[match[1]] = ", ".join(re.findall(r'"([^"]+)"', match[2] or ""))
    return found
