"""Compiled twins of `engine/primitives.py`. Imported only when something has to be compiled.

The only module that writes LLVM by hand: calls through addresses, and addresses read as pointers.
"""

import hashlib
import operator
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import njit, types, uint64
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
)

from fogspiel.engine import primitives
from fogspiel.engine.guards import fitting, promise, unbounded, within  # noqa: F401 (twins, too)

_GOLDEN, _OFFSET = uint64(primitives.GOLDEN), uint64(primitives.OFFSET)
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def _finished(builder, z):
    """The last lines of `primitives.mix`, in LLVM: of what rules call most often, Numba reads every line at every
    call."""
    z = builder.mul(builder.xor(z, builder.lshr(z, _word(30))), _word(_FIRST))
    z = builder.mul(builder.xor(z, builder.lshr(z, _word(27))), _word(_SECOND))
    return builder.xor(z, builder.lshr(z, _word(31)))


def _word(value):
    return ir.IntType(64)(int(value))


@intrinsic
def _finish(typing_context, z):
    def codegen(context, builder, signature, values):
        return _finished(builder, values[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def mix(typing_context, key, value):
    def codegen(context, builder, signature, values):
        key, value = values
        return _finished(builder, builder.add(builder.add(builder.mul(key, _word(_GOLDEN)), value), _word(_OFFSET)))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def count_bits(typing_context, word):
    def codegen(context, builder, signature, values):
        return builder.ctpop(values[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest_bit(typing_context, word):
    def codegen(context, builder, signature, values):
        return builder.cttz(values[0], ir.IntType(1)(0))

    return types.int64(types.uint64), codegen


@njit(inline="always")
def bit(i):
    return uint64(1) << uint64(i)


_DEPOSITS = llvm.get_host_cpu_features().get("bmi2", False) and llvm.get_host_cpu_name() not in ("znver1", "znver2")
"""Whether the processor puts bits into places in a few steps (Hilewitz and Lee 2006): all that can do it at all, but
for two."""


@intrinsic
def _deposited(typing_context, bits, places):
    """The lowest bits, one after another, in the places that are set in the other word."""

    def codegen(context, builder, signature, values):
        whole = ir.IntType(64)
        kind = ir.FunctionType(whole, [whole, whole])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), values)

    return types.uint64(types.uint64, types.uint64), codegen


if _DEPOSITS:

    @njit(inline="always")
    def nth_bit(word, n):
        return lowest_bit(_deposited(bit(max(n, 0)) if n < 64 else uint64(0), uint64(word)))

else:

    @njit(inline="always")
    def nth_bit(word, n):
        rest = uint64(word)
        for _ in range(n):
            rest &= rest - uint64(1)
        return lowest_bit(rest)


@njit(inline="always")
def next_word(rng):
    rng[0] = uint64(rng[0]) + _GOLDEN
    return _finish(rng[0])


@njit(inline="always")
def coming_word(rng):
    return _finish(uint64(rng[0]) + _GOLDEN)


@njit(inline="always")
def uniform(rng):
    return unit(next_word(rng))


@njit(inline="always")
def pick(rng, n):
    return picked(next_word(rng), n)


@njit(inline="always")
def unit(word):
    return (uint64(word) >> uint64(11)) * (1.0 / 9007199254740992.0)


@njit(inline="always")
def picked(word, n):
    return types.int64(((uint64(word) >> uint64(32)) * uint64(n)) >> uint64(32))


def _pointer_to(item: Any) -> Any:
    """An intrinsic that reads an address as a pointer to `item`."""

    @intrinsic
    def cast(typing_context, address):
        kind = types.CPointer(item)

        def codegen(context, builder, signature, values):
            return builder.inttoptr(values[0], context.get_value_type(kind))

        return kind(types.int64), codegen

    return cast


reals_at, ints_at = _pointer_to(types.float64), _pointer_to(types.int64)


@intrinsic
def part_of(typing_context, array, begin):
    def codegen(context, builder, signature, values):
        size = context.get_abi_sizeof(context.get_data_type(array.dtype))
        begins = builder.add(builder.ptrtoint(values[0], ir.IntType(64)), builder.mul(_word(size), values[1]))
        return builder.inttoptr(begins, values[0].type)

    return array(array, types.int64), codegen


@intrinsic
def shorten(typing_context, x, word):
    def codegen(context, builder, signature, values):
        whole = ir.IntType(64)
        bits = builder.add(builder.bitcast(values[0], whole), builder.lshr(values[1], whole(35)))
        return builder.bitcast(builder.and_(bits, whole(-(1 << 29))), ir.DoubleType())

    return types.float64(types.float64, types.uint64), codegen


class Records(types.CPointer):
    """Records one after another; an element is a record by its address, so that its fields can be written."""


register_model(Records)(models.PointerModel)


@lower_builtin(operator.getitem, Records, types.Integer)
def _record(context, builder, signature, values):
    return builder.gep(values[0], [values[1]])


@intrinsic
def overlaid(typing_context, records, numbers, index):
    def codegen(context, builder, signature, values):
        return builder.bitcast(builder.gep(values[1], [values[2]]), values[0].type)

    return records.dtype(records, numbers, types.int64), codegen


class Bundle(types.Opaque):
    """A row of addresses, each read as the type of its member."""

    def __init__(self, members: tuple[tuple[str, Any], ...]):
        self.members = members
        # the name becomes a part of the name of every function that is given one
        super().__init__(f"Bundle-{hashlib.sha256(repr(members).encode()).hexdigest()[:16]}")


register_model(Bundle)(models.OpaqueModel)


@infer_getattr
class _Members(AttributeTemplate):
    key = Bundle

    def generic_resolve(self, value: Any, attr: str) -> Any:  # type: ignore[override]
        return dict(value.members).get(attr)


@lower_getattr_generic(Bundle)
def _member(context, builder, bundle, value, name):
    """No kernel writes to the row, so that what is read of it once need not be read again."""
    names = [member for member, _ in bundle.members]
    kind = context.get_value_type(bundle.members[names.index(name)][1])
    row = builder.bitcast(value, kind.as_pointer())
    address = builder.load(builder.gep(row, [ir.Constant(ir.IntType(64), names.index(name))]))
    address.set_metadata("invariant.load", builder.module.add_metadata([]))
    return address


@intrinsic
def clear(typing_context, record):
    def codegen(context, builder, signature, values):
        place = builder.bitcast(values[0], cgutils.voidptr_t)
        cgutils.memset(builder, place, ir.Constant(ir.IntType(64), record.size), 0)
        return context.get_dummy_value()

    return types.void(record), codegen


@intrinsic
def assign(typing_context, target, source):
    def codegen(context, builder, signature, values):
        void = cgutils.voidptr_t
        size = ir.Constant(ir.IntType(64), target.size)
        cgutils.raw_memcpy(builder, builder.bitcast(values[0], void), builder.bitcast(values[1], void), size, 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


@njit(inline="always")
def word_at(address, index):
    return ints_at(types.int64(address))[index]


@njit(inline="always")
def real_at(address, index):
    return reals_at(types.int64(address))[within(index, word_at(address, -1))]


@njit(inline="always")
def whole_at(address, index):
    return ints_at(types.int64(address))[within(index, word_at(address, -1))]


@intrinsic
def copy_bytes(typing_context, target, source, count):
    def codegen(context, builder, signature, values):
        void = cgutils.voidptr_t
        target, source = (builder.inttoptr(value, void) for value in values[:2])
        cgutils.raw_memcpy(builder, target, source, values[2], 1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


@intrinsic
def call(typing_context, address, result, *arguments):
    kind = types.void if isinstance(result, types.NoneType) else types.unliteral(result)
    wide = [types.int64] * len(arguments)

    def codegen(context, builder, signature, values):
        low = ir.VoidType() if kind is types.void else context.get_value_type(kind)
        function = ir.FunctionType(low, [ir.IntType(64)] * len(wide))
        given = [builder.extract_value(values[2], i) for i in range(len(wide))]
        out = builder.call(builder.inttoptr(values[0], function.as_pointer()), given)
        return context.get_dummy_value() if kind is types.void else out

    return kind(types.int64, result, types.BaseTuple.from_types(wide)), codegen


@intrinsic
def address_of(typing_context, array):
    def codegen(context, builder, signature, values):
        # an array that is a field of a record knows more of itself than where it begins
        whole = isinstance(array, types.Array)
        pointer = context.make_array(array)(context, builder, values[0]).data if whole else values[0]
        return builder.ptrtoint(pointer, ir.IntType(64))

    return types.int64(array), codegen


@intrinsic
def claim(typing_context, array, index, old, new):
    whole = array.dtype

    def codegen(context, builder, signature, values):
        place = builder.gep(values[0], [values[1]])
        pair = builder.cmpxchg(place, values[2], values[3], "seq_cst", "seq_cst")
        return builder.extract_value(pair, 1)

    return types.boolean(array, types.int64, whole, whole), codegen


@intrinsic
def fetch_soon(typing_context, array, index):
    def codegen(context, builder, signature, values):
        place = builder.bitcast(builder.gep(values[0], [values[1]]), ir.IntType(8).as_pointer())
        whole = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, whole, whole, whole])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        # to read, to be kept near, and data rather than code
        builder.call(prefetch, [place, whole(0), whole(3), whole(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64), codegen
