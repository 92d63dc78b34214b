"""Draft models on the hub for a target: found by what is known, by base models, and by family.

The vocabulary is not compared here: for that, headers have to be fetched.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import islice

from msgspec import Struct

from app.core.advice import DraftSize, draft_size
from app.models.draft_facts import Outlook, TargetFacts, can_take_back, is_small, outlook_for, writes_text
from app.models.hub import FoundModel, Gate, Hub, HubModel, RemoteModel, SortOrder
from app.models.hub_problems import HubError, HubProblem
from app.models.known_pairs import is_named, known_drafts, purposes_of
from app.models.model_family import ModelFamily, Trait, parse_family
from app.models.quantisations import Quality, quality_of

_BEST_SHARE = 0.05  # of the target's parameters
_LARGEST_SHARE = 0.4  # above, drafting takes too much of the time that it is to save
_LARGEST_BYTES = 0.5  # of the target's file
_TINY = 400e6  # parameters; such models lose much when they are squeezed, and are quick as they are
_PAGES = 2  # of a search for a family; for a name the first has what most people take
_EACH_SIZE = 2  # repositories that are suggested of one draft
_FORMATS = (
    "Q4_K_M",
    "Q4_K_S",
    "Q4_K_L",
    "Q4_K_XL",
    "Q5_K_M",
    "Q4_0",
    "IQ4_XS",
    "Q6_K",
    "Q8_0",
    "F16",
    "BF16",
)
_TINY_FORMATS = ("Q8_0", "F16", "BF16", "Q6_K", "Q5_K_M", "Q4_K_M")
_USABLE = frozenset((Quality.FAIR, Quality.GOOD, Quality.VERY_GOOD, Quality.NEAR_ORIGINAL, Quality.ORIGINAL))
PASSED_OVER = frozenset(  # what one repository may answer, while others are still worth asking for
    (
        HubProblem.NOT_FOUND,
        HubProblem.HIDDEN,
        HubProblem.GATED,
        HubProblem.UNAUTHORISED,
        HubProblem.FORBIDDEN,
        HubProblem.CHANGED,
        HubProblem.NOT_THE_ANSWER,
        HubProblem.BAD_NAME,
    )
)


class Grounds(StrEnum):
    """Why a draft is suggested."""

    KNOWN_PAIR = "known_pair"  # people have run the two together
    SAME_BASE = "same_base"  # known for, or kin of, the model that the target was made from
    SAME_FAMILY = "same_family"


class DraftSuggestion(Struct, frozen=True):
    """A file that is likely to draft for the target."""

    model: HubModel
    row: RemoteModel
    grounds: Grounds
    small_target: bool  # the target is so quick that little is to be gained


class _Wish(Struct, frozen=True):
    """A search, and what it is to find: the model of a name, or with none, kin of a family."""

    words: str
    kin: ModelFamily
    name: str
    grounds: Grounds


def query_for(facts: TargetFacts) -> str:
    """Words that find drafts, for a search field; empty where nothing tells."""
    wish = next(_wishes(facts), None)
    return "" if wish is None else wish.words


def suggest(
    hub: Hub, facts: TargetFacts, limit: int = 4, going_on: Callable[[], bool] = lambda: True
) -> tuple[DraftSuggestion, ...]:
    """The likeliest drafts first; none where `outlook_for` holds out no hope. Asks the hub several times.

    What is found is incomplete once `going_on` has said no. Raises HubError where nothing could be found
    out; a repository that cannot be seen is passed over.
    """
    found: list[DraftSuggestion] = []
    if outlook_for(facts) is not Outlook.HOPEFUL:
        return ()
    try:
        for suggestion in islice(_suggestions(hub, facts, going_on), limit):
            found.append(suggestion)
    except HubError:
        if not found:
            raise
    return tuple(found)


def _suggestions(hub: Hub, facts: TargetFacts, going_on: Callable[[], bool]) -> Iterator[DraftSuggestion]:
    seen: set[str] = set() if facts.repo is None else {facts.repo}
    taken: Counter[tuple[str, str, int | None, frozenset[Trait]]] = Counter()
    for wish in _wishes(facts):
        for candidate in _ranked(wish, facts, _search(hub, wish, going_on)):
            parsed = parse_family(candidate.name)
            kind = parsed.family, parsed.version, parsed.parameters, purposes_of(parsed)
            if not going_on():
                return
            if candidate.repo in seen or taken[kind] >= _EACH_SIZE:
                continue
            seen.add(candidate.repo)
            model = _described(hub, candidate.repo)
            row = None if model is None or model.repo == facts.repo else draft_row(model, facts.file_bytes)
            if model is not None and row is not None:
                taken[kind] += 1
                yield DraftSuggestion(model, row, wish.grounds, is_small(facts))


def _wishes(facts: TargetFacts) -> Iterator[_Wish]:
    """The known drafts of the target itself and of what it was made from, then the families of both."""
    for place, family in enumerate(facts.families):
        for name in known_drafts(family, facts.parameters):
            yield _Wish(name, family, name, Grounds.KNOWN_PAIR if place < facts.own else Grounds.SAME_BASE)
    told = set()
    for place, family in enumerate(facts.families):
        if family.family and family.writes_text and (family.family, family.version) not in told:
            told.add((family.family, family.version))
            yield _Wish(
                family.stem, family, "", Grounds.SAME_FAMILY if place < facts.own else Grounds.SAME_BASE
            )


def _search(hub: Hub, wish: _Wish, going_on: Callable[[], bool]) -> Iterator[FoundModel]:
    for page in islice(hub.search(wish.words, SortOrder.DOWNLOADS), 1 if wish.name else _PAGES):
        yield from page
        if not going_on():
            return


def _ranked(wish: _Wish, facts: TargetFacts, found: Iterable[FoundModel]) -> list[FoundModel]:
    """Those that may draft, the likeliest first."""
    rated = []
    for model in found:
        family = parse_family(model.name)
        parameters = model.parameters or family.parameters
        if _may_draft(wish, facts, model, family):
            distance = 0.0 if wish.name else _distance(facts, parameters)
            rated.append((_strangeness(wish.kin, family), distance, _standing(facts, model), model))
    rated.sort(key=lambda each: each[:3])
    return [model for *_, model in rated]


def _may_draft(wish: _Wish, facts: TargetFacts, model: FoundModel, family: ModelFamily) -> bool:
    if not (can_take_back(model.architecture) and writes_text(model.architecture) and family.writes_text):
        return False
    if Trait.VISION in family.traits or not family.parameters or family.active_parameters is not None:
        return False
    if wish.name and not is_named(family, wish.name):
        return False
    if not wish.name and not family.is_kin_of(wish.kin):
        return False
    work = facts.working_parameters
    if work is None:
        return bool(wish.name)
    parameters = model.parameters or family.parameters
    suits = draft_size(work, parameters) is DraftSize.SUITS or bool(wish.name)
    return suits and parameters <= _LARGEST_SHARE * work


def _strangeness(target: ModelFamily, draft: ModelFamily) -> int:
    """How unlike the target's the draft's words will be: less for the same purpose and the plain release."""
    far = 4 * len(purposes_of(target) ^ purposes_of(draft))
    if (Trait.BASE in target.traits) is not (Trait.BASE in draft.traits):
        far += 2
    elif (Trait.CHAT in target.traits) is not (Trait.CHAT in draft.traits):
        far += 1
    return far + 2 * len(set(draft.extras) - {"draft"})


def _distance(facts: TargetFacts, parameters: int | None) -> float:
    """How far a size is from the best, the same for half of it and twice of it; in coarse steps."""
    work = facts.working_parameters
    return round(abs(math.log((parameters or 1) / (work * _BEST_SHARE))), 1) if work else 0.0


def _standing(facts: TargetFacts, model: FoundModel) -> tuple[bool, bool, int]:
    """What can be had at once, from whom the target is, and what many people take, come first."""
    return model.gate is not Gate.OPEN, model.publisher != facts.publisher, -(model.downloads or 0)


def _described(hub: Hub, repo: str) -> HubModel | None:
    try:
        return hub.describe(repo)
    except HubError as error:
        if error.problem not in PASSED_OVER:
            raise
        return None


def draft_row(model: HubModel, target_bytes: int | None) -> RemoteModel | None:
    """The file that makes a good draft: small, and not squeezed too hard; None if there is none."""
    parameters = model.found.parameters or parse_family(model.found.name).parameters
    wanted = _TINY_FORMATS if parameters is not None and parameters < _TINY else _FORMATS
    fitting = [
        row
        for row in model.models
        if target_bytes is None or row.total_bytes <= _LARGEST_BYTES * target_bytes
    ]
    by_format = {row.quantisation.upper().removeprefix("UD-"): row for row in reversed(fitting)}
    for each in wanted:
        if each in by_format:
            return by_format[each]
    others = [row for row in fitting if quality_of(row.quantisation) in _USABLE]
    return min(others, key=lambda row: row.total_bytes, default=None)
