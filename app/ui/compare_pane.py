"""One side of a comparison: how it drafts, how fast it is, its text and its figures."""

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.experiment import Run, Summary, Variant
from app.core.protocol import Round
from app.core.rates import RateMeter
from app.ui.compare_services import CompareServices
from app.ui.dial import COMPACT, DialRole, SpeedDial
from app.ui.form_parts import set_shown, show_line
from app.ui.pane_text import PaneText
from app.ui.pane_words import figures_of
from app.ui.side import Side
from app.ui.variant_picker import VariantPicker
from app.ui.variant_words import variant_text
from app.ui.widgets import Card, ElidedLabel, column, hairline, label, row

_PICKER_WIDTH = 190, 320  # pixels, at least and at most
_NO_BREAK = "\N{NO-BREAK SPACE}"
_BETWEEN = "   "  # figures


class ComparePane(Card):
    """While a run goes on its owner calls `tick` a few times a second. `name` begins the object names."""

    def __init__(
        self,
        services: CompareServices,
        name: str,
        accessible: str,
        parent: QWidget | None = None,
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._meter = RateMeter()
        self._rounds = 0  # of the run
        self._repeat = 0
        self._repeats = 1
        self._automatic = False  # its draft length
        self._figures: list[str] = []
        self.setObjectName(f"{name}_pane")
        self.setAccessibleName(accessible)
        self._picker = VariantPicker(services, f"{name}_variant_picker", names_draft=False)
        self._picker.side_chosen.connect(self._tell_draft)
        self._picker.setMinimumWidth(_PICKER_WIDTH[0])
        self._picker.setMaximumWidth(_PICKER_WIDTH[1])
        self._words = ElidedLabel(strong=True)
        self._words.setObjectName(f"{name}_variant_words")
        self._words.hide()
        self._draft = ElidedLabel(size="small", tone="muted", mode=Qt.TextElideMode.ElideMiddle)
        self._draft.setObjectName(f"{name}_draft_line")
        self._draft.hide()
        self._dial = SpeedDial(services.theme, size=COMPACT)
        self._dial.setObjectName(f"{name}_dial")
        self._dial.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._dial.show_speed(None, 20, is_over=True)
        self._note = label(tone="faint", wrap=True)
        self._note.setObjectName(f"{name}_note")
        self._text = PaneText(services.theme, services.icons, services.tasks, f"{name}_text")
        self._line = label(size="small", tone="muted", wrap=True)
        self._line.setObjectName(f"{name}_figures")
        drafting = column(None, self._picker, self._words, self._draft, None, spacing=3)
        drafting.setAlignment(self._picker, Qt.AlignmentFlag.AlignLeft)
        top = row(spacing=12)
        top.addLayout(drafting, 1)
        top.addWidget(self._dial)
        whole = column(top, self._note, spacing=8, margins=(16, 12, 16, 12))
        whole.addWidget(self._text, 1)
        whole.addWidget(hairline())
        whole.addWidget(self._line)
        self.setLayout(whole)
        self.clear()

    @property
    def side(self) -> Side:
        """How it is to answer."""
        return self._picker.side

    @property
    def picker(self) -> VariantPicker:
        """Where that is chosen."""
        return self._picker

    @property
    def dial(self) -> SpeedDial:
        """The speed."""
        return self._dial

    @property
    def text(self) -> PaneText:
        """What was answered."""
        return self._text

    @property
    def note(self) -> str:
        """What is said in place of a text."""
        return self._note.text() if not self._note.isHidden() else ""

    @property
    def variant_words(self) -> str:
        """How it did answer, where that cannot be chosen."""
        return self._words.whole_text if not self._words.isHidden() else ""

    @property
    def draft_words(self) -> str:
        """Which model drafts; empty where none does."""
        return self._draft.whole_text if not self._draft.isHidden() else ""

    @property
    def figures(self) -> str:
        """The line below the text."""
        return self._line.text().replace(_NO_BREAK, " ")

    @property
    def speed(self) -> float:
        """Tokens per second now; zero while nothing runs."""
        return self._meter.now_rate(self._clock())

    def show_side(self, side: Side) -> None:
        """Shows how it is to answer, to be changed by the person."""
        self._picker.show_side(side)
        self._tell_draft(side)
        set_shown(self._picker, True)
        set_shown(self._words, False)

    def show_variant(self, variant: Variant | None) -> None:
        """Shows how it did answer, in words alone; None lets the person choose again."""
        if variant is not None:
            self._words.set_text(variant_text(variant))
        self._show_draft(variant or self.side.variant)
        set_shown(self._picker, variant is None)
        set_shown(self._words, variant is not None)

    def _tell_draft(self, side: Side) -> None:
        self._show_draft(side.variant)

    def _show_draft(self, variant: Variant) -> None:
        """Which model drafts, with its quantisation: sides may differ in that alone."""
        self._automatic = variant.speculation.is_automatic
        draft = variant.draft
        self._draft.set_text("" if draft is None else self.tr("drafted by {model}").format(model=draft.title))
        set_shown(self._draft, draft is not None)

    def set_role(self, role: DialRole) -> None:
        """The role of its colour."""
        self._dial.set_role(role)

    def clear(self, note: str | None = None) -> None:
        """Shows no text and no figures."""
        self._text.clear()
        self._figures = []
        self._meter = RateMeter()
        self._dial.show_speed(None, self._dial.scale, is_over=True)
        self._show_note(self.tr("The answer appears here.") if note is None else note)
        self._show_figures()

    def begin(self, repeats: int) -> None:
        """An experiment begins, in which it answers so often."""
        self._repeats = repeats
        self.clear(self.tr("Waits for its turn."))

    def begin_run(self, repeat: int) -> None:
        """It answers, for the first time (0) or again."""
        self._repeat, self._rounds = repeat, 0
        self._meter = RateMeter()
        self._meter.begin(self._clock())
        self._dial.show_speed(0.0, self._dial.scale, is_over=False)
        self._show_figures(self._run_words())
        if repeat == 0:
            self._show_note(self.tr("Reading the prompt…"))

    def show_prefill(self, done: int, of: int) -> None:
        """So many tokens of the prompt are read."""
        if self._repeat == 0 and of > 0 and not self._rounds:
            self._show_note(self.tr("Reading the prompt… {percent} %").format(percent=100 * done // of))

    def add_round(self, round_: Round) -> None:
        """A round of its answer. Only the first answer's text is shown: the others are for the figures."""
        self._rounds += 1
        self._meter.add(round_.stats.emitted, self._clock())
        if self._repeat == 0:
            self._show_note("")
            self._text.add_pieces(round_.pieces, self._rounds)

    def tick(self) -> None:
        """Shows the speed now."""
        self._dial.show_speed(self.speed, self._dial.scale, is_over=False)

    def end_run(self, run: Run) -> None:
        """It has answered."""
        self._meter = RateMeter()
        self._dial.show_speed(run.stats.tok_per_s, self._dial.scale, is_over=True)
        if run.repeat == 0:
            self._text.end(run.text)
            self._show_note("" if run.text else self.tr("It answered nothing."))
        self._figures = figures_of(
            run.stats, run.stats.time_to_first_token_s, 0, is_automatic=self._automatic
        )
        self._show_figures()

    def show_result(
        self,
        run: Run | None,
        summary: Summary | None,
        draft_bytes: int,
        difference: tuple[int, int] | None,
    ) -> None:
        """What came of its runs: one of them for its text and counts, the medians, where the text differs."""
        self._meter = RateMeter()
        if run is None or summary is None:
            self.clear(self.tr("It was stopped before it had answered."))
            return
        speed = summary.tok_per_s.median if summary.tok_per_s is not None else None
        self._dial.show_speed(speed, self._dial.scale, is_over=True)
        if run.text != self._text.text or difference is not None:
            self._text.show_answer(run.text, run.spans, difference)
        self._text.show_start()
        self._show_note("" if run.text else self.tr("It answered nothing."))
        self._figures = figures_of(
            run.stats, summary.time_to_first_token_s, draft_bytes, is_automatic=self._automatic
        )
        self._show_figures()

    def _run_words(self) -> str:
        if self._repeats == 1:
            return ""
        return self.tr("run {number} of {count}").format(number=self._repeat + 1, count=self._repeats)

    def _show_note(self, text: str) -> None:
        show_line(self._note, text)

    def _show_figures(self, first: str = "") -> None:
        words = [word for word in (first, *self._figures) if word]
        self._line.setText(_BETWEEN.join(word.replace(" ", _NO_BREAK) for word in words) or " ")
        self._line.setAccessibleName(", ".join(words))
