"""Conformance in pytest: a fixture that holds an implementation, or a recorded run, to a specification.

    def test_my_replica(conformance):
        conformance.check(MyAdapter, config="spec/models/TwoBrokers.cfg")

    def test_last_nights_run(conformance):
        conformance.validate("run.ndjson", spec="TwoPhase.tla")

A test that fails shows the short report; the whole one, the traces and the pictures are kept in the folder that is
named at its end, `--conformance-out` (default: `conformance-failures` beside the configuration of pytest). With
`--junit-xml` the numbers are properties of the test case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rmqproof.model.tla.library import bundled

if TYPE_CHECKING:
    from rmqproof.conformance.adapter import Adapter
    from rmqproof.conformance.exploration import Conformance as Result
    from rmqproof.conformance.runs.event import Event
    from rmqproof.conformance.runs.validation import Validation

_OPTION = "--conformance-out"
_MOST_LINES = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("rmqproof").addoption(
        _OPTION,
        metavar="DIR",
        default=None,
        help="Keep what failed conformance tests found here (default: conformance-failures in the root folder).",
    )


@pytest.fixture
def conformance(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Conformance:
    """Hold an implementation or a recorded run to a specification: `check` and `validate`."""
    chosen = request.config.getoption(_OPTION)
    root = Path(chosen) if chosen is not None else request.config.rootpath / "conformance-failures"
    return Conformance(root / _file_name(request.node.nodeid), Path(request.path).parent, record_property)


class Conformance:
    """What the fixture is. Relative paths are looked for in the current folder, then beside the test."""

    def __init__(self, folder: Path, beside: Path, record: Callable[[str, object], None]) -> None:
        self.folder = folder
        self._beside = beside
        self._record = record

    def check(
        self,
        adapter: Callable[[], Adapter],
        config: str | Path | None = None,
        spec: str | Path | None = None,
        *,
        workers: int | None = 1,
        max_states: int | None = None,
        disabled: bool = True,
        paths: int = 200,
        seed: int = 0,
    ) -> Result:
        """Fail unless the implementation performs every edge of the model, and nothing else.

        `config` names its specification (`\\* SPEC Name.tla`, or the module of the same name); by default it is the
        protocol's spec/models/TwoBrokers.cfg. With `max_states` only a part is asked for, and that part has to conform.
        """
        from rmqproof.conformance.abstraction import AbstractionError
        from rmqproof.conformance.exploration import Options, conform
        from rmqproof.conformance.performer import Effort
        from rmqproof.conformance.report import summary, to_json, write_files
        from rmqproof.conformance.subject import open_model
        from rmqproof.model.tla.source import TlaError

        model, configuration = self._model(config, spec)
        options = Options(workers, max_states, Effort(disabled=disabled, seed=seed), paths)
        try:
            result = conform(open_model(model, configuration), adapter, options)
        except AbstractionError as error:
            pytest.fail(f"The adapter does not account for everything.\n{error}", pytrace=False)
        except TlaError as error:
            pytest.fail(error.render(), pytrace=False)
        self._note("conform", to_json(result), ("edges", "edgesPerformed", "statesReached", "edgesPerSecond"))
        good = result.conforms or (max_states is not None and not result.differences and not result.problems)
        if not good:
            if result.differences:
                write_files(result, self.folder)
            self._keep("conform.json", to_json(result))
            self._fail(_differences(result), summary(result))
        return result

    def validate(
        self,
        *runs: str | Path,
        config: str | Path | None = None,
        spec: str | Path | None = None,
        mapping: str | Path | None = None,
        reader: Callable[[Path], Sequence[Event]] | None = None,
        constants: Mapping[str, Any] | None = None,
        lost: int = 0,
    ) -> Validation:
        """Fail unless the recorded run is a behaviour of the specification.

        Without `spec`, `config`, `mapping` and `reader` it is a trace of `rmqproof cluster`.
        """
        from rmqproof.conformance.runs.event import RunError
        from rmqproof.conformance.runs.formats import USUAL_FORMAT
        from rmqproof.conformance.runs.report import rejection, summary, to_json, write_files
        from rmqproof.conformance.runs.validate import validate_runs
        from rmqproof.conformance.runs.validation import Answer, Bounds
        from rmqproof.model.tla.model_files import ModelFiles
        from rmqproof.model.tla.source import TlaError

        model, configuration = self._model(config, spec)
        files = ModelFiles(model, configuration)
        words: Path | str | None = self._find(mapping) if mapping is not None else None
        if all(given is None for given in (config, spec, mapping, reader)):
            words = USUAL_FORMAT
        paths = [self._find(run) for run in runs]
        try:
            result = validate_runs(paths, files, words, Bounds(lost=lost), reader, constants=constants)
        except RunError as error:
            pytest.fail(f"The run cannot be read.\n{error}", pytrace=False)
        except TlaError as error:
            pytest.fail(error.render(), pytrace=False)
        self._note("validate", to_json(result), ("events", "explained", "result"))
        if result.answer is not Answer.YES:
            write_files(result, self.folder)
            self._keep("validation.json", to_json(result))
            self._fail([*summary(result)[:2], *rejection(result)], [])
        return result

    # --- helpers -------------------------------------------------------------------------------------------------

    def _model(self, config: str | Path | None, spec: str | Path | None) -> tuple[Path, Path | None]:
        from rmqproof.model.tla.library import USUAL_CONFIG
        from rmqproof.model.tla.model_files import NoModel, find_models

        configs = [self._find(config)] if config is not None else []
        try:
            if spec is not None:
                (files,) = find_models([self._find(spec)], configs)
            else:
                (files,) = find_models(configs or [bundled(USUAL_CONFIG)])
        except NoModel as error:
            pytest.fail(str(error), pytrace=False)
        return files.spec, files.config

    def _find(self, path: str | Path) -> Path:
        for found in (Path(path), self._beside / path):
            if found.exists():
                return found
        pytest.fail(f"There is no file {path}, neither in {Path.cwd()} nor in {self._beside}.", pytrace=False)

    def _note(self, what: str, document: Mapping[str, Any], names: Sequence[str]) -> None:
        for name in names:
            self._record(f"{what}.{name}", document[name])

    def _keep(self, name: str, document: Mapping[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def _fail(self, lines: Sequence[str], numbers: Sequence[str]) -> None:
        shown = list(lines[:_MOST_LINES])
        if len(lines) > _MOST_LINES:
            shown.append(f"… {len(lines) - _MOST_LINES} more lines")
        pytest.fail("\n".join([*shown, "", *numbers[:2], f"Everything is in {self.folder}"]), pytrace=False)


def _differences(result: Result) -> list[str]:
    from rmqproof.conformance.report import difference_text, verdict

    lines = [verdict(result)]
    for difference, count in result.groups()[:2]:
        lines += ["", *difference_text(result, difference, count).splitlines()]
    more = len(result.groups()) - 2
    return lines + ([f"… and {more} more differences."] if more > 0 else [])


def _file_name(nodeid: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", nodeid).strip("-")
