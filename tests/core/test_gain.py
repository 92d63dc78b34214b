"""Whether a speed-up is one."""

import pytest

from app.core.experiment import Interval
from app.core.gain import Gain, gain_of


@pytest.mark.parametrize(
    ("factor", "interval", "wanted"),
    [
        (1.30, None, Gain.FASTER),
        (1.04, None, Gain.EVEN),  # one run tells nothing of the noise
        (0.96, None, Gain.EVEN),
        (0.90, None, Gain.SLOWER),
        (1.04, Interval(1.02, 1.06), Gain.FASTER),  # small, and sure
        (0.97, Interval(0.96, 0.98), Gain.SLOWER),
        (1.30, Interval(0.98, 1.60), Gain.EVEN),  # large, and unsure
    ],
)
def test_the_interval_decides_where_there_is_one(
    factor: float, interval: Interval | None, wanted: Gain
) -> None:
    assert gain_of(factor, interval) is wanted
