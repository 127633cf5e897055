"""The output of TLC's tool mode without what differs from run to run, and without what is nobody's promise.

Left out: times, process ids, machine and version, the seed, rates, the texts of warnings and of errors of evaluation
(their codes and places stay), which standard modules are read, and the order of variables, of a set's elements, a
record's fields and a function's pairs; and the warning, which TLC does not have, that a success proves nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

FILE = "==>"
"""What stands before the name of a file in an output."""
_START = re.compile(r"^(.*)@!@!@STARTMSG (-?\d+)(?::(\d+))? @!@!@$")
_END = re.compile(r"^(.*)@!@!@ENDMSG (-?\d+) @!@!@(.*)$")
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
WITHOUT_TEXT = {
    2102,
    2262,
    2187,
    2188,
    2271,
    2255,
    2279,
    2284,
    1102,
    2169,
    2179,
    2180,
    2181,
    2182,
    2183,
    2184,
    2266,
    2283,
}
"""Banners and warnings, and what operators say of their arguments: their words are each checker's own."""
SIMULATED = 2209
FREE_TEXT = {1000, 2103, 2105, 2111, 2113}
"""Errors of evaluation: TLC names Java's methods in them, and we the operators."""
LEFT_OUT = {2268, 2776, 2779}
"""What we do not say: see docs/tlc.md."""
COVERAGE = {2221, 2775}
"""How often an expression was evaluated; `evaluated` compares them."""


@dataclass(frozen=True, slots=True)
class Message:
    """`code` 0: text that is no message."""

    code: int
    severity: int
    text: str


def messages(output: str) -> list[Message]:
    """The messages of an output, the inner ones of a message as part of its text."""
    found: list[Message] = []
    open_: list[tuple[int, int, list[str]]] = []
    for line in output.splitlines():
        end = _END.match(line)
        if end is not None and open_:
            code, severity, lines = open_.pop()
            if open_:
                open_[-1][2].append("\n".join([*lines, end[1]]))
            else:
                found.append(Message(code, severity, "\n".join([*lines, *filter(None, [end[1]])])))
            line = end[3]
            if not line:
                continue
        start = _START.match(line)
        if start is not None:
            open_.append((int(start[2]), int(start[3] or 0), [start[1]] if start[1] else []))
        elif open_:
            open_[-1][2].append(line)
        elif line:
            found.append(Message(0, 0, line))
    return found


def normal(output: str) -> list[str]:
    """One entry for each message."""
    found: list[str] = []
    parsing = False
    output, *files = output.split(f"\n{FILE} ")
    for message in messages(output):
        if message.code == 2220:
            parsing = True
        if message.code == 2219:
            parsing = False
        if message.code in LEFT_OUT | COVERAGE or (parsing and message.code == 0):
            continue
        if message.code == 1000 and message.text.rstrip().endswith("nothing is proved."):
            continue  # ours alone, with a success
        told = _normal(message)
        if not (message.code == SIMULATED and found[-1:] == [told]):  # a thread of its own may say it, too
            found.append(told)
    return found + [_file(*text.split("\n", 1)) for text in files]


def _file(name: str, text: str) -> str:
    """A file that was written, whatever the order of the parts of values and the numbers of states."""
    if name.endswith(".json"):
        return f"{name}\n{json.dumps(_sorted(json.loads(text)), indent=1)}"
    if "_TETrace" in text:
        return "\n".join([name, *_trace_spec(text)])
    if "STATE_1 ==" in text:  # a behaviour of a simulation
        head, *states = re.split(r"^(?=\\\* <)", text, flags=re.MULTILINE)
        found = [state.rstrip("=\n").split("\n", 2) for state in states]
        return "\n".join(
            [name, head, *(f"{how} {number} {'; '.join(sorted(_state(rest)))}" for how, number, rest in found)]
        )
    if name.endswith(".txt"):  # what the model prints
        return "\n".join([name, *sorted(text.splitlines())])
    if name.endswith(".dot"):
        return f"{name}\n{_graph(text)}"
    if name.endswith(".dump"):
        states = re.findall(r"(State \d+:)\n(.*?)(?=\nState|\Z)", text, re.DOTALL)
        return "\n".join([name, *(f"{head} {'; '.join(sorted(_state(state)))}" for head, state in states)])
    head, _, value = text.partition("\t")
    value, _, tail = value.partition("\n")
    return f"{name}\n{head}{canonical(value)}{tail}"


_EXPLAINED = re.compile(r"\\\*.*$|^ Note that (?:.*\n){3}.*below\)\.$|^Parsing and (?:.*\n){2}.*file\.$", re.MULTILINE)
"""Comments, and what TLC writes between modules."""


def _trace_spec(text: str) -> list[str]:
    """The lines of a specification that goes through a trace, in an order of their own, without comments. What belongs
    to which variable is in each of them."""
    text = _EXPLAINED.sub("", text)
    found = []
    for line in text.splitlines():
        words = line.strip()
        state = re.fullmatch(r"\((\[.*\])\),?", words)
        equal = re.fullmatch(r"(\w+) = \((.*)\)", words)
        if state is not None:
            found.append(canonical(state[1]))
        elif equal is not None:
            found.append(f"{equal[1]} = {canonical(equal[2])}")
        elif words.startswith(("EXTENDS", "CONSTANTS ", "<<")):
            found.append(" ".join(sorted(re.findall(r"[\w\"()=+]+", words))))
        else:
            found.append(words.lstrip(",").replace("{ ", "{").replace(" }", "}").replace(" ,", ","))
    return sorted(line for line in found if line)


def _sorted(value: Any) -> Any:
    """JSON with the names of variables in an order of their own."""
    if isinstance(value, dict):
        return {key: sorted(item) if key == "vars" else _sorted(item) for key, item in sorted(value.items())}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _graph(text: str) -> str:
    """A graph with its states in the place of their numbers, lines in an order of their own."""
    labels = {
        mark: "; ".join(sorted(_state(state.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\"))))
        for mark, state in re.findall(r'^(-?\d+) \[label="((?:[^"\\]|\\.)*)"', text, re.MULTILINE)
    }
    text = re.sub(r'(label|tooltip)="(?:/|[^"]*= )(?:[^"\\]|\\.)*"', r"\1", text)
    lines = []
    for line in text.split("\n"):
        if line.startswith("{rank"):
            lines.append(" ".join(["rank", *sorted(labels[mark] for mark in re.findall(r"-?\d+", line))]))
        else:
            lines.append(re.sub(r"(?<![\w.])-?\d{4,}\b", lambda found: f"<{labels.get(found[0], '?')}>", line))
    return "\n".join(sorted(lines))


def _normal(message: Message) -> str:
    head = f"{message.code}:{message.severity}"
    if message.code in WITHOUT_TEXT:
        return head
    text = _TIME.sub("TIME", message.text).rstrip("\n")
    if message.code == 2103:
        return f"{head} {_innermost(text)}"
    if message.code in FREE_TEXT:
        return f"{head} {text.splitlines()[0] if text else ''}"
    text = re.sub(r" \([\d,.E∞-]+ d?s/min\)", "", text)
    text = re.sub(r"Finished in .* at", "Finished in TIME at", text)
    text = re.sub(r"temporal properties in .* at", "temporal properties in TIME at", text)
    text = re.sub(r"using seed -?\d+", "using seed N", text)
    if message.code == 2201:
        return f"{head} {text.partition(' (see ')[0]}"
    if message.code == 2193:
        text = re.sub(r"\n  based on the actual fingerprints:.*", "", text)
    if message.code in (2217, 2107, 2108):
        first, _, rest = text.partition("\n")
        return f"{head} {first}\n" + "\n".join(sorted(_state(rest)))
    return f"{head} {text}"


def evaluated(output: str) -> Counter[tuple[str, str]]:
    """How often the expressions within what is evaluated for a name were evaluated: by that name, and place.

    Not the outermost ones of an action: TLC counts those once more for each state that is found.
    """
    found: Counter[tuple[str, str]] = Counter()
    name, outermost = "", False
    for message in messages(output):
        if message.severity == 0 and (head := re.match(r"<(\w+) line", message.text)):
            name = head[1] if message.code != 2779 else ""
            outermost = message.code in (2772, 2773)
        elif message.code in COVERAGE:
            place, numbers = message.text.strip("\n").rsplit(": ", 1)
            if "|" in place or not outermost:
                found[name, place.lstrip(" |")] += int(numbers.split(":")[0])
    return found


def _innermost(text: str) -> str:
    places = re.findall(r"^\d+\. (.*)$", text, re.MULTILINE)
    return str(places[-1]) if places else ""


def _state(text: str) -> list[str]:
    """Each variable with its value in one line, in an order of its own."""
    joined: list[str] = []
    for line in text.splitlines():
        if re.match(r"(/\\ )?\w+ = ", line):
            joined.append(line.removeprefix("/\\ "))
        elif joined:
            joined[-1] += " " + line.strip()
    return [f"{name} = {canonical(value)}" for name, _, value in (entry.partition(" = ") for entry in joined)]


_TOKEN = re.compile(r'\s*("(?:\\.|[^"\\])*"|<<|>>|\|->|:>|@@|\.\.|SUBSET\b|[\w!$-]+|.)')


def canonical(value: str) -> str:
    """A value in one line, whatever the order of its parts."""
    tokens = [token for token in _TOKEN.findall(value) if token.strip()]
    text, rest = _value(tokens, 0)
    return text if rest == len(tokens) else " ".join(tokens)


def _value(tokens: list[str], at: int) -> tuple[str, int]:
    opening = tokens[at] if at < len(tokens) else ""
    if opening in ("{", "<<"):
        closing = "}" if opening == "{" else ">>"
        items, at = _items(tokens, at + 1, closing, ",")
        return opening + ", ".join(sorted(items) if opening == "{" else items) + closing, at
    if opening in ("[", "("):
        closing, separator = ("]", ",") if opening == "[" else (")", "@@")
        items, at = _items(tokens, at + 1, closing, separator)
        return opening + f"{separator} ".join(sorted(items)) + closing, at
    if at + 2 < len(tokens) and tokens[at + 1] == "..":
        low, high = int(opening), int(tokens[at + 2])
        return "{" + ", ".join(sorted(str(number) for number in range(low, high + 1))) + "}", at + 3
    return opening, at + 1


def _items(tokens: list[str], at: int, closing: str, separator: str) -> tuple[list[str], int]:
    items: list[str] = []
    while at < len(tokens) and tokens[at] != closing:
        text, at = _value(tokens, at)
        while at < len(tokens) and tokens[at] in ("|->", ":>"):
            after, end = _value(tokens, at + 1)
            text, at = f"{text} {tokens[at]} {after}", end
        items.append(text)
        if at < len(tokens) and tokens[at] == separator:
            at += 1
        elif at < len(tokens) and tokens[at] != closing:
            return [*items, *tokens[at:]], len(tokens)
    return items, at + 1
