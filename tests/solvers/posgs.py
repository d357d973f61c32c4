"""Small one-sided POSGs of known value, and best responses that know nothing of how HSVI works."""

import numpy as np

import fogspiel as fs
from fogspiel.tree.posg import Names, one_sided


def pennies(discount: float = 0.5) -> fs.OneSided:
    """Matching pennies for ever, in a single state: player 1 gets 1 for a match."""
    pairs = [(a, b) for a in range(2) for b in range(2)]
    moved = [(0, a, b, 0, 0, 1.0) for a, b in pairs]
    paid = [(0, a, b, float(a == b)) for a, b in pairs]
    return one_sided(
        Names("pennies", ["coins"], ["heads", "tails"], ["heads", "tails"], ["nothing"]),
        [0],
        [[0, 1]],
        [[0, 1]],
        [*zip(*moved, strict=True)],
        [*zip(*paid, strict=True)],
        discount,
        0,
        [1.0],
    )


def tiger() -> fs.OneSided:
    """The tiger problem (Kaelbling, Littman and Cassandra 1998): a POMDP, since player 2 has one action. Discount
    0.95."""
    listen, moved, paid = 0, [], []
    for s in range(2):
        moved += [(s, listen, 0, o, s, 0.85 if o == s else 0.15) for o in range(2)]
        paid.append((s, listen, 0, -1.0))
        for door in range(2):
            moved += [(s, 1 + door, 0, o, t, 0.25) for o in range(2) for t in range(2)]
            paid.append((s, 1 + door, 0, -100.0 if door == s else 10.0))
    return one_sided(
        Names("tiger", ["left", "right"], ["listen", "open left", "open right"], ["nothing"], ["left", "right"]),
        [0, 0],
        [[0, 1, 2]],
        [[0], [0]],
        [*zip(*moved, strict=True)],
        [*zip(*paid, strict=True)],
        0.95,
        0,
        [0.5, 0.5],
    )


def random_posg(seed: int, known: bool, states: int = 3, discount: float = 0.7) -> fs.OneSided:
    """Two actions each and two observations; `known`: player 1 sees the state, which is a partition of its own."""
    rng = np.random.default_rng(seed)
    moved, paid = [], []
    for s in range(states):
        for a in range(2):
            for b in range(2):
                odds = rng.dirichlet(np.full(2 * states, 0.5))
                moved += [(s, a, b, o, t, odds[o * states + t]) for o in range(2) for t in range(states)]
                paid.append((s, a, b, rng.normal()))
    partition = range(states) if known else [0] * states
    return one_sided(
        Names(f"random {seed}", [f"s{i}" for i in range(states)], "ab", "xy", "mn"),
        partition,
        [[0, 1]] * (states if known else 1),
        [[0, 1]] * states,
        [*zip(*moved, strict=True)],
        [*zip(*paid, strict=True)],
        discount,
        0,
        [1.0] if known else np.full(states, 1 / states),
    )


def response_to_player1(posg: fs.OneSided, found) -> float:
    """What player 1's controller gets against a player 2 who knows its node and the state: value iteration over the
    transitions."""
    lower = found.lower
    value = {(n, s): 0.0 for n, k in enumerate(lower.partition) for s in posg.members[k]}
    after = {}
    for n, k in enumerate(lower.partition):
        stage, links = lower.layout[k], lower.links[n]
        for d, node, weight in zip(links.successor, links.node, links.weight, strict=True):
            key = n, int(posg.legal1[k][stage.action[d]]), int(stage.observation[d]), int(stage.to[d])
            after.setdefault(key, []).append((int(node), weight))
    for _ in range(sweeps(posg)):
        new = {}
        for n, s in value:
            k = posg.partition[s]
            worth = dict.fromkeys(posg.legal2[s].tolist(), 0.0)
            for j in np.flatnonzero(posg.joint[:, 0] == s):
                _, a, b = posg.joint[j].tolist()
                p = lower.mix[n][np.searchsorted(posg.legal1[k], a)]
                worth[b] += p * posg.reward[j]
                for e in range(posg.first[j], posg.first[j + 1]) if p > 0 else ():
                    t = int(posg.target[e])
                    for node, weight in after[n, a, int(posg.observation[e]), int(posg.partition[t])]:
                        worth[b] += p * posg.discount * posg.probability[e] * weight * value[node, t]
            new[n, s] = min(worth.values())
        value = new
    return sum(p * value[found.first, s] for p, s in zip(posg.belief, posg.members[posg.start], strict=True))


def response_to_player2(posg: fs.OneSided, found, depth: int) -> float:
    """What a player 1 gets against player 2's controller who sees neither its nodes nor the state, in so many stages;
    rewards after these count as the least there are."""
    upper, least = found.upper, posg.bounds[0]
    begin = {}
    for node, weight in zip(found.begin, found.weight, strict=True):
        for i, s in enumerate(posg.members[posg.start]):
            begin[int(node), int(s)] = weight * upper.belief[node][i]

    def best(likely: dict, left: int) -> float:
        if left == 0:
            return sum(likely.values()) * least
        k = posg.partition[next(iter(likely))[1]]
        return max(_after(likely, int(a), left) for a in posg.legal1[k])

    def _after(likely: dict, a: int, left: int) -> float:
        worth, seen = 0.0, {}
        for (node, s), p in likely.items():
            k = int(posg.partition[s])
            stage, links = upper.layout[k], upper.links[node]
            own = upper.plan[node][stage.columns[posg.place[s]] : stage.columns[posg.place[s] + 1]]
            for b, q in zip(posg.legal2[s].tolist(), own / own.sum(), strict=True):
                j = int(np.flatnonzero((posg.joint == (s, a, b)).all(axis=1))[0])
                worth += p * q * posg.reward[j]
                for e in range(posg.first[j], posg.first[j + 1]):
                    o, t = int(posg.observation[e]), int(posg.target[e])
                    to = int(posg.partition[t])
                    d = np.flatnonzero(
                        (stage.action == np.searchsorted(posg.legal1[k], a))
                        & (stage.observation == o)
                        & (stage.to == to)
                    )[0]
                    here = links.successor == d
                    odds = np.array(
                        [
                            w * upper.belief[n][posg.place[t]]
                            for n, w in zip(links.node[here], links.weight[here], strict=True)
                        ]
                    )
                    for n, r in zip(links.node[here].tolist(), odds / odds.sum(), strict=True):
                        if r > 0 and q > 0:
                            at = seen.setdefault((o, to), {})
                            at[n, t] = at.get((n, t), 0.0) + p * q * posg.probability[e] * r
        return worth + posg.discount * sum(best(then, left - 1) for then in seen.values())

    return best({at: p for at, p in begin.items() if p > 0}, depth)


def sweeps(posg: fs.OneSided, error: float = 1e-9) -> int:
    return int(np.ceil(np.log(error) / np.log(posg.discount)))
