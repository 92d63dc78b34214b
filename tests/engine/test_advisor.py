"""What is said about models before they are loaded: right, fresh, and without llama.cpp."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import app.engine.advisor as advisor_module
from app.core.advice import Advisor
from app.core.compatibility import Compatible, Incompatible, Rule
from app.core.errors import FileProblem, ModelFileError
from app.core.estimate import MemoryEstimate, PartName
from app.core.options import LoadOptions
from app.core.pair_expectation import DraftLengths, RuleOfThumb
from app.engine.advisor import ModelAdvisor
from app.engine.cpu_features import CpuFamily, CpuFeatures
from app.engine.memory import WeighedModel, estimate, weigh
from app.engine.vocab import VocabularyCache
from app.models.header_index import HeaderIndex
from app.models.info import ModelInfo, read_info
from tests.fakes.expectations import no_expectations
from tests.fakes.tiny_gguf import byte_vocabulary, llama_model, write_llama, write_split

FEATURES = CpuFeatures(CpuFamily.X86, avx2=True)
OPTIONS = LoadOptions(context_length=512)


def make_advisor() -> ModelAdvisor:
    headers = HeaderIndex(None)
    return ModelAdvisor(headers, VocabularyCache(None), FEATURES, no_expectations(headers))


@pytest.fixture
def advisor() -> Advisor:
    return make_advisor()


@pytest.fixture
def weighed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The models whose tables of tensors were read."""
    seen: list[Path] = []

    def counted(info: ModelInfo, features: CpuFeatures) -> WeighedModel:
        seen.append(info.path)
        return weigh(info, features)

    monkeypatch.setattr(advisor_module, "weigh", counted)
    return seen


def kv_cache(found: MemoryEstimate) -> int:
    size = found.target.bytes_of(PartName.KV_CACHE)
    assert size is not None
    return size


class TestEstimate:
    @pytest.mark.parametrize("with_draft", [True, False])
    def test_it_is_that_of_the_engine(self, with_draft: bool, tmp_path: Path, advisor: Advisor) -> None:
        target = write_llama(tmp_path / "target.gguf", layers=4)
        draft = write_llama(tmp_path / "draft.gguf") if with_draft else None
        info = None if draft is None else read_info(draft)
        expected = estimate(read_info(target), info, OPTIONS, OPTIONS, FEATURES)
        assert advisor.estimate(target, draft, OPTIONS) == expected

    def test_other_options_need_no_further_look_at_the_tables(
        self, tmp_path: Path, advisor: Advisor, weighed: list[Path]
    ) -> None:
        target, draft = write_llama(tmp_path / "target.gguf"), write_llama(tmp_path / "draft.gguf", seed=1)
        sizes = {
            kv_cache(advisor.estimate(target, draft, LoadOptions(context_length=length)))
            for length in (256, 512, 1024)
        }
        assert len(sizes) == 3
        assert sorted(weighed) == [draft, target]

    def test_a_changed_file_is_weighed_again(self, tmp_path: Path, advisor: Advisor) -> None:
        path = write_llama(tmp_path / "m.gguf", layers=2)
        before = kv_cache(advisor.estimate(path, None, OPTIONS))
        write_llama(path, layers=4)
        assert kv_cache(advisor.estimate(path, None, OPTIONS)) == 2 * before

    def test_so_is_one_with_a_changed_part(
        self, tmp_path: Path, advisor: Advisor, weighed: list[Path]
    ) -> None:
        parts = write_split(tmp_path, "m", llama_model(), 2)
        advisor.estimate(parts[0], None, OPTIONS)
        parts[1].touch()
        advisor.estimate(parts[0], None, OPTIONS)
        assert len(weighed) == 2

    def test_a_file_that_goes_and_comes_back(self, tmp_path: Path, advisor: Advisor) -> None:
        path = write_llama(tmp_path / "m.gguf")
        before = advisor.estimate(path, None, OPTIONS)
        path.unlink()
        with pytest.raises(ModelFileError) as caught:
            advisor.estimate(path, None, OPTIONS)
        assert caught.value.problem is FileProblem.MISSING
        write_llama(path)
        assert advisor.estimate(path, None, OPTIONS) == before

    def test_what_a_header_lacks_is_said_and_is_no_refusal(self, tmp_path: Path, advisor: Advisor) -> None:
        path = write_llama(tmp_path / "m.gguf", changes={".attention.head_count": None})
        found = advisor.estimate(path, None, OPTIONS)
        assert not found.is_complete
        assert found.fits(10**12) is None

    def test_only_so_many_models_are_remembered(
        self, tmp_path: Path, advisor: Advisor, weighed: list[Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(advisor_module, "_MOST_MODELS", 2)
        paths = [write_llama(tmp_path / f"{name}.gguf") for name in "abc"]
        for path in (*paths, paths[2], paths[1], paths[0]):
            advisor.estimate(path, None, OPTIONS)
        assert weighed == [*paths, paths[0]]


class TestCompatibility:
    def test_the_rule_that_fails_is_named(self, tmp_path: Path, advisor: Advisor) -> None:
        other = byte_vocabulary()
        other[270] = "other"
        target = write_llama(tmp_path / "target.gguf")
        draft = write_llama(tmp_path / "draft.gguf", vocabulary=other)
        answer = advisor.compatibility(target, draft)
        assert isinstance(answer, Incompatible)
        assert (answer.rule, answer.token) == (Rule.TEXT, 270)

    def test_the_answer_is_fresh_when_the_file_changes(self, tmp_path: Path, advisor: Advisor) -> None:
        other = byte_vocabulary()
        other[270] = "other"
        target = write_llama(tmp_path / "target.gguf")
        draft = write_llama(tmp_path / "draft.gguf", vocabulary=other)
        assert isinstance(advisor.compatibility(target, draft), Incompatible)
        write_llama(draft)
        assert isinstance(advisor.compatibility(target, draft), Compatible)

    def test_a_file_that_cannot_be_read(self, tmp_path: Path, advisor: Advisor) -> None:
        target = write_llama(tmp_path / "target.gguf")
        with pytest.raises(ModelFileError):
            advisor.compatibility(target, tmp_path / "gone.gguf")


def test_several_threads_may_ask(tmp_path: Path, advisor: Advisor) -> None:
    paths = [write_llama(tmp_path / f"{number}.gguf", layers=1 + number) for number in range(4)]
    expected = {path: estimate(read_info(path), None, OPTIONS, OPTIONS, FEATURES) for path in paths}
    wrong: list[Path] = []
    start = threading.Barrier(4)

    def ask() -> None:
        start.wait()
        for path in paths * 5:
            if advisor.estimate(path, None, OPTIONS) != expected[path]:
                wrong.append(path)
            if not isinstance(advisor.compatibility(paths[0], path), Compatible):
                wrong.append(path)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_estimate_does_not_wait_for_vocabularies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_llama(tmp_path / "m.gguf")
    advisor = make_advisor()
    reading, go_on = threading.Event(), threading.Event()

    def slow(*_: object) -> Compatible:
        reading.set()
        assert go_on.wait(60)
        return Compatible(1, 1)

    monkeypatch.setattr(advisor_module, "check_compatibility", slow)
    checking = threading.Thread(target=lambda: advisor.compatibility(path, path))
    checking.start()
    assert reading.wait(60)
    assert advisor.estimate(path, None, OPTIONS).target.known_bytes > 0
    go_on.set()
    checking.join()


def test_llama_cpp_is_not_loaded() -> None:
    code = "import app.engine.advisor, sys; assert 'llama_cpp' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_gain_of_a_pair_is_what_is_known_of_it(advisor: Advisor, tmp_path: Path) -> None:
    target, draft = write_llama(tmp_path / "target.gguf"), write_llama(tmp_path / "draft.gguf", layers=1)

    assert advisor.expectation(target, draft, OPTIONS, DraftLengths()) == RuleOfThumb(), "nothing, here"
    draft.unlink()
    with pytest.raises(ModelFileError):
        advisor.expectation(target, draft, OPTIONS, DraftLengths())
