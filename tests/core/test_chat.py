"""How a stored conversation is told to the engine."""

from app.core.chat import ChatMessage, Message, Role, engine_messages


def said(*turns: tuple[Role, str]) -> tuple[ChatMessage, ...]:
    return tuple(ChatMessage(number, None, role, text, 0.0) for number, (role, text) in enumerate(turns))


def test_turns_are_told_in_order() -> None:
    turns = said((Role.USER, "Hello"), (Role.ASSISTANT, "Hi"), (Role.USER, "How are you?"))
    assert engine_messages(turns) == (
        Message(Role.USER, "Hello"),
        Message(Role.ASSISTANT, "Hi"),
        Message(Role.USER, "How are you?"),
    )


def test_a_question_whose_answer_failed_is_joined_to_the_next() -> None:
    """Templates that want the sides to take turns would refuse two questions in a row."""
    turns = said((Role.USER, "Hello"), (Role.ASSISTANT, " \n"), (Role.USER, "Hello?"))
    assert engine_messages(turns) == (Message(Role.USER, "Hello\n\nHello?"),)


def test_nothing_said_is_nothing_told() -> None:
    assert engine_messages(()) == ()
