"""What type checkers read in place of `kinds.py`: there a kind is the type of what is passed to a kernel."""

from typing import Any

import numpy as np

class Kind:
    element: np.dtype[Any]
    shape: str
    members: tuple[tuple[str, Kind], ...]
    def __init__(self, element: np.dtype[Any], shape: str, members: tuple[tuple[str, Kind], ...] = ...) -> None: ...
    @property
    def text(self) -> str: ...
    @property
    def ctype(self) -> Any: ...
    @property
    def llvm(self) -> str: ...
    def pass_(self, value: Any) -> Any: ...
    def of_length(self, length: int) -> Kind: ...

Int = Any
Word = Any
Real = Any
Ints = Any
Ints32 = Any
Bytes = Any
Words = Any
Reals = Any
Reals32 = Any

def Record(dtype: np.dtype[Any]) -> Any: ...
def Records(dtype: np.dtype[Any]) -> Any: ...
def Bundle(**members: Any) -> Any: ...
