"""How fast this computer is, as far as running models goes."""

from msgspec import Struct


class MachineSpeed(Struct, frozen=True):
    """Measured with all the cores that this process may use."""

    bytes_per_s: float  # read from memory
    operations_per_s: float  # additions and multiplications of single precision in matrix products
