import { describe, expect, it } from 'vitest'
import { gemini, geminiArray } from '../index.ts'

const decodedRequest = gemini.read(Buffer.from('{}'), { model: 'm', stream: true })
if (!decodedRequest.ok) throw new Error(decodedRequest.hint)
const { parsed } = decodedRequest

const payload = (part: object, more: object = {}) =>
  JSON.stringify({ candidates: [{ content: { parts: [part] }, ...more }] })
const word = payload({ text: 'word' })
const last = payload({ text: 'last' }, { finishReason: 'STOP' })
const sse = (...frames: string[]) => frames.map(frame => `data: ${frame}\n\n`).join('')

const listen = (text: string, dialect = gemini) => {
  const observer = dialect.observeStream(parsed)
  return { observer: observer, out: String(Buffer.concat([...observer.push(Buffer.from(text))])) }
}

describe('the tap', () => {
  it('hands on the very chunk where all of it may go', () => {
    const chunk = Buffer.from(sse(word, word))
    expect(gemini.observeStream(parsed).push(chunk)[0]).toBe(chunk)
  })

  it('holds back what may be the last frame until another comes, or the end', () => {
    const { observer, out } = listen(sse(word, last, last, word))
    expect([out, observer.isClosed()]).toEqual([sse(word, last, last), false])
    expect([observer.end?.(), observer.isClosed(), String(observer.tail())]).toEqual([
      true,
      true,
      sse(word),
    ])
  })

  it('a last frame may lack its blank line', () => {
    const { observer } = listen(sse(word) + sse(last).trimEnd())
    expect([observer.end?.(), String(observer.tail()).trimEnd()]).toEqual([
      true,
      sse(last).trimEnd(),
    ])
  })

  it('an end without its reason is none', () => {
    for (const [text, dialect] of [
      [sse(word), gemini],
      [`[${word}`, geminiArray],
      [`[${word},${last}`, geminiArray],
      [`[${word}]`, geminiArray],
      [word, geminiArray],
    ] as const) {
      const { observer } = listen(text, dialect)
      expect([observer.end?.(), observer.isClosed(), observer.tail().length]).toEqual([
        false,
        false,
        0,
      ])
    }
  })

  it('a refused prompt is a whole answer', () => {
    const { observer } = listen(sse('{"promptFeedback":{"blockReason":"SAFETY"}}'))
    expect(observer.end?.()).toBe(true)
  })

  it('an array is handed on element by element, and closed at its end', () => {
    const { observer, out } = listen(`[${word}\n,\r\n${last},${last}\n]\n`, geminiArray)
    expect(out).toBe(`[${word}\n,\r\n${last}`)
    expect([observer.end?.(), String(observer.tail())]).toEqual([true, `,${last}\n]\n`])
  })

  it('an array is cut between its elements, whatever brackets stand in their words', () => {
    const odd = `{"":"}",${payload({ text: 'a"}]}]}]}]}\\"' }).slice(1)}`
    const observer = geminiArray.observeStream(parsed)
    expect(observer.push(Buffer.from('['))).toEqual([])
    expect(
      String(Buffer.concat([...observer.push(Buffer.from(`${odd},${odd.slice(0, 9)}`))])),
    ).toBe(`[${odd}`)
    expect(observer.push(Buffer.from(odd.slice(9, 20)))).toEqual([])
    expect(String(observer.push(Buffer.from(`${odd.slice(20)},${last}]`))[0])).toBe(`,${odd}`)
    expect([observer.end?.(), String(observer.tail()), observer.malformedFrames()]).toEqual([
      true,
      `,${last}]`,
      0,
    ])
  })

  it.each([
    ['an answer without its array', word, ''],
    ['an answer behind the array', `[${word},${last}]${word}`, `[${word}`],
    ['a comma before the array', `,[${word}]`, ''],
  ])('nothing behind what cannot be read goes on: %s', (_, text, handed) => {
    const { observer, out } = listen(text, geminiArray)
    expect([out, observer.malformedFrames(), observer.failure(), observer.end?.()]).toEqual([
      handed,
      1,
      undefined,
      false,
    ])
    expect(observer.push(Buffer.from(`[${word}]`))).toEqual([])
    expect(observer.malformedFrames()).toBe(1)
  })

  it('an element may be large, but not without bound', () => {
    const large = Buffer.alloc(17 * 1024 * 1024, 0x20)
    const { observer } = listen('[{', geminiArray)
    observer.push(large)
    expect(observer.failure()).toMatchObject({ error: { type: 'frame_too_large' } })
    const lost = geminiArray.observeStream(parsed)
    lost.push(Buffer.concat([Buffer.from('7'), large]))
    expect([lost.failure(), lost.malformedFrames()]).toEqual([undefined, 1])
  })

  it.each([[gemini], [geminiArray]])('nothing goes on behind an error', dialect => {
    const failing = '{"error":{"code":503,"message":"no"}}'
    const [error, more] =
      dialect === gemini ? [sse(failing), sse(word)] : [`[${failing}`, `,${word}`]
    const { observer } = listen(error, dialect)
    expect([observer.push(Buffer.from(more)), observer.malformedFrames()]).toEqual([[], 0])
  })

  it('another dialect’s closing frame is left out; what is no frame is counted', () => {
    const { observer, out } = listen(sse(word, '[DONE]', '[1]', '[2]', 'x', '"[DONE]"'))
    expect([out, observer.malformedFrames()]).toEqual([sse(word), 4])
  })

  // https://ai.google.dev/api/generate-content#FinishReason
  it.each([
    ['a reason', last, true],
    ['a reason that is none', payload({}, { finishReason: 'FINISH_REASON_UNSPECIFIED' }), false],
    ['no reason yet', payload({}, { finishReason: null, finishMessage: 'x' }), false],
    ['a reason elsewhere', '{"modelStatus":[{"finishReason":"STOP"}],"finishReason":"x"}', false],
    ['a refused prompt', '{"promptFeedback":{"blockReason":"OTHER"}}', true],
    ['a rating of a prompt', '{"promptFeedback":{"safetyRatings":[{"blockReason":"x"}]}}', false],
    ['a prompt that was not refused', '{"promptFeedback":{"blockReason":null}}', false],
    ['a refusal elsewhere', '{"modelStatus":{"blockReason":"x"}}', false],
  ])('whether an answer is whole: %s', (_, frame, isWhole) => {
    expect(listen(sse(frame)).observer.end?.()).toBe(isWhole)
  })

  it.each([
    [gemini, sse('{"error":{"code":503,"message":"no"}}')],
    [geminiArray, ',{"error":{"code":503,"message":"no"}}]'],
  ])('lets no error of the upstream through', (dialect, failing) => {
    const begun = dialect === gemini ? sse(word) : `[${word}`
    const { observer, out } = listen(begun + failing, dialect)
    expect([out, observer.failure()]).toEqual([begun, { error: { code: 503, message: 'no' } }])
    expect(observer.end?.()).toBe(false)
  })

  it('an error in place of an array is one', () => {
    const { observer } = listen('{"error":{"code":400,"message":"no"}}', geminiArray)
    expect(observer.failure()).toEqual({ error: { code: 400, message: 'no' } })
  })

  it('what is no element ends an array: nothing behind it could be read', () => {
    const { observer, out } = listen(`[${word},7,${last}]`, geminiArray)
    expect([out, observer.malformedFrames(), observer.end?.()]).toEqual([`[${word}`, 1, false])
  })

  it('meters what the model wrote: texts, names and arguments of calls, and code', () => {
    const { observer } = listen(
      sse(
        payload({ text: '12345678' }),
        payload({ functionCall: { name: 'find', args: { a: 'b' } } }),
        payload({ executableCode: { code: 'abcd' } }),
        payload({ inlineData: { data: 'A'.repeat(400) } }),
        payload({}, { groundingMetadata: { groundingSupports: [{ segment: { text: 'abcd' } }] } }),
      ),
    )
    // Digits and signs at half a token, letters at a quarter: 4 + 1, `{"a":"b"}` 4, 1.
    expect(observer.meteredTokens()).toBe(10)
  })

  // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
  it.each([
    [{ functionCall: { partialArgs: [{ jsonPath: '$.abcd', stringValue: 'abcd' }] } }, 1],
    [{ functionCall: { name: 'abcd', args: null, partialArgs: [{ numberValue: 7 }] } }, 1],
    [{ functionCall: { name: 'abcd', args: { stringValue: 'abcdefgh' } } }, 10],
    [{ functionCall: { args: { a: 'b' } }, functionResponse: { response: { output: 'abcd' } } }, 4],
    [{ executableCode: { language: 'PYTHON', code: 'abcd' } }, 1],
    [{ functionCall: { name: { code: 'abcd' } } }, 0],
  ])('of a part only the model’s own words are metered: %j', (part, tokens) => {
    expect(listen(sse(payload(part))).observer.meteredTokens()).toBe(tokens)
  })

  it('words that stand elsewhere are not metered', () => {
    const content = { parts: [{ text: 'abcd' }] }
    const frame = JSON.stringify({ modelStatus: [{ content }], candidates: [{ other: content }] })
    expect(listen(sse(frame)).observer.meteredTokens()).toBe(0)
  })

  it.each([
    [{ webSearchQueries: ['a'] }, { web_search: 1 }],
    [{ webSearchQueries: [7, ['a']], retrievalQueries: ['a'] }, {}],
    [{ searchEntryPoint: { renderedContent: 'a', webSearchQueries: 'b' } }, {}],
    [{}, {}],
  ])('a search is a query that was looked up: %j', (groundingMetadata, tools) => {
    const frame = JSON.parse(payload({ text: 'x' }, { groundingMetadata }))
    const usageMetadata = { promptTokenCount: 1 }
    const encoded = listen(sse(JSON.stringify({ ...frame, usageMetadata }))).observer.usage()
    expect((encoded as { tools: object }).tools).toEqual(tools)
  })

  it('the last figures count, and those that cannot be believed are none', () => {
    const figures = (promptTokenCount: number) =>
      JSON.stringify({ usageMetadata: { promptTokenCount } })
    const traffic = '{"usageMetadata":{"trafficType":"ON_DEMAND"}}'
    const searched = payload({}, { groundingMetadata: { webSearchQueries: ['a'] } })
    const usageOf = (...frames: string[]) => listen(sse(...frames)).observer.usage()
    expect(usageOf(figures(1), figures(2), traffic, word)).toMatchObject({ input: 2 })
    expect(usageOf(searched, figures(-1))).toBe('broken')
    expect(usageOf(traffic, word)).toBeUndefined()
  })

  it('counts searches once, whoever tells them again', () => {
    const grounded = payload(
      { text: 'x' },
      { finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['a', 'b'] } },
    )
    const usage = { usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 } }
    const frame = JSON.stringify({ ...JSON.parse(grounded), ...usage })
    expect(listen(sse(frame, frame)).observer.usage()).toMatchObject({ tools: { web_search: 2 } })
    // Models before Gemini 3 sell the grounded prompt.
    const older = JSON.stringify({ ...JSON.parse(frame), modelVersion: 'gemini-2.5-flash' })
    expect(listen(sse(older, older)).observer.usage()).toMatchObject({ tools: { web_search: 1 } })
  })
})
