"""What an experiment notes about where it was made: the machine, and which models they were."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from app.core.errors import ModelFileError
from app.core.experiment import ModelIdentity, Plan
from app.core.machine import Machine, describe_machine
from app.models.library import LocalModel
from app.models.model_identity import model_identity
from app.ui.identities import identity_of
from app.ui.side import Side


class Facts(Struct, frozen=True):
    """They are found out before anything is measured, because reading files would disturb it."""

    machine: Machine
    target: ModelIdentity
    drafts: dict[Path, ModelIdentity]  # by the file that is loaded


def find_facts(target: LocalModel, sides: Sequence[Side], engine_version: str) -> Facts:
    """Reads headers and asks the system, which takes a while."""
    drafts = {side.draft.path: side.draft for side in sides if side.draft is not None}
    return Facts(
        machine=describe_machine(engine_version),
        target=_identity(target),
        drafts={path: _identity(draft) for path, draft in drafts.items()},
    )


def with_identities(plan: Plan, sides: Sequence[Side], facts: Facts) -> Plan:
    """The plan, its variants naming the draft models that they really use."""
    variants = tuple(
        replace(side.variant, draft=None if side.draft is None else facts.drafts[side.draft.path])
        for side in sides
    )
    return replace(plan, variants=variants)


def _identity(model: LocalModel) -> ModelIdentity:
    """With its header's digest, where the file is still what it was when it was loaded."""
    known = identity_of(model)
    try:
        return replace(known, header_digest=model_identity(model.info).header_digest)
    except ModelFileError:  # gone or changed meanwhile, so its header tells nothing of what is loaded
        return known
