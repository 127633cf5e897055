"""`make pages`: docs/reference, made from the code. A test holds the pages to it.

Commands come from click, statuses and the JSON from `model/checking`, the comments of a .cfg from what reads them.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import click

from rmqproof.model.checking import exit_status, expectation, outcome
from rmqproof.model.cli import main
from rmqproof.model.search.result import FindingKind, PropertyKind, Stopped, Verdict
from rmqproof.model.tla import model_files

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def documents() -> dict[Path, str]:
    """Every page with its text."""
    return {
        REFERENCE / "commands.md": "\n".join(_commands()).rstrip() + "\n",
        REFERENCE / "exit-status.md": _exit_status(),
        REFERENCE / "json.md": _json(),
        REFERENCE / "configuration.md": _configuration(),
    }


def _commands() -> Iterator[str]:
    yield "# Commands\n\nMade from the code by `make pages`; `rmqproof COMMAND --help` prints the same.\n"
    context = click.Context(main, info_name="rmqproof", **main.context_settings)
    yield from _command(main, context, 2)


def _command(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    if level > 2:
        yield f"{'#' * min(level, 4)} {context.command_path.replace('main', 'rmqproof')}\n"
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    yield f"{text}\n"
    if not isinstance(command, click.Group):
        pieces = " ".join(command.collect_usage_pieces(context))
        yield f"```\n{context.command_path} {pieces}\n```\n"
    rows = [row for each in command.get_params(context) if (row := each.get_help_record(context)) is not None]
    if rows:
        yield "| option | |\n|---|---|"
        yield from (f"| `{_cell(name)}` | {_cell(what)} |" for name, what in rows)
        yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                yield from _command(inner, click.Context(inner, info_name=name, parent=context), level + 1)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _exit_status() -> str:
    words = {kind: f"an error of kind *{kind}*" for kind in exit_status.OF_KIND} | {
        "assert": "an `Assert` of the specification failed",
        "evaluation": "the specification could not be evaluated",
        "property": "a liveness property could not be evaluated",
        "parse": "the specification cannot be read",
        "config": "the configuration cannot be read",
        "system": "the system failed: a file, memory, a compiler that is asked for; or an error of rmqproof",
    }
    rows = {status: f"{verdict}" for verdict, status in exit_status.OF_VERDICT.items()}
    rows |= {status: words[kind] for kind, status in exit_status.OF_KIND.items()}
    rows[exit_status.INVARIANT_EVALUATION] = "an invariant could not be evaluated"
    for stop, status in exit_status.OF_STOP.items():
        rows[status] = f"{rows[status]}; {stop}" if status in rows else f"stopped: {stop}"
    rows[exit_status.DIFFERS] = "with `--expect`: something else happened than the configuration says"
    rows[exit_status.USAGE] = "wrong usage of the command, or a checkpoint that does not fit"
    table = "\n".join(f"| {status} | {what} |" for status, what in sorted(rows.items()))
    head = "# Exit status\n\nMade from the code by `make pages`. Where TLC has a status for it, it is TLC's.\n"
    return f"{head}\n| status | of `rmqproof check` |\n|--:|---|\n{table}\n"


_MEANS = {
    "result": "the verdict",
    "distinctStates": "different states that were found, as TLC counts them; null with `--simulate`",
    "totalStates": "states that were generated, the initial ones among them",
    "stateDepth": "states of the longest of the shortest paths, or of the counterexample",
    "seconds": "of the search",
    "engine": "which one explored it",
    "workers": "how many",
    "violated": "the name of what is violated first, or null",
    "trace": "the file of the counterexample as ITF JSON (`--out`), or null",
    "message": "the result in words",
    "specification": "the .tla file",
    "config": "the .cfg file, or null",
    "exitStatus": "what the model's own status is, whatever was expected",
    "exhaustive": "true only when all reachable states inside the constraints were expanded, nothing drawn at random",
    "expected": "the EXPECT line, or null",
    "asExpected": "with an EXPECT line: did that happen?",
    "properties": "for each property `name`, `kind`, `verdict`, whether it was `trivial`, `depth` of its "
    "counterexample, and its `sentence`",
    "behaviourLength": "states of the counterexample, or null",
    "loop": "of a liveness counterexample the index of the state to which the last one returns",
    "initialStates": "how many",
    "queue": "states that were met and not expanded",
    "constrained": "states that a constraint cut off",
    "collision": "the chance that two states shared a fingerprint: `optimistic`, and `observed` where it was computed",
    "coverage": "for each action in how many states it was `enabled`, what it generated in `total`, and how many of "
    "those were `distinct` new states",
    "findings": "what may make the result say less than it seems: `kind`, `subject`, `sentence`",
    "files": "what `--out` wrote, by format",
    "reference": "what the reference evaluator did: was the counterexample `replayed`, how many `states` and `steps` "
    "it looked at again, what was `leftOut` and why, what it `refuted`",
    "seed": "of `--simulate`",
    "behaviours": "of `--simulate`: how many were looked at",
    "counterexample": "the behaviour that shows the violation, or leads to the failure, as an ITF document; or null",
}


def _json() -> str:
    fields = _json_fields()
    if fields != list(_MEANS):
        raise ValueError(f"say in _MEANS what these fields of --json mean: {sorted(set(fields) ^ set(_MEANS))}")
    table = "\n".join(f"| `{name}` | {_MEANS[name]} |" for name in fields)
    kinds = "\n".join(f"- {kind}" for kind in FindingKind)
    return f"""# The JSON of `check`

Made from the code by `make pages`. `rmqproof check --json FILE` (`-`: to the standard output) writes an object for one
model, and `{{"models": […]}}` for several. The first names are those of the tlaplus/Examples manifest.

| field | what |
|---|---|
{table}

`result` is one of {_listed(Verdict)}. A property's `verdict` is one of {_listed(outcome.Standing)}, its `kind` one of
{_listed(PropertyKind)}. Why a search ended before it was over is in `message`: {_listed(Stopped)}.

The kinds of `findings`:

{kinds}
"""


def _json_fields() -> list[str]:
    """The keys of `Outcome.json`, in their order."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(outcome.Outcome.json)))
    (found,) = (node.value for node in ast.walk(tree) if isinstance(node, ast.Return))
    assert isinstance(found, ast.Dict)
    return [key.value for key in found.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]


def _listed(words: type[StrEnum]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _configuration() -> str:
    groups = inspect.getdoc(model_files)
    expects = inspect.getdoc(expectation)
    return (
        "# Comments of a configuration\n\nMade from the code by `make pages`. A .cfg is TLC's; comments of these forms "
        f"say more about a model.\n\n## EXPECT\n\n{expects}\n\n`<result>` is one of {_listed(Verdict)}.\n\n"
        f"## SPEC and GROUP\n\n{groups}\n\n## The first line\n\nThe comment in the first line says what the model "
        "shows; tables print it. A comment directly above the definition of a\nproperty is the sentence that a report "
        "prints when the property is violated.\n"
    )


def write() -> None:
    REFERENCE.mkdir(exist_ok=True)
    for path, text in documents().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
