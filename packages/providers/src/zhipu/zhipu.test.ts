import { type ChatEvent, collectAnswer, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import { allToolsChat } from './all-tools.ts'
import provider from './index.ts'

conform(provider, import.meta.url, { 'fault-429.json': 'upstream.funds' })

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
  expect(topEdits(quirks, read.parsed, 'glm-4.7', {}, { options })).toEqual(edits)
})

const allToolsOptions = {
  web_browser: { enable: true },
  drawing_tool: { enable: true },
  code_interpreter: { sandbox: 'none' },
}

it('glm-4-alltools has the tools that the options name, and every caller of it is asked for a stream', () => {
  const endpoint = provider.serves.chat!.find(({ vendorDialect }) => vendorDialect)!
  expect([
    endpoint.onlyModels!.test('glm-4-alltools'),
    endpoint.onlyModels!.test('glm-4.7'),
  ]).toEqual([true, false])
  for (const { dialect, onlyModels } of provider.serves.chat!)
    expect([dialect, onlyModels!.test('glm-4-alltools')]).toEqual([
      dialect,
      dialect === 'zhipu-alltools-native',
    ])
  const read = openaiChat.decodeRequest({
    model: 'glm-4-alltools',
    messages: [{ role: 'user', content: 'Draw' }],
    max_completion_tokens: 9,
  })
  if (!read.ok) throw new Error(read.hint)
  const { body } = allToolsChat.encodeRequest(read.request)
  const path = { model: 'glm-4-alltools', stream: false }
  const sent = allToolsChat.read(Buffer.from(JSON.stringify(body)), path)
  if (!sent.ok) throw new Error(sent.hint)
  const edits = topEdits(endpoint.quirks, sent.parsed, path.model, {}, { options: allToolsOptions })
  expect(JSON.parse(String(allToolsChat.splice(sent.parsed, edits)))).toEqual({
    model: 'glm-4-alltools',
    messages: [{ role: 'user', content: 'Draw' }],
    stream: true,
    max_tokens: 9,
    tools: [
      { type: 'web_browser' },
      { type: 'drawing_tool' },
      { type: 'code_interpreter', code_interpreter: { sandbox: 'none' } },
    ],
  })
})

const frame = (delta: object, finish_reason?: string) =>
  JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason }] })
const tool = (type: string, fields: object) => frame({ tool_calls: [{ type, [type]: fields }] })

it('the work of the vendor\u2019s own tools is text, and their calls do not end the answer', () => {
  const events: ChatEvent[] = []
  const decoder = allToolsChat.decodeFrames(event => events.push(event))
  for (const data of [
    tool('web_browser', { input: 'weather' }),
    tool('web_browser', { outputs: [{ title: 'A', link: 'https://a.example', content: 'Sun' }] }),
    frame({}, 'tool_calls'),
    tool('code_interpreter', { input: 'print(' }),
    tool('code_interpreter', { input: '1)' }),
    tool('code_interpreter', { outputs: [{ type: 'logs', logs: '1' }] }),
    tool('drawing_tool', { outputs: [{ image: 'https://a.example/i.png' }] }),
    frame({ content: 'Done.' }),
    frame({}, 'stop'),
    '[DONE]',
  ])
    decoder.pushFrame(data, '')
  decoder.end()
  expect(events.at(-1)?.type).toBe('end')
  const [choice] = collectAnswer(events).choices
  expect(choice?.finish?.reason).toBe('stop')
  expect(choice?.parts).toEqual([
    {
      type: 'text',
      text: '[A](https://a.example)\nSun\n\n\n```python\nprint(1)\n```\n\n```\n1\n```\n![image](https://a.example/i.png)\n\nDone.',
    },
  ])
})

it('a function call stays one', () => {
  const events: ChatEvent[] = []
  const decoder = allToolsChat.decodeFrames(event => events.push(event))
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
  for (const data of [frame({ tool_calls: [call] }), frame({}, 'tool_calls'), '[DONE]'])
    decoder.pushFrame(data, '')
  decoder.end()
  const [choice] = collectAnswer(events).choices
  expect([choice?.parts[0]?.type, choice?.finish?.reason]).toEqual(['tool-call', 'tools'])
})
