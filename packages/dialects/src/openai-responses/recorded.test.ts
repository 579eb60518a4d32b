import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  itWithRecordings,
  recorded,
  recordedLines,
  recordings,
} from '../../../../test/harness/runner/recordings.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { openaiResponses } from './index.ts'
import { observeStream } from './passthrough/stream-observer.ts'

itWithRecordings(
  'recorded answers of vendors stand in ../shared/fixtures (left out where they do not)',
  () => {
    expect(areRecordings).toBe(true)
    expect(recordings('.chunks.txt', /"response\.created"/).length).toBeGreaterThan(15)
  },
)

/** Some recordings are several streams, one behind the other. */
const streamsOf = (name: string): string[][] => {
  const streams: string[][] = []
  for (const line of recordedLines(name)) {
    if (line.includes('"type":"response.created"')) streams.push([])
    streams.at(-1)?.push(line)
  }
  return streams
}

describe.runIf(areRecordings)('recorded streams', () => {
  for (const name of recordings('.chunks.txt', /"response\.created"/))
    for (const [turn, lines] of streamsOf(name).entries())
      it(`${name} (${turn + 1}) is passed on byte by byte, and its usage adds up`, () => {
        const frames = lines.map(line => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`)
        const ends = JSON.parse(lines.at(-1)!)
        const stream = Buffer.from(frames.join(''))
        const observer = observeStream()
        const out: Buffer[] = []
        for (let at = 0; at < stream.length; at += 1_000)
          out.push(...observer.push(stream.subarray(at, at + 1_000)))
        expect(observer.malformedFrames()).toBe(0)
        if (ends.type === 'response.failed') {
          expect(observer.failure()).toMatchObject({ error: { code: 'insufficient_quota' } })
          return
        }
        expect(observer.failure()).toBeUndefined()
        expect(Buffer.concat([...out, observer.tail()]).equals(stream)).toBe(true)
        expect(String(observer.tail())).toBe(frames.at(-1))

        const usage = observer.usage()
        if (typeof usage !== 'object') throw new Error(`usage is ${usage}`)
        expect(inputTokens(usage) + outputTokens(usage)).toBe(ends.response.usage.total_tokens)
        // As the meter of chat: of hidden reasoning it knows nothing, and some recordings were shortened.
        const visible = outputTokens(usage) - usage.reasoning
        const isWhole = lines.length * 8 > visible && visible > 100
        const isMetered = isWhole && !name.includes('image-generation')
        if (isMetered) expect(observer.meteredTokens()).toBeGreaterThan(0.8 * visible)
        if (isMetered) expect(observer.meteredTokens()).toBeLessThan(1.6 * outputTokens(usage))
      })

  for (const name of recordings('.json', /"object": "response"/))
    it(`${name} is read whole`, () => {
      const body = Buffer.from(recorded(name))
      const answer = openaiResponses.readAnswer(body)
      if (!answer.ok || typeof answer.usage !== 'object') throw new Error('an answer with usage')
      const result = JSON.parse(String(body)).usage
      expect(inputTokens(answer.usage) + outputTokens(answer.usage)).toBe(result.total_tokens)
    })
})
