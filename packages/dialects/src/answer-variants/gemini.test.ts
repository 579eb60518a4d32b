import { expect, it } from 'vitest'
import { gemini } from '../gemini/index.ts'
import type { Json } from '../json/json.ts'
import {
  bytesOf,
  changed,
  type Frame,
  observedUsage,
  streamMeaning,
  wholeMeaning,
} from './meaning.ts'

const usageMetadata = {
  ...{ promptTokenCount: 9, cachedContentTokenCount: 4, candidatesTokenCount: 2 },
  ...{ thoughtsTokenCount: 1, totalTokenCount: 12 },
}
const head = { responseId: 'r', modelVersion: 'm' }
const parts: Json[] = [
  { text: 'so', thought: true },
  { text: 'hello' },
  { functionCall: { id: 'c', name: 'f', args: { a: 1 } } },
]
const candidate = (list: Json[], more = {}) => ({
  ...{ content: { role: 'model', parts: list }, index: 0, ...more },
})
const whole: Json = {
  ...head,
  candidates: [candidate(parts, { finishReason: 'STOP' })],
  usageMetadata,
}
const frame = (list: Json[], more = {}, usage: Json = undefined): Json => ({
  ...head,
  candidates: [candidate(list, more)],
  ...(usage ? { usageMetadata: usage } : {}),
})
const early = { promptTokenCount: 9, cachedContentTokenCount: 4, totalTokenCount: 9 }
const stream: Json[] = [
  frame([parts[0]], {}, early),
  frame([{ text: 'hel' }], {}, early),
  frame([{ text: 'lo' }], {}, early),
  frame([parts[2]], {}, early),
  frame([{ text: '' }], { finishReason: 'STOP' }, usageMetadata),
]
const each = (change: (body: Json, at: number) => void) =>
  changed(stream, frames => {
    for (const [at, body] of frames.entries()) change(body, at)
  })

const streams: Record<string, [source: string, frames: Frame[]]> = {
  'no content in the last candidate': [
    'https://github.com/symfony/ai/pull/1610',
    changed(stream, frames => {
      delete frames[4].candidates[0].content
    }),
  ],
  'a content of null in the last candidate': [
    'https://github.com/pydantic/pydantic-ai/issues/2097',
    changed(stream, frames => {
      frames[4].candidates[0].content = null
    }),
  ],
  'parts of null in the last candidate': [
    'https://github.com/symfony/ai/pull/1610',
    changed(stream, frames => {
      frames[4].candidates[0].content.parts = null
    }),
  ],
  'frames of metadata alone': [
    'https://github.com/BerriAI/litellm/pull/29167',
    [
      { ...head, usageMetadata: early },
      stream[0],
      { ...head, candidates: [{ index: 0 }] },
      { ...head, candidates: [] },
      { ...head, candidates: null },
      ...stream.slice(1),
    ],
  ],
  'a frame of usage behind the finish': [
    'https://github.com/Joouis/agent-maestro/pull/190',
    [
      ...stream.slice(0, 4),
      frame([{ text: '' }], { finishReason: 'STOP' }),
      { ...head, usageMetadata },
    ],
  ],
  'usage in the first frame only': [
    'https://github.com/janeapp/riffer/pull/309',
    each((body, at) => {
      if (at === 0) body.usageMetadata = usageMetadata
      else delete body.usageMetadata
    }),
  ],
  'usage that grows in every frame': [
    'https://github.com/ankit373/hydra/pull/855',
    each((body, at) => {
      if (at < 4) body.usageMetadata = { ...usageMetadata, candidatesTokenCount: at }
    }),
  ],
  'a usage of null and of empty fields behind the finish': [
    'https://github.com/janeapp/riffer/pull/309',
    [...stream, { ...head, usageMetadata: null }, { ...head, usageMetadata: {} }],
  ],
  'the traffic type alone in earlier frames': [
    'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse',
    each((body, at) => {
      if (at < 4) body.usageMetadata = { trafficType: 'ON_DEMAND' }
    }),
  ],
  'no index, id and model': [
    'https://github.com/router-for-me/CLIProxyAPI/issues/3256',
    each(body => {
      delete body.responseId
      delete body.modelVersion
      delete body.candidates[0].index
    }),
  ],
  'empty fields in every candidate': [
    'https://github.com/BerriAI/litellm/issues/40477',
    each((body, at) => {
      Object.assign(body, { promptFeedback: null })
      Object.assign(body.candidates[0], { safetyRatings: null, citationMetadata: null })
      if (at < 4) body.candidates[0].finishReason = at % 2 ? '' : null
    }),
  ],
  'an unspecified finish reason in every frame': [
    'https://ai.google.dev/api/generate-content#FinishReason',
    each((body, at) => {
      if (at < 4) body.candidates[0].finishReason = 'FINISH_REASON_UNSPECIFIED'
    }),
  ],
  'the finish reason in every frame': [
    'https://github.com/higress-group/higress/pull/2408',
    each(body => {
      body.candidates[0].finishReason = 'STOP'
    }),
  ],
  'empty parts': [
    'https://github.com/router-for-me/CLIProxyAPI/issues/3256',
    each(body => {
      body.candidates[0].content.parts.unshift({ text: '' })
      body.candidates[0].content.parts.push({ functionCall: { name: '', args: {} } })
    }),
  ],
  'a call without id': [
    'https://github.com/masaic-ai-platform/AgC/pull/59',
    changed(stream, frames => {
      delete frames[3].candidates[0].content.parts[0].functionCall.id
    }),
  ],
  'all in one frame': ['https://github.com/instill-ai/pipeline-backend/pull/1106', [whole]],
  'comments, pings and the [DONE] of OpenAI': [
    'https://github.com/songquanpeng/one-api/issues/1299',
    [': hi\n\n', ...stream.flatMap(body => [body, ': ping\n\n']), 'data: [DONE]\n\n'],
  ],
}
it.each(Object.entries(streams))('a stream with %s means the same', (_name, [, frames]) => {
  const bytes = bytesOf(frames)
  const expected = streamMeaning(gemini, bytesOf(stream))
  expect(expected).toMatchObject({
    parts: [{ text: 'so' }, { text: 'hello' }, { name: 'f', text: '{"a":1}' }],
    ...{ finish: 'tools', usage: { input: 5, cached: 4, output: 3 } },
  })
  expect(streamMeaning(gemini, bytes)).toEqual(expected)
  expect(observedUsage(gemini, bytes)).toEqual({
    ...{ isComplete: true, failure: undefined, hasOutput: true },
    usage: expected.usage,
  })
})

const wholes: Record<string, [source: string, body: Json]> = {
  'no index, id and model': [
    'https://github.com/router-for-me/CLIProxyAPI/issues/3256',
    { candidates: [{ content: { parts }, finishReason: 'STOP' }], usageMetadata },
  ],
  'empty fields': [
    'https://github.com/BerriAI/litellm/issues/40477',
    changed(whole, body => {
      Object.assign(body, { promptFeedback: null, responseId: null })
      Object.assign(body.candidates[0], { safetyRatings: null, finishMessage: '' })
      Object.assign(body.usageMetadata, { promptTokensDetails: null, cacheTokensDetails: [] })
      body.candidates[0].content.parts[1].thoughtSignature = ''
    }),
  ],
  'empty parts': [
    'https://github.com/router-for-me/CLIProxyAPI/issues/3256',
    changed(whole, body => {
      body.candidates[0].content.parts.push({ text: '' }, { functionCall: { name: '' } })
    }),
  ],
  'a call without id': [
    'https://github.com/masaic-ai-platform/AgC/pull/59',
    changed(whole, body => {
      delete body.candidates[0].content.parts[2].functionCall.id
    }),
  ],
  'thoughts in the total alone': [
    'https://ai.google.dev/api/generate-content#UsageMetadata',
    changed(whole, body => {
      delete body.usageMetadata.thoughtsTokenCount
    }),
  ],
}
it.each(Object.entries(wholes))('a whole answer with %s means the same', (_name, [, body]) => {
  expect(wholeMeaning(gemini, body)).toEqual(wholeMeaning(gemini, whole))
  const summary = gemini.readAnswer(Buffer.from(JSON.stringify(body)))
  expect(summary).toMatchObject({ ok: true, usage: { input: 5, cacheRead: 4, output: 2 } })
  for (const part of gemini.decodeAnswer(body).choices[0]!.parts)
    if (part.type === 'tool-call') expect(part.id).not.toBe('')
})

it.each([null, {}])('a call with the arguments %j has no arguments', args => {
  // https://github.com/JetBrains/koog/issues/2146
  const call = (functionCall: object) => ({ candidates: [candidate([{ functionCall }])] })
  const [expected, part] = [call({ name: 'f' }), call({ name: 'f', args })].map(
    body => gemini.decodeAnswer(body).choices[0]?.parts[0],
  )
  expect(['', '{}']).toContain(part?.type === 'tool-call' && part.input)
  expect(part).toMatchObject({ type: 'tool-call', name: 'f', id: (expected as Json).id })
})
