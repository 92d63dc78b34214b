"""A model card on the screen: text at once, in slices; pictures when they are wanted, one after the other."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.core.errors import SlipstreamError
from app.models.model_names import printable
from app.ui.answer_body import AnswerBody
from app.ui.answer_tools import AnswerTools
from app.ui.card_picture import CardPictureView, UnreadablePicture
from app.ui.card_pieces import CardPicture, CardPiece, CardText
from app.ui.icons import Icons
from app.ui.markdown_stream import LONGEST_WHOLE_TABLE
from app.ui.message_column import MessageColumn
from app.ui.tasks import Tasks
from app.ui.theme import Theme

_GAP = 12  # pixels between pieces
_MOST_PIXELS = 30_000_000  # of all pictures of a card; each takes four bytes


class CardView(QScrollArea):
    """`load_picture` gives the picture at an address of the card; it is called in other threads."""

    shown = Signal()  # all text is on the screen

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        tasks: Tasks,
        load_picture: Callable[[str], QImage],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("card_view")
        self.setAccessibleName(self.tr("Model card"))
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.verticalScrollBar().setSingleStep(40)
        self.viewport().installEventFilter(self)
        self._theme = theme
        self._tasks = tasks
        self._load_picture = load_picture
        self._tools = AnswerTools(theme, icons, tasks, self)
        self._content = MessageColumn()
        self.setWidget(self._content)
        self._column = self._content.column
        self._column.height_changed.connect(self._fit)
        self._column_width = 0
        self._wanted: list[CardPictureView] = []  # pictures that have not come
        self._images: dict[str, QPixmap | str] = {}  # by address; a sentence for one that will not come
        self._pixels = 0  # of those that have come
        theme.changed.connect(self._restyle)

    @property
    def text(self) -> str:
        """All text that is shown: for tests."""
        return "\n".join(body.shown_text for body in self._bodies)

    @property
    def pictures(self) -> list[CardPictureView]:
        """The places of all pictures."""
        return [widget for widget in self._column.widgets if isinstance(widget, CardPictureView)]

    def show_pieces(self, pieces: Sequence[CardPiece]) -> None:
        """Shows a card, from the next turn of the event loop on: by then it is known how wide."""
        self._tools.slices.start(self, "pieces", self._showing(pieces))

    def show_pictures(self) -> None:
        """Loads the pictures, from the top."""
        self._wanted = self.pictures
        for view in self._wanted:
            view.show()
            self._column.forget(view)
        self._column.settle()
        self._load_next()

    def finish_work(self) -> None:
        """Does now what is being done in slices."""
        self._tools.slices.finish()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the size of the view."""
        if watched is self.viewport() and event.type() == QEvent.Type.Resize:
            self._take_width()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The text takes the width that there is."""
        super().resizeEvent(event)
        self._take_width()

    @property
    def _bodies(self) -> list[AnswerBody]:
        return [widget for widget in self._column.widgets if isinstance(widget, AnswerBody)]

    def _showing(self, pieces: Sequence[CardPiece]) -> Iterator[None]:
        self._column.height_at(self._column_width)
        for piece in pieces:
            if isinstance(piece, CardText):
                body = AnswerBody(self._tools, longest_table=LONGEST_WHOLE_TABLE)
                self._column.add(body, gap=_GAP)
                body.take(piece.text, ())
                body.end()
                yield from body.working()
                for part in body.widgets:
                    if part.accessibleName() == self.tr("Answer"):
                        part.setAccessibleName(self.tr("Model card"))
            else:
                self._add_picture(piece)
            self._column.settle()
            yield
        self.shown.emit()

    def _add_picture(self, piece: CardPicture) -> None:
        view = CardPictureView(piece, self._theme)
        self._column.add(view, gap=_GAP)
        view.hide()  # until somebody asks for it

    def _load_next(self) -> None:
        """One at a time: others wait for the same threads."""
        while self._wanted and self._wanted[0].picture.address in self._images:
            view = self._wanted.pop(0)
            self._show_picture(view, self._images[view.picture.address])
        if self._wanted:
            self._ask_for(self._wanted[0].picture.address)

    def _give_up(self) -> None:
        """What is loaded stays; for the rest there is no room."""
        for view in self._wanted:
            if view.picture.address not in self._images:
                self._images[view.picture.address] = self.tr("The card has too many large pictures.")

    def _ask_for(self, address: str) -> None:
        self._tasks.run(
            self,
            lambda: self._load_picture(address),
            lambda image: self._take_picture(address, image),
            lambda error: self._take_failure(address, error),
        )

    def _take_picture(self, address: str, image: QImage) -> None:
        self._pixels += image.width() * image.height()
        if self._pixels <= _MOST_PIXELS:
            self._images[address] = QPixmap.fromImage(image)
        else:
            self._give_up()
        self._load_next()

    def _take_failure(self, address: str, error: Exception) -> None:
        if isinstance(error, UnreadablePicture):
            self._images[address] = self.tr("It is of a kind that is not shown here.")
        elif isinstance(error, SlipstreamError):
            self._images[address] = printable(str(error))
        else:
            raise error
        self._load_next()

    def _show_picture(self, view: CardPictureView, found: QPixmap | str) -> None:
        if isinstance(found, str):
            view.show_failure(found)
        else:
            view.show_pixmap(found)

    def _restyle(self) -> None:
        for body in self._bodies:
            self._tools.slices.start(body, "style", body.restyling())

    def _take_width(self) -> None:
        width = MessageColumn.column_width(self.width())
        if width != self._column_width:
            self._column_width = width
            self._tools.slices.start(self, "width", self._column.measuring(width))
            self._tools.slices.run()
        self._fit()

    def _fit(self) -> None:
        viewport = self.viewport()
        self._content.fit(self.width(), viewport.width(), viewport.height())
