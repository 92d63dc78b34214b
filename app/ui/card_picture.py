"""A picture of a model card, once it is wanted: as wide as it is, or as there is room."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage, QImageReader, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from app.models.model_names import printable
from app.ui.card_pieces import CardPicture
from app.ui.column import Growing
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme

_FORMATS = (b"png", b"jpeg", b"jpg", b"gif", b"webp", b"bmp")  # none of them refers to other files
_MOST = QSize(1440, 4000)  # pixels that are kept of a picture, enough for a sharp screen
_LARGEST = 64_000_000  # pixels, of what is decoded at all
_LINE = 20
_FONT = 12


class UnreadablePicture(Exception):  # noqa: N818 - an outcome, not a fault
    """What came is no picture that can be shown."""


def decode(content: bytes) -> QImage:
    """A picture from a file's content, no larger than is needed. Raises UnreadablePicture. Any thread."""
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    size = reader.size()
    if reader.format().data() not in _FORMATS or not size.isValid():
        raise UnreadablePicture
    if size.width() * size.height() > _LARGEST:
        raise UnreadablePicture
    if size.boundedTo(_MOST) != size:
        kept = size.scaled(_MOST, Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(kept.expandedTo(QSize(1, 1)))
    reader.setAutoTransform(True)
    image = reader.read()
    if image.isNull():
        raise UnreadablePicture
    return image


class CardPictureView(Growing):
    """Says what the picture is of until it is there, and why it is not if it never comes."""

    def __init__(self, picture: CardPicture, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = picture
        self._theme = theme
        self._pixmap: QPixmap | None = None
        self._words = ""  # in place of the picture
        self.setObjectName("card_picture")
        self.setAccessibleName(self.tr("Picture: {words}").format(words=self._name))
        self._say(self.tr("Loading the picture…"))

    @property
    def text(self) -> str:
        """What stands in place of the picture; empty once it is there."""
        return self._words

    def show_pixmap(self, pixmap: QPixmap) -> None:
        """The picture has come."""
        self._pixmap = pixmap
        self._say("")

    def show_failure(self, sentence: str) -> None:
        """It will not come. Why is told to those who ask."""
        self._say(self.tr("The picture “{words}” is not shown").format(words=self._name), sentence)

    def height_at(self, width: int) -> int:
        """As high as the picture is at this width."""
        if self._pixmap is None:
            return _LINE
        return self._shown_size(width).height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the picture, or the words."""
        painter = QPainter(self)
        if self._pixmap is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRect(0, 0, *self._shown_size(self.width()).toTuple()), self._pixmap)
        else:
            font = self._theme.body_font(_FONT)
            painter.setFont(font)
            painter.setPen(self._theme.colours.faint)
            words = QFontMetrics(font).elidedText(self._words, Qt.TextElideMode.ElideMiddle, self.width())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()

    @property
    def _name(self) -> str:
        last = self.picture.address.rpartition("/")[2].partition("?")[0]
        return printable(self.picture.words or last, 80)

    def _shown_size(self, width: int) -> QSize:
        assert self._pixmap is not None
        size = self._pixmap.size()
        if size.width() <= width or width <= 0:
            return size
        return QSize(width, max(1, round(size.height() * width / size.width())))

    def _say(self, words: str, reason: str = "") -> None:
        self._words = words
        self.setToolTip(plain_tip(reason))
        self.setAccessibleDescription(". ".join(part for part in (words, reason) if part))
        self.update()
        self.height_changed.emit()
