import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { expect, it } from 'vitest'
import { converse } from '../converse/index.ts'
import { type AwsEvent, awsStreamEncoder } from '../generate/aws-event-stream.ts'
import type { Json } from '../json/json.ts'
import { changed, streamMeaning, wholeMeaning } from './meaning.ts'

const usage = { inputTokens: 9, cacheReadInputTokens: 4, outputTokens: 3, totalTokens: 16 }
const whole: Json = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'so', signature: 'sig' } } },
        { text: 'hello' },
        { toolUse: { toolUseId: 'c', name: 'f', input: { a: 1 } } },
      ],
    },
  },
  ...{ stopReason: 'tool_use', usage, metrics: { latencyMs: 1 } },
}
const delta = (contentBlockIndex: number, value: object): AwsEvent => [
  'contentBlockDelta',
  { contentBlockIndex, delta: value },
]
const stop = (contentBlockIndex: number): AwsEvent => ['contentBlockStop', { contentBlockIndex }]
const start = (contentBlockIndex: number, value: object): AwsEvent => [
  'contentBlockStart',
  { contentBlockIndex, start: value },
]
const toolUse = { toolUseId: 'c', name: 'f' }
const end: AwsEvent = ['messageStop', { stopReason: 'tool_use' }]
const metadata: AwsEvent = ['metadata', { usage, metrics: { latencyMs: 1 } }]
const stream: AwsEvent[] = [
  ['messageStart', { role: 'assistant' }],
  delta(0, { reasoningContent: { text: 'so' } }),
  delta(0, { reasoningContent: { signature: 'sig' } }),
  stop(0),
  delta(1, { text: 'hel' }),
  delta(1, { text: 'lo' }),
  stop(1),
  start(2, { toolUse }),
  delta(2, { toolUse: { input: '{"a"' } }),
  delta(2, { toolUse: { input: ':1}' } }),
  stop(2),
  end,
  metadata,
]
const without = (name: string) => stream.filter(([each]) => each !== name)
const reference =
  'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html'
const encode = awsStreamEncoder(
  new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  }).config as never,
)
const bytesOf = (events: readonly AwsEvent[]) => encode(events)

const streams: Record<string, [source: string, events: AwsEvent[]]> = {
  'no contentBlockStop': [
    'https://github.com/maximhq/bifrost/issues/4262',
    without('contentBlockStop'),
  ],
  'no messageStart': [reference, without('messageStart')],
  'the start of every block': [
    'https://github.com/maximhq/bifrost/issues/4262',
    [...stream.slice(0, 1), start(0, {}), ...stream.slice(1, 4), start(1, {}), ...stream.slice(4)],
  ],
  'metadata before the stop': [
    'https://github.com/floci-io/floci/pull/3043',
    [...stream.slice(0, -2), metadata, end],
  ],
  'empty deltas': [
    'https://github.com/BerriAI/litellm/pull/33315',
    changed(stream, events => {
      events.splice(8, 0, delta(2, { toolUse: { input: '' } }))
      events.splice(5, 0, delta(1, { text: '' }))
      events.splice(2, 0, delta(0, { reasoningContent: { text: '' } }))
      events.splice(2, 0, delta(0, { reasoningContent: { signature: '' } }))
    }),
  ],
  'no contentBlockIndex': [
    'https://github.com/maximhq/bifrost/issues/4262',
    changed(stream, events => {
      for (const [, payload] of events) delete payload.contentBlockIndex
    }),
  ],
  'counts of null': [
    'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html',
    changed(stream, events => {
      Object.assign(events.at(-1)[1].usage, { cacheWriteInputTokens: null, cacheDetails: null })
    }),
  ],
}
it.each(Object.entries(streams))('a stream with %s means the same', async (_name, [, events]) => {
  const expected = streamMeaning(converse, await bytesOf(stream), 'aws-events')
  expect(expected).toMatchObject({
    parts: [{ text: 'so' }, { text: 'hello' }, { name: 'f', text: '{"a":1}' }],
    ...{ finish: 'tools', usage: { input: 9, cached: 4, output: 3 } },
  })
  expect(streamMeaning(converse, await bytesOf(events), 'aws-events')).toEqual(expected)
})

const wholes: Record<string, [source: string, body: Json]> = {
  'empty fields': [
    reference,
    changed(whole, body => {
      Object.assign(body, { additionalModelResponseFields: null, trace: null, serviceTier: null })
      Object.assign(body.usage, { cacheWriteInputTokens: null, cacheDetails: [] })
    }),
  ],
  'empty blocks': [
    'https://github.com/BerriAI/litellm/pull/33315',
    changed(whole, body => {
      body.output.message.content.unshift({ text: '' })
    }),
  ],
}
it.each(Object.entries(wholes))('a whole answer with %s means the same', (_name, [, body]) => {
  expect(wholeMeaning(converse, body)).toEqual(wholeMeaning(converse, whole))
  expect(converse.readAnswer(Buffer.from(JSON.stringify(body)))).toMatchObject({
    ...{ ok: true, usage: { input: 9, cacheRead: 4, output: 3 } },
  })
})

it.each([undefined, null, ''])('a stop reason of %j is an absent one', stopReason => {
  const meaning = wholeMeaning(converse, { ...whole, stopReason })
  expect(meaning).toEqual({ ...wholeMeaning(converse, whole), finish: undefined })
})
