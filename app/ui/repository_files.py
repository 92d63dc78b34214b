"""What happens around the files of the repository that is open: hints, the recommendation, downloads."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.fit import Fit, Room, fit_of, rough_need, typical_draft_bytes
from app.models.download import Download, DownloadRequest, Failed
from app.models.download_places import model_folder, targets_of
from app.models.hub import HubModel, RemoteModel
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_query import Repository
from app.models.quantisations import recommended
from app.ui.downloads_service import DownloadsService
from app.ui.draft_offer import DraftOffer
from app.ui.files_table import Action, RowState
from app.ui.fit_hints import FitHints
from app.ui.hub_model_words import download_title
from app.ui.repository_view import RepositoryView
from app.ui.whereabouts import WhereaboutsService

_ROOMY = (Fit.FITS, Fit.FITS_WITHOUT_DRAFT)


class RepositoryFiles(QObject):
    """Tells the view what is known of each file, offers a draft for the chosen one, and begins downloads."""

    load_requested = Signal(object)  # Path
    pair_begun = Signal(object, object)  # Path, Path: where the target is or will be, and its draft
    refused = Signal(str)  # a sentence on why something cannot be downloaded
    row_reached = Signal(object)  # RemoteModel, chosen by hand: it should be in sight
    outdated = Signal(str)  # a file that is another one now: read the repository anew, and go on with it

    def __init__(
        self,
        view: RepositoryView,
        offer: DraftOffer,
        hints: FitHints,
        downloads: DownloadsService,
        places: WhereaboutsService,
        models_folder: Callable[[], Path],
        free_memory: Callable[[], int],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._offer = offer
        self._hints = hints
        self._downloads = downloads
        self._places = places
        self._models_folder = models_folder
        self._free_memory = free_memory
        self._model: HubModel | None = None
        self._chosen_by_hand = False
        self._goes_on_with: str | None = None
        view.action_chosen.connect(self._act)
        view.row_selected.connect(self._choose_by_hand)
        hints.hints_changed.connect(self._take_hints)
        offer.pair_requested.connect(self._download_pair)
        offer.draft_requested.connect(self._download_offered)
        offer.draft_changed.connect(hints.assume_draft)
        places.changed.connect(self._show_states)
        places.progressed.connect(self._show_states)

    def begin(self, model: HubModel, wanted: Repository) -> None:
        """Follows the repository that the view shows. `wanted` may name one of its files."""
        self._model = model
        self._show_states()
        self._hints.look(model)
        self._recommend()
        self._select_wanted(model, wanted)
        self._offer_draft()
        path, self._goes_on_with = self._goes_on_with, None
        for row in (*model.models, *model.projectors):
            if row.files[0].path == path:
                self._download(model, row)

    def go_on_with(self, path: str) -> None:
        """Downloads this file as soon as its repository has been read, as it is then."""
        self._goes_on_with = path

    def clear(self) -> None:
        """Follows none any more."""
        self._model = None
        self._goes_on_with = None
        self._chosen_by_hand = False
        self._hints.clear()
        self._offer.clear()

    def refresh(self) -> None:
        """Other programs may have taken memory, or given it back."""
        self._hints.refresh()

    def download_draft_for(self, target: Path | None, draft: tuple[HubModel, RemoteModel]) -> None:
        """Begins the download of a draft model for a target on this computer."""
        self._tell_pair(target, self._download(*draft))

    def _download_offered(self, draft: tuple[HubModel, RemoteModel]) -> None:
        """The target is on this computer already."""
        target = self._view.files.selected
        path = None if target is None else self._view.table.state_of(target).path
        self.download_draft_for(path, draft)

    def _download_pair(self, pair: tuple[tuple[HubModel, RemoteModel], tuple[HubModel, RemoteModel]]) -> None:
        target, draft = pair
        self._tell_pair(self._download(*target), self._download(*draft))

    def _tell_pair(self, target: Path | None, draft: Path | None) -> None:
        if target is not None and draft is not None:
            self.pair_begun.emit(target, draft)

    def _download(self, model: HubModel, row: RemoteModel) -> Path | None:
        """Begins a download, or goes on with it. Gives the file that will be loaded."""
        try:
            folder = model_folder(self._models_folder(), model.repo)
            title = download_title(model, row)
            request = DownloadRequest(model.repo, model.commit, row.files, folder, title)
            first = targets_of(request)[0]
        except HubError as error:
            self.refused.emit(str(error))
            return None
        self._downloads.add(request)
        return first

    def _act(self, row: RemoteModel) -> None:
        """Does what the button of a row says."""
        model = self._model
        if model is None:
            return
        table = self._view.table if row in model.models else self._view.projectors
        state = table.state_of(row)
        path = state.path
        if table.action_of(row) is Action.LOAD and path is not None:
            self.load_requested.emit(path)
        elif state.download is not None and _is_outdated(state.download, model, row):
            self.outdated.emit(row.files[0].path)
        else:
            self._download(model, row)

    def _show_states(self) -> None:
        model = self._model
        if model is not None:
            of = self._places
            rows = (*model.models, *model.projectors)
            states = {row: RowState(of.download_of(model, row), of.path_of(model, row)) for row in rows}
            self._view.show_states(states)

    # Which row

    def _take_hints(self) -> None:
        if self._model is not None:
            self._view.show_hints(self._hints.hints)
            self._recommend()
            self._offer_draft()

    def _recommend(self) -> None:
        model = self._model
        if model is None:
            return
        found = recommended(model.models, lambda row: self._fit(row) in _ROOMY)
        if found is None:
            found = recommended(model.models, lambda row: self._fit(row) is Fit.TIGHT)
        fitting = (*_ROOMY, Fit.TIGHT)
        self._view.recommend(found, something_fits=any(self._fit(row) in fitting for row in model.models))
        if found is not None and not self._chosen_by_hand:
            self._view.files.select(found[0])

    def _fit(self, row: RemoteModel) -> Fit:
        """From the header or, before that is known, from the size."""
        hint = self._hints.hints.get(row)
        if hint is not None:
            return hint.fit
        need = rough_need(row.total_bytes)
        return fit_of(need, typical_draft_bytes(row.total_bytes), Room(self._free_memory()))

    def _select_wanted(self, model: HubModel, wanted: Repository) -> None:
        """An address may lead to one of the files, and a name may come with a number format."""
        quantisation = (wanted.quantisation or "").casefold()
        for row in model.models:
            by_file = any(file.path == wanted.file for file in row.files)
            if by_file or (quantisation and row.quantisation.casefold() == quantisation):
                self._view.files.select(row)
                self._choose_by_hand(row)
                return

    def _choose_by_hand(self, row: RemoteModel) -> None:
        self._chosen_by_hand = True
        self.row_reached.emit(row)
        self._offer_draft()

    def _offer_draft(self) -> None:
        model = self._model
        if model is None or not model.models:
            return
        self._offer.show_for(model, self._view.files.selected or model.models[0])


def _is_outdated(download: Download, model: HubModel, row: RemoteModel) -> bool:
    """Whether the file was found to be another one than this row tells of."""
    state, request = download.state, download.request
    has_changed = isinstance(state, Failed) and state.problem is HubProblem.CHANGED
    return has_changed and (request.commit, request.files) == (model.commit, row.files)
