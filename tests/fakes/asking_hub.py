"""Questions to the hub, shortened for tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.models.hub import FoundModel
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_server import HubServer


def add(hub: HubServer, name: str, **facts: Any) -> None:
    """A repository with one small file."""
    hub.add_model(name, {"m-Q4_K_M.gguf": GeneratedContent(5000)}, **facts)


def repos(pages: Iterator[tuple[FoundModel, ...]]) -> list[str]:
    """The names on all pages."""
    return [model.repo for page in pages for model in page]


def problem(ask: Callable[[], object]) -> HubProblem:
    """The kind of trouble that a question ends in."""
    with pytest.raises(HubError) as caught:
        ask()
    return caught.value.problem
