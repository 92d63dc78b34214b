"""A model's name in the bar on top: as much of it as there is room for."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton


class ModelPill(QToolButton):
    """A name and a quantisation, which is never cut: the name is, in the middle."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__()
        self._name = ""
        self._kind = ""
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setToolTip(accessible)
        self.setProperty("pill", True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(10, 10))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def say(self, name: str, quantisation: str = "") -> None:
        """What to show; `give` room for it afterwards."""
        self._name, self._kind = name, quantisation
        self.setAccessibleDescription(self._words(name).strip())

    def whole_width(self) -> int:
        """Pixels with which nothing is cut."""
        return self._frame() + self.fontMetrics().horizontalAdvance(self._words(self._name))

    def name_width(self) -> int:
        """Pixels of the name alone."""
        return self.fontMetrics().horizontalAdvance(self._name)

    def letter_width(self) -> float:
        """Pixels of one of the name's letters: the strong ones are wider."""
        return max(self.name_width(), 1) / max(len(self._name), 1)

    def give(self, width: int) -> None:
        """Takes so many pixels, and cuts the name to them."""
        text = self._words(self._name)
        if width < self.whole_width():
            width = max(width, self._frame() + self.fontMetrics().horizontalAdvance(self._words("…", " ")))
            text = self._words("", " ")
            left = width - self._frame() - self.fontMetrics().horizontalAdvance(text)
            cut = self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, left)
            text = self._words(cut, " ")
        self.setText(text.replace("&", "&&"))  # no shortcut, as Qt would read it
        self.setFixedWidth(width)

    def _words(self, name: str, gap: str = "  ") -> str:
        """The gap in front keeps the dot away."""
        return f"{gap}{name}{gap}·{gap}{self._kind}" if self._kind else f"{gap}{name}"

    def _frame(self) -> int:
        """Pixels around the words, as the style has it; one more, as widths are rounded."""
        self.ensurePolished()
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text()).width()
        return self.sizeHint().width() - words + 1


def shared_widths(pills: list[ModelPill], room: int) -> list[int]:
    """Shares pixels out between one or two: both get as many letters, or all that one of them needs."""
    wanted = [pill.whole_width() for pill in pills]
    if sum(wanted) <= room:
        return wanted
    if len(wanted) == 1:
        return [room]
    beside = [pill.whole_width() - pill.name_width() for pill in pills]
    letters = [pill.letter_width() for pill in pills]
    share = beside[0] + round((room - sum(beside)) * letters[0] / sum(letters))
    first = min(wanted[0], max(share, room - wanted[1]))
    return [first, room - first]
