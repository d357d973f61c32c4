"""An algorithm made of parts: the same plain functions, with others put in for functions that they call.

A loop calls a part by a function that stands for it, such as `update`. `linked(loop, {update: giga})` is the loop once
more, in which `giga` is called instead, and so it is in every function that the loop calls, directly or not, other
parts among them. What is linked is compiled, hashed and cached as any other function, and a part that is not chosen
costs nothing.
"""

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from fogspiel.engine.closure import Function, called, globals_read, reachable


def linked(function: Function, parts: Mapping[Function, Function]) -> Function:
    """A copy of the function that calls parts[f] wherever it would have called f. Functions that reach none of those
    stay as they are."""
    made: dict[Function, Function] = {}

    def link(function: Function) -> Function:
        function = parts.get(function, function)
        if function in made:
            return made[function]
        if parts.keys().isdisjoint(reachable([function])):
            return function
        made[function] = copy = _copy(function)
        for name, callee in _callees(function).items():
            copy.__globals__[name] = link(callee)
        return copy

    return link(function)


def annotated(function: Function, annotations: Mapping[str, Any]) -> Function:
    """The function again with these annotations, for one that is compiled for several kinds of argument."""
    copy = _copy(function)
    copy.__annotations__ = dict(annotations)
    return copy


def _copy(function: Function) -> Function:
    """The function again, with globals of its own."""
    scope = dict(function.__globals__)
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    copy.__annotations__ = dict(function.__annotations__)
    copy.__doc__, copy.__module__ = function.__doc__, function.__module__
    vars(copy).update(vars(function))
    return copy


def _callees(function: Function) -> dict[str, Function]:
    known = called(function)
    return {n: f for n, f in globals_read(function).items() if isinstance(f, FunctionType) and f in known}
