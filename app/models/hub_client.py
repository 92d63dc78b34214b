"""The Hugging Face hub: searches, describes repositories, reads cards, pictures and headers."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app.models.header_store import HeaderStore
from app.models.hub import FoundModel, HubModel, RemoteFile, RemoteModel, SortOrder
from app.models.hub_answers import not_the_answer
from app.models.hub_facts import base_models, found_model, licence, remote_file
from app.models.hub_files import sort_files
from app.models.hub_pictures import PICTURE_SECONDS, InRepository, picture_in, place_of, read_elsewhere
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_query import Words, parse_query
from app.models.hub_reading import hub_answer, read_beginning, read_range
from app.models.hub_session import hub_api
from app.models.hub_words import hub_error, hub_errors

if TYPE_CHECKING:
    from huggingface_hub.hf_api import ExpandModelProperty_T

PAGE_SIZE = 30  # results

_LONGEST_CARD = 1 << 20  # bytes
_MOST_FILES = 20_000  # of one repository
_CARD = "README.md"
_FRONT_MATTER = re.compile(r"\s*---[ \t]*\r?\n.*?^---[ \t]*(\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_ENDING = re.compile(r"[-_.]gguf$", re.IGNORECASE)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_SORTS: dict[SortOrder, Literal["downloads", "likes", "last_modified"]] = {
    SortOrder.DOWNLOADS: "downloads",
    SortOrder.LIKES: "likes",
    SortOrder.UPDATED: "last_modified",
}
_SHOWN: "list[ExpandModelProperty_T]" = ["downloads", "gated", "gguf", "lastModified", "likes"]
_DESCRIBED: "list[ExpandModelProperty_T]" = [*_SHOWN, "baseModels", "cardData", "sha", "tags"]
_UNSEEN = (  # a repository that has no line among the results
    HubProblem.NOT_FOUND,
    HubProblem.HIDDEN,
    HubProblem.UNAUTHORISED,
    HubProblem.FORBIDDEN,
    HubProblem.GATED,
)


class _PageSize(int):
    """The library's `limit` is both how many results a page has and how many there are in all.

    As a number this one is as good as endless; in the request it reads as the size of a page.
    """

    def __str__(self) -> str:
        return str(PAGE_SIZE)


class HubClient:
    """The `Hub`, through the hub's own library, which is imported at the first call.

    Headers of files are kept below `cache`. `endpoint` is the hub's address, by default HF_ENDPOINT or
    Hugging Face itself.
    """

    def __init__(self, cache: Path, endpoint: str | None = None) -> None:
        self._headers = HeaderStore(cache)
        self._given_endpoint = None if endpoint is None else endpoint.rstrip("/")

    def search(self, words: str, order: SortOrder) -> Iterator[tuple[FoundModel, ...]]:
        """Repositories with GGUF files, page by page. One that was named comes first, whatever it holds."""
        query = parse_query(words, self._endpoint)
        if isinstance(query, Words):
            yield from self._pages(query.text, order)
            return
        unseen: HubError | None = None
        named: tuple[FoundModel, ...] = ()
        try:
            with hub_errors(query.repo):
                info = hub_api(self._endpoint).model_info(query.repo, expand=_SHOWN)
            named = (found_model(info),)
        except HubError as error:
            if error.problem not in _UNSEEN:
                raise
            unseen = error
        words = _ENDING.sub("", query.repo.partition("/")[2])
        pages = self._pages(words, order, {model.repo for model in named})
        others = next(pages, ())
        if unseen is not None and not others:
            raise unseen
        yield (*named, *others)
        yield from pages

    def describe(self, repo: str) -> HubModel:
        """A repository with its files, as they are at its last commit."""
        from huggingface_hub.hf_api import RepoFile

        with hub_errors(repo):
            api = hub_api(self._endpoint)
            info = api.model_info(repo, expand=_DESCRIBED)
            if not isinstance(info.sha, str) or not _COMMIT.fullmatch(info.sha):
                raise not_the_answer()
            tree = api.list_repo_tree(info.id, recursive=True, revision=info.sha)
            listed = [entry for entry in islice(tree, _MOST_FILES) if isinstance(entry, RepoFile)]
        files = sort_files(file for entry in listed if (file := remote_file(entry)) is not None)
        return HubModel(
            found=found_model(info),
            commit=info.sha,
            licence=licence(info),
            base_models=base_models(info),
            models=files.models,
            projectors=files.projectors,
            unjoined=files.unjoined,
        )

    def card(self, model: HubModel) -> str:
        """The model card in Markdown, without its front matter, cut after 1 MB; empty where there is none."""
        try:
            data = read_beginning(model.repo, model.commit, _CARD, self._endpoint, _LONGEST_CARD)
        except HubError as error:
            if error.problem is HubProblem.NOT_FOUND:
                return ""
            raise
        text = data.decode("utf-8-sig", "replace")
        front = _FRONT_MATTER.match(text)
        return (text if front is None else text[front.end() :]).strip()

    def picture(self, model: HubModel, address: str) -> bytes:
        """A picture of a model card, at most 10 MB. Without the token, unless it lies in the repository."""
        place = place_of(address, model.repo, self._endpoint)
        if not isinstance(place, InRepository):
            return read_elsewhere(place.address, self._endpoint)
        where = (model.repo, model.commit, place.path, self._endpoint)
        with hub_answer(*where, seconds=PICTURE_SECONDS) as response:
            return picture_in(response, in_repository=True)

    def header(self, model: HubModel, row: RemoteModel) -> Path:
        """A local copy of the headers of a row's files (the first one's path), fetched at most once."""

        def fetch(file: RemoteFile, start: int, stop: int) -> bytes:
            return read_range(model.repo, model.commit, file, self._endpoint, start, stop)

        try:
            return self._headers.path_of(model.repo, model.commit, row, fetch)
        except OSError as error:  # of the folder where it is to be kept
            raise hub_error(error, model.repo) from error

    @property
    def _endpoint(self) -> str:
        from huggingface_hub import constants

        return self._given_endpoint or constants.ENDPOINT

    def _pages(
        self, words: str, order: SortOrder, seen: set[str] | None = None
    ) -> Iterator[tuple[FoundModel, ...]]:
        """What is found by words, without what was seen. The hub is asked for a page when it is taken."""
        known = seen or set()
        with hub_errors():
            found = iter(
                hub_api(self._endpoint).list_models(
                    search=words or None,
                    filter="gguf",
                    sort=_SORTS.get(order),
                    limit=_PageSize(2**31 - 1),
                    expand=_SHOWN,
                )
            )
        while True:
            with hub_errors():
                listed = list(islice(found, PAGE_SIZE))
            if not listed:
                return
            page = [found_model(info) for info in listed]
            fresh = tuple(model for model in page if model.repo not in known)
            known.update(model.repo for model in fresh)
            if fresh:
                yield fresh
