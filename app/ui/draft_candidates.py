"""Which local models can draft for a target, the best first, and why the others cannot."""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from app.core.advice import DraftSize, draft_size
from app.core.compatibility import Compatibility, Compatible, Incompatible
from app.models.info import ModelInfo
from app.models.library import LocalModel, UnusableFile

_BEST_SHARE = 0.1  # of the target's bytes: small enough to be quick, large enough to guess well
_LARGEST_SHARE = 0.5  # above, drafting takes half the time of the target's own pass or more


class Identifying(Struct, frozen=True):
    """The file is still being looked at."""


class Suitable(Struct, frozen=True):
    """The model can draft."""

    size: DraftSize


class OtherVocabulary(Struct, frozen=True):
    """The vocabularies do not fit."""

    reason: Incompatible


class SameFile(Struct, frozen=True):
    """It is the target itself."""


class CannotRollBack(Struct, frozen=True):
    """A recurrent model that cannot take back rejected tokens."""


class Unreadable(Struct, frozen=True):
    """The file cannot be used; `sentence` is for people."""

    sentence: str


class Gone(Struct, frozen=True):
    """It was chosen once, and is not there any more."""


Verdict = Identifying | Suitable | OtherVocabulary | SameFile | CannotRollBack | Unreadable | Gone


class Candidate(Struct, frozen=True):
    """A row of the picker. `model` is None for a file that is not in the library."""

    path: Path
    model: LocalModel | None
    verdict: Verdict

    @property
    def can_draft(self) -> bool:
        """Whether it may be chosen."""
        return isinstance(self.verdict, Suitable)

    @property
    def is_open(self) -> bool:
        """Whether the answer is not there yet."""
        return isinstance(self.verdict, Identifying)


def takes_back_tokens(info: ModelInfo) -> bool:
    """Whether rejected tokens can be taken back from a model, as far as its header tells."""
    return info.rolls_back or not (info.is_recurrent or info.is_hybrid)


def at_a_glance(target: LocalModel, draft: LocalModel) -> Verdict:
    """What is known without comparing vocabularies; Identifying where that is needed."""
    if draft.path == target.path:
        return SameFile()
    if not takes_back_tokens(draft.info):
        return CannotRollBack()
    return Identifying()


def verdict_on(target: LocalModel, draft: LocalModel, answer: Compatibility) -> Verdict:
    """What the comparison of the vocabularies comes to."""
    match answer:
        case Compatible():
            return Suitable(size_of(target.info, draft.info))
        case Incompatible():
            return OtherVocabulary(answer)


def size_of(target: ModelInfo, draft: ModelInfo) -> DraftSize:
    """How the draft's size suits: by the number of parameters, and by the bytes, which take the time."""
    by_guide = draft_size(target.parameters, draft.parameters)
    if draft.total_bytes > _LARGEST_SHARE * target.total_bytes:
        return DraftSize.LARGE
    return by_guide


def arrange(
    target: LocalModel,
    models: Iterable[LocalModel],
    unusable: Iterable[UnusableFile],
    verdicts: Mapping[Path, Verdict],
    chosen: Path | None,
) -> tuple[Candidate, ...]:
    """Every model: those that can draft, or may turn out to, by size; then the others.

    A chosen file that cannot draft comes first, since that is what the person must see.
    """
    rows = [
        Candidate(model.path, model, verdicts.get(model.path) or at_a_glance(target, model))
        for model in models
    ]
    if chosen is not None and all(row.path != chosen for row in rows):
        rows.append(Candidate(chosen, None, _loss(chosen, unusable)))
    rows.sort(key=lambda row: (row.path != chosen or row.can_draft or row.is_open, *_rank(target.info, row)))
    return tuple(rows)


def _loss(path: Path, unusable: Iterable[UnusableFile]) -> Verdict:
    found = next((file for file in unusable if file.path == path), None)
    return Gone() if found is None else Unreadable(found.sentence)


def _rank(target: ModelInfo, row: Candidate) -> tuple[int, float, str, str]:
    name, path = row.path.name, str(row.path)
    if row.model is None or not (row.can_draft or row.is_open):
        return 3 if isinstance(row.verdict, SameFile) else 2, 0.0, name, path
    draft = row.model.info
    group = 1 if size_of(target, draft) is DraftSize.LARGE else 0
    return group, _distance(target, draft), name, path


def _distance(target: ModelInfo, draft: ModelInfo) -> float:
    """How far a draft is from the best size, the same for half of it and twice of it."""
    share = max(draft.total_bytes, 1) / max(target.total_bytes, 1)
    return abs(math.log(share / _BEST_SHARE))
