"""An adviser that says what it was told to, and keeps the questions."""

from pathlib import Path

from app.core.compatibility import Compatibility, Compatible
from app.core.errors import FileProblem, ModelFileError
from app.core.estimate import MemoryEstimate, Missing, ModelMemory, Part, PartName
from app.core.options import LoadOptions
from app.core.pair_expectation import DraftLengths, PairExpectation, RuleOfThumb

BYTES_PER_TOKEN = 1000  # of the cache


def memory(weights: int, cache: int | None, buffers: int = 0) -> ModelMemory:
    """A model's memory; an unknown cache lacks the heads."""
    sizes = {PartName.WEIGHTS: weights, PartName.KV_CACHE: cache, PartName.COMPUTE: buffers}
    return ModelMemory(
        tuple(
            Part(name, None, Missing.HEADS) if sizes.get(name, 0) is None else Part(name, sizes.get(name, 0))
            for name in PartName
        )
    )


class FakeAdvisor:
    """Every draft fits unless `answers` has another answer, or a sentence for a file that cannot be read."""

    def __init__(self, answers: dict[Path, Compatibility | str] | None = None) -> None:
        self.answers = answers or {}
        self.compared: list[Path] = []
        self.estimated: list[tuple[Path | None, LoadOptions]] = []
        self.foreseen: list[tuple[Path | None, LoadOptions]] = []
        self.outlooks: dict[Path | None, PairExpectation] = {}
        self.fixed_outlooks: dict[int, PairExpectation] = {}  # by the length, in place of the draft's
        self.weights = 3_000_000_000
        self.refusal = ""

    def compatibility(self, target: Path, draft: Path) -> Compatibility:
        """The answer that was given."""
        self.compared.append(draft)
        answer = self.answers.get(draft, Compatible(151_936, 151_936))
        if isinstance(answer, str):
            raise ModelFileError(draft, FileProblem.DAMAGED, answer)
        return answer

    def estimate(self, target: Path, draft: Path | None, options: LoadOptions) -> MemoryEstimate:
        """The weights, and a cache by the context's length."""
        self.estimated.append((draft, options))
        if self.refusal:
            raise ModelFileError(target, FileProblem.DAMAGED, self.refusal)
        ours = memory(self.weights, options.context_length * BYTES_PER_TOKEN, 100_000_000)
        return MemoryEstimate(ours, None if draft is None else memory(500_000_000, 4_000_000), certain=True)

    def expectation(
        self, target: Path, draft: Path | None, options: LoadOptions, lengths: DraftLengths
    ) -> PairExpectation:
        """The outlook that was given, else none but by size."""
        self.foreseen.append((draft, options))
        if lengths.is_fixed and lengths.most in self.fixed_outlooks:
            return self.fixed_outlooks[lengths.most]
        return self.outlooks.get(draft, RuleOfThumb())
