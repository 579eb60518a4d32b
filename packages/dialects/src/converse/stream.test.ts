import { expect, it } from 'vitest'
import type { ChatEvent, Part } from '../canon.ts'
import { converse } from './index.ts'

/** The events of a stream behind its start, and how many frames said nothing. */
const decode = (...frames: [name: string, payload: unknown][]) => {
  const events: ChatEvent[] = []
  const decoder = converse.decodeFrames(event => events.push(event))
  for (const [name, payload] of frames)
    decoder.pushFrame(typeof payload === 'string' ? payload : JSON.stringify(payload), name)
  decoder.end()
  // Whatever a stream says, it begins once.
  expect(events.shift()).toEqual({ type: 'start', id: '', model: '' })
  return { events, malformedFrames: decoder.malformedFrames() }
}

type Frame = [string, unknown]
const begin = (contentBlockIndex: number, start: unknown): Frame => [
  'contentBlockStart',
  { contentBlockIndex, start },
]
const piece = (contentBlockIndex: number, delta: unknown): Frame => [
  'contentBlockDelta',
  { contentBlockIndex, delta },
]
const blockEnd: Frame = ['contentBlockStop', { contentBlockIndex: 0 }]
const stop: Frame = ['messageStop', { stopReason: 'end_turn' }]
const metadata: Frame = ['metadata', { metrics: {} }]

const part = (index: number, part: Part): ChatEvent => ({ type: 'part', index, part })
const text = (index: number) => part(index, { type: 'text', text: '' })
const thinking = (index: number) => part(index, { type: 'thinking', text: '' })
const call = (index: number, id = 'c', name = 'f') =>
  part(index, { type: 'tool-call', id, name, input: '' })
const opaque = (index: number, value: unknown) =>
  part(index, { type: 'opaque', dialect: 'converse', value })
const delta = (index: number, text: string): ChatEvent => ({ type: 'delta', index, text })
const finish: ChatEvent = { type: 'finish', finish: { reason: 'stop' } }
const whole = [finish, { type: 'end' }]
const unknownFields = (fields: Record<string, unknown>): ChatEvent => ({
  type: 'unknown-fields',
  unknownFields: { dialect: 'converse', fields },
})
const broken = {
  type: 'failure',
  failure: {
    message: 'The stream ended before the answer was whole.',
    type: 'stream_broken',
    code: '',
  },
}

const toolUse = { toolUseId: 'c', name: 'f' }
const server = { ...toolUse, type: 'server_tool_use' }
const thought = (payload: object) => ({ reasoningContent: payload })

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
it.each<[string, Frame[], unknown[], number]>([
  ['nothing but its end', [['messageStart', { role: 'assistant' }], stop], whole, 0],
  [
    'a text in pieces, one of them empty',
    [piece(0, { text: 'a' }), piece(0, { text: '' }), piece(0, { text: 'b' }), stop],
    [text(0), delta(0, 'a'), delta(0, 'b'), ...whole],
    0,
  ],
  [
    'texts of two blocks',
    [piece(0, { text: 'a' }), piece(1, { text: 'b' }), stop],
    [text(0), delta(0, 'a'), text(1), delta(1, 'b'), ...whole],
    0,
  ],
  [
    'texts of blocks that were ended, or begun anew',
    [
      piece(0, { text: 'a' }),
      blockEnd,
      piece(0, { text: 'b' }),
      begin(0, {}),
      piece(0, { text: 'c' }),
      stop,
    ],
    [text(0), delta(0, 'a'), text(1), delta(1, 'b'), text(2), delta(2, 'c'), ...whole],
    0,
  ],
  [
    'thoughts and a text under one number',
    [
      piece(0, thought({ text: 'a' })),
      piece(0, thought({ signature: '' })),
      piece(0, thought({ signature: 's' })),
      piece(0, { text: 'b' }),
      stop,
    ],
    [
      thinking(0),
      delta(0, 'a'),
      { type: 'signature', index: 0, signature: { dialect: 'converse', text: 's' } },
      text(1),
      delta(1, 'b'),
      ...whole,
    ],
    0,
  ],
  [
    'locked thoughts, each a part',
    [
      piece(0, thought({ redactedContent: 'x' })),
      piece(0, thought({ redactedContent: 'y' })),
      stop,
    ],
    [
      part(0, {
        type: 'thinking',
        text: '',
        redacted: true,
        signature: { dialect: 'converse', text: 'x' },
      }),
      part(1, {
        type: 'thinking',
        text: '',
        redacted: true,
        signature: { dialect: 'converse', text: 'y' },
      }),
      ...whole,
    ],
    0,
  ],
  [
    'a citation before any text',
    [piece(0, { citation: { title: 't' } }), piece(0, { text: 'a' }), stop],
    [
      text(0),
      {
        type: 'citation',
        index: 0,
        citation: { title: 't', raw: { dialect: 'converse', value: { title: 't' } } },
      },
      delta(0, 'a'),
      ...whole,
    ],
    0,
  ],
  [
    'two calls, and pieces of no call',
    [
      piece(0, { toolUse: { input: 'lost' } }),
      begin(0, { toolUse }),
      piece(0, { toolUse: { input: '{' } }),
      piece(1, { toolUse: { input: 'lost' } }),
      piece(0, { toolUse: { input: '}' } }),
      begin(1, { toolUse: { name: 7 } }),
      piece(1, { toolUse: {} }),
      blockEnd,
      piece(1, { toolUse: { input: 'lost' } }),
      piece(2, { text: 'a' }),
      piece(2, { toolUse: { input: 'lost' } }),
      stop,
    ],
    [call(0), delta(0, '{'), delta(0, '}'), call(1, '', ''), text(2), delta(2, 'a'), ...whole],
    4,
  ],
  [
    'what the vendor’s own tools were asked and said, once it is whole',
    [
      begin(0, { toolUse: server }),
      piece(0, { toolUse: { input: '{' } }),
      piece(0, { toolUse: { input: '}' } }),
      begin(1, { toolResult: { toolUseId: 'c' } }),
      piece(1, { toolResult: [{ text: 'a' }] }),
      piece(1, null),
      stop,
    ],
    [
      opaque(0, { toolUse: { ...server, input: '{}' } }),
      opaque(1, { toolResult: { toolUseId: 'c', content: [{ text: 'a' }] } }),
      ...whole,
    ],
    0,
  ],
  [
    'a picture that was cut off by the next text',
    [
      begin(0, { image: { format: 'png' } }),
      piece(0, { image: { source: { bytes: 'AAAA' } } }),
      piece(0, {}),
      blockEnd,
      piece(1, { text: 'a' }),
      stop,
    ],
    [
      part(0, { type: 'media', mime: 'image/png', base64: 'AAAA' }),
      text(1),
      delta(1, 'a'),
      ...whole,
    ],
    0,
  ],
  [
    'a picture that was not ended before its figures',
    [begin(0, { image: { format: 'png' } }), metadata, stop],
    [part(0, { type: 'media', mime: 'image/png', base64: '' }), ...whole],
    0,
  ],
  [
    'what nobody knows yet',
    [['contentBlockStart', {}], piece(0, { novelty: 1 }), ['novelty', { a: 1 }], ['', {}], stop],
    [{ type: 'opaque', dialect: 'converse', name: 'novelty', value: { a: 1 } }, ...whole],
    2,
  ],
  [
    'what is no frame',
    [['contentBlockDelta', '{'], ['contentBlockDelta', 'null'], ['contentBlockDelta', '7'], stop],
    whole,
    3,
  ],
  [
    'its figures, and nothing behind them',
    [
      stop,
      ['metadata', { usage: { inputTokens: 1, outputTokens: 2 } }],
      piece(0, { text: 'late' }),
    ],
    [
      finish,
      {
        type: 'usage',
        reportedUsage: { usage: expect.objectContaining({ input: 1, output: 2 }) },
      },
      { type: 'end' },
    ],
    0,
  ],
  [
    'what only this vendor tells',
    [
      ['messageStop', { stopReason: 'end_turn', additionalModelResponseFields: { a: 1 } }],
      ['metadata', { trace: { b: 1 } }],
    ],
    [
      unknownFields({ additionalModelResponseFields: { a: 1 } }),
      finish,
      unknownFields({ trace: { b: 1 } }),
      { type: 'end' },
    ],
    0,
  ],
  ['no last word', [piece(0, { text: 'a' }), metadata], [text(0), delta(0, 'a'), broken], 0],
  [
    'a picture and no last word',
    [begin(0, { image: {} })],
    [part(0, { type: 'media', mime: 'image/*', base64: '' }), broken],
    0,
  ],
  ['nothing at all', [], [broken], 0],
  [
    'a failure, and nothing behind it',
    [
      begin(0, { image: { format: 'png' } }),
      ['error', { error: { type: 'throttlingException', message: 'No.' } }],
      piece(0, { text: 'late' }),
      stop,
    ],
    [
      part(0, { type: 'media', mime: 'image/png', base64: '' }),
      {
        type: 'failure',
        failure: {
          message: 'No.',
          type: 'throttlingException',
          code: '429',
          unknownFields: {
            dialect: 'converse',
            fields: { body: '{"error":{"type":"throttlingException","message":"No."}}' },
          },
        },
      },
    ],
    0,
  ],
])('a stream that tells %s', (_title, frames, events, malformedFrames) =>
  expect(decode(...frames)).toEqual({ events, malformedFrames }),
)
