import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  itWithRecordings,
  recorded,
  recordedLines,
  recordings,
} from '../../../../test/harness/runner/recordings.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { gemini, geminiArray } from './index.ts'

itWithRecordings(
  'recorded answers of vendors stand in ../shared/fixtures (left out where they do not)',
  () => {
    expect(areRecordings).toBe(true)
    expect(recordings('.chunks.txt', /"candidates"/).length).toBeGreaterThan(4)
  },
)

const decodedRequest = gemini.read(Buffer.from('{"contents":[]}'), { model: 'm', stream: true })
if (!decodedRequest.ok) throw new Error(decodedRequest.hint)
const { parsed } = decodedRequest

describe.runIf(areRecordings)('recorded streams', () => {
  for (const name of recordings('.chunks.txt', /"candidates"/)) {
    const lines = recordedLines(name)
    const forms = [
      [gemini, lines.map(line => `data: ${line}\r\n\r\n`).join('')],
      [geminiArray, `[${lines.join('\n,\r\n')}\n]\n`],
    ] as const
    for (const [dialect, text] of forms)
      it(`${name} is passed on byte by byte, and its usage adds up (${text[0]})`, () => {
        const stream = Buffer.from(text)
        const observer = dialect.observeStream(parsed)
        const out: Buffer[] = []
        for (let at = 0; at < stream.length; at += 1_000)
          out.push(...observer.push(stream.subarray(at, at + 1_000)))
        expect(observer.isClosed()).toBe(false)
        expect(observer.end?.()).toBe(true)
        expect([observer.malformedFrames(), observer.failure(), observer.isClosed()]).toEqual([
          0,
          undefined,
          true,
        ])
        expect(String(Buffer.concat([...out, observer.tail()]))).toBe(text)
        expect(String(observer.tail())).toContain('finishReason')

        const usage = observer.usage()
        if (typeof usage !== 'object') throw new Error(`usage is ${usage}`)
        const encoded = lines.map(line => JSON.parse(line).usageMetadata).findLast(Boolean)
        expect(inputTokens(usage) + outputTokens(usage)).toBe(encoded.totalTokenCount)
      })
  }

  for (const name of recordings('.json', /"candidates"/))
    it(`${name} is read whole`, () => {
      const body = Buffer.from(recorded(name))
      const answer = gemini.readAnswer(body)
      if (!answer.ok || typeof answer.usage !== 'object') throw new Error('an answer with usage')
      const encoded = JSON.parse(String(body)).usageMetadata
      expect(inputTokens(answer.usage) + outputTokens(answer.usage)).toBe(encoded.totalTokenCount)
    })
})
