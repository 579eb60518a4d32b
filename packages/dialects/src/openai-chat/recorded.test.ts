import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  itWithRecordings,
  recorded,
  recordedLines,
  recordings,
} from '../../../../test/harness/runner/recordings.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { openaiChat } from './index.ts'
import { observeStream } from './passthrough/stream-observer.ts'

const totalOf = (usage: { total_tokens: number }) => usage.total_tokens

itWithRecordings(
  'recorded answers of vendors stand in ../shared/fixtures (left out where they do not)',
  () => {
    expect(areRecordings).toBe(true)
    expect(recordings('.chunks.txt', /"chat\.completion\.chunk"/).length).toBeGreaterThan(8)
  },
)

describe.runIf(areRecordings)('recorded streams', () => {
  for (const name of recordings('.chunks.txt', /"chat\.completion\.chunk"/))
    it(`${name} is passed on byte by byte, and its usage adds up`, () => {
      const lines = recordedLines(name)
      const stream = Buffer.from(lines.map(line => `data: ${line}\n\n`).join(''))
      const observer = observeStream({ wantsUsage: true, n: 1 })
      const out: Buffer[] = []
      for (let at = 0; at < stream.length; at += 1_000)
        out.push(...observer.push(stream.subarray(at, at + 1_000)))
      expect(Buffer.concat(out).equals(stream)).toBe(true)
      expect([observer.malformedFrames(), observer.failure()]).toEqual([0, undefined])

      const usage = observer.usage()
      if (typeof usage !== 'object') throw new Error(`usage is ${usage}`)
      const result = lines.map(line => JSON.parse(line).usage).findLast(Boolean)
      expect(inputTokens(usage) + outputTokens(usage)).toBe(totalOf(result))
      // The meter stands in for a tokenizer where a vendor says nothing: never less than 0.8 of it, never more than 1.6.
      // Some recordings were shortened: their figures are for more than their frames.
      const isWhole = lines.length * 8 > outputTokens(usage)
      if (isWhole && outputTokens(usage) > 100) {
        const ratio = observer.meteredTokens() / outputTokens(usage)
        expect(ratio).toBeGreaterThan(0.8)
        expect(ratio).toBeLessThan(1.6)
      }
    })

  for (const name of recordings('.json', /"chat\.completion"/))
    it(`${name} is read whole`, () => {
      const body = Buffer.from(recorded(name))
      const answer = openaiChat.readAnswer(body)
      if (!answer.ok || typeof answer.usage !== 'object') throw new Error('an answer with usage')
      const result = JSON.parse(String(body)).usage
      expect(inputTokens(answer.usage) + outputTokens(answer.usage)).toBe(totalOf(result))
    })
})
