"""What the lists say about models."""

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.errors import FileProblem
from app.models.library import Listing, UnusableFile
from app.ui.model_words import age_text, parameters_text, quantisation_text, reason_text, total_text
from tests.fakes.local_models import local_model

TODAY = date(2026, 3, 15)


@pytest.mark.parametrize(
    ("label", "count", "text"),
    [
        ("1.5B", 1_780_000_000, "1.5B"),
        ("8x7B", 46_700_000_000, "8x7B"),
        ("135M", 134_500_000, "135M"),
        ("7B", 1_540_000_000, "1.5B"),  # of some ancestor
        ("", 8_030_000_000, "8.0B"),
        ("large", 494_000_000, "494M"),
        (None, 70_000_000_000, "70B"),
    ],
)
def test_the_size_that_people_know_if_it_can_be_true(label: str | None, count: int, text: str) -> None:
    info = replace(local_model(parameters=count).info, size_label=label)
    assert parameters_text(info) == text


def test_a_split_set_tells_its_parts(qtbot: QtBot) -> None:
    parts = (Path("/a"), Path("/b"), Path("/c"))
    assert quantisation_text(local_model(parts=parts).info) == "Q4_K_M · 3 parts"
    assert quantisation_text(local_model().info) == "Q4_K_M"


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (0, "today"),
        (1, "yesterday"),
        (2, "2 days ago"),
        (6, "6 days ago"),
        (7, "last week"),
        (13, "last week"),
        (14, "1 Mar 2026"),
        (-1, "16 Mar 2026"),  # of a computer whose clock was wrong
    ],
)
def test_days(days: int, text: str) -> None:
    day = datetime(TODAY.year, TODAY.month, TODAY.day, 23, 59) - timedelta(days=days)
    assert age_text(day.timestamp(), TODAY) == text


@pytest.mark.parametrize("time", [1e30, float("nan"), -1e20])
def test_a_time_that_cannot_be(time: float) -> None:
    assert age_text(time, TODAY) == "–"


def test_totals() -> None:
    one = local_model(size_bytes=1_500_000_000)
    assert total_text(Listing((one,))) == "1 model · 1.50 GB"
    assert total_text(Listing((one, one))) == "2 models · 3.00 GB"
    assert total_text(Listing((one, one)), 0) == "0 of 2 models"


def test_a_reason_is_a_sentence_that_does_not_repeat_the_name() -> None:
    file = UnusableFile(Path("/m/a.gguf"), FileProblem.TRUNCATED, "a.gguf is incomplete.", 0, True)
    assert reason_text(file) == "Incomplete."
    other = replace(file, sentence="a.gguf holds a vocabulary without weights.")
    assert reason_text(other) == "Holds a vocabulary without weights."
    other = replace(file, sentence="The set has 3 parts.")
    assert reason_text(other) == "The set has 3 parts."
