"""Where the time of each side went."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from app.core.experiment import Run
from app.figures import duration_text, percent_text
from app.ui.chart_legend import ChartLegend
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel, column, label

_Role = Literal["chart_1", "chart_2", "chart_4", "faint"]
_ROLES: tuple[_Role, ...] = ("chart_2", "chart_1", "chart_4", "faint")


class TimesOfSide(Struct, frozen=True):
    """Seconds of an answer, from its first token to its last, on average over the side's runs."""

    name: str
    drafting: float
    checking: float
    sampling: float
    other: float

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """All four."""
        return self.drafting, self.checking, self.sampling, self.other

    @property
    def total(self) -> float:
        """Their sum."""
        return sum(self.parts)


def times_of(name: str, runs: Sequence[Run]) -> TimesOfSide | None:
    """The times of these runs; None where there is nothing to divide."""
    if not runs:
        return None
    drafting = sum(run.stats.draft_s for run in runs) / len(runs)
    checking = sum(run.stats.verify_s for run in runs) / len(runs)
    sampling = sum(run.stats.sample_s for run in runs) / len(runs)
    whole = sum(run.stats.decode_s for run in runs) / len(runs)
    times = TimesOfSide(name, drafting, checking, sampling, max(0.0, whole - drafting - checking - sampling))
    return times if times.total > 0.0 else None


class TimeStrip(QWidget):
    """A bar for each side, as long as its answer took, divided by what the time went into."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sides: tuple[TimesOfSide, ...] = ()
        self.setObjectName("time_strip")
        self.setAccessibleName(self.tr("Where the time went"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tracks = [Track(theme), Track(theme)]
        self._names = [ElidedLabel(size="small", tone="muted"), ElidedLabel(size="small", tone="muted")]
        self._totals = [label(size="small", tone="muted"), label(size="small", tone="muted")]
        lines = QGridLayout()
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setHorizontalSpacing(8)
        lines.setVerticalSpacing(0)
        for number, (name, track, total) in enumerate(
            zip(self._names, self._tracks, self._totals, strict=True)
        ):
            lines.addWidget(name, number, 0)
            lines.addWidget(track, number, 1)
            lines.addWidget(total, number, 2)
        lines.setColumnStretch(0, 2)
        lines.setColumnStretch(1, 3)
        self._legend = ChartLegend(theme)
        self.setLayout(column(lines, self._legend, spacing=2))

    @property
    def sides(self) -> tuple[TimesOfSide, ...]:
        """What is shown."""
        return self._sides

    def show_sides(self, sides: Sequence[TimesOfSide]) -> None:
        """Shows the times of at most two sides."""
        self._sides = tuple(sides)
        longest = max((side.total for side in sides), default=0.0)
        for number, (name, track, total) in enumerate(
            zip(self._names, self._tracks, self._totals, strict=True)
        ):
            side = sides[number] if number < len(sides) else None
            name.set_text(side.name if side is not None else "")
            total.setText(duration_text(side.total) if side is not None else "")
            track.setVisible(side is not None)
            if side is not None:
                track.show_segments(
                    *(Segment(part / longest, role) for part, role in zip(side.parts, _ROLES, strict=True))
                )
        drafts = any(side.drafting > 0.0 for side in sides)
        names = (self.tr("drafting"), self.tr("checking"), self.tr("sampling"), self.tr("other"))
        self._legend.show_items(
            tuple(
                (text, role)
                for number, (text, role) in enumerate(zip(names, _ROLES, strict=True))
                if number or drafts
            )
        )
        lines = [self._words(side) for side in self._sides]
        self.setAccessibleDescription("\n".join(lines))
        self.setToolTip(plain_tip("\n".join(lines)))

    def _words(self, side: TimesOfSide) -> str:
        names = (self.tr("drafting"), self.tr("checking"), self.tr("sampling"), self.tr("other"))
        parts = [
            self.tr("{name} {time} ({share})").format(
                name=name, time=duration_text(part), share=percent_text(part / side.total)
            )
            for name, part in zip(names, side.parts, strict=True)
            if part > 0.0
        ]
        return self.tr("{name}: {total} an answer: {parts}").format(
            name=side.name, total=duration_text(side.total), parts=", ".join(parts)
        )
