"""`python -m tools.fuzz.mutants`: models with a word or the layout changed, asked of TLC and of the engines.

A model is a configuration beside its module. First each is asked as it is: those on which the checkers differ are told,
and not changed. Then one or two places of a module that the model reads are changed: another operator of the same sort,
another name of the module, another number, a prime less, a set or a tuple of a name, an item of a list moved.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from tools.fuzz.compared import compared, told
from tools.fuzz.tlc import classpath
from tools.pluscal.collection import module_of

_WORD = re.compile(
    r"""\s+|"(?:[^"\\\n]|\\.)*"|\\\*[^\n]*|\(\*.*?\*\)|\w+|-{4,}|={4,}|\\[A-Za-z]+
    |<=>|\|->|<<|>>_|>>|\]_|\|\||==|=>|=<|<=|>=|/\\|\\/|\.\.|->|<-|::|:=|~>|\[\]|<>|/=|.""",
    re.DOTALL | re.VERBOSE,
)
_KEYWORDS_TEXT = (
    "EXTENDS VARIABLE VARIABLES CONSTANT CONSTANTS ASSUME THEOREM INSTANCE WITH LOCAL MODULE IF THEN ELSE CASE OTHER "
    "LET IN EXCEPT CHOOSE DOMAIN SUBSET UNION ENABLED UNCHANGED RECURSIVE LAMBDA BY PROOF"
)
_KEYWORDS = frozenset(_KEYWORDS_TEXT.split())
_SORTS_TEXT = r"""
/\ \/ => <=>
\A \E
= # \in < > <= >= \notin \subseteq
+ - * \div % ..
\cup \cap \ \union
TRUE FALSE
WF_ SF_
[] <>
~> =>
"""
_SORTS = [line.split() for line in _SORTS_TEXT.strip().splitlines()]
"""Each may stand where another one of its line stands."""
_BEFORE_AN_ITEM = ("~", r"TRUE /\ ", r"FALSE \/ ")
_OF_A_NAME = (
    *("{%s}", "<<%s>>", "(%s)'", "~%s", "1", "{}", "DOMAIN %s", "SUBSET %s", "UNION %s", "Cardinality(%s)"),
    *("[%s EXCEPT ![1] = 1]", "%s[1]", "Len(%s)"),
)
TRIES = 1000
"""Draws of a model and a module after which it is given up."""
LARGEST = 30_000
"""Letters that a module has at most that is changed."""


@dataclass(frozen=True, slots=True)
class Model:
    config: Path
    root: Path


@dataclass(frozen=True, slots=True)
class Changed:
    """A model with a module that is changed; as it is where `module` is None."""

    seed: int
    model: Model
    module: Path | None = None
    text: str = ""

    def __str__(self) -> str:
        if self.module is None:
            return str(self.model.config)
        before = self.module.read_text(encoding="utf-8").splitlines()
        lines = [line.strip() for line in self.text.splitlines() if line not in before]
        return f"{self.model.config}, {self.module.name}: {' … '.join(lines)}"

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        for file in self.model.root.parent.glob("*.tla"):
            shutil.copy(file, folder)
        root = folder / self.model.root.name
        shutil.copy(self.model.config, root.with_suffix(".cfg"))
        if self.module is not None:
            (folder / self.module.name).write_text(self.text, encoding="utf-8")
        return root


def models_in(folders: Iterable[Path]) -> list[Model]:
    """The configurations that have a module."""
    configs = (config for folder in folders for config in sorted(folder.rglob("*.cfg")))
    return [Model(config, root) for config in configs if (root := module_of(config)) is not None]


def changed(seed: int, models: Sequence[Model]) -> Changed:
    """The model with this number, on every machine the same. Raise `click.UsageError` where none can be changed."""
    random = Random(seed)
    for _ in range(TRIES if models else 0):
        model = random.choice(models)
        module = random.choice(_read_by(model.root))
        text = _edited(module.read_text(encoding="utf-8"), random)
        if text is not None:
            return Changed(seed, model, module, text)
    raise click.UsageError("There is no model in these folders, a .cfg beside its .tla, that can be changed.")


def _read_by(root: Path) -> list[Path]:
    """The modules beside this one whose names it has, or one of them."""
    beside = {file.stem: file for file in sorted(root.parent.glob("*.tla"))}
    found = [root]
    for module in found:  # grows meanwhile
        words = set(re.findall(r"\w+", module.read_text(encoding="utf-8")))
        found += [file for name, file in beside.items() if name in words and file not in found]
    return found


def _edited(text: str, random: Random) -> str | None:
    """None where the module is too large, or nothing was changed."""
    words = _WORD.findall(text)
    comments = ("\\*", "(*", "----", "====")
    places = [i for i, word in enumerate(words) if word.strip() and not word.startswith(comments)][3:]
    names = [words[i] for i in places if words[i][0].isalpha() and words[i] not in _KEYWORDS]
    if len(text) > LARGEST or not names:
        return None
    for _ in range(random.choice((1, 1, 2))):
        for _ in range(20):
            place = random.choice(places)
            new = _other(words[place], names, random)
            if new is not None:
                words[place] = new
                break
        else:
            _indent(words, random)
    edited = "".join(words)
    return edited if edited != text else None


def _other(word: str, names: Sequence[str], random: Random) -> str | None:
    """What may stand in the place of a word; None where nothing else is drawn."""
    form = random.randrange(7)
    sorts = [sort for sort in _SORTS if word in sort]
    if form < 2 and sorts:
        return random.choice([each for each in sorts[0] if each != word])
    if form == 2 and word in names:
        return random.choice(names)
    if form == 3 and word.isdigit():
        return str(max(0, int(word) + random.choice((-1, 1, 1, 2))))
    if form == 4 and word == "'":
        return ""
    if form == 5 and word in ("/\\", "\\/"):
        return f"{word} {random.choice(_BEFORE_AN_ITEM)}"
    if form == 6 and word in names:
        return random.choice(_OF_A_NAME).replace("%s", word)
    return None


def _indent(words: list[str], random: Random) -> None:
    """A line begins further right or left."""
    breaks = [i for i, word in enumerate(words) if "\n" in word and not word.strip()]
    if breaks:
        place = random.choice(breaks)
        moved = random.choice((-2, -1, 1, 2, 3))
        line, _, blanks = words[place].rpartition("\n")
        words[place] = f"{line}\n{' ' * max(0, len(blanks) + moved)}"


@click.command()
@click.option("--models", "folders", multiple=True, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--count", default=1000, show_default=True, help="Changed models.")
@click.option("--seed", default=0, show_default=True, help="Of the first one.")
@click.option("--native", default=0.1, show_default=True, help="Share of the models that are compiled, too.")
@click.option("--tlc", default=classpath, required=True, metavar="CLASSPATH", help="Default: $TLC_CLASSPATH.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
def main(folders: tuple[Path, ...], count: int, seed: int, native: float, tlc: str, workers: int) -> None:
    """Ask TLC and the engines about the models in folders, and about them with a word changed."""
    shares = {"python": 1.0, "reference": 1.0, "native": native}
    models = models_in(folders)
    left_out = set()
    for outcome in compared([Changed(i, model) for i, model in enumerate(models)], shares, tlc, workers):
        if outcome.different or not outcome.reports:
            left_out.add(models[outcome.seed])
            said = "; ".join(f"{name}: {report.verdict}" for name, report in outcome.reports.items())
            print(f"{models[outcome.seed].config} is not changed: {said or 'TLC takes too long'}", flush=True)
    kept = [model for model in models if model not in left_out]
    mutants = [changed(number, kept) for number in range(seed, seed + count)]
    sys.exit(bool(told(mutants, shares, tlc, workers)))


if __name__ == "__main__":
    main()
