"""What rounds will cost that were never measured."""

import pytest

from app.core.cost_estimate import ModelSize, costs_by_format, costs_by_size, measured_costs
from app.core.expectation import speedup
from app.core.experiment import ModelIdentity
from app.core.machine_speed import MachineSpeed
from app.core.pair_record import MeasuredPair
from app.core.pass_costs import PassCosts

LAPTOP = MachineSpeed(bytes_per_s=13e9, operations_per_s=110e9)
STEEP = PassCosts((1, 2, 4, 17), (0.1, 0.14, 0.26, 1.0), 0.02, 32)
FLAT = PassCosts((1, 17), (0.3, 0.4), 0.05, 32)
TARGET = ModelSize(1_500_000_000, 3_000_000_000, "F16")
DRAFT = ModelSize(500_000_000, 500_000_000, "Q4_K_M")


def identity(size: int, quantisation: str) -> ModelIdentity:
    return ModelIdentity("Model", quantisation, "model.gguf", size)


def pair(size: int, costs: PassCosts, draft: ModelIdentity | None = None) -> MeasuredPair:
    return MeasuredPair(identity(size, "F16"), draft, costs)


def test_what_was_measured_is_taken_as_it_is() -> None:
    costs = measured_costs(STEEP)

    assert costs.best == costs.worst
    assert costs.best.target == 0.1
    assert costs.best.check(3) == pytest.approx(0.26)
    assert costs.best.round(3) == pytest.approx(0.26 + 3 * 0.02)


def test_without_a_draft_model_drafting_costs_nothing() -> None:
    assert measured_costs(PassCosts((1, 4), (0.1, 0.2), None, 32)).best.draft == 0.0


class TestByFormat:
    def test_the_nearest_in_size_counts_and_a_larger_model_is_slower(self) -> None:
        known = (pair(1_500_000_000, STEEP), pair(90_000_000_000, FLAT))
        costs = costs_by_format(TARGET, None, known, ())

        assert costs is not None
        assert costs.best.target == pytest.approx(0.2), "twice as many bytes"
        assert costs.best.check(3) / costs.best.target == pytest.approx(2.6), "and the same shape"

    def test_a_draft_was_measured_as_a_target(self) -> None:
        as_target = MeasuredPair(identity(1_000_000_000, "Q4_K_M"), None, STEEP)
        costs = costs_by_format(TARGET, DRAFT, (pair(3_000_000_000, FLAT),), (as_target,))

        assert costs is not None
        assert costs.best.draft == pytest.approx(0.05), "half as many bytes in half of its 0.1 s"
        assert costs.worst.draft > costs.best.draft, "a guess remains"

    def test_or_as_a_draft_beside_another_target(self) -> None:
        beside = pair(3_000_000_000, FLAT, identity(DRAFT.file_bytes, DRAFT.quantisation))
        costs = costs_by_format(TARGET, DRAFT, (beside,), ())

        assert costs is not None
        assert costs.best.draft == pytest.approx(0.05)

    def test_a_draft_of_another_format_says_nothing(self) -> None:
        beside = pair(3_000_000_000, FLAT, identity(DRAFT.file_bytes, "Q8_0"))
        costs = costs_by_format(TARGET, DRAFT, (beside,), ())

        assert costs is not None
        assert costs.best.draft == pytest.approx(0.3 / 6), "its bytes as fast as the target's"

    def test_nothing_known_of_the_target_is_nothing_known(self) -> None:
        assert costs_by_format(TARGET, DRAFT, (), (pair(3_000_000_000, FLAT),)) is None


class TestBySize:
    def test_a_step_takes_as_long_as_reading_the_weights(self) -> None:
        costs = costs_by_size(TARGET, DRAFT, LAPTOP)

        assert costs.best.target == costs.worst.target == pytest.approx(3 / 13)
        assert costs.best.draft == pytest.approx(0.5 / 13)

    def test_the_worst_is_never_better_than_the_best(self) -> None:
        costs = costs_by_size(TARGET, DRAFT, LAPTOP)

        for drafted in range(1, 17):
            assert costs.worst.round(drafted) > costs.best.round(drafted) > costs.best.round(drafted - 1)

    def test_few_bits_make_checks_dear_where_calculating_takes_the_time(self) -> None:
        small = ModelSize(TARGET.parameters, 900_000_000, "Q4_K_M")
        wide, narrow = costs_by_size(TARGET, DRAFT, LAPTOP), costs_by_size(small, DRAFT, LAPTOP)

        assert speedup(wide.best, 4, 0.9) > 1.5
        assert speedup(narrow.best, 4, 0.9) < 1.2

    def test_a_processor_that_calculates_faster_gains_more(self) -> None:
        fast = MachineSpeed(LAPTOP.bytes_per_s, 4 * LAPTOP.operations_per_s)

        slow_gain = speedup(costs_by_size(TARGET, DRAFT, LAPTOP).best, 4, 0.9)
        assert speedup(costs_by_size(TARGET, DRAFT, fast).best, 4, 0.9) > slow_gain
