"""A hub in memory: it answers what it was told to, fails when it was told to, and keeps what it was asked."""

import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from app.core.errors import FileProblem, ModelFileError
from app.models.hub import FoundModel, Gate, HubModel, RemoteFile, RemoteModel, SortOrder
from app.models.hub_problems import HubError, HubProblem

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Call(Struct, frozen=True):
    """A question: which method of the hub, about what, and for a search which page (from 1)."""

    method: str  # "search", "describe", "card", "picture" or "header"
    subject: str  # words, a repository, an address, or repository/path of a file
    page: int = 0
    order: SortOrder = SortOrder.BEST_MATCH


class ScriptedHub:
    """Implements `Hub`; safe to be called from several threads."""

    def __init__(self, page_size: int = 30) -> None:
        self.page_size = page_size
        self.models: dict[str, HubModel] = {}
        self.renamed: dict[str, str] = {}  # old to new name
        self.cards: dict[str, str] = {}
        self.pictures: dict[str, bytes] = {}
        self.headers: dict[str, Path] = {}  # by repository/path of the row's first file
        self.calls: list[Call] = []
        self._results: list[FoundModel] = []
        self._scripts: dict[str, list[tuple[FoundModel, ...]]] = {}
        self._errors: dict[tuple[str, str], list[Exception]] = defaultdict(list)

    def add(self, *models: HubModel) -> None:
        """Makes repositories known: searches find them, and they can be described."""
        for model in models:
            self.models[model.repo] = model
            self._results.append(model.found)

    def list_results(self, *results: FoundModel) -> None:
        """Lets searches find these, which cannot be described."""
        self._results += results

    def script_search(self, words: str, pages: Sequence[Sequence[FoundModel]]) -> None:
        """Says what a search for exactly these words gives, page by page."""
        self._scripts[words] = [tuple(page) for page in pages]

    def fail(self, method: str, error: Exception | None = None, *, subject: str = "", times: int = 1) -> None:
        """The next so many calls (about `subject` alone, if given) raise; no network unless told."""
        self._errors[method, subject] += [error or no_network()] * times

    def asked(self, method: str) -> list[str]:
        """The subjects that a method was called with, in order."""
        return [call.subject for call in self.calls if call.method == method]

    def search(self, words: str, order: SortOrder) -> Iterator[tuple[FoundModel, ...]]:
        """Repositories whose names have all the words, or what was scripted."""
        return _Pages(self, words, order)

    def describe(self, repo: str) -> HubModel:
        """A repository that was added."""
        self.note(Call("describe", repo))
        found = self.models.get(self.renamed.get(repo, repo))
        if found is None:
            raise HubError(HubProblem.NOT_FOUND, f"There is no {repo} on the hub. Check its name.")
        return found

    def card(self, model: HubModel) -> str:
        """Its card, or nothing."""
        self.note(Call("card", model.repo))
        return self.cards.get(model.repo, "")

    def picture(self, model: HubModel, address: str) -> bytes:
        """A picture that is known by this address."""
        self.note(Call("picture", address))
        if address not in self.pictures:
            raise HubError(HubProblem.NOT_FOUND, "There is no such picture.")
        return self.pictures[address]

    def header(self, model: HubModel, row: RemoteModel) -> Path:
        """The copy that was put into `headers`."""
        key = f"{model.repo}/{row.files[0].path}"
        self.note(Call("header", key))
        if key not in self.headers:
            path = Path(row.files[0].name)
            raise ModelFileError(path, FileProblem.NOT_GGUF, f"{path.name} is no GGUF file.")
        return self.headers[key]

    def note(self, call: Call) -> None:
        """Remembers a call, and raises what was prepared for it."""
        self.calls.append(call)
        for subject in (call.subject, ""):
            errors = self._errors[call.method, subject]
            if errors:
                raise errors.pop(0)

    def pages(self, words: str, order: SortOrder) -> list[tuple[FoundModel, ...]]:
        """What a search gives in all."""
        if words in self._scripts:
            return self._scripts[words]
        parts = words.casefold().split()
        found = [one for one in self._results if all(part in one.repo.casefold() for part in parts)]
        match order:
            case SortOrder.DOWNLOADS:
                found.sort(key=lambda one: -(one.downloads or 0))
            case SortOrder.LIKES:
                found.sort(key=lambda one: -(one.likes or 0))
            case SortOrder.UPDATED:
                found.sort(key=lambda one: -(one.updated or 0))
        size = self.page_size
        return [tuple(found[start : start + size]) for start in range(0, len(found), size)]


class _Pages:
    """The pages of one search. Like the real one, it is for one thread at a time, and a failure ends it."""

    def __init__(self, hub: ScriptedHub, words: str, order: SortOrder) -> None:
        self._hub = hub
        self._words = words
        self._order = order
        self._taken = 0
        self._over = False
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[tuple[FoundModel, ...]]:
        return self

    def __next__(self) -> tuple[FoundModel, ...]:
        assert self._lock.acquire(blocking=False), "two threads took a page of one search at the same time"
        try:
            pages = self._hub.pages(self._words, self._order)
            if self._over or (self._taken and self._taken >= len(pages)):
                raise StopIteration
            self._over = True  # unless all goes well
            self._hub.note(Call("search", self._words, self._taken + 1, self._order))
            if not pages:
                raise StopIteration
            self._over = False
            self._taken += 1
            return pages[self._taken - 1]
        finally:
            self._lock.release()


def no_network() -> HubError:
    """What a hub without a network raises."""
    return HubError(
        HubProblem.NO_NETWORK,
        "Hugging Face cannot be reached. Check the network connection; models on this computer keep working.",
    )


def found_model(
    repo: str = "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    *,
    downloads: int | None = 212_000,
    likes: int | None = 57,
    updated: float | None = 1_731_000_000.0,
    gate: Gate = Gate.OPEN,
    architecture: str | None = "qwen2",
    parameters: int | None = 1_540_000_000,
    context_length: int | None = 32_768,
) -> FoundModel:
    """A result with the given features and otherwise those of a small Qwen."""
    return FoundModel(repo, downloads, likes, updated, gate, architecture, parameters, context_length)


def remote_model(quantisation: str, size: int, *, stem: str = "model", parts: int = 1) -> RemoteModel:
    """A row: one file, or a split set of `parts` files, of `size` bytes in all."""
    whole = f"{stem}-{quantisation}" if quantisation else stem
    if parts == 1:
        names = [f"{whole}.gguf"]
    else:
        names = [f"{whole}-{part:05d}-of-{parts:05d}.gguf" for part in range(1, parts + 1)]
    files = tuple(RemoteFile(name, size // parts, f"{index:064x}") for index, name in enumerate(names))
    return RemoteModel(files, quantisation)


def hub_model(
    found: FoundModel | None = None,
    *models: RemoteModel,
    licence: str | None = "apache-2.0",
    base_models: tuple[str, ...] = ("Qwen/Qwen2.5-Coder-1.5B-Instruct",),
    projectors: tuple[RemoteModel, ...] = (),
    unjoined: tuple[RemoteFile, ...] = (),
) -> HubModel:
    """A repository; without rows, with the four of the mock."""
    rows = models or (
        remote_model("Q4_K_M", 1_120_000_000),
        remote_model("Q5_K_M", 1_290_000_000),
        remote_model("Q8_0", 1_890_000_000),
        remote_model("F16", 3_560_000_000),
    )
    return HubModel(found or found_model(), COMMIT, licence, base_models, rows, projectors, unjoined)
