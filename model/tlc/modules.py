"""What TLC's parser prints: the modules that are read, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rmqproof.model.tla import syntax
from rmqproof.model.tla.library import Library
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tlc.messages import Printer
from rmqproof.model.tlc.places import span


def print_reading(printer: Printer, files: ModelFiles) -> None:
    """The modules in the order in which they are met, then each after those that it uses.

    One that cannot be parsed is named, too: what is wrong is shown in the file that was named last.
    """
    library = Library([files.spec.parent, *files.search_path], files.texts)
    root = files.spec.stem
    used: dict[str, tuple[str, ...]] = {}
    waiting = [root]
    for name in waiting:
        tree = _tree(library, files, name)
        used[name] = tuple(_used(tree)) if tree is not None else ()
        waiting += [other for other in used[name] if other not in waiting]
        path = tree.at.source.name if tree is not None else str(files.spec) if name == root else f"{name}.tla"
        if tree is not None or name != root or files.texts.has(files.spec):
            printer.line(f"Parsing file {_absolute(path)}")
    for name in _inner_first(root, used):
        printer.line(f"Semantic processing of module {name}")


def _tree(library: Library, files: ModelFiles, name: str) -> syntax.Module | None:
    try:
        return (library.root(files.spec) if name == files.spec.stem else library.module(name)).tree
    except (TlaError, OSError):
        return None


def _used(module: syntax.Module) -> Iterator[str]:
    inner = {unit.name for unit in module.units if isinstance(unit, syntax.Module)}
    yield from (extended.name for extended in module.extends)
    for unit in module.units:
        instance = unit.instance if isinstance(unit, syntax.ModuleDefinition) else unit
        if isinstance(instance, syntax.Instance) and instance.module not in inner:
            yield instance.module


def _inner_first(name: str, used: Mapping[str, Sequence[str]]) -> Iterator[str]:
    done: set[str] = set()

    def visit(name: str) -> Iterator[str]:
        if name in done or name not in used:
            return
        done.add(name)
        for other in used[name]:
            yield from visit(other)
        yield name

    yield from visit(name)


def print_mistake(printer: Printer, files: ModelFiles, error: TlaError) -> None:
    """A mistake in a module, in the form in which TLC's parser says one."""
    if error.at is None:
        printer.line(f"\nFatal errors while parsing TLA+ spec in file {files.spec.stem}\n")
        printer.line(f"*** Errors: 1\n\nUnknown location\n\n{_said(error)}\n\n")
        return
    line, column, end_line, end_column = span(error.at)
    module = Path(error.at.source.name).stem
    printer.line("Semantic errors:\n\n*** Errors: 1\n")
    printer.line(f"line {line}, col {column} to line {end_line}, col {end_column} of module {module}\n")
    printer.line(f"{_said(error)}\n\n")


def _said(error: TlaError) -> str:
    return f"{error.message}. {error.remedy}" if error.remedy else f"{error.message}."


def _absolute(path: str) -> str:
    here = Path(path)
    return str(here.resolve()) if here.exists() else path
