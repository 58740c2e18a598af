"""Promptfoo's types of assertions, and what each reads. Made by scripts/promptfoo_types.py."""

from typing import NamedTuple

from rubric_core.schema.fields import FieldType

PACKAGE = "0.123.1"
"""The release of promptfoo that the table is made from."""


class AssertionType(NamedTuple):
    """A type: the shapes of its value, and whether that, a `threshold` and `not-` are needed, read or ignored."""

    name: str
    shapes: FieldType = FieldType.ANYTHING
    needs_value: bool = False
    needs_threshold: bool = False
    reads_threshold: bool = True
    default_threshold: str | None = None
    is_negatable: bool = True


_STRING, _NUMBER, _SEQUENCE, _MAPPING = FieldType.STRING, FieldType.NUMBER, FieldType.SEQUENCE, FieldType.MAPPING

ASSERTION_TYPES: tuple[AssertionType, ...] = (
    AssertionType("agent-rubric", _STRING | _SEQUENCE | _MAPPING),
    AssertionType("answer-relevance", default_threshold="0.5"),
    AssertionType("bleu", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.5"),
    AssertionType("classifier", _STRING, default_threshold="1"),
    AssertionType("contains", _STRING | _NUMBER, needs_value=True, reads_threshold=False),
    AssertionType("contains-all", _STRING | _SEQUENCE, needs_value=True, reads_threshold=False),
    AssertionType("contains-any", _STRING | _SEQUENCE, needs_value=True, reads_threshold=False),
    AssertionType("contains-html", reads_threshold=False),
    AssertionType("contains-json", _STRING | _MAPPING, reads_threshold=False),
    AssertionType("contains-sql", reads_threshold=False),
    AssertionType("contains-xml", _STRING | _SEQUENCE | _MAPPING, reads_threshold=False),
    AssertionType("context-faithfulness", default_threshold="0.5"),
    AssertionType("context-recall", _STRING, needs_value=True, default_threshold="0.5"),
    AssertionType("context-relevance", default_threshold="0.5"),
    AssertionType("conversation-relevance", default_threshold="0.5"),
    AssertionType("cost", needs_threshold=True),
    AssertionType("equals", reads_threshold=False),
    AssertionType("factuality", _STRING, needs_value=True, reads_threshold=False, is_negatable=False),
    AssertionType("finish-reason", _STRING, needs_value=True, reads_threshold=False),
    AssertionType("g-eval", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.7"),
    AssertionType("gleu", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.5"),
    AssertionType("guardrails", reads_threshold=False),
    AssertionType("icontains", _STRING | _NUMBER, needs_value=True, reads_threshold=False),
    AssertionType("icontains-all", _STRING | _SEQUENCE, needs_value=True, reads_threshold=False),
    AssertionType("icontains-any", _STRING | _SEQUENCE, needs_value=True, reads_threshold=False),
    AssertionType("is-html", reads_threshold=False),
    AssertionType("is-json", _STRING | _MAPPING, reads_threshold=False),
    AssertionType("is-refusal", reads_threshold=False),
    AssertionType("is-sql", _MAPPING, reads_threshold=False),
    AssertionType("is-valid-function-call", reads_threshold=False, is_negatable=False),
    AssertionType("is-valid-openai-function-call", reads_threshold=False, is_negatable=False),
    AssertionType("is-valid-openai-tools-call", reads_threshold=False, is_negatable=False),
    AssertionType("is-xml", _STRING | _SEQUENCE | _MAPPING, reads_threshold=False),
    AssertionType("javascript", _STRING, needs_value=True),
    AssertionType("latency", needs_threshold=True),
    AssertionType("levenshtein", _STRING, needs_value=True, default_threshold="5"),
    AssertionType("llm-rubric", _STRING | _SEQUENCE | _MAPPING),
    AssertionType("meteor", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.5"),
    AssertionType("model-graded-closedqa", _STRING, needs_value=True, reads_threshold=False, is_negatable=False),
    AssertionType("model-graded-factuality", _STRING, needs_value=True, reads_threshold=False, is_negatable=False),
    AssertionType("moderation", _SEQUENCE, reads_threshold=False),
    AssertionType("perplexity"),
    AssertionType("perplexity-score"),
    AssertionType("pi", _STRING, needs_value=True, is_negatable=False),
    AssertionType("python", _STRING, needs_value=True),
    AssertionType("regex", _STRING, needs_value=True, reads_threshold=False),
    AssertionType("rouge-n", _STRING, needs_value=True, default_threshold="0.75"),
    AssertionType("ruby", _STRING, needs_value=True),
    AssertionType("search-rubric", _STRING, needs_value=True),
    AssertionType("similar", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.75"),
    AssertionType("similar:cosine", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.75"),
    AssertionType("similar:dot", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.75"),
    AssertionType("similar:euclidean", _STRING | _SEQUENCE, needs_value=True, default_threshold="0.75"),
    AssertionType("skill-used", _STRING | _SEQUENCE | _MAPPING, needs_value=True, reads_threshold=False),
    AssertionType("starts-with", _STRING, needs_value=True, reads_threshold=False),
    AssertionType("tool-call-f1", _STRING | _SEQUENCE, needs_value=True, default_threshold="1"),
    AssertionType("trace-error-spans", reads_threshold=False, is_negatable=False),
    AssertionType("trace-span-count", _MAPPING, needs_value=True, reads_threshold=False, is_negatable=False),
    AssertionType("trace-span-duration", _MAPPING, needs_value=True, reads_threshold=False, is_negatable=False),
    AssertionType("trajectory:goal-success", _STRING | _MAPPING, needs_value=True),
    AssertionType("trajectory:step-count", _MAPPING, needs_value=True, reads_threshold=False),
    AssertionType("trajectory:tool-args-match", _STRING | _MAPPING, needs_value=True, reads_threshold=False),
    AssertionType("trajectory:tool-sequence", _STRING | _SEQUENCE | _MAPPING, needs_value=True, reads_threshold=False),
    AssertionType("trajectory:tool-used", _STRING | _SEQUENCE | _MAPPING, needs_value=True, reads_threshold=False),
    AssertionType("webhook", _STRING, needs_value=True, reads_threshold=False),
    AssertionType("word-count", _STRING | _NUMBER | _MAPPING, needs_value=True, reads_threshold=False),
)
"""The types that judge one output; each may be written with `not-` before it."""

COMPARING_TYPES: tuple[str, ...] = ("max-score", "select-best")
"""The types that compare the outputs of several prompts or providers."""

PROVIDERS: frozenset[str] = frozenset(
    "a2a abliteration agentic ai21 aimlapi alibaba alicloud aliyun anthropic atlascloud azure azureopenai bam "  # noqa: SIM905 - a list of words.
    "bedrock bedrock-agent browser cerebras cloudera cloudflare-ai cloudflare-gateway cohere cometapi dashscope "
    "databricks deepseek docker echo elevenlabs envoy exec f5 fal file fireworks github golang google groq "
    "helicone hf http https huggingface hyperbolic jfrog litellm llama llamaapi localai mcp meta minimax mistral "
    "mlflow-gateway modelslab moonshot n8n novita nscale nvidia ollama openai openclaw opencode openinterpreter "
    "openrouter orcarouter package palm perplexity portkey promptfoo python quiverai qwak replicate ruby "
    "sagemaker sequence slack snowflake togetherai transformers transformers.js truefoundry vercel vertex voyage "
    "watsonx webhook websocket ws wss xai".split()
)
"""The words that the id of a provider may start with, before a colon or alone."""
