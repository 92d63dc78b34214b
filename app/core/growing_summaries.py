"""What is known of a plan while its runs come in one after the other."""

from app.core.compare import summarise
from app.core.experiment import Run, Summary, Variant


class GrowingSummaries:
    """Reckons only the prompt anew that a run is about, and no intervals: other runs are being timed."""

    def __init__(self, variants: tuple[Variant, ...]) -> None:
        self._variants = variants
        self._runs: dict[str, list[Run]] = {}  # by prompt, in the order of their first appearance
        self._summaries: dict[str, tuple[Summary, ...]] = {}

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """As `summarise` gives them for all runs so far."""
        return tuple(each for of_prompt in self._summaries.values() for each in of_prompt)

    def add(self, run: Run) -> None:
        """Another run has ended."""
        runs = self._runs.setdefault(run.prompt, [])
        runs.append(run)
        self._summaries[run.prompt] = summarise(runs, self._variants, intervals=False)
