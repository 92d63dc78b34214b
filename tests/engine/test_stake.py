"""The account that makes "never slower" a rule."""

from app.engine.stake import LOOKUP, MODEL, MODEL_THAT_GAINED, WHOLE, WHOLE_THAT_GAINED, Allowance, Stake

STEP_S = 0.1


def stake(steps: float = 2.0, share: float = 0.01) -> Stake:
    return Stake(Allowance(steps, share))


def test_at_the_beginning_some_steps_may_be_lost() -> None:
    assert stake().most_s(STEP_S) == 0.2


def test_what_was_lost_is_not_there_any_more() -> None:
    account = stake()
    account.settle(0.25, 0.1)
    assert round(account.most_s(STEP_S), 9) == 0.05


def test_what_was_gained_may_be_lost_again() -> None:
    account = stake()
    account.settle(0.2, 0.5)
    assert round(account.most_s(STEP_S), 9) == 0.5


def test_in_a_long_answer_a_share_of_the_time_may_be_lost() -> None:
    account = stake()
    for _ in range(1000):
        account.settle(STEP_S, STEP_S)
    assert round(account.most_s(STEP_S), 9) == 1.0


def test_rounds_of_another_account_count_as_time_alone() -> None:
    account = stake()
    account.settle(50.0, 10.0, counts=False)
    assert account.most_s(STEP_S) == 0.5


def test_a_probe_is_allowed_at_once_and_then_after_growing_gaps() -> None:
    account = stake(steps=100.0)
    waited = []
    for _ in range(6):
        rounds = 0
        while not account.allows_probe(0.05, STEP_S):
            account.settle(STEP_S, STEP_S)
            rounds += 1
        waited.append(rounds)
        account.settle(STEP_S + 0.05, STEP_S, is_probe=True)
    assert waited == [0, 4, 8, 16, 32, 40]


def test_a_probe_that_was_right_is_followed_by_another_at_once() -> None:
    account = stake()
    account.settle(0.1, 0.2, is_probe=True)
    assert account.allows_probe(0.05, STEP_S)


def test_probes_cost_no_more_than_their_share_of_the_time() -> None:
    account = stake(steps=0.0)
    lost = time = 0.0
    for _ in range(2000):
        is_probe = account.allows_probe(0.05, STEP_S)
        seconds = STEP_S + 0.05 * is_probe
        account.settle(seconds, STEP_S, is_probe=is_probe)
        lost, time = lost + 0.05 * is_probe, time + seconds
    assert 0.008 * time < lost <= 0.01 * time


def test_no_probe_for_more_than_may_be_lost() -> None:
    assert not stake().allows_probe(0.21, STEP_S)


def test_the_draft_model_leaves_something_for_lookups() -> None:
    assert MODEL.steps < WHOLE.steps
    assert MODEL_THAT_GAINED.steps < WHOLE_THAT_GAINED.steps


def test_an_answer_loses_a_fiftieth_at_most_or_a_little_more_where_nearly_all_gained() -> None:
    assert WHOLE.steps == LOOKUP.steps <= 0.02 * 128, "of one of 128 tokens"
    assert WHOLE_THAT_GAINED.steps <= 0.03 * 128
    assert max(WHOLE.share, WHOLE_THAT_GAINED.share, LOOKUP.share) < 0.02
