import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  itWithRecordings,
  recorded,
  recordedLines,
  recordingsOf,
} from '../../../../test/harness/runner/recordings.ts'
import type { Part } from '../canon.ts'
import { awsStreamEncoder, parseAwsEvents } from '../generate/aws-event-stream.ts'
import { decodeStream, singleBytes } from '../generate/streams.ts'
import type { Json } from '../json/json.ts'
import { inputTokens, outputTokens, type Usage } from '../usage.ts'
import { converse } from './index.ts'

const awsStream = awsStreamEncoder(new BedrockRuntimeClient({}).config)
const sum = (usage: Usage) => inputTokens(usage) + outputTokens(usage)
const joined = (pieces: unknown[]) => pieces.map(each => each ?? '').join('')

const textsOf = (parts: readonly Part[]) =>
  joined(parts.map(each => (each.type === 'text' ? each.text : '')))
const callsOf = (parts: readonly Part[]) =>
  parts.flatMap(each => (each.type === 'tool-call' ? [[each.id, each.name, each.input]] : []))

itWithRecordings(
  'recorded answers of Converse stand in ../shared/fixtures (left out where they do not)',
  () => expect(areRecordings).toBe(true),
)

describe.runIf(areRecordings)('recorded streams of Converse', () => {
  const names = recordingsOf('amazon-bedrock', '.chunks.txt')
  it('are there', () => expect(names.length).toBe(5))

  it.each(names)('%s is read, cut anywhere, and each word and figure is in its sum', async name => {
    const events = parseAwsEvents(recordedLines(name))
    const stream = await awsStream(events)
    const decoded = decodeStream(converse, [stream], 'aws-events')
    expect([decoded.last, decoded.malformedFrames]).toEqual(['end', 0])
    expect(decoded.events[0]?.type).toBe('start')
    expect(decodeStream(converse, singleBytes(stream), 'aws-events')).toEqual(decoded)
    for (let at = 0; at <= stream.length; at += 1) {
      const pieces = [stream.subarray(0, at), stream.subarray(at)]
      expect(decodeStream(converse, pieces, 'aws-events')).toEqual(decoded)
    }
    const encoded = events.map(each => each as [string, Json])
    const of = (expected: string) =>
      encoded.flatMap(([type, payload]) => (type === expected ? [payload] : []))
    const { parts, finish } = decoded.answer.choices[0]!
    const deltas = of('contentBlockDelta').map(each => each.delta)
    expect(textsOf(parts)).toBe(joined(deltas.map(each => each.text)))
    const tools = of('contentBlockStart').flatMap(each => each.start.toolUse ?? [])
    expect(callsOf(parts).map(([id, tool]) => [id, tool])).toEqual(
      tools.map(each => [each.toolUseId, each.name]),
    )
    expect(joined(callsOf(parts).map(each => each[2]))).toBe(
      joined(deltas.map(each => each.toolUse?.input)),
    )
    expect(finish).toEqual({ reason: 'tools' })
    const usage = decoded.answer.reportedUsage?.usage
    const [metadata] = of('metadata')
    if (metadata) expect(sum(usage as Usage)).toBe(metadata.usage.totalTokens)
    else expect(usage).toBeUndefined()
  })

  it.each(names)('%s cut off before its last word is no answer, wherever', async name => {
    const events = parseAwsEvents(recordedLines(name))
    const stop = events.findIndex(([type]) => type === 'messageStop')
    for (let count = 0; count < stop; count += 1) {
      const { last } = decodeStream(
        converse,
        [await awsStream(events.slice(0, count))],
        'aws-events',
      )
      expect([count, last]).toEqual([count, 'failure'])
    }
  })
})

describe.runIf(areRecordings)('recorded answers of Converse', () => {
  const names = recordingsOf('amazon-bedrock', '.json')
  it('are there', () => expect(names.length).toBe(6))

  it.each(names)('%s is read, and its figures add up', name => {
    const body = JSON.parse(recorded(name))
    const { content } = body.output.message
    const { choices, reportedUsage } = converse.decodeAnswer(body)
    const { parts, finish } = choices[0]!
    expect(textsOf(parts)).toBe(joined(content.map((each: Json) => each.text)))
    expect(callsOf(parts)).toEqual(
      content.flatMap(({ toolUse }: Json) =>
        toolUse ? [[toolUse.toolUseId, toolUse.name, JSON.stringify(toolUse.input)]] : [],
      ),
    )
    expect(finish).toEqual({ reason: 'tools' })
    expect(sum(reportedUsage?.usage as Usage)).toBe(body.usage.totalTokens)
    const facts = converse.readAnswer(Buffer.from(JSON.stringify(body)))
    expect(facts).toEqual({
      ok: true,
      usage: reportedUsage?.usage,
      meteredTokens: expect.any(Number),
    })
  })
})
