import { beforeAll, expect, it } from 'vitest'
import { useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const aws = { key: 'us-east-1|key' }
const claude = 'anthropic.claude-sonnet-4-5-20250929-v1:0'

/** Each way to Bedrock, and channels of others: the type of the provider, further fields, the model at the vendor. */
const channels = {
  'bedrock-invoke': [32, aws, claude],
  'bedrock-converse': [32, aws, 'us.amazon.nova-pro-v1:0'],
  'bedrock-messages': [62, aws, 'claude-sonnet-4-5'],
  'bedrock-chat': [62, aws, 'openai.gpt-oss-120b'],
  'bedrock-kept': [
    62,
    { ...aws, plugin: { attribution: { claude_code: 'keep' } } },
    'claude-opus-5',
  ],
  chat: [8, {}, 'any-chat'],
  'chat-kept': [8, { plugin: { attribution: { claude_code: 'keep' } } }, 'any-chat-kept'],
  responses: [1, {}, 'gpt-5.5'],
  gemini: [25, {}, 'gemini-3-pro'],
  'claude-relay': [14, {}, 'claude-opus-5'],
  'claude-dropped': [14, { plugin: { attribution: { claude_code: 'drop' } } }, 'claude-opus-4-6'],
} as const
type Channel = keyof typeof channels

beforeAll(async () => {
  for (const [name, [type, fields, model]] of Object.entries(channels))
    await hub.addChannel(type, `m-${name}`, {
      ...fields,
      model_mapping: JSON.stringify({ [`m-${name}`]: `+${model}` }),
    })
})

const line = 'x-anthropic-billing-header: cc_version=2.1.332.0b8; cc_entrypoint=cli;'
const system = [
  { type: 'text', text: line },
  { type: 'text', text: 'You are Claude Code.', cache_control: { type: 'ephemeral' } },
]
const bodyFor = (name: Channel, fields: object = {}) => ({
  ...{ model: `m-${name}`, max_tokens: 50, system },
  messages: [{ role: 'user', content: 'Hi' }],
  ...fields,
})

const sent = async (name: Channel, fields: object = {}, path = '/v1/messages') => {
  hub.upstream.forget()
  const response = await hub.post(path, bodyFor(name, fields))
  const text = await response.text()
  const { served } = hub.upstream
  return { status: response.status, text, body: String(served.at(-1)?.body) }
}

const dropping = [
  'bedrock-invoke',
  'bedrock-converse',
  'bedrock-messages',
  'bedrock-chat',
  'chat',
  'responses',
  'gemini',
  'claude-dropped',
] as const

it.each(dropping)('%s gets the prompt of Claude Code without its billing line', async name => {
  for (const value of [system, `${line}\nYou are Claude Code.`]) {
    const { status, text, body } = await sent(name, { system: value })
    expect(status, text).toBe(200)
    expect(body).not.toContain('x-anthropic-billing-header')
    expect(body).toContain('You are Claude Code.')
  }
})

it.each(dropping)('%s gets a message that quotes the line as it is', async name => {
  const { status, body, text } = await sent(name, {
    system: 'Be brief.',
    messages: [{ role: 'user', content: line }],
  })
  expect(status, text).toBe(200)
  expect(body).toContain('x-anthropic-billing-header')
})

it('a channel of Anthropic at an unknown host gets the caller’s own bytes', async () => {
  const name = 'claude-relay'
  const { status, body } = await sent(name)
  expect(status).toBe(200)
  expect(body).toBe(JSON.stringify({ ...bodyFor(name), model: channels[name][2] }))
})

it('the option of a channel keeps the line, which Bedrock then refuses', async () => {
  expect((await sent('chat-kept')).body).toContain('x-anthropic-billing-header')
  const { status, text } = await sent('bedrock-kept')
  expect(status).toBe(400)
  expect(text).toContain(
    'x-anthropic-billing-header is a reserved keyword and may not be used in the system prompt',
  )
})

it('a count of tokens has the prompt that a call would have', async () => {
  const path = '/v1/messages/count_tokens'
  expect((await sent('claude-dropped', {}, path)).body).not.toContain('x-anthropic-billing-header')
  expect((await sent('claude-relay', {}, path)).body).toContain('x-anthropic-billing-header')
})

it('two conversations of Claude Code begin alike', async () => {
  const prompts = []
  for (const version of ['0b8', 'd67']) {
    const [, rest] = system
    const text = `x-anthropic-billing-header: cc_version=2.1.332.${version}; cc_entrypoint=cli;`
    prompts.push((await sent('chat', { system: [{ type: 'text', text }, rest] })).body)
  }
  expect(prompts[1]).toBe(prompts[0])
})
