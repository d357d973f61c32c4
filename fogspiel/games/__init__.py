"""One file a game, and presets: names for a game with some parameters set."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A name for a game with parameters; others of its parameters can still be given."""

    game: str
    parameters: tuple[tuple[str, str], ...]
    about: str


PRESETS: dict[str, Preset] = {
    "leduc": Preset("poker", (), "Leduc poker (Southey et al. 2005): six cards, two betting rounds, one public card"),
    "small_poker": Preset(
        "poker",
        (("suits", "3"), ("bets", "2"), ("raises", "2")),
        "The small generic poker of Lisý 2014, ch. 4: three ranks, two bet sizes",
    ),
    "large_poker": Preset(
        "poker",
        (("ranks", "6"), ("suits", "4"), ("bets", "4"), ("raises", "4")),
        "The large generic poker of Lisý 2014, ch. 4: six ranks, four bet sizes",
    ),
    "liars_dice": Preset("bluff", (), "Liar's dice, one die each, the top face wild"),
    "rock_paper_scissors": Preset("matrix", (("game", "rps"),), "Rock, paper, scissors, as a matrix game"),
    "maze_pursuit": Preset(
        "visibility_pursuit",
        (("map", "maze"), ("reach", "10"), ("steps", "100"), ("apart", "25")),
        "The pursuit in a maze of Lisý 2014, ch. 5: two pursuers, 100 steps",
    ),
    "road_pursuit": Preset(
        "visibility_pursuit",
        (("map", "roads"), ("reach", "5"), ("steps", "100"), ("apart", "25")),
        "The pursuit on a network of roads of Lisý 2014, ch. 5: two pursuers, 100 steps",
    ),
}
