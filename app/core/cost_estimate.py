"""What rounds of a pair will cost that was never measured: from other models here, or from sizes alone."""

import math

from msgspec import Struct

from app.core.expectation import StepCosts
from app.core.machine_speed import MachineSpeed
from app.core.options import LONGEST_DRAFT
from app.core.pair_record import MeasuredPair
from app.core.pass_costs import PassCosts

_DRAFT_ERROR = 1.25  # by which a draft's step may be dearer than its bytes say: small models have overhead
_OPERATIONS = 2  # an addition and a multiplication for each parameter and token

# What a further token of a pass costs at best and at worst, against as many operations of a matrix product of
# single precision: some of it happens while weights are read, and weights of few bits are unpacked first.
_FLOAT_FORMATS = ("F32", "F16", "BF16")
_FLOATS = (0.6, 1.2)
_QUANTISED = (0.8, 1.8)


class ModelSize(Struct, frozen=True):
    """Of a model that reads all its weights for each token. No figure is 0."""

    parameters: int
    file_bytes: int
    quantisation: str


class CostRange(Struct, frozen=True):
    """What steps cost if all goes well, and if it does not."""

    best: StepCosts
    worst: StepCosts


def measured_costs(costs: PassCosts) -> CostRange:
    """What was measured for the pair itself."""
    return _range(costs.step_s, costs.draft_s or 0.0, _checks(costs, 1.0), error=1.0)


def costs_by_format(
    target: ModelSize,
    draft: ModelSize | None,
    target_format: tuple[MeasuredPair, ...],
    draft_format: tuple[MeasuredPair, ...],
) -> CostRange | None:
    """From measured targets of the same number formats: the nearest in size, slower as the model is larger.

    The draft's own format may also have been measured as a draft. Where nothing is known of it, its bytes are
    read as fast as the target's. None where nothing is known of the target's format.
    """
    like = min(
        target_format, key=lambda pair: _apart(target.file_bytes, pair.target.size_bytes), default=None
    )
    if like is None:
        return None
    scale = target.file_bytes / like.target.size_bytes
    step_s = scale * like.costs.step_s
    draft_s = 0.0
    if draft is not None:
        steps = [(pair.target.size_bytes, pair.costs.step_s) for pair in draft_format]
        steps += _drafting_steps(draft.quantisation, target_format)
        steps = steps or [(target.file_bytes, step_s)]
        size, draft_s = min(steps, key=lambda step: _apart(draft.file_bytes, step[0]))
        draft_s *= draft.file_bytes / size
    return _range(step_s, draft_s, _checks(like.costs, scale), error=_DRAFT_ERROR)


def costs_by_size(target: ModelSize, draft: ModelSize | None, speed: MachineSpeed) -> CostRange:
    """From sizes and this computer's speed.

    A pass reads all weights once, and calculates with each of them for each token. With one token the reading
    takes the time; each further one adds its share of calculating.
    """
    read_s = target.file_bytes / speed.bytes_per_s
    token_s = _OPERATIONS * target.parameters / speed.operations_per_s
    draft_s = 0.0 if draft is None else draft.file_bytes / speed.bytes_per_s
    best, worst = _FLOATS if target.quantisation in _FLOAT_FORMATS else _QUANTISED
    further = range(LONGEST_DRAFT + 1)
    return CostRange(
        StepCosts(read_s, draft_s, checks=tuple(read_s + more * best * token_s for more in further)),
        StepCosts(
            read_s, _DRAFT_ERROR * draft_s, checks=tuple(read_s + more * worst * token_s for more in further)
        ),
    )


def _drafting_steps(quantisation: str, pairs: tuple[MeasuredPair, ...]) -> list[tuple[int, float]]:
    """The sizes of the drafts of one format, each with the time of drafting a token."""
    return [
        (pair.draft.size_bytes, pair.costs.draft_s)
        for pair in pairs
        if pair.draft is not None and pair.costs.draft_s and pair.draft.quantisation == quantisation
    ]


def _apart(size: int, other: int) -> float:
    """The same for half of a size and twice of it."""
    return abs(math.log(size / other))


def _checks(costs: PassCosts, scale: float) -> tuple[float, ...]:
    return tuple(scale * costs.pass_s(tokens) for tokens in range(1, LONGEST_DRAFT + 2))


def _range(step_s: float, draft_s: float, checks: tuple[float, ...], *, error: float) -> CostRange:
    return CostRange(
        StepCosts(step_s, draft_s, checks=checks), StepCosts(step_s, error * draft_s, checks=checks)
    )
