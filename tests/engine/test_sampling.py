"""Choosing the next token: against llama.cpp's filters, and against arithmetic done by hand."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.core.errors import EngineError, GrammarError, OptionsError
from app.core.options import SamplingOptions
from app.engine.llama import Library
from app.engine.noise import Noise, Purpose
from app.engine.sampling import Distribution, Filters, Grammar, Penalties, Sampler, draw, likeliest
from app.engine.tokens import Logits
from tests.fakes.real_models import opened
from tests.fakes.tiny_gguf import write_llama
from tests.fakes.toy_model import ToyTable

NOTHING = np.zeros(0, np.int32)
TABLE = ToyTable(5)


def logits(*probabilities: float) -> Logits:
    return np.log(np.array(probabilities, np.float32))


def passed(options: SamplingOptions, row: Logits) -> dict[int, float]:
    filters = Filters(options, len(row))
    found = filters.apply(row)
    filters.close()
    return dict(zip(found.ids.tolist(), found.probabilities.tolist(), strict=True))


ROW = logits(0.5, 0.25, 0.15, 0.07, 0.03)
OPEN = SamplingOptions(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)


class TestFilters:
    def test_temperature_one_without_filters_is_the_softmax(self) -> None:
        assert passed(OPEN, ROW) == pytest.approx({0: 0.5, 1: 0.25, 2: 0.15, 3: 0.07, 4: 0.03})

    def test_temperature_sharpens(self) -> None:
        squares = np.array([0.5, 0.25, 0.15, 0.07, 0.03]) ** 2
        expected = dict(enumerate((squares / squares.sum()).tolist()))
        assert passed(replace(OPEN, temperature=0.5), ROW) == pytest.approx(expected, rel=1e-5)

    def test_top_k_keeps_that_many(self) -> None:
        options = replace(OPEN, top_k=2)
        assert passed(options, ROW) == pytest.approx({0: 2 / 3, 1: 1 / 3})

    def test_top_p_keeps_the_smallest_set_that_reaches_it(self) -> None:
        options = replace(OPEN, top_p=0.7)
        assert set(passed(options, ROW)) == {0, 1}

    def test_min_p_is_relative_to_the_likeliest(self) -> None:
        options = replace(OPEN, min_p=0.2)
        assert set(passed(options, ROW)) == {0, 1, 2}

    @given(st.integers(0, 2**32 - 1), st.integers(1, 60))
    def test_looking_at_the_likeliest_only_changes_nothing(self, seed: int, count: int) -> None:
        row = np.random.default_rng(seed).standard_normal(20_011).astype(np.float32)
        best = set(np.argsort(row)[::-1][:count].tolist())
        found = likeliest(row, count)
        assert best <= set(found.tolist())
        assert len(found) < 20 * count + 64
        assert np.array_equal(found, np.sort(found))


class TestPenalties:
    def applied(self, row: Logits, tokens: list[int], **options: float | int) -> Logits:
        settings = SamplingOptions(**options)  # type: ignore[arg-type]
        return Penalties(settings, np.array(tokens, np.int32)).applied(row)

    def test_repeat_divides_what_is_likely_and_multiplies_what_is_not(self) -> None:
        row = np.array([2.0, -2.0, 3.0], np.float32)
        assert self.applied(row, [0, 1], repeat_penalty=2.0).tolist() == [1.0, -4.0, 3.0]

    def test_frequency_counts_and_presence_does_not(self) -> None:
        row = np.array([1.0, 1.0, 1.0], np.float32)
        found = self.applied(row, [0, 0, 1], frequency_penalty=0.25, presence_penalty=0.5)
        assert found.tolist() == [0.0, 0.25, 1.0]

    def test_only_the_window_counts(self) -> None:
        row = np.array([1.0, 1.0], np.float32)
        assert self.applied(row, [0, 0, 1], frequency_penalty=1.0, penalty_window=1).tolist() == [1.0, 0.0]

    def test_tokens_leave_the_window_one_by_one(self) -> None:
        penalties = Penalties(SamplingOptions(frequency_penalty=1.0, penalty_window=2), NOTHING)
        for token in (0, 0, 1, 1):
            penalties.accept(token)
        assert penalties.applied(np.zeros(2, np.float32)).tolist() == [0.0, -2.0]

    def test_a_copy_goes_its_own_way(self) -> None:
        penalties = Penalties(SamplingOptions(presence_penalty=1.0), NOTHING)
        penalties.copy().accept(1)
        row = np.zeros(2, np.float32)
        assert penalties.applied(row) is row

    def test_the_models_own_logits_are_never_written_to(self) -> None:
        row = np.array([1.0, 2.0], np.float32)
        self.applied(row, [0, 1], repeat_penalty=3.0)
        assert row.tolist() == [1.0, 2.0]


class TestDraw:
    def test_draws_follow_the_probabilities(self) -> None:
        p = np.array([0.6, 0.3, 0.1])
        counts = np.zeros(3)
        for step in range(6000):
            counts[draw(Distribution(np.arange(3, dtype=np.int32), p), Noise(1), Purpose.CHOICE, step)] += 1
        assert ((counts - 6000 * p) ** 2 / (6000 * p)).sum() < 18.4  # chi-square, 2 degrees: p < 0.0001

    def test_two_distributions_that_are_nearly_the_same_nearly_always_draw_the_same(self) -> None:
        ids = np.arange(4, dtype=np.int32)
        p = Distribution(ids, np.array([0.3, 0.3, 0.2, 0.2]))
        q = Distribution(ids, np.array([0.28, 0.31, 0.2, 0.21]))
        noise = Noise(5)
        same = sum(
            draw(p, noise, Purpose.CHOICE, step) == draw(q, noise, Purpose.CHOICE, step)
            for step in range(2000)
        )
        # They differ by 0.02 in total variation, so the coupling keeps at least (1 - 0.02) / (1 + 0.02).
        assert same > 2000 * 0.94

    def test_independent_draws_would_rarely_agree(self) -> None:
        even = Distribution(np.arange(4, dtype=np.int32), np.full(4, 0.25))
        noise = Noise(5)
        same = sum(
            draw(even, noise, Purpose.CHOICE, step) == draw(even, noise, Purpose.DRAFT, step)
            for step in range(2000)
        )
        assert 400 < same < 600


class TestSampler:
    def test_greedy_takes_the_likeliest(self) -> None:
        assert Sampler(TABLE, SamplingOptions(temperature=0.0), NOTHING).choose(ROW) == 0

    def test_the_same_seed_gives_the_same_tokens(self) -> None:
        def tokens(seed: int) -> list[int]:
            sampler = Sampler(TABLE, SamplingOptions(temperature=1.5, seed=seed), NOTHING)
            drawn = []
            for _ in range(40):
                drawn.append(sampler.choose(ROW))
                sampler.accept(drawn[-1])
            sampler.close()
            return drawn

        assert tokens(1) == tokens(1)
        assert tokens(1) != tokens(2)

    def test_choosing_twice_without_accepting_gives_the_same_token(self) -> None:
        sampler = Sampler(TABLE, SamplingOptions(temperature=1.5, seed=3), NOTHING)
        assert len({sampler.choose(ROW) for _ in range(20)}) == 1
        sampler.close()

    def test_the_prompt_counts_for_the_penalties(self) -> None:
        options = SamplingOptions(temperature=0.0, presence_penalty=9.0)
        assert Sampler(TABLE, options, np.array([0], np.int32)).choose(ROW) == 1

    def test_a_draft_with_the_targets_noise_foresees_the_targets_draws(self) -> None:
        sampler = Sampler(TABLE, SamplingOptions(temperature=1.5, seed=3, presence_penalty=0.3), NOTHING)
        chooser = sampler.draft_chooser(shares_noise=True)
        foreseen = [chooser.choose(ROW)[0] for _ in range(20)]
        drawn = []
        for _ in range(20):
            drawn.append(sampler.choose(ROW))
            sampler.accept(drawn[-1])
        sampler.close()
        assert drawn == foreseen

    def test_logits_that_are_no_numbers_are_an_error(self) -> None:
        sampler = Sampler(TABLE, SamplingOptions(temperature=0.0), NOTHING)
        with pytest.raises(EngineError, match="damaged"):
            sampler.choose(np.full(5, np.nan, np.float32))

    @pytest.mark.parametrize(
        "options",
        [
            SamplingOptions(temperature=-1.0),
            SamplingOptions(top_k=-1),
            SamplingOptions(top_p=0.0),
            SamplingOptions(min_p=1.5),
            SamplingOptions(repeat_penalty=0.0),
            SamplingOptions(seed=2**32),
            SamplingOptions(grammar="root ::= [a]", json_schema="{}"),
        ],
    )
    def test_settings_that_make_no_sense_are_named(self, options: SamplingOptions) -> None:
        with pytest.raises(OptionsError):
            Sampler(TABLE, options, NOTHING)


class TestGrammar:
    def test_only_what_the_grammar_allows_is_chosen(self, library: Library, tmp_path: Path) -> None:
        with opened(library, write_llama(tmp_path / "tiny.gguf")) as cache:
            grammar = Grammar(cache.vocabulary, 'root ::= "a" [0-9]')
            digit, letter = (int(cache.vocabulary.tokenize(text)[-1]) for text in ("7", "a"))
            assert grammar.allows(letter)
            assert not grammar.allows(digit)
            grammar.accept(letter)
            assert grammar.allows(digit)
            assert not grammar.allows(letter)
            grammar.close()

    @pytest.mark.parametrize("text", ["", "root ::= (", "other ::= [a-z]", "root ::= missing"])
    def test_a_text_that_is_no_grammar_is_refused(self, library: Library, tmp_path: Path, text: str) -> None:
        with (
            opened(library, write_llama(tmp_path / "tiny.gguf")) as cache,
            pytest.raises(GrammarError, match="not valid"),
        ):
            Grammar(cache.vocabulary, text)

    @pytest.mark.parametrize("schema", ["{", '{"type": "wonder"}', '{"$ref": "#/nowhere"}', "[1]"])
    def test_a_schema_that_cannot_be_followed_is_refused(
        self, library: Library, tmp_path: Path, schema: str
    ) -> None:
        with (
            opened(library, write_llama(tmp_path / "tiny.gguf")) as cache,
            pytest.raises(GrammarError, match="JSON schema"),
        ):
            Sampler(cache.vocabulary, SamplingOptions(json_schema=schema), NOTHING)

    def test_a_model_without_a_native_vocabulary_says_that_it_cannot(self) -> None:
        with pytest.raises(GrammarError, match="llama"):
            Sampler(TABLE, SamplingOptions(grammar="root ::= [a]"), NOTHING)
