import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import type { Part } from '../canon.ts'
import type { Dialect } from '../dialect.ts'
import { gemini } from '../gemini/index.ts'
import { type AwsEvent, awsStreamEncoder } from '../generate/aws-event-stream.ts'
import { decodeStream } from '../generate/streams.ts'
import type { Json } from '../json/json.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { noUsage, type Usage } from '../usage.ts'
import { converse } from './index.ts'

const awsStream = awsStreamEncoder(new BedrockRuntimeClient({}).config)
const decode = async (...events: AwsEvent[]) =>
  decodeStream(converse, [await awsStream(events)], 'aws-events')

const start: AwsEvent = ['messageStart', { role: 'assistant' }]
const piece = (at: number, delta: object): AwsEvent => [
  'contentBlockDelta',
  { contentBlockIndex: at, delta, p: 'abcdef' },
]
const begin = (at: number, start: object): AwsEvent => [
  'contentBlockStart',
  { contentBlockIndex: at, start },
]
const end = (at: number): AwsEvent => ['contentBlockStop', { contentBlockIndex: at }]
const stop = (stopReason: string): AwsEvent => ['messageStop', { stopReason }]
const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
const serviceTier = { type: 'priority' }
const metadata: AwsEvent = ['metadata', { usage, metrics: { latencyMs: 100 }, serviceTier }]

const citation = {
  title: 'Rome',
  source: 'https://source.example/rome',
  sourceContent: [{ text: 'A city' }, { text: ' of old.' }],
  location: { web: { url: 'https://web.example/rome', domain: 'web.example' } },
}
const pixel = Buffer.from('a picture of nothing')
const parsed = { toolUseId: 's1', name: 'search', type: 'server_tool_use' }
const found = { toolUseId: 's1', type: 'search_result' }

/** The content of a whole answer and of its stream. */
const content = [
  { reasoningContent: { reasoningText: { text: 'Let me see.', signature: 'c2ln+/=' } } },
  { reasoningContent: { redactedContent: 'cmVkYWN0ZWQ=' } },
  {
    citationsContent: { content: [{ text: 'Rome is ' }, { text: 'old.' }], citations: [citation] },
  },
  { toolUse: { toolUseId: 'c1', name: 'weather', input: { city: 'Rome' } } },
  { image: { format: 'png', source: { bytes: pixel.toString('base64') } } },
  { toolUse: { ...parsed, input: '{"q":1}' } },
  { toolResult: { ...found, content: [{ text: 'a' }, { json: { b: 1 } }] } },
]
const encoded: AwsEvent[] = [
  start,
  piece(0, { reasoningContent: { text: 'Let me ' } }),
  piece(0, { reasoningContent: { text: 'see.' } }),
  piece(0, { reasoningContent: { signature: 'c2ln+/=' } }),
  end(0),
  piece(1, { reasoningContent: { redactedContent: 'cmVkYWN0ZWQ=' } }),
  end(1),
  piece(2, { text: 'Rome is ' }),
  piece(2, { text: 'old.' }),
  piece(2, { citation }),
  end(2),
  begin(3, { toolUse: { toolUseId: 'c1', name: 'weather' } }),
  piece(3, { toolUse: { input: '{"city":' } }),
  piece(3, { toolUse: { input: '"Rome"}' } }),
  end(3),
  begin(4, { image: { format: 'png' } }),
  piece(4, { image: { source: { bytes: pixel.subarray(0, 7).toString('base64') } } }),
  piece(4, { image: { source: { bytes: pixel.subarray(7).toString('base64') } } }),
  end(4),
  begin(5, { toolUse: parsed }),
  piece(5, { toolUse: { input: '{"q":' } }),
  piece(5, { toolUse: { input: '1}' } }),
  end(5),
  begin(6, { toolResult: found }),
  piece(6, { toolResult: [{ text: 'a' }] }),
  piece(6, { toolResult: [{ json: { b: 1 } }] }),
  end(6),
  stop('tool_use'),
  metadata,
]
const parts: Part[] = [
  { type: 'thinking', text: 'Let me see.', signature: { dialect: 'converse', text: 'c2ln+/=' } },
  {
    type: 'thinking',
    text: '',
    redacted: true,
    signature: { dialect: 'converse', text: 'cmVkYWN0ZWQ=' },
  },
  {
    type: 'text',
    text: 'Rome is old.',
    citations: [
      {
        url: 'https://web.example/rome',
        title: 'Rome',
        quote: 'A city of old.',
        raw: { dialect: 'converse', value: citation },
      },
    ],
  },
  { type: 'tool-call', id: 'c1', name: 'weather', input: '{"city":"Rome"}' },
  { type: 'media', mime: 'image/png', base64: pixel.toString('base64') },
  ...content.slice(5).map((value): Part => ({ type: 'opaque', dialect: 'converse', value })),
]

describe('an answer', () => {
  const body = {
    output: { message: { role: 'assistant', content } },
    stopReason: 'tool_use',
    usage,
    metrics: { latencyMs: 100 },
    serviceTier,
    trace: { guardrail: { actionReason: 'none' } },
  }

  it('means the same whole and in pieces', async () => {
    const whole = converse.decodeAnswer(body)
    expect(whole).toEqual({
      id: '',
      model: '',
      tier: 'priority',
      choices: [{ parts, finish: { reason: 'tools' } }],
      reportedUsage: { usage: expect.objectContaining({ input: 10, output: 5 }) },
      unknownFields: { dialect: 'converse', fields: { trace: body.trace } },
    })
    const decoded = await decode(...encoded)
    expect([decoded.last, decoded.malformedFrames]).toEqual(['end', 0])
    expect(decoded.answer.choices).toEqual(whole.choices)
    expect(decoded.answer.reportedUsage).toEqual(whole.reportedUsage)
    expect(decoded.events[0]).toEqual({ type: 'start', id: '', model: '' })
  })

  it('what the model said goes back as it came', () => {
    const { choices } = converse.decodeAnswer(body)
    const messages = [{ role: 'assistant' as const, parts: choices[0]!.parts.slice(0, 4) }]
    const { body: again, warnings } = converse.encodeRequest({ model: 'm', messages })
    const [first, second, , call] = content
    expect(again.messages).toEqual([
      {
        role: 'assistant',
        content: [
          first,
          second,
          { citationsContent: { content: [{ text: 'Rome is old.' }], citations: [citation] } },
          call,
        ],
      },
    ])
    expect(warnings).toEqual([])
  })

  /** How a caller sends back what it was answered. */
  const returned: [Dialect, (body: Json) => Json][] = [
    [openaiChat, body => ({ model: 'm', messages: [body.choices[0].message] })],
    [openaiResponses, body => ({ model: 'm', input: body.output })],
    [anthropic, ({ content, role }) => ({ model: 'm', messages: [{ role, content }] })],
    [gemini, body => ({ contents: [body.candidates[0].content] })],
  ]

  it.each(returned.map(each => [each[0].id, ...each] as const))(
    'its proofs come back through %s byte for byte',
    (_, dialect, back) => {
      const answer = converse.decodeAnswer(body)
      answer.choices[0]!.parts.splice(1, 1)
      const encoded = JSON.parse(JSON.stringify(dialect.encodeResponse(answer, {}).body))
      const read = dialect.decodeRequest(back(encoded), { model: 'm', stream: false })
      if (!read.ok) throw new Error(read.hint)
      const { messages } = converse.encodeRequest(read.request).body as Json
      expect(messages[0].content).toContainEqual(content[0])
      expect(messages[0].content).toContainEqual(content[3])
    },
  )

  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop-sequence'],
    ['guardrail_intervened', 'filter'],
    ['content_filtered', 'filter'],
    ['malformed_tool_use', 'error'],
    ['malformed_model_output', 'error'],
    ['model_context_window_exceeded', 'context-full'],
    ['something_new', 'other'],
  ])('that stopped by %s has the reason %s', async (word, reason) => {
    expect(converse.decodeAnswer({ stopReason: word }).choices[0]?.finish?.reason).toBe(reason)
    const decoded = await decode(start, piece(0, { text: 'x' }), stop(word), metadata)
    expect(decoded.answer.choices[0]?.finish?.reason).toBe(reason)
  })

  it('is over at its figures, or at its end where it has none', async () => {
    const { last, answer } = await decode(
      start,
      piece(0, { text: 'x' }),
      metadata,
      stop('end_turn'),
    )
    expect([last, answer.reportedUsage?.usage]).toEqual([
      'end',
      expect.objectContaining({ input: 10 }),
    ])
    const late = await decode(start, stop('end_turn'), metadata, piece(0, { text: 'late' }))
    expect(late.answer.choices[0]?.parts).toEqual([])
    const none = await decode(start, piece(0, { text: 'x' }), stop('end_turn'))
    expect([none.last, none.answer.reportedUsage]).toEqual(['end', undefined])
  })

  it('under a good status is none where it is another thing', () => {
    const read = (text: string) => converse.readAnswer(Buffer.from(text))
    expect(read(JSON.stringify(body))).toMatchObject({ ok: true, usage: { input: 10 } })
    expect(read('{"message":"No."}')).toEqual({ ok: false, failure: { message: 'No.' } })
    for (const text of ['', 'x', '7', 'null']) expect(read(text)).toMatchObject({ ok: false })
  })
})

describe('an answer that says little', () => {
  const empty = { id: '', model: '', choices: [{ parts: [] }] }
  it.each<[unknown, object]>([
    [null, empty],
    [{ output: { message: { content: 'x' } }, serviceTier: {} }, empty],
    [{ stopReason: null, usage: null }, empty],
    [{ usage: 7 }, { ...empty, reportedUsage: { usage: 'broken' } }],
    [
      { additionalModelResponseFields: { a: 1 } },
      {
        ...empty,
        unknownFields: { dialect: 'converse', fields: { additionalModelResponseFields: { a: 1 } } },
      },
    ],
    [
      { stopReason: 'novel' },
      {
        ...empty,
        choices: [
          {
            parts: [],
            finish: {
              reason: 'other',
              unknownFields: { dialect: 'converse', fields: { stopReason: 'novel' } },
            },
          },
        ],
      },
    ],
  ])('%j is read', (body, answer) => expect(converse.decodeAnswer(body)).toEqual(answer))

  it('a stream that does not say why it stopped stopped for another reason', async () => {
    const { events } = await decode(start, ['messageStop', {}], metadata)
    expect(events).toContainEqual({
      type: 'finish',
      finish: {
        reason: 'other',
        unknownFields: { dialect: 'converse', fields: { stopReason: null } },
      },
    })
  })

  it('without figures it is metered by its words', () => {
    const read = (...content: object[]) =>
      converse.readAnswer(Buffer.from(JSON.stringify({ output: { message: { content } } })))
    expect(read()).toMatchObject({ ok: true, usage: undefined, meteredTokens: 0 })
    // A letter is a quarter of a token: five of them and three are two.
    expect(read({ text: 'words' }, { text: 'new' })).toMatchObject({ meteredTokens: 2 })
    expect(read({ text: 'words' }, { text: 'more' })).toMatchObject({ meteredTokens: 3 })
  })
})

describe('usage', () => {
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
  it.each<[object, Partial<Usage>]>([
    [{ inputTokens: 1 }, { input: 1 }],
    [{ outputTokens: 2 }, { output: 2 }],
    [{ inputTokens: 0, outputTokens: null }, {}],
    [
      { inputTokens: 1, cacheReadInputTokens: 3 },
      { input: 1, cacheRead: 3 },
    ],
    [
      { inputTokens: 1, cacheWriteInputTokens: 4 },
      { input: 1, cacheWrite5m: 4 },
    ],
    // Tokens written for an hour are at most all written tokens.
    [
      { inputTokens: 1, cacheWriteInputTokens: 4, cacheDetails: [{ ttl: '1h', inputTokens: 9 }] },
      { input: 1, cacheWrite1h: 4 },
    ],
    [
      {
        inputTokens: 1,
        cacheDetails: [
          { ttl: '1h', inputTokens: 5 },
          { ttl: '1h' },
          { ttl: '5m', inputTokens: 2 },
          null,
        ],
      },
      { input: 1, cacheWrite1h: 5 },
    ],
  ])('%j is told apart', (encoded, classes) =>
    expect(converse.decodeUsage(encoded)).toEqual({ ...noUsage(), ...classes }),
  )

  it('what was cached stands beside the input, by its time', () => {
    const encoded = {
      inputTokens: 10,
      outputTokens: 5,
      cacheReadInputTokens: 100,
      cacheWriteInputTokens: 70,
      cacheDetails: [
        { ttl: '1h', inputTokens: 50 },
        { ttl: '5m', inputTokens: 20 },
      ],
      totalTokens: 185,
    }
    expect(converse.decodeUsage(encoded)).toMatchObject({
      input: 10,
      output: 5,
      cacheRead: 100,
      cacheWrite5m: 20,
      cacheWrite1h: 50,
    })
  })

  it.each([
    {},
    7,
    null,
    { inputTokens: -1 },
    { outputTokens: 1.5 },
    [{ inputTokens: 1 }],
    { inputTokens: 1, outputTokens: -1 },
    { outputTokens: 1, inputTokens: '1' },
    { inputTokens: 1, cacheWriteInputTokens: 0.5 },
    { inputTokens: 1, cacheReadInputTokens: 1e12 },
    { inputTokens: 1, cacheDetails: [{ ttl: '1h', inputTokens: 'x' }] },
  ])('%j cannot be believed', encoded => expect(converse.decodeUsage(encoded)).toBe('broken'))
})

describe('a failure', () => {
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html has the status of each.
  it.each([
    ['throttlingException', '429'],
    ['validationException', '400'],
    ['modelStreamErrorException', '424'],
    ['serviceUnavailableException', '503'],
    ['internalServerException', '500'],
    ['accessDeniedException', '403'],
    ['modelErrorException', '424'],
    ['modelNotReadyException', '429'],
    ['modelTimeoutException', '408'],
    ['resourceNotFoundException', '404'],
    ['novelException', ''],
  ])('%s within a stream ends it, and says its status', async (type, code) => {
    const decoded = await decode(
      start,
      piece(0, { text: 'x' }),
      [type, { message: 'No.' }],
      metadata,
    )
    expect(decoded.events.at(-1)).toMatchObject({
      type: 'failure',
      failure: { message: 'No.', type, code },
    })
    expect(decoded.answer.choices[0]?.parts).toEqual([{ type: 'text', text: 'x' }])
  })

  it.each([
    ['{"message":"No."}', { message: 'No.', type: '', code: '' }],
    ['{"Message":"No."}', { message: 'No.', type: '', code: '' }],
    [
      '{"__type":"com.amazon.coral.service#ThrottlingException","message":"No."}',
      { message: 'No.', type: 'ThrottlingException', code: '429' },
    ],
    [
      '{"__type":"ValidationException","message":"No.","Message":"Other.","code":"c"}',
      { message: 'No.', type: 'ValidationException', code: 'c' },
    ],
    ['{"type":"t","__type":"u","Message":7}', { message: '', type: 't', code: '' }],
    ['{"__type":7}', { message: '', type: '', code: '' }],
    ['{"__type":"toString"}', { message: '', type: 'toString', code: '' }],
    [
      JSON.stringify({ Message: 'm'.repeat(2_001), __type: 't'.repeat(201) }),
      { message: 'm'.repeat(2_000), type: 't'.repeat(200), code: '' },
    ],
    ['7', { message: '7', type: '', code: '' }],
    ['<html>', { message: '', type: '', code: '' }],
    ['null', { message: 'null', type: '', code: '' }],
  ])('%s is read', (body, fault) => expect(converse.decodeFault(Buffer.from(body))).toEqual(fault))
})
