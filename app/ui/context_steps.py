"""The context lengths that a slider offers: close together where memory is short, far apart above."""

from bisect import bisect_left

UNKNOWN_LIMIT = 131_072  # tokens; how far the slider goes if a header does not tell the model's own length


def context_steps(limit: int | None) -> tuple[int, ...]:
    """Powers of two and the values half-way between them, up to a model's own length, in tokens."""
    longest = limit or UNKNOWN_LIMIT
    step = 512 if longest > 2048 else 64
    steps = []
    while step < longest:
        steps.append(step)
        if step >= 1024 and step * 3 // 2 < longest:
            steps.append(step * 3 // 2)
        step *= 2
    return (*steps, longest)


def nearest_step(steps: tuple[int, ...], length: int) -> int:
    """The position of the step that is nearest to a length; 0 tokens (the model's own) is the last."""
    if length <= 0:
        return len(steps) - 1
    right = min(bisect_left(steps, length), len(steps) - 1)
    left = max(right - 1, 0)
    return left if length - steps[left] < steps[right] - length else right
