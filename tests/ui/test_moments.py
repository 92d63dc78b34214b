"""Times of day here."""

from datetime import datetime

import pytest

from app.ui.moments import local_moment, moment_text


def test_a_moment_is_the_calendars_here() -> None:
    moment = datetime(2026, 11, 30, 9, 12)
    assert local_moment(moment.timestamp()) == moment
    assert moment_text(moment.timestamp()) == "2026-11-30 09:12"


@pytest.mark.parametrize("seconds", [1e20, -1e20, float("nan"), float("inf")])
def test_what_no_calendar_has_is_none(seconds: float) -> None:
    assert local_moment(seconds) is None
    assert moment_text(seconds) == "–"
