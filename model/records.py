"""Dataclasses of which each method is written when it is first called.

`dataclasses` writes and compiles all methods of a class when it is defined, 0.3 ms for a class. That was a third of
what a check of a small model took to start: the trees of a specification alone are 130 classes, of which a run calls
few methods. What a check imports takes this one, with all classes above and below in the hierarchy.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool = False, slots: bool = False, eq: bool = True) -> Callable[[type], type]:
        """As that of `dataclasses` with these options."""

        def make(cls: type) -> type:
            own = set(vars(cls))
            if cls.__doc__ is None:  # else a signature is made for it
                cls.__doc__ = f"{cls.__name__}({', '.join(vars(cls).get('__annotations__', ()))})"
            made = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots)
            methods = {"__init__": _when_called(made, "__init__", lambda: _init(made, frozen)), "__repr__": _repr}
            if eq:
                methods["__eq__"] = _when_called(made, "__eq__", lambda: _equality(made))
                methods["__hash__"] = _when_called(made, "__hash__", lambda: _hash(made)) if frozen else None
            if frozen:
                methods |= {"__setattr__": _set, "__delattr__": _delete}
                if slots:
                    methods["__getstate__"] = _when_called(made, "__getstate__", lambda: _state(made))
                    methods["__setstate__"] = _when_called(made, "__setstate__", lambda: _restore(made))
            for name, method in methods.items():
                if name not in own or (name == "__hash__" and vars(cls)[name] is None):
                    setattr(made, name, method)
            return made

        return make


def _when_called(cls: type, name: str, write: Callable[[], Any]) -> Any:
    """A method that is replaced by what is written when it is first called."""

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        written = write()
        if vars(cls).get(name) is method:
            setattr(cls, name, written)
        return written(self, *arguments, **named)

    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
    return method


def _init(cls: type, frozen: bool) -> Any:
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    positional, by_name, body = ["self"], list[str](), list[str]()
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        parameter = name
        if field.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            names[f"_factory_{name}"] = field.default_factory
            parameter, made = f"{name}=_missing", f"_factory_{name}()"
            value = f"({made} if {name} is _missing else {name})" if field.init else made
        elif not field.init:
            continue
        if field.init:
            (by_name if field.kw_only else positional).append(parameter)
        elif field.default is not dataclasses.MISSING:
            value = f"_default_{name}"
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = [*positional, *(["*", *by_name] if by_name else [])]
    return _written(cls, "__init__", parameters, body or ["pass"], names)


def _equality(cls: type) -> Any:
    mine, others = _tuple("self", _compared(cls)), _tuple("other", _compared(cls))
    body = [f"if other.__class__ is self.__class__: return {mine} == {others}", "return NotImplemented"]
    return _written(cls, "__eq__", ["self", "other"], body, {})


def _hash(cls: type) -> Any:
    hashed = [f.name for f in dataclasses.fields(cls) if (f.compare if f.hash is None else f.hash)]
    return _written(cls, "__hash__", ["self"], [f"return hash({_tuple('self', hashed)})"], {})


def _compared(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls) if field.compare]


def _tuple(owner: str, names: Iterable[str]) -> str:
    return "(" + "".join(f"{owner}.{name}, " for name in names) + ")"


def _written(cls: type, name: str, parameters: list[str], body: list[str], names: dict[str, Any]) -> Any:
    text = "\n ".join([f"def {name}({', '.join(parameters)}):", *body])
    exec(text, names)
    names[name].__qualname__ = f"{cls.__qualname__}.{name}"
    return names[name]


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(cls: type) -> Any:
    values = ", ".join(f"self.{field.name}" for field in dataclasses.fields(cls))
    return _written(cls, "__getstate__", ["self"], [f"return [{values}]"], {})


def _restore(cls: type) -> Any:
    names = [field.name for field in dataclasses.fields(cls)]
    body = [f"[{', '.join(names)}] = state", *(f"_set(self, {name!r}, {name})" for name in names)]
    return _written(cls, "__setstate__", ["self", "state"], body, {"_set": object.__setattr__})


__all__ = ["dataclass"]
