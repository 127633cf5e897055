"""RocketMQ's remoting frame (`RemotingCommand`), big-endian:

    int length of all that follows, byte serialization type (0: JSON), 3 bytes length of the header, header, body

The header is a JSON object with `code`, `flag` (bit 0: response, bit 1: one-way), `opaque` (pairs answer and request),
`language`, `version`, `serializeTypeCurrentRPC`, and where given `extFields` (strings) and `remark`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.impl.wire.ha import Found, StreamDecoder

LARGEST_FRAME = 16 * 1024 * 1024
JSON_TYPE = 0
_LENGTHS = struct.Struct(">iI")
_RESPONSE = 1
_ONE_WAY = 2


@dataclass(frozen=True)
class Command:
    """One request or answer."""

    code: int
    opaque: int
    ext_fields: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    flag: int = 0
    remark: str | None = None
    language: str = "PYTHON"
    version: int = 0

    @property
    def is_response(self) -> bool:
        return bool(self.flag & _RESPONSE)

    @property
    def is_one_way(self) -> bool:
        return bool(self.flag & _ONE_WAY)


def request(code: int, opaque: int, ext_fields: Mapping[str, str], body: bytes = b"", one_way: bool = False) -> Command:
    return Command(code, opaque, ext_fields, body, _ONE_WAY if one_way else 0)


def response(
    to: Command, code: int, ext_fields: Mapping[str, str] | None = None, body: bytes = b"", remark: str | None = None
) -> Command:
    return Command(code, to.opaque, ext_fields or {}, body, _RESPONSE, remark)


def encode_command(command: Command) -> bytes:
    header: dict[str, Any] = {"code": command.code}
    if command.ext_fields:
        header["extFields"] = dict(command.ext_fields)
    header |= {"flag": command.flag, "language": command.language, "opaque": command.opaque}
    if command.remark is not None:
        header["remark"] = command.remark
    header |= {"serializeTypeCurrentRPC": "JSON", "version": command.version}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    length = 4 + len(text) + len(command.body)
    if length > LARGEST_FRAME:
        raise ValueError(f"a frame of {length} bytes is larger than {LARGEST_FRAME}")
    return _LENGTHS.pack(length, JSON_TYPE << 24 | len(text)) + text + command.body


def frames() -> StreamDecoder[Command]:
    """Cuts a stream into commands."""
    return StreamDecoder(_read_command)


def _read_command(data: bytes) -> Found[Command] | None:
    if len(data) < _LENGTHS.size:
        return None
    length, word = _LENGTHS.unpack_from(data)
    kind, header_length = word >> 24, word & 0xFFFFFF
    if not 4 <= length <= LARGEST_FRAME:
        raise ProtocolError(f"a frame cannot have {length} bytes")
    if kind != JSON_TYPE:
        raise ProtocolError(f"the header is serialized with type {kind}; only JSON (0) is read")
    if header_length > length - 4:
        raise ProtocolError(f"a header of {header_length} bytes does not fit a frame of {length}")
    if len(data) < 4 + length:
        return None
    header_end = _LENGTHS.size + header_length
    return _command(data[_LENGTHS.size : header_end], data[header_end : 4 + length]), 4 + length


def _command(text: bytes, body: bytes) -> Command:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise ProtocolError("the header is not JSON") from None
    if not isinstance(header, dict):
        raise ProtocolError("the header is not a JSON object")
    ext_fields = header.get("extFields") or {}
    if not isinstance(ext_fields, dict) or not all(isinstance(value, str) for value in ext_fields.values()):
        raise ProtocolError("extFields is not an object of strings")
    remark = header.get("remark")
    if not (remark is None or isinstance(remark, str)):
        raise ProtocolError("remark is not a text")
    return Command(
        code=_int(header, "code", None),
        opaque=_int(header, "opaque", 0),
        ext_fields=ext_fields,
        body=body,
        flag=_int(header, "flag", 0),
        remark=remark,
        language=str(header.get("language", "JAVA")),
        version=_int(header, "version", 0),
    )


def _int(header: Mapping[str, Any], name: str, default: int | None) -> int:
    value = header.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not -(2**31) <= value < 2**31:
        raise ProtocolError(f"{name} is {value!r}, not an int")
    return value
