"""IOUtils and CSV: the environment and text files. Running programs is refused: a model must not act on the machine."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.library.arguments import boolean_of, record_fields, refuse, sequence, string
from rmqproof.model.evaluate.library.operator import Operator, Runtime
from rmqproof.model.evaluate.library.value_files import io_deserialize, io_serialize
from rmqproof.model.evaluate.shape import BOOL, INT
from rmqproof.model.evaluate.show import shorten, show
from rmqproof.model.evaluate.values import TRUE, Boolean, Value, function, record

_PLACE = re.compile(r"%(?:(\d+)\$)?s|%%|%n")


def environment() -> Value:
    """IOEnv: a record of the variables."""
    return function(dict(os.environ))


def atoi(text: Value) -> int:
    digits = string(text, "atoi")
    if not re.fullmatch(r"[+-]?[0-9]+", digits):
        raise Fault(f"atoi needs a string of digits, and is given {shorten(text)}")
    return int(digits)


def serialize(value: Value, path: Value, options: Value) -> Value:
    fields = record_fields(options, "Serialize")
    if fields.get("format") != "TXT":
        refuse("Serialize", f"the format {show(fields.get('format', ''))}; only TXT is")
    flags = sequence(fields.get("openOptions", ()), "Serialize")
    try:
        mode = "a" if "APPEND" in flags else "x" if "CREATE_NEW" in flags else "w"
        with Path(string(path, "Serialize")).open(mode, encoding=_charset(fields), newline="") as file:
            file.write(string(value, "Serialize"))
    except (OSError, LookupError) as error:
        return record(exitValue=1, stdout="", stderr=str(error))
    return record(exitValue=0, stdout="", stderr="")


def deserialize(runtime: Runtime, path: Value, options: Value) -> Value:
    fields = record_fields(options, "Deserialize")
    if fields.get("format") != "TXT":
        refuse("Deserialize", f"the format {show(fields.get('format', ''))}; only TXT is")
    try:
        text = runtime.read(string(path, "Deserialize"), _charset(fields))
    except (OSError, LookupError, UnicodeDecodeError) as error:
        return record(exitValue=1, stdout="", stderr=str(error))
    return record(exitValue=0, stdout=text, stderr="")


def _charset(fields: dict[str, Any]) -> str:
    return string(fields.get("charset", "UTF-8"), "charset")


def _refused(operator: str) -> Any:
    def refused(*_: Value) -> Value:
        refuse(f"IOUtils!{operator}", "specifications here run no programs")

    return refused


def csv_write(template: Value, values: Value, path: Value) -> Boolean:
    items = [show(value) for value in sequence(values, "CSVWrite")]
    taken = iter(items)

    def fill(match: re.Match[str]) -> str:
        if match[0] in ("%%", "%n"):
            return "%" if match[0] == "%%" else "\n"
        try:
            return items[int(match[1]) - 1] if match[1] else next(taken)
        except (IndexError, StopIteration):
            raise Fault(f"CSVWrite: the template {show(template)} names more values than {len(items)}") from None

    _append(path, "CSVWrite", [_PLACE.sub(fill, string(template, "CSVWrite"))])
    return TRUE


def csv_write_record(row: Value, delimiter: Value, headers: Value, path: Value) -> Boolean:
    fields = record_fields(row, "CSVWriteRecord")
    between = string(delimiter, "CSVWriteRecord")
    lines = [between.join(fields)] if boolean_of(headers, "CSVWriteRecord") else []
    _append(path, "CSVWriteRecord", [*lines, between.join(map(show, fields.values()))])
    return TRUE


def csv_read(runtime: Runtime, columns: Value, delimiter: Value, path: Value) -> tuple[Value, ...]:
    names = [string(name, "CSVRead") for name in sequence(columns, "CSVRead")]
    between = string(delimiter, "CSVRead")
    lines = _lines(runtime, path, "CSVRead")
    return tuple(function(dict(zip(names, line.split(between), strict=False))) for line in lines)


def csv_records(runtime: Runtime, path: Value) -> int:
    return len(_lines(runtime, path, "CSVRecords"))


def _lines(runtime: Runtime, path: Value, operator: str) -> list[str]:
    """The lines of a file, none when there is no file."""
    try:
        return runtime.read(string(path, operator)).splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(f"{operator} cannot read {show(path)}: {error}") from None


def _append(path: Value, operator: str, lines: list[str]) -> None:
    try:
        with Path(string(path, operator)).open("a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
    except OSError as error:
        raise Fault(f"{operator} cannot write {show(path)}: {error}") from None


OPERATORS: Final = {
    "IOUtils!IOEnv": Operator(environment),
    "IOUtils!atoi": Operator(atoi, INT),
    "IOUtils!Serialize": Operator(serialize),
    "IOUtils!Deserialize": Operator(deserialize, runtime=True),
    "IOUtils!IOSerialize": Operator(io_serialize, BOOL),
    "IOUtils!IODeserialize": Operator(io_deserialize, runtime=True),
    **{
        f"IOUtils!{name}": Operator(_refused(name))
        for name in (
            "IOExec",
            "IOEnvExec",
            "IOExecTemplate",
            "IOEnvExecTemplate",
        )
    },
    "CSV!CSVWrite": Operator(csv_write, BOOL),
    "CSV!CSVWriteRecord": Operator(csv_write_record, BOOL),
    "CSV!CSVRead": Operator(csv_read, runtime=True),
    "CSV!CSVRecords": Operator(csv_records, INT, runtime=True),
}
