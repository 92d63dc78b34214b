"""What passes take, corrected by every pass that is made."""

import pytest
from msgspec.structs import replace

from app.core.pass_costs import PassCosts
from app.engine.running_costs import RunningCosts

LENGTHS = (1, 2, 4, 8, 17)
MEASURED = PassCosts(
    LENGTHS,
    (0.100, 0.120, 0.140, 0.180, 0.270),
    draft_s=0.020,
    context_tokens=4,
    feed_lengths=(1, 2, 4, 8),
    feed_times_s=(0.020, 0.025, 0.035, 0.055),
)
GROWTH_S = 1e-5  # per token of a pass and token of context


def costs(growth_s: float = 0.0) -> RunningCosts:
    return RunningCosts(MEASURED, 16, growth_s, growth_s / 10)


def checks(running: RunningCosts, context: int = 4) -> tuple[float, ...]:
    return running.round(context, 16, 1).checks


def drafting(running: RunningCosts, tokens: int) -> float:
    round_ = running.round(4, 16, 1)
    return round_.round(tokens) - round_.checks[tokens]


class TestAsMeasured:
    def test_a_round_has_a_pass_for_each_draft_and_one_without(self) -> None:
        round_ = costs().round(4, 16, 1)
        assert len(round_.checks) == 17
        assert [round(round_.checks[tokens - 1], 6) for tokens in LENGTHS] == list(MEASURED.target_s)
        assert round(round_.checks[2], 6) == 0.130, "what was not timed lies between"
        assert (round_.step, round_.catching_up) == (0.020, 0.0)

    def test_a_shorter_room_has_fewer(self) -> None:
        assert len(costs().round(4, 3, 1).checks) == 4

    def test_reading_what_was_missed_comes_on_top_of_the_last_token(self) -> None:
        assert round(costs().round(4, 16, 8).catching_up, 6) == 0.035
        assert round(costs().round(4, 16, 15).catching_up, 6) == 0.070, "as it goes on from one to the most"

    def test_without_a_draft_model_drafting_costs_nothing(self) -> None:
        alone = RunningCosts(MEASURED.without_draft(), 16, 0.0)
        round_ = alone.round(4, 16, 1)
        assert (round_.step, round_.catching_up) == (0.0, 0.0)


class TestContext:
    def test_each_token_of_a_pass_looks_back_on_all_that_came_before(self) -> None:
        shallow, deep = checks(costs(GROWTH_S)), checks(costs(GROWTH_S), 1004)
        assert deep[0] - shallow[0] == pytest.approx(1000 * GROWTH_S)
        assert deep[7] - shallow[7] == pytest.approx(8 * 1000 * GROWTH_S)

    def test_how_much_is_learnt_from_passes_that_take_another_time(self) -> None:
        running = costs(GROWTH_S)
        for _ in range(60):
            running.observe_check(8, 2004, 0.180 + 8 * 2000 * 2e-5)
        assert running.learnt(MEASURED).growth_s == pytest.approx(2e-5, rel=0.2)
        assert checks(running, 2004)[7] == pytest.approx(0.180 + 8 * 2000 * 2e-5, rel=0.05)

    def test_a_graphics_card_hardly_notices(self) -> None:
        running = costs(GROWTH_S)
        for _ in range(60):
            running.observe_check(8, 4004, 0.180)
        assert running.learnt(MEASURED).growth_s < 0.3 * GROWTH_S


class TestCorrections:
    def test_the_first_passes_of_a_length_count_most(self) -> None:
        running = costs()
        running.observe_check(4, 4, 0.160)
        assert checks(running)[3] == pytest.approx(0.150, rel=0.01)
        for _ in range(12):
            running.observe_check(4, 4, 0.160)
        assert checks(running)[3] == pytest.approx(0.160, rel=0.02)

    def test_a_pass_that_was_disturbed_counts_little(self) -> None:
        running = costs()
        for _ in range(20):
            running.observe_check(4, 4, 0.140)
        running.observe_check(4, 4, 3.0)
        assert checks(running)[3] < 1.05 * 0.140

    def test_what_near_lengths_take_is_not_left_at_what_a_busy_moment_made_of_it(self) -> None:
        running = costs()
        for _ in range(40):
            running.observe_check(4, 4, 0.112)
        found = checks(running)
        assert found[3] == pytest.approx(0.112, rel=0.02)
        assert found[4] < 0.135 < 0.150, "of five it was 0.150"
        assert found[16] == pytest.approx(0.270, rel=0.01), "seventeen are another matter"

    def test_single_tokens_move_the_factor_alone(self) -> None:
        running = costs()
        running.observe_check(1, 4, 0.110)
        before = checks(running)
        running.observe_check(4, 4, before[3])
        assert checks(running)[0] == before[0]

    def test_no_pass_takes_less_than_a_shorter_one(self) -> None:
        running = costs()
        for _ in range(8):
            running.observe_check(8, 4, 0.110)
        found = checks(running)
        assert found[7] == found[6] >= 0.110
        assert list(found) == sorted(found)

    def test_what_a_length_took_lately_stands_when_single_tokens_tell_of_a_busy_machine(self) -> None:
        """Else it would be counted twice, and drafting seem too dear for as long as the models are loaded."""
        running = costs()
        for tokens in [2, 4, 8, 17] * 12:  # nothing but drafts, while all takes twice as long
            running.observe_check(tokens, 4, 2 * MEASURED.pass_s(tokens))
        before = checks(running)
        for _ in range(3):
            running.observe_check(1, 4, 0.200)
        assert checks(running)[3] == pytest.approx(before[3], rel=0.1)
        for _ in range(60):
            running.observe_check(1, 4, 0.200)
            running.observe_check(4, 4, 0.280)
        assert checks(running)[0] == pytest.approx(0.200, rel=0.02)
        assert checks(running)[3] == pytest.approx(0.280, rel=0.02)

    def test_a_step_is_never_taken_to_be_longer_than_passes_that_could_serve_for_it(self) -> None:
        """Costs from a busy moment: where every round drafts, no single token tells that it has passed."""
        running = costs()
        for _ in range(30):
            running.observe_check(4, 4, 0.070)
        assert checks(running)[0] <= 1.01 * 0.070
        assert running.steps(4, 4) == pytest.approx(1.0)

    def test_a_busy_machine_makes_all_of_them_slower_alike(self) -> None:
        running = costs()
        for _ in range(80):
            running.observe_check(1, 4, 0.200)
        round_ = running.round(4, 16, 8)
        assert round_.checks[0] == pytest.approx(0.2, rel=0.01)
        assert round_.checks[7] == pytest.approx(0.36, rel=0.02)
        assert round_.step == pytest.approx(0.04, rel=0.02)
        assert round_.catching_up == pytest.approx(0.07, rel=0.02)
        assert checks(running)[0] == pytest.approx(0.2, rel=0.01)

    def test_a_machine_that_was_stopped_says_nothing(self) -> None:
        running = costs()
        running.observe_check(1, 4, 3600.0)
        assert checks(running)[0] == pytest.approx(0.1)

    def test_drafting_follows_what_it_takes(self) -> None:
        running = costs()
        for _ in range(60):
            running.observe_drafting(4, 1, 4, 4 * 0.030)
        assert drafting(running, 4) == pytest.approx(4 * 0.030, rel=0.02)

    def test_what_begins_a_draft_is_not_taken_for_its_tokens(self) -> None:
        """Otherwise short drafts would make long ones look dear, and stay short."""
        running = costs()
        for length in [1, 2, 4, 7] * 40:
            running.observe_drafting(length, 1, 4, 0.015 + length * 0.025)
        assert running.round(4, 16, 1).begin == pytest.approx(0.015, rel=0.05)
        assert running.round(4, 16, 1).step == pytest.approx(0.025, rel=0.05)

    def test_what_seemed_too_dear_at_first_is_mended_as_fast_by_short_drafts(self) -> None:
        running = costs()
        for _ in range(60):
            running.observe_drafting(1, 1, 4, 0.008)
        assert drafting(running, 1) == pytest.approx(0.008, rel=0.02)
        assert drafting(running, 8) == pytest.approx(8 * 0.008, rel=0.05)

    def test_from_short_drafts_alone_little_is_concluded_about_long_ones(self) -> None:
        running = costs()
        for _ in range(60):
            running.observe_drafting(1, 1, 4, 0.015 + 0.025)
        assert drafting(running, 1) == pytest.approx(0.040, rel=0.02)
        assert drafting(running, 8) < 1.2 * (0.015 + 8 * 0.025)

    def test_what_was_read_first_is_not_taken_for_drafting(self) -> None:
        running = costs()
        for _ in range(60):
            running.observe_drafting(2, 8, 4, 0.035 + 2 * 0.020)
        assert drafting(running, 2) == pytest.approx(2 * 0.020, rel=0.01)

    def test_drafting_never_comes_to_nothing(self) -> None:
        running = costs()
        for _ in range(60):
            running.observe_drafting(8, 1, 4, 1e-6)
        assert running.round(4, 16, 1).step >= 0.1 * 0.020

    @pytest.mark.parametrize("real_growth_s", [0.0, 0.5e-6, 3e-6])
    def test_how_drafting_grows_is_learnt_so_that_the_next_chat_is_not_misjudged(
        self, real_growth_s: float
    ) -> None:
        """In a long chat the guess of it would otherwise be made up for by the time of each token."""
        running = RunningCosts(MEASURED, 16, 0.0, draft_growth_s=1e-6)
        for length in [2, 4, 7] * 40:
            running.observe_drafting(length, 1, 20_004, length * (0.020 + 20_000 * real_growth_s))
        deep = running.round(20_004, 16, 1).round(4) - running.round(20_004, 16, 1).checks[4]
        assert deep == pytest.approx(4 * (0.020 + 20_000 * real_growth_s), rel=0.05)
        for length in [2, 4, 7] * 10:
            running.observe_drafting(length, 1, 4, length * 0.020)
        assert drafting(running, 4) == pytest.approx(4 * 0.020, rel=0.15)

    def test_after_a_long_text_a_draft_tells_how_long_that_took_to_read(self) -> None:
        running = costs()
        running.observe_drafting(2, 408, 408, 0.035 + 400 * 0.003 + 2 * 0.020)
        assert running.round(408, 16, 408).catching_up == pytest.approx(0.035 + 400 * 0.003)
        assert drafting(running, 2) == pytest.approx(2 * 0.020), "and nothing of drafting"


class TestDisagreement:
    def test_as_measured_there_is_none(self) -> None:
        running = costs()
        for _ in range(20):
            running.observe_check(1, 4, 0.102)
            running.observe_check(4, 4, 0.142)
        assert not running.disagrees

    def test_times_from_a_busy_machine_are_found_out(self) -> None:
        running = costs()
        for _ in range(20):
            running.observe_check(1, 4, 0.010)
        assert running.disagrees

    def test_so_is_one_length_that_was_disturbed(self) -> None:
        running = costs()
        for _ in range(6):
            running.observe_check(4, 4, 0.280)
        assert running.disagrees

    def test_they_are_the_same_times_whatever_was_learnt_since(self) -> None:
        running = costs()
        assert running.began_with(replace(MEASURED, growth_s=3e-6, read_s=0.001))
        assert not running.began_with(replace(MEASURED, draft_s=0.021))
