"""Who a broker is (`BrokerMetadata`, `TempBrokerMetadata`).

`brokerIdentity` holds `cluster#brokerName#brokerId`; while an id is being applied for, `brokerIdentity-temp` holds
`cluster#brokerName#brokerId#registerCheckCode`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rmqproof.impl.storage.errors import DamagedFile
from rmqproof.impl.storage.files import Files, delete, replace

NAME = "brokerIdentity"
TEMPORARY_NAME = "brokerIdentity-temp"


@dataclass(frozen=True)
class Identity:
    """A broker's place: names must not hold `#` or a line end."""

    cluster: str
    broker_name: str
    broker_id: int
    check_code: str | None = None
    """`brokerAddress;milliseconds`, only while the id is being applied for."""

    def __post_init__(self) -> None:
        for part in (self.cluster, self.broker_name, self.check_code or "-"):
            if not part or "#" in part or any(mark in part for mark in "\r\n"):
                raise ValueError(
                    f"{part!r} cannot be part of a broker's identity: it is empty or holds # or a line end"
                )
        if self.broker_id < 0:
            raise ValueError(f"the brokerId {self.broker_id} is negative")

    def encode(self) -> bytes:
        parts = [self.cluster, self.broker_name, str(self.broker_id)]
        return "#".join(parts if self.check_code is None else [*parts, self.check_code]).encode()


def decode_identity(content: bytes, temporary: bool) -> Identity:
    """ValueError says what is wrong with the content."""
    try:
        parts = content.decode().split("#")
    except UnicodeDecodeError:
        raise ValueError("it holds bytes that are not UTF-8") from None
    if len(parts) != (4 if temporary else 3):
        form = "cluster#brokerName#brokerId" + ("#registerCheckCode" if temporary else "")
        raise ValueError(f"it has {len(parts)} parts; expected {form}")
    cluster, broker_name, number, *code = parts
    if not (number.isascii() and number.isdigit()) or len(number) > 19:
        raise ValueError(f"the brokerId is {number!r}, not a number")
    return Identity(cluster, broker_name, int(number), code[0] if code else None)


@dataclass(frozen=True)
class IdentityFiles:
    """Both files of one store folder."""

    files: Files
    folder: Path

    def load(self) -> Identity | None:
        """The assigned identity, if there is one."""
        return self._load(self.folder / NAME, temporary=False)

    def load_temporary(self) -> Identity | None:
        """The identity that is being applied for, if there is one."""
        return self._load(self.folder / TEMPORARY_NAME, temporary=True)

    def store_temporary(self, identity: Identity) -> None:
        if identity.check_code is None:
            raise ValueError("an identity that is being applied for has a check code")
        replace(self.files, self.folder / TEMPORARY_NAME, identity.encode())

    def store(self, identity: Identity) -> None:
        """Keep the assigned identity; the temporary file goes after it is safe."""
        replace(
            self.files,
            self.folder / NAME,
            Identity(identity.cluster, identity.broker_name, identity.broker_id).encode(),
        )
        self.delete_temporary()

    def delete_temporary(self) -> None:
        delete(self.files, self.folder / TEMPORARY_NAME)

    def _load(self, path: Path, temporary: bool) -> Identity | None:
        if not self.files.exists(path):
            return None
        try:
            return decode_identity(self.files.read(path), temporary)
        except ValueError as problem:
            remedy = (
                "Write the line by hand if you know the id that the controller assigned to this broker; otherwise "
                "remove the whole store, so that the broker joins as a new one. The file alone must not be removed: "
                "the log would then belong to nobody."
            )
            raise DamagedFile(path, str(problem), remedy) from None
