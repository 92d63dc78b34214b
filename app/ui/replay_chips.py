"""The tokens of a round as chips, from left to right and on as many lines as it takes."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.core.acceptance_rules import used_draft_probability, used_target_probability
from app.core.options import SpeculationOptions
from app.core.replay import Fate, JudgedRound
from app.core.trace import TracedRound
from app.ui.plain_tip import plain_tip
from app.ui.replay_chip import HEIGHT, Chip, ChipKind, ChipPainter
from app.ui.replay_reasons import compares, shown_draft_probability
from app.ui.replay_words import own_sentence, token_sentence
from app.ui.theme import Theme
from app.ui.token_text import quoted

translate = QCoreApplication.translate

_GAP = 8  # pixels


class ReplayChips(QWidget):
    """Has room for the longest of all rounds, so that what is below stays in its place."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painter = ChipPainter(theme)
        self._chips: tuple[Chip, ...] = ()
        self._widths: tuple[int, ...] = ()
        self._all_widths: frozenset[tuple[int, ...]] = frozenset()  # of all rounds
        self._lines_at: dict[int, int] = {}  # how many these take, by the room for one
        self.setObjectName("replay_chips")
        self.setAccessibleName(self.tr("The tokens of this round"))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """What is shown."""
        return self._chips

    def make_room_for(self, rounds: Sequence[TracedRound]) -> None:
        """Asks for the height that the longest of these rounds takes."""
        width = self._painter.width
        self._all_widths = frozenset(
            (*(width(token.text) for token in each.tested), width(each.next_text)) for each in rounds
        )
        self._lines_at.clear()
        self.updateGeometry()

    def show_chips(self, chips: tuple[Chip, ...]) -> None:
        """Shows other tokens."""
        if chips != self._chips:
            self._chips = chips
            self._widths = tuple(self._painter.width(chip.text) for chip in chips)
            self.setAccessibleDescription("\n".join(chip.tip for chip in chips))
            self.update()

    def hasHeightForWidth(self) -> bool:
        """Narrow ones are higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Room for the longest round."""
        lines = self._lines_at.get(width)  # a layout asks again and again
        if lines is None:
            lines = max((len(_lines(widths, width)) for widths in self._all_widths), default=1)
            self._lines_at[width] = lines
        return lines * HEIGHT + (lines - 1) * _GAP

    def sizeHint(self) -> QSize:
        """A line of several."""
        return QSize(480, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """One below the other."""
        return QSize(180, HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints all."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for chip, place in zip(self._chips, self._places(), strict=True):
            self._painter.paint(painter, place.left(), place.top(), place.width(), chip)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Tells about the chip under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tip = self.tip_at(event.pos())
            QToolTip.showText(event.globalPos(), plain_tip(tip) if tip else "", self)
            return True
        return super().event(event)

    def tip_at(self, where: QPoint) -> str:
        """What is told about the chip there; empty where there is none."""
        places = zip(self._chips, self._places(), strict=True)
        return next((chip.tip for chip, place in places if place.contains(where)), "")

    def _places(self) -> list[QRect]:
        places: list[QRect] = []
        top = 0
        for line in _lines(self._widths, self.width()):
            left = 0
            for width in line:
                places.append(QRect(left, top, width, HEIGHT))
                left += width + _GAP
            top += HEIGHT + _GAP
        return places


def proposed_chips(round_: TracedRound) -> tuple[Chip, ...]:
    """A round before it is checked."""
    return tuple(
        Chip(ChipKind.PROPOSED, token.text, shown_draft_probability(token), None, "", quoted(token.text))
        for token in round_.tested
    )


def checked_chips(round_: TracedRound, judged: JudgedRound, rule: SpeculationOptions) -> tuple[Chip, ...]:
    """A round as a rule judges it, with the target's own token behind those kept."""
    names_terms = compares(rule)
    chips = [
        Chip(
            kind=ChipKind(fate.value),
            text=token.text,
            draft=used_draft_probability(rule, token) if names_terms else shown_draft_probability(token),
            target=used_target_probability(rule, token),
            words=_words(fate, judged),
            tip=token_sentence(token, fate, rule),
            names_terms=names_terms,
        )
        for token, fate in zip(round_.tested, judged.fates, strict=True)
    ]
    chips.insert(judged.accepted + _replaced(judged), _own_chip(judged, round_))
    return tuple(chips)


def _replaced(judged: JudgedRound) -> int:
    """1 where the own token stands in place of a drafted one, which it follows."""
    return int(Fate.REPLACED in judged.fates)


def _own_chip(judged: JudgedRound, round_: TracedRound) -> Chip:
    kind, text = ChipKind.OWN, judged.own_text
    if judged.ended:
        kind, text, words = ChipKind.END, "■", translate("Replay", "the end")
    elif text is None:
        kind, text, words = ChipKind.UNKNOWN, "?", translate("Replay", "not known")
    elif not round_.tested:
        words = translate("Replay", "target's own")
    elif judged.own_is_drafted:
        words = translate("Replay", "drawn all the same")
    elif Fate.REPLACED in judged.fates:
        words = translate("Replay", "recovered")
    else:
        words = translate("Replay", "bonus")
    return Chip(kind, text, None, None, words, own_sentence(round_, judged))


def _words(fate: Fate, judged: JudgedRound) -> str:
    match fate:
        case Fate.KEPT:
            return translate("Replay", "kept")
        case Fate.REPLACED if judged.own_text is None or judged.own_is_drafted:
            return translate("Replay", "not kept")
        case Fate.REPLACED:
            return translate("Replay", "replaced")
        case Fate.DROPPED:
            return translate("Replay", "dropped")
        case Fate.BEYOND:
            return translate("Replay", "after the end")


def _lines(widths: Sequence[int], room: int) -> list[list[int]]:
    """Which chips stand on which line."""
    lines: list[list[int]] = [[]]
    left = 0
    for width in widths:
        if lines[-1] and left + width > room:
            lines.append([])
            left = 0
        lines[-1].append(width)
        left += width + _GAP
    return lines
