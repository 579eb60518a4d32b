import { describe, expect, it } from 'vitest'
import { anthropic } from '../index.ts'

const decodedRequest = anthropic.read(Buffer.from('{"model":"m","max_tokens":9,"stream":true}'))
if (!decodedRequest.ok) throw new Error(decodedRequest.hint)
const { parsed } = decodedRequest

/** A stream of these frames, and what was heard in it. */
const decode = (...frames: (object | string)[]) => {
  const tap = anthropic.observeStream(parsed)
  const out = frames.flatMap(frame => {
    const data = typeof frame === 'string' ? frame : JSON.stringify(frame)
    return tap.push(Buffer.from(`data: ${data}\n\n`))
  })
  return { tap, passed: String(Buffer.concat(out)).split('\n\n').length - 1 }
}
const metered = (...frames: object[]) => decode(...frames).tap.meteredTokens()

const delta = (payload: object) => ({ type: 'content_block_delta', index: 0, delta: payload })

// https://platform.claude.com/docs/en/build-with-claude/streaming
describe('what passes', () => {
  it('all but the last event, which waits', () => {
    const { tap, passed } = decode({ type: 'ping' }, delta({}), { type: 'message_stop' })
    expect([tap.isClosed(), tap.malformedFrames(), tap.failure(), passed]).toEqual([
      true,
      0,
      undefined,
      2,
    ])
    expect(String(tap.tail())).toContain('message_stop')
  })

  it('the closing word of another dialect is left out, in silence', () => {
    const { tap, passed } = decode({ type: 'ping' }, '[DONE] ')
    expect([tap.isClosed(), tap.malformedFrames(), passed]).toEqual([false, 0, 1])
  })

  it.each(['[DONE', 'DONE', '7', '"x"', 'broken {', '[{"type":"ping"}]', '{}', '{"type":7}'])(
    '%s is no frame, and is left out',
    frame => {
      const { tap, passed } = decode(frame, { type: 'ping' })
      expect([tap.malformedFrames(), tap.failure(), passed]).toEqual([1, undefined, 1])
    },
  )

  it.each([
    { type: 'error', error: { type: 'overloaded_error', message: 'Full' } },
    { type: 'error' },
    { error: { message: 'Full' } },
    { error: [1], other: {} },
  ])('%j ends it, and is not passed on', frame => {
    const { tap, passed } = decode({ type: 'ping' }, frame, { type: 'ping' })
    expect([tap.failure(), tap.malformedFrames(), passed]).toEqual([frame, 0, 1])
  })

  it('an event that only speaks of an error goes on', () => {
    const { tap, passed } = decode(
      { type: 'x', errors: {}, other: { error: {} } },
      { type: 'ping' },
    )
    expect([tap.failure(), passed]).toEqual([undefined, 2])
  })
})

describe('what is metered', () => {
  it.each<[string, object, number]>([
    ['text', delta({ type: 'text_delta', text: 'abcdefgh' }), 2],
    ['thoughts', delta({ type: 'thinking_delta', thinking: 'abcdefgh' }), 2],
    ['inputs', delta({ type: 'input_json_delta', partial_json: 'abcdefgh' }), 2],
    ['no proofs', delta({ type: 'signature_delta', signature: 'abcdefgh' }), 0],
    ['no sources', delta({ type: 'citations_delta', citation: { cited_text: 'abcdefgh' } }), 0],
    ['nothing deep in a piece', delta({ a: { b: { text: 'abcdefgh' } } }), 0],
    ['no input in a piece', delta({ a: { input: { b: 'abcdefgh' } } }), 0],
    ['nothing beside a piece', { type: 'x', text: 'abcdefgh', other: { text: 'abcdefgh' } }, 0],
    [
      'nothing in a name of the same length',
      { type: 'x', delts: { text: 'abcdefgh' }, contents: [{ text: 'abcdefgh' }] },
      0,
    ],
    [
      'no block that opens',
      {
        type: 'content_block_start',
        content_block: { type: 'tool_use', input: {}, text: 'abcdefgh' },
      },
      0,
    ],
    ['no message that opens', { type: 'message_start', message: { text: 'abcdefgh' } }, 0],
    ['no usage and no error', { type: 'x', usage: { text: 'abcdefgh' } }, 0],
    ['both sides of a piece', { ...delta({ text: 'abcd' }), x: { text: 'abcdefgh' } }, 1],
  ])('%s', (_, frame, tokens) => expect(metered(frame)).toBe(tokens))

  it('is the sum of all pieces', () => {
    const piece = delta({ type: 'text_delta', text: 'ab' })
    expect([metered(piece), metered(piece, piece), metered(piece, piece, piece)]).toEqual([1, 1, 2])
  })
})

describe('what is reported', () => {
  const usage = (payload: object) => ({ type: 'message_delta', usage: payload })
  const start = (message: object) => ({ type: 'message_start', message })

  it('stands in the first event’s message, or at the top', () => {
    const first = { input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 3 } }
    const decoded = { input: 5, cacheWrite1h: 3 }
    for (const frame of [
      start({ usage: first }),
      start({ usage: first, content: [{ usage: { input_tokens: 9 } }], x: {} }),
      start({ x: {}, content: [{ usage: { input_tokens: 9 } }], usage: first }),
      usage(first),
      { type: 'x', other: { usage: { input_tokens: 9 } }, usage: first, delta: { a: {} } },
    ])
      expect(decode(frame).tap.usage()).toMatchObject(decoded)
  })

  it('is nothing where none is told, and broken where it is no count', () => {
    for (const frame of [
      start({ content: [{ usage: { input_tokens: 9 } }] }),
      start({ usage: null }),
      { type: 'x', other: { usage: { input_tokens: 9 } }, usage: 7 },
    ])
      expect(decode(frame).tap.usage()).toBeUndefined()
    expect(decode(usage({ input_tokens: -1 })).tap.usage()).toBe('broken')
  })

  it('is what the first and the last say', () => {
    const { tap } = decode(
      start({ usage: { input_tokens: 5, output_tokens: 1 } }),
      usage({ output_tokens: 3, cache_read_input_tokens: 9 }),
      usage({ output_tokens: 4 }),
      usage({ output_tokens: 6 }),
    )
    expect(tap.usage()).toMatchObject({ input: 5, cacheRead: 0, output: 6 })
  })
})
