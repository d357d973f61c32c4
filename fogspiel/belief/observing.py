"""observe_move of Whitehouse 2014, Algorithm 7, for kernels: what is believed is mixed with what visits say
(`belief/inference.py`)."""

from fogspiel.belief.hooks import Part, infer, weigh
from fogspiel.belief.room import pause


def observe(queue):
    """The particles have come to an event. `weight` is phi at the root times the shares of what was done since, `plain`
    phi carried on."""
    pause(queue)
    count, inference = queue.stand.count, queue.inference
    visits, believed, choice = 0.0, 0.0, 0
    for i in range(count):
        here = queue.particles[i]
        visits += here.weight
        believed += here.plain
        choice = max(choice, here.choice)
    tells = choice >= inference.tells
    w = trusted(min(visits * inference.share, 1.0), inference.boost) if tells and visits > 0.0 else 0.0
    for i in range(count):
        here = queue.particles[i]
        here.plain /= believed if believed > 0.0 else 1.0
        if w > 0.0:
            here.plain = (1.0 - w) * here.plain + w * here.weight / visits
        if not tells and inference.first != 0 and visits > 0.0:
            # before the first decision the root is where chance has dealt
            here.weight /= visits


def trusted(w, boost):
    """w with its odds so many times as high."""
    return boost * w / (1.0 - w + boost * w) if boost * w > 0.0 else 0.0


def weigh_both(queue):
    """What particles count where some are left out: their weights and, as much, their weights `plain`."""
    n, weight, plain = queue.stand.count, 0.0, 0.0
    for i in range(n):
        weight += queue.particles[i].weight
        plain += queue.particles[i].plain
    weight, plain = max(weight, 1e-300), max(plain, 1e-300)
    for i in range(n):
        here = queue.particles[i]
        queue.mass[i] = here.weight / weight + here.plain / plain


OBSERVING = Part("observing", {infer: observe, weigh: weigh_both})
