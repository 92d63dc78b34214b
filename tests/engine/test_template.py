"""Chat templates: what they print, how conversations are fitted to them, and how their mistakes are told."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.chat import Message, Role
from app.core.errors import TemplateError
from app.engine.template import LONGEST_SOURCE, ChatTemplate, TemplateForm
from app.engine.template_limits import TemplateLimits

CHATML = """
{%- for turn in messages -%}
    {{- '<|im_start|>' + turn['role'] + '\\n' + turn['content'] + '<|im_end|>' + '\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{- '<|im_start|>assistant\\n' -}}
{%- endif -%}
"""

HEADERS = """{{- bos_token }}
{%- if messages[0].role == 'system' %}
    {%- set rules = messages[0].content | trim %}
    {%- set turns = messages[1:] %}
{%- else %}
    {%- set rules = '' %}
    {%- set turns = messages %}
{%- endif %}
{{- '<|header|>system<|end_header|>\\n\\n' ~ rules ~ '<|eot|>' }}
{%- for turn in turns %}
    {{- '<|header|>' ~ turn.role ~ '<|end_header|>\\n\\n' ~ (turn.content | trim) ~ '<|eot|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|header|>assistant<|end_header|>\\n\\n' }}
{%- endif %}
"""

GEMMA_LIKE = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}{{ raise_exception('No system role here.') }}{% endif %}
{%- for turn in messages %}
    {%- if (turn['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('Roles must alternate, the user first.') }}
    {%- endif %}
    {%- set speaker = 'model' if turn['role'] == 'assistant' else turn['role'] %}
    {{- '<turn>' + speaker + '\\n' + turn['content'] | trim + '</turn>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<turn>model\\n' }}{% endif %}"""

ALTERNATING = """
{%- for turn in messages %}
    {%- if turn.role == 'system' %}
        {{- '[SYSTEM]' + turn.content + '[/SYSTEM]' }}
    {%- elif turn.role == 'user' %}
        {{- '[INST]' + turn.content + '[/INST]' }}
    {%- elif loop.first or messages[loop.index0 - 1].role != 'user' %}
        {{- raise_exception('The user speaks first.') }}
    {%- else %}
        {{- turn.content + eos_token }}
    {%- endif %}
{%- endfor %}"""

INST = """{{ bos_token }}
{%- for turn in messages if turn.role != 'system' %}
    {%- if turn.role == 'user' %}
        {{- '[INST] ' + turn.content + ' [/INST]' }}
    {%- else %}
        {{- ' ' + turn.content + eos_token }}
    {%- endif %}
{%- endfor %}"""


def template(source: str | None) -> ChatTemplate:
    return ChatTemplate(source, bos="<s>", eos="</s>")


def system(content: str) -> Message:
    return Message(Role.SYSTEM, content)


def user(content: str) -> Message:
    return Message(Role.USER, content)


def assistant(content: str) -> Message:
    return Message(Role.ASSISTANT, content)


STRICT_TEMPLATE = template(GEMMA_LIKE)
FORGETFUL_TEMPLATE = template(INST)
CHAT = [system("Be brief."), user("Hello"), assistant("Hi"), user("Why?")]


def test_chatml() -> None:
    assert template(CHATML).render(CHAT) == (
        "<|im_start|>system\nBe brief.<|im_end|>\n"
        "<|im_start|>user\nHello<|im_end|>\n"
        "<|im_start|>assistant\nHi<|im_end|>\n"
        "<|im_start|>user\nWhy?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def test_headers_and_tokens_that_begin_a_text() -> None:
    assert template(HEADERS).render([system(" Be brief.\n"), user("Hello")]) == (
        "<s><|header|>system<|end_header|>\n\nBe brief.<|eot|>"
        "<|header|>user<|end_header|>\n\nHello<|eot|>"
        "<|header|>assistant<|end_header|>\n\n"
    )


def test_the_generation_prompt_can_be_left_out() -> None:
    text = template(CHATML).render(CHAT, add_generation_prompt=False)

    assert text.endswith("<|im_start|>user\nWhy?<|im_end|>\n")


def test_a_system_message_that_a_template_refuses_goes_into_the_first_user_message() -> None:
    assert template(GEMMA_LIKE).render(CHAT) == (
        "<s><turn>user\nBe brief.\n\nHello</turn>\n<turn>model\nHi</turn>\n"
        "<turn>user\nWhy?</turn>\n<turn>model\n"
    )


def test_a_system_message_that_a_template_loses_goes_into_the_first_user_message() -> None:
    assert template(INST).render(CHAT) == "<s>[INST] Be brief.\n\nHello [/INST] Hi</s>[INST] Why? [/INST]"


def test_a_system_message_without_a_user_message_is_said_by_the_user() -> None:
    assert template(INST).render([system("Be brief.")]) == "<s>[INST] Be brief. [/INST]"


def test_a_system_message_in_the_middle_goes_into_the_user_message_after_it() -> None:
    text = template(CHATML).render([user("a"), assistant("b"), system("c"), user("d")])

    assert "<|im_start|>user\nc\n\nd<|im_end|>" in text


def test_neighbours_of_one_role_become_one_message_with_a_blank_line() -> None:
    text = template(GEMMA_LIKE).render(
        [user("a"), user("b"), user(""), assistant("c"), assistant("d"), user("e")]
    )

    assert (
        text
        == "<s><turn>user\na\n\nb</turn>\n<turn>model\nc\n\nd</turn>\n<turn>user\ne</turn>\n<turn>model\n"
    )


def test_an_empty_user_message_goes_before_an_assistant_who_may_not_begin() -> None:
    greeting = [assistant("Welcome"), user("Hello")]

    assert (
        template(GEMMA_LIKE)
        .render(greeting)
        .startswith("<s><turn>user\n</turn>\n<turn>model\nWelcome</turn>")
    )
    assert template(CHATML).render(greeting).startswith("<|im_start|>assistant\nWelcome<|im_end|>")


def test_the_empty_user_message_goes_after_a_system_message() -> None:
    text = template(ALTERNATING).render([system("Be brief."), assistant("Welcome"), user("Hello")])

    assert text == "[SYSTEM]Be brief.[/SYSTEM][INST][/INST]Welcome</s>[INST]Hello[/INST]"


def test_a_system_message_goes_before_an_assistant_who_may_not_begin() -> None:
    text = template(GEMMA_LIKE).render([system("Be brief."), assistant("Welcome"), user("Hello")])

    assert text.startswith(
        "<s><turn>user\nBe brief.</turn>\n<turn>model\nWelcome</turn>\n<turn>user\nHello</turn>"
    )


chats = st.lists(
    st.builds(Message, st.sampled_from(Role), st.from_regex(r"[a-z]{3,6}", fullmatch=True)), min_size=1
)


@settings(deadline=None)
@given(chats)
def test_any_conversation_suits_a_template_that_wants_alternation(messages: list[Message]) -> None:
    for strict in (STRICT_TEMPLATE, FORGETFUL_TEMPLATE):
        text = strict.render(messages)

        at = 0
        for message in messages:
            at = text.index(message.content, at) + len(message.content)


def test_missing_content_is_empty() -> None:
    nothing = Message(Role.USER, None)  # type: ignore[arg-type]

    assert template(INST).render([nothing]) == "<s>[INST]  [/INST]"
    assert template(INST).render([Message(Role.USER)]) == "<s>[INST]  [/INST]"


@pytest.mark.parametrize("source", [None, "", " \n"])
def test_without_a_template_a_vocabulary_with_chatml_gets_it(source: str | None) -> None:
    fallback = ChatTemplate(source, bos="<s>", eos="</s>", chatml=True)

    assert fallback.form is TemplateForm.CHATML
    assert fallback.render(CHAT) == template(CHATML).render(CHAT)
    assert fallback.render(CHAT, add_generation_prompt=False).endswith("Why?<|im_end|>\n")


def test_without_a_template_another_vocabulary_gets_plain_words() -> None:
    fallback = template(None)

    assert fallback.form is TemplateForm.PLAIN
    assert fallback.render(CHAT) == "Be brief.\nUser: Hello\nAssistant: Hi\nUser: Why?\nAssistant:"
    assert fallback.render([user("Hello")], add_generation_prompt=False) == "User: Hello\n"


def test_a_template_of_the_model_is_called_so() -> None:
    assert ChatTemplate(CHATML, bos="", eos="", chatml=True).form is TemplateForm.MODEL


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{% generation %}{{ messages[0].content }}{% endgeneration %}", "<b>é</b>"),
        ("{{ messages | tojson }}", '[{"role": "user", "content": "<b>é</b>"}]'),
        ("{{ {'b': 1, 'a': [true]} | tojson(indent=1, sort_keys=true) }}",
         '{\n "a": [\n  true\n ],\n "b": 1\n}'),
        ("{% for i in range(9) if i != 1 %}{% if i > 3 %}{% break %}{% endif %}{{ i }}{% endfor %}", "023"),
        ("{% for i in range(4) %}{% if i == 2 %}{% continue %}{% endif %}{{ loop.index }}{% endfor %}",
         "124"),
        ("{{ 'x</think> y '.split('</think>')[-1].strip() }}", "y"),
        ("{{ 'a b  c'.split() | join('+') }} {{ 'a,b,c'.rsplit(',', 1) }}", "a+b+c ['a,b', 'c']"),
        ("{{ 'a\nb'.splitlines() }}{{ ', '.join(['a', 'b']) }}", "['a', 'b']a, b"),
        ("{{ 'aXa'.replace('X', 'yy') }} {{ 'aaa' | replace('a', 'b', 2) }}", "ayya bba"),
        ("{{ 'Ab'.upper() }}{{ 'Ab' | lower }}{{ 'ab'.startswith('a') }}{{ 'x y' | title }}", "ABabTrueX Y"),
        ("{% set n = namespace(x=0) %}{% for i in range(4) %}{% set n.x = n.x + i %}{% endfor %}{{ n.x }}",
         "6"),
        ("{% macro twice(x, y='!') %}{{ x ~ x ~ y }}{% endmacro %}{{ twice('ab') }}", "abab!"),
        ("{% macro down(n) %}{{ n }}{% if n %}{{ down(n - 1) }}{% endif %}{% endmacro %}{{ down(9) }}",
         "9876543210"),
        ("{% filter trim %}  x  {% endfilter %}{% set y %} z {% endset %}{{ y }}", "x z "),
        ("{{ [3, 1, 2][::-1] }}{{ 'abc'[1:] }}{{ (1, 2, 3)[:-1] }}", "[2, 1, 3]bc(1, 2)"),
        ("{{ messages | selectattr('role', 'equalto', 'user') | list | length }}", "1"),
        ("{{ messages | map(attribute='content') | join }}{{ messages | join(attribute='role') }}",
         "<b>é</b>user"),
        ("{% for key, value in {'b': 1, 'a': 2} | dictsort %}{{ key }}{{ value }}{% endfor %}", "a2b1"),
        ("{% for key, value in {'b': 1, 'a': 2}.items() %}{{ key }}{{ value }}{% endfor %}", "b1a2"),
        ("{{ dict(a=1) }}{{ dict({'b': 2}, c=3) }}", "{'a': 1}{'b': 2, 'c': 3}"),
        ("{{ '<{}:{:>3}>'.format('x', 7) }}{{ '{k}'.format_map({'k': 'v'}) }}", "<x:  7>v"),
        ("{{ '%s-%03d' % ('a', 5) }}{{ '%(k)s' % {'k': 'v'} }}{{ '%d%%' | format(9) }}", "a-005v9%"),
        ("{{ 'a\nb' | indent(2) }}{{ '=' * 3 }}{{ [0] * 2 }}{{ 2 ** 10 }}{{ 7 % 4 }}",
         "a\n  b===[0, 0]10243"),
        ("{{ tools is none }}{{ nothing is defined }}{{ messages[0].get('x', 'no') }}{{ nothing }}",
         "TrueFalseno"),
        ("{{ messages is sequence and messages[0] is mapping and messages[0].role is string }}", "True"),
        ("{{ messages[0].content | safe }}{{ eos_token }}", "<b>é</b></s>"),
        ("a\n{% if true %}\n  b\n  {% endif %}\nc\n", "a\n  b\nc"),
    ],
)  # fmt: skip
def test_what_templates_in_use_need(source: str, expected: str) -> None:
    assert template(source).render([user("<b>é</b>")]) == expected


def test_the_date_is_today() -> None:
    before = datetime.now()
    text = template("{{ strftime_now('%d %b %Y, %H:%M:%S') }}").render([user("x")])

    assert before.replace(microsecond=0) <= datetime.strptime(text, "%d %b %Y, %H:%M:%S") <= datetime.now()


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ('{{ a["foo"(', 1, 11, "unexpected 'end of template'"),
        ("{# never closed", 1, 3, "Missing end of comment"),
        ("text\n  {{ a ? b }}", 2, 8, "unexpected char '?'."),
        ("{% if a %}\n{{ b", 2, 4, "unexpected end of template"),
        ("{% for m in messages %}\n{{ m }}\n{% endif %}", 3, 4, "unknown tag 'endif'"),
        (
            "a\r\nb {%- if x -%}  \r\n\r\n   {{ x y }}",
            4,
            9,
            "expected token 'end of print statement', got 'y'",
        ),
        ("a\n\n   {%- if x %}{{ x y }}", 3, 20, "got 'y'"),
        ("a\rb {{ x y }}", 2, 8, "got 'y'"),
        ("{{ 'a' | nosuch }}", 1, 10, "No filter named 'nosuch'"),
        ("{{ (a] }}", 1, 6, "unexpected ']', expected ')'"),
        ("\n\n{% nosuch %}", 3, 4, "unknown tag 'nosuch'"),
        ("{{ 1" + "0" * 5000 + " }}", 1, 4, "number is too long"),
        ("{% raw %}\n{{ x }}", 1, 10, "Missing end of raw"),
        ("x {% include 'other' %}", 1, 6, "other templates"),
        ("{% autoescape true %}{% endautoescape %}", 1, 4, "escape for HTML"),
    ],
)
def test_a_mistake_is_told_with_its_place(source: str, line: int, column: int, words: str) -> None:
    with pytest.raises(TemplateError) as told:
        template(source)

    assert (told.value.line, told.value.column) == (line, column)
    assert f"line {line}, column {column}: " in str(told.value)
    assert words in str(told.value)
    assert str(told.value).endswith(".")


@pytest.mark.parametrize(
    "source", ["{{ " + "(" * 5000 + "1", "{{ " + "not " * 5000 + "1 }}", "{% if 1 %}" * 300]
)
def test_a_template_too_deep_to_compile_is_refused(source: str) -> None:
    with pytest.raises(TemplateError, match=r"nested|end of template"):
        template(source)


@pytest.mark.parametrize("source", ["{% for a in [] %}" * 25 + "{% endfor %}" * 25, "{% break %}"])
def test_what_python_cannot_compile_is_refused(source: str) -> None:
    with pytest.raises(TemplateError, match="cannot be compiled"):
        template(source)


def test_a_template_that_is_too_long_is_refused() -> None:
    with pytest.raises(TemplateError, match=str(LONGEST_SOURCE)):
        template("x" * (LONGEST_SOURCE + 1))


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("a\n{{ nothing.at.all }}", 2, "'nothing' is undefined"),
        ("{% macro f() %}\n{{ 1 // 0 }}\n{% endmacro %}\n{{ f() }}", 2, "by zero"),
        ("\n\n{{ 'a' + 1 }}", 3, "str"),
        ("{{ messages[0].content.nosuch() }}", 1, "nosuch"),
        ("\n{{ raise_exception('Only\n\nthree. ') }}", 2, "refuses this conversation: Only three."),
        ("{{ raise_exception() }}", 1, "refuses this conversation"),
        ("{{ raise_exception('x' * 5000) }}", 1, "xxx…."),
    ],
)
def test_a_failure_is_told_with_its_line(source: str, line: int, words: str) -> None:
    with pytest.raises(TemplateError) as told:
        template(source).render([user("x")])

    assert told.value.line == line
    assert words in str(told.value)
    assert str(told.value).endswith(".")
    assert len(str(told.value)) < 500


def test_limits_grow_with_the_conversation() -> None:
    paragraph = "Ein längerer Absatz mit 🦙 und <b>Zeichen</b>.\n" * 500
    messages = [user(paragraph), assistant(paragraph)] * 100
    limits = TemplateLimits(seconds=30.0, value_bytes=100_000)

    text = ChatTemplate(CHATML, bos="", eos="", limits=limits).render(messages)

    assert text.count(paragraph) == 200


def test_one_template_renders_in_several_threads() -> None:
    shared = template(CHATML)
    conversations = [[user(str(n)), assistant("x")] * 20 for n in range(20)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            texts = list(threads.map(shared.render, conversations))
    finally:
        sys.setswitchinterval(interval)

    assert texts == [template(CHATML).render(conversation) for conversation in conversations]
