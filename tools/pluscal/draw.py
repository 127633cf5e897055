"""Random algorithms in PlusCal, in either syntax: all statements, names that mean two things, expressions of several
lines whose columns matter, comments in between. Most can be translated; some lack a label, or go wrong otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

MODULE = "Drawn"
VARIABLES = ("x", "y", "zz", "u", "value", "m")
LABELS = ("a", "b", "Lab", "c1", "Lbl_1", "x", "Lbl_3")
PROCEDURES = ("Swap", "Add")
PROCESSES = ("Left", "Right", "proc")
MACROS = ("Set", "Wait")
PARAMETERS = ("p", "n", "other", "m")
LOCALS = ("local", "k", "other")
FAIRNESS = ("termination", "wf", "sf", "nof", "wfNext")
OPTIONS = (
    *("noDoneDisjunct", "labelRoot L", "labelRoot more_", "-lineWidth 60", "-lineWidth 110", "-nocfg"),
    *("version 1.4", "version 1.5", "version 1.10"),
)


def algorithm(seed: int) -> str:
    """A module with an algorithm."""
    random = Random(seed)
    return _Drawn(random, braces=random.random() < 0.5).module()


class _Layout:
    """Text that knows its column, so that what has several lines is laid out below itself."""

    def __init__(self) -> None:
        self.lines = [""]

    def write(self, *texts: str) -> None:
        for text in texts:
            self.lines[-1] += text

    def block(self, lines: Sequence[str]) -> None:
        column = len(self.lines[-1])
        self.lines[-1] += lines[0]
        self.lines += [" " * column + line for line in lines[1:]]

    def line(self, indent: int) -> None:
        self.lines.append(" " * indent)


class _Drawn:
    def __init__(self, random: Random, braces: bool) -> None:
        self.random = random
        self.braces = braces
        self.out = _Layout()
        self.indent = 0
        self.labelled = random.choice((0.15, 0.4, 0.9))
        self.macros: dict[str, int] = {}
        self.procedures: dict[str, int] = {}
        self.names: list[str] = []
        self.labels: list[str] = list(LABELS)
        self.in_procedure = self.in_macro = self.in_with = False
        self.given: list[str] = []
        """Parameters of the macro that is drawn."""
        self.assigned: set[str] = set()
        """Variables that are assigned since the last label."""

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # --- the module --------------------------------------------------------------------------------------------------

    def module(self) -> str:
        out, random = self.out, self.random
        out.write(f"---- MODULE {MODULE} ----")
        out.line(0)
        out.write("EXTENDS Integers, Sequences, TLC")
        if self.chance(0.9):
            out.line(0)
            chosen = ["label"] if self.chance(0.9) else []
            chosen += random.sample(OPTIONS, random.choice((0, 0, 1, 2))) + random.sample(FAIRNESS, self.chance(0.4))
            random.shuffle(chosen)
            out.write(f"\\* PlusCal options ({random.choice((', ', ' ')).join(chosen)})")
        out.line(random.choice((0, 0, 2)))
        out.write("(*", random.choice(("", " ", " text before it, ")))
        if self.chance(0.2):
            out.line(3)
        out.write("--fair algorithm" if self.chance(0.15) else "--algorithm")
        out.write(" ", random.choice((MODULE, "Small")))
        self.opened()
        self.declarations()
        self.closed("algorithm")
        out.write(random.choice(("", " ", " and text behind it ")), "*)")
        if self.chance(0.3):
            out.line(0)
            out.write("\\* BEGIN TRANSLATION")
            out.line(0)
            out.write("\\* END TRANSLATION")
        out.line(0)
        out.write("====")
        return "\n".join(out.lines) + "\n"

    def opened(self) -> None:
        if self.braces:
            self.out.write(" {")
        self.indent += 2

    def closed(self, word: str) -> None:
        self.indent -= 2
        self.next_line()
        self.out.write("}" if self.braces else f"end {word}")
        if word not in ("", "algorithm") and (not self.braces or self.chance(0.3)) and self.chance(0.9):
            self.out.write(";")

    def next_line(self) -> None:
        if self.chance(0.03):
            self.out.write(" (* a comment *)")
        elif self.chance(0.03):
            self.out.write(" \\* the rest")
        self.out.line(self.indent)

    def declarations(self) -> None:
        random = self.random
        names = random.sample(VARIABLES, random.randint(1, 4))
        self.names = names
        self.variables(names)
        if self.chance(0.25):
            self.definitions()
        for name in random.sample(MACROS, random.choice((0, 0, 1, 2))):
            self.macro(name)
        chosen = random.sample(PROCEDURES, random.choice((0, 0, 0, 1, 2)))
        self.procedures = {name: random.randint(0, 2) for name in chosen}
        for name in chosen:
            self.procedure(name)
        if self.chance(0.6):
            for name in random.sample(PROCESSES, random.randint(1, 2)):
                self.one_process(name)
        else:
            self.next_line()
            self.body()

    def variables(self, names: Sequence[str], sets: bool = True) -> None:
        if not names:
            return
        self.next_line()
        self.out.write("variables " if len(names) > 1 or self.chance(0.5) else "variable ")
        indent, self.indent = self.indent, len(self.out.lines[-1])
        for number, name in enumerate(names):
            if number:
                self.out.write(self.random.choice((",", ";", ", ")))
                if self.chance(0.6):
                    self.next_line()
                else:
                    self.out.write(" ")
            self.out.write(name)
            if self.chance(0.85):
                self.out.write(" \\in " if sets and self.chance(0.25) else " = ")
                self.expression(2)
        self.out.write(";")
        self.indent = indent

    def definitions(self) -> None:
        self.next_line()
        self.out.write("define {" if self.braces else "define")
        self.indent += 2
        for name in ("Double(p)", "Limit")[: self.random.randint(1, 2)]:
            self.next_line()
            self.out.write(f"{name} == ")
            self.expression(2)
        self.indent -= 2
        self.next_line()
        self.out.write("}" if self.braces else "end define;")

    def macro(self, name: str) -> None:
        parameters = self.random.sample(PARAMETERS, self.random.randint(0, 2))
        self.given = parameters
        self.next_line()
        self.out.write(f"macro {name}({', '.join(parameters)})")
        known, self.names = self.names, [*self.names, *parameters]
        self.in_macro = True
        self.body("macro")
        self.in_macro, self.given = False, []
        self.names = known
        self.macros[name] = len(parameters)

    def procedure(self, name: str) -> None:
        parameters = self.fresh(PARAMETERS, self.procedures[name], self.names)
        locals_ = self.fresh(LOCALS, self.random.choice((0, 0, 1, 2)), [*self.names, *parameters])
        self.next_line()
        self.out.write(f"procedure {name}(")
        for number, parameter in enumerate(parameters):
            self.out.write(", " if number else "", parameter)
            if self.chance(0.3):
                self.out.write(" = ")
                self.expression(1)
        self.out.write(")")
        known, self.names = self.names, [*self.names, *parameters, *locals_]
        self.variables(locals_, sets=False)
        self.in_procedure = True
        self.body("procedure", last=self.returns)
        self.in_procedure = False
        self.names = known

    def one_process(self, name: str) -> None:
        self.next_line()
        self.out.write(self.random.choice(("", "", "fair ", "fair+ ")), "process ")
        self.out.write("(" if self.braces else "", name, self.random.choice((" = ", " \\in ")))
        self.expression(1)
        self.out.write(")" if self.braces else "")
        locals_ = self.fresh(LOCALS, self.random.choice((0, 0, 1, 2)), self.names)
        self.variables(locals_)
        known, self.names = self.names, [*self.names, *locals_, "self"]
        self.body("process")
        self.names = known

    def body(self, word: str = "", last: Callable[[], None] | None = None) -> None:
        """`word` empty: of the algorithm."""
        if self.braces:
            self.next_line()
            self.out.write("{")
        else:
            self.next_line()
            self.out.write("begin")
        self.indent += 2
        if word != "macro":
            self.labels = self.random.sample(LABELS, len(LABELS))
            self.assigned = set()
        if self.chance(0.15) and not self.in_macro:
            self.endless()
        else:
            self.statements(3, self.random.randint(1, 4), more=last is not None)
        if last is not None and self.chance(0.95):
            self.next_line()
            self.label()
            last()
            self.out.write(";")
        if word or self.braces:
            self.closed(word)
        else:
            self.indent -= 2

    def fresh(self, names: Sequence[str], count: int, known: Sequence[str]) -> list[str]:
        """So many of the names; seldom one that is known, which is refused."""
        among = names if self.chance(0.02) else [name for name in names if name not in known]
        return self.random.sample(among, min(count, len(among)))

    # --- statements --------------------------------------------------------------------------------------------------

    def endless(self) -> None:
        self.next_line()
        self.label(0.9)
        self.loop(2, "TRUE")

    def label(self, share: float | None = None) -> None:
        if not self.in_macro and self.labels and self.chance(self.labelled if share is None else share):
            name = self.labels.pop() if self.chance(0.97) else self.random.choice(LABELS)
            self.assigned = set()
            self.out.write(name, ":", self.random.choice(("", "", "", "", "", "+", "-")), " ")

    def statements(self, depth: int, count: int, more: bool = False) -> None:
        for number in range(count):
            self.next_line()
            self.label()
            self.statement(depth, number == count - 1 and not more)

    def statement(self, depth: int, last: bool = False) -> None:
        simple: list[Callable[[], None]] = [self.assignment, self.assignment, self.assignment, self.simple, self.goto]
        simple += [self.call_macro] if self.macros else []
        simple += [self.call] if self.procedures and not self.in_macro else []
        simple += [self.returns] if self.in_procedure else []
        if depth and self.chance(0.4):
            inner = (self.if_, self.either, self.with_, self.loop)
            loops = 0.1 if self.in_macro or self.in_with else 3
            self.random.choices(inner, (4, 3, 4, loops))[0](depth - 1)
            if not self.braces:  # otherwise a part of it ends so
                self.out.write(";" if self.chance(0.995) else "")
            return
        leaves = (self.goto, self.call, self.returns)
        chosen = self.random.choice(simple)
        if chosen in leaves and not self.chance(0.02 if self.in_with else 1 if last else 0.5):
            chosen = self.simple
        chosen()
        self.out.write(";" if self.chance(0.99 if last else 0.998) else "")

    def assignment(self) -> None:
        names = self.given if self.in_macro and self.chance(0.95) else self.names
        free = [name for name in names if name != "self" and name not in self.assigned]
        if self.chance(0.02) or (free and not self.in_with and self.chance(0.1)):
            free = [name for name in self.names if name != "self"]
        if not free:
            self.out.write("skip")
            return
        count = self.random.choices((1, 2, 3), (8, 2, 1))[0]
        several = count > 1 and self.chance(0.3)
        for number in range(count):
            name = free[0] if several else self.random.choice(free)
            free = free if several or self.chance(0.02) else [each for each in free if each != name]
            self.assigned.add(name)
            subscripts = ("[1]", ".f", "[self]", "[x][y]", ".g[1]", *(() if several else ("", "", "")))
            self.out.write(" || " if number else "", name, self.random.choice(subscripts), " := ")
            self.expression(3)
            if not free:
                break

    def simple(self) -> None:
        word = self.random.choice(("skip", "await", "when", "print", "assert"))
        self.out.write(word)
        if word != "skip":
            self.out.write(" ")
            self.expression(3)

    def goto(self) -> None:
        used = [name for name in LABELS if name not in self.labels]
        if self.in_macro or (not used and self.chance(0.8)):
            self.simple()
        else:
            self.out.write("goto ", self.random.choice(("Done", *used)) if self.chance(0.97) else "nowhere")

    def call_macro(self) -> None:
        name = self.random.choice(list(self.macros))
        free = {each for each in self.names if each != "self"} - self.assigned
        if len(free) < self.macros[name] and self.chance(0.95):
            self.simple()
            return
        self.out.write(name)
        self.arguments(self.macros[name], of_macro=True)

    def call(self) -> None:
        name = self.random.choice(list(self.procedures))
        self.out.write("call ", name)
        self.arguments(self.procedures[name])
        if self.chance(0.3):
            self.out.write("; ", "return" if self.in_procedure else "goto Done")

    def returns(self) -> None:
        self.out.write("return")

    def arguments(self, count: int, of_macro: bool = False) -> None:
        self.out.write("(")
        for number in range(count if self.chance(0.995) else count + 1):
            self.out.write(", " if number else "")
            if of_macro and self.chance(0.95):
                names = [each for each in self.names if each != "self"]
                free = [each for each in names if each not in self.assigned]
                self.out.write(self.random.choice(free or names))
                self.assigned |= set(free)
                self.out.write(self.random.choice(("", "", "[1]", ".f")))
            else:
                self.expression(2)
        self.out.write(")")

    def group(self, depth: int, word: str = "") -> None:
        """Statements inside of another one. `word`: what ends it in p-syntax."""
        if not self.braces:
            self.indent += 2
            self.statements(depth, self.random.randint(1, 3))
            self.indent -= 2
            self.next_line()
            if word:
                self.out.write(f"end {word}")
        elif self.chance(0.3):
            self.indent += 2
            self.next_line()
            self.label(0.1 if self.labelled > 0.1 else 0)
            self.statement(depth, last=True)
            self.indent -= 2
        else:
            self.out.write(" {")
            self.indent += 2
            self.statements(depth, self.random.randint(1, 3))
            self.indent -= 2
            self.next_line()
            self.out.write("};" if self.chance(0.995) else "}")

    def tested(self, word: str, test: str = "") -> None:
        self.out.write(word, " (" if self.braces else " ")
        if test:
            self.out.write(test)
        else:
            self.expression(2)
        self.out.write(")" if self.braces else "")

    def if_(self, depth: int) -> None:
        self.tested("if")
        if self.braces:
            self.group(depth)
            if self.chance(0.5):
                self.next_line()
                self.out.write("else")
                self.group(depth)
            return
        self.out.write(" then")
        self.group(depth)
        while self.chance(0.2):
            self.tested("elsif")
            self.out.write(" then")
            self.group(depth)
        if self.chance(0.5):
            self.out.write("else")
            self.group(depth)
        self.out.write("end if")

    def either(self, depth: int) -> None:
        self.out.write("either")
        self.group(depth)
        for _ in range(self.random.randint(1, 2)):
            if self.braces:
                self.next_line()
            self.out.write("or")
            self.group(depth)
        if not self.braces:
            self.out.write("end either")

    def with_(self, depth: int) -> None:
        names = self.random.sample(("i", "j", "local"), self.random.choice((1, 1, 2)))
        self.out.write("with (" if self.braces else "with ")
        for number, name in enumerate(names):
            self.out.write(self.random.choice((", ", "; ")) if number else "", name)
            self.out.write(self.random.choice((" \\in ", " \\in ", " = ")))
            self.expression(2)
        self.out.write(")" if self.braces else " do")
        known = self.names
        if self.chance(0.03):
            self.names = [*self.names, *names]
        self.assigned = set() if not self.in_with else self.assigned
        share, inside = self.labelled, self.in_with
        self.labelled, self.in_with = 0.005, True
        self.group(depth, "with")
        self.labelled, self.in_with = share, inside
        self.names = known

    def loop(self, depth: int, test: str = "") -> None:
        self.tested("while", test or self.random.choice(("", "", "TRUE")))
        self.out.write("" if self.braces else " do")
        self.group(depth, "while")

    # --- expressions -------------------------------------------------------------------------------------------------

    def expression(self, depth: int) -> None:
        self.out.block(self.lines(depth))

    def lines(self, depth: int) -> list[str]:
        random = self.random
        if not depth or self.chance(0.35):
            return [random.choice((*self.names, "1", "0", "TRUE", '"text"', "{}", "<<>>", "N", '"x"', "{1, 2}"))]
        return random.choice(
            (
                self.junction,
                self.operands,
                self.operands,
                self.tuple_,
                self.record,
                self.applied,
                self.except_,
                self.quantified,
                self.if_expression,
                self.parentheses,
                self.commented,
            )
        )(depth - 1)

    def beside(self, *parts: Sequence[str]) -> list[str]:
        layout = _Layout()
        for part in parts:
            layout.block(part)
        return layout.lines

    def junction(self, depth: int) -> list[str]:
        bullet = self.random.choice(("/\\ ", "\\/ "))
        found: list[str] = []
        for _ in range(self.random.randint(2, 3)):
            found += self.beside([bullet], self.lines(depth))
        return found

    def operands(self, depth: int) -> list[str]:
        operator = self.random.choice((" + ", " = ", "-", " \\cup ", " \\o ", " /\\ ", " => ", " \\in ", " # ", " @@ "))
        return self.beside(self.lines(depth), [operator], self.lines(depth))

    def tuple_(self, depth: int) -> list[str]:
        left, right = self.random.choice((("<<", ">>"), ("{", "}")))
        return self.beside([left], self.lines(depth), [self.random.choice((", ", ","))], self.lines(depth), [right])

    def record(self, depth: int) -> list[str]:
        first, second = self.random.sample(("f", "g", *self.names[:2]), 2)
        separator = self.random.choice((" |-> ", " |-> ", " : "))
        return self.beside(
            [f"[{first}{separator}"], self.lines(depth), [f", {second}{separator}"], self.lines(depth), ["]"]
        )

    def applied(self, depth: int) -> list[str]:
        name = self.random.choice((*self.names, "Len", "f"))
        if self.chance(0.3):
            return [f"{name}.{self.random.choice(('f', *self.names))}"]
        left, right = self.random.choice(("[]", "()"))
        return self.beside([name], [left], self.lines(depth), [right])

    def except_(self, depth: int) -> list[str]:
        name = self.random.choice(self.names)
        path = self.random.choice(("[1]", ".f", "[x]", ".x", '["y"].f'))
        return self.beside([f"[{name} EXCEPT !{path} = "], self.lines(depth), ["]"])

    def quantified(self, depth: int) -> list[str]:
        head, bound = self.random.choice((("\\E ", " : "), ("\\A ", " : "), ("{", " : "), ("[", " |-> ")))
        tail = {"{": ["}"], "[": ["]"]}.get(head, [""])
        name = self.random.choice(("i", "q", *self.names[:1]))
        return self.beside([f"{head}{name} \\in "], self.lines(depth), [bound], self.lines(depth), tail)

    def if_expression(self, depth: int) -> list[str]:
        test = self.beside(["IF "], self.lines(depth))
        if self.chance(0.5):
            then, other = self.beside(["   THEN "], self.lines(depth)), self.beside(["   ELSE "], self.lines(depth))
            return [*test, *then, *other]
        return self.beside(test, [" THEN "], self.lines(depth), [" ELSE "], self.lines(depth))

    def parentheses(self, depth: int) -> list[str]:
        return self.beside(["("], self.lines(depth), [")"])

    def commented(self, depth: int) -> list[str]:
        inner = self.lines(depth)
        if self.chance(0.5):
            return self.beside(["(* said *) "], inner)
        return (
            self.beside(["- "], inner)
            if self.chance(0.5)
            else [*self.beside(inner, [" +  \\* more"]), *self.lines(depth)]
        )
