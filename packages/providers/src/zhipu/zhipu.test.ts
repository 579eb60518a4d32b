import { openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

conform(provider, import.meta.url, { 'fault-429.json': 'upstream.credential' })

const search = { type: 'web_search', web_search: { enable: true, search_engine: 'search_std' } }
const knowledge = { knowledge_id: '18', prompt_template: '{{knowledge}} {{question}}' }
const retrieval = { type: 'retrieval', retrieval: knowledge }
const lookUp = { type: 'function', function: { name: 'look_up' } }
const enabled = { web_search: { enable: true } }

it.each([
  [{}, enabled, { tools: [search] }],
  [{ tools: [lookUp] }, enabled, { tools: [lookUp, search] }],
  [{ tools: [{ type: 'web_search' }] }, enabled, {}],
  [{ tools: null }, { ...enabled, retrieval: knowledge }, { tools: [retrieval] }],
  [{}, { web_search: { enable: false } }, {}],
  [{}, {}, {}],
])('a request with %j in a channel with %j gets %j', (fields, options, edits) => {
  const body = { model: 'glm-4.7', messages: [], ...fields }
  const read = openaiChat.read(Buffer.from(JSON.stringify(body)))
  if (!read.ok) throw new Error(read.hint)
  const { quirks } = provider.serves.chat![0]!
  expect(topEdits(quirks, read.parsed, 'glm-4.7', {}, options)).toEqual(edits)
})
