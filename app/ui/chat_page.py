"""The chat: what was said, the field to say more, and the settings in force beside them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from app.ui.chat_sidebar import ChatSidebar
from app.ui.composer import Composer
from app.ui.transcript import Transcript
from app.ui.widgets import button, column, hairline, label, row

_WIDEST = 720  # pixels, as the transcript's column


class ChatPage(QWidget):
    """Lays the parts out; the chat controller gives them life."""

    model_requested = Signal()  # from the invitation, when no model is loaded

    def __init__(
        self, transcript: Transcript, composer: Composer, sidebar: ChatSidebar, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.transcript = transcript
        self.composer = composer
        self.sidebar = sidebar
        self.setObjectName("chat_page")
        self._invitation = _Invitation()
        self._invitation.model_requested.connect(self.model_requested)
        self._middle = QStackedLayout()
        self._middle.addWidget(self._invitation)
        self._middle.addWidget(transcript)
        composer.setMaximumWidth(_WIDEST)
        field = row(composer, margins=(32, 8, 32, 20))
        field.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        field.setStretchFactor(composer, 1)
        left = column(spacing=0)
        left.addLayout(self._middle, 1)
        left.addLayout(field)
        whole = row(left, hairline(vertical=True), sidebar, spacing=0)
        whole.setStretchFactor(left, 1)
        self.setLayout(whole)

    def invite(self, *, model_loaded: bool, models_known: bool, loading: str | None = None) -> None:
        """What the invitation says depends on what there is; `loading` is the model that is on its way."""
        self._invitation.invite(model_loaded=model_loaded, models_known=models_known, loading=loading)

    def show_invitation(self) -> None:
        """In place of an empty transcript."""
        self._middle.setCurrentWidget(self._invitation)

    def show_transcript(self) -> None:
        """In place of the invitation."""
        self._middle.setCurrentWidget(self.transcript)


class _Invitation(QWidget):
    """What to do first."""

    model_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._title = label(size="title", wrap=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence = label(tone="muted", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._choose = button(self.tr("Choose a model"), "choose_model_button", kind="primary")
        self._choose.clicked.connect(self.model_requested)
        self.setLayout(
            column(
                None,
                self._title,
                self._sentence,
                8,
                row(None, self._choose, None),
                None,
                margins=(32, 24, 32, 24),
            )
        )

    def invite(self, *, model_loaded: bool, models_known: bool, loading: str | None) -> None:
        self._choose.setVisible(not model_loaded and loading is None)
        if loading is not None:
            self._title.setText(self.tr("Loading {model}").format(model=loading))
            self._sentence.setText(self.tr("Write your message meanwhile; send it when the model is ready."))
        elif model_loaded:
            self._title.setText(self.tr("Ask anything"))
            self._sentence.setText(
                self.tr("Everything is computed on this computer. What you write stays here.")
            )
        elif models_known:
            self._title.setText(self.tr("Choose a model to chat with"))
            self._sentence.setText(
                self.tr("Its settings come next: turn Speculative Decoding on there to have answers sooner.")
            )
        else:
            self._title.setText(self.tr("No model yet"))
            self._sentence.setText(
                self.tr("Download one from Hugging Face, or add a folder that has some in My Models.")
            )
        self._choose.setText(self.tr("Choose a model") if models_known else self.tr("Discover models"))
        self._choose.setAccessibleName(self._choose.text())
