"""The frame of the compiler from the resolved tree to Python functions.

Every expression has a value form (Python text that evaluates to a value) and a condition form (text that evaluates to
a Python bool); `expressions`, `collections` and `functions` write them. A definition becomes a Python function for
each way in which it is called (`Generator.call`). Closed constant expressions are evaluated while compiling.

There are two generators for a system. The fast one evaluates arguments and LET definitions eagerly where that is
cheap, lets sets iterate in any order where it makes no difference, and trusts shapes: it may raise an exception where
TLA+ has a value, but never gives a wrong value. The careful one evaluates only what is needed, in TLC's order, with
every check. When the fast code raises anything, the caller evaluates the same thing again with the careful one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, Protocol

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.evaluate.abstract_enabled import AbstractEnabled
from rmqproof.model.evaluate.capture import capture, captured_parameters, read_by_name, received
from rmqproof.model.evaluate.combined_sets import Listed, runs_code
from rmqproof.model.evaluate.constants import normal_constant, shape_of_constant
from rmqproof.model.evaluate.deep_stack import is_deep
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazyFunction, LazySet
from rmqproof.model.evaluate.library import operators
from rmqproof.model.evaluate.library.operator import Code, Runtime
from rmqproof.model.evaluate.locate import Places, strip_marks
from rmqproof.model.evaluate.namespace import HELPERS
from rmqproof.model.evaluate.nesting import Nesting
from rmqproof.model.evaluate.ordered_elements import OrderMemo
from rmqproof.model.evaluate.scope import (
    ByName,
    Entry,
    Env,
    Frame,
    Names,
    OperatorValue,
    WholeFrame,
    identifier,
    operator_value,
)
from rmqproof.model.evaluate.shape import BOOL, LAZY, TRUTH, Shape, bounded, join, plain_shape, shape_of, thunk_of
from rmqproof.model.evaluate.strictness import ATOMS, needs, total
from rmqproof.model.evaluate.values import BY_NAME, FALSE, TRUE, Order, Value
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, TlaError

_CHEAP = 25
"""Arguments and LET definitions of at most this size are evaluated whether they are needed or not."""
_INLINE_DEPTH = 60
_SMALL_DEPTH = 12
"""Small definitions inside of each other become one expression, unless so many are."""
_SMALL_BODY = 14
"""A definition of at most this size is written out where it is called with names and constants."""
_WORTH_REMEMBERING = 15
"""A state function of at least this size keeps its value for the last two states."""


@dataclass(slots=True)
class Compiled:
    """A Python function for a definition. `shape` knows nothing while its own body is being compiled."""

    name: str
    shape: Shape
    parameters: list[str]


Form = Callable[["Generator", Any, Env, str], Code]
"""Code for an expression: a value, or a Python bool with the shape `TRUTH`. The last argument says which is wanted,
`value` or `condition`; one that writes only the other need not mind."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Which function writes which kind of expression, and the entries to those that write larger parts."""

    of: Mapping[type, Form]
    callable_text: Callable[[Generator, core.Expression, Env], str]
    """A Python callable for an operator that is passed as an argument."""
    enabled: Callable[[Generator, core.Expression, Env, tuple[str, str] | None], str]
    composed: Callable[[Generator, Any, Env], str]
    """A composition of steps, as a condition."""


Abstract = Callable[[core.Expression, str, Sequence[core.Binding]], AbstractEnabled | None]


class Evaluations(Protocol):
    """Counts what is evaluated; see `counting`. `reason`: what code is being written for; None: it is not counted."""

    reason: str | None

    def before(self, g: Generator, at: Location, text: str) -> str: ...

    def at_start(self, g: Generator, at: Location) -> str: ...

    def written_for(self, reason: str | None) -> AbstractContextManager[None]: ...


class Generator:
    """Compiles the expressions of one specification. `shapes` are those of the variables."""

    def __init__(
        self,
        forms: Forms,
        variables: Sequence[str],
        shapes: Sequence[Shape],
        analysis: Analysis,
        places: Places,
        runtime: Runtime,
        careful: bool = False,
        eager: bool = True,
        constants: dict[core.Constant | core.Definition, Value] | None = None,
        order: Order = BY_NAME,
        nesting: Nesting | None = None,
    ) -> None:
        self.forms = forms
        self.variables = variables
        self.shapes = list(shapes)
        self.analysis = analysis
        self.nesting = nesting if nesting is not None else Nesting()
        self.places = places
        self.runtime = runtime
        self.careful = careful
        self.eager = eager
        """Whether to evaluate beforehand also what may have no value."""
        self.operators = operators()
        self.order = OrderMemo(order)
        self.namespace: dict[str, Any] = dict(HELPERS, ORDER=self.order, range=range)
        self.values: dict[str, Value] = {}
        self.constant_values = constants if constants is not None else {}
        self._constants: dict[Any, str] = {}
        self.keep: list[Any] = []
        self.evaluations: Evaluations | None = None
        """Counts what is evaluated."""
        self.searchers: dict[Any, str] = {}
        """Names of the functions that decide ENABLED."""
        self.abstract: Abstract = lambda action, instance, names: None
        """Decides ENABLED that an instance writes, where its variables are not those of the state."""
        self._folded: dict[int, tuple[core.Expression, Code | None]] = {}
        self._functions: dict[Any, Compiled] = {}
        self.learning = False
        """What is written minds the values that variables were given before it. What stands before that does not, so
        this code is not for use."""
        self._learnt = [0] * len(self.shapes)
        """How often the shape of each variable has grown."""
        self._count = 0

    def learn(self, index: int, shape: Shape) -> None:
        """A variable may have such values, too."""
        grown = bounded(join(self.shapes[index], shape))
        if grown != self.shapes[index]:
            self.shapes[index] = grown
            self._learnt[index] += 1

    # --- expressions -------------------------------------------------------------------------------------------

    def formed(self, node: core.Expression, env: Env, form: str) -> Code:
        """Code for the `value`, or for the truth of a `condition`: a Python bool."""
        code = self.fold(node, env)
        if code is None:
            part = self.part(node, env)
            if part is not None:
                return self.call_with(part, (), env, form)
            try:
                code = self.forms.of[type(node)](self, node, env, form)
            except TlaError as error:
                code = self.failure(error)
        code = self.condition_of(code) if form == "condition" else as_value(code)
        if code.atom:
            return code
        text = self.places.mark(node.at, code.text)
        return code._replace(text=text if self.evaluations is None else self.evaluations.before(self, node.at, text))

    def value(self, node: core.Expression, env: Env) -> Code:
        return self.formed(node, env, "value")

    def part(self, node: core.Expression, env: Env) -> core.Definition | None:
        """What stands for a part that nests too deeply for one Python function."""
        return self.nesting.part(node) if node is not env.root else None

    def plain(self, node: core.Expression, env: Env) -> Code:
        """The value form, in normal form."""
        code = self.value(node, env)
        if not code.shape.lazy:
            return code
        normal = self.normal(code)
        return normal._replace(text=self.places.mark(node.at, normal.text))  # a set may be too large to be listed

    def normal(self, code: Code) -> Code:
        return Code(f"plain({code.text})", plain_shape(code.shape)) if code.shape.lazy else code

    def condition(self, node: core.Expression, env: Env) -> str:
        """Text of a Python bool."""
        return self.formed(node, env, "condition").text

    def failure(self, error: TlaError) -> Code:
        """Code that raises an error found while compiling, when it is met."""
        if error.kind == "internal":
            raise error
        return Code(f"fail({self.constant(error)})")

    def condition_of(self, code: Code) -> Code:
        """Code for the truth of a value."""
        if code.shape is TRUTH:
            return code
        known = self.known(code)
        if known is TRUE or known is FALSE:
            return Code(str(known.truth), TRUTH, True)
        return Code(f"({code.text} is TRUE)" if code.shape.kind == "bool" else f"truth({code.text})", TRUTH)

    def temporary(self, code: Code, env: Env, stem: str = "t") -> tuple[str, str] | None:
        """Texts for the first and for later uses of a value; None where no temporary can be made."""
        if code.atom:
            return code.text, code.text
        if not env.walrus:
            return None
        name = env.names.fresh(stem)
        return f"({name} := {code.text})", name

    # --- constants ---------------------------------------------------------------------------------------------

    def constant(self, value: Any) -> str:
        """A name for a Python object."""
        key = (type(value), value) if isinstance(value, (int, str, frozenset, tuple)) else id(value)
        name = self._constants.get(key)
        if name is None:
            name = f"K{len(self._constants)}"
            self._constants[key] = name
            self.keep.append(value)
            self.namespace[name] = value
            self.values[name] = value
        return name

    def value_code(self, value: Value) -> Code:
        """Code for a value that is known."""
        if type(value) is int:
            text = str(value) if value >= 0 else f"({value})"
            self.values.setdefault(text, value)
            return Code(text, shape_of(value), True)
        if type(value) is str:
            text = ascii(value)
            self.values.setdefault(text, value)
            return Code(text, shape_of(value), True)
        if value is TRUE or value is FALSE:
            self.values.setdefault(value.name, value)
            return Code(value.name, shape_of(value), True)
        return Code(self.constant(value), shape_of_constant(value), True)

    def known(self, code: Code) -> Value | None:
        """The value that code stands for, when it is a constant."""
        return self.values.get(code.text) if code.atom else None

    def fold(self, node: core.Expression, env: Env) -> Code | None:
        """Code for the value of a closed constant expression, evaluated now; None when it is none, or has no value."""
        if isinstance(
            node,
            (
                core.Literal,
                core.ModelValueLiteral,
                core.Reference,
                core.VariableReference,
                core.OperatorArgument,
                core.Lambda,
            ),
        ):
            return None
        known = self._folded.get(id(node))
        if known is not None:
            return known[1]
        facts = self.analysis.of(node)
        if not facts.constant:
            return None
        if isinstance(node, core.Call) and node.definition in env.lets:
            return None
        self._folded[id(node)] = (node, None)  # while its own body is compiled
        try:
            code = self.value_code(self._shared(node))
        except TlaError as error:
            if error.kind == "internal":
                raise
            return None
        except (Fault, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            return None
        except RecursionError:
            if not is_deep():  # each of a chain of definitions would be tried in two ways, which takes for ever
                raise
            return None
        except NameError:  # a function that is being compiled: two definitions apply each other
            return None
        self._folded[id(node)] = (node, code)
        return code

    def certain(self, node: core.Expression, env: Env) -> bool:
        """Whether the node has a value in every state, so that nobody sees whether it is evaluated."""
        if self.fold(node, env) is not None:
            return True
        if isinstance(node, core.VariableReference):  # while an initial predicate is evaluated it may have none yet
            return env.current is None or env.current.read(node.variable.index) is not None
        if isinstance(node, core.Call) and not node.arguments and not node.definition.recursive:
            return self.certain(node.definition.body, env)
        return total(node, lambda part: self.certain(part, env))

    def _shared(self, node: core.Expression) -> Value:
        """`evaluate`; the value of a definition is computed once for all generators of a system."""
        if not isinstance(node, core.Call) or node.arguments:
            return self.evaluate(node)
        value = self.constant_values.get(node.definition)
        if value is None:
            with self.runtime.draws.occasion(node.definition.name, node.definition.at.short):
                value = self.evaluate(node)
            if (isinstance(value, Listed) and not runs_code(value)) or not isinstance(value, (LazySet, LazyFunction)):
                self.constant_values[node.definition] = value
        return value

    def evaluate(self, node: core.Expression) -> Value:
        """The value of a closed constant expression, normal unless that would be large."""
        env = Env(Names())
        with self.evaluations.written_for(None) if self.evaluations is not None else nullcontext():
            code = as_value(self.forms.of[type(node)](self, node, env, "value"))
        run = self.function("constant", [], [f"return {self.places.mark(node.at, code.text)}"])
        return normal_constant(self.namespace[run]())

    # --- functions ---------------------------------------------------------------------------------------------

    def function(self, stem: str, parameters: Sequence[str], body: Iterable[str]) -> str:
        """Define a Python function; its name."""
        self._count += 1
        name = f"{identifier(stem)}_{self._count}"
        text = f"def {name}({', '.join(parameters)}):\n" + "\n".join(f" {line}" for line in body) + "\n"
        self.execute(name, text)
        return name

    def execute(self, name: str, text: str) -> None:
        """Run generated text in the namespace of the generated functions."""
        filename = f"<{'careful' if self.careful else 'fast'} {name} {id(self):x}>"
        marked = strip_marks(text)
        self.places.texts[filename] = marked
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # `1[2]`: an error when, and only when, it is evaluated
                code = compile(marked.text, filename, "exec")
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise TlaError(
                f"an expression in {name} is nested too deeply ({error})",
                remedy="Give parts of it definitions of their own.",
                kind="evaluation",
            ) from None
        exec(code, self.namespace)

    def source(self) -> str:
        """All generated text, for a developer to read."""
        return "\n".join(marked.text for marked in self.places.texts.values())

    def call(
        self, definition: core.Definition, arguments: Sequence[core.Expression], env: Env, form: str, at: Location
    ) -> Code:
        """Code that calls a definition; `form` is `value` or `condition` (then the text evaluates to a Python bool)."""
        by_name = self.analysis.by_name_parameters(definition)
        if any(
            self.analysis.of(arguments[place]).reads
            or self.analysis.of(arguments[place]).primed
            or self.analysis.of(arguments[place]).free
            for place in by_name
        ):
            return self.inline(definition, arguments, env, form, at)
        entries: list[Entry] = [
            self.argument(definition, place, argument, env) for place, argument in enumerate(arguments)
        ]
        if (
            not self.careful
            and env.walrus
            and env.depth < _SMALL_DEPTH
            and self.analysis.of_definition(definition).size <= _SMALL_BODY
            and all(isinstance(entry, Code) and entry.atom and not entry.shape.lazy for entry in entries)
            and not any(parameter.arity for parameter in definition.parameters)
            and (definition.parameters or not self.analysis.loops(definition.body))
        ):
            inner = env.bind(dict(zip(definition.parameters, entries, strict=True)))
            return self.formed(definition.body, replace(inner, depth=env.depth + 1), form)
        return self.call_with(definition, entries, env, form)

    def inline(
        self, definition: core.Definition, arguments: Sequence[core.Expression], env: Env, form: str, at: Location
    ) -> Code:
        if env.depth > _INLINE_DEPTH and definition.recursive:
            raise TlaError(
                f"{definition.name} is recursive and looks at an argument in another state",
                at,
                "Apply ' and ENABLED to arguments outside of recursive definitions.",
                "evaluation",
            )
        inner = env.bind(self.entries_by_name(definition, arguments, env))
        return self.formed(definition.body, replace(inner, depth=env.depth + 1), form)

    def entries_by_name(
        self, definition: core.Definition, arguments: Sequence[core.Expression], env: Env
    ) -> dict[core.Binding, Entry]:
        return {
            parameter: operator_value(argument, env) if parameter.arity else ByName(argument, env)
            for parameter, argument in zip(definition.parameters, arguments, strict=True)
        }

    def argument(self, definition: core.Definition, place: int, argument: core.Expression, env: Env) -> Entry:
        """How to pass an argument: evaluated now, or as a thunk."""
        parameter = definition.parameters[place]
        if parameter.arity:
            return Code(self.forms.callable_text(self, argument, env))
        return self.eager_or_thunk(argument, env, needs(definition.body, parameter))

    def eager_or_thunk(self, node: core.Expression, env: Env, needed: bool) -> Code:
        entry = env.bindings.get(node.binding) if isinstance(node, core.Reference) else None
        if isinstance(entry, Code) and entry.shape.delayed:
            return entry
        code = self.value(node, env)
        if code.atom or needed:
            return code
        if not self.careful and self.analysis.of(node).size <= _CHEAP and (self.eager or self.certain(node, env)):
            return code
        if self.careful and isinstance(node, ATOMS) and self.certain(node, env):
            return code
        inner = self.value(node, env.no_walrus())
        return Code(f"Thunk(lambda: {inner.text})", thunk_of(inner.shape))

    def call_with(self, definition: core.Definition, entries: Sequence[Entry], env: Env, form: str) -> Code:
        """Code that calls the Python function of a definition with these arguments."""
        facts = self.analysis.of_definition(definition)
        shapes = tuple(
            _any_of(entry.shape) if definition.recursive else entry.shape
            for entry in entries
            if isinstance(entry, Code)
        )
        captured, texts, capture_key = capture(self.analysis, self.values, facts, env)
        by_name = read_by_name(self.analysis, captured)
        current, current_key = self.pass_frame(env.current, facts.reads | by_name)
        nxt, next_key = self.pass_frame(env.next, facts.primed | by_name)
        later = env.later and facts.impure  # what is asked of the search is another thing there
        counted = self.evaluations is not None and self.evaluations.reason
        learnt = tuple(self._learnt[index] for index in sorted(facts.reads | facts.primed | by_name))
        key = (definition, form, shapes, current_key, next_key, capture_key, later, counted, learnt)
        compiled = self._functions.get(key)
        if compiled is None:
            compiled = self.compile(key, definition, form, shapes, captured, len(texts), bool(current), bool(nxt))
        passed = [*current, *nxt, *(entry.text for entry in entries if isinstance(entry, Code)), *texts]
        return Code(f"{compiled.name}({', '.join(passed)})", compiled.shape)

    def pass_frame(self, frame: Frame | None, used: frozenset[int]) -> tuple[list[str], frozenset[int] | bool]:
        """The argument that passes a state, when one is needed, and what of it has a value."""
        if not used or frame is None:
            return [], False
        if isinstance(frame, WholeFrame):
            return [frame.whole(len(self.variables))], frame.known if frame.known is not None else True
        known = frozenset(index for index in range(len(self.variables)) if frame.assigned(index))
        return [frame.whole(len(self.variables))], True if used <= known else known

    def compile(
        self,
        key: Any,
        definition: core.Definition,
        form: str,
        shapes: Sequence[Shape],
        captured: Sequence[tuple[Any, Entry]],
        count: int,
        has_current: bool,
        has_next: bool,
    ) -> Compiled:
        """Compile the Python function of a definition for one way of calling it; `count`: of the texts captured."""
        self._count += 1
        names = Names()
        name = f"{identifier(definition.name)}_{self._count}"
        compiled = self._functions[key] = Compiled(name, LAZY if form == "value" else TRUTH, [])
        _, _, _, current_key, next_key, _, later, _, _ = key
        parameters = ["s"] * has_current + ["n"] * has_next
        bindings: dict[core.Binding, Entry] = {}
        for parameter, shape in zip(definition.parameters, shapes, strict=True):
            text = names.fresh(parameter.name)
            parameters.append(text)
            bindings[parameter] = OperatorValue(None, None, text) if parameter.arity else Code(text, shape, True)
        more, lets = received(captured)
        bindings |= more
        parameters += captured_parameters(count)
        inner = Env(
            names,
            bindings,
            lets,
            WholeFrame("s", current_key if isinstance(current_key, frozenset) else None) if has_current else None,
            WholeFrame("n", next_key if isinstance(next_key, frozenset) else None) if has_next else None,
            later=later,
            root=definition.body,
        )
        try:
            code = self.formed(definition.body, inner, form)
        except BaseException:
            del self._functions[key]
            raise
        text = f"def {name}({', '.join(parameters)}): return {code.text}\n"
        facts = self.analysis.of_definition(definition)
        memoises = self.evaluations is None and not captured and self.worth_memoising(definition)
        if parameters == ["s"] and current_key is True and memoises:
            text += f"{name} = memoised({name}, {sorted(facts.reads)})\n"
        self.execute(name, text)
        compiled.shape = LAZY if definition.recursive and form == "value" else code.shape
        return compiled

    def worth_memoising(self, definition: core.Definition) -> bool:
        """Whether a state function without parameters is to keep its value for the last states."""
        facts = self.analysis.of_definition(definition)
        return not facts.impure and (facts.size >= _WORTH_REMEMBERING or self.analysis.loops(definition.body))


def as_value(code: Code) -> Code:
    """Code for the value of a condition."""
    if code.shape is not TRUTH:
        return code
    if code.text in ("True", "False"):
        return Code(code.text.upper(), BOOL, True)
    return Code(f"(TRUE if {code.text} else FALSE)", BOOL)


def _any_of(shape: Shape) -> Shape:
    """The shape of an argument of which only is known whether it has a value yet."""
    return replace(shape, item=LAZY) if shape.delayed else LAZY
