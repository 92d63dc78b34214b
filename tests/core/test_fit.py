"""Whether a model fits a machine: the borders, in bytes."""

import pytest

from app.core.estimate import MemoryEstimate, Missing, ModelMemory, Part, PartName
from app.core.fit import Fit, Need, Room, fit_of, need_of, rough_need, typical_draft_bytes

GB = 1_000_000_000


@pytest.mark.parametrize(
    ("target", "draft", "free", "total", "fit"),
    [
        (5 * GB, 1 * GB, 16 * GB, 32 * GB, Fit.FITS),
        (5 * GB, 10 * GB + 1, 16 * GB, 32 * GB, Fit.FITS_WITHOUT_DRAFT),
        (15 * GB, 0, 16 * GB, 32 * GB, Fit.FITS),  # 1 GB to spare is enough
        (15 * GB + 1, 0, 16 * GB, 32 * GB, Fit.TIGHT),
        (16 * GB, 0, 16 * GB, 16 * GB, Fit.TIGHT),
        (16 * GB + 1, 0, 16 * GB, 16 * GB, Fit.TOO_LARGE),
        (20 * GB, 0, 16 * GB, 32 * GB, Fit.TIGHT),  # once other programs give way
        (28 * GB, 0, 16 * GB, 32 * GB, Fit.TOO_LARGE),
        (20 * GB, 0, 16 * GB, None, Fit.TOO_LARGE),
        (900_000_000, 0, 1 * GB, 2 * GB, Fit.FITS),  # a tenth of what is free
        (900_000_001, 0, 1 * GB, 2 * GB, Fit.TIGHT),
        (1, 0, 0, 0, Fit.TOO_LARGE),
    ],
)
def test_what_is_known_in_full(target: int, draft: int, free: int, total: int | None, fit: Fit) -> None:
    assert fit_of(Need(target, is_complete=True), draft, Room(free, total)) is fit


def test_what_is_unknown_is_no_refusal_and_no_promise() -> None:
    room = Room(16 * GB, 16 * GB)

    assert fit_of(Need(1 * GB, is_complete=False), 0, room) is Fit.UNKNOWN
    assert fit_of(Need(15 * GB + 1, is_complete=False), 0, room) is Fit.UNKNOWN
    assert fit_of(Need(17 * GB, is_complete=False), 0, room) is Fit.TOO_LARGE, "what is known is too much"


def estimate(weights: int, cache: int | None) -> MemoryEstimate:
    given = {PartName.WEIGHTS: weights, PartName.REPACKED_WEIGHTS: weights // 10, PartName.KV_CACHE: cache}
    parts = tuple(
        Part(name, None, Missing.HEADS)
        if given.get(name, 0) is None
        else Part(name, given.get(name, 0), None)
        for name in PartName
    )
    return MemoryEstimate(ModelMemory(parts), None, certain=True)


def test_the_weights_grow_with_the_file_and_the_caches_do_not() -> None:
    found = estimate(4 * GB, 1 * GB)

    assert need_of(found) == Need(5 * GB + 400_000_000, is_complete=True)
    assert need_of(found, 2.0) == Need(9 * GB + 800_000_000, is_complete=True)


def test_an_estimate_that_lacks_something_says_so() -> None:
    assert need_of(estimate(4 * GB, None)) == Need(4_400_000_000, is_complete=False)


def test_rough_figures_are_more_than_the_file_and_a_usual_draft_is_a_fraction() -> None:
    assert rough_need(4 * GB).bytes > 4 * GB
    assert typical_draft_bytes(4 * GB) < 1 * GB
    assert typical_draft_bytes(400 * GB) < 2 * GB
