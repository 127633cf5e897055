"""What is debugged: a model, or a trace of one."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.debugger.arguments import Arguments, BadRequest
from rmqproof.model.debugger.walk import Walk
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.explore.session import Session, Visit
from rmqproof.model.explore.space import open_space
from rmqproof.model.explore.traces import needed_model_of
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.itf import read_itf
from rmqproof.model.tla.model_files import ModelFiles, NoModel, find_models


def launched(arguments: Arguments) -> Walk:
    """A walk before its first state: through the model of `program`, along `trace` if there is one.

    `program`: a specification, a configuration, or a trace as ITF, whose model is the one that it names. Raise
    `BadRequest`, `TlaError`.
    """
    folder = Path(arguments.text("cwd", "."))
    program, config, trace = (arguments.path(name, folder) for name in ("program", "config", "trace"))
    if program is not None and program.suffix == ".json":
        program, trace = None, program
    for path in (program, config, trace):
        if path is not None and not path.is_file():
            raise BadRequest(f"{path}: there is no such file.")
    behaviour = read_itf(trace) if trace is not None else None
    files = _files(program, config, behaviour, trace, arguments.texts("library"))
    session = Session(deeply(open_space, files))
    session.path = []
    walk = Walk(session)
    if behaviour is not None:
        _follow(walk, behaviour)
    elif not session.space.initial.moves:
        error = session.space.initial.error
        raise error if error is not None else BadRequest(f"{files.name} has no initial state.")
    return walk


def _files(
    program: Path | None, config: Path | None, behaviour: Behaviour | None, trace: Path | None, library: list[str]
) -> ModelFiles:
    if program is not None:
        try:
            (files,) = find_models([program], [config] if config is not None else [], library)
        except NoModel as wrong:
            raise BadRequest(str(wrong)) from None
        return files
    if behaviour is None or trace is None:
        raise BadRequest('Say what to debug: "program": a specification (.tla), a configuration (.cfg) or a trace.')
    return needed_model_of(behaviour, trace, 'Name it as "program", and the trace as "trace".')


def _follow(walk: Walk, behaviour: Behaviour) -> None:
    """The trace lies ahead; of one that repeats, its step back too."""
    session = walk.session
    session.follow(behaviour)
    if behaviour.loop is not None:
        again = session.path[behaviour.loop].state
        back = next((move for move in session.choices.moves if move.state == again), None)
        if back is not None:
            session.path.append(Visit(back, again))
    walk.ahead, session.path = session.path, []
