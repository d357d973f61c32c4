"""Why a function cannot be compiled, as one sentence about the line at fault.

Numba's complaints are written for those who know its types and passes. Each common one is said again here in the words
of the person who wrote the function; one that is not known is cut down to its first line.
"""

import difflib
import dis
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

from fogspiel.engine import primitives
from fogspiel.engine.closure import Function, reachable


@dataclass(frozen=True)
class Complaint:
    """`function` is the one that holds the line: that which was to be compiled, or one that it calls."""

    reason: str
    function: Function
    line: int


def explain(error: Exception, function: Function, fields: tuple[str, ...]) -> Complaint:
    """Numba's error when it compiled the function. `fields` are those of the record that the function is given."""
    text = str(error)
    if isinstance(error, KeyError) and fields and error.args[0] not in fields:
        return _no_field(function, str(error.args[0]), fields)
    if isinstance(error, AttributeError):
        name = error.name or text.split("'")[-2:][0]
        return Complaint(text, *_find(function, _ATTRIBUTES, name))
    if unknown := re.search(r"NameError: name '(\w+)' is not defined", text):
        return Complaint(f"the name {unknown[1]} is not defined", *_find(function, _GLOBALS, unknown[1]))
    if (miscalled := re.match(r"(\w+)\(\) (?:missing|takes) ", text)) and hasattr(primitives, miscalled[1]):
        given = inspect.signature(getattr(primitives, miscalled[1]))
        return Complaint(
            f"a function of {given} is called with other arguments", *_find(function, _GLOBALS, miscalled[1])
        )
    if "context manager" in text:
        return Complaint("a with statement cannot be compiled", *_find(function, _WITH))
    for pattern, say in _SENTENCES:
        if found := re.search(pattern, text, re.DOTALL):
            return Complaint(say(*found.groups()), *_place(text, function))
    lines = [
        line.strip() for line in text.splitlines() if line.strip() and not line.startswith(("Failed in", "During"))
    ]
    first = (lines or [type(error).__name__])[0].partition(" Raised from")[0]
    return Complaint(first.rstrip(". "), *_place(text, function))


def kind_of(numba_type: str) -> str:
    """A Numba type in words: int8 is a whole number, float64* a buffer."""
    return next((words for pattern, words in _KINDS if re.match(pattern, numba_type)), numba_type)


def _find(function: Function, operations: tuple[str, ...], name: str | None = None) -> tuple[Function, int]:
    """The function, among this one and those it calls, and the line of the first such operation on that name."""
    for candidate in reachable([function]):
        for i in _instructions(candidate.__code__):
            line = i.positions.lineno if i.positions else None
            if i.opname in operations and name in (None, i.argval) and line:
                return candidate, line
    return function, function.__code__.co_firstlineno


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _instructions(inner)


_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME")
_ATTRIBUTES = ("LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD")
_WITH = ("BEFORE_WITH", "LOAD_SPECIAL", "SETUP_WITH")


def _place(text: str, function: Function) -> tuple[Function, int]:
    """The innermost place that the text names: it tells of a callee before the call.

    A primitive is part of its caller when Numba looks at it, so that only the primitive's name tells of the place.
    """
    if primitive := re.search(r'twins\.py", line \d+:\ndef (\w+)', text):
        return _find(function, _GLOBALS, primitive[1])
    for found in re.findall(
        r'File "([^"]+)", line (\d+):|(?: at|Raised from) (\S[^\n]*?) \((\d+)\)|, (\S+\.py):(\d+)\)', text
    ):
        file, number = (part for part in found if part)
        file, number = Path(file).name, int(number)
        for candidate in reachable([function]):
            code = candidate.__code__
            if Path(code.co_filename).name == file and number in {n for *_, n in code.co_lines()}:
                return candidate, number
    return function, function.__code__.co_firstlineno


def _no_field(function: Function, name: str, fields: tuple[str, ...]) -> Complaint:
    if name.startswith("__"):
        return Complaint(f"{name.strip('_')} does not work on a record", *_find(function, _GLOBALS, name.strip("_")))
    return Complaint(no_field(name, fields), *_find(function, _ATTRIBUTES, name))


def no_field(name: str, fields: Sequence[str]) -> str:
    """What is said of a field that a record does not have, whether rules are compiled or not."""
    near = difflib.get_close_matches(name, fields, n=1)
    return f"there is no field {name}; " + (
        f"did you mean {near[0]}?" if near else f"the fields are {', '.join(fields)}"
    )


def _unusable(name: str, kind: str) -> str:
    if kind in ("type", "function", "builtin_function_or_method", "method"):
        return f"{name} cannot be used in compiled code"
    return f"{name} is {kind_of(kind)}, which compiled code cannot read; use a number, a tuple or a NumPy array"


def _of_module(name: str, module: str) -> str:
    plain = isinstance(getattr(sys.modules.get(module), name, None), FunctionType)
    hint = f"; import it by name: from {module} import {name}" if plain else ""
    return f"{module}.{name} cannot be used in compiled code{hint}"


def _conversion(given: str, expected: str, variable: str) -> str:
    what = "it returns" if "return" in variable else f"{_variable(variable)} is"
    return f"{what} {kind_of(given)} where {kind_of(expected)} is expected"


def _variable(name: str) -> str:
    """A variable as it was written: Numba numbers its versions, and names its own with a dollar."""
    return "a value" if name.startswith("$") else name.partition(".")[0]


def _one_and_another(*types: str) -> str:
    """The kinds in an order that does not change from run to run, as Numba's does."""
    first, *more = sorted(set(map(kind_of, types)))
    return f"{first} in one place and {' or '.join(more) or 'another kind of it'} in another"


def _call(name: str, arguments: str) -> str:
    kinds = [kind_of(a) for a in _split(arguments)]
    if name in ("getitem", "static_getitem"):
        by = f" by {kinds[1]}" if kinds[1] != kind_of("int64") else ""
        return f"{kinds[0]} cannot be indexed{by}"
    if name in ("setitem", "static_setitem"):
        return f"an element of {kinds[0]}, at {kinds[1]}, cannot be set to {kinds[2]}"
    if name.strip("_") in _OPERATORS and len(kinds) == 2:
        return f"{_OPERATORS[name.strip('_')]} does not work between {kinds[0]} and {kinds[1]}"
    return f"{name}({', '.join(kinds)}) cannot be compiled"


def _split(arguments: str) -> list[str]:
    """Types between commas, those inside brackets left alone."""
    parts, depth = [""], 0
    for c in arguments:
        depth += (c in "([{<") - (c in ")]}>")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


_KINDS = (
    (r"\w+\*\d*$", "a buffer"),
    (r"(Literal\[int\]|u?int\d+|int$)", "a whole number"),
    (r"float", "a real number"),
    (r"(Literal\[str\]|unicode|str$|\[unichr)", "text"),
    (r"(Literal\[bool\]|bool)", "true or false"),
    (r"(none|void|NoneType)", "nothing"),
    (r"(nestedarray|array|readonly array|Array)", "an array"),
    (r"(reflected list|list|List)", "a list"),
    (r"(reflected set|set)", "a set"),
    (r"(Dict|dict)", "a dictionary"),
    (r"(Uni)?[Tt]uple", "a tuple"),
    (r"slice", "a slice"),
    (r"Record", "a record"),
    (r"object$", "an object"),
)

_OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and": "&",
    "or": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "contains": "in",
    "iadd": "+=",
    "isub": "-=",
    "imul": "*=",
    "itruediv": "/=",
    "ifloordiv": "//=",
    "imod": "%=",
    "ipow": "**=",
    "ilshift": "<<=",
    "irshift": ">>=",
    "iand": "&=",
    "ior": "|=",
    "ixor": "^=",
}

_SENTENCES: tuple[tuple[str, Callable[..., str]], ...] = (
    (r"Untyped global name '(\w+)':[^\n]*<class '([\w.]+)'>", _unusable),
    (r"The use of a ([^\n]+?) type, assigned to variable '(\w+)' in globals", lambda kind, name: _unusable(name, kind)),
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", _of_module),
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", lambda name, kind: f"{kind_of(kind)} has no attribute {name}"),
    (r"Use of unsupported NumPy function '([\w.]+)'", lambda name: f"{name} cannot be used in compiled code"),
    (r"No conversion from ([^\n]+?) to (\S+) for '(\S+?)'", _conversion),
    (
        r"Cannot unify ([^\n]+?) and ([^\n]+?) for '(\S+?)'",
        lambda a, b, name: f"{_variable(name)} is {_one_and_another(a, b)}",
    ),
    (
        r"Can't unify return type from the following types: ([^\n]+)",
        lambda kinds: f"it returns {_one_and_another(*_split(kinds))}",
    ),
    (
        r"Cannot infer the type of variable '(\S+?)'",
        lambda name: f"the type of {_variable(name)} cannot be told from the code",
    ),
    (
        (
            r"No implementation of function Function\(<[\w\- ]*?'?(\w+)'?(?: at \w+)?>\) found for signature:\s*>>> "
            r"\w+\(([^\n]*)\)"
        ),
        _call,
    ),
    (
        r"No implementation of function Function\((\w+)\) found for signature:\s*>>> [^(\n]*\(([^\n]*)\)",
        lambda kind, given: f"{kind_of(given)} is given where {kind_of(kind)} is expected",
    ),
    (
        r"Invalid use of getiter with parameters \(([^\n]*)\)",
        lambda kind: f"a for loop cannot go through {kind_of(kind)}",
    ),
    (r"Invalid use of (\S+) with parameters \(", lambda kind: f"{kind_of(kind)} cannot be called"),
    (
        r"to signature '(\(.*?\))' due to \"TypeError: (.*?)\"\.?\nDuring: Pass",
        lambda given, why: f"a function of {given} is called with other arguments ({why})",
    ),
    (
        r"to signature '(\(.*?\))' due to \"TypeError: (.*?)\"\.?\nDuring: [^\n]*<function (\w+)",
        lambda given, why, name: f"{name}{given} is called with other arguments ({why})",
    ),
    (
        r"Cannot cast ([^\n]+) to ([^\n]+?): [^\n]*\nDuring: lowering \"\((\w+)\)\.(\w+) = ",
        lambda given, kind, s, name: f"{s}.{name} is {kind_of(kind)} and cannot be set to {kind_of(given)}",
    ),
    (
        r"Cannot cast ([^\n]+) to ([^\n]+?): [^\n]*\nDuring: lowering \"\S+ = call ",
        lambda given, kind: f"{kind_of(given)} is given where {kind_of(kind)} is expected",
    ),
    (
        r"Cannot cast ([^\n]+) to ([^\n]+?): [^\n]*",  # into a place of an array, of which the compiler tells no more
        lambda given, kind: f"{kind_of(given)} is given where {kind_of(kind)} is expected",
    ),
    (
        r"unsupported opcode \(IMPORT_NAME\)",
        lambda: "an import inside a function cannot be compiled; import at the head of the file",
    ),
    (r"unsupported opcode \((\w+)\)", lambda name: f"Python's {name} cannot be compiled"),
)
