"""Shows a file in the system's file manager."""

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices


def show_in_folder(path: Path) -> None:
    """Opens the folder of a file, with the file selected where the system can; a folder itself is opened."""
    if path.is_dir():
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
    elif sys.platform == "win32":
        QProcess.startDetached("explorer.exe", ["/select,", str(path)])
    elif sys.platform == "darwin":
        QProcess.startDetached("/usr/bin/open", ["-R", str(path)])
    else:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
