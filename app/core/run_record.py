"""A run as it is generated."""

from app.core.answer_text import AnswerText
from app.core.experiment import PlannedRun, Run
from app.core.protocol import Done, Round


class RunRecord:
    """Takes the rounds of an answer, and makes a run of them."""

    def __init__(self, planned: PlannedRun) -> None:
        self._planned = planned
        self._tokens: list[int] = []
        self._text = AnswerText()
        self._rounds = 0

    def add(self, round_: Round) -> None:
        """The next round."""
        self._tokens += round_.tokens
        self._rounds += 1
        self._text.add(round_.pieces, self._rounds)

    def end(self, done: Done) -> Run:
        """The whole run; text that was held back until now belongs to the last round."""
        self._text.add(done.pieces, self._rounds)
        return Run(
            variant=self._planned.variant,
            prompt=self._planned.prompt,
            repeat=self._planned.repeat,
            tokens=tuple(self._tokens),
            text=self._text.text,
            stats=done.stats,
            spans=self._text.spans,
        )
