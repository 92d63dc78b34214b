"""Icons: drawings in one colour, which the theme gives."""

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.paths import resource
from app.ui.theme import Theme

_SIZES = (16, 20, 24, 40)  # pixels; the last for screens of twice the density


class Icons:
    """Draws icons in the theme's colours. Who keeps one asks again when the theme has changed."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._made: dict[tuple[str, str], QIcon] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}
        theme.changed.connect(self._made.clear)
        theme.changed.connect(self._pixmaps.clear)

    def icon(self, name: str, role: str = "muted") -> QIcon:
        """The drawing `resources/icons/<name>.svg` in the colour of a role, fainter where disabled."""
        made = self._made.get((name, role))
        if made is None:
            made = self._made[name, role] = self._drawn(name, role)
        return made

    def _drawn(self, name: str, role: str) -> QIcon:
        drawing = resource(f"icons/{name}.svg").read_text(encoding="utf-8")
        colours = self._theme.colours
        icon = QIcon()
        for mode, colour in (
            (QIcon.Mode.Normal, getattr(colours, role)),
            (QIcon.Mode.Disabled, colours.faint),
        ):
            renderer = _renderer(drawing, colour)
            for size in _SIZES:
                icon.addPixmap(_painted(renderer, size), mode)
        return icon

    def pixmap(self, name: str, role: str, size: int, ratio: float) -> QPixmap:
        """One picture, `size` logical pixels wide, for a screen whose density is `ratio`."""
        key = (name, role, size, ratio)
        if key not in self._pixmaps:
            drawing = resource(f"icons/{name}.svg").read_text(encoding="utf-8")
            pixmap = _painted(_renderer(drawing, getattr(self._theme.colours, role)), round(size * ratio))
            pixmap.setDevicePixelRatio(ratio)
            self._pixmaps[key] = pixmap
        return self._pixmaps[key]


def _renderer(drawing: str, colour: QColor) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(drawing.replace("currentColor", colour.name()).encode()))


def _painted(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
