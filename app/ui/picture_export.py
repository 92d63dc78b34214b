"""Saves what a widget shows as a picture."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QWidget

_MARGIN = 16  # pixels around the widget
_DENSITY = 2  # pixels of a PNG for each of the screen
_DOTS_PER_INCH = 96  # so that a pixel of an SVG is one of the screen


def save_picture(widget: QWidget, path: Path) -> None:
    """Writes an SVG where the path ends in `.svg`, else a PNG of twice the size. Raises OSError.

    Behind the widget lies the window's colour.
    """
    size = widget.size() + QSize(2 * _MARGIN, 2 * _MARGIN)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if path.suffix.lower() == ".svg":
        drawing = QSvgGenerator()
        drawing.setOutputDevice(buffer)
        drawing.setResolution(_DOTS_PER_INCH)
        drawing.setSize(size)
        drawing.setViewBox(QRect(QPoint(0, 0), size))
        drawing.setTitle(widget.accessibleName())
        drawing.setDescription(widget.accessibleDescription())
        _paint(widget, drawing, size)
    else:
        image = QImage(size * _DENSITY, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(_DENSITY)
        _paint(widget, image, size)
        QImageWriter(buffer, QByteArray(b"png")).write(image)
    buffer.close()
    path.write_bytes(content.data())


def _paint(widget: QWidget, device: QPaintDevice, size: QSize) -> None:
    painter = QPainter(device)
    painter.fillRect(QRect(QPoint(0, 0), size), QApplication.palette().window())
    place = QPoint(_MARGIN, _MARGIN)
    widget.render(painter, place, renderFlags=QWidget.RenderFlag.DrawChildren)  # not the widget's own paper
    painter.end()
