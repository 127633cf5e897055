"""A message as it lies in the commit log: RocketMQ's record (`MessageExtEncoder`, IPv4 hosts), big-endian.

    totalSize int, magic int, bodyCRC int, queueId int, flag int, queueOffset long, physicalOffset long, sysFlag int,
    bornTimestamp long, bornHost 4+4, storeTimestamp long, storeHost 4+4, reconsumeTimes int,
    preparedTransactionOffset long, bodyLength int, body, topicLength byte, topic, propertiesLength short, properties

Properties are `name \\x01 value \\x02`, repeated. The last one is `__CRC32#`, a checksum over all bytes of the record
before it, ten digits, the least significant first (`appendPropCRC`); here it is required. The end of a segment that
cannot take the next record is filled with a blank record: size int, magic int, zeros.
"""

from __future__ import annotations

import socket
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

MAGIC = 0xDAA320A7
BLANK_MAGIC = 0xCBD43194
BLANK_HEADER = struct.Struct(">iI")
UNIQUE_KEY = "UNIQ_KEY"
"""The property with the message id that the producer chose."""

CRC_PROPERTY = "__CRC32#"

_START = struct.Struct(">iIIiiqqiqIiqIiiqi")
_FIXED_SIZE = _START.size + 1 + 2
_CRC_START = f"{CRC_PROPERTY}\x01".encode()
_CRC_SIZE = len(_CRC_START) + 10 + 1
LARGEST_RECORD = 4 * 1024 * 1024


@dataclass(frozen=True)
class Message:
    """Times in milliseconds, hosts as (IPv4 address, port)."""

    topic: str
    body: bytes
    properties: Mapping[str, str] = field(default_factory=dict)
    queue_id: int = 0
    queue_offset: int = 0
    flag: int = 0
    born_time: int = 0
    born_host: tuple[str, int] = ("127.0.0.1", 0)
    store_time: int = 0
    store_host: tuple[str, int] = ("127.0.0.1", 0)

    @property
    def key(self) -> str:
        """The producer's id for it, empty without one."""
        return self.properties.get(UNIQUE_KEY, "")


def encode_message(message: Message, physical_offset: int) -> bytes:
    """The record for a place in the log; ValueError if a part is too long."""
    topic = message.topic.encode()
    properties = properties_text(message.properties).encode()
    properties_size = len(properties) + _CRC_SIZE
    size = _FIXED_SIZE + len(message.body) + len(topic) + properties_size
    if len(topic) > 127 or properties_size > 32767 or size > LARGEST_RECORD:
        raise ValueError(
            f"the message is too large: topic {len(topic)} bytes (at most 127), properties {len(properties)}"
            f" (32767), record {size} ({LARGEST_RECORD})"
        )
    if any(mark in text for pair in message.properties.items() for text in pair for mark in "\x01\x02"):
        raise ValueError("a property holds one of the separators \\x01 and \\x02")
    start = _START.pack(
        size, MAGIC, zlib.crc32(message.body) & 0x7FFFFFFF, message.queue_id, message.flag, message.queue_offset,
        physical_offset, 0, message.born_time, *_packed_host(message.born_host), message.store_time,
        *_packed_host(message.store_host), 0, 0, len(message.body),
    )  # fmt: skip
    record = b"".join(
        (start, message.body, struct.pack(">B", len(topic)), topic, struct.pack(">h", properties_size), properties)
    )
    return record + _crc_property(record)


def messages_of(records: bytes, crc_property: bool = True) -> list[Message]:
    """Messages one after another, as a consumer gets them; ValueError says what is wrong. `crc_property` as below."""
    found = []
    while records:
        if len(records) < _FIXED_SIZE:
            raise ValueError(f"{len(records)} bytes are no message")
        size, _, _, _, _, _, offset = _START.unpack_from(records)[:7]
        if not 0 < size <= len(records):
            raise ValueError(f"a record of {size} bytes, {len(records)} are left")
        found.append(decode_message(records[:size], offset, crc_property))
        records = records[size:]
    return found


def blank_record(size: int) -> bytes:
    """What fills the last `size` bytes of a segment; below 8 bytes only zeros fit."""
    return BLANK_HEADER.pack(size, BLANK_MAGIC).ljust(size, b"\0")[:size] if size >= BLANK_HEADER.size else bytes(size)


def decode_message(record: bytes, physical_offset: int, crc_property: bool = True) -> Message:
    """The message of exactly one record at a place in the log; ValueError says what is wrong with it.

    `crc_property`: it ends with the property of its CRC32; those of RocketMQ before 5.2.0 never do.
    """
    if len(record) < _FIXED_SIZE:
        raise ValueError(f"a record of {len(record)} bytes is shorter than {_FIXED_SIZE}")
    (size, magic, crc, queue_id, flag, queue_offset, offset, _, born_time, born_address, born_port, store_time,
     store_address, store_port, _, _, body_size) = _START.unpack_from(record)  # fmt: skip
    if magic != MAGIC:
        raise ValueError(f"the magic code is {magic:#x}, not {MAGIC:#x}")
    if size != len(record):
        raise ValueError(f"the record says it has {size} bytes, it has {len(record)}")
    if offset != physical_offset:
        raise ValueError(f"the record says it lies at offset {offset}")
    end = _START.size + body_size
    if body_size < 0 or end + 3 > size:
        raise ValueError(f"a body of {body_size} bytes does not fit")
    body = record[_START.size : end]
    if zlib.crc32(body) & 0x7FFFFFFF != crc:
        raise ValueError(f"the CRC32 of the body is {zlib.crc32(body) & 0x7FFFFFFF}, not {crc}")
    topic_end = end + 1 + record[end]
    if topic_end + 2 > size:
        raise ValueError(f"a topic of {record[end]} bytes does not fit")
    (properties_size,) = struct.unpack_from(">h", record, topic_end)
    if topic_end + 2 + properties_size != size:
        raise ValueError(f"properties of {properties_size} bytes do not fill the record")
    packed = record[topic_end + 2 :]
    own = len(packed) - (_CRC_SIZE if crc_property else 0)
    if crc_property and packed[own:] != _crc_property(record[:-_CRC_SIZE]):
        raise ValueError(f"the CRC32 of the record is not the one in its property {CRC_PROPERTY}")
    try:
        topic = record[end + 1 : topic_end].decode()
        properties = dict(_properties(packed[:own].decode()))
    except UnicodeDecodeError:
        raise ValueError("topic or properties are not UTF-8") from None
    return Message(
        topic, body, properties, queue_id, queue_offset, flag, born_time, _host(born_address, born_port), store_time,
        _host(store_address, store_port),
    )  # fmt: skip


def _crc_property(record: bytes) -> bytes:
    return _CRC_START + f"{zlib.crc32(record) & 0x7FFFFFFF:010d}"[::-1].encode() + b"\x02"


def properties_of_text(text: str) -> dict[str, str]:
    """The properties of a message as RocketMQ writes them into requests."""
    return dict(_properties(text))


def properties_text(properties: Mapping[str, str]) -> str:
    return "".join(f"{name}\x01{value}\x02" for name, value in properties.items())


def _properties(text: str) -> Iterator[tuple[str, str]]:
    for pair in text.split("\x02"):
        name, separator, value = pair.partition("\x01")
        if separator:
            yield name, value


def _packed_host(host: tuple[str, int]) -> tuple[int, int]:
    (address,) = struct.unpack(">I", socket.inet_aton(host[0]))
    return address, host[1]


def _host(address: int, port: int) -> tuple[str, int]:
    return socket.inet_ntoa(struct.pack(">I", address)), port
