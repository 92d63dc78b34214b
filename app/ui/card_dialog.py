"""The model card of a repository, in a window of its own over Discover."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QDialog, QStackedLayout, QWidget

from app.models.hub import Hub, HubModel
from app.models.hub_problems import HubError
from app.ui.card_picture import decode
from app.ui.card_pieces import CardPiece, picture_count, read_card
from app.ui.card_view import CardView
from app.ui.hub_model_words import page_address, repository_name
from app.ui.hub_trouble import HubTrouble
from app.ui.icons import Icons
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets import ElidedLabel, button, column, hairline, label, row

_WIDTH, _HEIGHT = 860, 720  # pixels
_AROUND = 48  # that stay of the window behind it


class CardDialog(QDialog):
    """Text is loaded at once; pictures lie anywhere, so they are loaded only when they are asked for."""

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        tasks: Tasks,
        hub: Hub,
        model: HubModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("card_dialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Model card"))
        self._tasks = tasks
        self._hub = hub
        self._model = model
        self._name = ElidedLabel(repository_name(model.found), size="title")
        self._pictures = button("", "show_pictures_button")
        self._pictures.clicked.connect(self._show_pictures)
        page = button(self.tr("Open on Hugging Face"), "card_page_button", kind="quiet")
        page.setToolTip(page_address(model.repo))
        page.clicked.connect(self._open_page)
        close = button(self.tr("Close"), "close_card_button")
        close.clicked.connect(self.reject)
        head = row(self._pictures, page, close, spacing=8, margins=(24, 16, 24, 12))
        head.insertWidget(0, self._name, 1)
        self._message = label(self.tr("Loading the model card…"), tone="muted")
        self._message.setObjectName("card_message")
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._trouble = HubTrouble("card_trouble")
        self._trouble.retry_requested.connect(self._ask)
        self.view = CardView(theme, icons, tasks, self._load_picture)
        self._pages = QStackedLayout()
        for part in (self._message, self._trouble, self.view):
            self._pages.addWidget(part)
        whole = column(head, hairline(), spacing=0)
        whole.addLayout(self._pages, 1)
        self.setLayout(whole)
        self._pictures.hide()
        room = parent.size() if parent is not None else self.size().expandedTo(self.maximumSize())
        self.resize(min(_WIDTH, room.width() - _AROUND), min(_HEIGHT, room.height() - _AROUND))
        self._ask()

    def _ask(self) -> None:
        hub, model = self._hub, self._model
        self._pages.setCurrentWidget(self._message)
        self._tasks.run(self, lambda: read_card(hub.card(model)), self._take_card, self._take_failure)

    def _take_card(self, pieces: tuple[CardPiece, ...]) -> None:
        if not pieces:
            self._message.setText(self.tr("This repository has no model card."))
            return
        count = picture_count(pieces)
        self._pictures.setText(self.tr("Show pictures ({count})").format(count=count))
        self._pictures.setAccessibleName(self._pictures.text())
        self._pictures.setToolTip(self.tr("They may lie on other servers, which then see your address."))
        self._pictures.setVisible(count > 0)
        self._pages.setCurrentWidget(self.view)
        self.view.setFocus()
        self.view.show_pieces(pieces)

    def _take_failure(self, error: Exception) -> None:
        if not isinstance(error, HubError):
            raise error
        self._trouble.show_error(error)
        self._pages.setCurrentWidget(self._trouble)

    def _show_pictures(self) -> None:
        self._pictures.hide()
        self.view.setFocus()
        self.view.show_pictures()

    def _load_picture(self, address: str) -> QImage:
        """Runs in another thread."""
        return decode(self._hub.picture(self._model, address))

    def _open_page(self) -> None:
        QDesktopServices.openUrl(QUrl(page_address(self._model.repo)))
