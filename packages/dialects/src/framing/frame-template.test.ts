import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tap as anthropicTap } from '../anthropic/passing/tap.ts'
import type { Tap } from '../dialect.ts'
import { tap as chatTap } from '../openai-chat/tap.ts'
import { frameTemplate } from './frame-template.ts'

const frame = (text: string, more = '') =>
  `data: {"id":"a","choices":[{"delta":{"content":${text}}${more}}]}\n\n`

describe('the pattern of a frame', () => {
  const seen: string[] = []
  const learnt = () => {
    seen.length = 0
    const template = frameTemplate((bytes, start, end, textStart, textEnd) => {
      expect(bytes.toString('utf8', start, end)).toContain('data: ')
      seen.push(bytes.toString('utf8', textStart, textEnd))
    })
    const first = Buffer.from(`x${frame('"one"')}`)
    template.learn(first, 1, first.length, first.indexOf('one'), first.indexOf('one') + 3)
    return template
  }

  it('is met by frames with any other plain text', () => {
    const chunk = Buffer.from(frame('"two"') + frame('""') + frame('"три ☃"'))
    expect(learnt().pass(chunk)).toBe(chunk.length)
    expect(seen).toEqual(['two', '', 'три ☃'])
  })

  it.each([
    ['an escape', '"a\\n"'],
    ['a quote that is escaped', '"a\\"}}]}"'],
    ['no text', 'null'],
    ['a control character', '"a\tb"'],
  ])('is not met by %s', (_name, text) => {
    expect(learnt().pass(Buffer.from(frame(text)))).toBe(0)
  })

  it('is not met by a frame that says something else, before, behind, or not to its end', () => {
    const template = learnt()
    for (const other of [
      frame('"two"', ',"usage":{}'),
      frame('"two"').replace('"a"', '"b"'),
      frame('"two"').slice(0, -1),
      frame('"two').slice(0, 40),
      '',
    ])
      expect(template.pass(Buffer.from(other))).toBe(0)
  })

  it('ends where another frame begins', () => {
    const chunk = Buffer.from(frame('"two"') + frame('"three\\n"') + frame('"four"'))
    expect(learnt().pass(chunk)).toBe(frame('"two"').length)
  })

  it('is given up where no frame meets it', () => {
    const template = learnt()
    for (let at = 0; at < 20; at += 1) {
      const bytes = Buffer.from(frame(`"${at}"`, `,"random":${at}`))
      expect(template.pass(bytes)).toBe(0)
      const start = bytes.indexOf(`"${at}"`) + 1
      template.learn(bytes, 0, bytes.length, start, start + String(at).length)
    }
    expect(template.pass(Buffer.from(frame('"19"', ',"random":19')))).toBe(0)
  })
})

/** What of a stream goes on and what was heard of it. */
const told = (tap: Tap, chunks: readonly Buffer[]) => {
  const out = chunks.flatMap(each => tap.push(Buffer.from(each)))
  const { usage, metered, failure, garbage, closed, tail } = tap
  return {
    out: String(Buffer.concat(out)),
    heard: [usage(), metered(), failure(), garbage(), closed(), String(tail()).trim()],
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

/** Byte by byte no chunk holds a whole frame, so none is taken for one like another. */
const isSameAsByteByByte = (makeTap: () => Tap, frames: fc.Arbitrary<string>) =>
  fc.assert(
    fc.property(
      streams(frames),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      (parts, lots) => {
        const whole = Buffer.from(parts.map(each => each.join('')).join(''))
        const bytes = Array.from(whole, each => Buffer.from([each]))
        expect(told(makeTap(), cutAtLines(whole, lots))).toEqual(told(makeTap(), bytes))
      },
    ),
    { numRuns: 4_000 },
  )

describe('a stream says the same, however it is cut', () => {
  it.each([true, false])('openai-chat, usage wanted: %s', wantsUsage => {
    isSameAsByteByByte(
      () => chatTap({ wantsUsage }),
      fc
        .oneof({ weight: 5, arbitrary: chatData }, chatData.map(inLines))
        .map(each => `data: ${each}`),
    )
  })
  it('anthropic', () => isSameAsByteByByte(anthropicTap, anthropicFrame))
})
