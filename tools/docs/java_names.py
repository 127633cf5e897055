"""`python -m tools.docs.java_names REPOSITORY`: what the documents name of RocketMQ's Java, and which releases have it.

Every `Class.member` in README.md, docs/ and spec/ is looked for in the sources of each release, in a clone of
apache/rocketmq with its tags. tests/docs/java_names.txt keeps what was found, so that the suite can tell, without the
sources, a name that nobody has looked up. A name that is in no release ends with status 1.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOUND = ROOT / "tests" / "docs" / "java_names.txt"
SHORT = {
    "HAS": "AutoSwitchHAService",
    "HAC": "AutoSwitchHAConnection",
    "HAK": "AutoSwitchHAClient",
    "RIM": "ReplicasInfoManager",
    "RM": "ReplicasManager",
}
"""As spec/core/AsShipped.tla abbreviates them."""
_NAME = re.compile(r"\b([A-Z]\w+)\.([a-z]\w{2,})\b(?!\.)")
_DECLARED = re.compile(r"\b(?:class|interface|enum) (\w+)")


def named() -> dict[str, str]:
    """`Class.member` of any kind, with a file in which it is."""
    found: dict[str, str] = {}
    for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("spec/**/*.tla"))):
        for owner, member in _NAME.findall(path.read_text(encoding="utf-8")):
            found.setdefault(f"{SHORT.get(owner, owner)}.{member}", str(path.relative_to(ROOT)))
    return found


def recorded() -> dict[str, str]:
    """The releases by `Class.member`."""
    lines = FOUND.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))


class Sources:
    """The sources of a release, in a repository."""

    def __init__(self, repository: Path, tag: str) -> None:
        self.repository, self.tag = repository, tag

    @property
    def release(self) -> str:
        return self.tag.removeprefix("rocketmq-all-")

    def has(self, owner: str, member: str) -> bool | None:
        """Does a class of the name have the member? None: there is no such class."""
        texts = self._classes.get(owner)
        return any(re.search(rf"\b{member}\b", text) for text in texts) if texts else None

    @cached_property
    def _classes(self) -> dict[str, list[str]]:
        """The texts of the files in which a class, an inner one too, is declared."""
        found: dict[str, list[str]] = {}
        content = io.BytesIO(self._git("archive", "--format=tar", self.tag))
        with tarfile.open(fileobj=content) as archive:
            for entry in archive:
                file = (
                    archive.extractfile(entry) if "/src/main/" in entry.name and entry.name.endswith(".java") else None
                )
                if file is not None:
                    text = file.read().decode(errors="replace")
                    for owner in set(_DECLARED.findall(text)):
                        found.setdefault(owner, []).append(text)
        return found

    def _git(self, *arguments: str) -> bytes:
        command = ["git", "-C", str(self.repository), *arguments]
        return subprocess.run(command, capture_output=True, check=True).stdout


def releases_of(repository: Path) -> Iterator[Sources]:
    """The 5.x of the clone, in their order."""
    tags = Sources(repository, "")._git("tag", "--list", "rocketmq-all-5.*").decode().split()
    for tag in sorted(tags, key=lambda tag: [int(part) for part in re.findall(r"\d+", tag)]):
        if re.fullmatch(r"rocketmq-all-5\.\d+\.\d+", tag):
            yield Sources(repository, tag)


def main() -> None:
    names, classes, where = named(), set[str](), dict[str, list[str]]()
    sources = list(releases_of(Path(sys.argv[1])))
    for each in sources:
        for name in names:
            found = each.has(*name.split("."))
            if found is not None:
                classes.add(name)
            if found:
                where.setdefault(name, []).append(each.release)
    text = [f"# Made by tools.docs.java_names from the sources of {', '.join(each.release for each in sources)}."]
    text += [f"{name} {' '.join(where[name])}" for name in sorted(where)]
    FOUND.write_text("\n".join(text) + "\n", encoding="utf-8")
    missing = sorted(classes - where.keys())
    for name in missing:
        print(f"{name} is in no release: {names[name]}", file=sys.stderr)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
