"""What there is to choose from: agents, solvers and the kinds of parts that they are made of, in 80 columns."""

from collections.abc import Iterable
from typing import Any

from rich.markup import escape
from rich.table import Table

from fogspiel.agents.registry import KINDS as AGENTS
from fogspiel.app.show import console, told_of
from fogspiel.errors import SpecError, Unsuitable
from fogspiel.game.load import load
from fogspiel.game.needs import Asks, Need, listed
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Askable, split_spec, suggestion
from fogspiel.given import shown
from fogspiel.solvers.own import is_own
from fogspiel.solvers.registry import SOLVERS, Entry, read_solver

WIDTH = 80
PLAIN = (
    ("random", "every legal move as likely"),
    ("human", "a person at the terminal"),
    ("FILE.fog", "a strategy saved by fogspiel solve"),
    ("FILE.py", "an agent of your own"),
    ("FILE ...", "a program in any language, in a process of its own: ./bot, node bot.js"),
)


def all_solvers() -> list[dict[str, Any]]:
    return [_solver(name, entry) for name, entry in SOLVERS.items()]


def own_solver_row(name: str) -> dict[str, Any] | None:
    """What a solver from a file is, as the row of one of the house; None where the name is of no file."""
    if not is_own(name):
        return None
    label, entry, _ = read_solver(name)
    return _solver(label, entry)


def _solver(name: str, e: Entry) -> dict[str, Any]:
    row = {"name": name, "about": e.about, "games": e.games, "kind": e.kind}
    return row | _asked(e.parameters) | _needs(e.needs, e.asks, e.parameters)


def all_agents() -> list[dict[str, Any]]:
    house = [
        {"name": name, "about": kind.about, "games": "", "kind": "search"}
        | _asked(kind.parameters)
        | _needs(kind.needs, kind.settings_need, kind.parameters)
        for name, kind in AGENTS.items()
    ]
    plain = [
        {"name": name, "about": about, "games": "", "kind": "plain"} | _asked(()) | _needs((), {})
        for name, about in PLAIN
    ]
    return house + plain


def agents_for(spec: str) -> list[dict[str, Any]]:
    """The agents that suit a game, as they are by default."""
    game = load(spec)
    found = []
    for row in all_agents():
        kind = AGENTS.get(row["name"])
        try:
            if kind is not None:
                kind.require(row["name"], {p.name: p.default for p in kind.parameters}, game)
        except Unsuitable:
            continue
        found.append(row)
    return found


def own_agent_row(name: str) -> dict[str, Any] | None:
    """What an agent from a file is, as the row of an agent of the house; None where the name is of no file."""
    from fogspiel.agents.own import described
    from fogspiel.game.load import file_and_parameters

    path, values = file_and_parameters(name)
    if path is None:
        return None
    about, parameters = described(path, values)
    row = {"name": str(path), "about": about, "games": "", "kind": "own"}
    return row | _asked(parameters) | _needs((), {})


def _asked(parameters: Iterable[Askable]) -> dict[str, Any]:
    """Own parameters, and the kinds of parts that are taken."""
    own = [p for p in parameters if not isinstance(p, PartOf)]
    taken = [p for p in parameters if isinstance(p, PartOf)]
    return {
        "parameters": told_of(own),
        "parts": [
            {"name": p.name, "kind": p.kind.name, "default": p.usual, "words": p.words, "about": p.about} for p in taken
        ],
    }


def _needs(needs: Iterable[Need], asks: Asks, parameters: Iterable[Askable] = ()) -> dict[str, Any]:
    """What is needed of a game, and by single settings and parts, in words."""
    settings = {f"{name}={word}": own for name, ways in asks.items() for word, own in ways.items() if own}
    taken = [p for p in parameters if isinstance(p, PartOf)]
    settings |= {f"{p.name}={w}": own for p in taken for w in p.words if (own := p.by_word(w, {}).needs)}
    return {
        "needs": [need.what for need in needs],
        "settings_need": {setting: [need.what for need in own] for setting, own in settings.items()},
    }


def _owners() -> dict[str, tuple[Askable, ...]]:
    """What can be asked of each agent and solver."""
    return {n: k.parameters for n, k in AGENTS.items()} | {n: e.parameters for n, e in SOLVERS.items()}


def _takers() -> dict[str, list[tuple[str, PartOf]]]:
    """Who takes parts of a kind, and as which parameter, by the names of the kinds: agents and solvers, and parts, such
    as `bandit=ucb`."""
    found: dict[str, list[tuple[str, PartOf]]] = {}

    def look(owner: str, parameters: Iterable[Askable]) -> None:
        for p in parameters:
            if isinstance(p, PartOf):
                found.setdefault(p.kind.name, []).append((owner, p))
                for word in p.words:
                    look(f"{p.name}={word}", p.parameters_of(p.by_word(word, {}).space))

    for name, parameters in _owners().items():
        look(name, parameters)
    return dict(sorted(found.items()))


def all_kinds() -> list[dict[str, Any]]:
    """Every kind of parts: what its parts do, which there are, and who takes them."""
    return [
        {
            "name": name,
            "about": takers[0][1].kind.about,
            "parts": _parts(takers),
            "taken by": [*dict.fromkeys(owner for owner, _ in takers)],
        }
        for name, takers in _takers().items()
    ]


def _parts(takers: list[tuple[str, PartOf]]) -> list[dict[str, Any]]:
    """The parts of a kind by the words that somebody has for them. One word may stand for several, or for one with
    other usual values; who has it so is told in `of`."""
    found: dict[str, list[dict[str, Any]]] = {}
    for owner, p in takers:
        for word in p.words:
            row, meant = _part(p, word), found.setdefault(word, [])
            same = next((one for one in meant if one | {"of": []} == row), None)
            if same is None:
                meant.append(same := row)
            same["of"] += [owner] * (owner not in same["of"])
    return [row for meant in found.values() for row in meant]


def _part(p: PartOf, word: str) -> dict[str, Any]:
    made = p.by_word(word, {})
    row: dict[str, Any] = {"name": word, "spec": p.presets.get(word, word), "about": made.about, "of": []}
    row |= _asked(p.parameters_of(made.space)) | {"needs": [need.what for need in made.needs]}
    usual = dict(made.values)
    for one in row["parameters"]:
        one["default"] = usual[one["name"]]
    for one in row["parts"]:
        one["default"] = str(usual[one["name"]])
    return row


def one_of(what: str, name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The row of a name, which may come with parameters."""
    return all_of(what, name, rows)[0]


def all_of(what: str, name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a name."""
    name = split_spec(name)[0]
    known = [*dict.fromkeys(row["name"] for row in rows)]
    if name not in known:
        raise SpecError(f"there is no {what} {shown(name)}{suggestion(name, known)}")
    return [row for row in rows if row["name"] == name]


def print_one(row: dict[str, Any]) -> None:
    """What an agent, a solver or a part is, each of its own parameters in words, and the kinds of parts it takes."""
    _print(f"[bold]{escape(row['name'])}[/bold]: {escape(row['about'])}")
    if "(" in row.get("spec", ""):
        _print(escape(f"stands for {row['spec']}"))
    if row.get("of"):
        _print(escape(f"of {listed(row['of'])}"))
    if row.get("games"):
        _print(f"for {escape(row['games'])}")
    for what, needs in {"": row["needs"], **row.get("settings_need", {})}.items():
        if needs:
            _print(escape(f"{what} needs {listed(needs)}".strip()))
    if row["parameters"]:
        console.print()
        _print(_table(("parameter", "default", "range", ""), (_row(p) for p in row["parameters"])))
    if row["parts"]:
        console.print()
        taken = ((p["name"], p["default"], f"{p['about']}: {', '.join(p['words'])}") for p in row["parts"])
        _print(_table(("part", "default", ""), taken))
        kinds = dict.fromkeys(p["kind"] for p in row["parts"])
        _print(f"\nfogspiel parts {next(iter(kinds))} tells what there is of a kind; a file of your own is one, too.")


def print_all(rows: list[dict[str, Any]]) -> None:
    """All that a word stands for."""
    for n, row in enumerate(rows):
        if n:
            console.print()
        print_one(row)


def _row(p: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{p[c]:g}" if isinstance(p[c], float) else str(p[c]) for c in ("name", "default", "range", "about"))


def print_rows(rows: list[dict[str, Any]], what: str) -> None:
    """Names, and what each is."""
    games = any(row.get("games") for row in rows)
    told = (
        (row["name"], row["about"] + (f"\n[dim]for {escape(row['games'])}[/dim]" if games and row["games"] else ""))
        for row in rows
    )
    table = _table((what, ""), ())
    for name, about in told:
        table.add_row(name, about)
    _print(table)
    _print(f"\nfogspiel {what}s NAME tells what can be asked of one.")


def print_kinds(rows: list[dict[str, Any]]) -> None:
    _print(
        _table(("part", ""), ((r["name"], f"{r['about']}: {', '.join(p['name'] for p in r['parts'])}") for r in rows))
    )
    _print("\nfogspiel parts KIND lists the parts of a kind, and fogspiel parts KIND NAME tells of one.")


def print_kind(row: dict[str, Any]) -> None:
    """The parts of a kind."""
    _print(f"[bold]{escape(row['name'])}[/bold]: {escape(row['about'])}")
    owners = [owner for owner in row["taken by"] if "=" not in owner]
    if owners:
        _print(escape(f"of {listed(owners)}"))
    console.print()
    words: dict[str, dict[str, Any]] = {}
    for p in row["parts"]:
        words.setdefault(p["name"], p)
    _print(_table((row["name"], ""), ((word, _told(p, words)) for word, p in words.items())))
    _print(f"\nfogspiel parts {row['name']} NAME tells what can be asked of one.")


def _told(p: dict[str, Any], words: dict[str, dict[str, Any]]) -> str:
    """What a part is, and what can be asked of it; one that is another with other usual values, by that."""
    if p["spec"] != p["name"] and split_spec(p["spec"])[0] in words:
        return p["spec"]
    asked = [q["name"] for q in (*p["parameters"], *p["parts"])]
    return p["about"] + (f"\nwith {', '.join(asked)}" if asked else "")


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, style="bold" if i == 0 else None, overflow="fold")
    for row in rows:
        table.add_row(*(escape(text) for text in row))
    return table


def _print(what: Any) -> None:
    console.print(what, width=min(console.width, WIDTH))
