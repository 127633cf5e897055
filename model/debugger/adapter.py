"""The debug adapter: each request of the protocol, answered.

A client launches, sets breakpoints, says that it is done, and is told where the walk stands each time it stops.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

from rmqproof.model.debugger.arguments import Arguments, BadRequest
from rmqproof.model.debugger.launching import launched
from rmqproof.model.debugger.marking import Marks, filters
from rmqproof.model.debugger.showing import View
from rmqproof.model.debugger.stops import CannotStop, Stop, Wanted
from rmqproof.model.debugger.walk import MOST_SEARCHED, VIOLATION, Found, Walk
from rmqproof.model.debugger.wire import Message, Writer
from rmqproof.model.explore.language import is_definition
from rmqproof.model.explore.prompt import Prompt
from rmqproof.model.explore.session import NoSuchStep
from rmqproof.model.explore.space import Move
from rmqproof.model.search.system import State
from rmqproof.model.tla.source import TlaError

Json = dict[str, Any]
THREAD = 1
_ANSWERED = (BadRequest, CannotStop, NoSuchStep, TlaError)
CAPABILITIES: Json = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsDataBreakpoints": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsStepInTargetsRequest": True,
    "supportsGotoTargetsRequest": True,
    "supportsRestartFrame": True,
    "supportsRestartRequest": True,
    "supportsTerminateRequest": True,
    "supportsCompletionsRequest": True,
    "supportsExceptionInfoRequest": True,
    "supportsLoadedSourcesRequest": True,
    "completionTriggerCharacters": [":"],
    "exceptionBreakpointFilters": filters(),
}


class Adapter:
    """Answers one client. `ended`: set, from any thread, to stop a search that runs."""

    def __init__(self, writer: Writer) -> None:
        self.writer, self.ended = writer, Event()
        self.leaving = False
        self._view: View | None = None
        self._marks: Marks | None = None
        self._first = (1, 1)
        self._entry, self._most = True, MOST_SEARCHED
        self._targets: list[Move] = []
        self._after: Callable[[], None] | None = None
        """What follows the response."""

    def answer(self, message: Message) -> None:
        """Answer a request, and do what it asks for."""
        if message.get("type") != "request":
            return
        command, self._after = str(message.get("command")), None
        reply = {"request_seq": message.get("seq", 0), "command": command}
        answer = getattr(self, f"on_{command}", None)
        try:
            if answer is None:
                raise BadRequest(f"The request {command} is not known here.")
            body = answer(Arguments(message.get("arguments")))
        except _ANSWERED as error:
            self._refuse(reply, error.render() if isinstance(error, TlaError) else str(error))
        except (RecursionError, MemoryError):
            self._refuse(reply, "Its evaluation does not end, or needs more memory than there is.")
        else:
            self.writer.send("response", **reply, success=True, **({} if body is None else {"body": body}))
            if self._after is not None:
                self._after()

    def _refuse(self, reply: Json, text: str) -> None:
        error = {"id": 1, "format": text.replace("{", "(").replace("}", ")"), "showUser": True}
        self.writer.send("response", **reply, success=False, message=text, body={"error": error})

    @property
    def view(self) -> View:
        if self._view is None:
            raise BadRequest("Nothing is debugged yet: launch something first.")
        return self._view

    @property
    def marks(self) -> Marks:
        assert self.view is not None and self._marks is not None
        return self._marks

    @property
    def walk(self) -> Walk:
        return self.view.walk

    # --- beginning and end -----------------------------------------------------------------------------------------

    def on_initialize(self, arguments: Arguments) -> Json:
        self._first = (
            0 if arguments.truth("linesStartAt1", True) else -1,
            0 if arguments.truth("columnsStartAt1", True) else -1,
        )
        return CAPABILITIES

    def on_launch(self, arguments: Arguments) -> None:
        walk = launched(arguments)
        walk.told = self._log
        walk.space.system.runtime.output = lambda text: self._say(f"{text}\n", "stdout")
        self._view = View(walk, *self._first)
        self._marks = Marks(self._view)
        self._entry = arguments.truth("stopOnEntry", True) and not arguments.truth("noDebug")
        self._most = arguments.number("mostStates", MOST_SEARCHED)
        self._after = lambda: self.writer.event("initialized")

    def on_configurationDone(self, arguments: Arguments) -> None:
        self._after = self._begin
        self.view.tree.forget()

    def _begin(self) -> None:
        if not self._entry:
            self._go_on()
            return
        self.walk.restart()
        self._stopped("entry")

    def on_restart(self, arguments: Arguments) -> None:
        self.walk.restart()
        self._after = lambda: self._stopped("entry")

    def on_terminate(self, arguments: Arguments) -> None:
        self.ended.clear()
        self._after = self._finish

    def on_disconnect(self, arguments: Arguments) -> None:
        self.leaving = True

    def _finish(self) -> None:
        self.writer.event("exited", exitCode=0)
        self.writer.event("terminated")

    # --- breakpoints -----------------------------------------------------------------------------------------------

    def on_setBreakpoints(self, arguments: Arguments) -> Json:
        return {"breakpoints": self.marks.lines(arguments)}

    def on_setFunctionBreakpoints(self, arguments: Arguments) -> Json:
        return {"breakpoints": self.marks.operators(arguments)}

    def on_setDataBreakpoints(self, arguments: Arguments) -> Json:
        return {"breakpoints": self.marks.variables(arguments)}

    def on_setExceptionBreakpoints(self, arguments: Arguments) -> None:
        self.marks.exceptions(arguments)

    def on_breakpointLocations(self, arguments: Arguments) -> Json:
        return {"breakpoints": self.marks.possible(arguments)}

    def on_dataBreakpointInfo(self, arguments: Arguments) -> Json:
        name = arguments.text("name")
        if name not in self.view.space.variables:
            return {"dataId": None, "description": f"{name} is no variable of the specification"}
        return {"dataId": name, "description": f"{name} changes", "accessTypes": ["write"], "canPersist": True}

    # --- what is shown ---------------------------------------------------------------------------------------------

    def on_threads(self, arguments: Arguments) -> Json:
        return {"threads": [{"id": THREAD, "name": self.view.space.files.name}]}

    def on_stackTrace(self, arguments: Arguments) -> Json:
        frames = self.view.frames()
        start, levels = arguments.number("startFrame", 0), arguments.number("levels", 0)
        return {"stackFrames": frames[start : start + levels if levels else None], "totalFrames": len(frames)}

    def on_scopes(self, arguments: Arguments) -> Json:
        return {"scopes": self.view.scopes(self.view.index(arguments.number("frameId")))}

    def on_variables(self, arguments: Arguments) -> Json:
        number = arguments.number("variablesReference")
        part = (arguments.number("start", 0), arguments.number("count", 0), arguments.text("filter", ""))
        try:
            return {"variables": self.view.tree.open(number, *part)}
        except KeyError:
            raise BadRequest(f"There is nothing behind {number} any more.") from None

    def on_source(self, arguments: Arguments) -> Json:
        reference = arguments.inner("source").number("sourceReference", arguments.number("sourceReference", 0))
        return {"content": self.view.text_of(reference)}

    def on_loadedSources(self, arguments: Arguments) -> Json:
        return {"sources": self.view.sources()}

    def on_exceptionInfo(self, arguments: Arguments) -> Json:
        reason = self.walk.reason
        if not reason.wrong:
            raise BadRequest("Nothing is wrong here.")
        return {"exceptionId": reason.name, "description": reason.text, "breakMode": "always"}

    def on_evaluate(self, arguments: Arguments) -> Json:
        text = arguments.text("expression")
        if arguments.text("context", "") == "repl" and (text.lstrip().startswith(":") or is_definition(text)):
            return self._prompted(text)
        frame = arguments.number("frameId") if arguments.has("frameId") else None
        return self.view.evaluated(text, self.view.index(frame))

    def _prompted(self, text: str) -> Json:
        """A command of `rmqproof repl`, or a definition; where it walked, the client is told so."""
        before = list(self.walk.path)
        lines = list(Prompt(self.walk.session).answer(text))
        if self.walk.path != before:
            self.walk.moved(before)
            self._after = lambda: self._stopped("goto")
        return {"result": "\n".join(lines), "variablesReference": 0}

    def on_completions(self, arguments: Arguments) -> Json:
        column = arguments.number("column") - 1 - self._first[1]
        before = arguments.text("text")[: max(column, 0)]
        start = len(before)
        while start and (before[start - 1].isalnum() or before[start - 1] in "_!:"):
            start -= 1
        found = Prompt(self.walk.session).completions(before[start:])
        place = {"start": start + 1 + self._first[1], "length": len(before) - start}
        return {"targets": [{"label": word, **place} for word in found[:500]]}

    # --- steps -----------------------------------------------------------------------------------------------------

    def on_next(self, arguments: Arguments) -> None:
        self._forward()

    on_stepOut = on_next

    def on_stepIn(self, arguments: Arguments) -> None:
        if arguments.has("targetId"):
            self._take(arguments.number("targetId"))
        else:
            self._forward()

    def on_stepInTargets(self, arguments: Arguments) -> Json:
        """Of the present state alone: from one before, a frame is restarted first."""
        view = self.view
        if view.index(arguments.number("frameId")) != view.index(None):
            return {"targets": []}
        return {"targets": [self._target(move) for move in self.walk.session.choices.moves]}

    def _target(self, move: Move) -> Json:
        marks = "".join(f", violates {name}" for name in move.breaks) + (", outside" if move.outside else "")
        title = f"{move.number}. {move.title}{marks}"
        place = {key: at for key, at in self.view.place(self.view.at(move)).items() if key != "source"}
        return {"id": move.number, "label": title, **place}

    def _take(self, number: int) -> None:
        moves = self.walk.session.choices.moves
        if not 1 <= number <= len(moves):
            raise BadRequest(f"There is no step {number}: there are {len(moves)}.")
        self.walk.take(moves[number - 1])
        self._after = lambda: self._stopped("step")

    def _forward(self) -> None:
        if not self.walk.forward():
            raise BadRequest("No step is possible here.")
        self._after = lambda: self._stopped("step")

    def on_stepBack(self, arguments: Arguments) -> None:
        self.walk.back()
        self._after = lambda: self._stopped("step")

    def on_reverseContinue(self, arguments: Arguments) -> None:
        self.walk.reverse()
        self._after = lambda: self._stopped("step")

    def on_restartFrame(self, arguments: Arguments) -> None:
        index = self.view.index(arguments.number("frameId"))
        self.walk.back(len(self.walk.path) - 1 - index)
        self._after = lambda: self._stopped("restart")

    def on_gotoTargets(self, arguments: Arguments) -> Json:
        """The steps from here that pass a line."""
        line = arguments.number("line") - self._first[0]
        path = arguments.inner("source").path("path", self._folder())
        stop = self.marks.stops.on_line((path or self._folder()).resolve(), line, None, Wanted())
        here = self.walk.path[-1].state if self.walk.path else None
        moves = [move for move in self.walk.session.choices.moves if stop.test(here, move.state)]
        return {"targets": [self._target(move) for move in moves]}

    def _folder(self) -> Any:
        return self.view.space.files.spec.parent

    def on_goto(self, arguments: Arguments) -> None:
        self._take(arguments.number("targetId"))
        self._after = lambda: self._stopped("goto")

    def on_continue(self, arguments: Arguments) -> Json:
        assert self.view is not None
        self._after = self._go_on
        return {"allThreadsContinued": True}

    def on_pause(self, arguments: Arguments) -> None:
        """A search that ran has ended when the request is answered."""
        self.ended.clear()

    # --- stopping --------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        found = self.walk.resume(self.ended.is_set, self._most)
        if found.visits is not None:
            self._stopped("step")
        elif found.whole:
            self._say(f"Nothing stops in the {found.looked_at:,} states that can be reached from here.\n")
            self._finish()
        else:
            self._given_up(found)

    def _given_up(self, found: Found) -> None:
        text = f"{found.looked_at:,} states were looked at, and nothing stops in them"
        if not self.ended.is_set():
            text += '; "mostStates" of the launch configuration lets it look at more'
        self._say(f"{text}.\n")
        self._stopped("pause")

    def _stopped(self, reason: str) -> None:
        """Tell where the walk stands; what is wrong, or a breakpoint, goes before the reason that is given."""
        why = self.walk.reason
        self.view.tree.forget()
        body: Json = {"reason": reason, "threadId": THREAD, "allThreadsStopped": True}
        if why.stops:
            body |= {"reason": why.stops[0].kind, "hitBreakpointIds": [stop.number for stop in why.stops]}
        if why.wrong:
            said = f"{why.name} is violated" if why.wrong == VIOLATION else why.name
            body |= {"reason": "exception", "description": said, "text": f"{said}: {why.text}"}
        elif not why.stops and reason == "step" and not self.walk.ahead and self.walk.session.loop is not None:
            body["description"] = "The trace ends here; it repeats."
        self.writer.event("stopped", **body)

    def _say(self, text: str, category: str = "console") -> None:
        self.writer.event("output", category=category, output=text)

    def _log(self, stop: Stop, before: State | None, after: State) -> None:
        self.writer.event(
            "output",
            category="console",
            output=self.view.interpolated(stop.log, before, after) + "\n",
            **self.view.place(stop.at),
        )
