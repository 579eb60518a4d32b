import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  recordedLines,
  recordings,
} from '../../../test/harness/runner/recordings.ts'
import { anthropic } from './anthropic/index.ts'
import type { Part } from './canon.ts'
import { converse } from './converse/index.ts'
import type { Dialect, UpstreamDialect } from './dialect.ts'
import { gemini } from './gemini/index.ts'
import { awsStreamEncoder, parseAwsEvents } from './generate/aws-event-stream.ts'
import { type DecodedStream, decodeStream, encodeStream } from './generate/streams.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

// The official client of each dialect reads the response; these are the fields that callers need.
type Read = { text: string; calls: { name: string; input: unknown }[] }

const answering = (stream: Buffer) => async () =>
  new Response(new Uint8Array(stream), { headers: { 'content-type': 'text/event-stream' } })
const at = (stream: Buffer) => ({
  apiKey: 'k',
  baseURL: 'http://x.example',
  fetch: answering(stream),
  maxRetries: 0,
})

const clients: [Dialect, (stream: Buffer) => Promise<Read>][] = [
  [
    openaiChat,
    async stream => {
      const client = new OpenAI(at(stream))
      const read = await client.chat.completions
        .stream({ model: 'm', messages: [] })
        .finalChatCompletion()
      const { content, tool_calls = [] } = read.choices[0]!.message
      return {
        text: content ?? '',
        calls: tool_calls.map(each =>
          each.type === 'function'
            ? { name: each.function.name, input: JSON.parse(each.function.arguments || '{}') }
            : { name: '', input: '' },
        ),
      }
    },
  ],
  [
    openaiResponses,
    async stream => {
      const client = new OpenAI(at(stream))
      const read = await client.responses.stream({ model: 'm', input: '' }).finalResponse()
      return {
        text: read.output_text,
        calls: read.output.flatMap(item =>
          item.type === 'function_call'
            ? [{ name: item.name, input: JSON.parse(item.arguments || '{}') }]
            : [],
        ),
      }
    },
  ],
  [
    anthropic,
    async stream => {
      const client = new Anthropic(at(stream))
      const read = await client.messages
        .stream({ model: 'm', max_tokens: 9, messages: [] })
        .finalMessage()
      return {
        text: read.content.map(block => (block.type === 'text' ? block.text : '')).join(''),
        calls: read.content.flatMap(block =>
          block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [],
        ),
      }
    },
  ],
  [
    gemini,
    async stream => {
      const client = new GoogleGenAI({
        apiKey: 'k',
        httpOptions: { baseUrl: 'http://x.example', fetch: answering(stream) } as object,
      })
      const read: Read = { text: '', calls: [] }
      const chunks = await client.models.generateContentStream({ model: 'm', contents: 'x' })
      let hasEnded = false
      for await (const { candidates: [candidate] = [] } of chunks) {
        for (const part of candidate?.content?.parts ?? []) {
          if (!part.thought) read.text += part.text ?? ''
          if (part.functionCall)
            read.calls.push({
              name: part.functionCall.name ?? '',
              input: part.functionCall.args ?? {},
            })
        }
        hasEnded ||= candidate?.finishReason !== undefined
      }
      expect(hasEnded).toBe(true)
      return read
    },
  ],
]

const saidIn = (parts: readonly Part[]): Read => ({
  text: parts.map(part => (part.type === 'text' ? part.text : '')).join(''),
  calls: parts.flatMap(part =>
    part.type === 'tool-call' ? [{ name: part.name, input: JSON.parse(part.input || '{}') }] : [],
  ),
})

const signs: [UpstreamDialect, RegExp, RegExp][] = [
  [openaiChat, /"chat\.completion\.chunk"/, /never/],
  [openaiResponses, /"response\.created"/, /"type":"response\.created"/],
  [anthropic, /^\{"type":"message_start"/, /^\{"type":"message_start"/],
  [gemini, /"candidates"/, /never/],
  [converse, /^\{"contentBlock/, /never/],
]

/** Several answers may stand one behind the other. */
const answersIn = (name: string, first: RegExp): string[][] => {
  const answers: string[][] = [[]]
  for (const line of recordedLines(name)) {
    if (first.test(line) && answers.at(-1)!.length > 0) answers.push([])
    answers.at(-1)!.push(line)
  }
  return answers
}

const awsStream = awsStreamEncoder(new BedrockRuntimeClient({}).config)
const decode = async (source: UpstreamDialect, lines: readonly string[]): Promise<DecodedStream> =>
  source === converse
    ? decodeStream(source, [await awsStream(parseAwsEvents(lines))], 'aws-events')
    : decodeStream(source, [Buffer.from(lines.map(line => `data: ${line}\n\n`).join(''))])

describe.runIf(areRecordings)('recorded streams, told in the other dialects', async () => {
  for (const [source, sign, first] of signs)
    for (const name of recordings('.chunks.txt', sign)) {
      for (const [turn, lines] of answersIn(name, first).entries()) {
        const decoded = await decode(source, lines)
        if (decoded.last !== 'end') continue
        for (const [target, read] of clients)
          if (target !== source)
            it(`${name} ${turn}: the client of ${target.id} reads it`, async () => {
              const payload = saidIn(decoded.answer.choices[0]?.parts ?? [])
              expect(await read(encodeStream(target, decoded.events))).toEqual(payload)
            })
      }
    }
})
