"""The config in force: what answers are asked for with, and what is adjusted between them."""

from pathlib import Path

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.chat import Message, Role
from app.core.options import (
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Obstacle, Round
from app.settings import ModelConfig
from app.ui.session_state import (
    Running,
)
from tests.fakes.watched_session import DRAFT, PATIENCE_MS, Start, Watched, setup_of


def test_an_answer_is_asked_for_with_the_system_prompt_and_the_seed(qtbot: QtBot, start: Start) -> None:
    watched = start()
    config = ModelConfig(sampling=SamplingOptions(seed=1), seed=42, system_prompt="Be brief.")
    watched.load(qtbot, setup_of(config=config))
    watched.ask("echo")
    watched.end_of_answer(qtbot)

    assert echo(watched) == "['Be brief.', 'echo'] seed 42"


def test_without_a_seed_every_answer_has_another(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    seeds = set()
    for _ in range(3):
        watched.said.clear()
        watched.ask("echo")
        watched.end_of_answer(qtbot)
        seeds.add(echo(watched))

    assert len(seeds) == 3


def test_a_conversation_with_a_system_prompt_keeps_its_own(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot, setup_of(config=ModelConfig(seed=0, system_prompt="Be brief.")))
    watched.session.generate([Message(Role.SYSTEM, "Be long."), Message(Role.USER, "echo")])
    watched.end_of_answer(qtbot)

    assert echo(watched) == "['Be long.', 'echo'] seed 0"


def echo(watched: Watched) -> str:
    first = watched.said[0]
    assert isinstance(first, Round)
    return first.pieces[0].text


def test_an_adjusted_config_is_used_for_the_next_answer(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot, setup_of(config=ModelConfig(seed=1)))
    states = len(watched.states)
    with qtbot.waitSignal(watched.session.config_changed, timeout=PATIENCE_MS) as changed:
        assert watched.session.adjust(ModelConfig(seed=2, system_prompt="Now."))
    watched.ask("echo")
    watched.end_of_answer(qtbot)

    assert changed.args == [ModelConfig(seed=2, system_prompt="Now.")]
    assert echo(watched) == "['Now.', 'echo'] seed 2"
    assert len(watched.states) == states


def test_an_adjusted_config_survives_a_reload(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.session.adjust(ModelConfig(seed=7))
    watched.session.eject()
    watched.session.reload()

    assert watched.wait_until_running(qtbot).setup.config.seed == 7


def test_adjusting_says_when_a_reload_is_needed(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)

    assert not watched.session.adjust(ModelConfig(load=LoadOptions(context_length=8192), seed=3))
    state = watched.session.state
    assert isinstance(state, Running)
    assert state.setup.config == ModelConfig(seed=3)


def test_a_draft_is_loaded_with_its_target(qtbot: QtBot, start: Start) -> None:
    running = start().load(qtbot, setup_of(draft=DRAFT))

    assert running.has_draft
    assert running.speculation is SpeculationMode.DRAFT_MODEL


def test_a_draft_is_not_loaded_while_drafting_is_off(qtbot: QtBot, start: Start) -> None:
    setup = replace(setup_of(draft=DRAFT), config=ModelConfig(draft=DRAFT))
    running = start().load(qtbot, setup)

    assert not running.has_draft
    assert running.setup.draft is None
    assert running.setup.config.draft is None


def test_a_refused_draft_leaves_the_model_running_plain(qtbot: QtBot, start: Start) -> None:
    running = start().load(qtbot, setup_of(draft=Path("/models/misfit.gguf")))

    assert not running.has_draft
    assert running.speculation is SpeculationMode.OFF
    assert running.loaded.draft_refusal is not None
    assert running.loaded.draft_refusal.obstacle is Obstacle.INCOMPATIBLE


def test_a_loaded_draft_can_be_switched_off_and_on_again(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot, setup_of(draft=DRAFT))
    for mode in (SpeculationMode.OFF, SpeculationMode.DRAFT_MODEL, SpeculationMode.PROMPT_LOOKUP):
        config = ModelConfig(speculation=SpeculationOptions(mode=mode), draft=DRAFT)
        assert watched.session.adjust(config)
        state = watched.session.state
        assert isinstance(state, Running)
        assert state.speculation is mode
        assert state.has_draft
