"""What this program is, and what it is made of."""

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QWidget

from app import __version__
from app.figures import MISSING
from app.ui.settings_card import SettingsCard
from app.ui.widgets import column, label


class AboutCard(SettingsCard):
    """Versions, as one line that can be copied, and whose work it rests on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("about_card", parent)
        self.add_heading(self.tr("About Slipstream {version}").format(version=__version__))
        versions = label(
            f"llama-cpp-python {_version('llama-cpp-python')} · Qt {qVersion()} · "
            f"Python {platform.python_version()} · {platform.system()} {platform.machine()}",
            wrap=True,
        )
        versions.setObjectName("versions_line")
        versions.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        licences = label(
            self.tr(
                "Rests on llama.cpp and llama-cpp-python (MIT), Qt and PySide6 (LGPL 3), "
                "markdown-it-py (MIT), Pygments (BSD), huggingface_hub (Apache 2.0), NumPy, psutil and "
                "msgspec (BSD)."
            ),
            size="small",
            tone="muted",
            wrap=True,
        )
        licences.setObjectName("licences_line")
        self.add(column(versions, licences, spacing=4))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # a bundle may come without this information
        return MISSING
