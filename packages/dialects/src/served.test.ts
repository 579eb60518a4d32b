import { expect, it } from 'vitest'
import type { ChatEvent } from './canon.ts'
import { converse } from './converse/index.ts'
import { anthropic, gemini, openaiChat, openaiResponses } from './index.ts'
import type { Served, Usage } from './usage.ts'

type Json = Record<string, unknown>
type Case = {
  dialect: typeof openaiChat | typeof converse
  served: Served
  whole: Json
  /** Frames of a stream with their names. */
  frames: readonly (readonly [string, Json])[]
}

const counts = { prompt_tokens: 3, completion_tokens: 2 }
const chunk = (more: Json) => ({ id: 'c', object: 'chat.completion.chunk', model: 'm', ...more })
const response = {
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [] },
  ...{ service_tier: 'flex', usage: { input_tokens: 3, output_tokens: 2 } },
}
const claudeUsage = {
  ...{ input_tokens: 3, output_tokens: 2, service_tier: 'standard' },
  ...{ speed: 'fast', inference_geo: 'us' },
}
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] }
const geminiAnswer = (usage: Json) => ({
  candidates: [{ content: { parts: [{ text: 'a' }], role: 'model' }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5, ...usage },
})
const converseFields = {
  usage: { inputTokens: 3, outputTokens: 2 },
  serviceTier: { type: 'priority' },
  performanceConfig: { latency: 'optimized' },
}

const cases: readonly Case[] = [
  {
    dialect: openaiChat,
    served: { tier: 'priority' },
    whole: {
      ...{ id: 'c', object: 'chat.completion', model: 'm', service_tier: 'priority' },
      ...{ choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }] },
      usage: counts,
    },
    frames: [
      ['', chunk({ service_tier: 'auto', choices: [{ index: 0, delta: { content: 'a' } }] })],
      [
        '',
        chunk({
          ...{ service_tier: 'priority', usage: counts },
          choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        }),
      ],
    ],
  },
  {
    dialect: openaiResponses,
    served: { tier: 'flex' },
    whole: response,
    frames: [
      [
        '',
        { type: 'response.created', response: { ...response, service_tier: 'auto', usage: null } },
      ],
      ['', { type: 'response.completed', response }],
    ],
  },
  {
    dialect: anthropic,
    served: { tier: 'standard', speed: 'fast', region: 'us' },
    whole: { ...message, stop_reason: 'end_turn', usage: claudeUsage },
    frames: [
      ['message_start', { type: 'message_start', message: { ...message, usage: claudeUsage } }],
      [
        'message_delta',
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      ],
      ['message_stop', { type: 'message_stop' }],
    ],
  },
  {
    dialect: gemini,
    served: { tier: 'ON_DEMAND_PRIORITY' },
    whole: geminiAnswer({ trafficType: 'ON_DEMAND_PRIORITY' }),
    frames: [['', geminiAnswer({ trafficType: 'ON_DEMAND_PRIORITY' })]],
  },
  {
    dialect: gemini,
    served: { tier: 'flex' },
    whole: geminiAnswer({ serviceTier: 'flex' }),
    frames: [['', geminiAnswer({ serviceTier: 'flex' })]],
  },
  {
    dialect: converse,
    served: { tier: 'priority', latency: 'optimized' },
    whole: {
      ...{ output: { message: { content: [{ text: 'a' }] } }, stopReason: 'end_turn' },
      ...converseFields,
    },
    frames: [
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'a' } }],
      ['messageStop', { stopReason: 'end_turn' }],
      ['metadata', converseFields],
    ],
  },
]

const servedBy = (usage: Usage | 'broken' | undefined): Served | undefined =>
  typeof usage === 'object' ? usage.served : undefined

it.each(cases)('reads $served from a whole answer of $dialect.id', ({ dialect, served, whole }) => {
  const summary = dialect.readAnswer(Buffer.from(JSON.stringify(whole)))
  expect(summary.ok && servedBy(summary.usage)).toEqual(served)
  expect(servedBy(dialect.decodeAnswer(whole).reportedUsage?.usage)).toEqual(served)
})

it.each(cases)('reads $served from a translated stream of $dialect.id', test => {
  const events: ChatEvent[] = []
  const decoder = test.dialect.decodeFrames(event => events.push(event))
  for (const [name, frame] of test.frames) decoder.pushFrame(JSON.stringify(frame), name)
  decoder.end()
  const usages = events.flatMap(event =>
    event.type === 'usage' || event.type === 'start' ? (event.reportedUsage?.usage ?? []) : [],
  )
  expect(servedBy(usages.at(-1))).toEqual(test.served)
})

it.each(cases.filter(each => 'observeStream' in each.dialect))(
  'reads $served from a stream of $dialect.id that passes through',
  ({ dialect, served, frames }) => {
    if (!('observeStream' in dialect)) throw new Error('no observer')
    const request = { model: 'm', messages: [], contents: [], stream: true, max_tokens: 5 }
    const read = dialect.read(Buffer.from(JSON.stringify(request)), { model: 'm', stream: true })
    if (!read.ok) throw new Error(read.hint)
    const observer = dialect.observeStream(read.parsed)
    for (const [name, frame] of frames)
      observer.push(
        Buffer.from(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(frame)}\n\n`),
      )
    expect(servedBy(observer.usage())).toEqual(served)
  },
)
