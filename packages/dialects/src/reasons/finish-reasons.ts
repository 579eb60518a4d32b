import type { FinishReason } from '../canon.ts'

/** The dialects that callers speak. */
export type CallerReasons = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
/** Those that vendors speak, `cohere` being that vendor's private format. */
export type ReasonDialect = CallerReasons | 'converse' | 'cohere'

/** A vendor's word for the end of an answer, what it means, and who says it. */
export type FinishRow = readonly [word: string, reason: FinishReason, vendors: string]

/** Vendors of chat completions that pass on the words of the vendor behind them. */
const relays = 'relays of other dialects'

/**
 * Every reason of every vendor. A word of Responses is its status, with the reason or the error's code behind it.
 * https://platform.openai.com/docs/api-reference/chat/object
 * https://platform.openai.com/docs/api-reference/responses/object
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 * https://ai.google.dev/api/generate-content#FinishReason
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * https://docs.cohere.com/reference/chat
 */
export const finishReasons: Readonly<Record<ReasonDialect, readonly FinishRow[]>> = {
  'openai-chat': [
    ['stop', 'stop', 'all'],
    ['length', 'length', 'all'],
    ['tool_calls', 'tools', 'all'],
    ['function_call', 'tools', 'OpenAI, older'],
    ['content_filter', 'filter', 'OpenAI, Azure'],
    // https://openrouter.ai/docs/api/reference/overview and https://docs.mistral.ai/api
    ['error', 'error', 'OpenRouter, Mistral'],
    ['model_length', 'length', 'Mistral'],
    // https://docs.bigmodel.cn/api-reference/模型-api/对话补全
    ['sensitive', 'filter', 'Zhipu, Hunyuan'],
    ['network_error', 'error', 'Zhipu'],
    ['model_context_window_exceeded', 'context-full', 'Zhipu, relays'],
    // https://api-docs.deepseek.com/api/create-chat-completion
    ['insufficient_system_resource', 'error', 'DeepSeek'],
    // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
    ['abort', 'error', 'vLLM, SGLang'],
    // https://docs.together.ai/reference/chat-completions-1
    ['eos', 'stop', 'Together AI'],
    // https://huggingface.co/docs/text-generation-inference
    ['eos_token', 'stop', 'Hugging Face'],
    // https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb
    ['normal', 'stop', 'Baidu Qianfan'],
    ['end_turn', 'stop', relays],
    ['stop_sequence', 'stop-sequence', relays],
    ['max_tokens', 'length', relays],
    ['tool_use', 'tools', relays],
    ['refusal', 'refusal', relays],
    ['pause_turn', 'pause', relays],
    ['STOP', 'stop', relays],
    ['MAX_TOKENS', 'length', relays],
    ['SAFETY', 'filter', relays],
    ['RECITATION', 'filter', relays],
    ['PROHIBITED_CONTENT', 'filter', relays],
    ['MALFORMED_FUNCTION_CALL', 'error', relays],
  ],
  'openai-responses': [
    ['completed', 'stop', 'all'],
    ['incomplete max_output_tokens', 'length', 'OpenAI'],
    ['incomplete content_filter', 'filter', 'OpenAI, Azure'],
    ['failed content_filter', 'filter', 'Azure'],
    ['failed server_error', 'error', 'OpenAI'],
    ['cancelled', 'other', 'OpenAI'],
  ],
  anthropic: [
    ['end_turn', 'stop', 'all'],
    ['stop_sequence', 'stop-sequence', 'all'],
    ['max_tokens', 'length', 'all'],
    ['tool_use', 'tools', 'all'],
    ['pause_turn', 'pause', 'Anthropic'],
    // https://platform.claude.com/docs/en/build-with-claude/compaction
    ['compaction', 'pause', 'Anthropic'],
    ['refusal', 'refusal', 'Anthropic'],
    ['model_context_window_exceeded', 'context-full', 'Anthropic'],
    ['content_filter', 'filter', relays],
    ['sensitive', 'filter', 'Zhipu'],
  ],
  gemini: [
    ['STOP', 'stop', 'all'],
    ['MAX_TOKENS', 'length', 'all'],
    ['SAFETY', 'filter', 'all'],
    ['RECITATION', 'filter', 'all'],
    ['LANGUAGE', 'filter', 'Gemini'],
    ['BLOCKLIST', 'filter', 'all'],
    ['PROHIBITED_CONTENT', 'filter', 'all'],
    ['SPII', 'filter', 'all'],
    ['MODEL_ARMOR', 'filter', 'Vertex AI'],
    ['IMAGE_SAFETY', 'filter', 'all'],
    ['IMAGE_PROHIBITED_CONTENT', 'filter', 'all'],
    ['IMAGE_RECITATION', 'filter', 'all'],
    ['IMAGE_OTHER', 'error', 'all'],
    ['NO_IMAGE', 'error', 'all'],
    ['MALFORMED_FUNCTION_CALL', 'error', 'all'],
    ['UNEXPECTED_TOOL_CALL', 'error', 'all'],
    ['TOO_MANY_TOOL_CALLS', 'error', 'Gemini'],
    ['MISSING_THOUGHT_SIGNATURE', 'error', 'Gemini'],
    ['MALFORMED_RESPONSE', 'error', 'Gemini'],
    ['OTHER', 'other', 'all'],
  ],
  converse: [
    ['end_turn', 'stop', 'all'],
    ['stop_sequence', 'stop-sequence', 'all'],
    ['max_tokens', 'length', 'all'],
    ['tool_use', 'tools', 'all'],
    ['guardrail_intervened', 'filter', 'Bedrock'],
    ['content_filtered', 'filter', 'Bedrock'],
    ['malformed_model_output', 'error', 'Bedrock'],
    ['malformed_tool_use', 'error', 'Bedrock'],
    ['model_context_window_exceeded', 'context-full', 'Bedrock'],
  ],
  cohere: [
    ['COMPLETE', 'stop', 'Cohere'],
    ['STOP_SEQUENCE', 'stop-sequence', 'Cohere'],
    ['MAX_TOKENS', 'length', 'Cohere'],
    ['TOOL_CALL', 'tools', 'Cohere'],
    ['ERROR', 'error', 'Cohere'],
    ['ERROR_TOXIC', 'filter', 'Cohere'],
    ['TIMEOUT', 'error', 'Cohere'],
  ],
}

const wordsOf = (chat: string, responses: string, anthropic: string, gemini: string) => ({
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
  gemini,
})

/**
 * The word of each dialect for each reason. A paused turn is not over, and only Anthropic can say so: elsewhere it is an
 * answer that was cut, which a client continues. Anthropic has no word for an error at the end.
 */
export const finishWords: Readonly<Record<FinishReason, Readonly<Record<CallerReasons, string>>>> =
  {
    stop: wordsOf('stop', 'completed', 'end_turn', 'STOP'),
    'stop-sequence': wordsOf('stop', 'completed', 'stop_sequence', 'STOP'),
    length: wordsOf('length', 'incomplete max_output_tokens', 'max_tokens', 'MAX_TOKENS'),
    'context-full': wordsOf(
      ...(['length', 'incomplete max_output_tokens'] as const),
      ...(['model_context_window_exceeded', 'MAX_TOKENS'] as const),
    ),
    tools: wordsOf('tool_calls', 'completed', 'tool_use', 'STOP'),
    filter: wordsOf('content_filter', 'incomplete content_filter', 'refusal', 'SAFETY'),
    refusal: wordsOf('content_filter', 'incomplete content_filter', 'refusal', 'SAFETY'),
    pause: wordsOf('length', 'incomplete max_output_tokens', 'pause_turn', 'MAX_TOKENS'),
    error: wordsOf('error', 'failed server_error', 'end_turn', 'OTHER'),
    other: wordsOf('stop', 'completed', 'end_turn', 'OTHER'),
  }

const byWord = (dialect: ReasonDialect): ReadonlyMap<string, FinishReason> =>
  new Map(finishReasons[dialect].map(([word, reason]) => [word, reason]))

const reasonsByWord: Readonly<Record<ReasonDialect, ReadonlyMap<string, FinishReason>>> = {
  'openai-chat': byWord('openai-chat'),
  'openai-responses': byWord('openai-responses'),
  anthropic: byWord('anthropic'),
  gemini: byWord('gemini'),
  converse: byWord('converse'),
  cohere: byWord('cohere'),
}

/** The meaning of a vendor's word; undefined for one that is in no document. */
export const finishReasonOf = (dialect: ReasonDialect, word: string): FinishReason | undefined =>
  reasonsByWord[dialect].get(word)

/** Reasons for which the model ended by itself, so that another try may bring an answer where this one is empty. */
export const ownEnds: ReadonlySet<FinishReason> = new Set(['stop', 'tools', 'error'])

/** The words of a dialect for these reasons. */
export const ownEndWords = (dialect: ReasonDialect): ReadonlySet<string> =>
  new Set(finishReasons[dialect].filter(([, reason]) => ownEnds.has(reason)).map(([word]) => word))
