import { openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

conform(provider, import.meta.url, { 'fault-400.json': 'upstream.funds' })

const enabled = { web_search: { enable: true } }

it.each([
  ['qwen-plus', {}, enabled, { enable_search: true }],
  ['qwen3-max', {}, enabled, { enable_search: true }],
  ['qwen-plus', { enable_search: false }, enabled, {}],
  ['qwen-plus', {}, { web_search: { enable: false } }, {}],
  ['qwen-plus', {}, {}, {}],
  ['qwen3-coder-plus', {}, enabled, {}],
])('a request to %s with %j in a channel with %j gets %j', (model, fields, options, edits) => {
  const read = openaiChat.read(Buffer.from(JSON.stringify({ model, messages: [], ...fields })))
  if (!read.ok) throw new Error(read.hint)
  const { quirks } = provider.serves.chat![0]!
  expect(topEdits(quirks, read.parsed, model, {}, { options })).toEqual(edits)
})
