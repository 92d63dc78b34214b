"""Strips under a comparison: every run, what was accepted, and where the time went."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.core.experiment import Experiment, Summary, Variant
from app.ui.accepted_positions import AcceptedPositions
from app.ui.dial import DialRole
from app.ui.option_words import mode_text
from app.ui.positions_strip import PositionsStrip
from app.ui.runs_strip import RunsOfSide, RunsStrip
from app.ui.theme import Theme
from app.ui.time_strip import TimeStrip, times_of
from app.ui.variant_words import variant_text
from app.ui.widgets import Card, ElidedLabel, column, label, row

_GAP = 32  # pixels


class ResultStrips(Card):
    """One card with all three."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_strips")
        self.setAccessibleName(self.tr("Figures of every run"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.runs = RunsStrip(theme)
        self.positions = PositionsStrip(theme)
        self.times = TimeStrip(theme)
        self._length = ElidedLabel(size="small", tone="faint")
        self._length.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._length.setObjectName("mean_accepted_length")
        times = row(_caption(self.tr("Where the time went")), spacing=12)
        times.addWidget(self._length, 1)
        whole = row(spacing=_GAP, margins=(16, 10, 16, 10))
        for layout, stretch in (
            (column(_caption(self.tr("Every run, tok/s")), self.runs, None, spacing=6), 5),
            (column(_caption(self.tr("Accepted by position")), self.positions, None, spacing=6), 3),
            (column(times, self.times, None, spacing=4), 4),
        ):
            whole.addLayout(layout, stretch)
        self.setLayout(whole)

    @property
    def mean_length(self) -> str:
        """The words about the mean accepted length."""
        return self._length.whole_text

    def show_experiment(self, experiment: Experiment, prompt: str) -> None:
        """Shows its figures on a prompt, by its id."""
        variants = experiment.variants[:2]
        found = [
            (variant, name, role, summary)
            for variant, name, role in zip(variants, short_names(variants), roles_of(variants), strict=True)
            if (summary := experiment.summary_of(variant.id, prompt)) is not None
        ]
        self.runs.show_sides(
            [
                RunsOfSide(
                    name,
                    tuple(
                        run.stats.tok_per_s
                        for run in experiment.runs_of(variant.id, prompt)
                        if run.stats.tok_per_s is not None
                    ),
                    role,
                )
                for variant, name, role, _ in found
            ]
        )
        drafting = [each for each in found if each[0].drafts]
        self.positions.show_sides(
            [
                AcceptedPositions(summary.accepted_by_position, summary.tested_by_position, role, name)
                for _, name, role, summary in drafting
                if summary.tested_by_position
            ]
        )
        self._length.set_text(self._length_words([each[-1] for each in drafting]))
        times = [times_of(name, experiment.runs_of(variant.id, prompt)) for variant, name, _, _ in found]
        self.times.show_sides([each for each in times if each is not None])

    def _length_words(self, summaries: list[Summary]) -> str:
        lengths = [
            f"{summary.mean_accepted_length:.2f}"
            for summary in summaries
            if summary.mean_accepted_length is not None
        ]
        if not lengths:
            return ""
        words = (
            self.tr("{first} mean accepted length")
            if len(lengths) == 1
            else self.tr("{first} and {second} mean accepted length")
        )
        return words.format(first=lengths[0], second=lengths[-1])


def _caption(text: str) -> QLabel:
    return label(text, size="small", tone="muted")


def short_names(variants: tuple[Variant, ...]) -> tuple[str, ...]:
    """What the sides are called where there is little room: the mode alone, if that tells them apart."""
    modes = tuple(mode_text(variant.speculation.mode) for variant in variants)
    if len(set(modes)) == len(modes):
        return modes
    return tuple(variant_text(variant) for variant in variants)


def roles_of(variants: tuple[Variant, ...]) -> tuple[DialRole, ...]:
    """The roles of the sides' colours: grey for plain generation, or for the left of two of a kind."""
    roles: list[DialRole] = ["accent" if variant.drafts else "muted" for variant in variants]
    return ("muted", "accent") if len(roles) == 2 and roles[0] == roles[1] else tuple(roles)
