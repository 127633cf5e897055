"""RocketMQ's remoting frame (`RemotingCommand`), big-endian:

    int length of all that follows, byte serialization type, 3 bytes length of the header, header, body

An answer is serialized as its request (`NettyRemotingAbstract.writeResponse`). Type 0: the header is a JSON object
with `code`, `flag` (bit 0: response, bit 1: one-way), `opaque` (pairs answer and request), `language`, `version`,
`serializeTypeCurrentRPC`, and where given `extFields` (strings) and `remark`. Type 1
(`-Drocketmq.serialize.type=ROCKETMQ`, `RocketMQSerializable`):

    short code, byte language, short version, int opaque, int flag, int length of the remark, remark,
    int length of the fields, and for each field: short length of its name, name, int length of its value, value
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
ROCKETMQ_TYPE = 1
LANGUAGES = ("JAVA", "CPP", "DOTNET", "PYTHON", "DELPHI", "ERLANG", "RUBY", "OTHER", "HTTP", "GO", "PHP", "OMS", "RUST")
"""`LanguageCode`, by its byte."""
_FIXED = struct.Struct(">hbhii")
_SHORT, _INT = struct.Struct(">h"), struct.Struct(">i")
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
    serialize_type: int = JSON_TYPE

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
    return Command(code, to.opaque, ext_fields or {}, body, _RESPONSE, remark, serialize_type=to.serialize_type)


def encode_command(command: Command) -> bytes:
    """ValueError if it is too large, or a number does not fit the fields of type 1."""
    text = _binary_header(command) if command.serialize_type == ROCKETMQ_TYPE else _json_header(command)
    length = 4 + len(text) + len(command.body)
    if length > LARGEST_FRAME:
        raise ValueError(f"a frame of {length} bytes is larger than {LARGEST_FRAME}")
    return _LENGTHS.pack(length, command.serialize_type << 24 | len(text)) + text + command.body


def _binary_header(command: Command) -> bytes:
    language = LANGUAGES.index(command.language if command.language in LANGUAGES else "OTHER")
    remark = (command.remark or "").encode()
    fields = b"".join(_text(name, _SHORT) + _text(value, _INT) for name, value in command.ext_fields.items())
    try:
        fixed = _FIXED.pack(command.code, language, command.version, command.opaque, command.flag)
    except struct.error as problem:
        raise ValueError(f"the header does not fit its fields: {problem}") from None
    return fixed + _INT.pack(len(remark)) + remark + _INT.pack(len(fields)) + fields


def _text(text: str, length: struct.Struct) -> bytes:
    content = text.encode()
    try:
        return length.pack(len(content)) + content
    except struct.error:
        raise ValueError(f"a text of {len(content)} bytes is too long for its field") from None


def _json_header(command: Command) -> bytes:
    header: dict[str, Any] = {"code": command.code}
    if command.ext_fields:
        header["extFields"] = dict(command.ext_fields)
    header |= {"flag": command.flag, "language": command.language, "opaque": command.opaque}
    if command.remark is not None:
        header["remark"] = command.remark
    header |= {"serializeTypeCurrentRPC": "JSON", "version": command.version}
    return json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()


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
    if kind not in (JSON_TYPE, ROCKETMQ_TYPE):
        raise ProtocolError(f"the header is serialized with type {kind}, not JSON (0) or ROCKETMQ (1)")
    if header_length > length - 4:
        raise ProtocolError(f"a header of {header_length} bytes does not fit a frame of {length}")
    if len(data) < 4 + length:
        return None
    header_end = _LENGTHS.size + header_length
    read = _binary_command if kind == ROCKETMQ_TYPE else _command
    return read(data[_LENGTHS.size : header_end], data[header_end : 4 + length]), 4 + length


def _binary_command(header: bytes, body: bytes) -> Command:
    reader = _Reader(header)
    code, language, version, opaque, flag = _FIXED.unpack(reader.take(_FIXED.size))
    remark = reader.text(_INT)
    fields, ext_fields = _Reader(reader.take(reader.number(_INT))), {}
    while fields.left:
        name = fields.text(_SHORT)
        ext_fields[name] = fields.text(_INT)
    known = LANGUAGES[language] if 0 <= language < len(LANGUAGES) else "OTHER"
    return Command(code, opaque, ext_fields, body, flag, remark or None, known, version, ROCKETMQ_TYPE)


class _Reader:
    """Takes a binary header apart; ProtocolError where a length is not of something that is there."""

    def __init__(self, content: bytes) -> None:
        self.left = content

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self.left):
            raise ProtocolError(f"a part of {size} bytes does not fit the {len(self.left)} that are left of the header")
        taken, self.left = self.left[:size], self.left[size:]
        return taken

    def number(self, kind: struct.Struct) -> int:
        found: int = kind.unpack(self.take(kind.size))[0]
        return found

    def text(self, length: struct.Struct) -> str:
        try:
            return self.take(self.number(length)).decode()
        except UnicodeDecodeError:
            raise ProtocolError("a text of the header is not UTF-8") from None


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
