import { describe, expect, it } from 'vitest'
import { gemini } from '../index.ts'
import { readPath } from './path.ts'

const named = { model: 'gemini-3-pro', stream: true }
const read = (body: string | Buffer, of = named) => gemini.read(Buffer.from(body as string), of)
const ask = (body: string) => {
  const result = read(body)
  if (!result.ok) throw new Error(`${result.reason} ${result.hint}`)
  return result.parsed
}
const reason = (body: string) => {
  const result = read(body)
  return result.ok ? 'read' : result.reason
}

describe('reading a request', () => {
  it('takes what decides the price, in both spellings', () => {
    const expected = { model: 'gemini-3-pro', stream: true, outputMax: 9, n: 2, hasTools: true }
    expect(
      ask('{"generationConfig":{"maxOutputTokens":9,"candidateCount":2},"tools":[{}]}'),
    ).toMatchObject(expected)
    expect(
      ask('{"generation_config":{"max_output_tokens":9,"candidate_count":2},"tools":[{}]}'),
    ).toMatchObject(expected)
    expect(ask('{"generationConfig":null}')).toMatchObject({ outputMax: undefined, n: 1 })
  })

  it.each([
    ['{"generationConfig":{},"generation_config":{"maxOutputTokens":9}}'],
    ['{"generationConfig":{},"generationConfig":{}}'],
    ['{"GenerationConfig":{"maxOutputTokens":9}}'],
    ['{"generationconfig":{}}'],
    ['{"generationConfig":{"maxOutputTokens":1,"max_output_tokens":9}}'],
    ['{"generationConfig":{"maxoutputtokens":9}}'],
    ['{"generationConfig":{"CANDIDATE_COUNT":9}}'],
    ['{"generationConfig":{"candidatecount":9}}'],
    ['{"generationConfig":{"candidateCount":9,"candidate_count":1}}'],
    ['{"Model":"models/gemini-3-pro"}'],
    ['{"model":"models/dear"}'],
    ['{"requests":[{"model":"models/gemini-3-pro"},{"model":"models/dear"}]}'],
    ['{"generateContentRequest":{"model":"models/dear"}}'],
    ['{"generate_content_request":{"model":"models/dear"}}'],
    ['{"generatecontentrequest":{"model":"models/dear"}}'],
  ])('refuses what two parsers would read in two ways: %s', body => {
    expect(reason(body)).toBe('ambiguous')
  })

  it.each([
    ['{"generationConfig":{"maxOutputTokens":-1}}'],
    ['{"generationConfig":{"maxOutputTokens":"9"}}'],
    ['{"generationConfig":{"candidateCount":0}}'],
    ['{"generationConfig":[]}'],
    ['{"model":7}'],
  ])('refuses what cannot be priced: %s', body => {
    expect(reason(body)).toBe('invalid')
  })

  it.each([
    ['{"generationConfig":[]}', "'generationConfig' must be an object."],
    [
      '{"generation_config":{"max_output_tokens":-1}}',
      "'maxOutputTokens' must be a whole number from 0 to 2^31.",
    ],
    [
      '{"generationConfig":{"candidate_count":129}}',
      "'candidateCount' must be a whole number from 1 to 128.",
    ],
  ])('says what is wrong: %s', (body, hint) => {
    expect(read(body)).toEqual({ ok: false, reason: 'invalid', hint })
  })

  it('a body may name the model where no path does; nothing streams then', () => {
    const decodedRequest = (body: string) => gemini.read(Buffer.from(body))
    expect(decodedRequest('{"model":"models/gemini-3-pro"}')).toMatchObject({
      ok: true,
      parsed: { model: 'gemini-3-pro', stream: false, n: 1, hasTools: false, wantsUsage: true },
    })
    for (const body of ['{}', '{"model":"models/"}', '{"model":7}'])
      expect(decodedRequest(body)).toMatchObject({ ok: false, reason: 'invalid' })
  })

  it('no words at all may be asked for; a model that is none is nobody’s', () => {
    expect(ask('{"generationConfig":{"maxOutputTokens":0}}').outputMax).toBe(0)
    expect(reason('{"requests":[{"model":7},["models/dear"],{"model":{"model":"dear"}}]}')).toBe(
      'read',
    )
  })

  it('a new model is named wherever the body names one, and nowhere else', () => {
    const change = (body: string) =>
      String(gemini.splice(ask(body), { model: 'other', stream: true }))
    expect(change('{"contents":[]}')).toBe('{"contents":[]}')
    expect(change('{"model":"models/gemini-3-pro","content":{}}')).toBe(
      '{"model":"models/other","content":{}}',
    )
    expect(
      change('{"requests":[{"model":"models/gemini-3-pro","a": 1.0},{"content":{"model":"x"}}]}'),
    ).toBe('{"requests":[{"model":"models/other","a": 1.0},{"content":{"model":"x"}}]}')
    for (const name of ['generateContentRequest', 'generate_content_request'])
      expect(change(`{"${name}":{"model":"gemini-3-pro"}}`)).toBe(`{"${name}":{"model":"other"}}`)
  })

  it('what else is changed stands where it stood, also behind another name inside', () => {
    const { body, fieldRanges } = ask('{"requests":[{"model":"gemini-3-pro"}], "labels":{}, "z":1}')
    const decodedRequest = { ...ask('{}'), body, fieldRanges }
    expect(
      String(
        gemini.splice(decodedRequest, { model: 'tunedModels/a-longer-name', stream: true, z: 2 }),
      ),
    ).toBe('{"requests":[{"model":"tunedModels/a-longer-name"}], "labels":{}, "z":2}')
  })
})

/** The first bytes of a picture of this size, and something behind them. */
const picture = (width: number, height: number): string => {
  const bytes = Buffer.alloc(200, 0x41)
  bytes.write('89504e470d0a1a0a0000000d49484452', 0, 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}
const base64Of = (text: string): string => Buffer.from(text).toString('base64')
const pdf = '%PDF-1.4 << /Type /Page >> << /Type /Page >>'.padEnd(300, 'x')
const dataOf = (data: string) => ({ inlineData: { mimeType: 'x/y', data } })

// https://ai.google.dev/gemini-api/docs/tokens: 258 a tile, and up to 1,120 for any picture.
describe('what is reserved for media', () => {
  it.each([
    ['a small picture', dataOf(picture(100, 100)), 1_120],
    ['a picture at the edge of a tile', dataOf(picture(384, 1)), 1_120],
    ['a wide one', dataOf(picture(3_000, 1_000)), 10 * 258],
    ['a low one', dataOf(picture(3_840, 384)), 30 * 258],
    ['a line', dataOf(picture(400, 1)), 400 * 258],
    ['one without a size', dataOf('/9j/'.padEnd(400, 'A')), 10 * 258],
    ['a link', { fileData: { fileUri: 'https://a' } }, 10 * 258],
    ['a sound', dataOf('SUQz'.padEnd(400, 'A')), 10],
    ['a film', dataOf('AAAA'.padEnd(400, 'A')), 16],
    ['a file of pages', dataOf(base64Of(pdf)), 2 * 1_120],
    ['a file whose pages cannot be seen', dataOf(base64Of(`${pdf} /Encrypt`)), 412],
    ['a link in the other spelling', { file_data: { file_uri: 'https://a' } }, 10 * 258],
    ['data in the other spelling', { inline_data: dataOf(picture(9, 9)).inlineData }, 1_120],
    ['data elsewhere', { args: dataOf(picture(9, 9)).inlineData }, 0],
  ])('%s', (_, part, tokens) => {
    expect(ask(JSON.stringify({ contents: [{ parts: [part] }] })).mediaTokens).toBe(tokens)
  })
})

// https://ai.google.dev/api: what each of its methods answers.
describe('reading a whole answer', () => {
  const summaryOf = (body: unknown) => gemini.readAnswer(Buffer.from(JSON.stringify(body)))

  it.each([
    [{ candidates: [{ content: { parts: [{ text: 'abcd' }] } }] }, 1],
    [{ candidates: [] }, 0],
    [{ promptFeedback: { blockReason: 'SAFETY' } }, 0],
    [{ totalTokens: 7 }, 0],
    [{ embedding: { values: [] } }, 0],
    [{ embeddings: [{ values: [] }] }, 0],
    [{ predictions: [{}] }, 0],
    [{ error: null, candidates: [] }, 0],
  ])('%j is one, without figures', (body, metered) => {
    expect(summaryOf(body)).toMatchObject({ ok: true, usage: undefined, meteredTokens: metered })
  })

  it.each([
    [{ error: { code: 503 }, candidates: [] }],
    [{ error: 'Busy.', candidates: [] }],
    [{}],
    [{ status: 'ok', data: {}, list: [] }],
    [{ data: { candidates: [] } }],
  ])('%j is none', body => {
    expect(summaryOf(body)).toEqual({ ok: false, failure: body })
  })

  it.each(['', '7', '[]', '[{"candidates":[]}]', '{"candidates":[]', '<html>'])(
    'what is no object says nothing: %s',
    text => {
      expect(gemini.readAnswer(Buffer.from(text))).toEqual({ ok: false, failure: undefined })
    },
  )

  it.each([
    [{ promptTokenCount: 1 }, { input: 1, tools: { web_search: 1 } }],
    [{ promptTokenCount: -1 }, 'broken'],
  ])('figures are read with the searches beside them: %j', (usageMetadata, usage) => {
    const candidates = [{ groundingMetadata: { webSearchQueries: ['a'] } }]
    const summary = summaryOf({ candidates, usageMetadata })
    if (!summary.ok) throw new Error('an answer')
    if (usage === 'broken') expect(summary.usage).toBe(usage)
    else expect(summary.usage).toMatchObject(usage as object)
  })
})

describe('the path', () => {
  it.each([
    ['/v1beta/models/gemini-3-pro:generateContent', 'gemini-3-pro', 'generateContent', false],
    ['/gemini/v1/models/a%20b:streamGenerateContent', 'a b', 'streamGenerateContent', true],
    ['/v1beta/models/llama3:8b:generateContent', 'llama3:8b', 'generateContent', false],
    ['/v1beta/models/a%3Ab:c:streamGenerateContent', 'a:b:c', 'streamGenerateContent', true],
    ['/v1beta/tunedModels/x:countTokens', 'tunedModels/x', 'countTokens', false],
    [
      '/v1/projects/p/locations/l/publishers/google/models/g:streamGenerateContent',
      'g',
      'streamGenerateContent',
      true,
    ],
    ['/v1beta/models/org/name:embedContent', 'org/name', 'embedContent', false],
  ])('%s', (path, model, action, stream) => {
    expect(readPath(path)).toEqual({ model, action, stream })
  })

  it.each([['/v1beta/models'], ['/v1beta/models/x'], ['/v1beta/models/%zz:generateContent']])(
    '%s names none',
    path => {
      expect(readPath(path)).toBeUndefined()
    },
  )
})
