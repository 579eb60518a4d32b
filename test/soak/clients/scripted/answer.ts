import { type AwsEvent, awsFrame } from '../../../upstream/dialects/aws.ts'
import type { Json, Wire } from './conversation.ts'

export type Call = { id: string; name: string; kind: string; args: Json }
export type Usage = { input: number; cached: number; output: number }
/** The words of the model; it must get `thought` back with its calls. */
export type Said = {
  thought: string
  text: string
  calls: readonly Call[]
  usage: Usage
  /** The vendor signs the thoughts with this. */
  proof?: string
}

/** Opaque, as vendors sign their models' thoughts. */
export const proofOf = (vendor: string): string =>
  `EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pki${Buffer.from(vendor).toString('base64url')}`
const anyProof = proofOf('a vendor')

const sse = (value: Json, isNamed = false): string =>
  `${isNamed ? `event: ${value.type}\n` : ''}data: ${JSON.stringify(value)}\n\n`

const chat = (model: string, n: number, { thought, text, calls, usage }: Said): string[] => {
  const chunk = (delta: Json, finish_reason: string | null = null) => ({
    ...{ id: `chatcmpl-${n}`, object: 'chat.completion.chunk', created: 1_790_000_000, model },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const toolCalls = calls.map(({ id, name, args }, index) =>
    chunk({
      tool_calls: [
        { index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      ],
    }),
  )
  const counted = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  }
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(thought ? [chunk({ reasoning_content: thought })] : []),
    ...(text ? [chunk({ content: text })] : []),
    ...toolCalls,
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { ...chunk({}), choices: [], usage: counted },
  ]
    .map(each => sse(each))
    .concat('data: [DONE]\n\n')
}

const callItem = ({ id, name, kind, args }: Call): Json => {
  const head = { id: `${kind === 'custom' ? 'ctc' : 'fc'}_${id}`, status: 'completed' }
  if (kind === 'custom')
    return { ...head, type: 'custom_tool_call', call_id: id, name, input: args }
  return { ...head, type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) }
}

const responses = (
  model: string,
  n: number,
  { thought, text, calls, usage, proof = anyProof }: Said,
): string[] => {
  const id = `resp_${n}`
  const reasoning = {
    ...{ id: `rs_${n}`, type: 'reasoning', encrypted_content: proof },
    summary: [{ type: 'summary_text', text: thought }],
  }
  const part = { type: 'output_text', text, annotations: [] }
  const words = { id: `msg_${n}`, type: 'message', role: 'assistant', status: 'completed' }
  const output = [
    ...(thought ? [reasoning] : []),
    ...(text ? [{ ...words, content: [part] }] : []),
    ...calls.map(callItem),
  ]
  const counted = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  }
  const head = { id, object: 'response', model, created_at: 1_790_000_000 }
  const textEvents = (output_index: number) => {
    const at = { item_id: words.id, output_index, content_index: 0 }
    return [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      { type: 'response.output_text.delta', ...at, delta: text },
      { type: 'response.output_text.done', ...at, text },
      { type: 'response.content_part.done', ...at, part },
    ]
  }
  return [
    {
      type: 'response.created',
      response: { ...head, status: 'in_progress', output: [], usage: null },
    },
    ...output.flatMap((item, output_index) => [
      {
        type: 'response.output_item.added',
        output_index,
        item: item.content ? { ...item, content: [], status: 'in_progress' } : item,
      },
      ...(item.content ? textEvents(output_index) : []),
      { type: 'response.output_item.done', output_index, item },
    ]),
    {
      type: 'response.completed',
      response: { ...head, status: 'completed', output, usage: counted },
    },
  ].map((each, sequence_number) => sse({ ...each, sequence_number }, true))
}

const anthropicEvents = (
  model: string,
  n: number,
  { thought, text, calls, usage, proof = anyProof }: Said,
): Json[] => {
  const counted = {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
  }
  const message = {
    ...{ id: `msg_${n}`, type: 'message', role: 'assistant', model, content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { ...counted, output_tokens: 1 } },
  }
  const blocks: [start: Json, deltas: Json[]][] = [
    ...(thought
      ? [
          [
            { type: 'thinking', thinking: '', signature: '' },
            [
              { type: 'thinking_delta', thinking: thought },
              { type: 'signature_delta', signature: proof },
            ],
          ] as [Json, Json[]],
        ]
      : []),
    ...(text
      ? [[{ type: 'text', text: '' }, [{ type: 'text_delta', text }]] as [Json, Json[]]]
      : []),
    ...calls.map(({ id, name, args }): [Json, Json[]] => [
      { type: 'tool_use', id, name, input: {} },
      [{ type: 'input_json_delta', partial_json: JSON.stringify(args) }],
    ]),
  ]
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(([content_block, deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { ...counted, output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ]
}

const gemini = (
  model: string,
  n: number,
  { thought, text, calls, usage, proof = anyProof }: Said,
): string[] => {
  const parts = [
    ...(thought ? [{ text: thought, thought: true }] : []),
    ...(text ? [{ text }] : []),
    // The first call of an answer has the signature: https://ai.google.dev/gemini-api/docs/thought-signatures
    ...calls.map(({ id, name, args }, at) => ({
      functionCall: { id, name, args },
      ...(at === 0 ? { thoughtSignature: proof } : {}),
    })),
  ]
  return [...parts, { text: '' }].map((part, at) =>
    sse({
      candidates: [
        {
          content: { parts: [part], role: 'model' },
          ...(at === parts.length ? { finishReason: 'STOP' } : {}),
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: usage.input,
        cachedContentTokenCount: usage.cached,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
      modelVersion: model,
      responseId: `r${n}`,
    }),
  )
}

const converse = ({ text, calls, usage }: Said): AwsEvent[] => [
  ['messageStart', { role: 'assistant' }],
  ...(text
    ? ([
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { text } }],
        ['contentBlockStop', { contentBlockIndex: 0 }],
      ] as AwsEvent[])
    : []),
  ...calls.flatMap(({ id, name, args }, at): AwsEvent[] => {
    const contentBlockIndex = at + 1
    const input = JSON.stringify(args)
    return [
      ['contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } }],
      ['contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input } } }],
      ['contentBlockStop', { contentBlockIndex }],
    ]
  }),
  ['messageStop', { stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' }],
  [
    'metadata',
    {
      usage: {
        inputTokens: usage.input - usage.cached,
        cacheReadInputTokens: usage.cached,
        outputTokens: usage.output,
        totalTokens: usage.input + usage.output,
      },
      metrics: { latencyMs: 10 },
    },
  ],
]

/** Bedrock wraps the events of the Messages API: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html */
const wrapped = (event: Json): AwsEvent => [
  'chunk',
  { bytes: Buffer.from(JSON.stringify(event)).toString('base64') },
]

/** The pieces of a streamed answer, in the wire format of the request. */
export const piecesOf = async (
  wire: Wire,
  model: string,
  n: number,
  content: Said,
): Promise<(string | Buffer)[]> => {
  if (wire === 'chat') return chat(model, n, content)
  if (wire === 'responses') return responses(model, n, content)
  if (wire === 'gemini') return gemini(model, n, content)
  const events = anthropicEvents(model, n, content)
  if (wire === 'anthropic') return events.map(each => sse(each, true))
  const frames = wire === 'converse' ? converse(content) : events.map(wrapped)
  return Promise.all(frames.map(awsFrame))
}

export const contentType = (wire: Wire): string =>
  wire === 'converse' || wire === 'invoke'
    ? 'application/vnd.amazon.eventstream'
    : 'text/event-stream'
