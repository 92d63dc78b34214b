"""How long a plan will take, by what answers took before."""

from collections.abc import Sequence

from app.core.compare import WARM_UP_TOKENS, warm_ups
from app.core.experiment import Plan, Run
from app.core.prompts import Prompt

_CHARACTERS_PER_TOKEN = 3.0  # few, as code and other languages than English have
_TEMPLATE_TOKENS = 30  # that a chat template puts around a prompt


def seconds_about(plan: Plan, runs: Sequence[Run]) -> float | None:
    """All answers at their full length and the warm-ups; None where `runs` tell nothing.

    Each prompt is read at the mean speed of `runs`, by its length. A variant that was not run before is taken
    to be as fast as the others.
    """
    known = [run for run in runs if run.stats.tok_per_s is not None and run.stats.prompt_tokens]
    if not plan.limits.max_tokens or not plan.prompts or not known:
        return None
    per_prompt_token = sum(run.stats.prompt_s for run in known) / sum(
        run.stats.prompt_tokens for run in known
    )
    per_token = _by_variant(known)
    mean = sum(per_token.values()) / len(per_token)

    def seconds(variant: str, prompt: Prompt, tokens: int) -> float:
        return _tokens_of(prompt) * per_prompt_token + tokens * per_token.get(variant, mean)

    counted = [
        seconds(variant.id, prompt, plan.limits.max_tokens)
        for variant in plan.variants
        for prompt in plan.prompts
    ]
    before = [seconds(each.variant, plan.prompts[0], WARM_UP_TOKENS) for each in warm_ups(plan)]
    return sum(counted) * plan.repeats + sum(before)


def _by_variant(runs: Sequence[Run]) -> dict[str, float]:
    """Seconds per token, the mean of a variant's runs."""
    found: dict[str, list[float]] = {}
    for run in runs:
        if run.stats.tok_per_s is not None:
            found.setdefault(run.variant, []).append(1.0 / run.stats.tok_per_s)
    return {variant: sum(each) / len(each) for variant, each in found.items()}


def _tokens_of(prompt: Prompt) -> float:
    """An estimate: the model that knows is in another process."""
    return (len(prompt.text) + len(prompt.system or "")) / _CHARACTERS_PER_TOKEN + _TEMPLATE_TOKENS
