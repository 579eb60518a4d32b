import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
} from '@aws-sdk/client-bedrock-runtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import type { Dialect } from '../dialect.ts'
import { gemini } from '../gemini/index.ts'
import type { Json } from '../json/json.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { converse } from './index.ts'
import { requestArbitrary } from './request-arbitrary.ts'

// Compares our requests with those of the vendor's own client.

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
const schema = { type: 'object', properties: { city: { type: 'string' } } }
const nova = 'us.amazon.nova-pro-v1:0'

const encoded = (from: Dialect, body: object, model = nova) => {
  const read = from.decodeRequest(body, { model, stream: false })
  if (!read.ok) throw new Error(read.hint)
  const { body: written, warnings } = converse.encodeRequest({ ...read.request, model })
  return { body: written as Json, warnings: warnings.map(each => each.dropped) }
}

/** One conversation in four dialects: instructions, an image, a tool that was called and answered, limits. */
const payload: [Dialect, object][] = [
  [
    openaiChat,
    {
      model: 'x',
      max_completion_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
      tool_choice: 'required',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Rome"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
      ],
    },
  ],
  [
    openaiResponses,
    {
      model: 'x',
      max_output_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      tools: [{ type: 'function', name: 'weather', parameters: schema, strict: false }],
      tool_choice: 'required',
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Where is this?' },
            { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
          ],
        },
        {
          type: 'function_call',
          call_id: 'call_1',
          name: 'weather',
          arguments: '{"city":"Rome"}',
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' },
      ],
    },
  ],
  [
    anthropic,
    {
      model: 'x',
      max_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      stop_sequences: ['END'],
      tools: [{ name: 'weather', input_schema: schema }],
      tool_choice: { type: 'any' },
      system: 'Be brief.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Sunny.' }],
        },
      ],
    },
  ],
  [
    gemini,
    {
      generationConfig: {
        maxOutputTokens: 99,
        temperature: 0.5,
        topP: 0.9,
        stopSequences: ['END'],
      },
      tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: schema }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'Where is this?' },
            { inlineData: { mimeType: 'image/png', data: pixel } },
          ],
        },
        {
          role: 'model',
          parts: [{ functionCall: { id: 'call_1', name: 'weather', args: { city: 'Rome' } } }],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: { id: 'call_1', name: 'weather', response: { output: 'Sunny.' } },
            },
          ],
        },
      ],
    },
  ],
]

const sent: unknown[] = []
const client = new BedrockRuntimeClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'made-up', secretAccessKey: 'made-up' },
  maxAttempts: 1,
  requestHandler: {
    handle: async (request: { body?: unknown }) => {
      sent.push(request.body)
      const headers = { 'content-type': 'application/json' }
      return { response: { statusCode: 200, headers, body: new Response('{}').body } as never }
    },
  },
})

/** The body that the vendor's own client sends for this input. */
const bodyOfClient = async (input: ConverseCommandInput): Promise<Json> => {
  await client.send(new ConverseCommand(input))
  return JSON.parse(new TextDecoder().decode(sent.pop() as Uint8Array))
}

/** The client takes this body with bytes instead of base64 text. */
const inputOf = (body: Json, modelId = 'm'): ConverseCommandInput =>
  withBytes({ ...body, modelId }) as ConverseCommandInput

const withBytes = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      (key === 'bytes' || key === 'redactedContent') && typeof each === 'string'
        ? [key, Buffer.from(each, 'base64')]
        : // Inputs of models and tools are arbitrary JSON.
          [key, key === 'json' || key === 'input' ? each : withBytes(each)],
    ),
  )
}

it.each(payload.map(each => [each[0].id, ...each] as const))(
  'a conversation in %s is written as the vendor’s own client writes it',
  async (id, dialect, body) => {
    const stop = id === 'openai-responses' ? {} : { stopSequences: ['END'] }
    expect(encoded(dialect, body)).toEqual({
      warnings: [],
      body: await bodyOfClient({
        modelId: nova,
        system: [{ text: 'Be brief.' }],
        messages: [
          {
            role: 'user',
            content: [
              { text: 'Where is this?' },
              { image: { format: 'png', source: { bytes: Buffer.from(pixel, 'base64') } } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Rome' } } },
            ],
          },
          {
            role: 'user',
            content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'Sunny.' }] } }],
          },
        ],
        inferenceConfig: { maxTokens: 99, temperature: 0.5, topP: 0.9, ...stop },
        toolConfig: {
          tools: [{ toolSpec: { name: 'weather', inputSchema: { json: schema } } }],
          toolChoice: { any: {} },
        },
      }),
    })
  },
)

const requestCount = 300

it(`${requestCount} generated requests equal the bodies that the official client sends`, () =>
  fc.assert(
    fc.asyncProperty(requestArbitrary, async request => {
      const { body } = converse.encodeRequest(request)
      // The client drops unknown fields and normalises values, so equality means that it knows every field.
      expect(await bodyOfClient(inputOf(body))).toEqual(body)
      const roles = body.messages as { role: string }[]
      expect(roles.every(({ role }, at) => role !== roles[at - 1]?.role)).toBe(true)
    }),
    { numRuns: requestCount },
  ))
