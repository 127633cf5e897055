"""Releases of RocketMQ on this machine: jars with their checksums in the user's cache, or an unpacked distribution."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rmqproof.rocketmq import maven
from rmqproof.rocketmq.errors import RocketmqError

_VERSION = re.compile(r"\d+\.\d+\.\d+(-[A-Za-z0-9.]+)?")
_MANIFEST = "release.json"
_FIRST_WITH_JRAFT = "5.2.0"
_FIRST_WITH_IDS = "5.1.1"


@dataclass(frozen=True, slots=True)
class Jar:
    """A jar, and the SHA-256 of its bytes."""

    path: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Release:
    """Jars of one version. `also`, `without`: modules that were added or left out on demand; `instead`: those taken
    of another release, as `module=version`; `folder` holds the jars."""

    version: str
    folder: str
    jars: tuple[Jar, ...]
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    @property
    def class_path(self) -> list[str]:
        return [str(Path(self.folder, jar.path)) for jar in self.jars]

    @property
    def title(self) -> str:
        left_out = f" without {', '.join(self.without)}" if self.without else ""
        others = f" with {', '.join(each.replace('=', ' of ') for each in self.instead)}" if self.instead else ""
        return f"Apache RocketMQ {self.version}{left_out}{others}"

    def check(self) -> None:
        """Are the jars what they were? Raise `RocketmqError` for one that is gone or has other bytes."""
        for jar in self.jars:
            file = Path(self.folder, jar.path)
            if not file.is_file():
                raise RocketmqError(f"{file} is gone.", f"Get it again: rmqproof rocketmq get {self.version} --again.")
            if file.stat().st_size != jar.size or _sha256(file) != jar.sha256:
                raise RocketmqError(
                    f"{file} is not what was fetched: its checksum differs.",
                    f"Get it again: rmqproof rocketmq get {self.version} --again.",
                )


def cache_folder() -> Path:
    """Where releases are kept: RMQPROOF_CACHE, else the user's cache folder."""
    own = os.environ.get("RMQPROOF_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    return Path(base) / "rmqproof" if base else Path.home() / ".cache" / "rmqproof"


def stored_versions() -> list[str]:
    """The versions that are here, the oldest first."""
    folder = cache_folder() / "rocketmq"
    found = [each.parent.name for each in folder.glob(f"*/{_MANIFEST}")]
    return sorted(found, key=maven.version_key)


def open_release(version: str) -> Release:
    """A release that is here, its jars checked. Raise `RocketmqError`."""
    _check_name(version)
    folder = cache_folder() / "rocketmq" / version
    try:
        read = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        release = Release(
            read["version"],
            str(folder),
            tuple(Jar(**jar) for jar in read["jars"]),
            tuple(read["also"]),
            tuple(read["without"]),
            tuple(read.get("instead", ())),
        )
    except FileNotFoundError:
        raise RocketmqError(f"{version} is not here.", f"Get it: rmqproof rocketmq get {version}.") from None
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise RocketmqError(
            f"{folder / _MANIFEST} cannot be read: {error}", f"Get it again: rmqproof rocketmq get {version} --again."
        ) from None
    release.check()
    return release


def get_release(
    version: str,
    also: Collection[str] = (),
    without: Collection[str] = (),
    instead: Collection[str] = (),
    offline: bool = False,
    again: bool = False,
    say: Callable[[str], None] = lambda _: None,
    resolve: Callable[[maven.Wanted, bool, maven.Say], Iterable[Path]] = maven.resolve,
) -> Release:
    """The release, fetched by `resolve` where it is not here. What is here is taken as it was wanted when it was
    fetched, unless other parts are asked for. `instead`: `module=version`, or a version for all that the registry
    lacks. Raise `RocketmqError`."""
    _check_name(version)
    named = {each for each in instead if "=" in each}
    other = next((each for each in instead if "=" not in each), None)
    folder = cache_folder() / "rocketmq" / version
    if not again and (folder / _MANIFEST).is_file():
        release = open_release(version)
        there = set(release.without) <= set(without) and set(also) <= set(release.also)
        more = set(release.instead) - named
        as_named = named <= set(release.instead) and all(each.endswith(f"={other}") for each in more)
        if not (also or without or instead) or (there and (not instead or as_named)):
            return release
    wanted = maven.Wanted(version, tuple(sorted(also)), tuple(sorted(without)), tuple(sorted(named)))
    while True:
        try:
            return _store(wanted, list(resolve(wanted, offline, say)))
        except maven.MissingParts as missing:
            new = {f"{module}={other}" for module in missing.modules if module not in wanted.of_others}
            if other is None or not new:
                raise
            say(f"{missing.problem} {other} has them instead.")
            wanted = replace(wanted, instead=tuple(sorted({*wanted.instead, *new})))


def _store(wanted: maven.Wanted, jars: Iterable[Path]) -> Release:
    """Keep these jars as the release, whole or not at all: what is half there never gets its name."""
    folder = cache_folder() / "rocketmq" / wanted.version
    folder.parent.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix=f".{wanted.version}-", dir=folder.parent))
    try:
        kept = tuple(_keep(jar, half) for jar in dict.fromkeys(jars))
        manifest = {**asdict(wanted), "jars": [asdict(jar) for jar in kept]}
        (half / _MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        half.rename(folder)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return open_release(wanted.version)


def with_broker_ids(release: Release) -> Release:
    """The release, for what the models' steps can be compared with. Raise `RocketmqError`."""
    if maven.version_key(release.version) < maven.version_key(_FIRST_WITH_IDS):
        raise RocketmqError(
            f"{release.version} knows brokers by their addresses, has no brokerIds, and keeps no proposed set beside "
            "the confirmed one: the models have no steps for it.",
            f"Take {_FIRST_WITH_IDS} or newer; rmqproof rocketmq schedules has what can be seen on {release.version}.",
        )
    return release


def with_jraft(release: Release) -> Release:
    """The release, for what is asked of controllers on JRaft. Raise `RocketmqError`."""
    if maven.version_key(release.version) < maven.version_key(_FIRST_WITH_JRAFT):
        raise RocketmqError(
            f"{release.version} has no controllers on JRaft.",
            f"Take {_FIRST_WITH_JRAFT} or newer, or leave out --jraft.",
        )
    return release


def unpacked(home: Path) -> Release:
    """Keep the jars of an unpacked distribution (its folder `lib`) as the release. Raise `RocketmqError`."""
    library = home / "lib" if (home / "lib").is_dir() else home
    files = sorted(library.glob("*.jar"))
    named = [re.fullmatch(r"rocketmq-controller-(.+)\.jar", file.name) for file in files]
    versions = [match.group(1) for match in named if match is not None]
    if len(versions) != 1:
        what = "no rocketmq-controller-VERSION.jar" if not versions else f"several versions: {', '.join(versions)}"
        raise RocketmqError(
            f"{library} has {what}.",
            "Name the folder that a binary distribution of RocketMQ 5 was unpacked into; it has bin, conf and lib.",
        )
    _check_name(versions[0])
    return _store(maven.Wanted(versions[0]), files)


def _check_name(version: str) -> None:
    if not _VERSION.fullmatch(version):
        raise RocketmqError(f"{version!r} is no version of RocketMQ.", "Write it as 5.3.1; --list shows them.")


def _keep(jar: Path, folder: Path) -> Jar:
    """The jar in the folder: a link where that is possible, else a copy."""
    target = folder / jar.name
    if not jar.is_file():
        raise RocketmqError(f"{jar} was resolved and is not there.", "Get it again; a clean-up may be running.")
    _as_published(jar)
    try:
        os.link(jar, target)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            target.unlink()
        shutil.copyfile(jar, target)
    return Jar(jar.name, _sha256(target), target.stat().st_size)


def _as_published(jar: Path) -> None:
    """Maven does not look at what its repository has already. Raise `RocketmqError` where the bytes are others."""
    said = jar.with_name(f"{jar.name}.sha1")
    if said.is_file():
        with jar.open("rb") as stream:
            good = hashlib.file_digest(stream, "sha1").hexdigest() in said.read_text(encoding="utf-8").lower()
    else:
        good = zipfile.is_zipfile(jar)
    if not good:
        raise RocketmqError(
            f"{jar} is damaged: it is not what was published.", f"Delete {jar.parent} and get the release again."
        )


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
