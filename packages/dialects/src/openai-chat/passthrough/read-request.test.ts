import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openaiChat } from '../index.ts'

const read = (body: string | Buffer) => openaiChat.read(Buffer.from(body as string))
const ask = (body: string) => {
  const result = read(body)
  if (!result.ok) throw new Error(`${result.reason} ${result.hint}`)
  return result.parsed
}
const reason = (body: string | Buffer) => {
  const result = read(body)
  return result.ok ? 'read' : result.reason
}

describe('reading a request', () => {
  it('takes what decides the price', () => {
    expect(
      ask(
        '{"model":"m","stream":true,"max_tokens":5,"max_completion_tokens":9,"n":2,"tools":[{}],"stream_options":{"include_usage":true}}',
      ),
    ).toMatchObject({
      model: 'm',
      stream: true,
      outputMax: 9,
      n: 2,
      hasTools: true,
      wantsUsage: true,
    })
  })

  it('reads whether the caller asks for reasoning', () => {
    const reasoning = (effort: string) =>
      ask(`{"model":"m","reasoning_effort":${effort}}`).reasoning
    expect(['"high"', '"none"', 'null'].map(reasoning)).toEqual(['on', 'off', undefined])
  })

  it('takes null as absent, and an escaped name for what it says', () => {
    expect(
      ask(
        '{"model":"a\\/b","stream":null,"max_tokens":null,"n":null,"tools":[],"stream_options":null}',
      ),
    ).toMatchObject({
      model: 'a/b',
      stream: false,
      outputMax: undefined,
      n: 1,
      hasTools: false,
      wantsUsage: false,
    })
  })

  it.each([
    ['{"model":"cheap","model":"dear"}'],
    ['{"model":"m","mod\\u0065l":"dear"}'],
    ['{"mod\\u0065l":"m"}'],
    ['{"model":"m","MODEL":"dear"}'],
    ['{"model":"m","N":3}'],
    ['{"model":"m","ſtream":true}'],
    ['{"model":"m","max_to\u212Aens":3}'],
    ['{"model":"m","max_tokens":1,"max_tokens":9}'],
    ['{"model":"m","Stream_Options":{}}'],
    ['{"model":"m","stream_options":{"include_usage":true,"Include_Usage":false}}'],
    ['{"model":"m","Stream":true}'],
    ['{"model":"m","Max_Tokens":9}'],
    ['{"model":"m","max_completion_Tokens":9}'],
  ])('refuses what two parsers would read in two ways: %s', body => {
    expect(reason(body)).toBe('ambiguous')
  })

  it.each([
    ['{}', "'model' must be the name of a model."],
    ['{"model":""}', "'model' must be the name of a model."],
    ['{"model":1}', "'model' must be the name of a model."],
    ['{"model":"\\ud800"}', "'model' must be the name of a model."],
    ['{"model":"m","n":0}', "'n' must be a whole number from 1 to 128."],
    ['{"model":"m","n":129}', "'n' must be a whole number from 1 to 128."],
    ['{"model":"m","n":"1"}', "'n' must be a whole number from 1 to 128."],
    ['{"model":"m","n":1.5}', "'n' must be a whole number from 1 to 128."],
    ['{"model":"m","max_tokens":-1}', "'max_tokens' must be a whole number from 0 to 2^31."],
    ['{"model":"m","max_tokens":1e99}', "'max_tokens' must be a whole number from 0 to 2^31."],
    [
      '{"model":"m","max_completion_tokens":2147483649}',
      "'max_completion_tokens' must be a whole number from 0 to 2^31.",
    ],
    ['{"model":"m","stream":"true"}', "'stream' must be true or false."],
    ['{"model":"m","stream_options":[]}', "'stream_options' must be an object."],
    [
      '{"model":"m","stream_options":{"include_usage":1}}',
      "'include_usage' must be true or false.",
    ],
  ])('refuses what cannot be priced: %s', (body, hint) => {
    expect(read(body)).toEqual({ ok: false, reason: 'invalid', hint })
  })

  it.each([
    ['{"model":"m","n":128}', { n: 128 }],
    ['{"model":"m","stream":false}', { stream: false }],
    ['{"model":"m","max_tokens":0}', { outputMax: 0 }],
    ['{"model":"m","max_tokens":2147483648}', { outputMax: 2 ** 31 }],
    ['{"model":"m","max_tokens":9,"max_completion_tokens":5}', { outputMax: 9 }],
    ['{"model":"m","functions":[{}]}', { hasTools: true }],
    ['{"model":"m","tools":[],"functions":[{}]}', { hasTools: true }],
    ['{"model":"m","stream_options":{}}', { wantsUsage: false }],
    ['{"model":"m","stream_options":{"include_usage":false}}', { wantsUsage: false }],
    ['{"model":"m","stream_options":{"include_usage":null}}', { wantsUsage: false }],
  ])('reads %s', (body, facts) => {
    expect(ask(body)).toMatchObject(facts)
  })

  // A tile more or less is in media.test.ts; here: where the reference has media at all.
  it.each([
    ['"image_url":{"url":"https://media.example/a"}', 2_642],
    ['"file":{"file_id":"file-1"}', 2_642],
    [`"file":{"file_data":"data:a/b;base64,${'A'.repeat(640)}"}`, 640],
    [`"input_audio":{"data":"SUQz${'A'.repeat(1_296)}"}`, 10],
    [`"text":{"data":"SUQz${'A'.repeat(1_296)}"}`, 0],
    ['"other":{"url":"https://media.example/a"}', 0],
  ])('counts the medium in %s as so many tokens', (part, tokens) => {
    const body = `{"model":"m","messages":[{"content":[{${part}}]}]}`
    expect(ask(body).mediaTokens).toBe(tokens)
  })

  it.each([
    [''],
    ['[]'],
    ['"m"'],
    ['\uFEFF{"model":"m"}'],
    ['{"model":"m"} x'],
    ['{"model":"m",}'],
    ['{"model":"m" "n":1}'],
    ['{"model":"m","a":01}'],
    ['{"model":"m","a":"\n"}'],
    ['{"model":"m","a":[1}'],
  ])('refuses what is not one JSON object: %j', body => {
    expect(reason(body)).toBe('unreadable')
  })

  it('refuses what is not UTF-8', () => {
    const body = Buffer.from('{"model":"m","a":"é"}', 'latin1')
    expect(reason(body)).toBe('unreadable')
  })

  it('refuses a hundred thousand brackets at once, and reads 127', () => {
    const begun = performance.now()
    expect(reason(`{"model":"m","a":${'['.repeat(1e5)}`)).toBe('too-deep')
    expect(performance.now() - begun).toBeLessThan(50)
    expect(reason(`{"model":"m","a":${'['.repeat(127)}${']'.repeat(127)}}`)).toBe('read')
  })

  it('counts an image once, whatever its size, and text by its length', () => {
    const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(100_000)}`
    const withImage = ask(
      `{"model":"m","messages":[{"content":[{"type":"image_url","image_url":{"url":"${image}"}}]}]}`,
    )
    expect(withImage.promptTokens).toBeLessThan(3_000)
    const asText = ask(`{"model":"m","messages":[{"content":"${image}"}]}`)
    expect(asText.promptTokens).toBeGreaterThan(300_000)
  })

  it('agrees with JSON.parse on everything', () => {
    const mutated = fc
      .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', ',', '"', '\\', '}', '0', ' '))
      .map(([json, at, piece]) => {
        const body = `{"model":"m","x":${json}}`
        const place = at % body.length
        const changed = body.slice(0, place) + piece + body.slice(place + 1)
        return at % 3 === 0 ? body : changed.toWellFormed()
      })
    fc.assert(
      fc.property(mutated, body => {
        const result = read(body)
        let parsed: unknown
        try {
          parsed = JSON.parse(body)
        } catch {
          // A field that stands twice is found before the fault behind it.
          expect(['unreadable', 'ambiguous']).toContain(!result.ok && result.reason)
          return
        }
        if (!result.ok) {
          expect(['invalid', 'ambiguous']).toContain(result.reason)
          return
        }
        for (const [key, { start, end }] of result.parsed.fieldRanges)
          expect(JSON.parse(String(result.parsed.body.subarray(start, end)))).toEqual(
            (parsed as Record<string, unknown>)[key],
          )
      }),
      { numRuns: 2_000 },
    )
  })
})
