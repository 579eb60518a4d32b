import { describe, expect, it } from 'vitest'
import { readAnswer } from './read-response.ts'
import { observeStream } from './stream-observer.ts'

const frame = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const listen = (...frames: string[]) => {
  const observer = observeStream()
  return { observer, out: String(Buffer.concat([...observer.push(Buffer.from(frames.join('')))])) }
}
const word = frame('response.output_text.delta', { delta: 'word' })
const escaped = (text: string) => text.replaceAll(/[{}[\].]/g, '\\$&')
const end = (usage: object | null, more: object = {}) =>
  frame('response.completed', { response: { usage, ...more } })

describe('the tap', () => {
  it('hands on the very chunk where all of it may go', () => {
    const chunk = Buffer.from(word + word)
    expect(observeStream().push(chunk)[0]).toBe(chunk)
  })

  it.each([['completed'], ['incomplete'], ['cancelled']])(
    'holds back response.%s, and reads its usage',
    how => {
      const last = frame(`response.${how}`, { response: { usage: { input_tokens: 1 } } })
      const { observer, out } = listen(word, last, word)
      expect([out, String(observer.tail()), observer.isClosed()]).toEqual([word, last, true])
      expect(observer.usage()).toMatchObject({ input: 1 })
    },
  )

  it.each([
    [frame('error', { error: { message: 'no' } })],
    [frame('response.failed', { response: { error: { message: 'no' } } })],
    ['data: {"error":{"message":"no"}}\n\n'],
    ['data: {"type":"error","message":"no"}\n\n'],
    ['event: error\ndata: {"message":"no","type":"x"}\n\n'],
  ])('lets no error of the upstream through: %j', failing => {
    const { observer, out } = listen(word, failing, word)
    expect(out).toBe(word)
    expect(observer.failure()).toBeTypeOf('object')
    expect(observer.isClosed()).toBe(false)
  })

  it.each([
    frame('error', { error: { code: 'invalid_prompt', message: 'no' } }),
    frame('error', { code: 'invalid_prompt', message: 'no' }),
    'data: {"error":{"code":"invalid_prompt","message":"no"}}\n\n',
  ])('a refusal ends with a failed response, the vendor’s own or a made one: %s', refusal => {
    const created = frame('response.created', { response: { id: 'resp_1' } })
    const error = { code: 'invalid_prompt', message: 'no' }
    const failed = frame('response.failed', { response: { id: 'resp_1', error } })
    for (const own of [[failed], [failed, word]]) {
      const { observer, out } = listen(created, refusal, ...own)
      expect([out, String(observer.tail())]).toEqual([created, refusal + failed])
      expect([observer.isClosed(), observer.failure()]).toEqual([true, undefined])
      expect(observer.requestFailure?.()).toMatchObject({ type: 'response.failed' })
    }
    for (const other of [[], [': a comment\n\n'], [word], [refusal, word]]) {
      const { observer, out } = listen(created, refusal, ...other)
      expect(observer.end?.()).toBe(true)
      expect(out).toBe(created)
      expect(String(observer.tail())).toMatch(
        new RegExp(
          `^${escaped(refusal)}event: response.failed\\ndata: {.*invalid_prompt.*}\\n\\n$`,
        ),
      )
    }
  })

  it('counts what is sold by the call: by the own count of the upstream, else by what it did', () => {
    const item = (fields: object) => frame('response.output_item.done', { item: fields })
    const frames = [
      item({ type: 'web_search_call', action: { type: 'search' } }),
      item({ type: 'web_search_call', action: { type: 'open_page' } }),
      item({ type: 'image_generation_call' }),
      item({ type: 'function_call' }),
    ]
    const usage = { input_tokens: 1, output_tokens: 1 }
    const toolsOf = (...more: string[]) => {
      const result = listen(...frames, ...more).observer.usage()
      return typeof result === 'object' ? result.tools : result
    }
    expect(toolsOf(end(usage))).toStrictEqual({ web_search: 1, image_generation: 1 })
    const again = item({ type: 'image_generation_call' })
    expect(toolsOf(again, frame('response.output_item.done'), end(usage))).toStrictEqual({
      web_search: 1,
      image_generation: 2,
    })
    expect(toolsOf(end(null))).toBeUndefined()
    expect(toolsOf(end({ input_tokens: -1 }))).toBe('broken')
    for (const [num_requests, result] of [
      [3, { web_search: 3, image_generation: 1 }],
      [1, { web_search: 1, image_generation: 1 }],
      [0, { image_generation: 1 }],
      ['x', { web_search: 1, image_generation: 1 }],
      [-1, { web_search: 1, image_generation: 1 }],
      [1.5, { web_search: 1, image_generation: 1 }],
    ] as const)
      expect(toolsOf(end(usage, { tool_usage: { web_search: { num_requests } } }))).toStrictEqual(
        result,
      )
    const image = { type: 'image_generation_call', quality: 'high', size: '1024x1024' }
    expect(toolsOf(item(image), item(image), end(usage))).toStrictEqual({
      web_search: 1,
      image_generation: 1,
      'image_generation:high-1024x1024': 2,
    })
    // An item that is only begun, and one that another event names, are not sold yet.
    const begun = frame('response.output_item.added', { item: { type: 'web_search_call' } })
    expect(toolsOf(begun, end(usage))).toStrictEqual({ web_search: 1, image_generation: 1 })
  })

  it('counts the same in a whole answer', () => {
    const toolsOf = (more: object) => {
      const answer = { object: 'response', usage: { input_tokens: 1 }, ...more }
      const facts = readAnswer(Buffer.from(JSON.stringify(answer)))
      return facts.ok && typeof facts.usage === 'object' ? facts.usage.tools : facts
    }
    const output = ['web_search_call', 'web_search_call', 'code_interpreter_call', 'new_call'].map(
      type => ({ type }),
    )
    expect(toolsOf({ output })).toStrictEqual({ web_search: 2, code_interpreter: 1 })
    const tool_usage = { web_search: { num_requests: 5 } }
    expect(toolsOf({ output, tool_usage })).toStrictEqual({ web_search: 5, code_interpreter: 1 })
    expect(toolsOf({ tool_usage })).toStrictEqual({ web_search: 5 })
    expect(toolsOf({ output: output[0] })).toStrictEqual({})
    const image = { type: 'image_generation_call', quality: 'low', size: '1536x1024' }
    expect(toolsOf({ output: [image, image] })).toStrictEqual({
      'image_generation:low-1536x1024': 2,
    })
    expect(toolsOf({})).toStrictEqual({})
  })

  it('says the id of the answer, and of nothing else', () => {
    const created = frame('response.created', { response: { object: 'response', id: 'resp_1' } })
    const item = frame('response.output_item.done', { item: { type: 'message', id: 'msg_1' } })
    expect(listen(word, item).observer.responseId?.()).toBeUndefined()
    expect(listen(created, item, end(null, { id: 'resp_2' })).observer.responseId?.()).toBe(
      'resp_1',
    )
    const idOf = (answer: object) => {
      const facts = readAnswer(Buffer.from(JSON.stringify(answer)))
      return facts.ok ? facts.responseId : 'no answer'
    }
    const output = [{ type: 'message', id: 'msg_1', content: [{ id: 'x' }] }]
    expect(idOf({ output, id: 'resp_3', object: 'response' })).toBe('resp_3')
    expect(idOf({ output, object: 'response' })).toBeUndefined()
    expect(idOf({ id: 'resp_4', object: 'response.compaction', output: [] })).toBe('resp_4')
    expect(idOf({ id: 'resp_5', object: 'response.deleted' })).toBe('no answer')
  })

  it('meters what the model wrote, and no sound', () => {
    const { observer } = listen(
      frame('response.output_text.delta', { delta: '12345678' }),
      frame('response.function_call_arguments.delta', { delta: 'abcd' }),
      frame('response.audio.delta', { delta: 'A'.repeat(400) }),
      frame('response.output_text.done', { text: '12345678' }),
    )
    // 8 digits at half a token, 4 letters at a quarter.
    expect(observer.meteredTokens()).toBe(5)
    const meteredOf = (delta: unknown) =>
      listen(frame('response.new', { delta })).observer.meteredTokens()
    // A fifth letter is more than a token, wherever it stands.
    expect(['abcd', 'abcde', '', ['abcd'], 7].map(meteredOf)).toEqual([1, 2, 0, 0, 0])
  })

  it.each<[object, number]>([
    [{ content: [{ type: 'output_text', text: 'abcde' }] }, 2],
    [{ content: [{ type: 'refusal', refusal: 'abcde' }] }, 2],
    [{ summary: [{ text: 'abcd' }, { text: 'abcd' }], content: [{ text: 'abcde' }] }, 4],
    [{ arguments: 'abcde' }, 2],
    [{ input: 'abcde' }, 2],
    [{ code: 'abcde' }, 2],
    [{ text: 'abcde', id: 'abcde', result: 'abcde' }, 0],
    [{ logs: [{ text: 'abcde' }] }, 0],
    [{ content: [{ type: 'abcde', annotations: [{ text: 'abcde' }] }] }, 0],
    [{ content: [{ text: 'abcde' }], results: [{ text: 'abcdefghij' }] }, 2],
    [{ action: { arguments: 'abcde', input: 'abcde' } }, 0],
    [{ content: [{ arguments: 'abcde', code: 'abcde' }] }, 0],
  ])('meters what the model wrote in a whole answer: %j', (item, tokens) => {
    const more = { instructions: [{ content: [{ text: 'abcde' }] }], input: 'abcde' }
    const answer = { object: 'response', text: 'abcde', ...more, output: [item] }
    expect(readAnswer(Buffer.from(JSON.stringify(answer)))).toMatchObject({ meteredTokens: tokens })
  })

  it.each([
    ['{"object":"response","usage":null}', { ok: true, usage: undefined, meteredTokens: 0 }],
    ['{"object":"response","error":""}', { ok: true }],
    ['{"object":"response","error":"no"}', { ok: false, failure: { error: 'no' } }],
    ['{"object":"response","error":{}}', { ok: false, failure: { error: {} } }],
    ['{"usage":{"input_tokens":1}}', { ok: false, failure: { usage: { input_tokens: 1 } } }],
    ['{"object":7,"id":"x"}', { ok: false }],
    ['[{"object":"response"}]', { ok: false, failure: undefined }],
    ['"response"', { ok: false, failure: undefined }],
    ['{"object":"response"', { ok: false, failure: undefined }],
    ['{"object":"response","metadata":{"usage":{"input_tokens":1}}}', { usage: undefined }],
    ['{"object":"response","usage":{"input_tokens":1}}', { usage: { input: 1 } }],
  ])('an answer under a good status may be none: %s', (body, facts) => {
    expect(readAnswer(Buffer.from(body))).toMatchObject(facts)
  })

  it('takes nothing from where it does not stand', () => {
    const strays = [
      frame('response.new', { part: { id: 'x', usage: { input_tokens: 9 }, error: {} } }),
      frame('response.new', { item: { usage: { input_tokens: 9 } } }),
      frame('response.new', { response: { metadata: { usage: { input_tokens: 9 }, id: 'x' } } }),
      frame('response.new', { response: { usage: 9, id: 7, tool_usage: [], error: {} } }),
      frame('response.new', { response: [{ id: 'x' }], list: [{ usage: { input_tokens: 9 } }] }),
    ]
    const { observer, out } = listen(...strays)
    expect([out, observer.usage(), observer.responseId?.(), observer.malformedFrames()]).toEqual([
      strays.join(''),
      undefined,
      undefined,
      0,
    ])
    const { observer: last } = listen(...strays, end({ input_tokens: 1 }, { id: 'r' }))
    expect([last.usage(), last.responseId?.()]).toMatchObject([{ input: 1 }, 'r'])
  })

  it('leaves out the closing word of another dialect, and tells it from garbage', () => {
    const { observer, out } = listen(word, 'data: [DONE]\n\n', word)
    expect([out, observer.malformedFrames()]).toEqual([word + word, 0])
    const odd = ['{"a":1}', '[1]', '[DONE', '{"type":7}', 'DONE'].map(each => `data: ${each}\n\n`)
    expect(listen(...odd).observer.malformedFrames()).toBe(5)
  })

  it('says broken where the usage is, and drops garbage', () => {
    const { observer, out } = listen(
      'data: {"a":\n\n<html>\n\ndata: 7\n\n',
      word,
      end({ input_tokens: -4 }),
    )
    expect([out, observer.malformedFrames(), observer.usage()]).toEqual([word, 3, 'broken'])
  })
})
