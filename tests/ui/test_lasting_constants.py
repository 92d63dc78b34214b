"""None, True and False outlive PySide6's calls."""

import sys

import pytest
from PySide6.QtWidgets import QApplication, QWidget

import app.ui


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="constants are never freed there")
@pytest.mark.parametrize("constant", [None, True, False])
def test_a_constant_has_references_to_spare(constant: object) -> None:
    assert app.ui.__doc__
    assert sys.getrefcount(constant) > 2**60


def test_thousands_of_calls_do_no_harm(qapp: QApplication) -> None:
    widget = QWidget()
    for _ in range(20_000):
        widget.setObjectName("x")
        widget.isVisible()
    assert widget.objectName() == "x"
