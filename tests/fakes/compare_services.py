"""What the pages of Compare work with, without an engine."""

from pathlib import Path
from typing import NamedTuple

from app.core.prompts import load_suites
from app.models.library import LocalModel
from app.paths import resource
from app.ui.compare_services import CompareServices
from app.ui.icons import Icons
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.listed_models import ListedModels, library_of, preferences_in
from tests.fakes.local_models import local_model
from tests.fakes.scripted_comparison import ScriptedComparison
from tests.fakes.session import FakeSession
from tests.fakes.setups import DRAFT, TARGET, drafted_setup, plain_setup
from tests.fakes.tasks import ImmediateTasks

OTHER_DRAFT = local_model(
    "Qwen2.5 0.5B Instruct", path=Path("/models/other.gguf"), parameters=494_000_000, quantisation="Q8_0"
)


class ComparePlace(NamedTuple):
    """The services, and the fakes among them as what they are."""

    services: CompareServices
    session: FakeSession
    comparison: ScriptedComparison
    advisor: FakeAdvisor
    models: ListedModels

    def close(self) -> None:
        """Ends the services here and now."""
        self.services.library.close()
        self.services.preferences.close()
        for service in (
            self.comparison,
            self.session,
            self.services.library,
            self.services.preferences,
        ):
            service.deleteLater()


def compare_place(
    theme: Theme,
    icons: Icons,
    folder: Path,
    *,
    tasks: Tasks | None = None,
    loaded: bool = True,
    draft: bool = True,
    models: tuple[LocalModel, ...] = (TARGET, DRAFT, OTHER_DRAFT),
) -> ComparePlace:
    """A session in state Running (with its draft model, or without), unless nothing is `loaded`.

    Work is done at once unless other `tasks` are given; `folder` is for the settings. Close it at the end.
    """
    session, comparison, advisor = FakeSession(), ScriptedComparison(), FakeAdvisor()
    listed, preferences = ListedModels(*models), preferences_in(folder)
    if loaded:
        setup = drafted_setup() if draft else plain_setup()
        preferences.remember(TARGET.path, setup.config)
        session.run(setup)
    services = CompareServices(
        theme=theme,
        icons=icons,
        tasks=tasks or ImmediateTasks(threads=1),
        session=session,  # type: ignore[arg-type]
        library=library_of(listed, preferences, folder),
        advisor=advisor,
        preferences=preferences,
        comparison=comparison,  # type: ignore[arg-type]
        suites=load_suites(resource("prompts")),
    )
    return ComparePlace(services, session, comparison, advisor, listed)
