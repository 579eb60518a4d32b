import { describe, expect, it } from 'vitest'
import { observeStream } from './stream-observer.ts'

const observe = (text: string, wantsUsage = false, n = 1) => {
  const observer = observeStream({ wantsUsage, n })
  return { observer, out: String(Buffer.concat([...observer.push(Buffer.from(text))])) }
}
const word = 'data: {"choices":[{"delta":{"content":"word"}}]}\n\n'
const usage = '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}'

describe('the tap', () => {
  it('hands on the very chunk where all of it may go', () => {
    const chunk = Buffer.from(word + word)
    expect(observeStream({ wantsUsage: false, n: 1 }).push(chunk)[0]).toBe(chunk)
  })

  it('hides the usage frame that the caller had not asked for, and holds back the end', () => {
    const { observer, out } = observe(`${word}data: ${usage}\n\ndata: [DONE]\n\n`)
    expect(out).toBe(word)
    expect(observer.usage()).toMatchObject({ input: 1, output: 2 })
    expect([observer.isClosed(), String(observer.tail())]).toEqual([true, 'data: [DONE]\n\n'])
    expect(observe(`data: ${usage}\n\n`, true).out).toBe(`data: ${usage}\n\n`)
  })

  it('leaves usage that comes with choices', () => {
    const frame =
      'data: {"choices":[{"delta":{}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'
    expect(observe(frame)).toMatchObject({ out: frame })
  })

  it.each([
    ['{"choices":[{}],"usage":null}', '{"choices":[{}]}'],
    ['{"usage":null,"choices":[{}]}', '{"choices":[{}]}'],
    ['{"a":1, "usage" : null , "choices":[{}]}', '{"a":1 , "choices":[{}]}'],
    ['{"usage":null}', '{}'],
    ['{"choices":[{"delta":{"usage":null}}]}', '{"choices":[{"delta":{"usage":null}}]}'],
    ['{"choices":[{"usage":null}]}', '{"choices":[{"usage":null}]}'],
  ])('takes the empty usage out of %s', (sent, result) => {
    expect(observe(`data: ${sent}\n\n`).out).toBe(`data: ${result}\n\n`)
    expect(observe(`data: ${sent}\n\n`, true).out).toBe(`data: ${sent}\n\n`)
  })

  it('takes the empty usage out of a frame with a name, and leaves one that is cut in lines', () => {
    const named = (json: string) => `event: message\ndata: ${json}\n\n`
    expect(observe(named('{"usage":null,"choices":[{}]}')).out).toBe(named('{"choices":[{}]}'))
    const cut = 'data: {"usage":null,\ndata: "choices":[{}]}\n\n'
    expect(observe(cut)).toMatchObject({ out: cut })
  })

  it.each([
    ['{"choices":[],"usage":{"prompt_tokens":1}}', { input: 1 }],
    ['{"usage":{"prompt_tokens":1,"prompt_tokens_details":{"a":[]}},"choices":[]}', { input: 1 }],
    // Moonshot tells the usage inside the last choice.
    ['{"choices":[{"delta":{},"usage":{"prompt_tokens":1,"x":{"y":{}}},"z":{}}]}', { input: 1 }],
    ['{"choices":[{"delta":{"usage":{"prompt_tokens":1}}}]}', undefined],
    ['{"choices":[{"delta":{"x":{"usage":{"prompt_tokens":1}}}}]}', undefined],
    ['{"other":[{"usage":{"prompt_tokens":1}}]}', undefined],
    ['{"other":{"usage":{"prompt_tokens":1}}}', undefined],
    ['{"usage":null}', undefined],
    ['{"usage":5}', 'broken'],
    ['{"usage":"none"}', 'broken'],
  ])('hears in %s the usage %j', (json, expected) => {
    const observed = observe(`data: ${json}\n\n`).observer.usage()
    if (typeof expected === 'object') expect(observed).toMatchObject(expected)
    else expect(observed).toBe(expected)
  })

  it('the last usage counts', () => {
    const later = usage.replace('"prompt_tokens":1', '"prompt_tokens":7')
    expect(observe(`data: ${usage}\n\ndata: ${later}\n\n${word}`).observer.usage()).toMatchObject({
      input: 7,
    })
  })

  it.each([
    ['id: 5\n\n', 'id: 5\n\n', 0],
    ['event: x\n\n', 'event: x\n\n', 0],
    [': a comment\n\n', ': a comment\n\n', 0],
    ['odd: 5\ndata: {}\n\n', '', 1],
    ['data: {}\n\n', 'data: {}\n\n', 0],
    ['data: {\ndata: }\n\n', 'data: {\ndata: }\n\n', 0],
    ['data: [1]\n\n', '', 1],
    ['data: [DATA]\n\n', '', 1],
    ['data: "DONE"\n\n', '', 1],
    // A dropped frame takes its blank lines along.
    ['data: 7\n\n\n\n', '', 1],
    ['data: {}\n\n\n\n', 'data: {}\n\n\n\n', 0],
    ['\ndata: {}\n\n', '\ndata: {}\n\n', 0],
    ['data: {"usage":{}}\n\n', 'data: {"usage":{}}\n\n', 0],
    // A byte order mark before the first line says nothing; what only begins like one is garbage, as is a later one.
    ['\uFEFFdata: {}\n\n', 'data: {}\n\n', 0],
    ['\uFEC0data: {}\n\n', '', 1],
    ['a\u00FFdata: {}\n\n', '', 1],
    ['data: {}\n\n\uFEFFdata: {}\n\n', 'data: {}\n\n', 1],
  ])('of %j goes on %j, and %i is garbage', (sent, result, malformedFrames) => {
    const { observer, out } = observe(sent)
    expect([out, observer.malformedFrames(), observer.failure()]).toEqual([
      result,
      malformedFrames,
      undefined,
    ])
  })

  it.each([
    ['data: [DONE]\n\n', 'data: [DONE]\n\n'],
    ['data:[DONE] \n\n', 'data:[DONE] \n\n'],
    ['event: error\ndata: [DONE]\n\n', 'event: error\ndata: [DONE]\n\n'],
    ['data:[DONE]\n', 'data:[DONE]\n\n\n'],
    ['\uFEFFdata: [DONE]', '\uFEFFdata: [DONE]\n\n'],
    ['data: [DONE', ''],
    ['', ''],
  ])('behind %j the end is %j, and nothing goes on', (sent, tail) => {
    const { observer, out } = observe(word + sent)
    expect([out, observer.isClosed(), String(observer.tail())]).toEqual([word, tail !== '', tail])
    expect(observer.failure()).toBeUndefined()
  })

  it('passes nothing on behind the end, in the same chunk or a later one', () => {
    const { observer, out } = observe(`${word}data: [DONE]\n\n${word}`)
    expect([out, observer.push(Buffer.from(word))]).toEqual([word, []])
    // Nor is it awaited: an unending frame is no failure any more.
    observer.push(Buffer.alloc(17 * 1024 * 1024, 'x'))
    expect([String(observer.tail()), observer.failure()]).toEqual(['data: [DONE]\n\n', undefined])
  })

  it('drops garbage and counts it', () => {
    const { observer, out } = observe(`data: {"a":\n\n<html>\n\ndata: 7\n\ndata:\n\n${word}`)
    expect([out, observer.malformedFrames()]).toEqual([word, 4])
  })

  it.each([
    ['data: {"error":{"message":"no"}}\n\n'],
    ['data: {"choices":[{"delta":{}}],"error":{"code":502}}\n\n'],
    ['data: {"object":"error","message":"no"}\n\n'],
    ['event: error\ndata: {"message":"no"}\n\n'],
  ])('lets no error of the upstream through: %j', frame => {
    const { observer, out } = observe(word + frame + word)
    expect(out).toBe(word)
    expect(observer.failure()).toEqual(JSON.parse(frame.slice(frame.indexOf('{'))))
    expect(observer.push(Buffer.from(word))).toEqual([])
  })

  it('does not take a word about errors or usage for one', () => {
    const { observer } = observe(
      'data: {"choices":[{"delta":{"content":"\\"error\\":{ \\"usage\\":{"}}],"error":null}\n\n',
    )
    expect([observer.failure(), observer.usage(), observer.malformedFrames()]).toEqual([
      undefined,
      undefined,
      0,
    ])
  })

  it('ends at a frame without end, and passes a flood of comments on', () => {
    const observer = observeStream({ wantsUsage: false, n: 1 })
    observer.push(Buffer.from('data: "'))
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (let count = 0; count < 15; count += 1) observer.push(chunk)
    expect(observer.failure()).toBeUndefined()
    observer.push(chunk)
    expect(observer.failure()).toEqual({
      error: { message: 'A frame is larger than 16 MiB.', type: 'frame_too_large', code: null },
    })
    expect(observer.push(Buffer.from('"}\n\n'))).toEqual([])

    const flood = Buffer.from(': flood\n'.repeat(100_000))
    expect(observeStream({ wantsUsage: false, n: 1 }).push(flood)).toEqual([flood])
  })

  it('costs no more than its bytes, one by one', () => {
    const byte = Buffer.from('x')
    const cost = (count: number) => {
      const observer = observeStream({ wantsUsage: false, n: 1 })
      const begun = process.threadCpuUsage().user
      for (let at = 0; at < count; at += 1) observer.push(byte)
      // The kernel counts the time of a thread in steps of a few milliseconds.
      return Math.max(4_000, process.threadCpuUsage().user - begun)
    }
    const least = (count: number) => Math.min(cost(count), cost(count), cost(count))
    // Ten times the bytes: about 10 where it is linear, 100 where it is quadratic.
    expect(least(400_000) / least(40_000)).toBeLessThan(40)
  })

  it('meters what the model wrote', () => {
    const { observer } = observe(
      'data: {"id":"long-long-long","choices":[{"delta":{"content":"12345678","reasoning":"abcd","reasoning_content":"abcd","tool_calls":[{"id":"call_1","function":{"name":"find","arguments":"\\"世界\\""}}]}}]}\n\n',
    )
    // 8 digits and 2 quotes at half a token, 4 + 4 letters at a quarter, 2 signs at one: 5 + 2 + 2.
    expect(observer.meteredTokens()).toBe(9)
  })

  // A letter is a quarter of a token.
  it.each([
    ['{"content":"abcdefgh"}', 2],
    ['{"refusal":"abcdefgh"}', 2],
    ['{"content":[{"type":"text","text":"abcdefgh"}]}', 2],
    ['{"content":["abcdefgh"]}', 0],
    ['{"reasoning":"abcdefgh"}', 2],
    ['{"reasoning_content":"abcdefgh"}', 2],
    ['{"reasoning_content":"abcdefgh","reasoning":"abcd"}', 2],
    ['{"reasoning_content":"abcd","reasoning_details":[{"text":"abcdefgh"}]}', 2],
    ['{"content":"abcd","reasoning":"abcd"}', 2],
    ['{"tool_calls":[{"function":{"name":"abcd","arguments":"abcd"}}]}', 2],
    ['{"content":"abcde"}', 2],
    ['{"content":5,"role":"abcdefgh","id":"abcdefgh","reasoning_summary":"abcdefgh"}', 0],
    ['{"nome":"abcdefgh","contend":"abcdefgh","argumentz":"abcdefgh"}', 0],
  ])('meters %s as %i tokens', (delta, tokens) => {
    expect(observe(`data: {"choices":[{"delta":${delta}}]}\n\n`).observer.meteredTokens()).toBe(
      tokens,
    )
    expect(observe(`data: {"choices":{},"other":[${delta}]}\n\n`).observer.meteredTokens()).toBe(0)
  })

  it('meters what came in all frames', () => {
    expect(observe(word + word + word).observer.meteredTokens()).toBe(3)
  })

  it('says broken where the usage is', () => {
    const { observer } = observe('data: {"choices":[],"usage":{"prompt_tokens":-4}}\n\n')
    expect(observer.usage()).toBe('broken')
  })

  it('knows the end without the blank line', () => {
    const { observer } = observe(`${word}data: [DONE]`)
    expect([observer.isClosed(), String(observer.tail())]).toEqual([true, 'data: [DONE]\n\n'])
    expect(observe(word).observer.isClosed()).toBe(false)
  })
})

describe('a stream that ends without [DONE]', () => {
  const choice = (index: number, fields: object) =>
    `data: ${JSON.stringify({ choices: [{ index, ...fields }] })}\n\n`
  const text = (index = 0) => choice(index, { delta: { content: 'word' }, finish_reason: null })
  const finish = (index = 0, content?: string) =>
    choice(index, { delta: { content }, finish_reason: 'stop' })
  const usageFrame = `data: ${usage}\n\n`
  const endOf = (stream: string, wantsUsage = false, n = 1) => {
    const { observer, out } = observe(stream, wantsUsage, n)
    expect(observer.isClosed()).toBe(false)
    const isComplete = observer.end!()
    expect(observer.isClosed()).toBe(isComplete)
    return { isComplete, all: out + observer.tail(), observer }
  }

  it.each([
    ['after the finish', text() + finish(), false, 1],
    ['after finish and usage', text() + finish() + usageFrame, true, 1],
    ['after the finish of both choices', text() + finish(1) + text() + finish(0), false, 2],
    ['after a finish with text', text() + finish(0, 'end'), false, 1],
    ['after a repeated finish', text() + finish() + finish(0, ''), false, 1],
  ])('is complete %s, and gets the closing frame', (_, stream, wantsUsage, n) => {
    const { isComplete, all } = endOf(stream, wantsUsage, n)
    expect(isComplete).toBe(true)
    expect(all).toBe(`${stream}data: [DONE]\n\n`)
  })

  it.each([
    ['before the finish', text(), false, 1],
    ['before anything', '', false, 1],
    ['with an empty finish', choice(0, { delta: {}, finish_reason: '' }), false, 1],
    ['before the usage that the caller requested', text() + finish(), true, 1],
    ['before the finish of the second choice', text() + finish() + text(1), false, 2],
    ['before the second choice', text() + finish(), false, 2],
    ['where each frame has a finish', finish(0, 'a') + finish(0, 'b'), false, 1],
    ['with a finish inside a tool call', choice(0, { delta: { finish_reason: 'stop' } }), false, 1],
  ])('is broken %s', (_, stream, wantsUsage, n) => {
    expect(endOf(stream, wantsUsage, n).isComplete).toBe(false)
  })

  it('takes a last frame without its blank line for a frame', () => {
    const { isComplete, all } = endOf(text() + finish().trimEnd())
    expect([isComplete, all]).toEqual([true, `${text()}${finish()}data: [DONE]\n\n`])
  })

  it('meters nothing that it does not forward', () => {
    const { isComplete, observer } = endOf(text() + text().trimEnd())
    expect([isComplete, observer.meteredTokens()]).toEqual([false, 1])
  })

  it('hides usage that the caller had not requested', () => {
    const { all, observer } = endOf(text() + finish() + usageFrame)
    expect(all).toBe(`${text()}${finish()}data: [DONE]\n\n`)
    expect(observer.usage()).toMatchObject({ output: 2 })
  })
})
