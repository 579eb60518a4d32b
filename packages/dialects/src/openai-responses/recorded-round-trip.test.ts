import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  recorded,
  recordedLines,
  recordings,
} from '../../../../test/harness/runner/recordings.ts'
import type { ChatEvent } from '../canon.ts'
import { collectAnswer } from '../collect.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { openaiResponses } from './index.ts'

/** Some recordings are several streams, one behind the other. */
const streamsOf = (name: string): string[][] => {
  const streams: string[][] = []
  for (const line of recordedLines(name)) {
    if (line.includes('"type":"response.created"')) streams.push([])
    streams.at(-1)?.push(line)
  }
  return streams
}

const decodeAll = (lines: readonly string[]) => {
  const events: ChatEvent[] = []
  const decoder = openaiResponses.decodeFrames(event => events.push(event))
  for (const line of lines) decoder.pushFrame(line, JSON.parse(line).type)
  decoder.end()
  return { events, malformedFrames: decoder.malformedFrames() }
}

const encodeAll = (events: readonly ChatEvent[]) => {
  const encoder = openaiResponses.encodeEvents()
  const text = events.map(event => encoder.push(event)).join('')
  return { text, warnings: encoder.warnings }
}

const typesIn = (lines: readonly string[]): string[] => lines.map(line => JSON.parse(line).type)
const dataIn = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => line.slice(6))

const clientOf = (text: string, type: string) =>
  new OpenAI({
    apiKey: 'k',
    baseURL: 'http://upstream.example/v1',
    maxRetries: 0,
    fetch: async () => new Response(text, { headers: { 'content-type': type } }),
  })

/** Frames without content in canon: the progress of an image, and padding. */
const isUnsent = (type: string): boolean => type.startsWith('response.image_generation_call.')

describe.runIf(areRecordings)('recorded answers, told again', () => {
  for (const name of recordings('.json', /"object": "response"/))
    it(`${name} loses nothing`, async () => {
      const body = JSON.parse(recorded(name))
      const answer = openaiResponses.decodeAnswer(body)
      const { body: again, warnings } = openaiResponses.encodeResponse(answer)
      expect(warnings).toEqual([])
      expect(again).toMatchObject(withNumbers(body))
      const usage = answer.reportedUsage?.usage
      if (typeof usage !== 'object') throw new Error('usage')
      expect(inputTokens(usage) + outputTokens(usage)).toBe(body.usage.total_tokens)

      const client = clientOf(JSON.stringify(again), 'application/json')
      const read = await client.responses.create({ model: 'm', input: '' })
      expect(read.output).toMatchObject(body.output)
    })

  for (const name of recordings('.chunks.txt', /"response\.created"/))
    for (const [turn, lines] of streamsOf(name).entries()) {
      const last = JSON.parse(lines.at(-1)!)
      if (last.type !== 'response.completed') continue
      it(`${name} (${turn + 1}) loses nothing`, async () => {
        const response = { ...last.response, output: doneIn(lines, last.response.output) }
        const { events, malformedFrames } = decodeAll(lines)
        expect([malformedFrames, events.at(-1)]).toEqual([0, { type: 'end' }])
        const answer = collectAnswer(events)
        expect(openaiResponses.encodeResponse(answer).body).toMatchObject(withNumbers(response))

        const { text, warnings } = encodeAll(events)
        expect(warnings).toEqual([])
        const result = dataIn(text)
        const numbers = result.map(line => JSON.parse(line).sequence_number)
        expect(numbers).toEqual(numbers.map((_, at) => at))
        expect(JSON.parse(result.at(-1)!).response).toMatchObject(withNumbers(response))
        const expected = typesIn(lines).filter(type => !isUnsent(type))
        expect(inOrder(typesIn(result), expected)).toEqual([])

        const stream = clientOf(text, 'text/event-stream').responses.stream({
          model: 'm',
          input: '',
        })
        const read = await stream.finalResponse()
        expect(read.output).toMatchObject(response.output)
        expect(read.usage).toEqual(response.usage)
      })
    }

  it('an error within a stream is a failure, told as the vendor tells it', async () => {
    const [lines] = streamsOf('openai/openai-error.1.chunks.txt')
    const { events } = decodeAll(lines!)
    expect(events.at(-1)).toMatchObject({
      type: 'failure',
      failure: { type: 'insufficient_quota', code: 'insufficient_quota' },
    })
    const { text } = encodeAll(events)
    expect(typesIn(dataIn(text))).toEqual(typesIn(lines!))
    const stream = await clientOf(text, 'text/event-stream').responses.create({
      model: 'm',
      input: '',
      stream: true,
    })
    const all = async () => {
      for await (const _ of stream);
    }
    await expect(all()).rejects.toMatchObject({ code: 'insufficient_quota' })
  })
})

/** A vendor's null for a number becomes the default, which Open Responses requires. */
const withNumbers = (response: { temperature: unknown; top_p: unknown }) => ({
  ...response,
  temperature: response.temperature ?? 1,
  top_p: response.top_p ?? 1,
})

/** Encrypted content is encrypted anew in each event that tells it; clients keep the one of the item's own end. */
const doneIn = (lines: readonly string[], output: readonly { id: string }[]) => {
  const frames = lines.map(line => JSON.parse(line))
  return output.map(item => {
    const done = frames.find(
      frame => frame.type === 'response.output_item.done' && frame.item.id === item.id,
    )
    return done?.item ?? item
  })
}

/** Those of `wanted` that do not stand in `told` in their order. */
const inOrder = (result: readonly string[], expected: readonly string[]): string[] => {
  let at = 0
  return expected.filter(type => {
    const found = result.indexOf(type, at)
    if (found >= 0) at = found + 1
    return found < 0
  })
}
