import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type LanguageModel, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { anthropic } from './anthropic/index.ts'
import type { ChatAnswer, Warning } from './canon.ts'
import { answerEvents } from './collect.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

// Reads answers with an image by https://ai-sdk.dev, whose clients refuse answers outside each vendor's schema.

globalThis.AI_SDK_LOG_WARNINGS = false

const png = 'iVBORw0KGgo='
const words = { before: 'A cat:', after: 'Sleeping.' }
const link = 'https://media.example/cat.png'

type Fetch = typeof globalThis.fetch
type Client = { dialect: Dialect; model: (fetch: Fetch) => LanguageModel }

const options = { apiKey: 'sk-test', baseURL: 'https://hub.example' }
const clients: readonly Client[] = [
  { dialect: openaiChat, model: fetch => createOpenAI({ ...options, fetch }).chat('m') },
  { dialect: openaiResponses, model: fetch => createOpenAI({ ...options, fetch }).responses('m') },
  { dialect: anthropic, model: fetch => createAnthropic({ ...options, fetch })('m') },
  { dialect: gemini, model: fetch => createGoogleGenerativeAI({ ...options, fetch })('m') },
]

const chatAnswer = (image: string) => ({
  ...{ id: 'c', model: 'm', created: 1, object: 'chat.completion' },
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: `${words.before}${words.after}`,
        images: [{ type: 'image_url', image_url: { url: image } }],
      },
    },
  ],
})

/** An image between two texts, as each upstream encodes it. */
const upstreams: readonly [string, Dialect, object][] = [
  // Some gateways answer so: https://openrouter.ai/docs/features/multimodal/image-generation
  ['chat with data', openaiChat, chatAnswer(`data:image/png;base64,${png}`)],
  ['chat with an address', openaiChat, chatAnswer(link)],
  [
    'Responses',
    openaiResponses,
    {
      ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
      output: [
        message(words.before),
        { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: png },
        message(words.after),
      ],
    },
  ],
  // The vendor documents image blocks in requests only; compatible servers answer with them.
  [
    'Messages with data',
    anthropic,
    anthropicAnswer({ type: 'base64', media_type: 'image/png', data: png }),
  ],
  ['Messages with an address', anthropic, anthropicAnswer({ type: 'url', url: link })],
  ['Gemini with data', gemini, geminiAnswer({ inlineData: { mimeType: 'image/png', data: png } })],
  [
    'Gemini with an address',
    gemini,
    geminiAnswer({ fileData: { mimeType: 'image/png', fileUri: link } }),
  ],
]

function message(text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
}

function anthropicAnswer(source: object) {
  const content = [
    { type: 'text', text: words.before },
    { type: 'image', source },
    { type: 'text', text: words.after },
  ]
  const usage = { input_tokens: 1, output_tokens: 1 }
  const ids = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' }
  return { ...ids, content, stop_reason: 'end_turn', stop_sequence: null, usage }
}

function geminiAnswer(image: object) {
  const parts = [{ text: words.before }, image, { text: words.after }]
  return { candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }] }
}

const answering =
  (body: string, type: string): Fetch =>
  () =>
    Promise.resolve(new Response(body, { headers: { 'content-type': type } }))

type Read = { text: string; image: boolean; warnings: readonly Warning[] }
type Reader = (client: Client, answer: ChatAnswer) => Promise<Read>

const whole: Reader = async ({ dialect, model }, answer) => {
  const { body, warnings } = dialect.encodeResponse(answer, encodeOptions)
  const fetch = answering(JSON.stringify(body), 'application/json')
  const result = await generateText({ model: model(fetch), prompt: 'Draw.', maxRetries: 0 })
  return { text: result.text, image: hasImage(body), warnings }
}

const streamed: Reader = async ({ dialect, model }, answer) => {
  const encoder = dialect.encodeEvents(encodeOptions)
  const body = [...answerEvents(answer)].map(event => encoder.push(event)).join('')
  const fetch = answering(body, 'text/event-stream')
  const errors: unknown[] = []
  const onError = ({ error }: { error: unknown }) => void errors.push(error)
  const result = streamText({ model: model(fetch), prompt: 'Draw.', maxRetries: 0, onError })
  let text = ''
  for await (const piece of result.textStream) text += piece
  expect(errors).toEqual([])
  return { text, image: hasImage(body), warnings: encoder.warnings }
}

const encodeOptions = { wantsUsage: true, createdAt: 1 }

const hasImage = (body: unknown): boolean => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.includes(png) || text.includes(link)
}

describe.each(upstreams)('an image from %s', (_, from, body) => {
  const answer = from.decodeAnswer(body)
  describe.each(clients)('for a client of $dialect.id', client => {
    it.each([
      ['whole', whole],
      ['streamed', streamed],
    ])('%s', async (__, read) => {
      const { text, image, warnings } = await read(client, answer)
      expect(text).toBe(`${words.before}${words.after}`)
      expect(warnings).toEqual(
        image ? [] : [{ dropped: expect.stringMatching(/image/), dialect: client.dialect.id }],
      )
    })
  })
})
