import fc, { type Arbitrary } from 'fast-check'
import type { ChatAnswer, ChatRequest, Choice, Logprob, Message, Part, Tool } from '../canon.ts'
import { testRoundTrips } from '../dialect-suite.ts'
import {
  functionTool,
  imagePart,
  logprobs,
  oneToThree,
  redactedPart,
  reportedUsage,
  schemaFormat,
  signature,
  textPart,
  thinkingPart,
  toolCallPart,
  toolsAndChoice,
} from '../generate/parts.ts'
import {
  base64,
  defined,
  jsonObject,
  list,
  maybe,
  name,
  record,
  sometimes,
  text,
} from '../generate/values.ts'
import { gemini, geminiArray } from './index.ts'

const dialect = 'gemini' as const

const thought: Arbitrary<Part> = fc.oneof(
  {
    weight: 1,
    arbitrary: redactedPart(dialect, 'anthropic', 'openai-responses', 'openai-chat'),
  },
  { weight: 3, arbitrary: thinkingPart(dialect) as Arbitrary<Part> },
)

const answer: Arbitrary<Part> = record(
  { type: 'text' },
  { text: text(), signature: sometimes(5, signature(dialect)) },
)

const toolCall = fc
  .tuple(toolCallPart('c_'), maybe(signature(dialect)))
  .map(([call, signature]) => defined({ ...call, signature }))

const signedImage: Arbitrary<Part> = record(
  { type: 'media', mime: 'image/png' },
  {
    base64: base64(),
    unknownFields: base64().map(
      thoughtSignature => ({ dialect, fields: { thoughtSignature } }) as const,
    ),
  },
)

const opaque: Arbitrary<Part> = text().map(code => ({
  type: 'opaque',
  dialect,
  value: { executableCode: { language: 'PYTHON', code } },
}))

/** No adjacent parts of the same text type, because a stream would join them. */
const parts: Arbitrary<Part[]> = list(
  0,
  4,
  fc.oneof(answer, answer, thought, toolCall, signedImage, opaque),
).map(generated =>
  generated.filter((part, at) => {
    const isText = part.type === 'text' || part.type === 'thinking'
    return !isText || generated[at - 1]?.type !== part.type
  }),
)

/** Tokens have no bytes in this dialect. */
const withoutBytes = (generated: readonly Logprob[]): Logprob[] =>
  generated.map(({ token, logprob, top = [] }) => ({
    token,
    logprob,
    top: top.map(each => ({ token: each.token, logprob: each.logprob })),
  }))

/** Logprobs belong to a candidate, so only its single text part can have them. */
const withLogprobs = (generated: Part[], added: readonly Logprob[] | undefined): Part[] => {
  const isSingle = generated.filter(part => part.type === 'text').length === 1
  return generated.map(part =>
    part.type === 'text' && isSingle && added ? { ...part, logprobs: withoutBytes(added) } : part,
  )
}

const choice: Arbitrary<Choice> = fc
  .tuple(
    parts,
    sometimes(4, logprobs()),
    fc.constantFrom('stop', 'length', 'filter', 'recitation', 'malformed'),
    text(),
    maybe(jsonObject()),
  )
  .map(([generated, added, ending, finishMessage, rating]) => {
    const hasCall = generated.some(part => part.type === 'tool-call')
    const endings = {
      stop: { reason: hasCall ? 'tools' : 'stop' },
      length: { reason: 'length' },
      filter: { reason: 'filter' },
      recitation: {
        reason: 'filter',
        unknownFields: { dialect, fields: { finishReason: 'RECITATION' } },
      },
      malformed: {
        reason: 'error',
        unknownFields: {
          dialect,
          fields: { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage },
        },
      },
    } as const
    return defined({
      parts: withLogprobs(generated, added),
      finish: endings[ending],
      unknownFields: rating && ({ dialect, fields: { safetyRatings: [rating] } } as const),
    })
  })

const answers: Arbitrary<ChatAnswer> = record(
  {},
  {
    id: name(),
    model: name(),
    choices: oneToThree(choice),
    reportedUsage: reportedUsage(
      ...(['input', 'cacheRead', 'output', 'reasoning', 'audioInput', 'imageOutput'] as const),
    ),
    unknownFields: maybe(
      jsonObject().map(
        modelStatus =>
          ({
            dialect,
            fields: { createTime: '2026-04-02T17:03:50.399550Z', modelStatus },
          }) as const,
      ),
    ),
  },
)

/** Images by URL need an exact type, which this dialect sends. */
const typedImage: Arbitrary<Part> = imagePart().map(image =>
  image.url ? { ...image, mime: 'image/png' } : image,
)

const userPart: Arbitrary<Part> = fc.oneof(
  textPart(),
  typedImage,
  record({ type: 'media', mime: 'application/pdf' }, { base64: base64(), name: name() }),
  fc.constant<Part>({
    type: 'media',
    mime: 'video/mp4',
    url: 'https://youtu.be/x',
    unknownFields: { dialect, fields: { videoMetadata: { startOffset: '1s' } } },
  }),
)

const history: Arbitrary<Part[]> = parts.map(generated =>
  generated.filter(
    part => part.type !== 'tool-call' && (part.type !== 'thinking' || !part.redacted),
  ),
)

const callWithResult = fc.tuple(
  toolCall,
  fc.tuple(textPart(), list(0, 1, typedImage)),
  sometimes(4, fc.constant(true as const)),
)

const turn: Arbitrary<Message[]> = fc
  .tuple(list(1, 3, userPart), history, list(0, 2, callWithResult))
  .map(([parsed, before, calls]) => {
    const answered = [...before, ...calls.map(([call]) => call)]
    const results = calls.map(([call, [first, images], failed]) =>
      defined({
        ...({ type: 'tool-result', id: call.id, name: call.name } as const),
        parts: [first, ...images],
        failed,
      }),
    )
    return [
      { role: 'user', parts: parsed },
      ...(answered.length > 0 ? [{ role: 'assistant', parts: answered } as const] : []),
      ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
    ]
  })

const messages: Arbitrary<Message[]> = fc
  .tuple(maybe(textPart()), list(1, 3, turn))
  .map(([system, turns]): Message[] => [
    ...(system ? [{ role: 'system', parts: [system] } satisfies Message] : []),
    ...turns.flat(),
  ])

const search: Tool = { type: 'opaque', dialect, value: { googleSearch: {} } }

const tools: Arbitrary<Tool[] | undefined> = maybe(
  fc
    .tuple(list(1, 3, functionTool()), fc.boolean())
    .map(([functions, hasSearch]) => [
      ...functions.map(({ strict, ...tool }) => tool),
      ...(hasSearch ? [search] : []),
    ]),
)

const tenths = (max: number) => fc.nat(max).map(number => number / 10)

const formats = fc.oneof(
  fc.constantFrom<NonNullable<ChatRequest['format']>[]>({ type: 'text' }, { type: 'json' }),
  schemaFormat(),
)
const reasoning = fc.oneof(
  fc.constantFrom<NonNullable<ChatRequest['reasoning']>[]>(
    { effort: 'low', summary: 'auto' },
    { summary: 'none' },
  ),
  record({}, { budget: fc.nat(9_000) }),
)

const unknownRequestFields = fc
  .tuple(jsonObject(), name('cachedContents/'))
  .map(([safetySetting, cachedContent]) => ({
    dialect,
    fields: {
      toolConfig: { retrievalConfig: { languageCode: 'en' } },
      generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
      safetySettings: [safetySetting],
      cachedContent,
    },
  }))

const requests: Arbitrary<ChatRequest> = fc
  .tuple(
    toolsAndChoice(tools),
    record(
      {},
      {
        model: name(),
        messages,
        stream: fc.boolean(),
        outputMax: maybe(fc.nat(9_000)),
        temperature: maybe(tenths(20)),
        topP: maybe(tenths(10)),
        topK: maybe(fc.nat(40)),
        stop: maybe(list(1, 3, text())),
        seed: maybe(fc.nat(9_999)),
        n: maybe(fc.integer({ min: 1, max: 4 })),
        presencePenalty: maybe(tenths(20)),
        frequencyPenalty: maybe(tenths(20)),
        logprobs: maybe(record({}, { top: fc.nat(20) })),
        format: maybe(formats),
        reasoning: maybe(reasoning),
        modalities: maybe(fc.constant<string[]>(['text', 'image'])),
        tier: maybe(fc.constant('flex')),
        store: maybe(fc.boolean()),
        unknownFields: maybe(unknownRequestFields),
      },
    ),
  )
  .map(([toolFields, request]) => defined({ ...request, ...toolFields }))

testRoundTrips(gemini, { requests, answers })

testRoundTrips(geminiArray, {
  requests,
  answers,
  frames: onFrame => {
    const chunks: Buffer[] = []
    return {
      push: chunk => chunks.push(chunk) > 0,
      end: () => {
        for (const frame of JSON.parse(String(Buffer.concat(chunks))))
          onFrame(JSON.stringify(frame), '')
      },
    }
  },
})
