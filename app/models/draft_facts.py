"""What is known of a model for which a draft is wanted, and whether wanting one makes sense."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from app.core.advice import DraftSize, draft_size
from app.models.architectures import EMBEDDING, HYBRID, RECURRENT, ROLLS_BACK, UNSUPPORTED
from app.models.hub import HubModel
from app.models.known_pairs import known_drafts
from app.models.library import LocalModel
from app.models.model_family import ModelFamily, parse_family
from app.models.model_names import hub_root


class TargetFacts(Struct, frozen=True):
    """A target. None: not known. `families` has what its own names say first, then what it was made from."""

    name: str  # for people
    repo: str | None  # None for a model on this computer
    publisher: str
    families: tuple[ModelFamily, ...]
    own: int  # how many of the families are from its own names
    parameters: int | None  # counted
    file_bytes: int | None
    architecture: str | None

    @property
    def working_parameters(self) -> int | None:
        """What one token's work takes: fewer than all in a mixture of experts."""
        named = next((each for each in self.families[: self.own] if each.working_parameters), None)
        if named is not None and named.active_parameters is not None:
            return named.active_parameters
        return self.parameters or (None if named is None else named.parameters)


class Outlook(StrEnum):
    """Whether it makes sense to look for a draft."""

    HOPEFUL = "hopeful"
    TOO_SMALL = "too_small"  # the target is so quick that no draft is likely to pay
    NOT_POSSIBLE = "not_possible"  # it cannot take back rejected tokens
    NO_TEXT = "no_text"  # it is no model that writes text
    NO_NAME = "no_name"  # nothing tells of what family it is


def facts_of_hub(model: HubModel) -> TargetFacts:
    """What a repository tells."""
    found = model.found
    return TargetFacts(
        name=found.name,
        repo=found.repo,
        publisher=found.publisher,
        families=_families((found.name, *model.base_models)),
        own=1,
        parameters=found.parameters,
        file_bytes=None,
        architecture=found.architecture,
    )


def facts_of_local(model: LocalModel) -> TargetFacts:
    """What a model on this computer tells: its file's name, its folder's, and its header."""
    info = model.info
    best = max(_local_families(model), key=_telling, default=None)
    return TargetFacts(
        name=model.name,
        repo=None,
        publisher=model.publisher,
        families=() if best is None else (best,),
        own=0 if best is None else 1,
        parameters=info.parameters,
        file_bytes=info.total_bytes,
        architecture=info.architecture,
    )


def outlook_for(facts: TargetFacts) -> Outlook:
    """Whether looking makes sense, from what is known without the network."""
    own = facts.families[: facts.own]
    if not can_take_back(facts.architecture):
        return Outlook.NOT_POSSIBLE
    if not writes_text(facts.architecture) or any(not family.writes_text for family in own):
        return Outlook.NO_TEXT
    if not any(family.family for family in facts.families):
        return Outlook.NO_NAME
    if any(known_drafts(family, facts.parameters) for family in facts.families):
        return Outlook.HOPEFUL
    work = facts.working_parameters
    if work is not None and draft_size(work, 0) is DraftSize.TARGET_SMALL:
        return Outlook.TOO_SMALL
    return Outlook.HOPEFUL


def is_small(facts: TargetFacts) -> bool:
    """Whether a target is so quick by itself that a draft gains little, even one that is known to fit."""
    work = facts.working_parameters
    return work is not None and draft_size(work, 0) is DraftSize.TARGET_SMALL


def can_take_back(architecture: str | None) -> bool:
    """Whether models of an architecture can take back rejected tokens, as far as its name tells."""
    return architecture in ROLLS_BACK or architecture not in RECURRENT | HYBRID


def writes_text(architecture: str | None) -> bool:
    """Whether models of an architecture continue texts, as far as its name tells."""
    return architecture not in EMBEDDING and architecture not in UNSUPPORTED


def _families(names: Iterable[str]) -> tuple[ModelFamily, ...]:
    return tuple(dict.fromkeys(parse_family(name) for name in names))


def _local_families(model: LocalModel) -> tuple[ModelFamily, ...]:
    info = model.info
    root = hub_root(info.path)
    folder = info.path.parent.name if root is None else root.name.replace("--", "/")
    families = _families((info.path.name, folder, info.name or "", model.name))
    return tuple(each for each in families if _telling(each) and _may_be(each, info.parameters))


def _telling(family: ModelFamily) -> int:
    """How much a name tells; of equals the first is taken. A folder may well be called "Downloads"."""
    if not family.family:
        return 0
    return 3 * family.is_recognised + 2 * bool(family.version) + (family.parameters is not None)


def _may_be(family: ModelFamily, parameters: int) -> bool:
    """False for a name that claims another size: headers often carry an ancestor's."""
    if family.parameters is None or family.active_parameters is not None:
        return True
    return 0.5 <= family.parameters / max(parameters, 1) <= 2
