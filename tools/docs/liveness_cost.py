"""`python -m tools.docs.liveness_cost`: what liveness costs beside safety alone, as the table in docs/liveness.md.

Each model is checked with `--ignore-liveness` and without, in a process of its own, with one worker. Compiled models
come from the cache: such a command is run once before it is timed.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.suite.process import finished
from rmqproof.model.tla.library import bundled, bundled_name

PAGE = Path("docs/liveness.md")
BEGIN, END = "<!-- cost -->\n", "<!-- end of cost -->\n"
HEAD = """| model | states | steps | properties | engine | safety alone | with liveness |
|---|--:|--:|--:|---|--:|--:|
"""


@dataclass(frozen=True, slots=True)
class Model:
    """`changed`: constants that have other values than in the configuration, and `said`: how that is called."""

    config: str
    engines: tuple[tuple[str, ...], ...]
    changed: tuple[tuple[str, int], ...] = ()
    said: str = ""
    spec: str = ""
    """The specification's name, where it is not the configuration's."""


PYTHON, NATIVE = ("--engine", "python"), ("--engine", "native")
SPILLED = (*NATIVE, "--memory", "16m")
MODELS = (
    Model("Progress", (PYTHON, NATIVE)),
    Model("RegistrationProgress", (PYTHON, NATIVE)),
    Model("MembershipExpand", (PYTHON, NATIVE), spec="Membership"),
    Model(
        "Progress",
        (PYTHON, NATIVE, SPILLED),
        (("MaxPuts", 2), ("MaxCrashes", 2), ("MaxEpoch", 9)),
        ", 2 messages, 2 crashes, 9 epochs",
    ),
)


def configuration(model: Model, folder: Path) -> Path:
    """The model's configuration with its changes, in `folder`."""
    text = bundled(f"{model.config}.cfg").read_text(encoding="utf-8")
    for name, value in model.changed:
        # a setting that the configuration leaves as it is has no line there
        text, count = re.subn(rf"^  {name} = \d+$", f"  {name} = {value}", text, flags=re.MULTILINE)
        if not count:
            text += f"CONSTANT {name} = {value}\n"
    path = folder / f"{model.config}.cfg"
    path.write_text(text, encoding="utf-8")
    return path


def measured(model: Model, engine: tuple[str, ...], path: Path, *more: str) -> tuple[dict[str, object], str]:
    """The result, and time and memory as the table has them."""
    command = [
        sys.executable,
        "-m",
        "rmqproof",
        "check",
        bundled_name(f"{model.spec or model.config}.tla"),
        "--config",
        str(path),
    ]
    command += [*engine, *more, "--workers", "1", "--quiet", "--json", "-"]
    if engine != PYTHON:
        finished(command)
    done = finished(command)
    try:
        return json.loads(done.output), f"{done.clock:.1f} s, {done.memory:,.0f} MB"
    except json.JSONDecodeError as error:
        raise RuntimeError(f"{' '.join(command)} printed no result:\n{done.errors[-2000:]}") from error


def rows(models: tuple[Model, ...], folder: Path) -> Iterator[str]:
    for model in models:
        path = configuration(model, folder)
        for engine in model.engines:
            safety = measured(model, engine, path, "--ignore-liveness")
            whole = measured(model, engine, path)
            found = whole[0]
            if found["result"] != "success":
                raise RuntimeError(f"{model.config}{model.said} came out as {found['result']}")
            properties = found["properties"]
            assert isinstance(properties, list)
            live = sum(entry["kind"] == "liveness" for entry in properties)
            name = " ".join(engine[1:]).replace("--memory", "`--memory").replace("16m", "16m`")
            cells = f"{found['distinctStates']:,} | {found['totalStates']:,} | {live} | {name}"
            yield f"| `{model.config}`{model.said} | {cells} | {safety[1]} | {whole[1]} |\n"


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    table = HEAD
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(MODELS, Path(folder)):
            print(row, end="", flush=True)
            table += row
    PAGE.write_text(before + BEGIN + table + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
