"""`slipstream get`: downloads a model from the Hugging Face hub, and goes on where an earlier run stopped."""

import sys
from argparse import Namespace
from pathlib import Path

from app.bootstrap import hub_client
from app.commands.draft_choice import find_draft
from app.commands.fetch import fetch
from app.commands.row_choice import NoChoiceError, chosen_row, rows_table
from app.core.errors import SlipstreamError
from app.models.download import DownloadRequest
from app.models.download_places import model_folder
from app.models.hub import HubModel, RemoteModel
from app.models.hub_query import Repository, hub_endpoint, parse_query
from app.paths import config_folder, models_folder
from app.settings_file import SettingsFile
from app.tables import printable

_FAILED = 1
_NO_DRAFT = 3  # nothing compatible


def run(arguments: Namespace) -> int:
    """Fetches a row, and its draft if asked for; prints their paths; returns the exit code."""
    hub = hub_client()
    repo, name = _wanted(arguments.repo, arguments.name)
    model = hub.describe(repo)
    if model.repo.casefold() != repo.casefold():
        print(f"{printable(repo)} is called {printable(model.repo)} now.", file=sys.stderr)
    try:
        row = chosen_row(model, name, arguments.draft)
    except NoChoiceError as error:
        print(f"slipstream: {printable(str(error))}", file=sys.stderr)
        if error.rows:
            print(f"\n{rows_table(error.rows).text()}", file=sys.stderr)
        return _FAILED
    pair = find_draft(hub, model, row) if arguments.draft else None
    print(fetch(_request(model, row, arguments.folder)), flush=True)
    if pair is not None:
        print(fetch(_request(*pair, arguments.folder)))
    return _NO_DRAFT if arguments.draft and pair is None else 0


def _wanted(text: str, name: str | None) -> tuple[str, str | None]:
    """The repository, and what is wanted of it: both may be in one address, or in "repository:Q4_K_M"."""
    query = parse_query(text, hub_endpoint())
    if not isinstance(query, Repository):
        raise SlipstreamError(
            f"“{printable(text)}” does not name a repository, such as bartowski/Llama-3.2-1B-Instruct-GGUF. "
            "`slipstream search` finds them."
        )
    return query.repo, name or query.file or query.quantisation


def _request(model: HubModel, row: RemoteModel, folder: Path | None) -> DownloadRequest:
    place = model_folder(_own_models_folder(), model.repo) if folder is None else folder.absolute()
    return DownloadRequest(model.repo, model.commit, row.files, place, row.quantisation or "Download")


def _own_models_folder() -> Path:
    """Where the window, too, puts what it downloads. Tells what of the settings cannot be used."""
    file = SettingsFile(config_folder() / "settings.json")
    settings = file.load()
    for problem in file.problems:
        print(f"slipstream: {printable(problem)}", file=sys.stderr)
    return settings.models_folder or models_folder()
