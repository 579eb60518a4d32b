import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observeStream as observeAnthropic } from '../anthropic/passthrough/stream-observer.ts'
import { decodeFrames as decodeAnthropic } from '../anthropic/stream/decode.ts'
import type { ChatEvent } from '../canon.ts'
import type { StreamDecoder, StreamObserver } from '../dialect.ts'
import { observeStream as observeChat } from '../openai-chat/passthrough/stream-observer.ts'
import { decodeFrames as decodeChat } from '../openai-chat/stream/decode.ts'

const observe = (observer: StreamObserver, chunks: readonly Buffer[]) => {
  const out = chunks.flatMap(each => observer.push(Buffer.from(each)))
  return {
    out: String(Buffer.concat(out)),
    observed: [
      ...[observer.usage(), observer.meteredTokens(), observer.failure()],
      ...[observer.malformedFrames(), observer.isClosed(), String(observer.tail()).trim()],
    ],
  }
}

const texts = fc.constantFrom(
  'a',
  'word',
  'слово',
  '☃',
  '',
  'a\nb',
  'a"b',
  '\\',
  '{}',
  '12 %',
  '\u0001',
)
const choice = (delta: object, more: object = {}) =>
  JSON.stringify({ id: 'x', choices: [{ index: 0, delta, ...more }] })
const chatData = fc.oneof(
  { weight: 8, arbitrary: texts.map(content => choice({ content })) },
  texts.map(content => choice({ content, role: 'assistant' })),
  texts.map(reasoning_content => choice({ reasoning_content })),
  texts.map(content => choice({ content }).replace(/}$/, ',"usage":null}')),
  texts.map(content => choice({ content }).replace(/}$/, ',"usage":{"prompt_tokens":3}}')),
  { weight: 2, arbitrary: texts.map(refusal => choice({ content: 'same', refusal })) },
  fc.constantFrom(choice({}, { finish_reason: 'stop' }), '{"error":"x"}', '{', '[DONE]'),
)
const event = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}`
const piece = (delta: object, index = 0) =>
  event({ type: 'content_block_delta', ...{ index, delta } })
const inLines = (frame: string) => frame.replace(/,/, ',\ndata: ')
const anthropicFrame = fc.oneof(
  { weight: 8, arbitrary: texts.map(text => piece({ type: 'text_delta', text })) },
  texts.map(text => piece({ type: 'text_delta', text }, 1)),
  { weight: 2, arbitrary: texts.map(text => inLines(piece({ type: 'text_delta', text }))) },
  texts.map(thinking => piece({ type: 'thinking_delta', thinking })),
  texts.map(partial_json => piece({ type: 'input_json_delta', partial_json })),
  { weight: 2, arbitrary: texts.map(text => piece({ thinking: 'same', text })) },
  fc.constantFrom(
    event({ type: 'ping' }),
    event({ type: 'message_delta', ...{ delta: {}, usage: { output_tokens: 5 } } }),
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}',
    event({ type: 'message_stop' }),
  ),
)
const separators = fc.constantFrom(
  '\n\n',
  '\n\n',
  '\n\n',
  '\r\n\r\n',
  '\r\r',
  '\n: c\n\n',
  '\n\n\n',
)
const others = fc.constantFrom(': ping', 'id: 5', 'event: x', 'odd: 1', 'data: {"a":\ndata: 1}')

const streams = (frames: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(fc.oneof({ weight: 5, arbitrary: frames }, others), separators), {
    maxLength: 12,
  })

/** Cut behind some of its line ends, as the lots fall. */
const cutAtLines = (whole: Buffer, lots: readonly boolean[]): Buffer[] => {
  const chunks: Buffer[] = []
  let start = 0
  let lines = 0
  for (let at = 0; at < whole.length; at += 1) {
    if (whole[at] !== 0x0a || !lots[lines++ % lots.length]) continue
    chunks.push(whole.subarray(start, at + 1))
    start = at + 1
  }
  return [...chunks, whole.subarray(start)]
}

/** `npm run test:long` raises it to 5,000. */
const numRuns = Number(process.env.HUB_ROUND_TRIP_CASES ?? 1_000)

/** Byte by byte no chunk holds a whole frame, so none is taken for one like another. */
const isSameAsByteByByte = (makeObserver: () => StreamObserver, frames: fc.Arbitrary<string>) =>
  fc.assert(
    fc.property(
      streams(frames),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      (parts, lots) => {
        const whole = Buffer.from(parts.map(each => each.join('')).join(''))
        const bytes = Array.from(whole, each => Buffer.from([each]))
        expect(observe(makeObserver(), cutAtLines(whole, lots))).toEqual(
          observe(makeObserver(), bytes),
        )
      },
    ),
    { numRuns },
  )

describe('a stream says the same, however it is cut', () => {
  it.each([true, false])('openai-chat, usage wanted: %s', wantsUsage => {
    isSameAsByteByByte(
      () => observeChat({ wantsUsage, n: 1 }),
      fc
        .oneof({ weight: 5, arbitrary: chatData }, chatData.map(inLines))
        .map(each => `data: ${each}`),
    )
  })
  it('anthropic', () => isSameAsByteByByte(observeAnthropic, anthropicFrame))
})

const eventsOf = (
  decode: (emit: (event: ChatEvent) => void) => StreamDecoder,
  frames: string[][],
) => {
  const events: ChatEvent[] = []
  const decoder = decode(event => events.push(structuredClone(event)))
  for (const [event = '', data = ''] of frames) decoder.pushFrame(data, event)
  decoder.end()
  return [
    ...events.map(result => JSON.stringify(result).replace(/ +"/g, '"')),
    decoder.malformedFrames(),
  ]
}

/** With another number of blanks behind each, no data are the pattern of others. */
const isSameAsParsed = (
  decode: (emit: (event: ChatEvent) => void) => StreamDecoder,
  frames: fc.Arbitrary<string[]>,
) =>
  fc.assert(
    fc.property(fc.array(frames, { maxLength: 12 }), all => {
      const apart = all.map(([event = '', data = ''], at) => [event, data + ' '.repeat(at)])
      expect(eventsOf(decode, all)).toEqual(eventsOf(decode, apart))
    }),
    { numRuns },
  )

describe('a stream is heard the same, whether or not its data are known by the ones before', () => {
  const call = (text: string) =>
    choice({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: text } }] })
  const details = (reasoning: string) =>
    choice({ reasoning, reasoning_details: [{ type: 'reasoning.text', text: 'a' }] })
  const data = fc.oneof(
    { weight: 4, arbitrary: chatData },
    texts.map(reasoning => choice({ reasoning })),
    { weight: 4, arbitrary: texts.map(details) },
    { weight: 2, arbitrary: texts.map(content => choice({ reasoning_content: 'a', content })) },
    texts.map(call),
    texts.map(content =>
      choice({ content }, { logprobs: { content: [{ token: 'a', logprob: 0 }] } }),
    ),
    texts.map(content => choice({ content }, { finish_reason: 'stop' })),
    texts.map(content => choice({ content }).replace('"index":0', '"index":1')),
    texts.map(content => choice({ content }).replace(/}$/, ',"system_fingerprint":"f"}')),
  )
  it('openai-chat', () =>
    isSameAsParsed(decodeChat, fc.tuple(fc.constantFrom('', '', '', '', 'error', 'x'), data)))

  const start = event({ type: 'message_start', ...{ message: { id: 'm' } } })
  const block = { index: 0, content_block: { type: 'text', text: '' } }
  const frame = fc.oneof(
    { weight: 4, arbitrary: anthropicFrame },
    fc.constantFrom(start, event({ type: 'content_block_start', ...block })),
  )
  it('anthropic', () =>
    isSameAsParsed(
      decodeAnthropic,
      fc.tuple(frame, fc.nat(20)).map(([given, lot]) => {
        const isError = lot === 0
        const [name = '', ...lines] = given.split('\n')
        return [isError ? 'error' : name.slice(7), lines.map(line => line.slice(6)).join('\n')]
      }),
    ))
})
