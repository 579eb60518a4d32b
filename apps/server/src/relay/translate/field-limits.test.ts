import { beforeAll, expect, it } from 'vitest'
import { useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

/** Channels of vendors with their own limits, by the type of the provider. */
const vendors = {
  'gpt-5.5': [1, {}],
  'gpt-4o': [1, {}],
  'gpt-5.4': [8, {}],
  'openai/gpt-oss-120b': [31, {}],
  'claude-opus-5': [14, {}],
  'gemini-3-pro': [25, {}],
  'us.amazon.nova-pro-v1:0': [32, { key: 'us-east-1|key' }],
} as const
type Model = keyof typeof vendors

beforeAll(async () => {
  for (const [model, [type, fields]] of Object.entries(vendors))
    await hub.addChannel(type, model, fields)
})

/** Claude Code 2.1 sends such a body: its user has about 150 letters, and its tools come from several servers. */
const claudeCode = (model: string) => ({
  model,
  max_tokens: 32_000,
  metadata: {
    user_id: JSON.stringify({
      device_id: 'd'.repeat(64),
      account_uuid: '',
      session_id: '6f9a3c1e-0000-4000-8000-000000000001',
    }),
  },
  stop_sequences: ['</one>', '</two>', '</three>', '</four>', '</five>', '</six>'],
  tools: [
    { name: 'Bash', description: 'Runs it.', input_schema: { type: 'object', properties: {} } },
    { name: `mcp__server__${'x'.repeat(80)}`, input_schema: { type: 'object', properties: {} } },
  ],
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${'0'.repeat(70)}`, name: 'Bash', input: {} }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${'0'.repeat(70)}`, content: 'Done.' }],
    },
  ],
})

const isClaude = (model: string) => model.startsWith('claude')

it.each(Object.keys(vendors) as Model[])(
  'Claude Code is answered by the vendor of %s',
  async model => {
    const response = await hub.post('/v1/messages', claudeCode(model))
    expect(response.status, await response.text()).toBe(200)
  },
)

const path = '/v1/chat/completions'
const long = 'someone@example.com/'.repeat(20)
const chat = (model: string) => ({
  ...{ model, user: long, safety_identifier: long, prompt_cache_key: long },
  messages: [{ role: 'user', content: 'Hi' }],
  stop: ['1', '2', '3', '4', '5', '6'],
})

it.each(
  (Object.keys(vendors) as Model[]).filter(each => isClaude(each) || /gemini|nova/.test(each)),
)('a chat caller with long ids is answered by the vendor of %s', async model => {
  const response = await hub.post(path, chat(model))
  expect(response.status, await response.text()).toBe(200)
})

it('the caller’s own dialect passes its long id on, and the vendor decides', async () => {
  const response = await hub.post(path, chat('gpt-4o'))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain("Invalid 'user': string too long")
})
