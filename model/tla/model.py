"""Load a model: a specification and a configuration of it, resolved, ready for every back end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rmqproof.model.tla import core
from rmqproof.model.tla.asking import asks_too_early
from rmqproof.model.tla.config import Config, Name, read_config
from rmqproof.model.tla.config_file import config_of, in_specification
from rmqproof.model.tla.configure import apply_constants
from rmqproof.model.tla.decided import decided_in_property, decided_in_specification, is_decided
from rmqproof.model.tla.library import Library
from rmqproof.model.tla.overrides import NONE, Overrides
from rmqproof.model.tla.reading_order import reading_order
from rmqproof.model.tla.resolve import Resolution, deep_recursion
from rmqproof.model.tla.resolve.environment import OperatorSymbol
from rmqproof.model.tla.resolve.symbols import ConstantSymbol
from rmqproof.model.tla.source import DISK, Location, Texts, TlaError
from rmqproof.model.tla.split import split_behaviour, split_property
from rmqproof.model.tla.walk import reached


def load_model(
    spec: Path,
    config: Path | None = None,
    *,
    search_path: Sequence[Path] = (),
    texts: Texts = DISK,
    overrides: Overrides = NONE,
) -> core.Model:
    """The model that `config` describes; by default the one beside the specification, `SPEC.cfg`, or in its file.

    Modules are looked for beside the specification, then in `search_path`, then among those shipped. Without any
    configuration the model has no initial states and no steps. Files are read through `texts`; `overrides` has the last
    word on what the configuration says.
    Raise `TlaError` of kind `parse`, `config` or `system`.
    """
    config = config or config_of(spec, texts)
    run = Resolution(Library([spec.parent, *search_path], texts), spec)
    if config is None and not overrides:
        return core.Model(run.finish(), None, None, words=reading_order(run.library, run.root.text.name, None))
    try:
        asked = overrides.applied(read_config(config, texts) if config is not None else None)
        assert asked is not None
        return _Loader(run, asked).model()
    except TlaError as error:
        if error.kind == "config":
            # what is wrong with the specification comes first: the configuration may be wrong because of it
            Resolution(run.library, spec).finish()
        raise


def load_specification(spec: Path, *, search_path: Sequence[Path] = ()) -> core.Specification:
    """The specification alone, its constants without values. Raise `TlaError` of kind `parse` or `system`."""
    return Resolution(Library([spec.parent, *search_path]), spec).finish()


_NAMED = {
    "INVARIANTS": "invariant",
    "PROPERTIES": "property",
    "CONSTRAINTS": "constraint",
    "ACTION_CONSTRAINTS": "action constraint",
}


class _Loader:
    def __init__(self, run: Resolution, config: Config) -> None:
        self.run = run
        self.config = config

    def model(self) -> core.Model:
        config = self.config
        with deep_recursion():
            unknown = apply_constants(self.run, config)
            single = {section: self._definition(name, section) for section, name in config.single.items()}
            lists = {
                section: [(name, self._definition(name, section)) for name in names]
                for section, names in config.lists.items()
            }
            specification = self.run.finish()
            self._constants_are_known()
            initial, step, fairness = self._behaviour(single)
            invariants = self._of_level(lists.get("INVARIANTS", []), core.STATE, "an invariant")
            constraints = self._of_level(lists.get("CONSTRAINTS", []), core.STATE, "a constraint")
            action_constraints = self._of_level(
                lists.get("ACTION_CONSTRAINTS", []), core.ACTION, "an action constraint"
            )
            properties = tuple(
                self._property(name, definition, specification) for name, definition in lists.get("PROPERTIES", [])
            )
            postconditions = tuple(definition for _, definition in lists.get("POSTCONDITIONS", []))
            decided = tuple(self._decided(single, lists))
            possible = self._of_level(lists.get("_POSSIBLE", []), core.ACTION, "what is possible")
            self._not_constant(lists.get("_POSSIBLE", []), "so no search can show that it is possible")
            if "VIEW" in single:
                self._not_constant([(config.single["VIEW"], single["VIEW"])], "so all states would look the same")
            self._complete(specification, initial, step, bool(invariants or properties))
        return core.Model(
            specification,
            initial,
            step,
            fairness,
            invariants,
            properties,
            constraints,
            action_constraints,
            single.get("SYMMETRY"),
            single.get("VIEW"),
            single.get("ALIAS"),
            postconditions,
            config.check_deadlock is not False,
            config.expectation,
            config.description,
            tuple(config.model_values),
            tuple((name.text, name.at) for name in unknown),
            reading_order(self.run.library, self.run.root.text.name, config),
            decided,
            possible,
            single.get("_PERIODIC"),
        )

    def _constants_are_known(self) -> None:
        """What replaces a constant does not ask how far the search is: TLC computes it before. That it may depend on
        variables is more than TLC allows (settings that lie in the state: `assess`)."""
        for replacement in self.config.replacements:
            symbol = self.run.find(replacement.name.text)
            by = self.run.find(replacement.by.text)
            if replacement.module is not None or not isinstance(symbol, ConstantSymbol) or symbol.arities:
                continue
            definition = by.definition if isinstance(by, OperatorSymbol) else None
            if definition is not None and asks_too_early(definition):
                raise _error(
                    f"{replacement.name.text} is a constant, and {replacement.by.text} asks how far the search is",
                    replacement.by.at,
                    "Replace it by a value or by a definition that does not.",
                )

    def _decided(
        self, single: dict[str, core.Definition], lists: dict[str, list[tuple[Name, core.Definition]]]
    ) -> Iterator[core.Decided]:
        """The constants that have to be TRUE."""
        if "SPECIFICATION" in single:
            whole = single["SPECIFICATION"]
            for part in decided_in_specification(whole.body, self.run.levels.of, self._substituted):
                yield core.Decided(_name_of(part), part, f"specification {whole.name}", False)
        for section, what in _NAMED.items():
            for name, definition in lists.get(section, []):
                if is_decided(definition):
                    yield core.Decided(name.text, core.Call(name.at, definition), what, True)
                elif section == "PROPERTIES":
                    for part in decided_in_property(definition.body, self._substituted):
                        yield core.Decided(_name_of(part), part, f"property {name.text}", False)

    def _substituted(self, definition: core.Definition) -> bool:
        return any(self.run.levels.placed(node) is not None for node in reached(definition.body))

    def _definition(self, name: Name, section: str) -> core.Definition:
        """The definition without parameters that the configuration names."""
        symbol = self.run.find(name.text)
        if symbol is None:
            raise _error(
                f"{section} names {name.text}, which module {self.run.root.text.name} does not define",
                name.at,
                self.run.suggest(name.text) or "Define it there, or delete it here.",
            )
        if symbol.arities:
            parameters = len(symbol.arities)
            raise _error(
                f"{name.text} has {parameters} parameter{'s' if parameters > 1 else ''}, and {section} names a formula",
                name.at,
                "Define a formula without parameters that applies it, and name that.",
            )
        definition = self.run.named(name.text, symbol, name.at)
        if definition is None:
            raise _error(f"{name.text} is not a formula that {section} can name", name.at)
        return definition

    # --- behaviour -------------------------------------------------------------------------------------------------

    def _behaviour(
        self, single: dict[str, core.Definition]
    ) -> tuple[core.Expression | None, core.Expression | None, tuple[core.Expression, ...]]:
        names = self.config.single
        whole = single.get("SPECIFICATION")
        if whole is None:
            initial, step = single.get("INIT"), single.get("NEXT")
            self._at_most(names.get("INIT"), initial, core.STATE, "the initial predicate")
            self._at_most(names.get("NEXT"), step, core.ACTION, "the next-state action")
            if step is not None and step.level == core.CONSTANT:
                raise _error(
                    f"the next-state action {step.name} is a constant: it says nothing of a next state",
                    step.at,
                    "Give every variable its next value in it: x' = …. Without any step: FALSE /\\ UNCHANGED x.",
                )
            if initial is not None and initial.level == core.CONSTANT:
                raise _error(
                    f"the initial predicate {initial.name} is a constant: it says nothing of a state",
                    initial.at,
                    "Give every variable its first value in it: x = ….",
                )
            return _called(initial, names.get("INIT")), _called(step, names.get("NEXT")), ()
        for other in ("INIT", "NEXT"):
            if other in names:
                raise _error(
                    f"{other} and SPECIFICATION are both given",
                    names[other].at,
                    f"SPECIFICATION says where states start and how they step; delete {other}.",
                )
        if whole.level == core.CONSTANT:
            raise _error(
                f"the specification {whole.name} is a constant: it says nothing of states",
                whole.at,
                "A specification is Init /\\ [][Next]_vars.",
            )
        parts = split_behaviour(whole.body, self.run.levels.of)
        step_taken = None if parts.next is None else parts.next.action
        return _conjunction(parts.initial, whole.at), step_taken, tuple(parts.fairness)

    def _complete(self, specification: core.Specification, initial: object, step: object, has_properties: bool) -> None:
        end = len(self.config.source.text.splitlines()) or 1
        at = Location(self.config.source, end, 1, end, 1)
        path = Path(self.config.source.name)
        remedy = "Add SPECIFICATION with a formula Init /\\ [][Next]_vars, or INIT and NEXT."
        if in_specification(path) and not self.config.source.text.strip():
            remedy = f"{path.name} has no section from ---- CONFIG {path.stem} ---- to ====. {remedy}"
        if initial is None and (specification.variables or has_properties):
            raise _error(
                "the configuration does not say where states start",
                at,
                remedy,
            )
        if step is None and has_properties:
            raise _error(
                "the configuration does not say how states step", at, "Add NEXT, or a SPECIFICATION with [][Next]_vars."
            )

    # --- what must hold --------------------------------------------------------------------------------------------

    def _of_level(
        self, named: list[tuple[Name, core.Definition]], highest: int, what: str
    ) -> tuple[core.Definition, ...]:
        for name, definition in named:
            self._at_most(name, definition, highest, what)
        return tuple(definition for _, definition in named)

    def _not_constant(self, named: list[tuple[Name, core.Definition]], why: str) -> None:
        for name, definition in named:
            if is_decided(definition):
                raise _error(f"{name.text} is a constant, {why}", name.at, "Name a formula about states or steps.")

    def _at_most(self, name: Name | None, definition: core.Definition | None, highest: int, what: str) -> None:
        if name is None or definition is None or definition.level <= highest:
            return
        kind = "a temporal formula" if definition.level == core.TEMPORAL else "an action (it has a prime)"
        wanted = "a state formula" if highest == core.STATE else "an action"
        remedy = ""
        if what == "an invariant":
            remedy = f"Put it under PROPERTY{'' if definition.level == core.TEMPORAL else f' as [][{name.text}]_vars'}."
        elif what == "a constraint" and definition.level == core.ACTION:
            remedy = "Put it under ACTION_CONSTRAINT."
        raise _error(f"{name.text} is {kind}, and {what} is {wanted}", name.at, remedy)

    def _property(self, name: Name, definition: core.Definition, specification: core.Specification) -> core.Property:
        everything = core.TupleExpression(
            definition.at, tuple(core.VariableReference(definition.at, v) for v in specification.variables)
        )
        parts = split_property(definition.body, self.run.levels.of, everything)
        return core.Property(
            name.text,
            definition.at,
            definition,
            tuple(parts.initial),
            tuple(parts.always),
            tuple(parts.steps),
            tuple(parts.liveness),
        )


def _name_of(part: core.Expression) -> str:
    if isinstance(part, core.Call):
        return part.definition.name
    return part.constant.name if isinstance(part, core.ConstantReference) else "FALSE"


def _called(definition: core.Definition | None, name: Name | None) -> core.Expression | None:
    return None if definition is None or name is None else core.Call(definition.at, definition)


def _conjunction(parts: list[core.Expression], at: Location) -> core.Expression | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return core.Builtin(at, "/\\", tuple(parts))


def _error(message: str, at: Location, remedy: str = "") -> TlaError:
    return TlaError(message, at, remedy, "config")
