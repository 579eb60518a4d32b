import type { Kind } from './stage.ts'
import type { Answer, ReceivedRequest } from './vendor.ts'

// Responses of four dialects in a conversation with a tool, in the fields and the order of their documents:
// https://platform.claude.com/docs/en/build-with-claude/streaming
// https://platform.openai.com/docs/api-reference/chat-streaming, https://api-docs.deepseek.com/guides/thinking_mode
// https://platform.openai.com/docs/api-reference/responses-streaming
// https://ai.google.dev/gemini-api/docs/thought-signatures

export type Call = { name: string; args: Record<string, string> }
/** Opaque, and longer than a line: what a vendor signed must come back to it byte for byte. */
export const proof = `${'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds+/'.repeat(9)}==`
export const thought = 'I should look into the file first.'
/** The input of 100 tokens contains 60 cached ones; the output of 30 contains 10 of thinking. */
export const usage = { input: 100, cached: 60, output: 30, reasoning: 10 }

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, fields: object): string =>
  `event: ${type}\n${frame({ type, ...fields })}`

const anthropicUsage = {
  input_tokens: usage.input - usage.cached,
  cache_read_input_tokens: usage.cached,
  cache_creation_input_tokens: 0,
}
const anthropicStart = named('message_start', {
  message: {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-6',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...anthropicUsage, output_tokens: 1 },
  },
})
const anthropicEnd = (stop_reason: string) => [
  named('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: {
      ...anthropicUsage,
      output_tokens: usage.output,
      output_tokens_details: { thinking_tokens: usage.reasoning },
    },
  }),
  named('message_stop', {}),
]
const block = (index: number, content_block: object, deltas: object[]) => [
  named('content_block_start', { index, content_block }),
  ...deltas.map(delta => named('content_block_delta', { index, delta })),
  named('content_block_stop', { index }),
]

/** Arguments come in pieces that are no JSON by themselves. */
const halves = (text: string): [string, string] => [text.slice(0, 9), text.slice(9)]

const callFrames: Record<Kind, (call: Call) => string[]> = {
  anthropic: ({ name, args }) => [
    anthropicStart,
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: thought },
      { type: 'signature_delta', signature: proof },
    ]),
    named('ping', {}),
    ...block(
      1,
      { type: 'tool_use', id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name, input: {} },
      halves(JSON.stringify(args)).map(partial_json => ({
        type: 'input_json_delta',
        partial_json,
      })),
    ),
    ...anthropicEnd('tool_use'),
  ],
  'openai-chat': ({ name, args }) => [
    chunk({ role: 'assistant', content: null, reasoning_content: '' }),
    chunk({ reasoning_content: thought }),
    chunk({
      tool_calls: [
        { index: 0, id: 'call_abc123', type: 'function', function: { name, arguments: '' } },
      ],
    }),
    ...halves(JSON.stringify(args)).map(each =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: each } }] }),
    ),
    ...chatEnd('tool_calls'),
  ],
  'openai-responses': ({ name, args }) => {
    const reasoning = {
      id: 'rs_6876cf02e0bc',
      type: 'reasoning',
      encrypted_content: proof,
      summary: [{ type: 'summary_text', text: thought }],
    }
    const call = {
      id: 'fc_6876cf02e0bd',
      type: 'function_call',
      status: 'completed',
      call_id: 'call_unLAR8MvFNptuiZK6K6HCy5k',
      name,
      arguments: JSON.stringify(args),
    }
    const summary = { item_id: reasoning.id, output_index: 0, summary_index: 0 }
    const arguing = { item_id: call.id, output_index: 1 }
    return responses([
      ['response.output_item.added', { output_index: 0, item: { ...reasoning, summary: [] } }],
      [
        'response.reasoning_summary_part.added',
        { ...summary, part: { type: 'summary_text', text: '' } },
      ],
      ['response.reasoning_summary_text.delta', { ...summary, delta: thought }],
      ['response.reasoning_summary_text.done', { ...summary, text: thought }],
      ['response.reasoning_summary_part.done', { ...summary, part: reasoning.summary[0] }],
      ['response.output_item.done', { output_index: 0, item: reasoning }],
      [
        'response.output_item.added',
        { output_index: 1, item: { ...call, status: 'in_progress', arguments: '' } },
      ],
      ...halves(call.arguments).map((delta): [string, object] => [
        'response.function_call_arguments.delta',
        { ...arguing, delta },
      ]),
      ['response.function_call_arguments.done', { ...arguing, arguments: call.arguments }],
      ['response.output_item.done', { output_index: 1, item: call }],
      ['response.completed', { response: responseOf('completed', [reasoning, call]) }],
    ])
  },
  gemini: ({ name, args }) => [
    candidate([{ text: thought, thought: true }]),
    candidate([{ functionCall: { name, args }, thoughtSignature: proof }]),
    candidate([{ text: '' }], 'STOP'),
  ],
}

const textFrames: Record<Kind, (text: string) => string[]> = {
  anthropic: text => [
    anthropicStart,
    ...block(
      0,
      { type: 'text', text: '' },
      halves(text).map(each => ({ type: 'text_delta', text: each })),
    ),
    ...anthropicEnd('end_turn'),
  ],
  'openai-chat': text => [
    chunk({ role: 'assistant', content: '' }),
    ...halves(text).map(content => chunk({ content })),
    ...chatEnd('stop'),
  ],
  'openai-responses': text => {
    const part = { type: 'output_text', text, annotations: [], logprobs: [] }
    const item = { id: 'msg_67c9fdcf37fc', type: 'message', role: 'assistant' }
    const at = { item_id: item.id, output_index: 0, content_index: 0 }
    const done = { ...item, status: 'completed', content: [part] }
    return responses([
      [
        'response.output_item.added',
        { output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      ],
      ['response.content_part.added', { ...at, part: { ...part, text: '' } }],
      ...halves(text).map((delta): [string, object] => [
        'response.output_text.delta',
        { ...at, delta, logprobs: [] },
      ]),
      ['response.output_text.done', { ...at, text, logprobs: [] }],
      ['response.content_part.done', { ...at, part }],
      ['response.output_item.done', { output_index: 0, item: done }],
      ['response.completed', { response: responseOf('completed', [done]) }],
    ])
  },
  gemini: text => {
    const [first, second] = halves(text)
    return [candidate([{ text: first }]), candidate([{ text: second }], 'STOP')]
  },
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  frame({
    id: 'chatcmpl-123',
    object: 'chat.completion.chunk',
    created: 1_694_268_190,
    model: 'deepseek-v4',
    choices: [{ index: 0, delta, finish_reason }],
  })

const chatEnd = (finish: string): string[] => [
  chunk({}, finish),
  frame({
    id: 'chatcmpl-123',
    object: 'chat.completion.chunk',
    created: 1_694_268_190,
    model: 'deepseek-v4',
    choices: [],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached },
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    },
  }),
  'data: [DONE]\n\n',
]

export const responseOf = (status: string, output: object[], more: object = {}) => ({
  id: 'resp_67c9fdcecf488190bdd9a0409de3a1ec',
  object: 'response',
  created_at: 1_741_290_958,
  status,
  error: null,
  incomplete_details: null,
  model: 'gpt-5.1-codex-max',
  output,
  store: false,
  usage:
    status === 'completed'
      ? {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cached },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output,
        }
      : null,
  ...more,
})

/** The vendor's numbered events, from `response.created` on. */
export const responses = (events: [type: string, fields: object][]): string[] =>
  [
    ['response.created', { response: responseOf('in_progress', []) }] as [string, object],
    ['response.in_progress', { response: responseOf('in_progress', []) }] as [string, object],
    ...events,
  ].map(([type, fields], sequence_number) => named(type, { sequence_number, ...fields }))

const candidate = (parts: object[], finishReason?: string): string =>
  frame({
    candidates: [
      { content: { parts, role: 'model' }, ...(finishReason ? { finishReason } : {}), index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output - usage.reasoning,
      thoughtsTokenCount: usage.reasoning,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: 'gemini-3-pro',
    responseId: 'mAitaLmkHPPlz7IPvtfUqQ4',
  })

/** A stream that thinks and then calls a tool; one that answers in text. */
export const calls = (kind: Kind, call: Call): Answer => ({ say: callFrames[kind](call) })
export const answers = (kind: Kind, text: string): Answer => ({ say: textFrames[kind](text) })

/** The part of an earlier turn that a vendor gets again: the call, its result, the signature before it. */
export type Shown = { id: string; name: string; args: unknown; result: string; proof: unknown }

// biome-ignore lint/suspicious/noExplicitAny: each dialect has its own shape
type Json = any

const showing: Record<Kind, (body: Json) => Shown> = {
  anthropic: ({ messages }) => {
    const blocks: Json[] = messages.flatMap((each: Json) => each.content)
    const call = blocks.find(each => each.type === 'tool_use')
    const result = blocks.find(each => each.type === 'tool_result')
    if (result.tool_use_id !== call.id) throw new Error('the result is of another call')
    return {
      id: call.id,
      name: call.name,
      args: call.input,
      result: JSON.stringify(result.content),
      proof: blocks.find(each => each.type === 'thinking')?.signature,
    }
  },
  'openai-chat': ({ messages }) => {
    const turn = messages.find((each: Json) => each.tool_calls)
    const call = turn.tool_calls[0]
    const result = messages.find((each: Json) => each.role === 'tool')
    if (result.tool_call_id !== call.id) throw new Error('the result is of another call')
    return {
      id: call.id,
      name: call.function.name,
      args: JSON.parse(call.function.arguments),
      result: JSON.stringify(result.content),
      proof: undefined,
    }
  },
  'openai-responses': ({ input }) => {
    const call = input.find((each: Json) => each.type === 'function_call')
    const result = input.find((each: Json) => each.type === 'function_call_output')
    if (result.call_id !== call.call_id) throw new Error('the result is of another call')
    return {
      id: call.call_id,
      name: call.name,
      args: JSON.parse(call.arguments),
      result: JSON.stringify(result.output),
      proof: input.find((each: Json) => each.type === 'reasoning')?.encrypted_content,
    }
  },
  gemini: ({ contents }) => {
    const parts: Json[] = contents.flatMap((each: Json) => each.parts)
    const call = parts.find(each => each.functionCall)
    const result = parts.find(each => each.functionResponse)
    if (result.functionResponse.name !== call.functionCall.name)
      throw new Error('the result is of another call')
    return {
      id: call.functionCall.id ?? '',
      name: call.functionCall.name,
      args: call.functionCall.args,
      result: JSON.stringify(result.functionResponse.response),
      proof: call.thoughtSignature,
    }
  },
}

export const shownTo = (kind: Kind, { body }: ReceivedRequest): Shown => showing[kind](body)

/** The signature that each dialect can carry; openai-chat has no field for one. */
export const proofOf = (kind: Kind) => (kind === 'openai-chat' ? undefined : proof)
