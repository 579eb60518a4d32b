import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import fc, { type Arbitrary } from 'fast-check'
import { expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import type { ChatAnswer, ChatEvent, Part } from '../canon.ts'
import type { Dialect } from '../dialect.ts'
import { gemini } from '../gemini/index.ts'
import { type AwsEvent, awsStreamEncoder } from '../generate/aws-event-stream.ts'
import { redactedPart, textPart, thinkingPart, toolCallPart } from '../generate/parts.ts'
import { cutAt, cutPositions, streamedAnswers } from '../generate/round-trip.ts'
import { decodeStream, encodeStream, singleBytes } from '../generate/streams.ts'
import { json, list, maybe, mutated, record, sometimes } from '../generate/values.ts'
import type { Json } from '../json/json.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { noUsage } from '../usage.ts'
import { converse } from './index.ts'
import { requestArbitrary } from './request-arbitrary.ts'

const awsStream = awsStreamEncoder(new BedrockRuntimeClient({}).config)
const callerDialects: readonly Dialect[] = [openaiChat, openaiResponses, anthropic, gemini]

const part = fc.oneof<Arbitrary<Part>[]>(
  textPart(),
  thinkingPart('converse'),
  redactedPart('converse'),
  toolCallPart('tooluse_'),
)

const figures = record({}, { input: fc.nat(999), output: fc.nat(999), cacheRead: fc.nat(99) })

const answers: Arbitrary<ChatAnswer> = record(
  { id: '', model: '' },
  {
    choices: record(
      {},
      {
        parts: list(1, 5, part),
        finish: record({}, { reason: fc.constantFrom('stop', 'length', 'tools', 'context-full') }),
      },
    ).map(choice => [choice]),
    reportedUsage: maybe(figures.map(classes => ({ usage: { ...noUsage(), ...classes } }))),
  },
)

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tools: 'tool_use',
  'context-full': 'model_context_window_exceeded',
} as const

/** The events of an answer as the vendor names them. */
const awsEvents = (answer: ChatAnswer, events: readonly ChatEvent[]): AwsEvent[] => {
  const encoded: AwsEvent[] = [['messageStart', { role: 'assistant' }]]
  const parts: Part[] = []
  const delta = (contentBlockIndex: number, delta: object) =>
    encoded.push(['contentBlockDelta', { contentBlockIndex, delta }])
  const textDelta = (at: number, text: string) => {
    const { type } = parts[at]!
    if (type === 'tool-call') delta(at, { toolUse: { input: text } })
    else delta(at, type === 'text' ? { text } : { reasoningContent: { text } })
  }
  for (const event of events) {
    if (event.type === 'part') {
      const { part, index } = event
      if (index > 0) encoded.push(['contentBlockStop', { contentBlockIndex: index - 1 }])
      parts.push(part)
      if (part.type === 'tool-call') {
        const toolUse = { toolUseId: part.id, name: part.name }
        encoded.push(['contentBlockStart', { contentBlockIndex: index, start: { toolUse } }])
        textDelta(index, part.input)
      } else if (part.type === 'thinking' && part.redacted)
        delta(index, { reasoningContent: { redactedContent: part.signature?.text } })
      else if (part.type === 'thinking' || part.type === 'text') {
        textDelta(index, part.text)
        const signature = part.signature?.text
        if (signature) delta(index, { reasoningContent: { signature } })
      }
    }
    if (event.type === 'delta') textDelta(event.index, event.text)
    if (event.type === 'signature')
      delta(event.index, { reasoningContent: { signature: event.signature.text } })
  }
  const { reason } = answer.choices[0]!.finish!
  encoded.push(['messageStop', { stopReason: stopReasons[reason as keyof typeof stopReasons] }])
  const usage = answer.reportedUsage?.usage
  if (typeof usage === 'object') {
    const { input, output, cacheRead } = usage
    encoded.push([
      'metadata',
      { usage: { inputTokens: input, outputTokens: output, cacheReadInputTokens: cacheRead } },
    ])
  }
  return encoded
}

const awsAnswers = streamedAnswers(answers).map(({ answer, events }) => ({
  answer,
  events: awsEvents(answer, events),
}))

const streamCount = 500

it(`${streamCount} generated streams decode to their answer, cut at any five positions`, () =>
  fc.assert(
    fc.asyncProperty(awsAnswers, cutPositions, async ({ answer, events }, positions) => {
      const stream = await awsStream(events)
      const decoded = decodeStream(converse, cutAt(stream, positions), 'aws-events')
      expect(decoded.answer).toEqual(answer)
      expect([decoded.last, decoded.malformedFrames]).toEqual(['end', 0])
    }),
    { numRuns: streamCount },
  ))

const cutStreamCount = Number(process.env.SOAK_STREAMS ?? 3)

it(`${cutStreamCount} generated streams mean the same, cut at any byte, and byte by byte`, () =>
  fc.assert(
    fc.asyncProperty(awsAnswers, async ({ events }) => {
      const stream = await awsStream(events)
      const whole = decodeStream(converse, [stream], 'aws-events')
      expect(decodeStream(converse, singleBytes(stream), 'aws-events')).toEqual(whole)
      for (let at = 0; at <= stream.length; at += 1) {
        const pieces = [stream.subarray(0, at), stream.subarray(at)]
        expect(decodeStream(converse, pieces, 'aws-events')).toEqual(whole)
        if (at % 9 > 0) continue
        // A truncated stream never passes for a whole answer.
        const { last } = decodeStream(converse, [stream.subarray(0, at)], 'aws-events')
        if (last === 'end') expect(stream.subarray(0, at).includes('stopReason')).toBe(true)
      }
    }),
    { numRuns: cutStreamCount },
  ))

it('a corrupted byte ends the stream as a failure, or changes none of its parts', () =>
  fc.assert(
    fc.asyncProperty(awsAnswers, async ({ answer, events }) => {
      const stream = await awsStream(events)
      for (let at = 0; at < stream.length; at += 1) {
        const corrupted = Buffer.from(stream)
        corrupted[at]! ^= 0x20
        const decoded = decodeStream(converse, [corrupted], 'aws-events')
        if (decoded.last === 'end') expect(decoded.answer.choices).toEqual(answer.choices)
        else expect(decoded.last).toBe('failure')
      }
    }),
    { numRuns: 2 },
  ))

const names = [
  ...['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop'],
  ...['metadata', 'error', 'somethingNew', ''],
]

/** Frames of a stream, some with mutated payloads or other names. */
const malformedFrames: Arbitrary<(readonly [data: string, name: string])[]> = awsAnswers.chain(
  ({ events }) =>
    fc.tuple(
      ...events.map(([name, payload]) =>
        fc
          .tuple(sometimes(3, mutated(payload)), sometimes(9, fc.constantFrom(...names)))
          .map(
            ([other, otherName]) => [JSON.stringify(other ?? payload), otherName ?? name] as const,
          ),
      ),
    ),
)

it('2000 streams with malformed frames throw nothing and can be translated', () =>
  fc.assert(
    fc.property(malformedFrames, frames => {
      const events: ChatEvent[] = []
      const decoder = converse.decodeFrames(event => events.push(event))
      for (const [data, name] of frames) decoder.pushFrame(data, name)
      decoder.end()
      expect(events.at(-1)?.type).toMatch(/^(end|failure)$/)
      for (const dialect of callerDialects) encodeStream(dialect, events)
    }),
    { numRuns: 2_000 },
  ))

const keys = [
  ...['contentBlockIndex', 'start', 'delta', 'text', 'toolUse', 'toolResult', 'image', 'source'],
  ...['bytes', 'input', 'reasoningContent', 'redactedContent', 'citation', 'stopReason', 'usage'],
  ...['inputTokens', 'content', 'output', 'message', 'trace', 'sourceContent', 'location', 'web'],
  ...['citationsContent', 'citations', 'reasoningText', 'cacheDetails', 'document', 'format'],
]
const { json: awsJson } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1e300, 'x', '', {}, []),
    fc.array(tie('json'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('json'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))
it('no JSON throws, as a response or as a frame', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), awsJson), { maxLength: 8 }),
      frames => {
        const decoder = converse.decodeFrames(() => {})
        for (const [name, payload] of frames) decoder.pushFrame(JSON.stringify(payload), name)
        decoder.pushFrame('{', 'contentBlockDelta')
        decoder.end()
        for (const [, payload] of frames) {
          const message = payload as Json
          for (const body of [
            payload,
            { output: { message } },
            { output: { message: { content: [payload] } } },
          ]) {
            const answer = converse.decodeAnswer(body)
            for (const dialect of callerDialects) dialect.encodeResponse(answer)
            converse.readAnswer(Buffer.from(JSON.stringify(body)))
            converse.decodeFault(Buffer.from(JSON.stringify(body)))
          }
          converse.decodeUsage(payload)
        }
      },
    ),
    { numRuns: 1_000 },
  ))

const mutatedRequests = requestArbitrary.chain(request =>
  fc.tuple(
    ...callerDialects.map(dialect => {
      const { body } = dialect.encodeRequest(request)
      return mutated(JSON.parse(JSON.stringify(body)))
    }),
  ),
)

it('every malformed request that a caller dialect accepts can be encoded', () =>
  fc.assert(
    fc.property(mutatedRequests, json(), (bodies, value) => {
      for (const [at, body] of bodies.entries()) {
        const decoded = callerDialects[at]!.decodeRequest(body, { model: 'm', stream: false })
        if (decoded.ok) JSON.stringify(converse.encodeRequest(decoded.request).body)
      }
      converse.encodeRequest({ model: 'm', messages: [], metadata: { x: value } })
    }),
    { numRuns: 2_000 },
  ))
