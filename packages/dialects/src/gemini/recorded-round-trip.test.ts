import { GoogleGenAI } from '@google/genai'
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
import { gemini } from './index.ts'

const decode = (lines: readonly string[]) => {
  const events: ChatEvent[] = []
  const decoder = gemini.decodeFrames(event => events.push(event))
  for (const line of lines) decoder.pushFrame(line, '')
  decoder.end()
  return { events, malformedFrames: decoder.malformedFrames() }
}

const encode = (events: readonly ChatEvent[], form?: 'array') => {
  const encoder = gemini.encodeEvents({ ...(form ? { streamFormat: form } : {}) })
  const text = events.map(event => encoder.push(event)).join('')
  return { text, warnings: encoder.warnings }
}

const clientOf = (text: string, type: string) =>
  new GoogleGenAI({
    apiKey: 'k',
    httpOptions: {
      baseUrl: 'http://upstream.example',
      fetch: async () => new Response(text, { headers: { 'content-type': type } }),
    } as object,
  })

/** Joins the parts of all frames: texts by kind, signatures, calls. */
const sumOf = (frames: readonly { candidates?: unknown }[]) => {
  // biome-ignore lint/suspicious/noExplicitAny: the vendor's own frames
  const parts = frames.flatMap((frame: any) => frame.candidates?.[0]?.content?.parts ?? [])
  return {
    text: parts.map(part => part.text ?? '').join(''),
    signatures: parts.flatMap(part => part.thoughtSignature ?? []),
    calls: parts.flatMap(part => part.functionCall?.name ?? []),
  }
}

describe.runIf(areRecordings)('recorded answers, told again', () => {
  for (const name of recordings('.json', /"candidates"/))
    it(`${name} loses nothing`, async () => {
      const body = JSON.parse(recorded(name))
      const answer = gemini.decodeAnswer(body)
      const { body: again, warnings } = gemini.encodeResponse(answer)
      expect([again, warnings]).toEqual([body, []])
      const usage = answer.reportedUsage?.usage
      if (typeof usage !== 'object') throw new Error('usage')
      expect(inputTokens(usage) + outputTokens(usage)).toBe(body.usageMetadata.totalTokenCount)

      const client = clientOf(JSON.stringify(again), 'application/json')
      const read = await client.models.generateContent({ model: 'm', contents: 'x' })
      // The client leaves out what its version does not know.
      expect(body.candidates).toMatchObject(read.candidates as object)
    })

  for (const name of recordings('.chunks.txt', /"candidates"/)) {
    const lines = recordedLines(name)
    const frames = lines.map(line => JSON.parse(line))
    const last = frames.at(-1)

    it(`${name} loses nothing`, async () => {
      const { events, malformedFrames } = decode(lines)
      expect([malformedFrames, events.at(-1)]).toEqual([0, { type: 'end' }])
      const { body } = gemini.encodeResponse(collectAnswer(events))
      expect(sumOf([body])).toEqual(sumOf(frames))
      expect(body).toMatchObject({
        usageMetadata: last.usageMetadata,
        modelVersion: last.modelVersion,
        responseId: last.responseId,
        candidates: [{ finishReason: last.candidates[0].finishReason }],
      })

      const { text, warnings } = encode(events)
      expect(warnings).toEqual([])
      const read = []
      const stream = await clientOf(text, 'text/event-stream').models.generateContentStream({
        model: 'm',
        contents: 'x',
      })
      for await (const chunk of stream) read.push(chunk)
      expect(sumOf(read)).toEqual(sumOf(frames))
      expect(read.at(-1)).toMatchObject({
        usageMetadata: last.usageMetadata,
        candidates: [{ finishReason: last.candidates[0].finishReason }],
      })
      expect(sumOf(JSON.parse(encode(events, 'array').text))).toEqual(sumOf(frames))
    })
  }

  it('arguments that come in pieces are put together', () => {
    const name = 'google/google-vertex-stream-tool-call-arguments-nested.1.chunks.txt'
    const { events } = decode(recordedLines(name))
    const [call] = collectAnswer(events).choices[0]!.parts
    if (call?.type !== 'tool-call') throw new Error('a call')
    const { recipe } = JSON.parse(call.input)
    expect(call.signature?.text).toMatch(/^CmIBjz1rX0OQ/)
    expect(recipe.ingredients).toHaveLength(10)
    expect(recipe.ingredients[9]).toEqual({ amount: '1/2 tsp', name: 'Pepper' })
    expect(recipe.steps[4]).toBe('In a 9x13 baking dish, spread a thin layer of meat sauce.')
    expect(recipe.name).toBe('Lasagna')
  })
})
