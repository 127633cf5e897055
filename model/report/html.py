"""A counterexample as one HTML page that needs nothing else: the verdict, the diagram, the steps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.dot_text import html as html_of
from rmqproof.model.report.render import NoGraphviz, picture
from rmqproof.model.report.text import changes_text, ending, step_title
from rmqproof.model.report.value import Notation

Draw = Callable[[str, str], bytes]
"""Makes a picture of the kind that is named of a graph in DOT. Raise `NoGraphviz`."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1e293b; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; color: #b91c1c; margin-bottom: 0; }
h2 { font-size: 1.1rem; margin-top: 2.5rem; }
.sentence { font-size: 1.1rem; margin-top: 0.3rem; }
table.origin { color: #64748b; font-size: 0.9rem; border-spacing: 0; }
table.origin th { text-align: left; font-weight: normal; padding-right: 1.5rem; vertical-align: top; }
figure { margin: 1.5rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
details { border-top: 1px solid #e2e8f0; padding: 0.4rem 0; }
details:last-of-type { border-bottom: 1px solid #e2e8f0; }
summary { cursor: pointer; font-weight: 600; }
.algorithm { font: 0.85rem ui-monospace, monospace; color: #64748b; margin-left: 1rem; }
summary.bad { color: #b91c1c; }
pre, code { font: 0.85rem/1.45 ui-monospace, monospace; }
pre { white-space: pre-wrap; margin: 0.4rem 0 0.6rem 1rem; }
"""


def write_html(behaviour: Behaviour, path: Path) -> None:
    """Write the page."""
    path.write_text(html_text(behaviour), encoding="utf-8")


def html_text(behaviour: Behaviour, draw: Draw = picture) -> str:
    """The page. Without Graphviz, which `draw` asks, it has no diagram, and says so."""
    words = ending(behaviour)
    title = words.verdict or "A behaviour"
    parts = [f"<h1>{html_of(title)}</h1>"]
    parts += [f'<p class="sentence">{html_of(words.sentence)}</p>'] if words.sentence else []
    parts += [_origin(behaviour), _diagram(behaviour, draw), "<h2>Steps</h2>", _steps(behaviour)]
    parts += [f"<p>{html_of(words.onward)}</p>"] if words.onward else []
    body = "\n".join(part for part in parts if part)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html_of(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def fragment(behaviour: Behaviour) -> str:
    """The diagram and the steps as a part of a page, for a notebook."""
    words = ending(behaviour)
    said = f"<p>{html_of(words.sentence)}</p>" if words.sentence else ""
    return f'<div class="rmqproof">{said}{_diagram(behaviour)}{_steps(behaviour)}</div>'


def _origin(behaviour: Behaviour) -> str:
    origin = behaviour.origin
    rows = [
        ("specification", origin.specification),
        ("configuration", origin.config),
        ("made by", origin.command),
        ("with", origin.tool),
    ]
    cells = "".join(f"<tr><th>{name}</th><td><code>{html_of(value)}</code></td></tr>" for name, value in rows if value)
    return f'<table class="origin">{cells}</table>' if cells else ""


def _diagram(behaviour: Behaviour, draw: Draw = picture) -> str:
    try:
        svg = draw(behaviour_dot(behaviour), "svg").decode("utf-8")
    except NoGraphviz as error:
        return f"<p><em>No diagram: {html_of(error.message)}. {html_of(error.remedy)}</em></p>"
    # The XML prologue and the DOCTYPE have no place inside a page.
    return f"<figure>{re.sub(r'^.*?(?=<svg)', '', svg, flags=re.DOTALL)}</figure>"


def _steps(behaviour: Behaviour) -> str:
    notation = Notation(behaviour.origin.model_values)
    last = len(behaviour.steps) - 1
    parts = []
    for step in behaviour.steps:
        bad = step.index == last and bool(behaviour.violated) and behaviour.loop is None
        kind = ' class="bad"' if bad else ""
        # The initial state is long, and the diagram shows what matters of it.
        unfolded = "" if step.index == 0 else " open"
        title = html_of(f"{step.index + 1}. {step_title(step, notation, behaviour.initial)}")
        if step.algorithm is not None:
            title += f' <span class="algorithm">{html_of(f"{step.algorithm.words}: {step.algorithm.text}")}</span>'
        text = html_of(changes_text(behaviour, step.index, width=120))
        parts.append(f"<details{unfolded}><summary{kind}>{title}</summary><pre>{text}</pre></details>")
    return "\n".join(parts)
