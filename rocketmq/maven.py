"""The jars of a release and what they depend on, resolved by Maven or, where there is none, by jgo.

Where they come from is the user's: Maven reads its settings.xml (mirrors, proxies, credentials). Nothing here names a
registry.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from rmqproof.rocketmq.errors import RocketmqError

GROUP = "org.apache.rocketmq"
MODULES = ("rocketmq-broker", "rocketmq-controller")
"""What a release is asked for at least; most of the rest is what these depend on."""
_DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"
_MISSING = re.compile(
    r"(?:Could not find artifact|Failure to find|artifacts could not be resolved:) "
    r"((?:[\w.-]+:[\w.-]+:[\w.:-]*[\w.-](?:, )?)+)"
)
_EXACT = re.compile(r"\[([^,\[\]]+)\]")
_OFFLINE = re.compile(r"Cannot access \S+ .*in offline mode|has not been downloaded from it before")
_UNREACHABLE = re.compile(r"Unknown host|UnknownHost|Connection refused|timed out|Network is unreachable|No route to")

Say = Callable[[str], None]


class MissingParts(RocketmqError):
    """The registry lacks these modules of a release, which others may do for."""

    def __init__(self, problem: str, remedy: str, modules: tuple[str, ...] = ()) -> None:
        super().__init__(problem, remedy)
        self.modules = modules


@dataclass(frozen=True, slots=True)
class Wanted:
    """A version. `also`: modules of RocketMQ beside `MODULES`; `without`: such that are left out; `instead`:
    `module=version`, such that are taken of another release."""

    version: str
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    @property
    def modules(self) -> list[str]:
        return [name for name in dict.fromkeys((*MODULES, *self.also)) if name not in self.without]

    @property
    def of_others(self) -> dict[str, str]:
        """Of modules that are taken of another release its version."""
        return dict(each.split("=", 1) for each in self.instead)


def resolve(wanted: Wanted, offline: bool, say: Say) -> list[Path]:
    """The jars, in the order of their class path.

    Raise `RocketmqError`.
    """
    mvn, version = find_maven(), wanted.version
    if mvn is None:
        return _by_jgo(wanted)
    say(f"Maven resolves {GROUP} {version} …")
    with tempfile.TemporaryDirectory(prefix="rmqproof-maven-") as folder:
        pom, path = Path(folder, "pom.xml"), Path(folder, "classpath")
        pom.write_text(_pom(wanted), encoding="utf-8")
        goal = f"{_DEPENDENCY_PLUGIN}:build-classpath"
        _run(
            mvn,
            ["-f", str(pom), goal, f"-Dmdep.outputFile={path}", "-DincludeScope=runtime"],
            offline,
            version,
            wanted.without,
        )
        jars = [Path(each) for each in path.read_text(encoding="utf-8").strip().split(os.pathsep) if each]
    if not jars:
        raise RocketmqError(f"Maven found no jars for {version}.", f"Try it by hand: mvn {goal}.")
    return jars


def published(offline: bool) -> list[str]:
    """The versions of the controller that there are, the oldest first. Raise `RocketmqError`."""
    mvn = find_maven()
    if mvn is None:
        project = _jgo().project(GROUP, "rocketmq-controller")
        return [component.version for component in project.versions()]
    with tempfile.TemporaryDirectory(prefix="rmqproof-maven-") as folder:
        pom = Path(folder, "pom.xml")
        pom.write_text(_pom(Wanted("LATEST")), encoding="utf-8")
        goal = f"{_DEPENDENCY_PLUGIN}:get"
        wanted = f"-Dartifact={GROUP}:rocketmq-controller:LATEST:pom"
        _run(mvn, ["-U", goal, wanted, "-Dtransitive=false"], offline, "LATEST")
        asked = [mvn, "-B", "-q", "help:evaluate", "-Dexpression=settings.localRepository", "-DforceStdout"]
        answer = subprocess.run(asked, capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL)
    local = Path(re.sub(r"\x1b\[[0-9;]*m", "", answer.stdout).strip() or Path.home() / ".m2/repository")
    found: set[str] = set()
    for file in (local / GROUP.replace(".", "/") / "rocketmq-controller").glob("maven-metadata-*.xml"):
        found |= {each.text for each in ElementTree.parse(file).iter("version") if each.text}
    if not found:
        raise RocketmqError("Maven says nothing of versions.", "Name one: rmqproof rocketmq get 5.3.1.")
    return sorted(found, key=version_key)


def version_key(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Orders versions; 5.0.0-ALPHA comes before 5.0.0."""
    numbers, _, rest = version.partition("-")
    return tuple(int(part) if part.isdigit() else 0 for part in numbers.split(".")), not rest, rest


def find_maven() -> str | None:
    return shutil.which("mvn")


def _pom(wanted: Wanted) -> str:
    excluded = "".join(
        f"<exclusion><groupId>{GROUP}</groupId><artifactId>{escape(name)}</artifactId></exclusion>"
        for name in wanted.without
    )
    others = wanted.of_others
    managed = "".join(_dependency(name, version) + "</dependency>" for name, version in others.items())
    dependencies = "".join(
        f"{_dependency(name, others.get(name, wanted.version))}<exclusions>{excluded}</exclusions></dependency>"
        for name in wanted.modules
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>rmqproof</groupId><artifactId>release</artifactId><version>1</version>"
        f"<dependencyManagement><dependencies>{managed}</dependencies></dependencyManagement>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )


def _dependency(name: str, version: str) -> str:
    """Its beginning."""
    return (
        f"<dependency><groupId>{GROUP}</groupId><artifactId>{escape(name)}</artifactId>"
        f"<version>{escape(version)}</version>"
    )


def _run(mvn: str, arguments: Sequence[str], offline: bool, version: str, without: Sequence[str] = ()) -> None:
    """Run Maven with checksums that must be right. Raise `RocketmqError` with what it says, in short."""
    command = [mvn, "-B", "-q", "-C", *(["-o"] if offline else []), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode == 0:
        return
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    missing = _MISSING.search(said)
    if _UNREACHABLE.search(said):
        problem = f"Maven cannot reach its repository for {version}."
        remedy = "Connect, or set a mirror or proxy in ~/.m2/settings.xml; or unpack a distribution and use --home DIR."
    elif offline and _OFFLINE.search(said):
        problem = f"{version} is not here, and Maven was told not to look further."
        remedy = f"Once with a network: rmqproof rocketmq get {version}."
    elif missing:
        parts = missing.group(1).split(", ")
        modules = [part.split(":")[1] for part in parts]
        problem = f"The registry has no {', '.join(parts)}."
        remedy = "rmqproof rocketmq get --list shows what is published."
        if not set(modules) & set(MODULES):
            options = " ".join(f"--without {module}" for module in (*without, *modules))
            remedy += (
                f" To do without these parts: rmqproof rocketmq get {version} {options}. Those of the release before"
                " may do instead: --instead VERSION."
            )
            raise MissingParts(problem, remedy, tuple(modules))
    else:
        lines = [line.removeprefix("[ERROR] ") for line in said.splitlines() if line.startswith("[ERROR] ")]
        problem = f"Maven fails: {lines[0] if lines else f'exit status {done.returncode}'}"
        remedy = f"Try it by hand: {' '.join(command)}"
    raise RocketmqError(problem, remedy)


def _jgo() -> Any:
    try:
        from jgo.maven import MavenContext
    except ImportError:
        raise RocketmqError(
            "Neither Maven (mvn) nor jgo is here, and one of them must fetch the jars.",
            "Install Maven, or pip install 'rmqproof[rocketmq]'; or unpack a distribution and use --home DIR.",
        ) from None
    return MavenContext()


def _by_jgo(wanted: Wanted) -> list[Path]:
    if wanted.instead:
        raise RocketmqError("Only Maven takes a part of another release.", "Install Maven (mvn), or use --without.")
    context = _jgo()
    jars: list[Path] = []
    try:
        first = [context.create_dependency(f"{GROUP}:{name}:{wanted.version}") for name in wanted.modules]
        asked, more = context.resolver.resolve(first)
        # jgo takes Maven's "[1.53.0]", exactly this version, for a name: asked for plainly it finds what that needs
        exact = [_EXACT.fullmatch(each.version or "") for each in more]
        plain = [
            context.create_dependency(f"{each.groupId}:{each.artifactId}:{match.group(1)}")
            for each, match in zip(more, exact, strict=True)
            if match is not None
        ]
        if plain:
            asked, more = context.resolver.resolve([*first, *plain])
        for dependency in (*asked, *more):
            needed = dependency.artifactId not in wanted.without and dependency.scope in {"compile", "runtime", None}
            if needed and _EXACT.fullmatch(dependency.version or "") is None:
                jars.append(Path(dependency.artifact.resolve()))
    except Exception as error:  # jgo raises what its parts raise
        raise RocketmqError(
            f"jgo cannot resolve {wanted.version}: {error}", "Try again, or install Maven, which says more."
        ) from None
    return jars
