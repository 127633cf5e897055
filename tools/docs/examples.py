"""The outputs in docs/: what stands below a `$ command` in a console block is what the command prints.

`python -m tools.docs.examples` runs the commands of each page again, in the page's folder, and writes what they print.
Seconds and rates differ from run to run; `same` compares without them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

PAGES = {
    DOCS / "tutorial.md": DOCS / "tutorial",
    DOCS / "eval.md": DOCS / "tutorial",
    DOCS / "evaluations.md": DOCS / "tutorial",
    DOCS / "explore.md": DOCS / "tutorial",
    DOCS / "proofs.md": DOCS / "how-to" / "files",
    DOCS / "how-to" / "check-in-ci.md": DOCS / "tutorial",
    DOCS / "how-to" / "assess-a-cluster.md": DOCS / "how-to" / "files",
    DOCS / "how-to" / "check-an-algorithm.md": DOCS / "how-to" / "files",
    DOCS / "how-to" / "prove-a-lemma.md": DOCS / "how-to" / "files",
    DOCS / "how-to" / "validate-logs.md": DOCS / "how-to" / "files",
}
"""Each page whose outputs are held, and the folder in which its commands run."""

_BLOCK = re.compile(r"^```console\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
_CHANGING = re.compile(r"\d[\d,.]* states/s|\b\d+(\.\d+)? s\b|(?<=\s)\d+\.\d(?=\s|$)")


def anew(page: Path, folder: Path) -> str:
    """The text of the page with the outputs of its commands as they are now."""
    return _BLOCK.sub(lambda block: _block(block["lines"], folder), page.read_text(encoding="utf-8"))


def same(one: str, other: str) -> bool:
    """Two texts are the same but for times."""
    return _without_times(one) == _without_times(other)


def _without_times(text: str) -> list[str]:
    return [" ".join(_CHANGING.sub("…", line).split()) for line in text.splitlines()]


def _block(lines: str, folder: Path) -> str:
    parts = []
    for command in re.findall(r"^\$ (.*)$", lines, re.MULTILINE):
        printed = _run(command, folder)
        parts.append(f"$ {command}\n" + printed)
    return "```console\n" + "\n".join(parts) + "```"


def _run(command: str, folder: Path) -> str:
    """What a command prints, on both of its streams. The command is `rmqproof` of this Python."""
    python = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": f"{python}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n")) + "\n"


if __name__ == "__main__":
    for each, where in PAGES.items():
        each.write_text(anew(each, where), encoding="utf-8")
