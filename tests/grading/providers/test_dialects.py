"""What each provider is sent, and what is read from its replies, by the documents of its protocol."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_calls import QUESTION, SCHEMA, chat_reply

from rubric_core.grading.providers import anthropic, azure, gemini, openai
from rubric_core.grading.providers.dialect import ModelSettings, ReplyWithoutAnswer
from rubric_core.grading.providers.provider import Call, Completion, Turn
from rubric_core.grading.usage import Usage

if TYPE_CHECKING:
    from rubric_core.grading.providers.dialect import HttpDialect

DIALECTS = (openai.DIALECT, azure.DIALECT, anthropic.DIALECT, gemini.DIALECT)
NAMES = ("openai", "azure", "anthropic", "gemini")
SETTINGS = ModelSettings("model-1", "https://models.example/v1", "key-1", temperature=0.0)
TURNS = (
    Turn("system", "You judge."),
    Turn("user", "Is it met?"),
    Turn("assistant", "Yes."),
    Turn("user", "Say it as JSON."),
)
PLAIN = Call(TURNS)


def answer_of(dialect: HttpDialect, reply: Any) -> Completion:
    """Return the answer in a reply to a request that offers a tool, with what it cost."""
    return replace(dialect.read(reply, ["judgement"]), usage=dialect.usage_of(reply))


FAILED = ("failed", "incomplete", "cancelled", "error")
TEXT_PART = {"type": "text", "text": "A"}


class TestOpenAi:
    """Chat completions."""

    def test_the_address_is_below_the_base(self) -> None:
        """With or without a slash at the end."""
        assert openai.url(SETTINGS) == "https://models.example/v1/chat/completions"
        assert openai.url(replace(SETTINGS, base_url="http://localhost:11434/v1/")) == (
            "http://localhost:11434/v1/chat/completions"
        )

    def test_a_local_server_needs_no_key(self) -> None:
        """Then no header is sent."""
        assert openai.DIALECT.headers_of(SETTINGS) == {"authorization": "Bearer key-1"}
        assert openai.DIALECT.headers_of(replace(SETTINGS, api_key=None)) == {}

    def test_a_conversation_is_sent_turn_by_turn(self) -> None:
        """Nothing else is sent that nobody asked for."""
        assert openai.body(replace(SETTINGS, temperature=None), PLAIN) == {
            "model": "model-1",
            "messages": [
                {"role": "system", "content": "You judge."},
                {"role": "user", "content": "Is it met?"},
                {"role": "assistant", "content": "Yes."},
                {"role": "user", "content": "Say it as JSON."},
            ],
        }

    @pytest.mark.parametrize(
        ("structure", "expected"),
        [
            (
                "json_schema",
                {"type": "json_schema", "json_schema": {"name": "judgement", "strict": True, "schema": SCHEMA}},
            ),
            ("json_object", {"type": "json_object"}),
            ("prompt", None),
        ],
    )
    def test_a_schema_is_asked_for_by_the_rung(self, structure: str, expected: dict[str, Any] | None) -> None:
        """Down to the prompt alone."""
        assert openai.body(replace(SETTINGS, structure=structure), QUESTION).get("response_format") == expected

    @pytest.mark.parametrize(("is_own", "name"), [(True, "max_completion_tokens"), (False, "max_tokens")])
    def test_the_limit_has_its_own_name_at_openai(self, *, is_own: bool, name: str) -> None:
        """Many compatible servers only know the old one."""
        settings = replace(SETTINGS, max_tokens=50, seed=7, is_own_server=is_own)
        body = openai.body(settings, PLAIN)
        assert (body[name], body["seed"], body["temperature"]) == (50, 7, 0.0)
        assert len({"max_completion_tokens", "max_tokens"} & body.keys()) == 1

    @pytest.mark.parametrize(
        ("reply", "expected"),
        [
            (chat_reply("Good."), Completion("Good.", "model-1-2026", Usage(1, 0, 30, 7))),
            (chat_reply("Goo", "length"), Completion("Goo", "model-1-2026", Usage(1, 0, 30, 7), cut_short=True)),
            *(
                (
                    {**chat_reply("A", "eos", error=empty), "error": empty, "errors": empty, "status": "completed"},
                    Completion("A", "model-1-2026", Usage(1, 0, 30, 7)),
                )
                for empty in (None, "", {}, [], False)
            ),
            (chat_reply("A", refusal=None, tool_calls=[]), Completion("A", "model-1-2026", Usage(1, 0, 30, 7))),
            ({"choices": [{"message": {"content": "bare"}}]}, Completion("bare", None, Usage(1))),
            (
                {
                    "choices": [
                        {
                            "message": {
                                "content": [
                                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                                    {"type": "text", "text": "in "},
                                    {"type": "text", "text": "parts"},
                                ]
                            }
                        }
                    ]
                },
                Completion("in parts", None, Usage(1)),
            ),
        ],
    )
    def test_an_answer_is_read(self, reply: dict[str, Any], expected: Completion) -> None:
        """With the model that gave it and the tokens that it took."""
        assert answer_of(openai.DIALECT, reply) == expected

    @pytest.mark.parametrize(
        ("reply", "reason"),
        [
            (chat_reply(None, refusal="I cannot."), "refused to answer"),
            (chat_reply("Half", "content_filter"), "stopped the answer by its content filter"),
            (chat_reply("", "length"), "reached its limit of tokens before the answer began"),
            (chat_reply(None), "sent an empty answer"),
            (chat_reply(" \n"), "sent an empty answer"),
            ({"choices": []}, "sent an empty answer"),
            (chat_reply("A", "error"), r"stopped the answer \(error\)"),
            (chat_reply("A", "abort"), r"stopped the answer \(abort\)"),
            (chat_reply("A", {"type": "error"}), "sent a `finish_reason` that is not a text"),  # type: ignore[arg-type]
            (chat_reply("A", tool_calls=[{"function": {"name": "judgement"}}]), "called a tool that was not offered"),
            (chat_reply("A", function_call={"name": "judgement"}), "called a tool that was not offered"),
            (chat_reply("A", "tool_calls"), "called a tool that was not offered"),
            ({**chat_reply("A"), "error": {"message": "Overloaded."}}, "answered with an error"),
            ({**chat_reply("A"), "error": "Overloaded."}, "answered with an error"),
            ({**chat_reply("A"), "object": "error"}, "answered with an error"),
            ({"choices": [{"error": {"code": 502}, "message": {"content": "A"}}]}, "answered with an error"),
            ({"choices": [{"message": {"content": "a"}}] * 2}, "sent 2 answers where one was asked for"),
            (chat_reply("A", error={"code": 502}), "answered with an error"),
            ({**chat_reply("A"), "errors": ["Overloaded."]}, "answered with an error"),
            *(({**chat_reply("A"), "status": status}, rf"ended with the status {status}") for status in FAILED),
            (chat_reply([TEXT_PART, {"type": "refusal", "refusal": "I cannot."}]), "refused to answer"),
            *(
                (chat_reply([TEXT_PART, {"type": kind, "name": "x"}]), "called a tool that was not offered")
                for kind in ("tool_use", "tool_call", "function_call", "server_tool_use")
            ),
        ],
    )
    def test_an_answer_that_was_withheld_is_none(self, reply: dict[str, Any], reason: str) -> None:
        """What it cost is kept."""
        with pytest.raises(ReplyWithoutAnswer, match=reason) as caught:
            openai.read(reply)
        assert caught.value.reason
        assert caught.value.said == ("I cannot." if "refused" in reason else "")


class TestAzure:
    """The same, elsewhere."""

    @pytest.mark.parametrize(
        ("endpoint", "version", "expected"),
        [
            (
                "https://mine.openai.azure.com/",
                "2024-10-21",
                "https://mine.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21",
            ),
            (
                "mine",
                "api-version=2024-10-21",
                "https://mine.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21",
            ),
            (
                "https://mine.openai.azure.com/openai",
                "2024-10-21",
                "https://mine.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21",
            ),
            ("https://mine.openai.azure.com", "v1", "https://mine.openai.azure.com/openai/v1/chat/completions"),
            (
                "https://mine.openai.azure.com/openai/v1/",
                "v1",
                "https://mine.openai.azure.com/openai/v1/chat/completions",
            ),
        ],
    )
    def test_the_address_is_that_of_the_deployment(self, endpoint: str, version: str, expected: str) -> None:
        """Or that of the interface without dates, where the deployment is in the body."""
        assert azure.url(replace(SETTINGS, base_url=endpoint, version=version, model="my gpt")) == expected

    def test_the_key_has_its_own_header(self) -> None:
        """The rest is as at OpenAI."""
        assert azure.DIALECT.headers_of(SETTINGS) == {"api-key": "key-1"}
        assert (azure.DIALECT.body, azure.DIALECT.read) == (openai.body, openai.read)


def claude_reply(*content: dict[str, Any], stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    """Return a reply in the protocol of Anthropic."""
    usage = {"input_tokens": 20, "cache_read_input_tokens": 10, "output_tokens": 7}
    return {"model": "claude-1", "content": list(content), "stop_reason": stop, "usage": usage, **more}


B = {"type": "text", "text": "B"}


def _tool(given: str) -> str:
    """Return a block of a reply that gives a text of JSON to the tool."""
    return f'{{"type": "tool_use", "name": "judgement", "input": {given}}}'


class TestAnthropic:
    """Messages."""

    @pytest.mark.parametrize("base", ["https://api.example", "https://api.example/", "https://api.example/v1"])
    def test_the_address_may_have_the_version_or_not(self, base: str) -> None:
        """People write both."""
        assert anthropic.url(replace(SETTINGS, base_url=base)) == "https://api.example/v1/messages"

    def test_the_headers_have_key_and_version(self) -> None:
        """Both are required."""
        expected = {"x-api-key": "key-1", "anthropic-version": "2023-06-01"}
        assert anthropic.DIALECT.headers_of(replace(SETTINGS, version="2023-06-01")) == expected

    def test_the_system_speaks_apart(self) -> None:
        """It is no turn of the conversation."""
        assert anthropic.body(replace(SETTINGS, max_tokens=100), PLAIN) == {
            "model": "model-1",
            "max_tokens": 100,
            "system": "You judge.",
            "temperature": 0.0,
            "messages": [
                {"role": "user", "content": "Is it met?"},
                {"role": "assistant", "content": "Yes."},
                {"role": "user", "content": "Say it as JSON."},
            ],
        }

    def test_where_only_the_system_speaks_the_user_says_it(self) -> None:
        """A conversation without turns is refused."""
        body = anthropic.body(SETTINGS, Call((Turn("system", "Say hello."),)))
        assert body["messages"] == [{"role": "user", "content": "Say hello."}]
        assert "system" not in body

    @pytest.mark.parametrize(
        ("structure", "expected"),
        [
            ("json_schema", {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}),
            (
                "tool",
                {
                    "tools": [{"name": "judgement", "description": "Gives the answer.", "input_schema": SCHEMA}],
                    "tool_choice": {"type": "tool", "name": "judgement"},
                },
            ),
            ("prompt", {}),
        ],
    )
    def test_a_schema_is_asked_for_by_the_rung(self, structure: str, expected: dict[str, Any]) -> None:
        """A format, else a tool that the model must use, else the prompt alone."""
        body = anthropic.body(replace(SETTINGS, structure=structure), QUESTION)
        assert {name: body[name] for name in ("output_config", "tools", "tool_choice") if name in body} == expected

    def test_thinking_has_tokens_of_its_own(self) -> None:
        """It goes neither with a temperature nor with a tool that must be used."""
        settings = replace(SETTINGS, max_tokens=100, thinking_budget=2000, structure="tool")
        body = anthropic.body(settings, QUESTION)
        assert body["thinking"] == {"type": "enabled", "budget_tokens": 2000}
        assert body["max_tokens"] == 2100
        assert body["tool_choice"] == {"type": "auto"}
        assert "temperature" not in body

    @pytest.mark.parametrize(
        ("reply", "text", "cut_short"),
        [
            (claude_reply({"type": "text", "text": "Good."}), "Good.", False),
            (
                claude_reply(
                    {"type": "thinking", "thinking": "Hm."},
                    {"type": "text", "text": "A"},
                    {"type": "text", "text": "B"},
                ),
                "AB",
                False,
            ),
            (claude_reply({"type": "text", "text": "Goo"}, stop="max_tokens"), "Goo", True),
            (claude_reply({"type": "text", "text": "Goo"}, stop="model_context_window_exceeded"), "Goo", True),
            (
                claude_reply(
                    {"type": "text", "text": "Here:"},
                    {"type": "tool_use", "name": "judgement", "input": {"met": True, "why": "größer"}},
                    stop="tool_use",
                ),
                'Here:\n{"met": true, "why": "größer"}',
                False,
            ),
        ],
    )
    def test_an_answer_is_read(self, reply: dict[str, Any], text: str, *, cut_short: bool) -> None:
        """What was given to the tool is below the text."""
        told = anthropic.parse(json.dumps(reply, ensure_ascii=False).encode())
        assert answer_of(anthropic.DIALECT, told) == Completion(
            text, "claude-1", Usage(1, 0, 30, 7), cut_short=cut_short
        )

    @pytest.mark.parametrize(
        ("blocks", "text"),
        [
            ([_tool('{"score": 2, "score": 9}')], '{"score": 2, "score": 9}'),
            ([_tool('{"score":7.0000000000000000000001}')], '{"score":7.0000000000000000000001}'),
            ([_tool('{"score": 2}'), _tool('{"score": 9}')], '{"score": 2}\n{"score": 9}'),
            ([_tool('{"score": 2}, "input": {"score": 9}')], '{"score": 2}\n{"score": 9}'),
            (['{"type": "text", "text": "{\\"score\\": 2}"}', _tool('{"score": 9}')], '{"score": 2}\n{"score": 9}'),
            ([_tool(r'"{\"score\": 9}"')], r'"{\"score\": 9}"'),
            (['{"type": "tool_use", "name": "judgement"}', _tool("{}")], "{}"),
        ],
    )
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
    def test_what_a_tool_was_given_stays_as_it_is_written(self, blocks: list[str], text: str, encoding: str) -> None:
        """All that is refused in a judgement is still there to be refused: repeated keys, fractions, two of them."""
        body = f'{{"content": [{", ".join(blocks)}], "stop_reason": "tool_use"}}'
        assert anthropic.DIALECT.read(anthropic.DIALECT.parse(body.encode(encoding)), ["judgement"]).text == text

    @pytest.mark.parametrize(
        ("reply", "reason", "said"),
        [
            (claude_reply(stop="refusal"), "refused to answer", ""),
            (claude_reply(stop="refusal", stop_details={"explanation": "Unsafe."}), "refused to answer", "Unsafe."),
            (claude_reply(stop="max_tokens"), "reached its limit of tokens", ""),
            (claude_reply(), "sent an empty answer", ""),
            (claude_reply(B, stop="error"), r"stopped the answer \(error\)", ""),
            (claude_reply(B, stop="pause_turn"), r"stopped the answer \(pause_turn\)", ""),
            (claude_reply(B, stop=3), "sent a `stop_reason` that is not a text", ""),  # type: ignore[arg-type]
            (claude_reply(B, stop="tool_use"), "stopped for the call of a tool that it did not send", ""),
            (claude_reply(B, {"type": "tool_use", "name": "other"}), "called a tool that was not offered", ""),
            (
                claude_reply(B, {"type": "server_tool_use", "name": "judgement"}),
                "called a tool that was not offered",
                "",
            ),
            (claude_reply(B, error={"message": "Overloaded."}), "answered with an error", ""),
            (claude_reply(B, type="error"), "answered with an error", ""),
            (claude_reply(B, errors=["Overloaded."]), "answered with an error", ""),
            (claude_reply(B, status="incomplete"), "ended with the status incomplete", ""),
        ],
    )
    def test_an_answer_that_was_withheld_is_none(self, reply: dict[str, Any], reason: str, said: str) -> None:
        """What it cost is kept."""
        with pytest.raises(ReplyWithoutAnswer, match=reason) as caught:
            anthropic.read(reply, ["judgement"])
        assert caught.value.said == said
        assert anthropic.DIALECT.usage_of(reply).output_tokens == 7


def gemini_reply(*parts: dict[str, Any], finish: str = "STOP", **more: Any) -> dict[str, Any]:
    """Return a reply in the protocol of Gemini."""
    counts = {"promptTokenCount": 30, "candidatesTokenCount": 4, "thoughtsTokenCount": 3}
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}
    return {"modelVersion": "gemini-1", "candidates": [candidate], "usageMetadata": counts, **more}


class TestGemini:
    """`generateContent`."""

    @pytest.mark.parametrize(
        ("base", "model", "expected"),
        [
            ("https://g.example/v1beta", "gemini-1", "https://g.example/v1beta/models/gemini-1:generateContent"),
            ("https://g.example", "gemini-1", "https://g.example/v1beta/models/gemini-1:generateContent"),
            ("https://g.example/v1/", "tunedModels/mine", "https://g.example/v1/tunedModels/mine:generateContent"),
        ],
    )
    def test_the_address_names_the_model(self, base: str, model: str, expected: str) -> None:
        """The version may be missing."""
        assert gemini.url(replace(SETTINGS, base_url=base, model=model)) == expected

    def test_the_key_is_in_a_header(self) -> None:
        """It could be in the address, where logs would show it."""
        assert gemini.DIALECT.headers_of(SETTINGS) == {"x-goog-api-key": "key-1"}
        assert "key-1" not in gemini.url(SETTINGS)

    def test_a_conversation_is_sent_turn_by_turn(self) -> None:
        """The system speaks apart, and the assistant is called a model."""
        settings = replace(SETTINGS, max_tokens=100, seed=7)
        assert gemini.body(settings, PLAIN) == {
            "systemInstruction": {"parts": [{"text": "You judge."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "Is it met?"}]},
                {"role": "model", "parts": [{"text": "Yes."}]},
                {"role": "user", "parts": [{"text": "Say it as JSON."}]},
            ],
            "generationConfig": {"temperature": 0.0, "maxOutputTokens": 100, "seed": 7},
        }

    @pytest.mark.parametrize(
        ("structure", "expected"),
        [
            ("json_schema", {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}),
            ("json_object", {"responseMimeType": "application/json"}),
            ("prompt", {}),
        ],
    )
    def test_a_schema_is_asked_for_by_the_rung(self, structure: str, expected: dict[str, Any]) -> None:
        """Down to the prompt alone."""
        settings = replace(SETTINGS, temperature=None, structure=structure)
        config = gemini.body(settings, QUESTION)["generationConfig"]
        assert config == expected

    @pytest.mark.parametrize(
        ("reply", "text", "cut_short"),
        [
            (gemini_reply({"text": "Good."}), "Good.", False),
            (gemini_reply({"text": "Hm.", "thought": True}, {"text": "A"}, {"text": "B"}), "AB", False),
            (gemini_reply({"text": "Goo"}, finish="MAX_TOKENS"), "Goo", True),
        ],
    )
    def test_an_answer_is_read(self, reply: dict[str, Any], text: str, *, cut_short: bool) -> None:
        """Without the thoughts, whose tokens count."""
        assert answer_of(gemini.DIALECT, reply) == Completion(text, "gemini-1", Usage(1, 0, 30, 7), cut_short=cut_short)

    @pytest.mark.parametrize(
        ("reply", "reason"),
        [
            (gemini_reply({"text": "Half"}, finish="SAFETY"), r"stopped the answer \(SAFETY\)"),
            (gemini_reply(finish="RECITATION"), r"stopped the answer \(RECITATION\)"),
            (
                {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
                r"blocked the prompt \(PROHIBITED_CONTENT\)",
            ),
            (gemini_reply(finish="MAX_TOKENS"), "reached its limit of tokens"),
            (gemini_reply(), "sent an empty answer"),
            (gemini_reply({"text": "A"}, finish="MALFORMED_FUNCTION_CALL"), "stopped the answer"),
            (gemini_reply({"text": "A"}, finish=2), "sent a `finishReason` that is not a text"),  # type: ignore[arg-type]
            (gemini_reply({"text": "A"}, {"functionCall": {"name": "x"}}), "called a tool that was not offered"),
            (gemini_reply({"text": "A"}, {"executableCode": {}}), "called a tool that was not offered"),
            (gemini_reply({"text": "A"}, {"toolCall": {"name": "x"}}), "called a tool that was not offered"),
            (gemini_reply({"text": "A"}, errors=["Overloaded."]), "answered with an error"),
            (gemini_reply({"text": "A"}, status="FAILED"), "ended with the status failed"),
            (gemini_reply({"text": "A"}, error={"message": "Overloaded."}), "answered with an error"),
            (
                {"candidates": [{"content": {"parts": [{"text": "a"}]}}] * 3},
                "sent 3 answers where one was asked for",
            ),
        ],
    )
    def test_an_answer_that_was_withheld_is_none(self, reply: dict[str, Any], reason: str) -> None:
        """The reason is Google's word for it."""
        with pytest.raises(ReplyWithoutAnswer, match=reason):
            gemini.read(reply)


_NAMES = st.sampled_from(
    [
        *("choices", "message", "content", "refusal", "finish_reason", "usage", "prompt_tokens", "model", "error"),
        *(
            "stop_reason",
            "stop_details",
            "type",
            "text",
            "input",
            "tool_use",
            "candidates",
            "parts",
            "finishReason",
            "thought",
        ),
        *("promptFeedback", "blockReason", "usageMetadata", "promptTokenCount"),
    ]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | _NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("dialect", DIALECTS, ids=NAMES)
@given(reply=_JSON)
def test_whatever_a_server_sends_is_an_answer_or_none(dialect: HttpDialect, reply: Any) -> None:
    """No reply that is JSON makes anything else of it."""
    with suppress(ReplyWithoutAnswer):
        assert dialect.read(dialect.parse(json.dumps(reply).encode()), ()).text.strip()


def twice(reply: dict[str, Any], key: str) -> bytes:
    """Return a reply in which every object with a key has it twice, with other values."""
    return json.dumps(reply).replace(f'"{key}":', f'"{key}": null, "{key}":').encode()


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        *[(each, twice(chat_reply("A"), key)) for each in DIALECTS[:2] for key in ("choices", "content", "message")],
        (openai.DIALECT, twice(chat_reply("A"), "finish_reason")),
        *[(anthropic.DIALECT, twice(claude_reply(B), key)) for key in ("content", "text", "stop_reason")],
        *[(gemini.DIALECT, twice(gemini_reply({"text": "A"}), key)) for key in ("candidates", "content", "parts")],
    ],
)
def test_a_repeated_key_makes_a_reply_invalid(dialect: HttpDialect, body: bytes) -> None:
    """Readers of JSON differ in which of two values they take."""
    with pytest.raises(ReplyWithoutAnswer, match=r"sent a reply with more than one `[a-z_]+` in the same object"):
        dialect.parse(body)


@pytest.mark.parametrize("dialect", DIALECTS, ids=NAMES)
def test_a_strange_key_is_not_repeated_in_the_message(dialect: HttpDialect) -> None:
    """It may hold anything."""
    with pytest.raises(ReplyWithoutAnswer, match="sent a reply with a repeated key in the same object"):
        dialect.parse(b'{"a": [{"\\n": 1, "\\n": 2}]}')


@pytest.mark.parametrize("dialect", DIALECTS, ids=NAMES)
@given(text=st.text(), structure=st.integers(0, 2))
def test_every_text_can_be_sent(dialect: HttpDialect, text: str, structure: int) -> None:
    """Whatever is in an answer under test, the request is JSON and holds it unchanged."""
    call = Call((Turn("user", text),), SCHEMA)
    body = dialect.body(replace(SETTINGS, structure=dialect.structures[structure]), call)
    assert json.dumps(text) in json.dumps(body)


@pytest.mark.parametrize(
    ("dialect", "complaint"),
    [
        (openai.DIALECT, "This response_format type is unavailable now"),
        (openai.DIALECT, "'response_format.type' must be 'json_schema' or 'text'"),
        (openai.DIALECT, "This model does not support response format `json_schema`."),
        (openai.DIALECT, "Invalid schema for response_format 'judgement'"),
        (openai.DIALECT, "Structured outputs are not enabled"),
        (anthropic.DIALECT, "output_config: Extra inputs are not permitted"),
        (anthropic.DIALECT, "output_config.format.schema: too complex"),
        (gemini.DIALECT, "Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field."),
        (gemini.DIALECT, "JSON mode is not enabled for this model"),
    ],
)
def test_known_complaints_about_structure_are_understood(dialect: HttpDialect, complaint: str) -> None:
    """These are sentences of real servers; each leads one rung down."""
    assert dialect.fallback(SETTINGS, complaint) == replace(SETTINGS, structure=dialect.structures[1])


@pytest.mark.parametrize("dialect", DIALECTS, ids=NAMES)
@pytest.mark.parametrize(
    "complaint",
    [
        "`temperature` is deprecated for this model.",
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
    ],
)
def test_known_complaints_about_the_temperature_are_understood(dialect: HttpDialect, complaint: str) -> None:
    """Nothing but the temperature is given up."""
    settings = replace(SETTINGS, may_drop_temperature=True)
    without = replace(settings, temperature=None)
    assert dialect.fallback(settings, complaint) == without
    assert dialect.fallback(without, complaint) is None
