"""From confidences to chances: what is learnt of one confidence serves all."""

import pytest

from app.engine.calibration import Calibration, Leaning, logit

HONEST = (Leaning(0.0, 1.0, 1.5, 0.4, 1.0),)


def taught(confidence: float, verdicts: list[bool]) -> Calibration:
    calibration = Calibration(HONEST)
    for kept in verdicts:
        calibration.observe([confidence], 1 if kept else 0)
    return calibration


def test_before_anything_was_seen_a_confidence_is_about_what_it_says() -> None:
    calibration = Calibration(HONEST)
    assert calibration.probability(0.5) == pytest.approx(0.5, abs=0.05)
    assert calibration.probability(0.9) == pytest.approx(0.85, abs=0.07)
    assert calibration.probability(0.1) == pytest.approx(0.15, abs=0.07)


def test_a_surer_token_is_the_likelier_one() -> None:
    chances = Calibration(HONEST).probabilities([0.01, 0.2, 0.5, 0.8, 0.99])
    assert list(chances) == sorted(chances)


def test_one_at_a_time_or_all_at_once_makes_no_difference() -> None:
    confidences = [0.0, 0.003, 0.42, 0.77, 0.9999999, 1.0]
    calibration = Calibration(HONEST)
    assert calibration.probabilities(confidences) == pytest.approx(
        [calibration.probability(each) for each in confidences]
    )


def test_a_copy_that_is_always_right_is_soon_believed_even_where_it_is_unsure() -> None:
    calibration = taught(0.3, [True] * 12)
    assert Calibration(HONEST).probability(0.3) < 0.4
    assert calibration.probability(0.3) > 0.8
    assert calibration.probability(0.6) > 0.85, "what was learnt of one confidence serves the others"


def test_one_that_boasts_is_found_out() -> None:
    assert taught(0.95, [False] * 6).probability(0.95) < 0.4


def test_tokens_behind_a_wrong_one_teach_nothing() -> None:
    short, long = Calibration(HONEST), Calibration(HONEST)
    short.observe([0.9, 0.8], 1)
    long.observe([0.9, 0.8, 0.99, 0.99], 1)
    assert long.weights == pytest.approx(short.weights)


def test_nothing_seen_teaches_nothing() -> None:
    calibration = Calibration(HONEST)
    before = calibration.weights
    calibration.observe([], 0)
    assert calibration.weights is before


def test_it_changes_its_mind_when_the_text_does() -> None:
    calibration = taught(0.5, [True] * 60)
    assert calibration.probability(0.5) > 0.93
    for _ in range(20):
        calibration.observe([0.5], 0)
    assert calibration.probability(0.5) < 0.4


def test_what_was_known_is_most_of_the_beginning() -> None:
    known = taught(0.3, [True] * 40)
    begun = Calibration(HONEST, known.weights.tolist())
    assert Calibration(HONEST).probability(0.3) < 0.4 < 0.7 < begun.probability(0.3)
    assert begun.probability(0.3) < known.probability(0.3), "not all of it: texts differ"


def test_weights_of_another_version_are_not_used() -> None:
    assert Calibration(HONEST, [0.5, 0.5]).weights == pytest.approx(Calibration(HONEST).weights)


def test_to_renew_is_to_go_half_way_back() -> None:
    calibration = taught(0.5, [False] * 20)
    low = calibration.probability(0.5)
    calibration.renew()
    assert calibration.probability(0.5) == pytest.approx((low + 0.5) / 2, abs=0.03)


@pytest.mark.parametrize(("probability", "expected"), [(0.5, 0.0), (0.0, -9.0), (1.0, 9.0), (1e-300, -9.0)])
def test_a_logit_is_never_infinite(probability: float, expected: float) -> None:
    assert logit(probability) == expected
