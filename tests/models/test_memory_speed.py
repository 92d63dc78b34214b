"""How fast the computer is: measured once, kept, and never taken on trust."""

from pathlib import Path

import pytest

from app.core.machine_speed import MachineSpeed
from app.models.memory_speed import MeasuredSpeed, MemorySpeed, measure_speed

SPEED = MachineSpeed(13e9, 110e9)


class Measuring:
    """Measures a given speed, and counts."""

    def __init__(self, found: MeasuredSpeed | None = MeasuredSpeed(SPEED, is_steady=True)) -> None:  # noqa: B008
        self.found = found
        self.times = 0

    def __call__(self) -> MeasuredSpeed | None:
        self.times += 1
        return self.found


def test_it_is_measured_once_however_often_it_is_asked(tmp_path: Path) -> None:
    measuring = Measuring()
    speed = MemorySpeed(tmp_path / "speed", measuring)
    assert measuring.times == 0, "not before anybody asks"

    assert [speed.speed(), speed.speed()] == [SPEED, SPEED]
    assert measuring.times == 1


def test_the_next_start_reads_it(tmp_path: Path) -> None:
    MemorySpeed(tmp_path / "speed", Measuring()).speed()
    again = Measuring()

    assert MemorySpeed(tmp_path / "speed", again).speed() == SPEED
    assert again.times == 0


def test_a_disturbed_measurement_is_used_and_not_kept(tmp_path: Path) -> None:
    disturbed = Measuring(MeasuredSpeed(MachineSpeed(1e9, 1e9), is_steady=False))
    assert MemorySpeed(tmp_path / "speed", disturbed).speed() == MachineSpeed(1e9, 1e9)

    assert MemorySpeed(tmp_path / "speed", Measuring()).speed() == SPEED


@pytest.mark.parametrize("speed", [MachineSpeed(0.0, 1.0), MachineSpeed(1.0, float("inf"))])
def test_nonsense_is_no_speed(tmp_path: Path, speed: MachineSpeed) -> None:
    nonsense = Measuring(MeasuredSpeed(speed, is_steady=True))
    assert MemorySpeed(tmp_path / "speed", nonsense).speed() is None


def test_what_cannot_be_measured_is_not_asked_again(tmp_path: Path) -> None:
    measuring = Measuring(None)
    speed = MemorySpeed(tmp_path / "speed", measuring)

    assert [speed.speed(), speed.speed()] == [None, None]
    assert measuring.times == 1


def test_a_damaged_file_is_measured_anew(tmp_path: Path) -> None:
    path = tmp_path / "speed"
    MemorySpeed(path, Measuring()).speed()
    path.write_bytes(path.read_bytes()[:-3])
    again = Measuring()

    assert MemorySpeed(path, again).speed() == SPEED
    assert again.times == 1


def test_without_a_place_nothing_is_kept() -> None:
    assert MemorySpeed(None, Measuring()).speed() == SPEED


def test_this_computer_has_a_speed() -> None:
    found = measure_speed()
    if found is None:
        pytest.skip("not enough free memory")
    assert found.speed.bytes_per_s > 1e8
    assert found.speed.operations_per_s > 1e8
