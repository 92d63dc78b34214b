"""Finds a draft model on the hub, and compares the vocabularies before anything is downloaded."""

import sys

from msgspec import structs

from app.bootstrap import vocabulary_cache
from app.commands.row_choice import row_text
from app.core.compatibility import Incompatible
from app.core.errors import ModelFileError
from app.engine.vocab import check_compatibility
from app.models.draft_facts import Outlook, facts_of_hub, outlook_for
from app.models.draft_suggestions import suggest
from app.models.hub import Hub, HubModel, RemoteModel
from app.models.hub_problems import HubError
from app.models.model_names import printable

_HOPELESS = {
    Outlook.TOO_SMALL: "the model is so small that a draft would not make it faster",
    Outlook.NOT_POSSIBLE: "models of this kind cannot take back rejected tokens",
    Outlook.NO_TEXT: "it does not write text",
    Outlook.NO_NAME: "its name does not tell which family it belongs to",
}


def find_draft(hub: Hub, model: HubModel, row: RemoteModel) -> tuple[HubModel, RemoteModel] | None:
    """The likeliest draft whose vocabulary fits, or None; tells what it finds on standard error.

    Raises HubError where the hub cannot be asked, and ModelFileError for a target whose header is damaged.
    """
    facts = structs.replace(facts_of_hub(model), file_bytes=row.total_bytes)
    outlook = outlook_for(facts)
    if outlook is not Outlook.HOPEFUL:
        _tell(f"No draft model: {_HOPELESS[outlook]}.")
        return None
    suggestions = suggest(hub, facts)
    if not suggestions:
        _tell("No draft model for it was found.")
        return None
    target = hub.header(model, row)
    cache = vocabulary_cache()
    for suggestion in suggestions:
        name = f"{printable(suggestion.model.repo)}, {row_text(suggestion.row)}"
        try:
            verdict = check_compatibility(target, hub.header(suggestion.model, suggestion.row), cache)
        except (HubError, ModelFileError) as error:
            _tell(f"Passed over: {name}: {printable(str(error))}")
            continue
        if isinstance(verdict, Incompatible):
            _tell(f"Passed over: {name}: its vocabulary {printable(verdict.sentence())}")
            continue
        _tell(f"Draft model: {name}; its vocabulary fits")
        return suggestion.model, suggestion.row
    _tell("None of the draft models that were found fits.")
    return None


def _tell(text: str) -> None:
    print(text, file=sys.stderr)
