"""Offers of other programs' folders: only of what holds models, and only once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.models.model_folders import Keeper, OfferedFolder
from app.ui.folder_offers import FolderOffer, FolderOffers
from tests.fakes.library_places import Places


@pytest.fixture
def places(tmp_path: Path, qtbot: QtBot) -> Iterator[Places]:
    made = Places(tmp_path)
    yield made
    made.close()


@pytest.fixture
def offers(places: Places) -> FolderOffers:
    """Offers of LM Studio's folder, which is the other one."""
    found = (OfferedFolder(Keeper.LM_STUDIO, places.other),)
    return FolderOffers(lambda: found, places.preferences, places.tasks, places.managed, places.library)


def test_a_folder_with_models_is_offered(places: Places, offers: FolderOffers, qtbot: QtBot) -> None:
    places.put("a.gguf", managed=False)
    places.put("b.gguf", managed=False)
    assert not offers.open
    with qtbot.waitSignal(offers.changed):
        offers.look()
    assert offers.open == (FolderOffer(Keeper.LM_STUDIO, places.other, 2),)


def test_one_without_is_not(offers: FolderOffers) -> None:
    offers.look()
    assert not offers.open


def test_an_accepted_one_is_listed_and_offered_no_more(places: Places, offers: FolderOffers) -> None:
    places.put("a.gguf", managed=False)
    offers.look()
    offers.accept(offers.open[0])
    assert places.preferences.settings.extra_folders == (places.other,)
    assert not offers.open


def test_a_declined_one_is_never_offered_again(places: Places, offers: FolderOffers) -> None:
    places.put("a.gguf", managed=False)
    offers.look()
    offers.decline(offers.open[0])
    offers.look()
    assert not offers.open
    assert places.preferences.settings.extra_folders == ()


def test_what_is_listed_already_is_not_offered(places: Places, offers: FolderOffers) -> None:
    places.put("a.gguf", managed=False)
    places.preferences.update(models_folder=places.other.parent)
    offers.look()
    assert not offers.open
    places.preferences.update(models_folder=None)
    assert [offer.path for offer in offers.open] == [places.other]
