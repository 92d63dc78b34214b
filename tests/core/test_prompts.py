"""Prompt suites and prompt files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.chat import Message, Role
from app.core.errors import SlipstreamError
from app.core.prompts import (
    LARGEST_FILE,
    Prompt,
    PromptFileError,
    Suite,
    load_suite,
    load_suites,
    prompt_from_file,
)

SUITES = Path(__file__).parents[2] / "resources" / "prompts"
NAMES = {"code", "edit", "explanation", "story", "mathematics", "summary", "japanese", "thai"}

GOOD = """
title = "Two"

[[prompt]]
id = "two-first"
text = '''
Say one.
'''

[[prompt]]
id = "two-second"
system = "Be brief."
text = "Say two."
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def sentence_for(path: Path) -> str:
    with pytest.raises(PromptFileError) as caught:
        prompt_from_file(path)
    assert caught.value.path == path
    return str(caught.value)


def test_the_built_in_suites_are_complete() -> None:
    suites = load_suites(SUITES)
    assert {suite.name for suite in suites} == NAMES
    for suite in suites:
        assert len(suite.prompts) >= 3
        assert all(prompt.suite == suite.name for prompt in suite.prompts)
    ids = [prompt.id for suite in suites for prompt in suite.prompts]
    assert len(set(ids)) == len(ids)
    assert all(id_ == id_.lower() and len(id_) <= 22 for id_ in ids)  # they head the rows of a table


def test_no_built_in_prompt_carries_a_line_continuation_into_its_text() -> None:
    for suite in load_suites(SUITES):
        for prompt in suite.prompts:
            assert "\\" not in prompt.text, prompt.id


def test_each_text_to_summarise_is_long() -> None:
    for prompt in load_suite(SUITES / "summary.toml").prompts:
        assert 600 <= len(prompt.text.split()) <= 900, prompt.id


@pytest.mark.parametrize(("name", "first", "last"), [("japanese", "぀", "ヿ"), ("thai", "ก", "๛")])
def test_a_language_suite_is_written_in_its_script(name: str, first: str, last: str) -> None:
    for prompt in load_suite(SUITES / f"{name}.toml").prompts:
        inside = sum(first <= character <= last for character in prompt.text)
        assert inside > len(prompt.text) / 2, prompt.id


def test_a_suite_takes_its_name_from_the_file(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, "two.toml", GOOD))
    assert suite == Suite(
        name="two",
        title="Two",
        prompts=(
            Prompt("two-first", "Say one.", None, "two"),
            Prompt("two-second", "Say two.", "Be brief.", "two"),
        ),
    )


def test_a_toml_file_is_read_as_a_suite_and_any_other_as_one_prompt(tmp_path: Path) -> None:
    assert len(prompt_from_file(write(tmp_path, "two.TOML", GOOD))) == 2
    assert prompt_from_file(write(tmp_path, "ask me.txt", GOOD)) == (Prompt("ask me", GOOD.strip("\n")),)


def test_text_keeps_its_indentation_and_loses_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "windows.txt"
    path.write_bytes(b"\xef\xbb\xbf  first\r\n\r\n    second \r\n")
    assert prompt_from_file(path)[0].text == "  first\n\n    second "


def test_suites_come_in_order_of_name_without_hidden_files(tmp_path: Path) -> None:
    write(tmp_path, "zebra.toml", GOOD)
    write(tmp_path, "ant.toml", GOOD.replace("two-", "ant-"))
    write(tmp_path, "._ant.toml", "left by a file manager")
    assert [suite.name for suite in load_suites(tmp_path)] == ["ant", "zebra"]


def test_an_id_in_two_suites_is_refused_with_both_names(tmp_path: Path) -> None:
    write(tmp_path, "one.toml", GOOD)
    write(tmp_path, "two.toml", GOOD)
    with pytest.raises(PromptFileError) as caught:
        load_suites(tmp_path)
    assert str(caught.value) == 'The prompt id "two-first" is in two suites, one.toml and two.toml.'


def test_a_folder_without_suites_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PromptFileError, match="has no prompt suites"):
        load_suites(tmp_path)
    with pytest.raises(PromptFileError, match="There is no folder"):
        load_suites(tmp_path / "absent")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title = ", "bad.toml is not a TOML file: Invalid value"),
        ("x = " + "[" * 5000, "bad.toml is "),
        ("", 'In bad.toml, the suite has no "title".'),
        ("title = 'T'", "bad.toml has no prompts; each begins with a line [[prompt]]."),
        ("title = 'T'\nprompt = []", "bad.toml has no prompts"),
        ("title = 'T'\nprompt = 'P'", "bad.toml has no prompts"),
        ("title = 'T'\nprompt = [1]", "In bad.toml, prompt 1 is not a table."),
        ("title = 7\n", 'In bad.toml, "title" of the suite is not text.'),
        (GOOD + "\nprompts = 1", 'In bad.toml, prompt 2 has the unknown key "prompts".'),
        ("titel = 1\n" + GOOD, 'In bad.toml, the suite has the unknown key "titel".'),
        (GOOD.replace("Say two.", " "), 'In bad.toml, "text" of prompt 2 is empty.'),
        (GOOD.replace('text = "Say two."', ""), 'In bad.toml, prompt 2 has no "text".'),
        (GOOD.replace('"Be brief."', "3"), 'In bad.toml, "system" of prompt 2 is not text.'),
        (GOOD.replace("two-second", "two-first"), 'bad.toml has the prompt id "two-first" twice.'),
        (GOOD.replace("two-second", "a\\nb"), "In bad.toml, the id of prompt 2 must be one line"),
        (GOOD.replace("two-second", "a" * 65), "In bad.toml, the id of prompt 2 must be one line"),
        (GOOD.replace("two-second", "\\u001b[2J"), "In bad.toml, the id of prompt 2 must be one line"),
    ],
)
def test_a_bad_suite_is_refused_in_one_sentence(tmp_path: Path, text: str, expected: str) -> None:
    sentence = sentence_for(write(tmp_path, "bad.toml", text))
    assert sentence.startswith(expected)
    assert "\n" not in sentence


def test_a_file_that_is_no_prompt_is_refused_in_one_sentence(tmp_path: Path) -> None:
    assert "is missing" in sentence_for(tmp_path / "absent.txt")
    assert "not a plain file" in sentence_for(tmp_path)
    assert sentence_for(write(tmp_path, "empty.txt", " \n\t\n")) == "The prompt file empty.txt is empty."
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"GGUF\xff\xfe")
    assert sentence_for(binary) == "binary.txt is not UTF-8 text (byte 4)."
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert "too large for a prompt" in sentence_for(huge)


@given(content=st.binary(max_size=200), toml=st.booleans())
def test_any_bytes_give_prompts_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, toml: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / ("any.toml" if toml else "any.txt")
    path.write_bytes(content)
    try:
        prompts = prompt_from_file(path)
    except SlipstreamError as error:
        assert str(error)
    else:
        assert all(prompt.text.strip() for prompt in prompts)


def test_a_prompt_is_the_beginning_of_a_conversation() -> None:
    asked = Message(Role.USER, "Say it.")
    assert Prompt("one", "Say it.", "Be brief.").messages == (Message(Role.SYSTEM, "Be brief."), asked)
    assert Prompt("one", "Say it.").messages == (asked,)
    assert Prompt("one", "Say it.", "").messages == (asked,)
