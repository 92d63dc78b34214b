"""Loading pairs: one progress of two files, an end at any moment, and files that are refused."""

from pathlib import Path

import pytest

from app.core.errors import FileProblem, LoadCancelledError, ModelFileError, OptionsError
from app.core.options import LoadOptions
from app.engine.pair_loader import PairLoader
from tests.fakes.tiny_gguf import byte_vocabulary, write_embedding_model, write_llama

OPTIONS = LoadOptions(context_length=256, longest_draft=8, threads=1)


def test_progress_of_both_files_is_one_movement(loader: PairLoader, target: Path, draft: Path) -> None:
    shares: list[float] = []

    def report(share: float) -> bool:
        shares.append(share)
        return True

    loader.load(target, draft, OPTIONS, report).close()
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("until", [0.0, 0.5, 0.9])
def test_a_load_cancelled_anywhere_is_cancelled(
    loader: PairLoader, target: Path, draft: Path, until: float
) -> None:
    with pytest.raises(LoadCancelledError):
        loader.load(target, draft, OPTIONS, lambda share: share < until)


def test_settings_that_make_no_sense_load_nothing(loader: PairLoader, target: Path) -> None:
    with pytest.raises(OptionsError, match="threads"):
        loader.load(target, None, LoadOptions(threads=-1))


def test_a_target_that_is_no_chat_model_is_refused(loader: PairLoader, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError) as caught:
        loader.load(write_embedding_model(tmp_path / "bert.gguf"), None, OPTIONS)
    assert caught.value.problem is FileProblem.EMBEDDING


def test_a_vocabulary_that_says_one_thing_twice_is_refused_before_llama_cpp_aborts_over_it(
    loader: PairLoader, tmp_path: Path
) -> None:
    texts = byte_vocabulary()
    texts[290] = texts[291]
    twice = write_llama(tmp_path / "twice.gguf", vocabulary=texts)
    with pytest.raises(ModelFileError, match="2 of its tokens") as caught:
        loader.load(twice, None, OPTIONS)
    assert caught.value.problem is FileProblem.DAMAGED
