"""The adapter for spec/core/ControllerMode.tla: what drives each action, and how to tell that it was taken.

An action of the model is what the environment does (a message arrives, a timer fires, a machine fails) and what the
cores make of it. The environment's part is here; the cores report the step that they take by its name, and the action
was performed if it is the one that was asked for. If they take another step instead, or none, it was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rmqproof.conformance.adapter import Answer, Value
from rmqproof.conformance.fields import fields_of
from rmqproof.conformance.reference.controller_actions import ControllerActions
from rmqproof.conformance.reference.driving import NotOffered
from rmqproof.conformance.reference.observation import CONTAINERS, ELIDED, MAPPED, Observer
from rmqproof.conformance.reference.replication_actions import ReplicationActions
from rmqproof.conformance.reference.role_actions import RoleActions
from rmqproof.conformance.reference.settings import Settings, settings_of
from rmqproof.conformance.reference.world import World
from rmqproof.impl.controller.controller import Controller


class ReferenceAdapter(ControllerActions, RoleActions, ReplicationActions):
    """rmqproof's own implementation, with the rules that the configuration asks for.

    `broker_changes` and `controller_changes` put other rules in their places, by the fields of `BrokerRules` and
    `ControllerRules`.
    """

    def __init__(
        self, broker_changes: Mapping[str, Any] | None = None, controller_changes: Mapping[str, Any] | None = None
    ) -> None:
        self._changes = (broker_changes or {}, controller_changes or {})
        self.world: World
        self._observer: Observer

    def _controller(self, settings: Settings) -> Controller:
        """The controller of the world."""
        return Controller(settings.controller, settings.controller_rules)

    # --- Adapter -----------------------------------------------------------------------------------------------------

    def start(self, constants: Mapping[str, Value]) -> int:
        settings = settings_of(constants, *self._changes)
        self.world = World(settings, self._controller(settings))
        self._observer = Observer(settings)
        self._first = self.world.saved()
        self._actions: dict[str, Callable[..., bool]] = {name: getattr(self, f"_{name}") for name in ACTIONS}
        self._ids = {name: settings.id_of(name) for name in settings.names}
        return 1

    def initial(self, index: int) -> None:
        self.world.go_back(self._first)

    def snapshot(self) -> Any:
        return self.world.plain()

    def restore(self, snapshot: Any) -> None:
        self.world.set_plain(snapshot)

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        drive = self._actions.get(action)
        if drive is None:
            return Answer.UNSUPPORTED
        world = self.world
        saved = world.saved()
        world.happened = []
        ids = self._ids
        try:
            done = drive(*(ids.get(a, a) if type(a) is str else a for a in arguments))
        except NotOffered:
            done = False
        if done:
            return Answer.PERFORMED
        if world.happened:  # the cores took a step, but another one: that is asked for by its own name
            world.go_back(saved)
        return Answer.REFUSED

    def observe(self) -> Mapping[str, Value]:
        return self._observer.observe(self.world)

    def elided(self) -> Mapping[str, str]:
        return ELIDED

    def fields(self) -> Iterable[str]:
        found = fields_of(self.world, stop=("settings", "brokers.config", "brokers.rules"))
        return found - CONTAINERS  # empty ones; what they could hold is listed by its own name

    def mapped(self) -> Mapping[str, str]:
        return MAPPED


ACTIONS = tuple(
    name[1:] for part in ReferenceAdapter.__mro__ for name in vars(part) if name.startswith("_") and name[1:2].isupper()
)
"""Every action that can be driven."""
