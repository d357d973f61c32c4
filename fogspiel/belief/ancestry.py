"""Where particles come from: the moves that led to each, written down step by step, for models that ask what another
player has seen."""

from fogspiel.belief.hooks import Part, has_room_for, write_down


def has_steps_for(queue, moves):
    return queue.written.steps + moves <= queue.written.room


def write_step(queue, new, old, move):
    """One more step of the way to a particle."""
    written = queue.written
    step = queue.ways[written.steps]
    step.before, step.move = old.way, move
    new.way = written.steps
    written.steps += 1


ANCESTRY = Part("ancestry", {has_room_for: has_steps_for, write_down: write_step})
