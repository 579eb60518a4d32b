import { describe, expect, it } from 'vitest'
import { tap } from './tap.ts'

const listen = (text: string, wantsUsage = false) => {
  const ear = tap({ wantsUsage })
  return { ear, out: String(Buffer.concat([...ear.push(Buffer.from(text))])) }
}
const word = 'data: {"choices":[{"delta":{"content":"word"}}]}\n\n'
const usage = '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}'

describe('the tap', () => {
  it('hands on the very chunk where all of it may go', () => {
    const chunk = Buffer.from(word + word)
    expect(tap({ wantsUsage: false }).push(chunk)[0]).toBe(chunk)
  })

  it('hides the usage frame that the caller had not asked for, and holds back the end', () => {
    const { ear, out } = listen(`${word}data: ${usage}\n\ndata: [DONE]\n\n`)
    expect(out).toBe(word)
    expect(ear.usage()).toMatchObject({ input: 1, output: 2 })
    expect([ear.isClosed(), String(ear.tail())]).toEqual([true, 'data: [DONE]\n\n'])
    expect(listen(`data: ${usage}\n\n`, true).out).toBe(`data: ${usage}\n\n`)
  })

  it('leaves usage that comes with choices', () => {
    const frame =
      'data: {"choices":[{"delta":{}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n'
    expect(listen(frame)).toMatchObject({ out: frame })
  })

  it.each([
    ['{"choices":[{}],"usage":null}', '{"choices":[{}]}'],
    ['{"usage":null,"choices":[{}]}', '{"choices":[{}]}'],
    ['{"a":1, "usage" : null , "choices":[{}]}', '{"a":1 , "choices":[{}]}'],
    ['{"usage":null}', '{}'],
    ['{"choices":[{"delta":{"usage":null}}]}', '{"choices":[{"delta":{"usage":null}}]}'],
    ['{"choices":[{"usage":null}]}', '{"choices":[{"usage":null}]}'],
  ])('takes the empty usage out of %s', (sent, told) => {
    expect(listen(`data: ${sent}\n\n`).out).toBe(`data: ${told}\n\n`)
    expect(listen(`data: ${sent}\n\n`, true).out).toBe(`data: ${sent}\n\n`)
  })

  it('takes the empty usage out of a frame with a name, and leaves one that is cut in lines', () => {
    const named = (json: string) => `event: message\ndata: ${json}\n\n`
    expect(listen(named('{"usage":null,"choices":[{}]}')).out).toBe(named('{"choices":[{}]}'))
    const cut = 'data: {"usage":null,\ndata: "choices":[{}]}\n\n'
    expect(listen(cut)).toMatchObject({ out: cut })
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
    const heard = listen(`data: ${json}\n\n`).ear.usage()
    if (typeof expected === 'object') expect(heard).toMatchObject(expected)
    else expect(heard).toBe(expected)
  })

  it('the last usage counts', () => {
    const later = usage.replace('"prompt_tokens":1', '"prompt_tokens":7')
    expect(listen(`data: ${usage}\n\ndata: ${later}\n\n${word}`).ear.usage()).toMatchObject({
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
    // What was dropped takes its blank lines along.
    ['data: 7\n\n\n\n', '', 1],
    ['data: {}\n\n\n\n', 'data: {}\n\n\n\n', 0],
    ['\ndata: {}\n\n', '\ndata: {}\n\n', 0],
    ['data: {"usage":{}}\n\n', 'data: {"usage":{}}\n\n', 0],
    // A byte order mark before the first line says nothing; what only begins like one is garbage, as is a later one.
    ['\uFEFFdata: {}\n\n', 'data: {}\n\n', 0],
    ['\uFEC0data: {}\n\n', '', 1],
    ['a\u00FFdata: {}\n\n', '', 1],
    ['data: {}\n\n\uFEFFdata: {}\n\n', 'data: {}\n\n', 1],
  ])('of %j goes on %j, and %i is garbage', (sent, told, malformedFrames) => {
    const { ear, out } = listen(sent)
    expect([out, ear.malformedFrames(), ear.failure()]).toEqual([told, malformedFrames, undefined])
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
    const { ear, out } = listen(word + sent)
    expect([out, ear.isClosed(), String(ear.tail())]).toEqual([word, tail !== '', tail])
    expect(ear.failure()).toBeUndefined()
  })

  it('passes nothing on behind the end, in the same chunk or a later one', () => {
    const { ear, out } = listen(`${word}data: [DONE]\n\n${word}`)
    expect([out, ear.push(Buffer.from(word))]).toEqual([word, []])
    // Nor is it awaited: an unending frame is no failure any more.
    ear.push(Buffer.alloc(17 * 1024 * 1024, 'x'))
    expect([String(ear.tail()), ear.failure()]).toEqual(['data: [DONE]\n\n', undefined])
  })

  it('drops garbage and counts it', () => {
    const { ear, out } = listen(`data: {"a":\n\n<html>\n\ndata: 7\n\ndata:\n\n${word}`)
    expect([out, ear.malformedFrames()]).toEqual([word, 4])
  })

  it.each([
    ['data: {"error":{"message":"no"}}\n\n'],
    ['data: {"choices":[{"delta":{}}],"error":{"code":502}}\n\n'],
    ['data: {"object":"error","message":"no"}\n\n'],
    ['event: error\ndata: {"message":"no"}\n\n'],
  ])('lets no error of the upstream through: %j', frame => {
    const { ear, out } = listen(word + frame + word)
    expect(out).toBe(word)
    expect(ear.failure()).toEqual(JSON.parse(frame.slice(frame.indexOf('{'))))
    expect(ear.push(Buffer.from(word))).toEqual([])
  })

  it('does not take a word about errors or usage for one', () => {
    const { ear } = listen(
      'data: {"choices":[{"delta":{"content":"\\"error\\":{ \\"usage\\":{"}}],"error":null}\n\n',
    )
    expect([ear.failure(), ear.usage(), ear.malformedFrames()]).toEqual([undefined, undefined, 0])
  })

  it('ends at a frame without end, and passes a flood of comments on', () => {
    const ear = tap({ wantsUsage: false })
    ear.push(Buffer.from('data: "'))
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (let count = 0; count < 15; count += 1) ear.push(chunk)
    expect(ear.failure()).toBeUndefined()
    ear.push(chunk)
    expect(ear.failure()).toEqual({
      error: { message: 'A frame is larger than 16 MiB.', type: 'frame_too_large', code: null },
    })
    expect(ear.push(Buffer.from('"}\n\n'))).toEqual([])

    const flood = Buffer.from(': flood\n'.repeat(100_000))
    expect(tap({ wantsUsage: false }).push(flood)).toEqual([flood])
  })

  it('costs no more than its bytes, one by one', () => {
    const byte = Buffer.from('x')
    const cost = (count: number) => {
      const ear = tap({ wantsUsage: false })
      const begun = process.cpuUsage().user
      for (let at = 0; at < count; at += 1) ear.push(byte)
      return process.cpuUsage().user - begun
    }
    const least = (count: number) => Math.min(cost(count), cost(count), cost(count))
    // Ten times the bytes: about 10 where it is linear, 100 where it is quadratic.
    expect(least(400_000) / least(40_000)).toBeLessThan(40)
  })

  it('meters what the model wrote', () => {
    const { ear } = listen(
      'data: {"id":"long-long-long","choices":[{"delta":{"content":"12345678","reasoning":"abcd","reasoning_content":"abcd","tool_calls":[{"id":"call_1","function":{"name":"find","arguments":"\\"世界\\""}}]}}]}\n\n',
    )
    // 8 digits and 2 quotes at half a token, 4 + 4 letters at a quarter, 2 signs at one: 5 + 2 + 2.
    expect(ear.meteredTokens()).toBe(9)
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
    expect(listen(`data: {"choices":[{"delta":${delta}}]}\n\n`).ear.meteredTokens()).toBe(tokens)
    expect(listen(`data: {"choices":{},"other":[${delta}]}\n\n`).ear.meteredTokens()).toBe(0)
  })

  it('meters what came in all frames', () => {
    expect(listen(word + word + word).ear.meteredTokens()).toBe(3)
  })

  it('says broken where the usage is', () => {
    const { ear } = listen('data: {"choices":[],"usage":{"prompt_tokens":-4}}\n\n')
    expect(ear.usage()).toBe('broken')
  })

  it('knows the end without the blank line', () => {
    const { ear } = listen(`${word}data: [DONE]`)
    expect([ear.isClosed(), String(ear.tail())]).toEqual([true, 'data: [DONE]\n\n'])
    expect(listen(word).ear.isClosed()).toBe(false)
  })
})
