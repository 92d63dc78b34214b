"""What the time of an answer goes into, and the colour of each: the same in every view."""

from typing import Final, Literal

WorkRole = Literal["accent", "chart_2", "chart_4", "chart_5", "faint"]

DRAFTING: Final[WorkRole] = "accent"
CHECKING: Final[WorkRole] = "chart_2"  # by the target, of what was drafted
GENERATING: Final[WorkRole] = "faint"  # by the target, step by step
SAMPLING: Final[WorkRole] = "chart_4"
OTHER: Final[WorkRole] = "chart_5"
PROMPT: Final[WorkRole] = "chart_5"  # where it stands beside an answer
