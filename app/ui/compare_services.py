"""What the pages of Compare work with."""

from dataclasses import dataclass

from app.core.advice import Advisor
from app.core.prompts import Suite
from app.ui.comparison import Comparison
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.preferences import Preferences
from app.ui.session import Session
from app.ui.tasks import Tasks
from app.ui.theme import Theme


@dataclass(frozen=True)
class CompareServices:
    """All of it. There is one comparison at a time, whichever page began it."""

    theme: Theme
    icons: Icons
    tasks: Tasks
    session: Session
    library: LibraryService
    advisor: Advisor
    preferences: Preferences
    comparison: Comparison
    suites: tuple[Suite, ...]  # the built-in prompts, by kind
