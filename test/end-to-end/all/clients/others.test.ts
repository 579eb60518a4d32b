import OpenAI from 'openai'
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, calls } from './answers.ts'
import { kinds, type Stage, startStage } from './stage.ts'

// Requests of other programs that their dialect's official client does not send; the rest is in any-client and
// routes.

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.close())

describe('Cursor', () => {
  // https://docs.litellm.ai/docs/tutorials/cursor_integration: it appends /chat/completions to the address it was given,
  // may post `input` and tools in the form of Responses there, and reads chunks of chat.
  const tool = {
    type: 'function',
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  }
  const input = [
    { role: 'system', content: 'You are an AI coding assistant in Cursor.' },
    { role: 'user', content: [{ type: 'input_text', text: 'What is in a.txt?' }] },
  ]

  it.each(kinds)(
    'posts what belongs to Responses to the address of chat, through %s',
    async kind => {
      const model = await stage.model(kind)
      const call = { name: 'read_file', args: { path: 'a.txt' } }
      model.next(calls(kind, call), answers(kind, 'It says milk.'))
      const client = new OpenAI({ apiKey: stage.person.key, baseURL: stage.url, maxRetries: 0 })
      const ask = async (more: object[]) => {
        const body = { model: model.model, input: [...input, ...more], tools: [tool] }
        const options = { stream: true, stream_options: { include_usage: true } }
        const stream = await client.chat.completions.create({ ...body, ...options } as never)
        const chunks = (
          stream as unknown as { toReadableStream(): ReadableStream }
        ).toReadableStream()
        return ChatCompletionStream.fromReadableStream(chunks).finalChatCompletion()
      }
      const amounts = await stage.charged(async () => {
        const first = await ask([])
        const [made] = first.choices[0]?.message.tool_calls ?? []
        expect(made).toMatchObject({
          function: { name: 'read_file', arguments: '{"path":"a.txt"}' },
        })
        expect(first.usage?.total_tokens).toBe(130)
        const second = await ask([
          {
            type: 'function_call',
            call_id: made?.id,
            name: 'read_file',
            arguments: '{"path":"a.txt"}',
          },
          { type: 'function_call_output', call_id: made?.id, output: 'milk' },
        ])
        expect(second.choices[0]?.message.content).toBe('It says milk.')
      })
      expect(amounts).toHaveLength(2)
      expect(model.requests[0]?.text).toContain('You are an AI coding assistant in Cursor.')
      expect(model.requests[1]?.text).toContain('milk')
    },
  )

  it('what is neither is refused, and nothing is charged', async () => {
    const model = await stage.model('anthropic')
    const amounts = await stage.charged(async () => {
      const response = await fetch(`${stage.url}/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stage.person.key}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: model.model, input: 7 }),
      })
      expect([
        response.status,
        ((await response.json()) as { error: { code: string } }).error.code,
      ]).toEqual([400, 'request_invalid'])
    })
    expect(amounts).toEqual([])
    expect(model.requests).toEqual([])
  })
})

describe('NextChat', () => {
  // ChatGPTNextWeb/NextChat app/client/platforms/{openai,anthropic,google}.ts: it runs in a browser, and sends these.
  it.each([
    ['/v1/chat/completions', 'authorization,content-type,x-requested-with'],
    ['/v1/messages', 'anthropic-version,content-type,x-api-key'],
    ['/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse', 'content-type,x-goog-api-key'],
    ['/v1/models', 'authorization'],
  ])(
    'asks a browser’s question first at %s, and may read the answer',
    async (path, expectedStatus) => {
      const origin = 'https://next.example'
      const preflight = await fetch(`${stage.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': expectedStatus,
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-headers')).toBe(expectedStatus)
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
      const refused = await fetch(`${stage.url}${path}`, {
        method: path.endsWith('/models') ? 'GET' : 'POST',
        headers: { origin, 'content-type': 'application/json' },
        ...(path.endsWith('/models') ? {} : { body: '{}' }),
      })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
        401,
        '*',
      ])
    },
  )
})

describe('Open WebUI', () => {
  // open-webui/open-webui backend/open_webui/routers/openai.py: GET {base}/models with a short time limit, and headers
  // that name its own user; MartialBE/one-hub#200: messages may be empty.
  const user = {
    'X-OpenWebUI-User-Id': 'u-1',
    'X-OpenWebUI-User-Email': 'someone@company.example',
    'X-OpenWebUI-Chat-Id': 'c-1',
  }

  it('verifies the address, with a key that is right and one that is not', async () => {
    for (const [key, status] of [
      [stage.person.key, 200],
      ['sk-nobody', 401],
    ] as const) {
      const response = await fetch(`${stage.url}/v1/models`, {
        headers: { authorization: `Bearer ${key}`, ...user },
      })
      expect(response.status).toBe(status)
    }
  })

  it.each(kinds)('empty messages end in an answer or in a refusal, through %s', async kind => {
    const model = await stage.model(kind)
    model.next(answers(kind, 'You said nothing.'))
    const response = await fetch(`${stage.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stage.person.key}`,
        'content-type': 'application/json',
        ...user,
      },
      body: JSON.stringify({ model: model.model, stream: true, messages: [] }),
    })
    const text = await response.text()
    if (response.status === 200) expect(text).toContain('data: [DONE]')
    else
      expect([response.status, JSON.parse(text).error.type]).toEqual([400, 'invalid_request_error'])
  })
})
