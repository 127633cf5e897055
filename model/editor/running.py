"""A check that an editor asks for: a process of its own, and what came of it."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Ran:
    """What a check says. `text`: as at a terminal; `result`: as `check --json`, empty where it did not come so far."""

    status: int
    text: str
    result: dict[str, Any]

    @property
    def headline(self) -> str:
        """One line: the verdict, and what is violated."""
        if not self.result:
            return self.text.strip().partition("\n")[0] or f"ended with status {self.status}"
        counts = f"{self.result['distinctStates']:,} states" if self.result["distinctStates"] else ""
        message = (self.result["message"] or "").partition("\n")[0]
        return ", ".join(
            filter(None, [f"{Path(self.result['config'] or '').name}: {self.result['result']}", counts])
        ) + (f". {message}" if message else "")


async def run_check(config: Path) -> Ran:
    """Check a model as `rmqproof check` does. A cancelled call ends the process."""
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "result.json"
        words = [sys.executable, "-m", "rmqproof", "check", str(config), "--json", str(to)]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=asyncio.subprocess.STDOUT, cwd=config.parent
        )
        try:
            text, _ = await process.communicate()
        except asyncio.CancelledError:
            process.terminate()
            await process.wait()
            raise
        result = json.loads(to.read_text(encoding="utf-8")) if to.exists() else {}
        return Ran(process.returncode or 0, text.decode("utf-8", "replace"), result)
