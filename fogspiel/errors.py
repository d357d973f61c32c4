"""Errors that a person reads. The message is one clear sentence: what was wrong, what was expected, what to do."""


class FogspielError(Exception):
    """Anything wrong with what Fogspiel was given: a game, a parameter, a file, a budget."""


class GameError(FogspielError):
    """A mistake in a game's file: a missing rule, a field that cannot be, a rule that fails."""


class BrokenRule(GameError):
    """A rule goes wrong or breaks what it promises, in a state that play has come to."""


class Unending(BrokenRule):
    """Random play does not end a game."""


class AgentError(FogspielError):
    """A mistake of an agent: a file that holds none, a failure at a move, an illegal move."""


class PartError(FogspielError):
    """A mistake in a part of an algorithm from a file of one's own: a file that holds none, a function that answers
    what cannot be."""


class SpecError(FogspielError):
    """A spec string or parameter that does not fit."""


class TooLarge(FogspielError):
    """A game that would not fit in the memory or the time allowed. `why` is the reason alone, for those who have other
    advice."""

    def __init__(self, message: str, why: str = ""):
        super().__init__(message)
        self.why = why


class Unsuitable(FogspielError):
    """An algorithm asked to work on a game it is not made for; `rule` names the rule that the game lacks, if that is
    why."""

    def __init__(self, message: str, rule: str = ""):
        super().__init__(message)
        self.rule = rule


class Unsolved(FogspielError):
    """A linear program on which rounding wins: HiGHS gave up, or what it found is not good enough to be called
    exact."""


class FileError(FogspielError):
    """A file that cannot be read or written, or that belongs to something else."""
