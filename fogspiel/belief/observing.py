"""observe_move of Whitehouse 2014, Algorithm 7, for kernels: what is believed is mixed with what visits say (`belief/inference.py`)."""


def observe(queue):
    """The particles have come to an event. `weight` is phi at the root times the shares of what was done since, `plain` phi carried on."""
    job, inference = queue.job, queue.inference
    visits, believed, choice = 0.0, 0.0, 0
    for i in range(job.count):
        here = queue.particles[i]
        visits += here.weight
        believed += here.plain
        choice = max(choice, here.choice)
    tells = choice >= inference.tells
    w = trusted(min(visits * inference.share, 1.0), inference.boost) if tells and visits > 0.0 else 0.0
    for i in range(job.count):
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
