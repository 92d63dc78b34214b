"""What a comparison of one prompt came to, in words."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from app.core.gain import Gain
from app.core.verdict import Advice, Verdict, VerdictKind
from app.figures import rate_figure, round_bytes_text
from app.ui.gain_words import factor_text, headline_text, note_text
from app.ui.sameness_words import choice_text, rule_cautions, sameness_parts
from app.ui.sentence_parts import Emphasis, Part, joined, plain
from app.ui.variant_words import variant_text

translate = QCoreApplication.translate


def headline(verdict: Verdict) -> str:
    """The result in a few words: "2.0× as fast", "Slower: 0.91×", "No clear difference"."""
    gain = verdict.gain
    if verdict.is_against_plain or gain in (None, Gain.SHORT, Gain.EVEN):
        return headline_text(verdict.factor, gain, scatters=verdict.scatters)
    words = translate("Verdict", "Right: {factor} as fast")
    if gain is Gain.SLOWER:
        words = translate("Verdict", "Right slower: {factor}")
    return words.format(factor=factor_text(verdict.factor))


def note(verdict: Verdict) -> str:
    """How sure that is: "1.9 to 2.1, median of 5"."""
    return note_text(
        verdict.factor, verdict.interval, verdict.runs, verdict.other_runs, verdict.fewest_tokens
    )


def sentence_parts(verdict: Verdict) -> tuple[Part, ...]:
    """The figures: "16.6 against 8.2 tok/s. Output identical, 96 of 96 tokens. 0.5 GB more memory."."""
    sentences = [
        (Part(_rates(verdict) + "."),),
        sameness_parts(verdict.sameness, verdict.difference, verdict.tokens),
    ]
    sentences += [(Part(caution, Emphasis.WARNING),) for caution in _cautions(verdict)]
    if memory := _memory(verdict):
        sentences.append((Part(memory + "."),))
    if not verdict.is_complete:
        sentences.append((Part(translate("Verdict", "Stopped early.")),))
    return joined(sentences)


def whole_sentence(verdict: Verdict) -> str:
    """All in one sentence, for where no headline stands above it.

    "Drafting makes this prompt 1.69 times as fast: 13.9 against 8.2 tok/s, median of 5; output identical,
    96 of 96 tokens; 0.5 GB more memory."
    """
    sameness = plain(sameness_parts(verdict.sameness, verdict.difference, verdict.tokens))
    clauses = [_finding(verdict), sameness, *_cautions(verdict), _memory(verdict)]
    if not verdict.is_complete:
        clauses.append(translate("Verdict", "Stopped early."))
    first, *others = (clause.rstrip(".") for clause in clauses if clause)
    return "; ".join([first, *(clause[:1].lower() + clause[1:] for clause in others)]) + "."


def advice_text(verdict: Verdict) -> str:
    """What follows from the figures, where the buttons alone do not say it; may be empty."""
    unsure = verdict.kind is VerdictKind.UNSURE
    match verdict.advice:
        case Advice.KEEP_ON | Advice.USE_LEFT | Advice.USE_RIGHT if not verdict.is_faithful:
            return choice_text(verdict.sameness)
        case Advice.KEEP_ON if unsure:
            return translate("Verdict", "Drafting seems to pay here.")
        case Advice.USE_LEFT if unsure:
            return translate("Verdict", "The left side seems faster.")
        case Advice.USE_RIGHT if unsure:
            return translate("Verdict", "The right side seems faster.")
        case Advice.TURN_OFF if verdict.kind is VerdictKind.SLOWER:
            return translate("Verdict", "Drafting does not pay on this prompt.")
        case Advice.TURN_OFF if unsure:
            return translate("Verdict", "Drafting does not seem to pay here.")
        case Advice.TURN_OFF:
            return translate("Verdict", "Drafting gains nothing here for the memory that it takes.")
        case Advice.NO_DIFFERENCE if verdict.kind is VerdictKind.SHORT:
            return longer_text()
        case Advice.NO_DIFFERENCE if verdict.scatters:
            return scatter_text()
        case Advice.NO_DIFFERENCE if verdict.is_against_plain and verdict.kind is not VerdictKind.NO_RATE:
            return translate(
                "Verdict", "Drafting makes no clear difference here, and costs no memory to speak of."
            )
    return ""


def scatter_text() -> str:
    """What to do where the runs are too unlike each other."""
    return translate("Verdict", "The runs differ too much to tell. Repeat when the computer is less busy.")


def longer_text() -> str:
    """What to do where the answers are too short."""
    return translate("Verdict", "Compare a longer answer: so few tokens tell nothing of the speed.")


def _cautions(verdict: Verdict) -> Iterator[str]:
    """What must be known before the advice is followed, in sentences."""
    yield from rule_cautions(verdict.lossy_variants)
    if verdict.repeats_differ:
        yield translate("Verdict", "Repeated runs of one side gave different texts.")


def _finding(verdict: Verdict) -> str:
    return _finding_template(verdict).format(
        judged=variant_text(verdict.judged, with_draft=_have_other_drafts(verdict)),
        other=variant_text(verdict.other, with_draft=_have_other_drafts(verdict)),
        factor=f"{verdict.factor or 0.0:.2f}",
        rates=_rates(verdict),
        runs=_runs(verdict),
        tokens=verdict.fewest_tokens,
    )


def _have_other_drafts(verdict: Verdict) -> bool:
    """Whether the sides may be told apart by their draft models alone."""
    drafts = verdict.judged.draft, verdict.other.draft
    return None not in drafts and drafts[0] != drafts[1]


def _finding_template(verdict: Verdict) -> str:
    gain = verdict.gain
    if gain is None:
        return translate("Verdict", "Too short to compare: {rates}, {runs}")
    if gain is Gain.SHORT:
        return translate("Verdict", "Too short to tell: {rates}, over only {tokens} tokens, {runs}")
    if verdict.scatters:
        return translate("Verdict", "Too noisy to tell on this prompt: {rates}, {runs}")
    if not verdict.is_against_plain:
        if gain is Gain.EVEN:
            return translate(
                "Verdict",
                "“{judged}” and “{other}” show no clear difference on this prompt: {rates}, {runs}",
            )
        return translate(
            "Verdict", "“{judged}” is {factor} times as fast as “{other}” on this prompt: {rates}, {runs}"
        )
    match gain:
        case Gain.EVEN:
            return translate("Verdict", "Drafting makes no clear difference on this prompt: {rates}, {runs}")
        case Gain.SLOWER:
            return translate(
                "Verdict", "Drafting makes this prompt slower, {factor} times as fast: {rates}, {runs}"
            )
        case Gain.FASTER:
            return translate("Verdict", "Drafting makes this prompt {factor} times as fast: {rates}, {runs}")


def _rates(verdict: Verdict) -> str:
    if verdict.rate is None and verdict.other_rate is None:
        return translate("Verdict", "No speed: fewer than two tokens")
    words = translate("Verdict", "{rate} against {other} tok/s")
    return words.format(rate=rate_figure(verdict.rate), other=rate_figure(verdict.other_rate))


def _runs(verdict: Verdict) -> str:
    if verdict.runs == verdict.other_runs == 1:
        return translate("Verdict", "one run each")
    if verdict.runs == verdict.other_runs:
        return translate("Verdict", "median of {count}").format(count=verdict.runs)
    words = translate("Verdict", "medians of {count} and {others} runs")
    return words.format(count=verdict.runs, others=verdict.other_runs)


def _memory(verdict: Verdict) -> str:
    extra = verdict.extra_memory_bytes
    if not extra:
        return ""
    if extra > 0:
        return translate("Verdict", "{size} more memory").format(size=round_bytes_text(extra))
    return translate("Verdict", "{size} less memory").format(size=round_bytes_text(-extra))
