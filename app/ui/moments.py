"""Times of day as this machine's calendar has them."""

from datetime import datetime

from app.figures import MISSING


def local_moment(seconds: float) -> datetime | None:
    """A time in seconds since 1970; None for one that no calendar has, as files from elsewhere may hold."""
    try:
        return datetime.fromtimestamp(seconds)
    except (OverflowError, OSError, ValueError):
        return None


def moment_text(seconds: float) -> str:
    """The day and the time: "2026-11-30 09:12"."""
    moment = local_moment(seconds)
    return MISSING if moment is None else f"{moment:%Y-%m-%d %H:%M}"
