"""What there is to choose from: agents, solvers and the kinds of parts that they are made of, in 80 columns."""

from collections.abc import Iterable
from typing import Any

from rich.markup import escape
from rich.table import Table

from fogspiel.agents.registry import KINDS as AGENTS
from fogspiel.app.show import console, told_of
from fogspiel.engine.part import Part, PartKind
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
    return row | _asked(e.parameters) | _needs(e.needs, e.asks)


def all_agents() -> list[dict[str, Any]]:
    house = [
        {"name": name, "about": kind.about, "games": "", "kind": "search"}
        | _asked(kind.parameters)
        | _needs(kind.needs, kind.settings_need)
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


def _needs(needs: Iterable[Need], asks: Asks) -> dict[str, Any]:
    """What is needed of a game, and by single settings, in words."""
    settings = {f"{name}={word}": own for name, ways in asks.items() for word, own in ways.items() if own}
    return {
        "needs": [need.what for need in needs],
        "settings_need": {setting: [need.what for need in own] for setting, own in settings.items()},
    }


def _owners() -> dict[str, tuple[Askable, ...]]:
    """What can be asked of each agent and solver."""
    return {n: k.parameters for n, k in AGENTS.items()} | {n: e.parameters for n, e in SOLVERS.items()}


def kinds_taken() -> dict[str, tuple[PartKind, dict[str, list[str]]]]:
    """The kinds of parts that agents, solvers and other parts take, by name; and the words by which each takes them."""
    found: dict[str, tuple[PartKind, dict[str, list[str]]]] = {}

    def look(owner: str, parameters: Iterable[Askable]) -> None:
        for p in parameters:
            if isinstance(p, PartOf):
                _, owners = found.setdefault(p.kind.name, (p.kind, {}))
                owners.setdefault(owner, []).extend(p.words)
                for word in p.words:
                    look(f"{p.name}={word}", p.by_word(word, {}).parameters)

    for name, parameters in _owners().items():
        look(name, parameters)
    return found


def all_kinds() -> list[dict[str, Any]]:
    """Every kind of parts: what its parts do, which there are, and who takes them."""
    return [
        {"name": name, "about": kind.about, "parts": [_part(p) for p in _parts(kind, owners)], "taken by": [*owners]}
        for name, (kind, owners) in sorted(kinds_taken().items())
    ]


def _parts(kind: PartKind, owners: dict[str, list[str]]) -> list[tuple[str, Part]]:
    """The parts of a kind by the words that somebody has for them, the first of each."""
    words = dict.fromkeys(w for ws in owners.values() for w in ws)
    found: dict[str, tuple[str, Part]] = {}
    for word in words:
        name = word if word in kind.spaces else _of_preset(kind, word)
        if name is not None:
            found.setdefault(word, (word, kind.part(name)))
    return [*found.values()]


def _of_preset(kind: PartKind, word: str) -> str | None:
    for parameters in _owners().values():
        for p in parameters:
            if isinstance(p, PartOf) and p.kind is kind and word in p.presets:
                return split_spec(p.presets[word])[0]
    return None


def _part(named: tuple[str, Part]) -> dict[str, Any]:
    word, made = named
    own = [p for p in made.parameters if not isinstance(p, PartOf)]
    return {
        "name": word,
        "about": made.about,
        "parameters": told_of(own),
        "parts": _asked(made.parameters)["parts"],
        "needs": [need.what for need in made.needs],
    }


def one_of(what: str, name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The row of a name, which may come with parameters."""
    name = split_spec(name)[0]
    found = {row["name"]: row for row in rows}
    if name not in found:
        raise SpecError(f"there is no {what} {shown(name)}{suggestion(name, found)}")
    return found[name]


def print_one(row: dict[str, Any]) -> None:
    """What an agent, a solver or a part is, each of its own parameters in words, and the kinds of parts it takes."""
    _print(f"[bold]{escape(row['name'])}[/bold]: {escape(row['about'])}")
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
    _print(_table((row["name"], ""), ((_spelt(p), p["about"]) for p in row["parts"])))
    _print(f"\nfogspiel parts {row['name']} NAME tells what can be asked of one.")


def _spelt(p: dict[str, Any]) -> str:
    """A part with its parameters as a spec has them."""
    asked = [*(f"{q['name']}" for q in p["parameters"]), *(q["name"] for q in p["parts"])]
    return f"{p['name']}({','.join(asked)})" if asked else p["name"]


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, style="bold" if i == 0 else None, overflow="fold")
    for row in rows:
        table.add_row(*(escape(text) for text in row))
    return table


def _print(what: Any) -> None:
    console.print(what, width=min(console.width, WIDTH))
