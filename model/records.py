"""Dataclasses of which each method is written when it is first called, and fields are listed when asked for.

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
        """As that of `dataclasses` with these options; there is no `KW_ONLY` and no `InitVar`."""

        def make(cls: type) -> type:
            own = set(vars(cls))
            if cls.__doc__ is None:  # else a signature is made for it
                cls.__doc__ = f"{cls.__name__}({', '.join(vars(cls).get('__annotations__', ()))})"
            made = _described_when_asked(cls, frozen, slots)
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


class _Described:
    """An attribute that `dataclasses` gives a class, in its place until somebody asks for it."""

    __slots__ = ("cls", "frozen", "name")

    def __init__(self, cls: type, name: str, frozen: bool) -> None:
        self.cls, self.name, self.frozen = cls, name, frozen

    def __get__(self, instance: object, owner: type) -> Any:
        cls: Any = self.cls
        names = {"__module__": cls.__module__, "__doc__": cls.__doc__, "__annotations__": cls.__annotations__}
        alone: Any = type(cls.__name__, (), names | cls.__declared__)
        dataclasses.dataclass(init=False, repr=False, eq=False)(alone)
        alone.__dataclass_params__.frozen = self.frozen  # whose methods are not wanted
        fields: dict[str, dataclasses.Field[Any]] = {}
        for above in reversed(cls.__mro__[1:]):
            fields |= getattr(above, "__dataclass_fields__", {})
        cls.__dataclass_params__ = alone.__dataclass_params__
        cls.__dataclass_fields__ = fields | alone.__dataclass_fields__
        positional = (field.name for field in dataclasses.fields(cls) if field.init and not field.kw_only)
        type.__setattr__(cls, "__match_args__", tuple(positional))
        return vars(cls)[self.name]


def _described_when_asked(cls: type, frozen: bool, slots: bool) -> type:
    """The class with its defaults, or slots; what describes its fields to others is `_Described`."""
    own = dict(vars(cls))
    names = [name for name, kind in cls.__annotations__.items() if not str(kind).startswith(_OF_THE_CLASS)]
    declared = {name: own[name] for name in names if name in own}
    if slots:
        above = {name for base in cls.__mro__[1:-1] for name in vars(base).get("__slots__", ())}
        for name in (*declared, "__dict__", "__weakref__"):
            own.pop(name, None)
        own["__slots__"] = tuple(name for name in names if name not in above)
        qualified = cls.__qualname__
        cls = type(cls)(cls.__name__, cls.__bases__, own)
        cls.__qualname__ = qualified
    else:
        for name, value in declared.items():
            if isinstance(value, dataclasses.Field):
                if value.default is dataclasses.MISSING:
                    delattr(cls, name)
                else:
                    setattr(cls, name, value.default)
    described = {name: _Described(cls, name, frozen) for name in _DESCRIPTIONS}
    for name, value in {"__declared__": declared, "__declares__": tuple(names), **described}.items():
        setattr(cls, name, value)
    return cls


def _fields(cls: type) -> list[tuple[str, dataclasses.Field[Any]]]:
    """In their order, with names; what a field leaves open (`kw_only`) is MISSING."""
    fields = {}
    for base in reversed(cls.__mro__):
        for name in vars(base).get("__declares__", ()):
            value = vars(base)["__declared__"].get(name, dataclasses.MISSING)
            fields[name] = value if isinstance(value, dataclasses.Field) else dataclasses.field(default=value)
    return list(fields.items())


_OF_THE_CLASS = ("ClassVar", "typing.ClassVar")
_DESCRIPTIONS = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")


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
    for name, field in _fields(cls):
        parameter = value = name
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
            (by_name if field.kw_only is True else positional).append(parameter)
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
    hashed = [name for name, f in _fields(cls) if (f.compare if f.hash is None else f.hash)]
    return _written(cls, "__hash__", ["self"], [f"return hash({_tuple('self', hashed)})"], {})


def _compared(cls: type) -> list[str]:
    return [name for name, field in _fields(cls) if field.compare]


def _tuple(owner: str, names: Iterable[str]) -> str:
    return "(" + "".join(f"{owner}.{name}, " for name in names) + ")"


def _written(cls: type, name: str, parameters: list[str], body: list[str], names: dict[str, Any]) -> Any:
    text = "\n ".join([f"def {name}({', '.join(parameters)}):", *body])
    exec(text, names)
    names[name].__qualname__ = f"{cls.__qualname__}.{name}"
    return names[name]


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, field in _fields(type(self)) if field.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(cls: type) -> Any:
    values = ", ".join(f"self.{name}" for name, _ in _fields(cls))
    return _written(cls, "__getstate__", ["self"], [f"return [{values}]"], {})


def _restore(cls: type) -> Any:
    names = [name for name, _ in _fields(cls)]
    body = [f"[{', '.join(names)}] = state", *(f"_set(self, {name!r}, {name})" for name in names)]
    return _written(cls, "__setstate__", ["self", "state"], body, {"_set": object.__setattr__})


__all__ = ["dataclass"]
