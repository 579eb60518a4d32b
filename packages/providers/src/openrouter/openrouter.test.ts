import { openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {
  'fault-402-afford.json': 'upstream.funds',
  'fault-402.json': 'upstream.funds',
})

const routing = { anthropic: { order: ['amazon-bedrock'], allow_fallbacks: false } }
const channel = { other: { provider: JSON.stringify(routing) } }

it.each([
  ['anthropic/claude-sonnet-5', {}, channel, { provider: routing.anthropic }],
  ['~anthropic/claude-latest', {}, channel, { provider: routing.anthropic }],
  ['anthropic/claude-sonnet-5', { provider: { sort: 'price' } }, channel, {}],
  ['openai/gpt-5', {}, channel, {}],
  ['anthropic/claude-sonnet-5', {}, { other: { provider: '{' } }, {}],
  ['anthropic/claude-sonnet-5', {}, {}, {}],
])('a request to %s with %j in a channel with %j gets %j', (model, fields, options, edits) => {
  const read = openaiChat.read(Buffer.from(JSON.stringify({ model, messages: [], ...fields })))
  if (!read.ok) throw new Error(read.hint)
  const { chat = [], embeddings = [] } = provider.serves
  for (const { quirks } of [...chat, ...embeddings])
    expect(topEdits(quirks, read.parsed, model, {}, { options })).toEqual(edits)
})

it.each(['{', '[]', '"x"', '{"anthropic":{"sorted":"price"}}', '{"anthropic":{"order":"x"}}'])(
  'routing of %s is refused',
  text => {
    expect(provider.options!.safeParse({ other: { provider: text } }).success).toBe(false)
  },
)
