import fc, { type Arbitrary } from 'fast-check'
import { anthropic } from '../anthropic/index.ts'
import type { ChatAnswer, ChatRequest, Choice, MediaPart, Message, Part } from '../canon.ts'
import { testMalformedInput, testRoundTrips } from '../dialect-suite.ts'
import {
  citation,
  citing,
  customCallPart,
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
  json,
  jsonObject,
  list,
  maybe,
  name,
  record,
  sometimes,
  text,
} from '../generate/values.ts'
import { openaiChat } from './index.ts'

const dialect = 'openai-chat' as const

const redacted = redactedPart('anthropic', 'openai-responses', 'gemini', dialect)
const signedThought = record(
  { type: 'thinking' },
  { text: text(), signature: signature('anthropic') },
)

/** The first thought is signed, because an unsigned one before another would join it. */
const thoughts: Arbitrary<Part[]> = fc
  .tuple(
    fc.nat(2),
    fc.oneof<fc.WeightedArbitrary<Part>[]>(
      { weight: 1, arbitrary: redacted },
      { weight: 2, arbitrary: signedThought },
    ),
    fc.oneof<fc.WeightedArbitrary<Part>[]>(
      { weight: 1, arbitrary: redacted },
      { weight: 2, arbitrary: thinkingPart('anthropic') },
    ),
  )
  .map(([count, first, second]) => [first, second].slice(0, count))

const answer = (isAnswer: boolean): Arbitrary<Part> =>
  fc
    .tuple(
      textPart(),
      sometimes(4, list(1, 2, citation())),
      isAnswer ? sometimes(4, logprobs()) : fc.constant(undefined),
      sometimes(6, signature('gemini')),
    )
    .map(([part, citations, logprobs, signature]) =>
      defined({ ...citing(part, citations), logprobs, signature }),
    )

const toolCall: Arbitrary<Part> = fc.oneof<fc.WeightedArbitrary<Part>[]>(
  { weight: 1, arbitrary: customCallPart('call_') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(toolCallPart('call_'), sometimes(4, signature('gemini')))
      .map(([call, signature]) => defined({ ...call, signature })),
  },
)

const audio: Arbitrary<MediaPart> = record(
  { type: 'media', mime: 'audio/*' },
  {
    id: name('audio_'),
    base64: base64(),
    transcript: text(),
    expiresAt: fc.integer({ min: 1, max: 2_000_000_000 }),
  },
)

const refusal: Arbitrary<Part> = record({ type: 'text', refusal: true }, { text: text() })

/** Parts in the order in which this dialect returns them. */
const modelParts = (isAnswer: boolean): Arbitrary<Part[]> =>
  fc
    .tuple(
      thoughts,
      maybe(answer(isAnswer)),
      sometimes(6, refusal),
      sometimes(6, list(1, 2, imagePart())),
      sometimes(6, audio),
      list(0, 3, toolCall),
    )
    .map(([thoughts, answer, refusal, images, audio, calls]) => [
      ...thoughts,
      ...(answer ? [answer] : []),
      ...(refusal ? [refusal] : []),
      ...(images ?? []),
      ...(audio ? [audio] : []),
      ...calls,
    ])

const choice: Arbitrary<Choice> = fc
  .tuple(modelParts(true), fc.constantFrom('stop', 'length', 'filter'), sometimes(5, jsonObject()))
  .map(([parts, reason, content_filter_results]) => {
    const isCalling = parts.some(part => part.type === 'tool-call')
    return defined({
      parts,
      finish: { reason: isCalling ? 'tools' : reason },
      unknownFields: content_filter_results && {
        dialect,
        fields: { content_filter_results: { ...content_filter_results, hate: { filtered: true } } },
      },
    })
  })

const answers: Arbitrary<ChatAnswer> = record(
  {},
  {
    id: name('chatcmpl-'),
    model: name('gpt-'),
    createdAt: fc.integer({ min: 1, max: 2_000_000_000 }),
    tier: maybe(fc.constantFrom('default', 'flex', 'priority')),
    choices: oneToThree(choice),
    reportedUsage: reportedUsage(
      ...(['input', 'cacheRead', 'cacheWrite5m', 'audioInput', 'imageInput'] as const),
      ...(['output', 'reasoning', 'audioOutput', 'imageOutput'] as const),
    ),
    unknownFields: maybe(
      name().map(system_fingerprint => ({ dialect, fields: { system_fingerprint } })),
    ),
  },
)

const cachedText: Arbitrary<Part> = textPart().map(part => ({
  ...part,
  cache: { ttl: '1h' },
  unknownFields: { dialect, fields: { cache_control: { type: 'ephemeral', ttl: '1h' } } },
}))

const media: Arbitrary<Part> = fc.oneof<Arbitrary<Part>[]>(
  fc
    .tuple(imagePart(), fc.constantFrom('low', 'high', 'auto'))
    .map(([image, detail]) => ({ ...image, detail })),
  record({ type: 'media' }, { mime: fc.constantFrom('audio/wav', 'audio/mp3'), base64: base64() }),
  record({ type: 'media', mime: 'application/pdf' }, { base64: base64(), name: name() }),
  record({ type: 'media', mime: 'application/octet-stream' }, { file: name('file-') }),
  record(
    { type: 'media', mime: 'video/*' },
    { url: name().map(file => `https://media.example/${file}`) },
  ),
  fc
    .tuple(name('x_'), json())
    .map(([type, of]) => ({ type: 'opaque', dialect, value: { type, of } })),
  cachedText,
)

const toolMessage: Arbitrary<Message> = fc
  .tuple(name('call_'), list(1, 2, textPart()))
  .map(([id, parts]) => ({ role: 'tool', parts: [{ type: 'tool-result', id, parts }] }))

const userMessage: Arbitrary<Message> = record(
  { role: 'user' },
  {
    parts: list(0, 4, fc.oneof<Arbitrary<Part>[]>(textPart(), media)),
    name: sometimes(4, name()),
    unknownFields: sometimes(
      8,
      json(1).map(note => ({ dialect, fields: { x_note: note ?? 1 } })),
    ),
  },
)

const message: Arbitrary<Message> = fc.oneof<fc.WeightedArbitrary<Message>[]>(
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('system', 'developer'), textPart())
      .map(([role, part]) => ({ role, parts: [part] })),
  },
  {
    weight: 1,
    arbitrary: modelParts(false).map(parts => ({ role: 'assistant', parts })),
  },
  { weight: 1, arbitrary: toolMessage },
  { weight: 2, arbitrary: userMessage },
)

const reasoning: Arbitrary<NonNullable<ChatRequest['reasoning']>> = fc.oneof<
  Arbitrary<NonNullable<ChatRequest['reasoning']>>[]
>(
  record({}, { effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh') }),
  fc.integer({ min: 1_024, max: 10_024 }).map(budget => ({
    mode: 'enabled',
    budget,
    unknownFields: {
      dialect,
      fields: { thinking: { type: 'enabled', budget_tokens: budget } },
    },
  })),
)

const format: Arbitrary<NonNullable<ChatRequest['format']>> = fc.oneof<
  Arbitrary<NonNullable<ChatRequest['format']>>[]
>(
  fc.constantFrom({ type: 'text' } as const, { type: 'json' } as const),
  fc
    .tuple(schemaFormat(), name(), fc.boolean())
    .map(([schema, name, strict]) => ({ ...schema, name, strict })),
)

const penalty = fc.integer({ min: -2, max: 2 })
const hundredths = (max: number) => fc.nat(max).map(number => number / 100)

/** `top_k` is both a canonical parameter and an unknown field of this dialect. */
const topK = fc.tuple(sometimes(6, fc.nat(100)), fc.boolean()).map(([topK, hasFields]) =>
  topK === undefined && !hasFields
    ? {}
    : {
        topK,
        unknownFields: {
          dialect,
          fields: defined({ logit_bias: { 50256: -100 }, top_k: topK }),
        },
      },
)

const requests: Arbitrary<ChatRequest> = fc
  .tuple(
    toolsAndChoice(maybe(list(1, 3, functionTool()))),
    maybe(fc.boolean()),
    topK,
    record(
      {},
      {
        model: fc
          .tuple(fc.constantFrom('gpt-5-', 'gpt-4o-', 'deepseek-'), name())
          .map(([family, version]) => family + version),
        messages: list(1, 6, message),
        stream: maybe(fc.boolean()),
        outputMax: maybe(fc.nat(10_000)),
        temperature: maybe(hundredths(200)),
        topP: maybe(hundredths(100)),
        stop: maybe(list(1, 3, text(1))),
        seed: maybe(fc.nat(1_000_000)),
        n: maybe(fc.integer({ min: 1, max: 4 })),
        presencePenalty: maybe(penalty),
        frequencyPenalty: maybe(penalty),
        logprobs: maybe(record({}, { top: maybe(fc.nat(20)) })),
        format: maybe(format),
        reasoning: maybe(reasoning),
        verbosity: maybe(fc.constantFrom('low', 'high')),
        metadata: maybe(fc.tuple(name(), text()).map(([key, value]) => ({ [key]: value }))),
        user: maybe(name()),
        safetyId: maybe(name()),
        tier: maybe(fc.constant('flex')),
        store: maybe(fc.boolean()),
        cacheKey: maybe(name()),
        cacheRetention: maybe(fc.constant('24h')),
      },
    ),
  )
  .map(([tools, parallelTools, topK, request]) =>
    defined({
      ...request,
      ...tools,
      ...topK,
      parallelTools: tools.tools && parallelTools,
    }),
  )

testRoundTrips(openaiChat, { requests, answers })

testMalformedInput(openaiChat, [openaiChat, anthropic], { requests, answers })
