"""A moment of a replay as a picture to share."""

from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.model_names import printable
from app.ui.replay_round_card import Look, Recorded, ReplayRoundCard
from app.ui.replay_text import ReplayText
from app.ui.replay_words import judged_text, text_caption
from app.ui.theme import Theme
from app.ui.widgets import Card, ElidedLabel, column, label

_WIDTH, _MARGIN = 1000, 16  # pixels
_LONGEST = 2000  # characters of a prompt


class ReplayPicture(QWidget):
    """Never on the screen: the prompt, the models, the answer so far and the round.

    `about` is the prompt, and a line on what answered it.
    """

    def __init__(
        self, theme: Theme, recorded: Recorded, look: Look, about: tuple[str, str], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("replay_picture")
        self.setAccessibleName(self.tr("How it works"))
        prompt, origin = about
        caption = label(
            text_caption(recorded.options, another_rule=look.another_rule), size="small", tone="muted"
        )
        caption.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        text = ReplayText(theme)
        text.show_trace(recorded.trace.rounds)
        text.show_until(look.moment.round + 1, with_last=look.moment.is_checked)
        answer = Card()
        answer.setLayout(column(caption, text, spacing=6, margins=(_MARGIN, 10, _MARGIN, 10)))
        round_ = ReplayRoundCard(theme)
        round_.open(recorded)
        round_.show_look(look)
        whole = column(
            ElidedLabel(printable(" ".join(prompt.split()), _LONGEST), strong=True),
            label(origin, size="small", tone="muted", wrap=True),
            answer,
            label(judged_text(look.rule), size="small", tone="muted", wrap=True),
            round_,
            spacing=8,
        )
        self.setLayout(whole)
        self.hide()
        for part in self.findChildren(QWidget):
            part.ensurePolished()  # sizes follow from the style, which else comes with the first showing
        text.fit(_WIDTH - 2 * _MARGIN)
        self.resize(_WIDTH, whole.totalHeightForWidth(_WIDTH))
        whole.activate()
