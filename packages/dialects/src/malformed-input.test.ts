import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from './anthropic/index.ts'
import { addEvent, emptyAnswer } from './collect.ts'
import type { Dialect } from './dialect.ts'
import { geminiCodec } from './embeddings/gemini.ts'
import { openaiCodec } from './embeddings/openai.ts'
import { gemini } from './gemini/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

/** Names that the dialects look for, so that what is made reaches deep before it is odd. */
const names = [
  ...['model', 'input', 'instructions', 'type', 'role', 'content', 'text', 'refusal', 'format'],
  ...['message', 'reasoning', 'summary', 'encrypted_content', 'tools', 'tool_choice', 'include'],
  ...['output', 'output_index', 'item', 'delta', 'part', 'response', 'status', 'usage', 'error'],
  ...['annotations', 'annotation', 'logprobs', 'call_id', 'name', 'arguments', 'image_url', 'id'],
  ...['incomplete_details', 'metadata', 'content_index', 'summary_index', 'input_audio', 'data'],
  ...['contents', 'parts', 'systemInstruction', 'toolConfig', 'functionCallingConfig', 'mode'],
  ...['generationConfig', 'thinkingConfig', 'functionDeclarations', 'parameters', 'properties'],
  ...['functionCall', 'functionResponse', 'args', 'partialArgs', 'jsonPath', 'willContinue'],
  ...['inlineData', 'fileData', 'mimeType', 'thought', 'thoughtSignature', 'candidates', 'index'],
  ...['groundingMetadata', 'groundingSupports', 'groundingChunks', 'groundingChunkIndices'],
  ...['citationMetadata', 'citations', 'logprobsResult', 'chosenCandidates', 'topCandidates'],
  ...['usageMetadata', 'promptTokenCount', 'promptFeedback', 'blockReason', 'finishReason'],
  ...['requests', 'embedding', 'embeddings', 'predictions', 'values', 'statistics', 'tool_usage'],
]
const words = [
  ...['message', 'reasoning', 'function_call', 'function_call_output', 'output_text', 'refusal'],
  ...['input_image', 'input_file', 'input_audio', 'summary_text', 'custom_tool_call', 'custom'],
  ...['response.created', 'response.output_item.added', 'response.output_item.done', 'function'],
  ...['response.output_text.delta', 'response.content_part.added', 'response.completed', 'error'],
  ...['response.output_text.annotation.added', 'response.function_call_arguments.delta'],
  ...['image_generation_call', 'allowed_tools', 'json_schema', 'completed', 'model', 'user', 'ANY'],
  ...['STOP', 'image/png', '$.a[0]', 'application/json', ''],
]

const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1, -1, 0.5, 1e300, 'x', {}, [], [null]),
    fc.constantFrom(...words),
    { arbitrary: fc.array(tie('json'), { minLength: 1, maxLength: 3 }), weight: 3 },
    {
      arbitrary: fc.dictionary(fc.constantFrom(...names), tie('json'), {
        maxKeys: 5,
        noNullPrototype: true,
      }),
      weight: 4,
    },
    {
      arbitrary: fc
        .tuple(
          fc.dictionary(fc.constantFrom(...names), tie('json'), {
            maxKeys: 5,
            noNullPrototype: true,
          }),
          fc.constantFrom(...words),
        )
        .map(([fields, type]) => ({ ...fields, type })),
      weight: 4,
    },
  ),
}))

const tops = [
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'text', 'reasoning', 'include'],
  ...['contents', 'systemInstruction', 'toolConfig', 'generationConfig', 'output', 'usage', 'type'],
  ...['status', 'item', 'part', 'delta', 'output_index', 'response', 'candidates', 'requests'],
  ...['usageMetadata', 'promptFeedback', 'content', 'embeddings', 'predictions', 'error'],
]
const top = fc.dictionary(fc.constantFrom(...tops), json!, {
  minKeys: 2,
  maxKeys: 10,
  noNullPrototype: true,
})
const made = fc.oneof(json!, top, top, fc.array(top, { maxLength: 6 }))

/** Nobody outside may stop the gateway by what it says. */
const withstands = (take: (value: unknown) => unknown) =>
  fc.assert(
    fc.property(made, value => {
      expect(() => take(value)).not.toThrow()
    }),
    { numRuns: 1_000 },
  )

const dialects: Dialect[] = [openaiResponses, gemini]

describe.each(dialects.map(dialect => [dialect.id, dialect] as const))('%s', (_id, dialect) => {
  const named = { model: 'm', stream: true }

  it('reads any request, or says why not, and can write what it read', () =>
    withstands(value => {
      const result = dialect.decodeRequest(value, named)
      if (result.ok) JSON.stringify(dialect.encodeRequest(result.request, {}).body)
      dialect.tokenCounting?.decodeRequest(value, named)
      dialect.tokenCounting?.decodeAnswer(value)
    }))

  it('reads any answer, and can write what it read', () =>
    withstands(value => JSON.stringify(dialect.encodeResponse(dialect.decodeAnswer(value)).body)))

  it('hears any stream, and can tell what it heard', () =>
    withstands(value => {
      const encoder = dialect.encodeEvents()
      const decoder = dialect.decodeFrames(event => encoder.push(event))
      for (const frame of Array.isArray(value) ? value : [value])
        decoder.pushFrame(JSON.stringify(frame) ?? '', '')
      decoder.end()
    }))
})

it.each([
  [
    'openai-chat',
    openaiChat,
    { choices: [{ index: 4e9, message: { content: 'A' }, delta: { content: 'A' } }] },
  ],
  ['gemini', gemini, { candidates: [{ index: 4e9, content: { parts: [{ text: 'A' }] } }] }],
] as const)(
  '%s: an answer that says it is the four billionth is one answer',
  (_id, dialect, body) => {
    const { choices } = dialect.decodeAnswer({ id: 'a', model: 'm', ...body })
    expect(choices).toMatchObject([{ parts: [{ type: 'text', text: 'A' }] }])
    const answer = emptyAnswer()
    const decoder = dialect.decodeFrames(event => addEvent(answer, event))
    decoder.pushFrame(JSON.stringify({ id: 'a', model: 'm', ...body }), '')
    decoder.end()
    expect(answer.choices).toMatchObject([{ parts: [{ type: 'text', text: 'A' }] }])
  },
)

it.each([openaiChat, openaiResponses, anthropic, gemini])(
  'log probabilities without tokens are encoded for callers of $id',
  dialect => {
    const logprobs = { content: [null, {}, { token: 7, top_logprobs: [null, {}] }] }
    const choices = [{ message: { content: 'A' }, logprobs }]
    const { body } = dialect.encodeResponse(openaiChat.decodeAnswer({ choices }))
    expect(JSON.stringify(body)).toContain('"A"')
  },
)

it.each([
  ['openai', openaiCodec],
  ['gemini', geminiCodec],
])('embeddings of %s withstand anything', (_id, embeddings) =>
  withstands(value => {
    const result = embeddings.decodeRequest(value, { model: 'm', stream: false })
    if (!result.ok) return
    embeddings.encodeRequest(result.request)
    const answer = embeddings.decodeAnswer(value, 'm')
    if (answer) embeddings.encodeResponse(answer, result.request)
  }),
)
