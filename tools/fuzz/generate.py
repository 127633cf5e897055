"""From a seed to a specification."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from tools.fuzz.actions import Variable, action, initial
from tools.fuzz.asking import about_levels, printing, told
from tools.fuzz.common import settled
from tools.fuzz.expressions import WIDE, Expressions, Higher, Operator, Scope, Universe
from tools.fuzz.forms import FORMS
from tools.fuzz.interchange import COUNTS, Interchange, interchange
from tools.fuzz.logic import LAWS
from tools.fuzz.naming import apart, ordinary
from tools.fuzz.passing import passed
from tools.fuzz.refinement import refinement
from tools.fuzz.replaced import replaced
from tools.fuzz.restrictions import Restrictions
from tools.fuzz.specification import Definition, Module, Role, Specification
from tools.fuzz.tree import LINE, Node, Part
from tools.fuzz.types import (
    BASES,
    BOOLEAN,
    INTEGER,
    MIXED,
    MODEL,
    STRING,
    Base,
    Case,
    Name,
    Record,
    SetOf,
    Sizes,
    Tagged,
    Type,
)

STANDARD = ("Integers", "Sequences", "FiniteSets", "Bags", "TLC")
SHARE_TAGGED = 0.25
"""Of the specifications, with records or pairs whose contents are of two kinds."""
SHARE_REFINING = 0.15
"""Of the specifications, that refine another one."""
INTEGERS = ("(0..2)", "(-1..1)", "{0, 3, 1}", "{-7, 2, 1000000}", "(1..2)", "{5, -5}", "(-2..1)", "{10, 9, 100}")


def generate(seed: int) -> Specification:
    """The same specification for the same seed."""
    return _Generator(Random(seed), seed).specification()


@dataclass(slots=True)
class _Generator:
    random: Random
    seed: int
    count: int = 0
    definitions: list[Definition] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)
    standard: tuple[str, ...] = STANDARD
    asked: bool = False
    """Whether invariants and constraints may ask for the level."""
    moved: Interchange | None = None
    """The model values that may be exchanged, and there is a SYMMETRY."""

    def definition(self) -> Name:
        self.count += 1
        return Name("definition", self.count)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def define(self, body: Node, head: tuple[Part, ...] = (), role: Role = Role.HELPER) -> Name:
        name = self.definition()
        self.definitions.append(Definition(name, body, head, role))
        return name

    # --- the universe

    def universe(self) -> tuple[Universe, tuple[Name, ...], tuple[Node, ...]]:
        random = self.random
        nodes = Name("constant", 0)
        exchanged = self.chance(0.3)
        counts = COUNTS if exchanged else (1, 2, 2, 3, 3)
        model_values = [Name("model value", i) for i in range(random.choice(counts))]
        given = [Node(MODEL, (nodes, " = {", *_listed(model_values), "}"))]
        constants = [nodes]
        if exchanged:
            free = Name("constant", 4), Name("constant", 5), Name("constant", 6)
            self.moved = interchange(random, nodes, tuple(model_values), free)
            constants += [name for name, _ in self.moved.sets[1:]]
            given += self.moved.given
        literals: list[tuple[Part, ...]] = []
        alone = Name("constant", 1)
        constants.append(alone)
        given.append(Node(MODEL, (alone, " = ", random.choice((alone, model_values[0])))))
        literals.append((alone,))
        strings = [Name("string", i) for i in range(random.choice((2, 2, 3, 4)))]
        number = random.choice(INTEGERS)
        numbers = eval(_python(number))  # one of the texts above
        domains: dict[Base, tuple[Part, ...]] = {}
        domains[STRING] = (self.define(Node(SetOf(STRING), ("{", *_listed(strings), "}"))),)
        domains[INTEGER] = (self.define(Node(SetOf(INTEGER), (number,))),) if self.chance(0.7) else (number,)
        domains[MODEL] = (nodes,) if self.chance(0.6) else ("(", nodes, " \\cup {", alone, "})")
        domains[BOOLEAN] = ("BOOLEAN",)
        mixed = ("{", *literals[0], ", ", *_written(numbers[0]), ", ", *_written(numbers[-1]), "}")
        domains[MIXED] = (self.define(Node(SetOf(MIXED), mixed)),)
        sizes = Sizes(
            (
                (INTEGER, len(numbers)),
                (BOOLEAN, 2),
                (STRING, len(strings)),
                (MODEL, len(model_values) + 1),
                (MIXED, 3),
            )
        )
        if self.chance(0.3):
            constant = Name("constant", 2)
            constants.append(constant)
            given.append(Node(INTEGER, (constant, f" = {random.choice((0, 1, 2, 3, 7))}")))
            self.scope = replace(self.scope, values=(*self.scope.values, ((constant,), INTEGER)))
        if self.chance(0.3):
            constant = Name("constant", 3)
            constants.append(constant)
            given.append(Node(STRING, (constant, " = ", random.choice(strings))))
            self.scope = replace(self.scope, values=(*self.scope.values, ((constant,), STRING)))
        all_literals: dict[Base, tuple[tuple[Part, ...], ...]] = {
            INTEGER: tuple(_written(each) for each in numbers),
            BOOLEAN: (("TRUE",), ("FALSE",)),
            STRING: tuple((string,) for string in strings),
            MODEL: tuple(literals),
            MIXED: (*literals, _written(numbers[0]), _written(numbers[-1])),
        }
        universe = Universe(domains, all_literals, sizes, tuple(strings), self.records(strings), self.tagged(strings))
        return universe, tuple(constants), tuple(given)

    def records(self, strings: list[Name]) -> tuple[Record, ...]:
        """Two types of records."""
        random, found = self.random, []
        for _ in range(2):
            fields = random.sample(strings, min(len(strings), random.choice((1, 2, 2))))
            same = self.chance(0.4)
            types = [random.choice((INTEGER, BOOLEAN, STRING, MODEL, MIXED)) for _ in fields]
            found.append(Record(tuple(zip(fields, types[:1] * len(fields) if same else types, strict=True))))
        return tuple(found)

    def tagged(self, strings: list[Name]) -> tuple[Tagged, ...]:
        """Of a share of the specifications: messages whose contents are of several kinds, in fields of one name or not.

        Drawn apart, so that the other specifications are what they were.
        """
        random = Random(f"tagged {self.seed}")
        if random.random() >= SHARE_TAGGED:
            return ()
        numbers, sets = random.choice((INTEGER, MIXED)), SetOf(random.choice((BOOLEAN, STRING)))
        content_types: tuple[Type, ...] = (numbers, BOOLEAN, STRING, sets)  # no value is of two of them: see fuzzing.md
        kinds: list[Type | None] = random.sample(content_types, random.choice((2, 2, 3)))
        tags = [random.choice(strings) for _ in kinds] if random.random() < 0.3 else random.sample(strings, 2)
        tag, *fields = random.sample(strings, len(strings))
        pairs = random.random() < 0.25
        if pairs or random.random() < 0.5:
            fields = fields[:1]
        elif len(fields) >= len(kinds) and random.random() < 0.3:
            kinds = kinds[:1] * len(kinds)
        if not pairs and random.random() < 0.2:
            kinds[-1] = None
        cases = (Case(tags[i % len(tags)], fields[i % len(fields)], kind) for i, kind in enumerate(kinds))
        return (Tagged(None if pairs else tag, tuple(cases)),)

    def expressions(self, universe: Universe) -> Expressions:
        """How expressions are drawn; of model values more often where they may be exchanged."""
        random = self.random
        return Expressions(
            random,
            universe,
            FORMS,
            risk=random.choice((0.0, 0.0, 0.03, 0.1)),
            wild=random.choice((0.0,) * 7 + (0.01,)),
            left=random.choice((100, 200, 400)),
            fair=self.chance(0.2 if self.moved is None else 0.4),
            bits=self.chance(0.2),
            bases=BASES if self.moved is None else (*BASES, MODEL, MODEL, MODEL),
            wide=WIDE if self.moved is None else 36,
        )

    # --- the whole

    def specification(self) -> Specification:
        random = self.random
        universe, constants, given = self.universe()
        x = self.expressions(universe)
        self.standard = (*STANDARD, "Bitwise") if x.bits else STANDARD
        self.asked = self.chance(0.15)
        base = len(self.definitions)
        helpers: list[Module] = []
        self.constant_definitions(x)
        if self.chance(0.25):
            helpers += self.instanced(x)
        variables = self.variables(x)
        state = replace(
            self.scope,
            values=(*self.scope.values, *(((each.name,), each.type) for each in variables)),
            state=True,
        )
        for _ in range(random.choice((0, 1, 2))):
            state = self.operator(x, state, True)
        x.left = max(x.left, 60)
        depth = random.choice((1, 2, 2, 3))
        begun = initial(x, variables, self.scope)
        init = self.define(printing(x, begun, variables[0].name) if self.chance(0.05) else begun, role=Role.INIT)
        actions = self.actions(x, variables, depth, state)
        parts: list[Part] = []
        for one in actions:
            parts += [LINE, "\\/ ", one]
        next_ = self.define(Node(BOOLEAN, ("(", *parts, "\n  )")), role=Role.NEXT)
        self.properties(x, variables, state, depth)
        restrictions = Restrictions(
            x, variables, state, constants[0], self.moved, self.asked, lambda body, role: self.define(body, role=role)
        )
        reduced = restrictions.draw()
        # Liveness is judged without VIEW and SYMMETRY, where a state has no level of its own.
        lively = x.fair and (not reduced or (not self.asked and self.chance(0.5)))
        self.temporal(x, variables, state, init, next_, actions, lively)
        if Random(f"refining {self.seed}").random() < SHARE_REFINING:
            refined, more = refinement(
                x, variables, state, self.definition, (*self.standard, Name("module", 1)), x.fair and not reduced
            )
            helpers.append(refined)
            self.definitions += more
        names = tuple(each.name for each in variables)
        definitions = tuple(self.definitions)
        extends: tuple[str | Name, ...] = self.standard
        if helpers or self.chance(0.2):
            module = Name("module", 1)
            helpers.insert(0, Module(module, self.standard, constants, (), definitions[:base]))
            constants, definitions, extends = (
                (),
                definitions[base:],
                (module,) if self.chance(0.5) else (*self.standard, module),
            )
        main = Module(Name("module", 0), extends, constants, names, definitions)
        spec = replaced(Specification(self.seed, (*helpers, main), given, self.chance(0.4)))
        return replace(spec, words=(ordinary if self.chance(0.5) else apart)(spec, Random(self.seed)))

    def constant_definitions(self, x: Expressions) -> None:
        for _ in range(self.random.choice((0, 1, 2, 3))):
            if self.chance(0.25):
                self.scope = self.higher_order(x, self.scope)
            elif self.chance(0.2):
                self.scope = self.recursive(x, self.scope)
            else:
                self.scope = self.operator(x, self.scope, False)

    def operator(
        self, x: Expressions, scope: Scope, state: bool, instanced: tuple[tuple[Name, Type], ...] = ()
    ) -> Scope:
        """`instanced`: constants that an INSTANCE gives."""
        parameters = tuple(x.near(scope) for _ in range(self.random.choice((0, 1, 1, 2))))
        result = x.near(scope, 2)
        names = [Name("local", i) for i in range(len(parameters))]
        inner = replace(scope, state=state).bound(*zip(names, parameters, strict=True))
        body = settled(x.make(result, 3, inner), *zip(names, parameters, strict=True), *instanced)
        if not (state or parameters) and self.chance(0.1):
            body = Node(result, ("Print(", x.literal(x.base()), ", ", body, ")"), body.bound)
        name = self.define(body, _parameters(names))
        operator = Operator((name,), parameters, result, state)
        return replace(scope, operators=(*scope.operators, operator))

    def higher_order(self, x: Expressions, scope: Scope) -> Scope:
        """An operator that takes one."""
        wanted = Higher(tuple(x.type(1) for _ in range(self.random.choice((1, 1, 2)))), x.type(1))
        parameter, result = x.type(1), x.type(1)
        function, value = Name("local", 0), Name("local", 1)
        taken = Operator((function,), wanted.parameters, wanted.result, False)
        inner = replace(scope, operators=(*scope.operators, taken), depth=2)
        inner = replace(inner, values=(*inner.values, ((value,), parameter)))
        body = settled(x.make(result, 3, inner), (value, parameter))
        places = ", ".join("_" for _ in wanted.parameters)
        name = self.define(body, ("(", function, f"({places}), ", value, ")"))
        operator = Operator((name,), (wanted, parameter), result, False)
        return replace(scope, operators=(*scope.operators, operator))

    def recursive(self, x: Expressions, scope: Scope) -> Scope:
        """Over a set that loses elements, or a number that goes down; and a function that calls itself."""
        name = self.definition()
        result = x.type(1)
        a, b = Name("local", 0), Name("local", 1)
        form = self.random.randrange(3)
        if form == 0:
            element = x.type(1)
            inner = replace(scope, depth=2, values=(*scope.values, ((b,), element)))
            again: tuple[Part, ...] = (name, "(", a, " \\ {", b, "})")
            step = x.make(result, 2, replace(inner, values=(*inner.values, (again, result))))
            chosen = Name("local", 70)
            body = Node(
                result,
                (
                    "(IF ",
                    a,
                    " = {} THEN ",
                    x.make(result, 1, replace(scope, depth=2)),
                    " ELSE LET ",
                    b,
                    " == CHOOSE ",
                    chosen,
                    " \\in ",
                    a,
                    " : TRUE IN ",
                    step,
                    ")",
                ),
            )
            self.definitions.append(Definition(name, body, ("(", a, ")"), before=("RECURSIVE ", name, "(_)")))
            operator = Operator((name,), (SetOf(element),), result, False)
            return replace(scope, operators=(*scope.operators, operator))
        top = self.random.choice((2, 3))
        if form == 1:
            inner = replace(scope, depth=1, values=(*scope.values, ((a,), INTEGER)))
            again = (name, "[", a, " - 1]")
            step = x.make(result, 2, replace(inner, values=(*inner.values, (again, result))))
            body = Node(
                result, ("(IF ", a, " = 0 THEN ", x.make(result, 1, replace(scope, depth=1)), " ELSE ", step, ")")
            )
            self.definitions.append(Definition(name, body, ("[", a, f" \\in 0..{top}]")))
            at = self.random.randint(0, top)
            return replace(scope, values=(*scope.values, ((name, f"[{at}]"), result)))
        inner = replace(scope, depth=2, values=(*scope.values, ((a,), INTEGER), ((b,), result)))
        again = (name, "(", a, " - 1, ", b, ")")
        step = x.make(result, 2, replace(inner, values=(*inner.values, (again, result))))
        step = Node(BOOLEAN, ("(", step, " = TRUE)")) if result == BOOLEAN else step  # b is named a second time
        body = Node(result, ("(IF ", a, f" <= 0 \\/ {top} < ", a, " THEN ", b, " ELSE ", step, ")"))
        self.definitions.append(Definition(name, body, ("(", a, ", ", b, ")"), before=("RECURSIVE ", name, "(_, _)")))
        operator = Operator((name,), (INTEGER, result), result, False)
        return replace(scope, operators=(*scope.operators, operator))

    def instanced(self, x: Expressions) -> list[Module]:
        """A module with a constant or two, and an instance of it; its operators are used as I!Op."""
        module, instance = Name("module", 2), self.definition()
        types = [x.type(1) for _ in range(self.random.choice((1, 2)))]
        constants = tuple(Name("constant", 10 + i) for i in range(len(types)))
        outer, mine = self.scope, self.definitions
        parameter, its = Name("local", 60), x.type(1)
        parametrised = self.chance(0.4)
        self.definitions = []
        self.scope = Scope(values=tuple(((name,), type) for name, type in zip(constants, types, strict=True)))
        for _ in range(self.random.choice((1, 2))):
            self.scope = self.operator(x, self.scope, False, tuple(zip(constants, types, strict=True)))
        inside, self.definitions = self.definitions, mine
        prefixes: list[tuple[Part, ...]] = [(instance, "!")]
        around = outer
        if parametrised:
            prefixes = [(instance, "(", x.literal(its), ")!") for _ in range(2)]
            around = replace(outer, values=(*outer.values, ((parameter,), its)))
        operators = [replace(op, name=(*prefix, *op.name)) for prefix in prefixes for op in self.scope.operators]
        given: list[Part] = []
        for i, (constant, type) in enumerate(zip(constants, types, strict=True)):
            given += [", "] if i else []
            given += [constant, " <- ", x.make(type, 2, around)]
        body = Node(BOOLEAN, ("INSTANCE ", module, " WITH ", *given))
        self.definitions.append(Definition(instance, body, _parameters([parameter] if parametrised else [])))
        self.scope = replace(outer, operators=(*outer.operators, *operators))
        return [Module(module, (Name("module", 1),), constants, (), tuple(inside))]

    def variables(self, x: Expressions) -> list[Variable]:
        most, found = (400 if self.moved is None else 200), []
        for i in range(self.random.choice((1, 2, 2, 3, 3))):
            if self.moved is not None and self.chance(0.75):
                type, domain = self.moved.variable(self.random, list(x.universe.strings), most)
                size = domain.bound or most
            else:
                type = x.small_type(min(300 if x.universe.tagged else 30, most))
                size = x.universe.sizes(type)
                if size > most:
                    type, size = BOOLEAN, 2
                domain = x.domain(type)
            most = max(most // size, 2)
            if self.chance(0.6):
                domain = Node(domain.type, (self.define(domain),), domain.bound)
            found.append(Variable(Name("variable", i), type, domain))
        return found

    def actions(self, x: Expressions, variables: list[Variable], depth: int, state: Scope) -> list[Node]:
        """Calls of actions, with their quantifiers."""
        found = []
        for _ in range(self.random.choice((2, 2, 3, 3, 4))):
            form = self.random.randrange(3)
            if self.chance(0.06):
                one, other = (action(x, variables, depth, state) for _ in range(2))
                found.append(passed(x, lambda body, head: self.define(body, head), one, other, state))
            elif self.chance(0.04):
                guard = self.enabled_through_parameters(x, variables, state, 0.3)
                found.append(Node(BOOLEAN, ("(", guard, " /\\ ", action(x, variables, depth, state), ")")))
            elif form == 0:
                found.append(action(x, variables, depth, state))
            elif form == 1:
                name = self.define(action(x, variables, depth, state))
                found.append(Node(BOOLEAN, (name,)))
            else:
                type = x.near(state)
                parameter = Name("local", 0)
                body = action(x, variables, depth, state.bound((parameter, type)))
                name = self.define(body, ("(", parameter, ")"))
                among = x.small_domain(type) if self.chance(0.6) else x.small_set(type, 1, state, 4)
                found.append(Node(BOOLEAN, ("(\\E ", parameter, " \\in ", among, " : ", name, "(", parameter, "))")))
        return found

    def properties(self, x: Expressions, variables: list[Variable], state: Scope, depth: int) -> None:
        if self.chance(0.5):
            parts: list[Part] = []
            for i, each in enumerate(variables):
                parts += [" /\\ " if i else "", each.name, " \\in ", each.domain]
            self.define(Node(BOOLEAN, tuple(parts)), role=Role.INVARIANT)
        if self.chance(0.05):
            # of recursive operators SANY says that the invariant is an action
            enabled = self.enabled_through_parameters(x, variables, state, 0)
            body = Node(BOOLEAN, (enabled, " => ", x.make(BOOLEAN, 1, state)))
            name = variables[0].name
            self.define(Node(BOOLEAN, ("((", body, ") /\\ ", name, " = ", name, ")")), role=Role.INVARIANT)
        for _ in range(self.random.choice((0, 1, 2))):
            body = self.random.choice(LAWS)(x, depth, state)
            name = variables[0].name
            self.define(Node(BOOLEAN, ("(", body, " /\\ ", name, " = ", name, ")")), role=Role.INVARIANT)
        if self.asked and self.chance(0.8):
            body = about_levels(x, depth, state)
            name = variables[0].name
            self.define(Node(BOOLEAN, ("(", body, " /\\ ", name, " = ", name, ")")), role=Role.INVARIANT)
        if self.chance(0.4):
            body = x.make(BOOLEAN, depth + 1, state)
            if self.chance(0.5):
                body = Node(BOOLEAN, ("(", x.make(BOOLEAN, depth, state), " => ", body, ")"))
            name = variables[-1].name
            if self.chance(0.1):
                body = told(x, body, name, state)
            self.define(Node(BOOLEAN, ("(", body, " /\\ ", name, " = ", name, ")")), role=Role.INVARIANT)

    def temporal(
        self,
        x: Expressions,
        variables: list[Variable],
        state: Scope,
        init: Name,
        next_: Name,
        actions: list[Node],
        lively: bool,
    ) -> None:
        listed: list[Part] = ["<<"]
        for i, each in enumerate(variables):
            listed += [", ", each.name] if i else [each.name]
        vars_ = Node(BOOLEAN, (self.define(Node(BOOLEAN, (*listed, ">>"))),))
        primed = replace(state, values=(*state.values, *(((each.name, "'"), each.type) for each in variables)))
        if self.chance(0.15):
            body = x.make(BOOLEAN, 2, primed)
            self.define(Node(BOOLEAN, ("[][", body, "]_", vars_)), role=Role.PROPERTY)
        if lively or self.chance(0.2):
            parts: list[Part] = [init, " /\\ [][", next_, "]_", vars_]
            for one in actions:
                if lively and self.chance(0.6):
                    parts += [" /\\ ", self.random.choice(("WF_", "WF_", "SF_")), vars_, "(", one, ")"]
            self.define(Node(BOOLEAN, tuple(parts)), role=Role.SPECIFICATION)
        if lively:
            p, q = (x.make(BOOLEAN, 2, state), " = TRUE"), (x.make(BOOLEAN, 1, state), " = TRUE")
            step = (x.make(BOOLEAN, 1, primed), " = TRUE")
            form: tuple[Part, ...] = self.random.choice(
                (
                    ("[]<>(", *p, ")"),
                    ("<>[](", *p, ")"),
                    ("(", *p, ") ~> (", *q, ")"),
                    ("<>(", *p, ")"),
                    ("[]<>(", *p, ") => []<>(", *q, ")"),
                    ("[]((", *p, ") => <>(", *q, "))"),
                    ("<>[][", *step, "]_", vars_),
                    ("[]<><<", *step, ">>_", vars_),
                )
            )
            self.define(Node(BOOLEAN, form), role=Role.PROPERTY)
        if self.chance(0.2):
            through = self.through_parameters(x, primed, state)
            self.define(Node(BOOLEAN, ("[][", through, "]_", vars_)), role=Role.PROPERTY)

    def through_parameters(self, x: Expressions, primed: Scope, state: Scope) -> Node:
        """A formula about a step in which a prime reaches what an argument reads, at once or through parameters."""
        type = x.near(state)
        parameter = Name("local", 0)
        inner = primed.bound((parameter, type))
        inner = replace(inner, values=(*inner.values, ((parameter, "'"), type), ((parameter, "'"), type)))
        name = self.define(x.make(BOOLEAN, 2, inner), ("(", parameter, ")"))
        for _ in range(self.random.choice((0, 1, 1, 2))):
            passed = self.applied(name, x.make(type, 2, state.bound((parameter, type))))
            name = self.define(passed, ("(", parameter, ")"))
        return self.applied(name, x.make(type, 1, state))

    def applied(self, operator: Name, argument: Node) -> Node:
        """The operator applied: as it is, or passed to one that applies it, itself or by way of one around it."""
        form = self.random.randrange(6)
        if form < 3:
            return Node(BOOLEAN, (operator, "(", argument, ")"))
        function, value, around = Name("local", 71), Name("local", 72), Name("local", 73)
        applies = self.define(Node(BOOLEAN, (function, "(", value, ")")), ("(", function, "(_), ", value, ")"))
        given: tuple[Part, ...] = (applies, "(", operator, ", ", argument, ")")
        if form == 4:
            given = (applies, "(LAMBDA ", around, " : ", operator, "(", around, "), ", argument, ")")
        elif form == 5:  # what it is applied to is captured
            inside: tuple[Part, ...] = (around, "(", value, ") == ", operator, "(", argument, ")")
            given = ("(LET ", *inside, " IN ", applies, "(", around, ", 0))")
        return Node(BOOLEAN, given)

    def enabled_through_parameters(
        self, x: Expressions, variables: list[Variable], state: Scope, recursive: float
    ) -> Node:
        """Whether an action is enabled that is passed through operators, a share of which call themselves."""
        a, b, count = Name("local", 0), Name("local", 1), Name("local", 2)
        fair, x.fair = x.fair, True
        asked = action(x, variables, 1, state)
        x.fair = fair
        if self.chance(recursive):
            name = self.definition()
            again: tuple[Part, ...] = (name, "(", count, " - 1, ", b, ", ", a, ")")
            body = Node(BOOLEAN, ("(IF ", count, " <= 0 THEN ENABLED ", b, " ELSE ", *again, ")"))
            head = ("(", count, ", ", a, ", ", b, ")")
            self.definitions.append(Definition(name, body, head, before=("RECURSIVE ", name, "(_, _, _)")))
            pair: tuple[Part, ...] = (asked, ", ", x.make(BOOLEAN, 1, state))
            given = pair if self.chance(0.5) else pair[::-1]
            return Node(BOOLEAN, (name, f"({self.random.randrange(3)}, ", *given, ")"))
        name = self.define(Node(BOOLEAN, ("ENABLED ", a)), ("(", a, ")"))
        for _ in range(self.random.choice((0, 1, 1, 2))):
            beside: tuple[Part, ...] = ("(", a, " /\\ ", x.make(BOOLEAN, 1, state.deeper(1)), ")")
            test = beside if self.chance(0.3) else (a,)
            name = self.define(Node(BOOLEAN, (name, "(", *test, ")")), ("(", a, ")"))
        return Node(BOOLEAN, (name, "(", asked, ")"))


def _listed(names: list[Name]) -> list[Part]:
    parts: list[Part] = []
    for i, name in enumerate(names):
        parts += [", ", name] if i else [name]
    return parts


def _parameters(names: list[Name]) -> tuple[Part, ...]:
    if not names:
        return ()
    return ("(", *_listed(names), ")")


def _python(domain: str) -> str:
    """The numbers of one of `INTEGERS`, in Python."""
    if ".." in domain:
        low, high = domain.strip("()").split("..")
        return f"list(range({low}, {high} + 1))"
    return "sorted(" + domain + ")"


def _written(number: int) -> tuple[Part, ...]:
    return (f"({number})" if number < 0 else str(number),)
