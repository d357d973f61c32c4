"""Snippets of the pages, written by `python tests/test_readme.py`. They are not run: `make lint` checks their types."""
# mypy: disable-error-code=union-attr
# ruff: noqa
# fmt: off


def readme_0() -> None:
    import fogspiel as fs

    result = fs.solve("leduc", "cfr+", iterations=1000)
    print(result.value, result.exploitability)
    fs.save(result.strategy, "leduc.fog")
    print(fs.exploitability("leduc", fs.read("leduc.fog")))


def contributing_1() -> None:
    import fogspiel as fs
    from fogspiel.experiment import Measurements, Scale
    from fogspiel.reproduce.item import Item


    def first_player_loses(seed: int, cards: int) -> dict[str, float]:
        return {"value": fs.solve(f"one_card_poker(cards={cards})", "lp").value[0]}


    GROWING_DECKS = Item(
        where="table 1",
        about="one-card poker, growing decks",
        experiments=Measurements(
            about="what the game is worth, by the linear program",
            function=first_player_loses,
            grid={"cards": [3, 5, 9]},
            measure="value",
            printed={3: -1 / 18},
            scales={"small": Scale(1), "paper": Scale(1, cards=[3, 5, 9, 17, 33])},
            criterion="the first player loses less than a tenth of the ante",
            passes=lambda table: all(-0.1 < row.value < 0 for row in table),
        ),
    )


def agents_2() -> None:
    import fogspiel as fs

    class Here:
        """Believes in the state that it is shown."""

        def update(self, record, state, model):
            self.state = state

        def draw(self):
            return [self.state]

    fs.agent("mo-ismcts", simulations=500, bandit=fs.part("exp3", gamma=0.1))
    fs.agent("oos", progress=fs.part("target", belief=Here))


def experiments_3() -> None:
    import fogspiel as fs
    from fogspiel.experiment import Curves, Measurements, Scale

    SOLVERS = Curves(
        about="NashConv of two solvers in Kuhn poker",
        games="kuhn",
        players=["cfr", "cfr+"],
        budgets=[10, 100, 1000],
        scales={"small": Scale(1)},
        deterministic=True,
    )


    def sampled(seed, iterations):
        result = fs.solve("kuhn", "os-mccfr", iterations=iterations, seed=seed)
        return {"nash_conv": result.nash_conv, "value": result.value[0]}


    SAMPLED = Measurements(
        about="the value that outcome sampling finds",
        function=sampled,
        grid={"iterations": [1000, 10_000]},
        measure="value",
        scales={"small": Scale(10)},
    )


def first_steps_4() -> None:
    import fogspiel as fs

    result = fs.solve("leduc", "cfr+", iterations=1000)
    print(result.value, result.exploitability)
    fs.save(result.strategy, "leduc.fog")
    print(fs.exploitability("leduc", fs.read("leduc.fog")))


def games_5() -> None:
    import fogspiel as fs

    game = fs.load("goofspiel", cards=5)     # the same as fs.load("goofspiel(cards=5)")
    print(fs.unroll(game))


def index_6() -> None:
    import fogspiel as fs

    result = fs.solve("leduc", "cfr+", iterations=1000)
    print(result.value, result.exploitability)


def matches_7() -> None:
    import fogspiel as fs

    result = fs.match("kuhn", ["mo-ismcts(simulations=200)", "random"], games=100, seed=7)
    print(result.standings[0].utility)
    thought = fs.think("leduc", "mo-ismcts(simulations=5000)", ["deal K to player 0", "check"])
    print(thought)                                 # the moves
    if thought.tree is not None:                   # of minimax there is none
        print(len(list(thought.tree.walk())))      # the whole tree, as data


def parts_8() -> None:
    import fogspiel as fs
    from fogspiel.belief.roots import Roots
    from fogspiel.search.parts import part, parts
    from fogspiel.search.search import TreeSearch

    game = fs.load("leduc")
    search = TreeSearch(game, parts(view="infoset", bandit=part("bandit", "my_bandit.py"), growth="created"))
    search.run(Roots([game.start()]), 0, simulations=10_000)


def posg_9() -> None:
    import fogspiel as fs

    posg = fs.read_osposg("peg03.osposg")
    found = fs.solve(posg, "hsvi", until="nash_conv=1")
    found.bounds                                   # (83.31, 83.91)
    found.strategy.guaranteed()                    # what a best response leaves player 1: at least the lower bound
    fs.expected_values(posg, found.strategy)       # what both get if they play these, by the seats of the game
    one, two = found.strategy.player1(seed=1), found.strategy.player2(state=8, seed=2)
    fs.save(found.strategy, "peg03.fog")           # or on the command line: solve peg03.osposg --save peg03.fog
    again = fs.read_controllers(posg, "peg03.fog") # the same; fogspiel evaluate takes the file, show and endless do not


def strategies_10() -> None:
    import fogspiel as fs

    strategy = fs.solve("kuhn", "lp").strategy
    for row in strategy.table(player=1, order="reach"):
        print(row.sees, dict(zip(row.names, row.prob)), row.reach, row.value)
