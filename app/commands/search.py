"""`slipstream search`: models on the Hugging Face hub, as a table."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import datetime
from itertools import chain, islice

from app.bootstrap import hub_client
from app.figures import MISSING, count_text
from app.models.hub import FoundModel, Gate, SortOrder
from app.tables import Column, Table, printable

SORTS = {
    "best": SortOrder.BEST_MATCH,
    "downloads": SortOrder.DOWNLOADS,
    "likes": SortOrder.LIKES,
    "updated": SortOrder.UPDATED,
}
_NOTHING = 1  # the exit code, as grep's

_ACCESS = {Gate.OPEN: "open", Gate.AUTOMATIC: "licence to accept", Gate.MANUAL: "on request"}


def run(arguments: Namespace) -> int:
    """Prints what is found; returns the exit code."""
    words = " ".join(arguments.words)
    found = chain.from_iterable(hub_client().search(words, SORTS[arguments.sort]))
    models = tuple(islice(found, arguments.limit))
    if not models:
        print(f"slipstream: nothing with GGUF files was found for “{printable(words)}”", file=sys.stderr)
        return _NOTHING
    print(results_table(models).text())
    if len(models) == arguments.limit and sys.stdout.isatty():
        print(f"\nThese are the first {arguments.limit}; --limit shows more.")
    return 0


def results_table(models: Sequence[FoundModel]) -> Table:
    """One row a repository."""
    columns = (
        Column("repository", shortens=True),
        Column("parameters", right=True),
        Column("downloads", right=True),
        Column("likes", right=True),
        Column("updated"),
        Column("access"),
    )
    return Table(columns, tuple(_row(model) for model in models))


def _row(model: FoundModel) -> tuple[str, ...]:
    return (
        model.repo,
        MISSING if model.parameters is None else count_text(model.parameters),
        MISSING if model.downloads is None else f"{model.downloads:,}",
        MISSING if model.likes is None else f"{model.likes:,}",
        MISSING if model.updated is None else f"{datetime.fromtimestamp(model.updated):%Y-%m-%d}",
        _ACCESS[model.gate],
    )
