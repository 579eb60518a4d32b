import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import type { ChatReply, Part } from '../canon.ts'
import type { Dialect } from '../dialect.ts'
import { gemini } from '../gemini/index.ts'
import { type AwsEvent, awsStreamBy } from '../generate/aws.ts'
import { type Dice, diceOf } from '../generate/dice.ts'
import { withNoise } from '../generate/noise.ts'
import { defined, makeCall, makeProof, makeText, makeThinking } from '../generate/parts.ts'
import { bytesOf, hearStream, tellStream } from '../generate/recorded.ts'
import { tell } from '../generate/tell.ts'
import { jsonOf } from '../generate/words.ts'
import type { Json } from '../json.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { noUsage } from '../usage.ts'
import { converse } from './index.ts'
import { makeRequest } from './make-request.ts'

const awsStream = awsStreamBy(new BedrockRuntimeClient({}).config)
const public4: readonly Dialect[] = [openaiChat, openaiResponses, anthropic, gemini]

const makeReply = (dice: Dice): ChatReply => {
  const part = (): Part =>
    dice.pick<() => Part>([
      () => makeText(dice),
      () => makeThinking(dice, 'converse'),
      () => ({
        type: 'thinking',
        text: '',
        redacted: true,
        signature: makeProof(dice, 'converse'),
      }),
      () => makeCall(dice, 'tooluse_'),
    ])()
  const classes = { input: dice.upTo(999), output: dice.upTo(999), cacheRead: dice.upTo(99) }
  const reason = dice.pick(['stop', 'length', 'tools', 'context-full'] as const)
  return defined({
    id: '',
    model: '',
    choices: [{ parts: dice.list(1, 5, part), finish: { reason } }],
    reportedUsage: dice.maybe(() => ({ usage: { ...noUsage(), ...classes } })),
  })
}

const words = {
  stop: 'end_turn',
  length: 'max_tokens',
  tools: 'tool_use',
  'context-full': 'model_context_window_exceeded',
} as const

/** The events of a reply in the vendor's words, in pieces. */
const eventsOf = (reply: ChatReply, dice: Dice): AwsEvent[] => {
  const events: AwsEvent[] = [['messageStart', { role: 'assistant' }]]
  const kinds: Part[] = []
  const delta = (contentBlockIndex: number, delta: object) =>
    events.push(['contentBlockDelta', { contentBlockIndex, delta }])
  const grow = (at: number, text: string) => {
    const { type } = kinds[at]!
    if (type === 'tool-call') delta(at, { toolUse: { input: text } })
    else delta(at, type === 'text' ? { text } : { reasoningContent: { text } })
  }
  for (const event of tell(reply, dice)) {
    if (event.type === 'part') {
      const { part, index } = event
      if (index > 0) events.push(['contentBlockStop', { contentBlockIndex: index - 1 }])
      kinds.push(part)
      if (part.type === 'tool-call') {
        const toolUse = { toolUseId: part.id, name: part.name }
        events.push(['contentBlockStart', { contentBlockIndex: index, start: { toolUse } }])
        grow(index, part.input)
      } else if (part.type === 'thinking' && part.redacted)
        delta(index, { reasoningContent: { redactedContent: part.signature?.text } })
      else if (part.type === 'thinking' || part.type === 'text') {
        grow(index, part.text)
        const signature = part.signature?.text
        if (signature) delta(index, { reasoningContent: { signature } })
      }
    }
    if (event.type === 'delta') grow(event.index, event.text)
    if (event.type === 'signature')
      delta(event.index, { reasoningContent: { signature: event.signature.text } })
  }
  const { reason } = reply.choices[0]!.finish!
  events.push(['messageStop', { stopReason: words[reason as keyof typeof words] }])
  const usage = reply.reportedUsage?.usage
  if (typeof usage === 'object') {
    const { input: inputTokens, output: outputTokens, cacheRead: cacheReadInputTokens } = usage
    events.push(['metadata', { usage: { inputTokens, outputTokens, cacheReadInputTokens } }])
  }
  return events
}

const streams = 500

it(`${streams} generated streams come to the reply they tell, cut at any five places`, async () => {
  for (let seed = 1; seed <= streams; seed += 1) {
    const dice = diceOf(seed)
    const reply = makeReply(dice)
    const stream = await awsStream(eventsOf(reply, dice))
    const places = [0, ...Array.from({ length: 5 }, () => dice.upTo(stream.length)), stream.length]
    const sorted = places.toSorted((a, b) => a - b)
    const pieces = sorted.slice(1).map((end, at) => stream.subarray(sorted[at], end))
    const heard = hearStream(converse, pieces, 'aws-events')
    expect(heard.reply, `seed ${seed}`).toEqual(reply)
    expect([heard.last, heard.malformedFrames], `seed ${seed}`).toEqual(['end', 0])
  }
})

const cutMax = Number(process.env.SOAK_STREAMS ?? 3)

it(`${cutMax} generated streams mean the same cut at any byte, and byte by byte`, async () => {
  for (let seed = 1; seed <= cutMax; seed += 1) {
    const dice = diceOf(seed)
    const stream = await awsStream(eventsOf(makeReply(dice), dice))
    const whole = hearStream(converse, [stream], 'aws-events')
    expect(hearStream(converse, bytesOf(stream), 'aws-events')).toEqual(whole)
    for (let at = 0; at <= stream.length; at += 1) {
      const pieces = [stream.subarray(0, at), stream.subarray(at)]
      expect(hearStream(converse, pieces, 'aws-events')).toEqual(whole)
      if (at % 9 > 0) continue
      // What is missing at the end is never taken for an answer.
      const { last } = hearStream(converse, [stream.subarray(0, at)], 'aws-events')
      if (last === 'end') expect(stream.subarray(0, at).includes('stopReason')).toBe(true)
    }
  }
})

it('a byte that was changed on the way ends the stream as a failure or is not noticed in its words', async () => {
  const dice = diceOf(7)
  const reply = makeReply(dice)
  const stream = await awsStream(eventsOf(reply, dice))
  for (let at = 0; at < stream.length; at += 1) {
    const broken = Buffer.from(stream)
    broken[at]! ^= 0x20
    const heard = hearStream(converse, [broken], 'aws-events')
    if (heard.last === 'end') expect(heard.reply.choices).toEqual(reply.choices)
    else expect(heard.last).toBe('failure')
  }
})

const names = [
  ...['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop'],
  ...['metadata', 'error', 'somethingNew', ''],
]

it('2000 streams with wrong places throw nothing, and can be told', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const dice = diceOf(seed)
    const events = eventsOf(makeReply(dice), dice)
    const heard: Parameters<typeof tellStream>[1][number][] = []
    const decoder = converse.decodeFrames(event => heard.push(event))
    for (const [name, payload] of events) {
      const said = dice.chance(3) ? withNoise(payload, dice) : payload
      decoder.pushFrame(JSON.stringify(said), dice.chance(9) ? dice.pick(names) : name)
    }
    decoder.end()
    expect(heard.at(-1)?.type).toMatch(/^(end|failure)$/)
    for (const dialect of public4) tellStream(dialect, heard)
  }
})

const keys = [
  ...['contentBlockIndex', 'start', 'delta', 'text', 'toolUse', 'toolResult', 'image', 'source'],
  ...['bytes', 'input', 'reasoningContent', 'redactedContent', 'citation', 'stopReason', 'usage'],
  ...['inputTokens', 'content', 'output', 'message', 'trace', 'sourceContent', 'location', 'web'],
  ...['citationsContent', 'citations', 'reasoningText', 'cacheDetails', 'document', 'format'],
]
const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1e300, 'x', '', {}, []),
    fc.array(tie('json'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('json'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))
const checks = { numRuns: 1_000 }

it('whatever comes as an answer or as a stream, nothing throws', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), json), { maxLength: 8 }), frames => {
      const decoder = converse.decodeFrames(() => {})
      for (const [name, said] of frames) decoder.pushFrame(JSON.stringify(said), name)
      decoder.pushFrame('{', 'contentBlockDelta')
      decoder.end()
      for (const [, said] of frames) {
        const message = said as Json
        const bodies = [said, { output: { message } }, { output: { message: { content: [said] } } }]
        for (const body of bodies) {
          const reply = converse.decodeReply(body)
          for (const dialect of public4) dialect.encodeReply(reply)
          converse.readReply(Buffer.from(JSON.stringify(body)))
          converse.decodeFault(Buffer.from(JSON.stringify(body)))
        }
        converse.decodeUsage(said)
      }
    }),
    checks,
  )
})

it('whatever a caller said that was understood can be written', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const dice = diceOf(seed)
    const request = makeRequest(dice)
    for (const dialect of public4) {
      const body = JSON.parse(JSON.stringify(dialect.encodeRequest(request).body))
      const read = dialect.decodeRequest(withNoise(body, dice), { model: 'm', stream: false })
      if (read.ok) JSON.stringify(converse.encodeRequest(read.request).body)
    }
    converse.encodeRequest({ model: 'm', messages: [], metadata: { x: jsonOf(dice) } })
  }
})
