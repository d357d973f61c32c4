"""Packages that only some commands need."""

import importlib
from types import ModuleType

from fogspiel.errors import FogspielError


def needs(package: str, purpose: str) -> ModuleType:
    """The package. Raises FogspielError, with what to install, where it is not there."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise FogspielError(f'to {purpose}, install the extra: pip install "fogspiel[experiments]"') from None
