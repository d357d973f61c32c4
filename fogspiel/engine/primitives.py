"""What plain Python and machine code must do in the same way: 64-bit hashing, sets of bits, random numbers, tables by
address.

Each function here is ordinary Python, for rules that run un-compiled; `engine/twins.py` holds its compiled twin of the
same name, which the compiler puts in its place. Both give the same bits.
"""

import ctypes
import struct

import numpy as np

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
OFFSET = 0xD1B54A32D192ED03
"""Keeps `mix(0, 0)` from being 0."""


def mix(key, value):
    """A 64-bit key with one more whole number worked into it; the order of mixing matters.

    Both may be small numbers or keys already. Multiples of the golden ratio lie far apart (Knuth 1998, sec. 6.4): no
    two pairs of whole numbers from -2**30 to 2**30 have the same sum below, and scrambling it loses nothing.
    """
    z = (key & MASK) * GOLDEN + (value & MASK) + OFFSET & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def bit(i):
    """The word in which bit i (0..63) alone is set."""
    return 1 << int(i) & MASK


def count_bits(word):
    """How many bits of a 64-bit word are set."""
    return (int(word) & MASK).bit_count()


def lowest_bit(word):
    """The position of the lowest bit that is set; 64 if none is."""
    word = int(word) & MASK
    return (word & -word).bit_length() - 1 if word else 64


def nth_bit(word, n):
    """The position of the bit that is set above n others; 64 if there are no more than n."""
    word = int(word) & MASK
    for _ in range(n):
        word &= word - 1 & MASK
    return lowest_bit(word)


def next_word(rng):
    """64 random bits (splitmix64, Steele et al. 2014); `rng[0]` is the generator's state."""
    word = coming_word(rng)
    rng[0] = int(rng[0]) + GOLDEN & MASK
    return word


def coming_word(rng):
    """What `next_word` is going to give."""
    z = int(rng[0]) + GOLDEN & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def uniform(rng):
    """A random real in [0, 1)."""
    return unit(next_word(rng))


def pick(rng, n):
    """A random whole number in 0..n-1, each as likely (n below 2**32)."""
    return picked(next_word(rng), n)


def unit(word):
    """64 random bits as a real in [0, 1)."""
    return ((int(word) & MASK) >> 11) * (1.0 / (1 << 53))


def picked(word, n):
    """64 random bits as a whole number in 0..n-1, each as likely (n below 2**32)."""
    return (word >> 32) * n >> 32


def shorten(x, word):
    """A real that 32 bits can hold next to x: rounded up or down by 64 random bits, right on average."""
    bits = struct.unpack("<Q", struct.pack("<d", x))[0] + (int(word) >> 35)
    return struct.unpack("<d", struct.pack("<Q", bits >> 29 << 29))[0]


class Broken(Exception):
    """Raised by `promise`, with the number of what does not hold."""


def promise(kept, which):
    """Go no further unless `kept`: in machine code the entry point then tells that `which` does not hold
    (`engine/alarm.py`)."""
    if not kept:
        raise Broken(which)


def unbounded(array):
    """The same array, for who knows that its indices are right."""
    return array


def fitting(array, count):
    """The same array without bounds, where it has room for so many elements."""
    if count > len(array):
        raise IndexError(f"{count} elements are to be written to a buffer that has room for {len(array)}")
    return array


def word_at(address, index):
    """The 64-bit whole number that lies so many words behind an address."""
    return ctypes.c_int64.from_address(address + 8 * index).value


def real_at(address, index):
    """Element `index` of a float64 table that the game declared under this name in `about`."""
    return ctypes.c_double.from_address(address + 8 * index).value


def whole_at(address, index):
    """Element `index` of an int64 table that the game declared under this name in `about`."""
    return ctypes.c_int64.from_address(address + 8 * index).value


def copy_bytes(target, source, count):
    """Copy `count` bytes between two addresses."""
    ctypes.memmove(target, source, count)


def clear(record):
    """Set all fields of a record to zero."""
    record.fill(0)


def assign(target, source):
    """Copy all fields of a record to another of the same type."""
    for name in target.dtype.names:
        target[name] = source[name]


def call(address, result, *arguments):
    """Call the C function at an address. `result` is a sample of the result's type: 0, 0.0, or None for nothing.

    Arguments are whole numbers or addresses, each 64 bits wide.
    """
    kind = {int: ctypes.c_int64, float: ctypes.c_double, type(None): None}[type(result)]
    return ctypes.CFUNCTYPE(kind, *[ctypes.c_int64] * len(arguments))(address)(*arguments)


def address_of(array):
    """The address of an array's first element."""
    return array.ctypes.data if hasattr(array, "ctypes") else ctypes.addressof(array)


def ints_at(address):
    """The array of 64-bit whole numbers at an address. Nothing tells its length."""
    return (ctypes.c_int64 * _FAR).from_address(address)


_FAR = 1 << 40


def reals_at(address):
    """The same of reals."""
    return (ctypes.c_double * _FAR).from_address(address)


def part_of(array, begin):
    """An array of numbers from an element on: the same memory, under its own indices."""
    if isinstance(array, ctypes.Array):  # which copies a slice
        return (array._type_ * (len(array) - begin)).from_buffer(array, ctypes.sizeof(array._type_) * begin)
    return array[begin:]


def overlaid(records, numbers, index):
    """The record, of the kind that `records` are, that begins at an element of an array of numbers."""
    size = ctypes.sizeof(numbers._type_) if isinstance(numbers, ctypes.Array) else numbers.itemsize
    memory = (ctypes.c_char * records.dtype.itemsize).from_address(address_of(numbers) + size * index)
    return np.frombuffer(memory, records.dtype).view(np.recarray)[0]


def claim(array, index, old, new):
    """Set an element of a whole-number array to `new` if it is `old`, at once for all threads; whether it was."""
    if array[index] != old:
        return False
    array[index] = new
    return True


def fetch_soon(array, index):
    """Have an element of an array brought near while other work goes on: it will be wanted soon."""


TWINS = (
    mix,
    bit,
    count_bits,
    lowest_bit,
    nth_bit,
    next_word,
    coming_word,
    uniform,
    pick,
    unit,
    picked,
    shorten,
    promise,
    unbounded,
    fitting,
    word_at,
    real_at,
    whole_at,
    copy_bytes,
    clear,
    assign,
    call,
    address_of,
    claim,
    fetch_soon,
    overlaid,
    ints_at,
    reals_at,
    part_of,
)
