import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  itWithRecordings,
  recorded,
  recordings,
} from '../../../test/harness/runner/recordings.ts'
import { anthropic } from './anthropic/index.ts'
import type { ChatAnswer, Part, TextPart } from './canon.ts'
import type { Dialect } from './dialect.ts'
import { decodeStream, encodeStream, missingPaths, singleBytes } from './generate/streams.ts'
import type { Json } from './json/json.ts'
import { openaiChat } from './openai-chat/index.ts'
import { inputTokens, outputTokens } from './usage.ts'

itWithRecordings(
  'recorded answers of vendors stand in ../shared/fixtures (left out where they do not)',
  () => expect(areRecordings).toBe(true),
)

type Vendor = {
  dialect: Dialect
  stream: RegExp
  whole: RegExp
  /** A recording may be of several answers, one behind the other. */
  isLast(line: string): boolean
  write(line: string): string
  ending: string
  /** The words of one frame, and the thoughts. */
  words(frame: Json): [unknown, unknown]
  /** Reads a stream with the vendor's own client. */
  readByClient(stream: Buffer): Promise<unknown>
}

const answering = (stream: Buffer) => async () =>
  new Response(new Uint8Array(stream), { headers: { 'content-type': 'text/event-stream' } })

const readByOpenAI = async (stream: Buffer): Promise<unknown> => {
  const client = new OpenAI({ apiKey: 'k', baseURL: 'http://x.example', fetch: answering(stream) })
  return client.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion()
}

const readByAnthropic = async (stream: Buffer): Promise<unknown> => {
  const client = new Anthropic({
    apiKey: 'k',
    baseURL: 'http://x.example',
    fetch: answering(stream),
  })
  return client.messages.stream({ model: 'm', max_tokens: 9, messages: [] }).finalMessage()
}

/** Mistral's content is a text, or a list of texts and thoughts. */
const wordsIn = (content: Json, type: 'text' | 'thinking'): string | undefined => {
  if (!Array.isArray(content)) return type === 'text' ? content : undefined
  const payload = content.filter(each => each.type === type).flatMap(each => each[type])
  return payload.map(each => each.text ?? each).join('')
}

const tongues: Vendor[] = [
  {
    dialect: openaiChat,
    stream: /"chat\.completion\.chunk"/,
    whole: /"chat\.completion"/,
    isLast: () => false,
    write: line => `data: ${line}\n\n`,
    ending: 'data: [DONE]\n\n',
    words: ({ choices: [choice] }) => [
      wordsIn(choice?.delta.content, 'text'),
      choice?.delta.reasoning_content ??
        choice?.delta.reasoning ??
        wordsIn(choice?.delta.content, 'thinking'),
    ],
    readByClient: readByOpenAI,
  },
  {
    dialect: anthropic,
    stream: /^\{"type":"message_start"/,
    whole: /"stop_reason"/,
    isLast: line => line.includes('"message_stop"'),
    write: line => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`,
    ending: '',
    words: ({ delta }) => [delta?.text, delta?.thinking],
    readByClient: readByAnthropic,
  },
]

/** The streams of one recording, by their lines. */
const answersIn = (name: string, { isLast }: Vendor): string[][] => {
  const answers: string[][] = [[]]
  for (const line of recorded(name).split('\n')) {
    if (line.trim() === '') continue
    answers.at(-1)!.push(line)
    if (isLast(line)) answers.push([])
  }
  return answers.filter(lines => lines.length > 0)
}

const shapeOf = (answer: ChatAnswer): string[] =>
  answer.choices.flatMap(({ parts }) => parts.map(kindOf)).toSorted()

const kindOf = (part: Part): string =>
  part.type === 'opaque' ? String((part.value as { type?: string }).type) : part.type

const plain = (answer: ChatAnswer): unknown => JSON.parse(JSON.stringify(answer))

for (const tongue of tongues)
  describe.runIf(areRecordings)(`recorded streams of ${tongue.dialect.id}`, () => {
    const { dialect } = tongue
    const names = recordings('.chunks.txt', tongue.stream)
    it('are many', () => expect(names.length).toBeGreaterThan(9))

    for (const name of names)
      for (const [at, lines] of answersIn(name, tongue).entries()) {
        const stream = Buffer.from(lines.map(tongue.write).join('') + tongue.ending)
        const decoded = decodeStream(dialect, [stream])

        it(`${name} ${at}: is read, cut at every byte, and means the same`, () => {
          expect([decoded.last, decoded.malformedFrames]).toEqual(['end', 0])
          expect(decodeStream(dialect, singleBytes(stream)).answer).toEqual(decoded.answer)
          for (let cut = 0; cut <= stream.length && stream.length < 3_000; cut += 1) {
            const pieces = [stream.subarray(0, cut), stream.subarray(cut)]
            expect(decodeStream(dialect, pieces).answer).toEqual(decoded.answer)
          }
        })

        it(`${name} ${at}: every word and every thought is in its sum`, () => {
          const encoded = lines.map(line => tongue.words(JSON.parse(line)))
          const parts = decoded.answer.choices.flatMap(each => each.parts)
          for (const [place, type] of (['text', 'thinking'] as const).entries()) {
            const payload = parts.map(part => (part.type === type ? (part as TextPart).text : ''))
            expect(payload.join('')).toBe(encoded.map(each => each[place] ?? '').join(''))
          }
        })

        it(`${name} ${at}: loses nothing when it is told again`, async () => {
          const again = encodeStream(dialect, decoded.events)
          expect(plain(decodeStream(dialect, [again]).answer)).toEqual(plain(decoded.answer))
          // The vendor's client reads the same from both streams, and the same as the sum of the events.
          const readAgain = await tongue.readByClient(again)
          const read = await tongue.readByClient(stream).catch(unreadable(name))
          if (!read) return
          const { body } = dialect.encodeResponse(decoded.answer)
          expect(missingPaths(read, readAgain).filter(path => !isRenamed(path, name))).toEqual([])
          expect(missingPaths(read, body).filter(path => !isRenamed(path, name))).toEqual([])
        })

        it(`${name} ${at}: its classes of usage add up`, () => {
          const { usage, unknownFields } = decoded.answer.reportedUsage ?? {}
          if (typeof usage !== 'object') throw new Error(`usage is ${usage}`)
          const others = { tools: 0, otherModels: 0, served: 0, modes: 0, uncached: 0 }
          expect(Math.min(...Object.values({ ...usage, ...others }))).toBeGreaterThanOrEqual(0)
          expect(inputTokens(usage) + outputTokens(usage)).toBe(totalOf(unknownFields?.fields))
        })

        for (const other of tongues)
          if (other !== tongue)
            it(`${name} ${at}: the client of ${other.dialect.id} reads it`, async () => {
              const encoded = encodeStream(other.dialect, decoded.events)
              // The client does not know the field, so it keeps only the last of several signatures.
              const proved = decoded.answer.choices[0]!.parts.filter(part => 'signature' in part)
              const hasOne = proved.length < 2
              const read = JSON.stringify(await other.readByClient(encoded))
              for (const { parts } of decoded.answer.choices)
                for (const part of parts)
                  if (hasOne || part.type !== 'thinking') expect(isEncoded(part, read)).toBe(true)
            })
      }

    for (const name of recordings('.json', tongue.whole)) {
      const body = JSON.parse(recorded(name))
      const answer = dialect.decodeAnswer(body)

      it(`${name}: loses nothing when it is told again`, () => {
        const again = dialect.encodeResponse(answer)
        expect(again.warnings).toEqual([])
        expect(missingPaths(body, again.body).filter(path => !isRenamed(path, name))).toEqual([])
        expect(plain(dialect.decodeAnswer(again.body))).toEqual(plain(answer))
      })

      it(`${name}: its classes of usage add up`, () => {
        const { usage } = answer.reportedUsage ?? {}
        if (typeof usage !== 'object') throw new Error(`usage is ${usage}`)
        expect(inputTokens(usage) + outputTokens(usage)).toBe(totalOf(body.usage))
      })

      const streamed = name.replace('.json', '.chunks.txt')
      if (names.includes(streamed))
        it(`${name}: has the kinds of parts that its stream has`, () => {
          const [lines = []] = answersIn(streamed, tongue)
          const stream = Buffer.from(lines.map(tongue.write).join('') + tongue.ending)
          const kinds = new Set(shapeOf(decodeStream(dialect, [stream]).answer))
          expect(new Set(shapeOf(answer))).toEqual(kinds)
        })
    }
  })

/** Recordings that the vendor's own client cannot read; told again by us, it can. */
const odd: Readonly<Record<string, RegExp>> = {
  // Calls without a number.
  'mistral/mistral-tool-call.chunks.txt': /invalid tool call index/,
  // A second message begins within the first.
  'anthropic/spliced-message-start.chunks.txt': /Unexpected event order/,
}

const unreadable = (name: string) => (error: unknown) => {
  expect(String(error)).toMatch(odd[name] ?? /never/)
}

/** Thoughts are written in three ways; here in one. Numbers of calls belong to streams. */
const isRenamed = (path: string, name: string): boolean =>
  // Some tell a new time in each chunk, and the client keeps the last.
  path === '.created' ||
  // The client does not know the field, and keeps the last piece; the sum of all is another test.
  /\.message\.reasoning(_content)?$/.test(path) ||
  /\.tool_calls\.\d+\.(index|type)$/.test(path) ||
  (name.startsWith('mistral/') && /\.message\.content/.test(path))

/** By the vendor's own figures: a total where it tells one, else what it says is beside. */
const totalOf = (usage: Json = {}): number => {
  if (typeof usage.total_tokens === 'number') return usage.total_tokens
  const outside = (usage.iterations ?? []).filter((each: Json) => each.type === 'compaction')
  return [usage, ...outside].reduce(
    (sum, each) =>
      sum +
      (each.input_tokens ?? 0) +
      (each.output_tokens ?? 0) +
      (each.cache_read_input_tokens ?? 0) +
      (each.cache_creation_input_tokens ?? 0),
    0,
  )
}

/** Returns whether both dialects can express the part. */
const isEncoded = (part: Part, read: string): boolean => {
  if (part.type === 'text') return read.includes(JSON.stringify(part.text).slice(1, -1))
  if (part.type === 'tool-call') return read.includes(part.id) && read.includes(part.name)
  if (part.type === 'thinking' && part.signature) return read.includes(part.signature.text)
  return true
}
