import { GoogleGenAI } from '@google/genai'
import { describe, expect, it } from 'vitest'
import type { ChatAnswer, ChatEvent, ChatRequest, Message, Part } from '../canon.ts'
import { answerEvents, collectAnswer } from '../collect.ts'
import { gemini } from './index.ts'

const answer = (parts: Part[], more: Partial<ChatAnswer> = {}): ChatAnswer => ({
  id: 'chatcmpl-1',
  model: 'm',
  choices: [{ parts, finish: { reason: 'stop' } }],
  ...more,
})
const partsOf = (parts: Part[]) => {
  const { body, warnings } = gemini.encodeResponse(answer(parts))
  const [candidate] = body.candidates as { content: { parts: object[] } }[]
  return { candidate, parts: candidate!.content.parts, dropped: warnings.map(each => each.dropped) }
}
const encode = (events: Iterable<ChatEvent>, form?: 'array') => {
  const encoder = gemini.encodeEvents(form ? { streamFormat: form } : {})
  return [...events].map(event => encoder.push(event))
}
const framesIn = (text: string) =>
  text
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice(6)))
const read = (body: object): ChatRequest => {
  const result = gemini.decodeRequest(body, { model: 'm', stream: false })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}
const write = (request: Partial<ChatRequest>) =>
  gemini.encodeRequest({ model: 'm', messages: [], ...request })
const decode = (frames: object[]) => {
  const events: ChatEvent[] = []
  const decoder = gemini.decodeFrames(event => events.push(event))
  for (const frame of frames) decoder.pushFrame(JSON.stringify(frame), '')
  decoder.end()
  return events
}
const payload = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
})
const clientOf = (text: string) =>
  new GoogleGenAI({
    apiKey: 'k',
    httpOptions: {
      baseUrl: 'http://x.example',
      fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
    } as object,
  })

describe('answers of other dialects', () => {
  it('a foreign proof is bytes in base64, and comes back as it was', () => {
    for (const by of ['anthropic', 'openai-responses', 'openai-chat'] as const) {
      const signature = { dialect: by, text: 'gAAAA-_:1' }
      const { parts } = partsOf([{ type: 'thinking', text: 'so', signature }])
      const { thoughtSignature } = parts[0] as { thoughtSignature: string }
      expect(thoughtSignature).toMatch(/^[A-Za-z0-9+/]+=*$/)
      expect(read({ contents: [{ role: 'model', parts }] }).messages[0]?.parts).toEqual([
        { type: 'thinking', text: 'so', signature },
      ])
    }
  })

  it('arguments are told whole, and their call once', () => {
    const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '' }
    const frames = encode([
      { type: 'start', id: 'r', model: 'm' },
      { type: 'part', index: 0, part: call },
      { type: 'delta', index: 0, text: '{"a":' },
      { type: 'delta', index: 0, text: '[1]}' },
      { type: 'part', index: 1, part: { type: 'text', text: 'b' } },
      { type: 'finish', finish: { reason: 'tools' } },
      { type: 'end' },
    ])
    expect(frames.slice(0, 4)).toEqual(['', '', '', ''])
    const [first] = framesIn(frames[4]!)
    expect(first.candidates[0].content.parts).toEqual([
      { functionCall: { id: 'c', name: 'f', args: { a: [1] } } },
    ])
  })

  it('arguments that are no object are told as this dialect tells them', () => {
    const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '{"a":' }
    const { candidate } = partsOf([call])
    const expected = {
      finishReason: 'MALFORMED_FUNCTION_CALL',
      finishMessage: 'Malformed function call: {"a":',
    }
    expect(candidate).toMatchObject({ content: { parts: [] }, ...expected })
    expect(
      framesIn(encode(answerEvents(answer([call]))).join('')).at(-1).candidates[0],
    ).toMatchObject(expected)
  })

  it('citations become grounding, counted in bytes, and are found there again', () => {
    const text = 'é世界 ok'
    const citation = { url: 'https://a.example', title: 'A', start: 1, end: 3 }
    const { body } = gemini.encodeResponse(answer([{ type: 'text', text, citations: [citation] }]))
    expect(body.candidates).toMatchObject([
      {
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
          groundingSupports: [
            { segment: { startIndex: 2, endIndex: 8, text: '世界' }, groundingChunkIndices: [0] },
          ],
        },
      },
    ])
    const [part] = gemini.decodeAnswer(body).choices[0]!.parts
    expect(part).toMatchObject({ citations: [citation] })
    const encoded = encode([
      { type: 'start', id: 'r', model: 'm' },
      { type: 'part', index: 0, part: { type: 'text', text } },
      { type: 'citation', index: 0, citation },
      { type: 'end' },
    ])
    const [again] = collectAnswer(decode(framesIn(encoded.join('')))).choices[0]!.parts
    expect(again).toMatchObject({ citations: [citation] })
  })

  it.each([
    ['stop', 'STOP'],
    ['stop-sequence', 'STOP'],
    ['tools', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['context-full', 'MAX_TOKENS'],
    ['filter', 'SAFETY'],
    ['refusal', 'SAFETY'],
    ['error', 'OTHER'],
  ] as const)('%s ends as %s', (reason, finishReason) => {
    const { body } = gemini.encodeResponse({
      ...answer([]),
      choices: [{ parts: [], finish: { reason } }],
    })
    expect(body.candidates).toMatchObject([{ finishReason }])
  })

  it('a failure is an error that the official client throws, in both forms', async () => {
    const failure = { message: 'Too many.', type: 'rate_limit_error', code: 'rate_limit_exceeded' }
    const events: ChatEvent[] = [
      { type: 'start', id: 'r', model: 'm' },
      { type: 'part', index: 0, part: { type: 'text', text: 'a' } },
      { type: 'failure', failure },
    ]
    const stream = await clientOf(encode(events).join('')).models.generateContentStream({
      model: 'm',
      contents: 'x',
    })
    const all = async () => {
      for await (const _ of stream);
    }
    await expect(all()).rejects.toMatchObject({ status: 429 })
    expect(JSON.parse(encode(events, 'array').join(''))[1]).toEqual({
      error: { code: 429, message: 'Too many.', status: 'RESOURCE_EXHAUSTED' },
    })
    const first = encode([{ type: 'failure', failure }], 'array').join('')
    expect(JSON.parse(first)).toHaveLength(1)
  })
})

describe('answers as they come', () => {
  it('a prompt that was refused is an answer that was filtered, and stays what it was', () => {
    const body = { promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'm', responseId: 'r' }
    const decoded = gemini.decodeAnswer(body)
    expect(decoded.choices).toEqual([{ parts: [], finish: { reason: 'filter' } }])
    expect(gemini.encodeResponse(decoded).body).toEqual(body)
    const events = decode([body])
    expect(collectAnswer(events)).toEqual(decoded)
    expect(framesIn(encode(events).join(''))).toEqual([body])
  })

  it('calls without an id get one, and keep having none in their own dialect', () => {
    const call = { functionCall: { name: 'f', args: {} } }
    const body = {
      responseId: 'r',
      candidates: [{ content: { role: 'model', parts: [call, call] } }],
    }
    const decoded = gemini.decodeAnswer(body)
    const ids = decoded.choices[0]!.parts.map(part => part.type === 'tool-call' && part.id)
    expect(ids).toEqual(['call_r_0_0', 'call_r_0_1'])
    expect(gemini.encodeResponse(decoded).body.candidates).toMatchObject(body.candidates)
  })

  it('an upstream that says in every frame why it ended is heard to its end', () => {
    const events = decode([
      { ...payload('a', { finishReason: 'STOP' }), responseId: 'r', modelVersion: 'm' },
      payload('b', { finishReason: 'STOP' }),
    ])
    expect(collectAnswer(events).choices).toEqual([
      { parts: [{ type: 'text', text: 'ab' }], finish: { reason: 'stop' } },
    ])
    expect(decode([payload('a')]).at(-1)).toMatchObject({ type: 'failure' })
    expect(
      decode([payload('a'), { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }]).at(-1),
    ).toMatchObject({ type: 'failure', failure: { type: 'UNAVAILABLE', code: '503' } })
  })

  it('sound in pieces is one sound', () => {
    const piece = (data: string) => ({
      candidates: [{ content: { parts: [{ inlineData: { mimeType: 'audio/L16', data } }] } }],
    })
    const end = { candidates: [{ finishReason: 'STOP' }] }
    const [sound] = collectAnswer(decode([piece('AAAA'), piece('BBBB'), end])).choices[0]!.parts
    expect(sound).toEqual({ type: 'media', mime: 'audio/L16', base64: 'AAAABBBB' })
  })

  it('paths and values of arguments may be anything', () => {
    const piece = (partialArgs: object[]) => ({
      candidates: [{ content: { parts: [{ functionCall: { partialArgs, willContinue: true } }] } }],
    })
    const named = {
      candidates: [{ content: { parts: [{ functionCall: { name: 'f', willContinue: true } }] } }],
    }
    const end = {
      candidates: [{ content: { parts: [{ functionCall: {} }] }, finishReason: 'STOP' }],
    }
    const events = decode([
      named,
      piece([{ jsonPath: '$.__proto__.polluted', boolValue: true }]),
      piece([
        { jsonPath: "$['a b'][0]", numberValue: 7 },
        { jsonPath: '$.n', nullValue: 'NULL_VALUE' },
      ]),
      piece([{ jsonPath: 7 }]),
      end,
    ])
    const [call] = collectAnswer(events).choices[0]!.parts
    expect(call).toMatchObject({ input: '{"__proto__":{"polluted":true},"a b":[7],"n":null}' })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('what is no frame is counted, whatever it is', () => {
    const decoder = gemini.decodeFrames(() => {})
    for (const data of ['{', '[]', 'null', '7']) decoder.pushFrame(data, '')
    const odd = ['{"candidates":7}', '{"candidates":[null,{"content":{"parts":[null,7]}}]}']
    for (const data of odd) decoder.pushFrame(data, '')
    decoder.end()
    expect(decoder.malformedFrames()).toBe(4)
  })
})

describe('requests', () => {
  it('both spellings are read, and single values for lists', () => {
    const body = {
      system_instruction: { parts: { text: 's' } },
      contents: { role: 'user', parts: { inline_data: { mime_type: 'image/png', data: 'AA==' } } },
      generation_config: { max_output_tokens: 5, thinking_config: { thinking_budget: 9 } },
      tools: [{ function_declarations: [{ name: 'f', parameters: { a_b: 1 } }] }],
    }
    expect(read(body)).toMatchObject({
      messages: [
        { role: 'system', parts: [{ text: 's' }] },
        { role: 'user', parts: [{ type: 'media', mime: 'image/png', base64: 'AA==' }] },
      ],
      outputMax: 5,
      reasoning: { budget: 9 },
      tools: [{ type: 'function', name: 'f', schema: { a_b: 1 } }],
    })
  })

  it("a schema in this dialect's words is one in everybody's, and stays as it was", () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        a: { type: 'ARRAY', items: { type: 'STRING', nullable: true }, maxItems: '3' },
        type: { anyOf: [{ type: 'NUMBER' }] },
      },
      propertyOrdering: ['a'],
    }
    const tools = [{ functionDeclarations: [{ name: 'f', parameters }] }]
    const request = read({ tools })
    expect(request.tools).toMatchObject([
      {
        schema: {
          type: 'object',
          properties: {
            a: { type: 'array', items: { type: ['string', 'null'] }, maxItems: 3 },
            type: { anyOf: [{ type: 'number' }] },
          },
        },
      },
    ])
    expect(gemini.encodeRequest(request).body.tools).toEqual(tools)
  })

  it('results without an id belong to the oldest open call of their name', () => {
    const call = (name: string) => ({ functionCall: { name, args: {} } })
    const result = (name: string, output: string) => ({
      functionResponse: { name, response: { output } },
    })
    const { messages } = read({
      contents: [
        { role: 'model', parts: [call('f'), call('g'), call('f')] },
        {
          role: 'user',
          parts: [result('g', '1'), result('f', '2'), result('f', '3'), { text: 'x' }],
        },
      ],
    })
    expect(messages.map(each => each.role)).toEqual(['assistant', 'tool', 'user'])
    const ids = messages[1]!.parts.map(part => part.type === 'tool-result' && part.id)
    expect(ids).toEqual(['call_1', 'call_0', 'call_2'])
  })

  it('a lost signature has a stand-in, where one must be', () => {
    const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '{}' }
    const messages: Message[] = [{ role: 'assistant', parts: [call, { ...call, id: 'd' }] }]
    const written = (model: string) =>
      JSON.stringify(gemini.encodeRequest({ model, messages }).body)
    expect(written('gemini-3-pro').match(/skip_thought_signature_validator/g)).toHaveLength(1)
    expect(written('gemini-2.5-pro')).not.toContain('skip_thought')
    const lost = {
      functionCall: { name: 'f' },
      thoughtSignature: 'skip_thought_signature_validator',
    }
    const { messages: encoded } = read({ contents: [{ role: 'model', parts: [lost] }] })
    expect(encoded[0]!.parts[0]).not.toHaveProperty('signature')
  })

  it('a signature that travelled alone goes back to its call', () => {
    const signature = { dialect: 'gemini', text: 'CmIB' } as const
    const { body } = write({
      messages: [
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: '', redacted: true, signature },
            { type: 'tool-call', id: 'c', name: 'f', input: '{}' },
          ],
        },
      ],
    })
    expect(body.contents).toMatchObject([
      { role: 'model', parts: [{ functionCall: { name: 'f' }, thoughtSignature: 'CmIB' }] },
    ])
  })

  it.each([
    ['gemini-3-pro', { effort: 'none' }, { thinkingLevel: 'MINIMAL' }],
    [
      'gemini-3-pro',
      { effort: 'xhigh', summary: 'auto' },
      { thinkingLevel: 'HIGH', includeThoughts: true },
    ],
    ['gemini-2.5-pro', { effort: 'low' }, { thinkingBudget: 1024 }],
    ['gemini-2.5-pro', { mode: 'disabled' }, { thinkingBudget: 0 }],
    ['gemini-3-pro', { effort: 'low', budget: 7 }, { thinkingBudget: 7 }],
    ['gemini-3-pro', { mode: 'enabled', budget: 7 }, { thinkingBudget: 7, includeThoughts: true }],
  ] as const)('%s thinks as %j', (model, reasoning, thinkingConfig) => {
    const { body } = gemini.encodeRequest({ model, messages: [], reasoning })
    expect(body.generationConfig).toEqual({ thinkingConfig })
  })

  it('what cannot be said is noted, by the name that its caller knows', () => {
    const { body, warnings } = write({
      parallelTools: false,
      metadata: { a: 'b' },
      verbosity: 'low',
      user: 'u',
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'x', cache: {} }] },
        { role: 'system', parts: [{ type: 'text', text: 'later' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'x', signature: { dialect: 'anthropic', text: 's' } },
            { type: 'media', mime: 'image/*', file: 'file-1' },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'f', strict: true }],
      unknownFields: { dialect: 'openai-chat', fields: { logit_bias: {} } },
    })
    expect(warnings.map(each => each.dropped).toSorted()).toEqual([
      'cache_control',
      'file',
      'later system message',
      'logit_bias',
      'metadata',
      'parallel_tool_calls',
      'strict',
      'thinking',
      'user',
      'verbosity',
    ])
    expect(body.contents).toEqual([
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'user', parts: [{ text: 'later' }] },
    ])
  })

  it('counting takes both forms', () => {
    const { tokenCounting } = gemini
    const contents = [{ role: 'user', parts: [{ text: 'x' }] }]
    const named = { model: 'm', stream: false }
    const whole = tokenCounting?.decodeRequest({ contents }, named)
    expect(whole).toMatchObject({ ok: true, request: { model: 'm' } })
    expect(
      tokenCounting?.decodeRequest(
        { generateContentRequest: { model: 'models/m', contents } },
        named,
      ),
    ).toEqual(whole)
    if (!whole?.ok) throw new Error('read')
    expect(tokenCounting?.encodeRequest(whole.request).body).toEqual({
      generateContentRequest: { model: 'models/m', contents },
    })
    expect(tokenCounting?.decodeAnswer(tokenCounting.encodeResponse(7))).toBe(7)
    expect(tokenCounting?.decodeAnswer({})).toBeUndefined()
  })
})
