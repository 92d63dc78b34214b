"""Where the time of each side went."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from app.core.experiment import Run
from app.figures import duration_text, percent_text
from app.ui.chart_legend import ChartLegend
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme
from app.ui.track import Segment, Track
from app.ui.widgets import ElidedLabel, column, label
from app.ui.work_colours import CHECKING, DRAFTING, GENERATING, OTHER, SAMPLING, WorkRole

_SEEN = 0.01  # of the longest bar: a smaller part needs no colour in the legend


class TimesOfSide(Struct, frozen=True):
    """Seconds of an answer, from its first token to its last, of the side's median run.

    `checking` is the target's work: of a side that does not draft, its steps.
    """

    name: str
    drafting: float
    checking: float
    sampling: float
    other: float
    runs: int = 1
    drafts: bool = True

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """All four."""
        return self.drafting, self.checking, self.sampling, self.other

    @property
    def roles(self) -> tuple[WorkRole, WorkRole, WorkRole, WorkRole]:
        """The colours of all four."""
        return DRAFTING, CHECKING if self.drafts else GENERATING, SAMPLING, OTHER

    @property
    def total(self) -> float:
        """Their sum."""
        return sum(self.parts)


def times_of(name: str, runs: Sequence[Run]) -> TimesOfSide | None:
    """The times of the run that took the median time; None where there is nothing to divide."""
    if not runs:
        return None
    stats = sorted((run.stats for run in runs), key=lambda stats: stats.decode_s)[len(runs) // 2]
    parts = stats.draft_s, stats.verify_s, stats.sample_s
    other = max(0.0, stats.decode_s - sum(parts))
    times = TimesOfSide(name, *parts, other, runs=len(runs), drafts=bool(stats.drafted))
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
                    *(
                        Segment(part / longest, role)
                        for part, role in zip(side.parts, side.roles, strict=True)
                    )
                )
        names = self._names_of_work()
        shown = {
            role
            for side in sides
            for role, part in zip(side.roles, side.parts, strict=True)
            if part >= _SEEN * longest
        }
        order = [role for role in names if role in shown]
        self._legend.show_items(tuple((names[role], role) for role in order))
        lines = [self._words(side) for side in self._sides]
        self.setAccessibleDescription("\n".join(lines))
        self.setToolTip(plain_tip("\n".join(lines)))

    def _names_of_work(self) -> dict[WorkRole, str]:
        """In the order of the legend."""
        return {
            GENERATING: self.tr("generating"),
            DRAFTING: self.tr("drafting"),
            CHECKING: self.tr("checking"),
            SAMPLING: self.tr("sampling"),
            OTHER: self.tr("other"),
        }

    def _words(self, side: TimesOfSide) -> str:
        names = self._names_of_work()
        parts = [
            self.tr("{name} {time} ({share})").format(
                name=names[role], time=duration_text(part), share=percent_text(part / side.total)
            )
            for role, part in zip(side.roles, side.parts, strict=True)
            if part > 0.0
        ]
        words = self.tr("{name}: {total} an answer: {parts}")
        if side.runs > 1:
            words = self.tr("{name}: {total} an answer, the median of {runs} runs: {parts}")
        return words.format(
            name=side.name, total=duration_text(side.total), runs=side.runs, parts=", ".join(parts)
        )
