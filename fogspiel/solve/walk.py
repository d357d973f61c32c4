"""Best responses by walking the rules, for games that do not unroll (Lanctot 2013, appendix B). Perfect recall is taken for granted.

Two ways to the same value:

- *vectors*, after Algorithm 8: one walk over what the responder can know. At each of its information sets it holds the vector of
  states it may be in, each with the probability that chance and the others bring it there. Playing an action in all of them, and
  following chance and the others to the responder's next decisions, gives the vector of every information set after that action:
  with perfect recall, all of it. Where actions are public the vector runs over the others' private outcomes, as printed; nothing
  here depends on that. Every history is met once, and memory is what the vectors along one path take. Values are sums over the
  vector that are never divided by its total, so that chance's weights, missing in line 8 of the print, are in the vector, and a
  vector of zeros needs no rule.
- *passes*, Algorithm 9 (generalised expectimax): one walk over the histories for each number of the responder's own decisions
  before, the largest first, that adds up the worth of each action in a table; deeper down the best action is known from earlier
  passes. Memory is one number for each action of the responder's information sets. Own decisions are counted rather than depth,
  which in games with hidden moves differs between the histories of one information set; what the print divides by, b, is the same
  for all actions of an information set and is left out.

What the others never do is not followed. Forced moves are no decisions.
"""

from collections.abc import Callable
from threading import Thread

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Ints, Real, Record
from fogspiel.engine.primitives import ints_at, reals_at
from fogspiel.errors import GameError, TooLarge, Unsuitable
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    ROOT,
    SIZE,
    actor,
    chances,
    copy_state,
    infoset,
    moves,
    payoff,
    play,
    situation,
)
from fogspiel.solve.policy import Known, Policy, consult
from fogspiel.solve.strategy import Strategy, likeliest
from fogspiel.solve.table import MOVE, REGRET, Table, bundle, column, locate, lookup
from fogspiel.tree.tree import memory_limit

NOBODY = OVER - 1
LEVELS = 4096
"""Most moves of a history that a walk follows."""
EVERY = 1 << 30
"""More decisions than a game has: a pass that deep only counts them."""

FULL, DEEP, MANY, NONE, JOINED, STOPPED = range(1, 7)
"""Why a walk ended early: no room for the vectors or for the table, a history too long, a state with too many moves or with none,
two information sets that the strategy's abstraction joins, or because it was told to."""
JOINS = "the strategy is of an abstraction, in which a best response cannot be written down"

Job = np.dtype([
    ("player", "i8"), ("responder", "i8"), ("depth", "i8"), ("keep", "i8"), ("levels", "i8"), ("breadth", "i8"), ("room", "i8"),
    ("scratch", "i8"), ("buffer", "i8"), ("odds", "i8"), ("pay", "i8"), ("states", "i8"), ("reach", "i8"), ("keys", "i8"), ("order", "i8"),
    ("used", "i8"), ("most", "i8"), ("touched", "i8"), ("sets", "i8"), ("deepest", "i8"), ("status", "i8"), ("count", "i8"), ("stop", "i8"),
], align=True)  # fmt: skip
"""Whose utility is asked for, who responds (NOBODY: all follow the strategy), the pass, whether to write down what each action is
worth, and the rooms; the addresses of memory; and, from `used` on, where the walk stands: states held and the most there were,
histories touched, information sets seen, most decisions before one, why it ended early, and whether it is to end."""


@kernel
def vectors(game: Ints, job: Record(Job), policy: Record(Known), table: bundle(single=False)) -> Real:
    """What the responder gets at best; with nobody to respond, what `job.player` gets."""
    copy_state(game, job.scratch, game[ROOT])
    value = spread(game, job, policy, job.scratch, 0, 0, 1.0)
    return value + respond(game, job, policy, table, 0, job.used, 0, 0)


def spread(game, job, policy, s, level, top, reach):
    """Follow chance and the others from state s on, which is used up: to the responder's next decisions, which are added to the
    states held, and to the ends of the game, whose worth is returned. `top` is where room for moves begins."""
    who, n = enter(game, job, policy, s, level, top)
    odds = reals_at(job.odds)
    if who == OVER:
        return reach * reals_at(job.pay)[job.player]
    if who == job.responder and n > 1:
        hold(game, job, s, reach)
        return 0.0
    value = 0.0
    for a in range(n):
        if odds[top + a] > 0.0:
            value += spread(
                game, job, policy, succeed(game, job, s, top, n, a), level + 1, top + n, reach * odds[top + a]
            )
    return value


def respond(game, job, policy, table, begin, end, level, top):
    """The worth of the responder's information sets whose states are held in begin..end-1, all of each: the best action of each, summed."""
    keys, order = ints_at(job.keys), ints_at(job.order)
    reach, buffer = reals_at(job.reach), ints_at(job.buffer)
    if level >= job.levels:
        job.status = DEEP
    sort(keys, order, begin, end - 1)
    total = 0.0
    low = begin
    while low < end and job.status == 0:
        high = low + 1
        while high < end and keys[high] == keys[low]:
            high += 1
        job.sets += 1
        n = moves(game, job.states + order[low] * game[SIZE], buffer, top)
        node = -1
        if job.keep != 0:
            node = noted(game, job, policy, table, order[low], keys[low], n, top)
        best = 0.0
        for a in range(n):
            job.used = end
            value = 0.0
            for k in range(low, high):
                copy_state(game, job.scratch, job.states + order[k] * game[SIZE])
                play(game, job.scratch, buffer[top + a])
                value += spread(game, job, policy, job.scratch, 0, top + n, reach[order[k]])
            value += respond(game, job, policy, table, end, job.used, level + 1, top + n)
            if a == 0 or value > best:
                best = value
            if node >= 0:
                table.reals[column(table, node, REGRET, n) + a] = value
        total += best
        low = high
    job.used = begin
    return total


@kernel
def passes(game: Ints, job: Record(Job), policy: Record(Known), table: bundle(single=False)) -> Real:
    """One pass of Algorithm 9; with depth -1, the value of the responses found by the passes before."""
    copy_state(game, job.scratch, game[ROOT])
    return expect(game, job, policy, table, job.scratch, 0, 0, 0, 1.0)


def expect(game, job, policy, table, s, level, top, own, reach):
    """What the responder gets from state s on, which is used up, after `own` decisions; above the pass's depth it means nothing."""
    who, n = enter(game, job, policy, s, level, top)
    odds, buffer = reals_at(job.odds), ints_at(job.buffer)
    if who == OVER:
        return reals_at(job.pay)[job.player]
    if who != job.responder or n == 1:
        value = 0.0
        for a in range(n):
            chance = odds[top + a]
            if chance > 0.0:
                child = succeed(game, job, s, top, n, a)
                value += chance * expect(game, job, policy, table, child, level + 1, top + n, own, reach * chance)
        return value
    job.deepest = max(job.deepest, own)
    if own > job.depth:
        node = lookup(table, infoset(game, s, who), who, n)
        play(game, s, buffer[top + (argmax(table.reals, column(table, node, REGRET, n), n) if node >= 0 else 0)])
        return expect(game, job, policy, table, s, level + 1, top, own + 1, reach)
    node = -1
    if own == job.depth:
        node = found(job, table, infoset(game, s, who), n, top)
    for a in range(n):
        child = succeed(game, job, s, top, n, a)
        value = expect(game, job, policy, table, child, level + 1, top + n, own + 1, reach)
        if node >= 0:
            table.reals[column(table, node, REGRET, n) + a] += reach * value
    return 0.0


def enter(game, job, policy, s, level, top):
    """Who moves in state s and how many moves there are, which are then in the buffer with the probability of each (the
    responder's decisions: 0); at the end of the game, utilities are in `pay`. What ends the walk looks like a state without moves."""
    job.touched += 1
    who = actor(game, s)
    if who == OVER:
        payoff(game, s, reals_at(job.pay), 0)
        return who, 0
    if job.stop != 0:
        job.status = STOPPED
    elif level >= job.levels or top + 2 * game[LIMIT] > job.breadth:
        job.status = DEEP
    if job.status != 0:
        return CHANCE, 0
    buffer, odds = ints_at(job.buffer), reals_at(job.odds)
    n = chances(game, s, buffer, top, odds, top) if who == CHANCE else moves(game, s, buffer, top)
    if n < 1 or n > game[LIMIT]:
        job.status, job.count = MANY if n > 0 else NONE, n
        return CHANCE, 0
    if n == 1:
        odds[top] = 1.0
    elif who == job.responder:
        for a in range(n):
            odds[top + a] = 0.0
    elif who != CHANCE:
        consult(game, policy, s, who, n, odds, top)
    return who, n


def succeed(game, job, s, top, n, a):
    """The state after the a-th of n moves. The last one is played in s itself."""
    child = s
    if a < n - 1:
        child = s + game[SIZE]
        copy_state(game, child, s)
    play(game, child, ints_at(job.buffer)[top + a])
    return child


def hold(game, job, s, reach):
    """Add a state to those held."""
    at = job.used
    if at >= job.room:
        job.status = FULL
        return
    copy_state(game, job.states + at * game[SIZE], s)
    reals_at(job.reach)[at] = reach
    ints_at(job.keys)[at] = infoset(game, s, job.responder)
    ints_at(job.order)[at] = at
    job.used = at + 1
    job.most = max(job.most, job.used)


def found(job, table, key, n, top):
    """The responder's node in the table, made if need be; -1 if there is no room for it."""
    node = locate(table, key, job.responder, n, ints_at(job.buffer), top)
    if node < 0:
        job.status = FULL
    return node


def noted(game, job, policy, table, held, key, n, top):
    """The node in which to write down the response at an information set, under the name by which the strategy knows it."""
    if policy.situations != 0:
        key = situation(game, job.states + held * game[SIZE], job.responder)
        if lookup(table, key, job.responder, n) >= 0:
            job.status = JOINED
            return -1
    return found(job, table, key, n, top)


def argmax(reals, begin, n):
    best = 0
    for a in range(n):
        if reals[begin + a] > reals[begin + best]:
            best = a
    return best


def sort(keys, order, low, high):
    """Quicksort of keys[low..high] with what goes with them (Hoare's partition)."""
    while low < high:
        pivot = keys[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if j - low < high - i:
            sort(keys, order, low, j)
            low = i
        else:
            sort(keys, order, i, high)
            high = j


class Walker:
    """Walks of a game in which others follow a policy. `memory` bounds, in bytes, what a walk holds beside that."""

    def __init__(self, policy: Policy, memory: int | None = None, progress: Callable[[int], None] | None = None):
        game = policy.game
        if not game.about.perfect_recall:
            raise Unsuitable(f"{game.spec} has imperfect recall: a best response cannot be found by walking it")
        self.game, self.progress = game, progress
        self.memory = memory_limit() if memory is None else memory
        self.policy = policy
        self.touched = self.sets = self.most = 0

    def values(self) -> tuple[float, ...]:
        """Every player's expected utility when all follow the strategy."""
        told = [self._walk(vectors, self._job(p, NOBODY, 0), self._table(0)) for p in range(self.game.players)]
        return tuple(told)

    def best_response(self, player: int, method: str, keep: bool = False) -> tuple[float, Strategy | None]:
        """The player's best utility; with `keep`, the response too, as a strategy of this player alone.

        `method` is vectors, passes, or auto: vectors, and passes where there is no room for those.
        """
        if method == "passes":
            return self._by_passes(player, keep)
        situations = bool(self.policy.record["situations"][0])
        table = self._table(self.memory // 2 if keep else 0)
        job = self._job(player, player, self.memory // 2 if keep else self.memory)
        job["keep"] = keep
        try:
            value = self._walk(vectors, job, table)
        except TooLarge:
            if method != "auto" or (keep and situations):
                raise
            return self._by_passes(player, keep)
        return value, self._response(table, situations) if keep else None

    def _by_passes(self, player: int, keep: bool) -> tuple[float, Strategy | None]:
        if keep and self.policy.record["situations"][0]:
            raise Unsuitable(f"{JOINS}: use method=vectors or method=tree")
        table, job = self._table(self.memory), self._job(player, player, 0)
        job["depth"] = EVERY
        self._walk(passes, job, table)
        for depth in range(int(job["deepest"][0]), -2, -1) if job["deepest"][0] >= 0 else (-1,):
            job["depth"] = depth
            value = self._walk(passes, job, table)
        self.sets += table.nodes
        return value, self._response(table) if keep else None

    def _table(self, memory: int) -> Table:
        return Table(max(memory, 1 << 14), single=False)

    def _job(self, player: int, responder: int, memory: int) -> np.ndarray:
        """What is asked, with room for vectors of states in so much memory."""
        game, size = self.game, self.game.dtype.itemsize
        job = np.zeros(1, Job)
        job["player"], job["responder"], job["deepest"] = player, responder, -1
        breadth = 16 * game.max_moves + 64 * LEVELS
        room = memory // (size + 24)
        job["levels"], job["breadth"], job["room"] = LEVELS, breadth, room
        spare = len(game.buffer())
        self.arrays = {
            "scratch": np.zeros((LEVELS + 2) * size, np.int8), "buffer": np.zeros(breadth + spare, np.int64),
            "odds": np.zeros(breadth + spare), "pay": np.zeros(max(game.players, 8)),
        }  # fmt: skip
        try:
            # address space, which takes memory only as it is used
            self.arrays |= {"states": np.empty(room * size + 1, np.int8), "reach": np.empty(room + 1)}
            self.arrays |= {"keys": np.empty(room + 1, np.int64), "order": np.empty(room + 1, np.int64)}
        except MemoryError:
            raise TooLarge(f"there is no room for vectors of {memory:,} bytes; ask for less memory") from None
        for name, array in self.arrays.items():
            job[name] = array.ctypes.data
        return job

    def _walk(self, kernel: Callable, job: np.ndarray, table: Table) -> float:
        """Run a kernel in a thread beside this one, which is left to hear Ctrl-C and to tell how far it is."""
        job["touched"] = 0
        answer = []

        def work() -> None:
            answer.append(kernel(self.game.table, job, self.policy.record, table.bundle))

        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.1)
                if self.progress is not None and job["touched"][0]:
                    self.progress(self.touched + int(job["touched"][0]))
        except BaseException:
            job["stop"] = 1
            thread.join()
            raise
        self.touched += int(job["touched"][0])
        self.sets += int(job["sets"][0])
        self.most = max(self.most, int(job["most"][0]))
        self.policy.finish()
        self._complain(int(job["status"][0]), int(job["count"][0]))
        return answer[0]

    def _complain(self, status: int, count: int) -> None:
        spec = self.game.spec
        if status == FULL:
            raise TooLarge(
                f"{spec} is too large for an exact best response in {self.memory:,} bytes; allow more memory, or estimate "
                "it (fogspiel bound)"
            )
        if status == DEEP:
            raise TooLarge(
                f"{spec} has a history of more than {LEVELS:,} moves, or with too many choices on its way, for a best response"
            )
        if status == JOINED:
            raise Unsuitable(f"{JOINS}: use method=tree")
        if status == MANY:
            raise self.game.too_many_moves(count)
        if status == NONE:
            raise GameError(f"{spec}: a state that is not over has no moves (run fogspiel check {self.game.name})")

    def _response(self, table: Table, situations: bool = False) -> Strategy:
        """The best action of every information set in the table."""
        rows = table.contents()
        count, first = rows["count"], rows["first"]
        move, worth = table.column(MOVE, count, first), table.column(REGRET, count, first)
        best = likeliest(count, worth)
        return Strategy.build(self.game, rows["player"], rows["key"], count, move, best, situations)
