"""Experiments on disk: whole after a restart, quick to list, and never in each other's way."""

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.database import StoreError, StoreProblem
from app.core.experiment import Experiment, Run
from app.core.experiment_entry import ExperimentEntry, entry_of
from app.core.experiment_file import ExperimentFileError, from_json, to_json
from app.core.experiment_store import ExperimentStore
from app.core.prompts import Prompt
from tests.fakes.experiments import (
    CODE,
    CREATED,
    prompt_experiment,
    suite_experiment,
    sweep_experiment,
    trace_of,
    written_by,
)

SHORT = prompt_experiment((8.0,), (16.0,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "comparisons.sqlite"


@pytest.fixture
def store() -> Iterator[ExperimentStore]:
    made = ExperimentStore.in_memory()
    yield made
    made.close()


def made_at(created: float) -> Experiment:
    return replace(SHORT, created=created)


def ids(store: ExperimentStore) -> list[int]:
    return [entry.id for entry in store.entries()]


def change(store: ExperimentStore, statement: str, *values: object) -> None:
    """What somebody else, or the disk, does to the file."""
    store._database.write(statement, *values)


def with_texts(text: str) -> Experiment:
    """One that has a text wherever there can be any."""
    runs: tuple[Run, ...] = tuple(replace(run, text=text, spans=()) for run in SHORT.runs)
    prompts = (Prompt(CODE.id, text, text),)
    return replace(SHORT, runs=runs, prompts=prompts, target=replace(SHORT.target, name=text))


class TestKeeping:
    @pytest.mark.parametrize(
        "experiment",
        [
            prompt_experiment(traced=True),
            suite_experiment(),
            sweep_experiment(),
            prompt_experiment(ended_runs=1),
        ],
        ids=["prompt", "suite", "sweep", "stopped"],
    )
    def test_an_experiment_comes_back_whole(self, path: Path, experiment: Experiment) -> None:
        store, problem = ExperimentStore.open(path)
        id_ = store.add(experiment)
        store.close()

        assert problem == ""
        store, problem = ExperimentStore.open(path)
        assert problem == ""
        assert store.experiment(id_) == experiment
        assert store.entries() == (entry_of(experiment, id_),)
        store.close()

    def test_the_newest_comes_first(self, store: ExperimentStore) -> None:
        old, new, middle = (store.add(made_at(CREATED + seconds)) for seconds in (0, 2, 1))
        twin = store.add(made_at(CREATED + 2))

        assert ids(store) == [twin, new, middle, old]

    def test_one_that_gets_a_trace_takes_the_place_of_what_it_was(self, store: ExperimentStore) -> None:
        other, id_ = store.add(made_at(CREATED - 1)), store.add(SHORT)
        traced = replace(SHORT, traces=(trace_of(),))
        store.replace(id_, traced)

        assert store.experiment(id_) == traced
        assert ids(store) == [id_, other]
        assert store.experiment(other) == made_at(CREATED - 1)

    def test_the_row_follows_what_replaces_it(self, store: ExperimentStore) -> None:
        id_ = store.add(prompt_experiment((8.0,), (16.0,)))
        slower = prompt_experiment((8.0,), (4.0,))
        store.replace(id_, slower)

        assert store.entries() == (entry_of(slower, id_),)

    def test_what_was_purged_meanwhile_is_not_brought_back(self, store: ExperimentStore) -> None:
        id_ = store.add(SHORT)
        store.delete(id_)
        store.purge(id_)
        store.replace(id_, SHORT)

        assert ids(store) == []
        with pytest.raises(StoreError, match="deleted meanwhile"):
            store.experiment(id_)

    def test_an_id_can_be_given_and_none_is_given_twice(self, store: ExperimentStore) -> None:
        assert store.next_id() == 1
        assert store.add(SHORT, 5) == 5
        assert store.add(SHORT, 5) == 5, "in its place"
        store.delete(5)
        store.purge(5)

        assert store.next_id() == 6
        assert store.add(SHORT) == 6


class TestDeleting:
    def test_can_be_undone(self, store: ExperimentStore) -> None:
        id_ = store.add(SHORT)
        before = store.entries()
        store.delete(id_)
        assert store.entries() == ()
        assert store.holds(id_)

        store.undo_delete(id_)
        assert store.entries() == before
        assert store.experiment(id_) == SHORT

    def test_purging_is_for_good_and_only_for_deleted_ones(self, store: ExperimentStore) -> None:
        gone, kept = store.add(SHORT), store.add(SHORT)
        store.delete(gone)
        store.purge(gone)
        store.purge(kept)
        store.undo_delete(gone)

        assert ids(store) == [kept]
        assert not store.holds(gone)
        assert store._database.rows("SELECT experiment FROM contents") == [(kept,)], "no bytes are left"

    def test_deleted_ones_are_gone_at_the_next_start(self, path: Path) -> None:
        store, _ = ExperimentStore.open(path)
        gone, kept = store.add(SHORT), store.add(SHORT)
        store.delete(gone)
        store.close()

        store, _ = ExperimentStore.open(path)
        store.undo_delete(gone)
        assert ids(store) == [kept]
        store.close()


class TestTheList:
    def test_is_read_without_the_experiments_themselves(self, store: ExperimentStore) -> None:
        store.add(SHORT)

        def allow(_action: int, table: str | None, *_: object) -> int:
            return sqlite3.SQLITE_DENY if table == "contents" else sqlite3.SQLITE_OK

        store._database.connection.set_authorizer(allow)
        assert len(store.entries()) == 1
        with pytest.raises(StoreError):
            store.experiment(1)
        store._database.connection.set_authorizer(None)

    @pytest.mark.parametrize(
        ("change_of", "damaged"),
        [
            ("kind = 'tournament'", {"kind": None}),
            ("created = 'long ago'", {"created": 0.0}),
            ("drafts = '[1'", {"drafts": ()}),
            ("drafts = '{}'", {"drafts": ()}),
            ("target = x'ff00'", {"target": ""}),
            ("speedup = 'fast'", {"speedup": None}),
            ("sameness = 'odd'", {"sameness": None}),
            ("prompts = 'many'", {"prompts": 1}),
            ("format = 'x'", {"format": 0}),
        ],
    )
    def test_a_damaged_figure_takes_nothing_else_away(
        self, store: ExperimentStore, change_of: str, damaged: dict[str, object]
    ) -> None:
        other, id_ = store.add(made_at(CREATED - 1)), store.add(SHORT)
        change(store, f"UPDATE experiments SET {change_of} WHERE id = ?", id_)

        found = {entry.id: entry for entry in store.entries()}
        expected: ExperimentEntry = replace(entry_of(SHORT, id_), **damaged)
        assert found == {id_: expected, other: entry_of(made_at(CREATED - 1), other)}
        assert store.experiment(id_) == SHORT


class TestReading:
    @pytest.mark.parametrize(("other", "age"), [(1, "an older"), (99, "a newer")])
    def test_another_format_stays_listed_and_says_so_when_opened(
        self, store: ExperimentStore, other: int, age: str
    ) -> None:
        id_ = store.add(SHORT)
        change(store, "UPDATE experiments SET format = ?", other)
        change(store, "UPDATE contents SET content = ?", zlib.compress(written_by(other, SHORT)))

        assert [(entry.id, entry.format) for entry in store.entries()] == [(id_, other)]
        with pytest.raises(ExperimentFileError, match=f"{age} version of Slipstream"):
            store.experiment(id_)

    def test_one_from_before_lengths_could_be_automatic_is_opened_as_fixed(
        self, store: ExperimentStore
    ) -> None:
        id_ = store.add(SHORT)
        change(store, "UPDATE experiments SET format = 2")
        change(store, "UPDATE contents SET content = ?", zlib.compress(written_by(2, SHORT)))

        assert [(entry.id, entry.format) for entry in store.entries()] == [(id_, 2)]
        assert store.experiment(id_) == SHORT

    @pytest.mark.parametrize("content", [b"", b"damage", "text", 5])
    def test_a_damaged_one_says_so_and_stays_listed(self, store: ExperimentStore, content: object) -> None:
        id_ = store.add(SHORT)
        change(store, "UPDATE contents SET content = ?", content)

        with pytest.raises(StoreError, match="damaged"):
            store.experiment(id_)
        assert ids(store) == [id_]

    def test_a_byte_that_turned_over_is_noticed(self, store: ExperimentStore) -> None:
        id_ = store.add(SHORT)
        content = bytearray(store._database.rows("SELECT content FROM contents")[0][0])
        content[len(content) // 2] ^= 0x55
        change(store, "UPDATE contents SET content = ?", bytes(content))

        with pytest.raises(StoreError, match="damaged"):
            store.experiment(id_)

    @pytest.mark.parametrize("content", [b"[]", b"", b'{"created": 1.0, "kind": "prompt"}'])
    def test_what_is_none_is_a_damaged_one_here(self, store: ExperimentStore, content: bytes) -> None:
        id_ = store.add(SHORT)
        change(store, "UPDATE contents SET content = ?", zlib.compress(content))

        with pytest.raises(StoreError) as caught:
            store.experiment(id_)
        assert str(caught.value) == "This comparison is damaged and cannot be opened."

    def test_one_that_never_was_is_no_fault_of_the_program(self, store: ExperimentStore) -> None:
        with pytest.raises(StoreError) as refused:
            store.experiment(3)

        assert refused.value.problem is StoreProblem.OTHER


class TestTexts:
    def test_half_a_character_does_not_keep_an_experiment_from_disk(self, store: ExperimentStore) -> None:
        id_ = store.add(with_texts("a\ud83eb"))

        assert store.experiment(id_) == with_texts("a?b")
        assert store.entries() == (entry_of(with_texts("a?b"), id_),)

    def test_nor_from_a_file(self) -> None:
        assert from_json(to_json(with_texts("a\ud83eb"))) == with_texts("a?b")

    def test_any_other_text_comes_back_as_it_was(self, store: ExperimentStore) -> None:
        said = with_texts("nul \0, emoji 👩‍👩‍👧, 模型, \r\n end ")

        assert store.experiment(store.add(said)) == said

    def test_a_huge_text_takes_little_room(self, path: Path) -> None:
        store, _ = ExperimentStore.open(path)
        huge = with_texts("all work and no play " * 200_000)
        id_ = store.add(huge)

        assert store.experiment(id_) == huge
        assert len(store.entries()[0].prompt) < 1000
        store.close()
        assert path.stat().st_size < 1_000_000


def test_a_full_disk_leaves_what_was_there(path: Path) -> None:
    store, _ = ExperimentStore.open(path)
    id_ = store.add(SHORT)
    pages = store._database.rows("PRAGMA page_count")[0][0]
    store._database.connection.execute(f"PRAGMA max_page_count = {pages}")
    large = replace(SHORT, runs=tuple(replace(run, text=str(list(range(50_000)))) for run in SHORT.runs))

    with pytest.raises(StoreError, match="The disk is full, so the comparison could not be saved"):
        store.add(large)
    with pytest.raises(StoreError):
        store.replace(id_, large)

    assert store.entries() == (entry_of(SHORT, id_),)
    assert store.experiment(id_) == SHORT
    store.close()
