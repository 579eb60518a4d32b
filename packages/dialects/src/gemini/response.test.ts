import { expect, it } from 'vitest'
import type { ChatAnswer, Choice, Part } from '../canon.ts'
import { noUsage } from '../usage.ts'
import { gemini } from './index.ts'

const candidateOf = (candidate: object) =>
  gemini.decodeAnswer({ candidates: [candidate] }).choices[0]!
const write = (choice: Partial<Choice>, more: Partial<ChatAnswer> = {}) => {
  const choices = [{ parts: [], ...choice }]
  const { body, warnings } = gemini.encodeResponse({ id: 'r', model: 'm', choices, ...more })
  const [candidate] = body.candidates as Record<string, unknown>[]
  return { body, candidate, dropped: warnings.map(each => each.dropped) }
}
const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '{}' }
const foreign = { dialect: 'openai-chat', fields: { odd: 1 } } as const

// https://ai.google.dev/api/generate-content#FinishReason
it.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'filter'],
  ['RECITATION', 'filter'],
  ['LANGUAGE', 'filter'],
  ['BLOCKLIST', 'filter'],
  ['PROHIBITED_CONTENT', 'filter'],
  ['SPII', 'filter'],
  ['IMAGE_SAFETY', 'filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'filter'],
  ['IMAGE_RECITATION', 'filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
  ['OTHER', 'other'],
  ['A_NEW_ONE', 'other'],
])('%s ends an answer as %s, and stays the word that it was', (finishReason, reason) => {
  const { finish } = candidateOf({ finishReason })
  expect(finish?.reason).toBe(reason)
  expect(write({ finish: finish! }).candidate).toMatchObject({ finishReason })
})

it('an answer that stopped to call waits for the tools; one that has no reason has none', () => {
  const content = { parts: [{ functionCall: { name: 'f', args: {} } }] }
  expect(candidateOf({ content, finishReason: 'STOP' }).finish).toEqual({ reason: 'tools' })
  expect(candidateOf({ content, finishReason: 'SAFETY' }).finish).toEqual({ reason: 'filter' })
  for (const finishReason of [undefined, 7, 'FINISH_REASON_UNSPECIFIED'])
    expect(candidateOf({ content, finishReason }).finish).toBeUndefined()
})

it('of its own words only what canon cannot say is kept', () => {
  expect(candidateOf({ finishReason: 'STOP', finishMessage: 'm' }).finish).toEqual({
    reason: 'stop',
    unknownFields: { dialect: 'gemini', fields: { finishMessage: 'm' } },
  })
  expect(candidateOf({ finishReason: 'SPII' }).finish?.unknownFields?.fields).toEqual({
    finishReason: 'SPII',
  })
})

it.each([
  ['other', 'OTHER'],
  ['error', 'OTHER'],
  ['tools', 'STOP'],
] as const)('the reason %s is told as %s', (reason, finishReason) => {
  expect(write({ finish: { reason } }).candidate).toMatchObject({ finishReason })
})

it('a call that the limit cut off ended by the limit', () => {
  const parts: Part[] = [{ ...call, input: '{"a":' }]
  const finishMessage = 'Malformed function call: {"a":'
  expect(write({ parts, finish: { reason: 'length' } }).candidate).toMatchObject({
    finishReason: 'MAX_TOKENS',
    finishMessage,
  })
  expect(write({ parts, finish: { reason: 'tools' } }).candidate).toMatchObject({
    finishReason: 'MALFORMED_FUNCTION_CALL',
    finishMessage,
  })
})

// https://ai.google.dev/gemini-api/docs/google-search: a grounded answer is sold by its searches.
it.each([
  ['one', [['a']], 1],
  ['the most that an answer needed', [['a'], ['a', 'b'], undefined, 7], 2],
  ['none', [undefined], undefined],
  ['none of no answers', [], undefined],
  ['none of what is no list', undefined, undefined],
])('searches are counted: %s', (_, queries, searches) => {
  const candidates = queries?.map(webSearchQueries => ({ groundingMetadata: { webSearchQueries } }))
  const { reportedUsage } = gemini.decodeAnswer({
    candidates,
    usageMetadata: { promptTokenCount: 1 },
  })
  const tools = searches === undefined ? {} : { web_search: searches }
  expect(reportedUsage?.usage).toEqual({ ...noUsage(), input: 1, tools })
})

it.each([
  ['gemini-2.5-pro', 1],
  ['gemini-2.0-flash', 1],
  ['gemini-3.1-pro-preview', 3],
  ['gemini-20', 3],
])('a grounded answer of %s is charged for %d searches', (modelVersion, web_search) => {
  const candidates = [{ groundingMetadata: { webSearchQueries: ['a', 'b', 'c'] } }]
  const body = { candidates, usageMetadata: { promptTokenCount: 1 }, modelVersion }
  expect(gemini.decodeAnswer(body).reportedUsage?.usage).toMatchObject({ tools: { web_search } })
  const answer = gemini.readAnswer(Buffer.from(JSON.stringify(body)))
  expect(answer).toMatchObject({ usage: { tools: { web_search } } })
})

it('figures that are none stay none, whatever was searched', () => {
  const { reportedUsage } = gemini.decodeAnswer({
    candidates: [{ groundingMetadata: { webSearchQueries: ['a'] } }],
    usageMetadata: { promptTokenCount: -1 },
  })
  expect(reportedUsage?.usage).toBe('broken')
})

it.each([
  { totalTokenCount: 5 },
  { promptTokenCount: 4, totalTokenCount: 5, trafficType: 'ON_DEMAND' },
])('figures in its own words stay as they were: %j', usageMetadata => {
  const { body } = gemini.encodeResponse(gemini.decodeAnswer({ candidates: [], usageMetadata }))
  expect(body.usageMetadata).toEqual(usageMetadata)
})

it('figures that cannot be believed are told as none', () => {
  expect(write({}, { reportedUsage: { usage: 'broken' } }).body.usageMetadata).toEqual({
    promptTokenCount: 0,
    candidatesTokenCount: 0,
    totalTokenCount: 0,
  })
})

it.each([
  { content: { parts: [{ text: 'a' }], role: 'model', later: 1 }, index: 0 },
  { content: { parts: [{ text: 'a' }], role: 'model' }, index: 0, safetyRatings: [], later: 1 },
])('an answer keeps what nobody knows, where it stood: %j', candidate => {
  const { body, dropped } = write(candidateOf(candidate))
  expect([body.candidates, dropped]).toEqual([[candidate], []])
})

// https://ai.google.dev/api/generate-content#LogprobsResult
it('probabilities belong to the words; what canon does not know of them stays besides', () => {
  const logprobsOf = (logprobsResult: object) => {
    const choice = candidateOf({ content: { parts: [{ text: 'a' }] }, logprobsResult })
    const [part] = choice.parts
    return {
      logprobs: part?.type === 'text' && part.logprobs,
      unknownFields: choice.unknownFields?.fields,
    }
  }
  const known = {
    chosenCandidates: [{ token: 'a', logProbability: -1 }],
    topCandidates: [{ candidates: [{ token: 'b', logProbability: -2 }] }],
  }
  expect(logprobsOf(known)).toEqual({
    logprobs: [{ token: 'a', logprob: -1, top: [{ token: 'b', logprob: -2 }] }],
    unknownFields: undefined,
  })
  const more = { chosenCandidates: [{ token: 'a', tokenId: 7, logProbability: -1 }] }
  expect(logprobsOf(more)).toEqual({
    logprobs: [{ token: 'a', logprob: -1 }],
    unknownFields: { logprobsResult: more },
  })
  // Fields of proto3 that are zero are left out.
  const zero = { chosenCandidates: [{}], topCandidates: [{ candidates: [{}] }] }
  expect(logprobsOf(zero).logprobs).toEqual([
    { token: '', logprob: 0, top: [{ token: '', logprob: 0 }] },
  ])
})

it.each<[string, Partial<Choice>, Partial<ChatAnswer>, string[]]>([
  ['of the answer', {}, { unknownFields: foreign }, ['odd']],
  ['of a choice', { unknownFields: foreign }, {}, ['odd']],
  ['of a part', { parts: [{ type: 'text', text: 'a', unknownFields: foreign }] }, {}, ['odd']],
  ['of its end', { finish: { reason: 'stop', unknownFields: foreign } }, {}, ['odd']],
  ['a sequence', { finish: { reason: 'stop-sequence', sequence: 'x' } }, {}, ['stop_sequence']],
  [
    'a part of another dialect',
    { parts: [{ type: 'opaque', dialect: 'anthropic', value: { type: 'server_tool_use' } }] },
    {},
    ['server_tool_use'],
  ],
  [
    'a nameless part',
    { parts: [{ type: 'opaque', dialect: 'anthropic', value: {} }] },
    {},
    ['part'],
  ],
  ['a result', { parts: [{ type: 'tool-result', id: 'c', parts: [] }] }, {}, ['tool-result']],
  [
    'a citation without an address',
    { parts: [{ type: 'text', text: 'a', citations: [{ title: 'A' }] }] },
    {},
    ['citations'],
  ],
])('what has no place is noted: %s', (_, choice, more, dropped) => {
  expect(write(choice, more).dropped).toEqual(dropped)
})

const from = (uri: string, start: number, end: number) => ({ url: uri, title: 'T', start, end })
// https://ai.google.dev/api/generate-content#GroundingMetadata and #CitationMetadata: places are counted in bytes.
it.each([
  ['without a beginning', { endIndex: 3 }, [from('https://w', 0, 2)]],
  ['from within', { startIndex: 1, endIndex: 4 }, [from('https://w', 1, 3)]],
  ['without an end', { startIndex: 1 }, [from('https://w', 1, 0)]],
  ['that is no place', { startIndex: 0.5, endIndex: '4' }, [from('https://w', 0, 0)]],
])('words are cited %s', (_, place, citations) => {
  const citedIn = (more: object) => {
    const [part] = candidateOf({ content: { parts: [{ text: 'aé b' }] }, ...more }).parts
    const encoded = part?.type === 'text' ? part.citations : undefined
    return encoded?.map(({ raw, ...citation }) => citation)
  }
  const groundingChunks = [{ web: { uri: 'https://w', title: 'T' } }]
  const groundingSupports = [{ segment: place, groundingChunkIndices: [0, 1] }]
  expect(citedIn({ groundingMetadata: { groundingChunks, groundingSupports } })).toEqual(citations)
  const cited = { uri: 'https://w', title: 'T', ...place }
  expect(citedIn({ citationMetadata: { citations: [cited] } })).toEqual(citations)
})

it('each kind of source may be cited; what has no address is a citation without one', () => {
  const { parts } = candidateOf({
    content: { parts: [{ text: 'abc' }] },
    groundingMetadata: {
      groundingChunks: [
        { maps: { uri: 'https://m', title: 'T' } },
        { retrievedContext: { title: 'T' } },
        { later: { uri: 'https://l' } },
      ],
      groundingSupports: [{ groundingChunkIndices: [0, 1, 2] }],
    },
  })
  expect(parts).toMatchObject([
    {
      citations: [
        { url: 'https://m', title: 'T' },
        { title: 'T', start: 0, end: 0 },
      ],
    },
  ])
})

it('a citation without a place is of all the words', () => {
  const cited: Part = { type: 'text', text: 'aé', citations: [{ url: 'https://a' }] }
  expect(write({ parts: [cited] }).candidate?.groundingMetadata).toEqual({
    groundingChunks: [{ web: { uri: 'https://a', title: '' } }],
    groundingSupports: [
      { segment: { startIndex: 0, endIndex: 3, text: 'aé' }, groundingChunkIndices: [0] },
    ],
  })
})
