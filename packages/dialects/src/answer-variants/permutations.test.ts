import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import { converse } from '../converse/index.ts'
import type { Dialect } from '../dialect.ts'
import { gemini } from '../gemini/index.ts'
import { type AwsEvent, awsStreamEncoder } from '../generate/aws-event-stream.ts'
import type { Json } from '../json/json.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { bytesOf, type Frame, observedUsage, streamMeaning } from './meaning.ts'

// A stream means the same however its vendor splits, mixes and pads it, as far as the dialect allows.

/** Texts in pieces, as a vendor sends them. */
type Answer = { thinking: string[]; text: string[]; calls: string[][] }

/** Decides, place by place, what the vendor does: a long list of numbers between 0 and 999. */
type Choices = () => number

/** A list of frames whose order is fixed; frames of different lists may mix. */
type Sequence = Json[]

type Case = {
  /** The frames before, the sequences between, and the frames behind; `choose` pads and places. */
  frames(
    answer: Answer,
    choose: Choices,
  ): { opening: Json[]; sequences: Sequence[]; ending: Json[] }
  /** Frames without meaning, which may stand anywhere between. */
  padding: Frame[]
}

const pieces = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
const splitAt = (text: string, at: number[]): string[] => {
  const cuts = [0, ...at.map(each => each % text.length).toSorted((a, b) => a - b), text.length]
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end))
}
const call = fc
  .tuple(fc.string({ maxLength: 8 }), fc.array(fc.nat(99), { maxLength: 3 }))
  .map(([value, at]) => splitAt(JSON.stringify({ a: value }), at))
const answers: fc.Arbitrary<Answer> = fc
  .record({
    thinking: fc.oneof(fc.constant<string[]>([]), pieces),
    text: fc.oneof(fc.constant<string[]>([]), pieces),
    calls: fc.array(call, { maxLength: 3 }),
  })
  .filter(({ thinking, text, calls }) => thinking.length + text.length + calls.length > 0)

const choicesOf = (numbers: readonly number[]): Choices => {
  let at = 0
  return () => numbers[at++ % numbers.length] ?? 0
}

/** Takes the next frame of any sequence, and pads it. A sequence begins once the sequences before it have begun. */
const mix = (
  sequences: readonly Sequence[],
  padding: readonly Frame[],
  choose: Choices,
): Frame[] => {
  const all = sequences.filter(each => each.length > 0)
  const sent = all.map(() => 0)
  const mixed: Frame[] = []
  const open = () =>
    all.flatMap((sequence, at) =>
      sent[at]! < sequence.length && (at === 0 || sent[at - 1]! > 0) ? [at] : [],
    )
  for (let ready = open(); ready.length > 0; ready = open()) {
    const at = ready[choose() % ready.length]!
    mixed.push(all[at]![sent[at]!++])
    if (choose() % 3 === 0) mixed.push(padding[choose() % padding.length]!)
  }
  return mixed
}

const chatUsage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const chunk = (delta: object, more = {}): Json => ({
  ...{ id: 'a', created: 5, model: 'm', object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const chat: Case = {
  frames: ({ thinking, text, calls }, choose) => {
    const finish = chunk({}, { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' })
    const usage = { ...chunk({}), choices: [], usage: chatUsage }
    const withUsage = { ...finish, usage: chatUsage }
    return {
      opening: [
        chunk({ role: 'assistant', content: '' }),
        ...thinking.map(each => chunk({ reasoning_content: each })),
      ],
      sequences: [
        text.map(content => chunk({ content })),
        ...calls.map((parts, index) => {
          const named = { index, id: `call_${index}`, type: 'function', function: { name: 'f' } }
          return [
            chunk({ tool_calls: [{ ...named, function: { name: 'f', arguments: '' } }] }),
            ...parts.map(each => chunk({ tool_calls: [{ index, function: { arguments: each } }] })),
          ]
        }),
      ],
      ending: [[finish, usage], [usage, finish], [withUsage], [withUsage, usage]][choose() % 4]!,
    }
  },
  padding: [': ping\n\n', chunk({}), chunk({ content: '' }), { ...chunk({}), choices: [] }],
}

const messageUsage = { input_tokens: 9, output_tokens: 3 }
const messages: Case = {
  frames: ({ thinking, text, calls }, choose) => {
    const blocks: [Json, Json[]][] = [
      ...(thinking.length > 0
        ? [
            [
              { type: 'thinking', thinking: '' },
              thinking.map(each => ({ type: 'thinking_delta', thinking: each })),
            ] as [Json, Json[]],
          ]
        : []),
      ...(text.length > 0
        ? [
            [
              { type: 'text', text: '' },
              text.map(each => ({ type: 'text_delta', text: each })),
            ] as [Json, Json[]],
          ]
        : []),
      ...calls.map((parts, index): [Json, Json[]] => [
        { type: 'tool_use', id: `call_${index}`, name: 'f', input: {} },
        parts.map(partial_json => ({ type: 'input_json_delta', partial_json })),
      ]),
    ]
    const sequence = blocks.flatMap(([content_block, deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ])
    const isEarly = choose() % 2 === 0
    const usage = isEarly ? messageUsage : { input_tokens: 0, output_tokens: 0 }
    const last = isEarly ? { output_tokens: 3 } : messageUsage
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] }
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    const end = { type: 'message_delta', delta: { stop_reason }, usage: last }
    const early = { type: 'message_delta', delta: {}, usage: { output_tokens: 1 } }
    return {
      opening: [{ type: 'message_start', message: { ...message, usage } }],
      sequences: [sequence],
      ending: [...(choose() % 2 ? [early] : []), end, { type: 'message_stop' }],
    }
  },
  padding: [': ping\n\n', { type: 'ping' }, 'event: ping\ndata: {"type": "ping"}\n\n'],
}

const responsesUsage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 }
const responses: Case = {
  frames: ({ thinking, text, calls }) => {
    const items: { item: Json; deltas: Json[]; empty: Json }[] = []
    if (thinking.length > 0)
      items.push({
        item: {
          type: 'reasoning',
          id: 'rs',
          summary: [{ type: 'summary_text', text: thinking.join('') }],
        },
        empty: { summary: [] },
        deltas: thinking.map(delta => ({
          type: 'response.reasoning_summary_text.delta',
          summary_index: 0,
          delta,
        })),
      })
    if (text.length > 0)
      items.push({
        item: {
          ...{ type: 'message', id: 'msg', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: text.join(''), annotations: [] }],
        },
        empty: { content: [] },
        deltas: text.map(delta => ({
          type: 'response.output_text.delta',
          content_index: 0,
          delta,
        })),
      })
    for (const [at, parts] of calls.entries())
      items.push({
        item: {
          type: 'function_call',
          id: `fc_${at}`,
          call_id: `call_${at}`,
          name: 'f',
          arguments: parts.join(''),
        },
        empty: { arguments: '' },
        deltas: parts.map(delta => ({ type: 'response.function_call_arguments.delta', delta })),
      })
    const output = items.map(({ item }) => item)
    const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
    const response = { ...head, status: 'completed', output, usage: responsesUsage }
    return {
      opening: [
        { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
      ],
      sequences: items.map(({ item, empty, deltas }, output_index) => [
        { type: 'response.output_item.added', output_index, item: { ...item, ...empty } },
        ...deltas.map(each => ({ ...each, output_index, item_id: item.id })),
        { type: 'response.output_item.done', output_index, item },
      ]),
      ending: [{ type: 'response.completed', response }],
    }
  },
  padding: [': ping\n\n', { type: 'response.in_progress', response: { id: 'resp_1' } }],
}

const geminiUsage = { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 }
const geminiFrame = (parts: Json[], more = {}, usageMetadata?: Json): Json => ({
  ...{
    responseId: 'r',
    modelVersion: 'm',
    candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
  },
  ...(usageMetadata ? { usageMetadata } : {}),
})
const geminiCase: Case = {
  frames: ({ thinking, text, calls }, choose) => {
    const list: Json[] = [
      ...thinking.map(each => ({ text: each, thought: true })),
      ...text.map(each => ({ text: each })),
      ...calls.map((parts, id) => ({
        functionCall: { id: `call_${id}`, name: 'f', args: JSON.parse(parts.join('')) },
      })),
    ]
    // Parts share a frame, or have one each.
    const sequence: Json[] = []
    for (const part of list) {
      const shared = choose() % 2 === 0 ? sequence.at(-1) : undefined
      if (shared) shared.candidates[0].content.parts.push(part)
      else
        sequence.push(geminiFrame([part], {}, choose() % 2 ? { promptTokenCount: 9 } : undefined))
    }
    const finish = { finishReason: 'STOP' }
    const behind = { responseId: 'r', modelVersion: 'm', usageMetadata: geminiUsage }
    return {
      opening: [],
      sequences: [sequence],
      ending:
        choose() % 2 ? [geminiFrame([], finish, geminiUsage)] : [geminiFrame([], finish), behind],
    }
  },
  padding: [': ping\n\n', geminiFrame([{ text: '' }]), { responseId: 'r', modelVersion: 'm' }],
}

/** Chat has one text for each choice, which may go on behind a call. */
const withJoinedTexts = (meaning: ReturnType<typeof streamMeaning>) => {
  const joinedOf = (type: string) =>
    meaning.parts.flatMap(each => (each.type === type ? [each.text] : [])).join('')
  const calls = meaning.parts.filter(each => each.type === 'tool-call')
  return { ...meaning, parts: calls, thinking: joinedOf('thinking'), text: joinedOf('text') }
}

const expectSame = (dialect: Dialect, sent: Frame[], plain: Frame[], cuts: Choices) => {
  const expected = withJoinedTexts(streamMeaning(dialect, bytesOf(plain)))
  const bytes = bytesOf(sent)
  expect(withJoinedTexts(streamMeaning(dialect, bytes))).toEqual(expected)
  expect(observedUsage(dialect, bytes, cuts)).toEqual(observedUsage(dialect, bytesOf(plain)))
  expect(observedUsage(dialect, bytes).usage).toEqual(expected.usage)
}

const done = 'data: [DONE]\n\n'
it.each([
  ['openaiChat', openaiChat, chat, [done]],
  ['anthropic', anthropic, messages, []],
  ['openaiResponses', openaiResponses, responses, []],
  ['gemini', gemini, geminiCase, []],
] as [string, Dialect, Case, Frame[]][])(
  'a stream of %s means the same however it is split, mixed and padded',
  (_name, dialect, { frames, padding }, closing) => {
    fc.assert(
      fc.property(
        answers,
        fc.array(fc.nat(999), { minLength: 1, maxLength: 60 }),
        (answer, numbers) => {
          const whole = {
            thinking: answer.thinking.length > 0 ? [answer.thinking.join('')] : [],
            text: answer.text.length > 0 ? [answer.text.join('')] : [],
            calls: answer.calls.map(each => [each.join('')]),
          }
          const plain = frames(whole, () => 0)
          const choose = choicesOf(numbers)
          const { opening, sequences, ending } = frames(answer, choose)
          expectSame(
            dialect,
            [...opening, ...mix(sequences, padding, choose), ...ending, ...closing],
            [...plain.opening, ...plain.sequences.flat(), ...plain.ending, ...closing],
            choose,
          )
        },
      ),
      { numRuns: 200 },
    )
  },
)

const encode = awsStreamEncoder(
  new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  }).config as never,
)
const converseEvents = ({ thinking, text, calls }: Answer, choose: Choices): AwsEvent[] => {
  const deltas = (contentBlockIndex: number, list: Json[]): AwsEvent[] => [
    ...list.map((delta): AwsEvent => ['contentBlockDelta', { contentBlockIndex, delta }]),
    ...(choose() % 2 ? [] : [['contentBlockStop', { contentBlockIndex }] as const]),
  ]
  const end: AwsEvent[] = [
    ['messageStop', { stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' }],
    ['metadata', { usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12 } }],
  ]
  return [
    ['messageStart', { role: 'assistant' }],
    ...deltas(
      0,
      thinking.map(each => ({ reasoningContent: { text: each } })),
    ),
    ...deltas(
      1,
      text.map(each => ({ text: each })),
    ),
    ...calls.flatMap((parts, at): AwsEvent[] => [
      [
        'contentBlockStart',
        { contentBlockIndex: at + 2, start: { toolUse: { toolUseId: `c${at}`, name: 'f' } } },
      ],
      ...deltas(
        at + 2,
        parts.map(input => ({ toolUse: { input } })),
      ),
    ]),
    ...(choose() % 2 ? end.toReversed() : end),
  ]
}
it('a stream of converse means the same however it is split', async () => {
  await fc.assert(
    fc.asyncProperty(
      answers,
      fc.array(fc.nat(999), { minLength: 1, maxLength: 20 }),
      async (answer, numbers) => {
        const whole = {
          thinking: [answer.thinking.join('')],
          text: [answer.text.join('')],
          calls: answer.calls.map(each => [each.join('')]),
        }
        const plain = await encode(converseEvents(whole, () => 0))
        const sent = await encode(converseEvents(answer, choicesOf(numbers)))
        expect(streamMeaning(converse, sent, 'aws-events')).toEqual(
          streamMeaning(converse, plain, 'aws-events'),
        )
      },
    ),
    { numRuns: 50 },
  )
})
