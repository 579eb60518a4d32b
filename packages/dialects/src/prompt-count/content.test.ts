import { describe, expect, it } from 'vitest'
import { countPrompt } from './count.ts'

/** One token for each word, so that a test can count them. */
const words = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean).length

const count = (body: object, format = 'openai-chat', model = 'gpt-4o') =>
  countPrompt(Buffer.from(JSON.stringify(body)), { format, model }, words)
const textTokens = (body: object, format?: string) => count(body, format).textTokens

/** The first bytes of a picture of this size. */
const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(90, 0x41)
  bytes.write('89504e470d0a1a0a0000000d49484452', 0, 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}
const pdf = (pages: number) =>
  Buffer.from(`%PDF-1.4 ${'<</Type /Page>> '.repeat(pages)}`.padEnd(200)).toString('base64')
const picture = png(1_024, 1_024)
const link = `data:image/png;base64,${picture}`

describe('the text of a prompt', () => {
  const part = { type: 'text', text: 'one two three' }
  it.each<[string, object, string, number]>([
    ['chat', { messages: [{ role: 'user', content: 'one two three' }] }, 'openai-chat', 3],
    ['chat in parts', { messages: [{ role: 'user', content: [part, part] }] }, 'openai-chat', 6],
    [
      'a call of a tool, and its result',
      {
        messages: [
          {
            role: 'assistant',
            tool_calls: [
              {
                ...{ id: 'call_1', type: 'function' },
                function: { name: 'weather', arguments: '{"place":"Rome"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
        ],
      },
      'openai-chat',
      4,
    ],
    ['Responses', { instructions: 'be short', input: 'one two three' }, 'openai-responses', 5],
    [
      'items of Responses, without reasoning',
      {
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one two' }] },
          { type: 'reasoning', id: 'rs_1', encrypted_content: 'secret words', summary: [] },
          { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{"a":1}' },
          { type: 'function_call_output', call_id: 'c', output: 'sunny' },
        ],
      },
      'openai-responses',
      6,
    ],
    [
      'Messages, without thoughts and signatures',
      {
        system: [{ type: 'text', text: 'be short', cache_control: { type: 'ephemeral' } }],
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'many hidden words', signature: 'abc' },
              { type: 'tool_use', id: 't', name: 'weather', input: { place: 'Rome' } },
            ],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't', content: [part] }],
          },
        ],
      },
      'anthropic',
      8,
    ],
    [
      'Gemini',
      {
        systemInstruction: { parts: [{ text: 'be short' }] },
        contents: [
          { role: 'user', parts: [{ text: 'one two' }] },
          { role: 'model', parts: [{ functionCall: { name: 'weather', args: { a: 'b' } } }] },
          {
            role: 'user',
            parts: [{ functionResponse: { name: 'weather', response: { sky: 'blue' } } }],
          },
        ],
      },
      'gemini',
      10,
    ],
    ['completions', { prompt: ['one two', 'three'], suffix: 'four' }, 'openai', 4],
    ['embeddings', { input: ['one two', 'three'] }, 'openai-chat', 3],
    [
      'a batch of embeddings',
      { requests: [{ model: 'models/m', content: { parts: [{ text: 'one two' }] } }] },
      'gemini',
      2,
    ],
    ['reranking', { query: 'one', documents: ['two three', { text: 'four' }] }, 'jina', 4],
    ['speech', { input: 'one two', instructions: 'be short', voice: 'alloy' }, 'openai', 4],
    ['images', { prompt: 'one two', size: '1024x1024' }, 'openai', 2],
    ['moderations', { input: [{ type: 'text', text: 'one two' }] }, 'openai', 2],
  ])('%s', (_, body, format, tokens) => expect(textTokens(body, format)).toBe(tokens))

  it('token ids are a token each', () => {
    expect(count({ input: [1, 2, 3] }).otherTokens).toBe(3)
    expect(count({ prompt: [[1, 2], [3]] }).otherTokens).toBe(3)
  })

  it('declared tools are their names, types and descriptions, nested ones too', () => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      properties: {
        place: { type: 'string', description: 'A city.' },
        range: { type: 'object', properties: { days: { type: 'integer' } } },
      },
      required: ['place', 'range'],
    }
    const named = { name: 'weather', description: 'Tells it' }
    const chat = { tools: [{ type: 'function', function: { ...named, parameters: schema } }] }
    expect(textTokens(chat)).toBe(3 + 4 + 2 + 2)
    for (const [format, tools] of [
      ['openai-responses', [{ type: 'function', ...named, parameters: schema }]],
      ['anthropic', [{ ...named, input_schema: schema }]],
      ['gemini', [{ functionDeclarations: [{ ...named, parameters: schema }] }]],
    ] as const)
      expect(textTokens({ tools }, format)).toBe(11)
  })
})

describe('media are no text, and count as their vendor documents', () => {
  const chatImage = (url: string, detail?: string) => ({
    messages: [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url, ...(detail && { detail }) } }],
      },
    ],
  })
  const source = (data: string) => ({
    messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', data } }] }],
  })
  const inline = (data: string) => ({
    contents: [{ parts: [{ inlineData: { mimeType: 'x/y', data } }] }],
  })
  it.each<[string, object, string, string, number]>([
    ['tiles', chatImage(link), 'openai-chat', 'gpt-4o', 765],
    ['a base only at low detail', chatImage(link, 'low'), 'openai-chat', 'gpt-4o', 85],
    ['patches', chatImage(link), 'openai-chat', 'gpt-4.1-mini', 1_659],
    ['tiles of GPT-5', chatImage(link), 'openai-chat', 'gpt-5', 630],
    ['a picture at an address', chatImage('https://a.example/b.png'), 'openai-chat', 'gpt-4o', 765],
    [
      'a picture of Responses',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: link }] }] },
      ...(['openai-responses', 'gpt-4o', 765] as const),
    ],
    ['pixels', source(picture), 'anthropic', 'claude-x', 1_398],
    ['pixels of a smaller picture', source(png(300, 250)), 'anthropic', 'claude-x', 100],
    ['pages', source(pdf(3)), 'anthropic', 'claude-x', 6_600],
    ['a small picture of Gemini', inline(png(300, 300)), 'gemini', 'gemini-2.5-flash', 258],
    ['pages of Gemini', inline(pdf(3)), 'gemini', 'gemini-2.5-flash', 774],
    ['a picture of Gemini 3', inline(picture), 'gemini', 'gemini-3-pro', 1_120],
  ])('%s', (_, body, format, model, tokens) => {
    const counted = count(body, format, model)
    expect(counted.mediaTokens).toBe(tokens)
    expect(counted.textTokens).toBe(0)
  })

  it.each([...['url', 'image_url', 'file_id', 'file_url', 'file_uri', 'fileUri', 'uri', 'gcsUri']])(
    'an address or an id in `%s` is no text',
    field => {
      const body = { contents: [{ parts: [{ [field]: 'one two three' }] }] }
      const counted = count(body, 'gemini', 'gemini-2.5-flash')
      expect(counted).toMatchObject({ textTokens: 0, mediaTokens: 258 })
    },
  )
})
