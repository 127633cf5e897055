"""The agent that traces: a Java without what it needs is told of; what it writes is judged in test_processes.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.tracing import agent


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Java:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "bin").mkdir()
    return Java(tmp_path, tmp_path, 25, "a test")


def compiler(java: Java, script: str) -> None:
    path = java.home / "bin" / "javac"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_a_java_without_a_compiler_is_told(java: Java) -> None:
    with pytest.raises(RocketmqError, match=r"\(Java 25\) has no compiler for the agent"):
        agent.build(java)


def test_a_java_without_asm_is_told(java: Java) -> None:
    compiler(java, "echo 'StepAgent.java:14: error: package jdk.internal.org.objectweb.asm does not exist' >&2; exit 1")
    with pytest.raises(RocketmqError, match=r"has to have ASM inside .*asm does not exist") as told:
        agent.build(java)
    assert "17" in str(told.value)
    assert not list((java.home / "cache" / "agent").iterdir())


def test_it_is_made_once(java: Java) -> None:
    count = java.home / "count"
    write = "case $before in -d) mkdir -p $each; echo x > $each/A.class;; esac; before=$each"
    compiler(java, f"echo made >> {count}; for each; do {write}; done")
    jar = agent.build(java)
    assert agent.build(java) == jar and jar.is_file()
    assert count.read_text().split() == ["made"]


def test_a_release_that_is_too_old_is_told() -> None:
    for version in ("5.0.0", "5.1.0"):
        with pytest.raises(RocketmqError, match=r"knows the classes from 5\.1\.1 on") as told:
            agent.check_release(version)
        assert "leave out --trace" in str(told.value)
    for version in ("5.1.1", "5.5.1", "5.10.0"):
        agent.check_release(version)
