"""Pictures for papers: log-log convergence curves."""

from collections.abc import Sequence
from pathlib import Path

from fogspiel.errors import FileError
from fogspiel.solve.run import Result

FORMATS = (".png", ".pdf", ".svg")


def require_format(path: Path) -> None:
    if path.suffix.lower() not in FORMATS:
        raise FileError(f"cannot draw to {path}: use a name that ends in {', '.join(FORMATS)}")


def plot_convergence(results: Sequence[Result], path: Path) -> None:
    """Exploitability against iterations, one line a result, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    require_format(path)
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for result in results:
        shown = [(p.iterations, p.exploitability) for p in result.curve if p.exploitability > 0]
        marker = "o" if len(shown) < 2 else None
        axes.plot(*zip(*shown, strict=True) if shown else ([], []), label=result.algorithm, marker=marker, linewidth=1.8)
    axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="exploitability (sum over players)")
    axes.set_title(", ".join(dict.fromkeys(r.game for r in results)))
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if len(results) > 1:
        axes.legend(frameon=False)
    try:
        figure.savefig(path, dpi=160)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        plt.close(figure)
