
class Mine:
    name = "mine"

    def begin(self, game, seat, seed):
        self.seat = seat

    def choose(self, observation):
        return observation.moves[self.seat % len(observation.moves)]
