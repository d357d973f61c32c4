"""Guards of compiled code (`engine/alarm.py`). Imported only when something has to be compiled.

Where a guard finds something wrong, the function returns a status that is not 0, and Numba has every caller return it
in its turn.
"""

import operator
from typing import Any, NamedTuple

from llvmlite import ir as llvm
from numba import njit, types
from numba.core import cgutils, ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.callconv import ErrorModel, error_models
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.extending import intrinsic, lower_builtin, models, register_model
from numba.np.arrayobj import fix_integer_index

from fogspiel.engine.alarm import DEPTH, DIVISION, INDEX, MOST_DEEP, MOST_STEPS, PROMISED, STEPS, TABLE


def leave_if(context: Any, builder: Any, wrong: Any, status: Any) -> None:
    """Return from the function, with a status, where something is wrong, which hardly ever is."""
    with cgutils.if_unlikely(builder, wrong):
        code = status if isinstance(status, llvm.Value) else llvm.Constant(llvm.IntType(32), status)
        builder.ret(code)


def index_of(context: Any, builder: Any, kind: Any, index: Any, length: Any) -> Any:
    """In place of Numba's `fix_integer_index`, an index that is below the length. Nearly all are, and one comparison
    tells, since what is below 0 is a large number without a sign; only then is it counted from the end."""
    if not isinstance(context.error_model, Guarded):
        return fix_integer_index(context, builder, kind, index, length)
    index = context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)
    before = builder.block
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, length)):
        counted = builder.add(index, length) if kind.signed else index
        leave_if(context, builder, builder.icmp_unsigned(">=", counted, length), INDEX)
        after = builder.block
    found = builder.phi(index.type)
    found.add_incoming(index, before)
    found.add_incoming(counted, after)
    return found


class Guarded(ErrorModel):
    """Divisions by zero are mistakes."""

    raise_on_fp_zero_division = True

    def fp_zero_division(self, builder: Any, exc_args: Any = None, loc: Any = None) -> bool:
        builder.ret(llvm.Constant(llvm.IntType(32), DIVISION))
        return True


error_models["guarded"] = Guarded


class Bounded(types.CPointer):
    """An array of which so many elements may be used."""

    def __init__(self, dtype: Any, length: int):
        super().__init__(dtype)
        self.length = length
        self.name = f"{dtype}*{length}"

    @property
    def key(self) -> Any:
        return (*super().key, self.length)


register_model(Bounded)(models.PointerModel)


def _place(context: Any, builder: Any, kind: Any, pointer: Any, index: Any) -> Any:
    if index.type.width < 64:
        index = builder.sext(index, llvm.IntType(64))
    leave_if(context, builder, builder.icmp_unsigned(">=", index, llvm.Constant(llvm.IntType(64), kind.length)), INDEX)
    return builder.gep(pointer, [index])


def _get(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return builder.load(_place(context, builder, signature.args[0], *values))


def _set(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    pointer, index, value = values
    kind, _, given = signature.args
    value = context.cast(builder, value, given, kind.dtype)
    return builder.store(value, _place(context, builder, kind, pointer, index))


lower_builtin(operator.getitem, Bounded, types.Integer)(_get)
lower_builtin(operator.setitem, Bounded, types.Integer, types.Any)(_set)


@intrinsic
def promise(typing_context: Any, kept: Any, which: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kept, which = values
        status = builder.add(builder.trunc(which, llvm.IntType(32)), llvm.Constant(llvm.IntType(32), PROMISED))
        leave_if(context, builder, builder.not_(kept), status)
        return context.get_dummy_value()

    return types.void(types.boolean, types.int64), codegen


@intrinsic
def unbounded(typing_context: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return values[0]

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def fitting(typing_context: Any, array: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        length = getattr(signature.args[0], "length", 0)
        if length:
            leave_if(context, builder, builder.icmp_unsigned(">", values[1], values[1].type(length)), INDEX)
        return values[0]

    return types.CPointer(array.dtype)(array, types.int64), codegen


@intrinsic
def within(typing_context: Any, index: Any, length: Any) -> Any:
    """The index, which must be one of a table of this length."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        leave_if(context, builder, builder.icmp_unsigned(">=", *values), TABLE)
        return values[0]

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def spend(typing_context: Any, left: Any) -> Any:
    """One step fewer than were left."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        leave_if(context, builder, cgutils.is_null(builder, values[0]), STEPS)
        return builder.sub(values[0], llvm.Constant(llvm.IntType(64), 1))

    return types.int64(types.int64), codegen


@njit(inline="always")
def spend_all(left, steps):
    return spend_many(left, len(steps))


@intrinsic
def spend_many(typing_context: Any, left: Any, steps: Any) -> Any:
    """So many steps fewer than were left."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        leave_if(context, builder, builder.icmp_signed(">", values[1], values[0]), STEPS)
        return builder.sub(*values)

    return types.int64(types.int64, types.int64), codegen


@njit(inline="always")
def not_endless(steps):
    few_enough(len(steps))


@intrinsic
def few_enough(typing_context: Any, steps: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        leave_if(context, builder, builder.icmp_signed(">", values[0], values[0].type(MOST_STEPS)), STEPS)
        return context.get_dummy_value()

    return types.void(types.int64), codegen


@intrinsic
def step_by_step(typing_context: Any) -> Any:
    """Put before the jump back to the head of a loop: where its length is known only when it runs, LLVM does not do
    several of its steps at once, which for a loop that is short costs more than it saves."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        jump = builder.branch

        def branch(target: Any) -> Any:
            del builder.branch
            made = jump(target)
            how = builder.module.add_metadata([llvm.MetaDataString(builder.module, "llvm.loop.unroll.runtime.disable")])
            loop = builder.module.add_metadata([how])
            loop.operands = (loop, how)  # as LLVM tells loops apart
            made.set_metadata("llvm.loop", loop)
            return made

        builder.branch = branch
        return context.get_dummy_value()

    return types.void(), codegen


def _cell(builder: Any, name: str) -> Any:
    """A word that all functions of the whole share."""
    return (
        cgutils.add_global_variable(builder.module, llvm.IntType(64), name)
        if name not in builder.module.globals
        else builder.module.globals[name]
    )


@intrinsic
def deeper(typing_context: Any) -> Any:
    """Count a call under way, and how many there were since there was none. Threads count together."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        one = llvm.Constant(llvm.IntType(64), 1)
        deep, calls = _cell(builder, DEEP), _cell(builder, CALLS)
        depth = builder.atomic_rmw("add", deep, one, "monotonic")
        with builder.if_then(builder.icmp_signed("<=", depth, depth.type(0))):
            builder.store(calls.type.pointee(0), calls)
        made = builder.atomic_rmw("add", calls, one, "monotonic")
        leave_if(context, builder, builder.icmp_signed(">=", depth, depth.type(MOST_DEEP)), DEPTH)
        leave_if(context, builder, builder.icmp_signed(">=", made, made.type(MOST_STEPS)), STEPS)
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def shallower(typing_context: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        builder.atomic_rmw("sub", _cell(builder, DEEP), llvm.Constant(llvm.IntType(64), 1), "monotonic")
        return context.get_dummy_value()

    return types.void(), codegen


DEEP, CALLS = "fogspiel_deep", "fogspiel_calls"


@register_pass(mutates_CFG=False, analysis_only=False)
class Guards(FunctionPass):
    """Count how often the loops of a call go round in all, and how deep a function calls itself. A loop over a range
    has an end: how far off that is is looked at where it begins, and counted where it is within another loop."""

    _name = "fogspiel_guards"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        blocks = state.func_ir.blocks
        first = blocks[min(blocks)]
        graph = compute_cfg_from_blocks(blocks)
        loops, left = graph.loops().values(), None
        counted = [(loop, _range_of(blocks, loop)) for loop in loops]
        counted = [(loop, over) for loop, over in counted if over is None or over.steps is None or over.steps > SHORT]
        inner = {
            loop.header for loop, _ in counted if any(loop.header in o.body for o in loops if o.header != loop.header)
        }
        if any(over is None or loop.header in inner for loop, over in counted):
            left = ir.Var(first.scope, "fogspiel_steps_left", first.loc)
            first.scope.localvars.define(left.name, left)
        for loop, over in counted:
            if over is None:
                for end in _ends(graph, loop):
                    blocks[end].body[-1:-1] = _called(blocks[end], spend, (left,), left)
                continue
            place = next(i for i, s in enumerate(over.block.body) if s is over.begins)
            if loop.header in inner:
                over.block.body[place:place] = _called(over.block, spend_all, (left, over.range), left)
            else:
                over.block.body[place:place] = _called(over.block, not_endless, (over.range,))
        for end in {end for loop in loops for end in _ends(graph, loop)}:
            if isinstance(blocks[end].body[-1], ir.Jump):
                blocks[end].body[-1:-1] = _called(blocks[end], step_by_step, ())
        if left is not None:
            _begin(first, [ir.Assign(ir.Const(MOST_STEPS, first.loc), left, first.loc)])
        recursive = getattr(state.func_id.func, "recursive", False)
        if recursive:
            for block in blocks.values():
                if isinstance(block.body[-1], ir.Return):
                    block.body[-1:-1] = _called(block, shallower, ())
            _begin(first, _called(first, deeper, ()))
        return bool(loops or recursive)


SHORT = 64
"""Steps of a loop whose number is written in the code, up to which there is nothing to look at."""


class Over(NamedTuple):
    """What a loop over a range goes over, where it begins, and how many steps that is, if it is written in the code."""

    block: ir.Block
    begins: ir.Assign
    range: ir.Var
    steps: int | None


def _range_of(blocks: dict[int, ir.Block], loop: Any) -> Over | None:
    """The range that a loop goes over, or None of any other loop."""
    if len(loop.entries) != 1 or not any(_operation(s) == "iternext" for s in blocks[loop.header].body):
        return None
    block = blocks[next(iter(loop.entries))]
    known = {s.target.name: s.value for s in block.body if isinstance(s, ir.Assign)}
    begins = [s for s in block.body if _operation(s) == "getiter"]
    made = known.get(begins[-1].value.value.name) if begins else None
    if not isinstance(made, ir.Expr) or made.op != "call" or _constant(known, made.func) is not range:
        return None
    bounds = [_constant(known, v) for v in made.args]
    steps = len(range(*bounds)) if all(isinstance(v, int) for v in bounds) else None
    return Over(block, begins[-1], begins[-1].value.value, steps)


def _ends(graph: Any, loop: Any) -> list[int]:
    """The blocks from which a loop goes back to its head."""
    return [source for source, _ in graph.predecessors(loop.header) if source in loop.body]


def _constant(known: dict[str, Any], name: ir.Var) -> Any:
    value = known.get(name.name)
    return value.value if isinstance(value, ir.Const | ir.Global | ir.FreeVar) else None


def _operation(statement: Any) -> str:
    value = statement.value if isinstance(statement, ir.Assign) else None
    return value.op if isinstance(value, ir.Expr) else ""


def _begin(block: ir.Block, statements: list[Any]) -> None:
    """Put statements behind those that take the arguments."""
    place = next(i for i, s in enumerate(block.body) if not (isinstance(s, ir.Assign) and isinstance(s.value, ir.Arg)))
    block.body[place:place] = statements


def _called(block: ir.Block, function: Any, given: tuple[Any, ...], to: ir.Var | None = None) -> list[Any]:
    name = block.scope.redefine("$fogspiel_guard", block.loc)
    result = to or block.scope.redefine("$fogspiel_nothing", block.loc)
    return [
        ir.Assign(ir.Global(name.name, function, block.loc), name, block.loc),
        ir.Assign(ir.Expr.call(name, given, (), block.loc), result, block.loc),
    ]
