"""Generated calls of everything public, each an expression for `fuzz_child.py` to evaluate: right in most of its
arguments and odd in some. Budgets are tiny, so that whatever takes long is a fault."""

from random import Random

from fuzz_draws import built, composed, either, just, one_from, some, tuple_of, whole

Call = tuple[str, str]

ODD = [
    "None",
    "True",
    "False",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "7",
    "127",
    "128",
    "-128",
    "2**63",
    "2**64 - 1",
    "2**64",
    "-2**63",
    "10**30",
    "10**5000",
    "-0.0",
    "0.5",
    "1.0",
    "1.5",
    "1e2",
    "1e300",
    "nan",
    "inf",
    "-inf",
    "''",
    "'x'",
    "'kuhn'",
    "'1'",
    "'\\0'",
    "'\\udcff'",
    "'a' * 5000",
    "b''",
    "b'kuhn'",
    "[]",
    "[1]",
    "[None]",
    "()",
    "{}",
    "{1: 2}",
    "set()",
    "object()",
    "Rude()",
    "Rude",
    "lambda *_: 0",
    "np.int8(-1)",
    "np.int64(1)",
    "np.uint64(2**64 - 1)",
    "np.float32(nan)",
    "np.float64(2)",
    "np.bool_(True)",
    "np.array(1)",
    "np.array([1, 2])",
    "np.zeros(0)",
    "np.array([nan])",
    "np.array(['x'], object)",
    "Fraction(1, 2)",
    "Fraction(2)",
    "Decimal(1)",
    "1j",
    "range(3)",
    "count()",
    "iter([])",
    "fs",
    "...",
    "kuhn",
    "plain",
    "strategy",
    "other",
    "tree",
    "form",
    "plan",
    "result",
    "Path('x')",
    "Path('kuhn.fog')",
    "Path('.')",
    "at(kuhn, 1, 3)",
    "First()",
    "Wild(None)",
]
GAMES = [
    "kuhn",
    "three",
    "rps",
    "goof",
    "coin",
    "driver",
    "plain",
    "tree",
    "form",
    "'kuhn'",
    "'matrix'",
    "'hidden_coin'",
]
LOADED = ["kuhn", "three", "rps", "goof", "coin", "driver", "plain"]
SOLVERS = [
    "cfr",
    "cfr+",
    "dcfr",
    "dcfr(alpha=2)",
    "linear-cfr",
    "pcfr+",
    "hs-dcfr",
    "hs-pcfr+",
    "cfr(learner=hedge)",
    "cfr(learner=hedge(eta=0.1),schedule=discounted(alpha=2))",
    "mccfr",
    "mccfr(sampling=outcome(epsilon=0.3),average=lazy)",
    "do",
    "xfp",
    "fp",
    "egt",
    "lp",
    "lp-one-sided",
    "lp-normal",
    "backward-induction",
    "do-alpha-beta",
    "value-iteration",
    "hsvi",
    "walk-cfr",
    "cs-mccfr",
    "pcs-mccfr",
    "es-mccfr",
    "os-mccfr",
    "os-mccfr(updates=parallel)",
    "probing-mccfr",
    "as-mccfr",
    "pure-cfr",
    "vr-mccfr",
    "es-mccfr(words=64)",
    "os-mccfr(average=lazy)",
    "cs-mccfr(chance=paired)",
]
AGENTS = [
    "random",
    "human",
    "mo-ismcts(simulations=5)",
    "so-ismcts(simulations=5)",
    "so-ismcts-pom(simulations=5)",
    "mcts(simulations=5)",
    "is-mcts(simulations=5,belief=tracked(particles=5))",
    "sm-mcts(simulations=5)",
    "sm-mcts(simulations=5,bandit=duct)",
    "oos(simulations=5)",
    "pimc(simulations=2,determinizations=2)",
    "cheating-uct(simulations=2,determinizations=2)",
    "is-expectimax(states=50)",
    "ist-minimax(states=50,nodes=50)",
    "ist-mcts(states=50,simulations=5)",
    "pimc-minimax(states=50,nodes=50)",
    "cheating-minimax(nodes=50)",
    "gib(determinizations=2,nodes=50)",
    "epimc(simulations=5,determinizations=2)",
    "pomcp(simulations=5)",
    "smooth-uct(simulations=5)",
    "alpha-beta(depth=1)",
    "expectimax(depth=1)",
    "star1(depth=1)",
    "star2(depth=1)",
    "expss(depth=1,width=2)",
    "star1ss(depth=1,width=2)",
    "star2ss(depth=1,width=2)",
    "do-alpha-beta(depth=1)",
    "rollouts(simulations=5)",
    "mcts(simulations=5,streams=common)",
    "mo-ismcts(simulations=5,threads=2)",
    "mcts(simulations=5,bandit=exp3p,view=open-loop)",
    "is-mcts(simulations=5,belief=usual)",
    "is-mcts(simulations=5,belief=tracked(particles=5),ignore=3)",
    "bluffing-ismcts(simulations=5)",
    "mo-ismcts(simulations=5,belief=inferred)",
    "mo-ismcts(simulations=5,belief=replay)",
    "rollouts(simulations=5,playout=guide)",
    "mcts(simulations=5,evaluation=rule(after=2))",
    "mcts(simulations=5,bandit=mine.py)",
    "mcts(simulations=5,playout=none.py)",
    "is-mcts(simulations=5,belief=mine.py)",
    "mcts(simulations=5,beliefs=no)",
    "kuhn.fog",
    "mine.py",
    "mine.py(x=1)",
    "none.py",
]
SPECS = [
    "kuhn",
    "kuhn(players=3)",
    "matrix",
    "matrix(game=chicken)",
    "matrix(payoffs=[[0,1],[-1,0]])",
    "goofspiel(cards=3)",
    "goofspiel(cards=3,bids=open,order=random)",
    "leduc",
    "poker(ranks=3,suits=2)",
    "small_poker",
    "bluff(dice0=1,dice1=1,faces=2)",
    "liars_dice",
    "oshi_zumo(coins=3)",
    "random_game(seed=3)",
    "tic_tac_toe",
    "phantom_tic_tac_toe",
    "princess_and_monster",
    "deadlock(xi=0.1)",
    "one_card_poker(cards=4)",
    "pig(target=10)",
    "die_roll_poker",
    "einstein",
    "observed_moves",
    "nonlocality",
    "coin_or_sure",
    "worst_case",
    "no_such_game",
    "no_such_file.py",
    "./kuhn.py(x=1)",
]


class one_of:
    """An argument: values that fit or nearly do, and odd ones. `never`: odd ones that fit and take long."""

    def __init__(self, good, odd=ODD, never=()):
        self.good = one_from(good)
        self.odd = one_from([value for value in odd if value not in never])


@composed
def bent(draw, texts, letters="()=,.-+ e012ax\n\t\"'[]é\0"):
    """A text with up to three small changes, as it is written in Python."""
    text = draw(one_from(texts))
    for _ in range(draw(one_from([0, 0, 0, 0, 0, 1, 1, 2, 3]))):
        at = draw(whole(0, len(text)))
        how = draw(whole(0, 3))
        if how == 0:
            text = text[:at] + text[at + 1 :]
        elif how == 1:
            text = text[:at] + draw(one_from(letters)) + text[at:]
        elif how == 2:
            text = text[:at] + text[draw(whole(0, len(text))) :]
        else:
            head, equals, tail = text.partition("=")
            value = draw(one_from(["", "-1", "nan", "inf", "1.5", "1e1", "9" * 30, "x", "[", "None", "0"]))
            text = f"{head}={value}{tail[1:]}" if equals else text + value
    return repr(text)


def called(function, *arguments, **named):
    """Calls of a function: its arguments in order, and those by name, each of which is left out now and then."""

    @composed
    def build(draw):
        given = [("", argument) for argument in arguments]
        for name, argument in named.items():
            if name.startswith("always_") or draw(whole(0, 5)) == 0:
                given.append((f"{name.removeprefix('always_')}=", argument))
        odd = {draw(whole(0, len(given))) for _ in range(draw(whole(0, 2)))}
        written = [name + _drawn(draw, argument, i in odd) for i, (name, argument) in enumerate(given)]
        return f"{function}({', '.join(written)})"

    return build()


def _drawn(draw, argument, odd):
    return draw(argument if not isinstance(argument, one_of) else argument.odd if odd else argument.good)


COUNT = one_of(["0", "1", "2", "5", "10", "1e1", "np.int32(3)", "4.0"], never=["None"])
SEED = one_of(["0", "1", "7", "2**64 - 1", "1e2", "np.uint64(9)"])
MEMORY = one_of(["None", "2**24", "2**28", "1e8"], never=["2**63"])
PLAYER = one_of(["0", "1", "2", "-1", "5", "np.int8(1)", "0.0"])
GAME = one_of(GAMES)
MEASURED = one_of([*["kuhn", "tree", "form", "plain", "'kuhn'"] * 4, *GAMES])
STRATEGY = one_of(["strategy", "strategy", "strategy", "other", "result.strategy"])
THREADS = one_of(["1", "2"], odd=[v for v in ODD if v not in ("3", "7", "127", "128", "1e2")])
FUNCTION = one_of(["None", "lambda *_: None"])
FLAG = one_of(["True", "False"])
UNTIL = one_of(
    ["None", "'nash_conv=0.01'", "'exploitability=0.01'", "'nash_conv=0'", "'exploitability=inf'"],
    odd=["'nash_conv=-1'", "'nash_conv=nan'", "'gap=1'", "'nash_conv'", "'='", "''", "0.01", "[]", "b'nash_conv=1'"],
)
SMALL = one_of(
    ["None", "0", "0.01", "0.1"],
    never=[
        "inf",
        "1",
        "2",
        "3",
        "7",
        "127",
        "128",
        "1.0",
        "1.5",
        "1e2",
        "1e300",
        "10**30",
        "2**63",
        "2**64",
        "2**64 - 1",
        "10**5000",
        "np.uint64(2**64 - 1)",
        "np.float64(2)",
        "Fraction(2)",
        "np.int64(1)",
        "True",
    ],
)
SOLVER = bent(SOLVERS)
AGENT = either(*[bent(AGENTS)] * 4, one_from(["First()", "'random'", "Wild(1.5)", "strategy"]), one_from(ODD))
STATE = built(lambda g, s, n: f"at({g}, {s}, {n})", one_from(LOADED), whole(0, 9), whole(0, 7))
METHOD = one_of(["'auto'", "'tree'", "'vectors'", "'passes'"])
FILE = one_of(["'x.fog'", "Path('x.fog')", "'kuhn.fog'", "'no/x.fog'", "'.'", "'/dev/null'", "'cfr.ckpt'"])


def _state_calls():
    asked = either(
        called("key", PLAYER),
        called("situation", PLAYER),
        called("play", COUNT),
        called("force", COUNT),
        called("show", PLAYER),
        called("resample", PLAYER, one_of(["rng", "rng.copy()", "np.zeros(1)", "np.zeros(0, np.uint64)"])),
        one_from(["moves()", "chance()", "payoff()", "copy().data", "actor", "over", "view.dealt"]),
    )
    return built(lambda state, ask: f"{state}.{ask}" if ask != "view.dealt" else f"{state}.view", STATE, asked)


def _object_calls():
    state = one_of(["at(kuhn, 1, 3)", "at(goof, 1, 2)", "at(three, 2, 4)"])
    return either(
        called(
            "fs.Game",
            one_of(["kuhn.module", "goof.module"]),
            one_of(["'kuhn'"]),
            one_of(["{}", "{'players': 3}", "{'players': None}"]),
            debug=FLAG,
        ),
        called("kuhn.move_name", state, COUNT),
        called("kuhn.move_names", state),
        called("kuhn.show", state, PLAYER),
        called(
            "fs.State", one_of(["kuhn", "goof"]), one_of(["kuhn.root", "kuhn.root.copy()", "np.zeros(3, np.uint8)"])
        ),
        called("strategy.probabilities", state),
        called("strategy.replaced", PLAYER, STRATEGY),
        called("strategy.require", GAME),
        called("strategy.on", one_of(["form", "fs.sequence_form('matrix')"])),
        called("strategy.silent", one_of(["tree", "fs.unroll('matrix')"])),
        called("strategy.greedy"),
        called(
            "strategy.table",
            one_of(["kuhn", "'kuhn'", "None"]),
            player=PLAYER,
            reach=one_of(["0", "0.1"]),
            after=one_of(["'bet'", "'deal 1, pass'"]),
            most=COUNT,
            order=one_of(["'play'", "'reach'"]),
            forced=FLAG,
            memory=MEMORY,
            progress=FUNCTION,
        ),
        called("fs.strategy_table", MEASURED, STRATEGY, player=PLAYER, reach=one_of(["0", "0.1"]), most=COUNT),
        called("fs.Strategy.from_behaviour", one_of(["form"]), one_of(["plan", "form.uniform()"])),
        called(
            "fs.Strategy",
            one_of(["'kuhn'"]),
            one_of(["strategy.behaviour"]),
            one_of(["rows.player", "rows.player[::-1]"]),
            one_of(["rows.key", "rows.key[1:]"]),
            one_of(["rows.start", "rows.start * 7", "rows.start - 1"]),
            one_of(["rows.move"]),
            one_of(["rows.prob", "rows.prob * 2", "rows.prob * nan"]),
        ),
        called(
            "fs.Strategy.build",
            one_of(["kuhn"]),
            one_of(["rows.player", "np.full(12, 99)"]),
            one_of(["rows.key"]),
            one_of(["np.full(12, 2)", "np.full(12, -1)"]),
            one_of(["rows.move"]),
            one_of(["rows.prob"]),
        ),
        called("form.plan", one_of(["form.uniform()", "np.ones(3)", "np.ones(form.sequences)"])),
        called("form.behaviour", one_of(["plan", "plan[1:]", "plan.astype(np.float32)"])),
        called("form.gradient", one_of(["plan", "plan[::-1]"]), PLAYER),
        called("form.values", one_of(["plan", "plan[:-1]"])),
        called("form.best_response", one_of(["plan"]), PLAYER),
        called("fs.well_formed('deadlock').regret_bound", PLAYER, COUNT, COUNT, COUNT),
        one_from(
            ["result.as_dict()", "str(result)", "repr(strategy)", "len(strategy)", "str(tree.game)", "form.bytes"]
        ),
    )


def _solve_calls():
    with_parameters = called(
        "fs.solve",
        GAME,
        one_from(["'dcfr'", "'os-mccfr'", "'cfr+'"]),
        always_iterations=COUNT,
        alpha=COUNT,
        epsilon=COUNT,
        nonsense=COUNT,
    )
    odd_solver = called("fs.solve", GAME, one_of(["Still", "fs.part(Still, weight=2)"]), always_iterations=COUNT)
    odd_part = called(
        "fs.solve",
        GAME,
        one_from(["'cfr'", "'cfr(average=abstract)'"]),
        always_iterations=COUNT,
        learner=one_of(["'rm+'", "fs.part('hedge', eta=0.5)"]),
        schedule=one_of(["{'decay': lambda t, own: 0.5 + 0 * t}", "fs.part('polynomial', gamma=1)", "'uniform'"]),
    )
    return (
        with_parameters
        | odd_solver
        | odd_part
        | called(
            "fs.solve",
            GAME,
            SOLVER,
            always_iterations=COUNT,
            seconds=SMALL,
            until=UNTIL,
            points=COUNT,
            every=one_of(
                [
                    "None",
                    "1",
                    "3",
                    "[1, 2, 5]",
                    "[2]",
                    "(7, 3)",
                    "[]",
                    "[1, 1]",
                    "[0]",
                    "[1.5]",
                    "[nan]",
                    "['x']",
                    "[2**64]",
                    "[[1]]",
                    "range(1, 4)",
                ]
            ),
            callback=FUNCTION,
            progress=FUNCTION,
            checkpoint=one_of(["'out.ckpt'", "'no/x'", "'.'"]),
            checkpoint_every=one_of(["0", "1", "inf"]),
            memory=MEMORY,
            seed=SEED,
            threads=THREADS,
            measure=FLAG,
            resume=one_of(["'cfr.ckpt'", "'es.ckpt'", "'kuhn.fog'", "'none.ckpt'"]),
        )
    )


def _measure_calls():
    return either(
        called("fs.nash_conv", MEASURED, STRATEGY, method=METHOD, memory=MEMORY),
        called("fs.exploitability", MEASURED, STRATEGY, method=METHOD, memory=MEMORY),
        called("fs.best_response", MEASURED, STRATEGY, PLAYER, method=METHOD, memory=MEMORY),
        called("fs.expected_values", MEASURED, STRATEGY, method=METHOD, memory=MEMORY),
        called(
            "fs.endless_value",
            one_of(["'patrolling(rounds=1,discount=0.5)'", "'patrolling'", "'kuhn'"]),
            beyond=one_of(["'uniform'", "'x'", "3"]),
            discount=SMALL,
            seconds=SMALL,
            bounds=one_of(["(0, 1)", "3", "(nan, 1)"]),
        ),
        called("fs.measure", MEASURED, STRATEGY, method=METHOD, memory=MEMORY, progress=FUNCTION),
        called(
            "fs.restricted_response",
            MEASURED,
            STRATEGY,
            PLAYER,
            one_of(["0", "0.5", "1"]),
            SOLVER,
            always_iterations=COUNT,
            seed=SEED,
            memory=MEMORY,
            threads=THREADS,
            progress=FUNCTION,
        ),
        called(
            "fs.trade_off",
            MEASURED,
            STRATEGY,
            PLAYER,
            one_of(["[0, 0.5]", "(1,)", "[nan]", "[2]", "np.array([0.5])"]),
            always_algorithm=SOLVER,
            always_iterations=COUNT,
            progress=FUNCTION,
        ),
        called(
            "fs.dominance",
            one_of(["rps", "'matrix(game=prisoners_dilemma)'", "kuhn", "goof", "coin", "fs.sequence_form('matrix')"]),
            weak=FLAG,
            mixed=FLAG,
        ),
        called("fs.pure_equilibria", one_of(["rps", "'matrix(game=chicken)'", "kuhn", "driver"])),
        called(
            "fs.indifference",
            one_of(["rps", "'matrix'", "kuhn"]),
            one_of(["fs.solve('matrix', iterations=2).strategy", "strategy"]),
        ),
        called(
            "fs.bound",
            MEASURED,
            STRATEGY,
            algorithm=SOLVER,
            always_iterations=COUNT,
            always_games=COUNT,
            seed=SEED,
            memory=MEMORY,
            threads=THREADS,
            progress=FUNCTION,
        ),
    )


def _tree_calls():
    return either(
        called("fs.unroll", GAME, histories=FLAG, memory=MEMORY, most=COUNT, seconds=SMALL, progress=FUNCTION),
        called("fs.sequence_form", GAME),
        called("fs.well_formed", GAME),
        called(
            "fs.horizon_values",
            one_of(["'blind_pursuit(width=2,height=2,pursuers=1)'", "'patrolling'", "'kuhn'", "3"]),
            one_of(["'v'", "'rn'", "'x'", "0"]),
            discount=SMALL,
            error=SMALL,
            threshold=SMALL,
            in_place=FLAG,
        ),
        called(
            "fs.playouts", GAME, COUNT, SEED, starts=one_of(["[at(kuhn, 1, 2)]", "[]", "[at(goof, 1, 2)]"]), hashed=FLAG
        ),
        called(
            "fs.check",
            one_of(["rps", "'matrix'", "coin"]),
            always_playouts=COUNT,
            always_histories=COUNT,
            seed=SEED,
            progress=FUNCTION,
        ),
        called(
            "fs.load",
            bent(SPECS),
            debug=FLAG,
            unchecked=FLAG,
            players=COUNT,
            cards=COUNT,
            payoffs=one_of(["'[[1]]'", "[[1, 2], [3, 4]]"]),
        ),
        called("fs.load", GAME, debug=FLAG),
        just("fs.built_in_games()"),
    )


def _match_calls():
    seats = either(
        some(AGENT, 0, 3).map(lambda agents: f"[{', '.join(agents)}]"), just("['random', 'random']"), one_from(ODD)
    )
    return either(
        called(
            "fs.think",
            one_of(["goof", "kuhn", "three", "rps"]),
            AGENT,
            one_of(["'bid 1'", "()", "''", "['pass']", "[0, 1]", "'deal 1 to player 0,deal 2 to player 1,bet'"]),
            seed=SEED,
        ),
        called("fs.searched_strategy", one_of(["kuhn", "rps", "'matrix'"]), AGENT, seed=SEED, progress=FUNCTION),
        called("fs.agent", AGENT, simulations=COUNT, depth=COUNT, nonsense=COUNT),
        called(
            "fs.play_game",
            GAME,
            seats,
            always_deal=SEED,
            always_seed=SEED,
            watch=FUNCTION,
            dealt=one_of(["()", "[0]", "[1, 2]", "[9]"]),
        ),
        called(
            "fs.match",
            GAME,
            seats,
            always_games=one_of(["1", "2"], never=["7", "127", "128", "1e2"]),
            seed=SEED,
            workers=one_of(["1"], never=["2", "3", "7", "127", "128", "1e2", "np.float64(2)", "Fraction(2)"]),
            sprt=one_of(["(0, 10, 0.05, 0.05)", "(1, 0, 1, 1)", "(0, 10)", "[nan] * 4"]),
            by=one_of(["'wins'", "'utility'"]),
            duplicate=FLAG,
            learning=FLAG,
            strict=FLAG,
            notice=FUNCTION,
            progress=FUNCTION,
            resume=FLAG,
            apart=one_of(["None", "False"], never=["True", "1", "1.0", "np.int64(1)", "np.bool_(True)", "np.array(1)"]),
            memory=MEMORY,
            store=one_of(["'match.jsonl'", "'no/x'", "'.'"]),
        ),
    )


EDITS = some(tuple_of(whole(0, 2000), either(just(None), whole(0, 2000))), 1, 4).map(repr)
PIECES = some(
    tuple_of(
        whole(0, 2000),
        either(whole(0, 2000), one_from(["", "None", "0", "-1", "1e9", "lambda", "x y", "\0", "return", "2**70", "'"])),
    ),
    1,
    3,
).map(repr)
ARRAY = one_from(
    [
        "np.zeros(0)",
        "np.zeros(3, 'i8')",
        "np.full(24, nan)",
        "np.full(12, -1, 'i1')",
        "np.arange(13) * 9",
        "np.array(2**62)",
        "np.full(13, 2**62)",
        "rows.start[::-1]",
        "rows.prob * 0",
        "np.zeros((2, 2))",
        "'x'",
        "np.array(-5)",
        "np.full(24, inf)",
    ]
)


def _file_calls():
    def craft(name, kind, words, heads):
        array = tuple_of(one_from(words), ARRAY).map(lambda pair: f"{{'{pair[0]}': {pair[1]}}}")
        head = tuple_of(one_from(heads), one_from(["-1", "nan", "inf", "None", "[]", "'x'", "10**30", "True"]))
        header = either(just("{}"), head.map(lambda pair: f"{{'{pair[0]}': {pair[1]}}}"))
        return built(lambda a, h: f"crafted('{name}', {kind}, {a}, {h})", either(just("{}"), array), header)

    rows = ["player", "key", "start", "move", "prob"]
    fogs = either(
        EDITS.map(lambda e: f"damaged('kuhn.fog', {e})"),
        craft("kuhn.fog", "files.STRATEGY", rows, ["game", "behaviour", "situations"]),
    )
    heads = ["seconds", "seed", "algorithm", "game", "behaviour"]
    plain = either(
        EDITS.map(lambda e: f"damaged('cfr.ckpt', {e})"),
        craft("cfr.ckpt", "files.CHECKPOINT", ["iterations", "curve", "regret", "total", "plan"], heads),
    )
    sampled = either(
        EDITS.map(lambda e: f"damaged('es.ckpt', {e})"),
        craft(
            "es.ckpt", "files.CHECKPOINT", ["iterations", "curve", "table", "rng", "visit", "done", "touched"], heads
        ),
    )
    nodes = [
        "first",
        "begin",
        "weight",
        "vector_mix",
        "vector_node",
        "vector_links",
        "point_belief",
        "point_plan",
        "point_partition",
    ]
    posgs = either(
        EDITS.map(lambda e: f"damaged('pennies.fog', {e})"),
        craft("pennies.fog", "'fogspiel controllers'", nodes, ["game", "behaviour"]),
    )
    return either(
        called("fs.read", FILE),
        called(
            "fs.write_rewards",
            one_of(["'patrolling'", "'kuhn'"]),
            one_of(["'x.txt'", "'no/x.txt'", "'.'"], never=["Path('kuhn.fog')"]),
            one_of(["{}", "{'0 0 0': 1.0}", "{1: 'x'}", "3"]),
        ),
        called("fs.read_osposg", one_of(["'pennies.osposg'", "Path('pennies.osposg')", "'none.osposg'", "'kuhn.fog'"])),
        EDITS.map(lambda e: f"fs.solve(fs.read_osposg(damaged('pennies.osposg', {e})), iterations=2)"),
        called(
            "fs.write_osposg", one_of(["posg"]), one_of(["'x.osposg'", "Path('x.osposg.gz')", "'no/x.osposg'", "'.'"])
        ),
        called(
            "fs.solve",
            one_of(["posg"]),
            one_of(["'hsvi'", "'hsvi(share=0.9)'", "'cfr+'", "None"]),
            always_iterations=COUNT,
            until=UNTIL,
        ),
        called("fs.read_controllers", one_of(["posg"]), one_of(["'pennies.fog'", "'kuhn.fog'", "'none.fog'"])),
        posgs.map(lambda f: f"fs.read_controllers(posg, {f}).guaranteed()"),
        called("fs.read_controllers(posg, 'pennies.fog').player1", SEED),
        called("fs.read_controllers(posg, 'pennies.fog').player2", COUNT, SEED),
        called(
            "fs.save",
            STRATEGY,
            one_of(["'x.fog'", "Path('x.fog')", "'no/x.fog'", "'.'", "'/dev/null'"], never=["Path('kuhn.fog')"]),
        ),
        fogs.map(lambda f: f"fs.nash_conv(kuhn, fs.read({f}))"),
        fogs.map(lambda f: f"fs.play_game(kuhn, [str({f}), 'random'], deal=1, seed=1)"),
        plain.map(lambda f: f"fs.solve(kuhn, iterations=8, resume={f})"),
        sampled.map(lambda f: f"fs.solve(kuhn, 'es-mccfr', iterations=8, resume={f})"),
        EDITS.map(
            lambda e: f"fs.match(kuhn, ['random', 'random'], games=4, store=damaged('match.jsonl', {e}), resume=True)"
        ),
    )


def _own_file_calls():
    return either(
        PIECES.map(lambda e: f"tour(game_file({e}, debug=True))"),
        PIECES.map(lambda e: f"tour(game_file({e}, debug=True))"),
        PIECES.map(lambda e: f"fs.play_game(kuhn, [agent_file({e}), 'random'], deal=1, seed=1)"),
    )


TYPED = [
    "",
    "-1",
    "0",
    "1",
    "2",
    "1.5",
    "nan",
    "inf",
    "1e1",
    "1e400",
    "18446744073709551615",
    "18446744073709551616",
    "x",
    "-",
    "--",
    "é",
    "kuhn",
    "None",
    "(",
    "1,2",
    "0,10,0.05,0.05",
    "nan,1,1,1",
    "\udcff",
    "9" * 40,
    "99999999999G",
    "1K",
    "512M",
    "nash_conv=0.1",
    "exploitability=0",
]
OF_ROWS, OF_TABLES = (
    ["--scale", "--where", "--everyone", "--json"],
    ["--by", "--categories", "--thresholds", "--interval"],
)
COMMANDS = {
    "games": ("", "", ["--json"]),
    "algorithms": ("", "", ["--json"]),
    "agents": ("", "", ["--json"]),
    "solve": (
        "kuhn",
        "-n 5",
        [
            "-n",
            "-a",
            "--seed",
            "--threads",
            "--memory",
            "--until",
            "--seconds",
            "--save",
            "--json",
            "--plot",
            "--checkpoint",
            "--resume",
            "--debug",
            "--measure",
            "--seeds",
        ],
    ),
    "evaluate": ("kuhn kuhn.fog", "", ["--method", "--memory", "--json"]),
    "bound": ("kuhn kuhn.fog", "-n 5 --games 5", ["-n", "--games", "--seed", "--threads", "-a", "--memory"]),
    "trade-off": ("kuhn kuhn.fog", "-n 5", ["--player", "--p", "-a", "-n", "--seed", "--memory"]),
    "check": ("matrix", "--playouts 5 --histories 50", ["--playouts", "--histories", "--seed", "--json"]),
    "endless": ("patrolling(rounds=1)", "", ["--beyond", "--discount", "--seconds", "--rounds", "--json"]),
    "horizon": (
        "patrolling(rounds=1)",
        "",
        ["--kind", "--discount", "--error", "--threshold", "--jacobi", "--save", "--json"],
    ),
    "recall": ("kuhn", "", ["--memory", "--json"]),
    "icarus": ("rave>mast", "--depth 2", ["--game", "--depth", "--breadth", "--plot", "--json"]),
    "match": (
        "kuhn random random",
        "--games 2",
        [
            "--games",
            "--seed",
            "--sprt",
            "--by",
            "--store",
            "--resume",
            "--no-duplicate",
            "--learning",
            "--strict",
            "--together",
            "--memory",
            "--json",
        ],
    ),
    "play": ("kuhn", "--seat random --seat random", ["--seed", "--seat", "--hint"]),
    "converge": ("kuhn oos", "-n 20", ["--seed", "-n"]),
    "think": ("goofspiel(cards=3) mo-ismcts(simulations=5)", "", ["--moves", "--seed", "--json"]),
    "show": (
        "kuhn.fog",
        "",
        ["--json", "--player", "--reach", "--after", "--most", "--order", "--list", "--forced", "--csv", "--memory"],
    ),
    "run": ("study.py", "", ["--scale", "--budget", "--store", "--json"]),
    "results table": ("study.sqlite", "", [*OF_ROWS, *OF_TABLES]),
    "results compare": ("study.sqlite agent", "", [*OF_ROWS, "--measure"]),
    "results anova": ("study.sqlite agent,seat", "", [*OF_ROWS, "--measure"]),
    "results ratings": ("study.sqlite", "", ["--scale", "--where", "--json"]),
    "results nemeses": ("study.sqlite", "", [*OF_ROWS, *OF_TABLES, "--second"]),
    "results plot": ("study.sqlite no/x.png", "", [*OF_ROWS, *OF_TABLES, "--kind"]),
    "results report": ("study.sqlite r.md", "", [*OF_ROWS, *OF_TABLES, "--kind"]),
    "results export": ("study.sqlite e.csv", "", OF_ROWS),
    "results sql": ("study.sqlite SELECT", "", OF_ROWS),
    "cache": ("", "", []),
    "no-such-command": ("", "", []),
}
SMALL_SPECS = [
    "matrix",
    "goofspiel(cards=3)",
    "hidden_coin",
    "kuhn(players=1)",
    "kuhn(players",
    "absent_minded_driver",
    "no_such_game",
    "no_such_file.py",
    "kuhn.fog",
]
"""Games that commands may walk from end to end, and some that are not there."""
FLAGS = (
    "--everyone",
    "--second",
    "--jacobi",
    "--learning",
    "--strict",
    "--together",
    "--list",
    "--forced",
    "--debug",
    "--measure",
    "--resume",
    "--no-duplicate",
)
FITTING = {
    "-a": ["cfr", "lp", "es-mccfr", "os-mccfr", "nosuch"],
    "--plot": ["no/x.png", "x.gif"],
    "--by": ["wins", "utility"],
    "--method": ["auto", "tree", "vectors"],
    "--seat": ["random", "human", "mo-ismcts(simulations=3)"],
    "--moves": ["bid 1", "0", "x,,y"],
    "--p": ["0,1", "0.5"],
    "--resume": ["cfr.ckpt", "kuhn.fog"],
    "--store": ["m.jsonl", "match.jsonl"],
    "--save": ["s.fog"],
    "--json": ["-", "out.json"],
    "--csv": ["t.csv", "no/x"],
    "--order": ["play", "reach"],
    "--after": ["bet", "deal"],
    "--hint": ["random", "mo-ismcts(simulations=3)"],
    "--seeds": ["1", "2"],
    "--scale": ["small", "paper"],
    "--budget": ["1s", "0.5m"],
    "--where": ["seat=0", "seat", "x=1"],
    "--interval": ["bootstrap", "none"],
    "--categories": ["agent=a,b", "agent=a"],
    "--thresholds": ["0.5", "x"],
    "--checkpoint": ["c.fog", "no/x"],
    "--rounds": ["1,2", "x"],
    "--kind": ["v", "rn", "x"],
    "--beyond": ["uniform", "stationary", "resolved", "x"],
    "--discount": ["0.9", "1"],
    "--error": ["0.1"],
    "--threshold": ["1"],
}


@composed
def _command_calls(draw):
    command = draw(one_from(list(COMMANDS)))
    fixed, always, options = COMMANDS[command]
    words = [w if draw(whole(0, 9)) else draw(one_from([*TYPED, *SMALL_SPECS])) for w in fixed.split()]
    words = [*words, *always.split()]
    for _ in range(draw(whole(0, 3)) if options else 0):
        option = draw(one_from(options))
        words.append(option)
        if option not in FLAGS or (option == "--resume" and command == "solve"):
            fitting = FITTING.get(option, ["3"])
            words.append(draw(one_from([*fitting, *TYPED] if draw(whole(0, 1)) else fitting)))
    if draw(whole(0, 19)) == 0:
        words.insert(draw(whole(0, len(words))), draw(one_from([*TYPED, "--nosuch", "-h"])))
    return f"cli({', '.join(map(repr, [*command.split(), *words]))})"


KINDS = {
    "state": (_state_calls(), 6),
    "objects": (_object_calls(), 4),
    "solve": (_solve_calls(), 5),
    "measure": (_measure_calls(), 4),
    "tree": (_tree_calls(), 4),
    "match": (_match_calls(), 4),
    "files": (_file_calls(), 3),
    "own files": (_own_file_calls(), 1),
    "commands": (_command_calls(), 4),
    "compiled files": (PIECES.map(lambda e: f"fs.solve(game_file({e}), iterations=2)"), 0),
}
"""Every kind of call, and how often it comes. Compiling takes seconds: that kind is for `python tests/fuzz --only`
alone."""


@composed
def call(draw, only: str | None = None) -> Call:
    kind = only or draw(one_from([kind for kind, (_, weight) in KINDS.items() for _ in range(weight)]))
    return kind, draw(KINDS[kind][0])


def generated(count: int, start: int, only: str | None = None, made: set[Call] | None = None) -> list[Call]:
    """So many calls that are not in `made`, to which they are added, or fewer where there are no more; the same ones
    for the same `start`."""
    made, found, rng = set() if made is None else made, [], Random(start)
    for _ in range(10 * count):
        one = call(only).drawn(rng)
        if one not in made:
            made.add(one)
            found.append(one)
        if len(found) == count:
            break
    return found
