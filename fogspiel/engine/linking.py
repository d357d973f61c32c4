"""An algorithm made of parts: the same plain functions, with others put in for names that they call.

A loop calls a part by a module-level name, such as `update`. `linked(loop, update=giga)` is the loop once more, in which that name
means `giga`, and so it does in every function that the loop calls, directly or not. What is linked is compiled, hashed and cached as
any other function, and a part that is not chosen costs nothing.
"""

from types import FunctionType

from fogspiel.engine.closure import called, globals_read, reachable


def linked(function: FunctionType, **parts: FunctionType) -> FunctionType:
    """A copy of the function that calls the given functions by these names, which must be those of functions of its module or of
    modules that it calls. Functions that reach none of the names stay as they are."""
    return _linked(function, parts, {})


def _linked(function: FunctionType, parts: dict[str, FunctionType], made: dict) -> FunctionType:
    if function in made:
        return made[function]
    if not any(_callees(f).keys() & parts.keys() for f in reachable([function])):
        return function
    scope = dict(function.__globals__)
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    copy.__annotations__, copy.__doc__, copy.__module__ = (
        function.__annotations__,
        function.__doc__,
        function.__module__,
    )
    vars(copy).update(vars(function))
    made[function] = copy
    for name, callee in _callees(function).items():
        scope[name] = parts[name] if name in parts else _linked(callee, parts, made)
    return copy


def _callees(function: FunctionType) -> dict[str, FunctionType]:
    known = called(function)
    return {n: f for n, f in globals_read(function).items() if isinstance(f, FunctionType) and f in known}
