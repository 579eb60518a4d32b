import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { expectedFields } from './expected-fields.ts'
import { callers, effortFields, messages, sentDialect } from './sent-fields.ts'

const hub = useRelayHub()

/** The type of a channel, and the model at its vendor. */
const families: Record<string, readonly [type: number, model: string]> = {
  openai: [1, 'gpt-5.5'],
  'openai-first': [1, 'gpt-5'],
  'openai-none': [1, 'gpt-5.1'],
  'openai-codex': [1, 'gpt-5.1-codex'],
  'openai-late-codex': [1, 'gpt-5.2-codex'],
  'openai-codex-max': [1, 'gpt-5.1-codex-max'],
  'openai-codex-mini': [1, 'gpt-5.1-codex-mini'],
  'openai-first-codex': [1, 'gpt-5-codex'],
  'openai-late-pro': [1, 'gpt-5.2-pro'],
  'openai-late-chat': [1, 'gpt-5.2-chat-latest'],
  'openai-terra': [1, 'gpt-5.6-terra'],
  'openai-sol-6': [1, 'gpt-6-sol'],
  'openai-pro': [1, 'gpt-5-pro'],
  'openai-chat': [1, 'gpt-5-chat-latest'],
  'openai-astra': [1, 'gpt-6-astra'],
  'openai-sol': [1, 'gpt-6.1-sol'],
  'openai-plain': [1, 'gpt-4o'],
  custom: [8, 'any-model'],
  claude: [14, 'claude-opus-4-6'],
  'claude-newest': [14, 'claude-opus-5'],
  'claude-between': [14, 'claude-sonnet-5-5'],
  'claude-thinker': [14, 'claude-opus-5-5'],
  'claude-fable': [14, 'claude-fable-5'],
  'claude-budget': [14, 'claude-sonnet-4-5'],
  'claude-plain': [14, 'claude-3-5-haiku-20241022'],
  gemini: [25, 'gemini-2.5-flash'],
  'gemini-pro': [25, 'gemini-3-pro'],
  'gemini-first-pro': [25, 'gemini-2.5-pro'],
  'gemini-thinker': [25, 'gemini-3.7-flash'],
  'gemini-plain': [25, 'gemini-2.0-flash'],
  deepseek: [28, 'deepseek-v4-pro'],
  zhipu: [16, 'glm-5'],
  moonshot: [29, 'kimi-k2.6'],
  'moonshot-code': [29, 'kimi-k2.7-code'],
  'moonshot-k3': [29, 'kimi-k3'],
  qwen: [17, 'qwen3.6-plus'],
  'qwen-thinker': [17, 'qwen3-235b-a22b-thinking-2507'],
  siliconflow: [45, 'Qwen/Qwen3-8B'],
  qianfan: [15, 'ernie-4.5'],
  hunyuan: [40, 'hunyuan-a13b'],
  minimax: [27, 'MiniMax-M3'],
  'minimax-thinker': [27, 'MiniMax-M2.5'],
  openrouter: [20, 'z-ai/glm-5'],
  xai: [56, 'grok-4.5'],
  'xai-switch': [56, 'grok-4.3'],
  'xai-first': [56, 'grok-3-mini'],
  'xai-thinker': [56, 'grok-4'],
  groq: [31, 'qwen/qwen3-32b'],
  'groq-thinker': [31, 'openai/gpt-oss-120b'],
  mistral: [30, 'mistral-small-latest'],
  ollama: [39, 'qwen3'],
  bedrock: [32, 'us.amazon.nova-2-lite-v1:0'],
}
const endings = ['thinking', 'nothinking', 'minimal', 'low', 'medium', 'high', 'xhigh']

const setOption = (value: boolean) =>
  hub.app.root.put('/api/option/', { key: 'EffortByNameEnabled', value: String(value) })

beforeAll(async () => {
  for (const [name, [type, model]] of Object.entries(families))
    await hub.addChannel(type, `m-${name}`, {
      ...(type === 32 ? { key: 'us-east-1|key' } : {}),
      model_mapping: JSON.stringify({ [`m-${name}`]: `+${model}` }),
    })
})
beforeEach(async () => {
  hub.upstream.forget()
  await setOption(true)
})

const call = async (caller: string, model: string, fields?: object) => {
  const response = await hub.post(...callers[caller]!(model, fields))
  return { status: response.status, text: await response.text() }
}
const received = (): Json => JSON.parse(String(hub.upstream.served[0]!.body))

/** Returns the fields that leave for one name, or why it is refused. */
const outcomeOf = async (caller: string, family: string, ending: string) => {
  hub.upstream.forget()
  const { status, text } = await call(caller, `m-${family}-${ending}`)
  if (status === 400) return { to: 'any', fields: /(?:thinking|effort): ([^.]*)\./.exec(text)?.[1] }
  expect(status, text).toBe(200)
  const to = sentDialect(hub.upstream.served[0]!.path.replace(/\?.*/, ''))
  return { to, fields: effortFields(received()) }
}

const cases = Object.keys(families).flatMap(family =>
  Object.keys(callers).map(caller => [family, caller] as const),
)
it.each(cases)('%s is told the effort of each ending by a caller of %s', async (family, caller) => {
  for (const ending of endings) {
    const { to, fields } = await outcomeOf(caller, family, ending)
    expect(fields, `${ending} to ${to}`).toBe(expectedFields({ family, caller, to, ending }))
  }
})

const lookSchema = { type: 'object', properties: {} }
const forcedTools: readonly (readonly [caller: string, type: number, fields: object])[] = [
  [
    'messages',
    8,
    { tools: [{ name: 'look', input_schema: lookSchema }], tool_choice: { type: 'any' } },
  ],
  [
    'responses',
    17,
    {
      tools: [{ type: 'function', name: 'look', parameters: lookSchema }],
      tool_choice: 'required',
    },
  ],
  [
    'gemini',
    17,
    {
      tools: [{ functionDeclarations: [{ name: 'look', parameters: lookSchema }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    },
  ],
]
it.each(forcedTools)(
  'where a forced tool of a caller of %s turned thinking off, the name does not turn it on again',
  async (caller, type, fields) => {
    const model = `forced-${caller}`
    await hub.addChannel(type, model, { model_mapping: JSON.stringify({ [model]: '+qwen3-max' }) })
    const { status, text } = await call(caller, `${model}-high`, fields)
    expect(status, text).toBe(200)
    expect(received()).toMatchObject({ tool_choice: 'required' })
    expect(effortFields(received())).toBe('enable_thinking=false')
  },
)

const ownWords: readonly (readonly [caller: string, fields: object, sent: string])[] = [
  ['chat', { reasoning_effort: 'low' }, 'reasoning_effort=low'],
  ['chat', { thinking: { type: 'disabled' } }, 'thinking.type=disabled'],
  ['chat', { enable_thinking: false }, 'enable_thinking=false'],
  ['responses', { reasoning: { effort: 'low' } }, 'reasoning_effort=low'],
  [
    'messages',
    { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    'reasoning_effort=low',
  ],
  [
    'gemini',
    { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } },
    'reasoning_effort=low',
  ],
]
it.each(ownWords)(
  'a request of %s with an effort of its own keeps it: %j',
  async (caller, fields, sent) => {
    const { status, text } = await call(caller, 'm-custom-high', fields)
    expect(status, text).toBe(200)
    expect(received().model).toBe('any-model')
    expect(effortFields(received())).toBe(sent)
  },
)

const neutral: readonly (readonly [caller: string, fields: object])[] = [
  ['chat', { reasoning_effort: null }],
  ['responses', { reasoning: { summary: 'auto' } }],
  ['messages', { output_config: {} }],
  ['gemini', { generationConfig: { temperature: 1, thinkingConfig: { includeThoughts: true } } }],
]
it.each(neutral)(
  'a request of %s that says no effort gets that of the name: %j',
  async (caller, fields) => {
    expect((await call(caller, 'm-custom-high', fields)).status).toBe(200)
    expect(received().reasoning_effort).toBe('high')
  },
)

it.each(Object.keys(callers))(
  'no name is cut for callers of %s until the site allows it',
  async caller => {
    await setOption(false)
    const { status, text } = await call(caller, 'm-custom-high')
    expect(status, text).toBe(404)
    expect(hub.upstream.served).toEqual([])
  },
)

it('a model that a channel lists by the whole name is called as it is', async () => {
  await hub.addChannel(8, 'real,real-high')
  expect((await call('chat', 'real-high')).status).toBe(200)
  expect(received()).toMatchObject({ model: 'real-high' })
  expect(received().reasoning_effort).toBeUndefined()
})

it('a virtual model of the whole name is called as it is', async () => {
  const name = 'm-custom-low'
  const { body } = await hub.app.root.post('/api/virtual_model/', {
    ...{ name, candidates: [{ model: 'm-zhipu' }] },
  })
  expect((await call('chat', name)).status).toBe(200)
  expect(received()).toMatchObject({ model: 'glm-5' })
  expect(effortFields(received())).toBe('-')
  await hub.app.root.delete(`/api/virtual_model/${body.data.id}`)
})

it('a wildcard serves the model without the ending, unless a price has the whole name', async () => {
  await hub.addChannel(8, 'wild*')
  expect((await call('chat', 'wild-high')).status).toBe(200)
  expect(received()).toMatchObject({ model: 'wild', reasoning_effort: 'high' })
  await hub.app.root.post('/api/prices/single', {
    ...{ model: 'wild-high', type: 'tokens', input: 1, output: 1 },
  })
  hub.upstream.forget()
  expect((await call('chat', 'wild-high')).status).toBe(200)
  expect(received()).toMatchObject({ model: 'wild-high' })
})

it('the candidates of a virtual model get the effort of its name', async () => {
  const candidates = [{ model: 'm-zhipu' }]
  await hub.app.root.post('/api/virtual_model/', { name: 'virtual', candidates })
  expect((await call('messages', 'virtual-nothinking')).status).toBe(200)
  expect(effortFields(received())).toBe('thinking.type=disabled')
})

it('the call is charged and logged as the model, and names what was requested', async () => {
  expect((await call('chat', 'm-custom-high')).status).toBe(200)
  const { body } = await hub.app.root.get('/api/log/?order=-id&size=1')
  expect(body.data.data[0]).toMatchObject({ model_name: 'm-custom' })
  expect(JSON.stringify(body.data.data[0])).toContain('m-custom-high')
})

it('a key that may call the model may call it with an effort, and no other model', async () => {
  const created = await hub.app.root.post('/api/token/', {
    ...{ name: 'limited', unlimited_quota: true },
    setting: { limits: { limit_model_setting: { enabled: true, models: ['m-custom'] } } },
  })
  expect(created.status, created.text).toBe(200)
  const { key } = created.body.data
  const ask = (model: string) =>
    hub.post('/v1/chat/completions', { model, messages }, { authorization: `Bearer ${key}` })
  expect((await ask('m-custom-high')).status).toBe(200)
  const refused = await ask('m-zhipu-high')
  expect([refused.status, await refused.text()]).toEqual([404, expect.stringContaining('m-zhipu')])
})

it('the prompt of a name is counted as that of its model', async () => {
  const counted = await hub.post('/v1/messages/count_tokens', { model: 'm-claude-high', messages })
  expect(counted.status, await counted.text()).toBe(200)
  expect(received().model).toBe('claude-opus-4-6')
})

it('a limit that leaves no room for thoughts of Claude is refused', async () => {
  const { status, text } = await call('messages', 'm-claude-budget-high', { max_tokens: 1_000 })
  expect(status).toBe(400)
  expect(text).toContain("thinking needs 'max_tokens' of at least 1280")
})

/** Calls a new virtual model of one candidate, and returns the body that left. */
const askCandidate = async (candidate: object, fields: object = {}, caller = 'chat') => {
  const name = `v-${randomUUID().slice(0, 8)}`
  const candidates = [{ model: 'm-zhipu', ...candidate }]
  const saved = await hub.app.root.post('/api/virtual_model/', { name, candidates })
  expect(saved.status, saved.text).toBe(200)
  const { status, text } = await call(caller, name, fields)
  expect(status, text).toBe(200)
  return received()
}

it.each(Object.keys(callers))(
  'a candidate sets the effort of a caller of %s who says none',
  async caller => {
    const sent = await askCandidate({ effort: 'off' }, {}, caller)
    expect([sent.model, effortFields(sent)]).toEqual(['glm-5', 'thinking.type=disabled'])
  },
)

it('an effort of the request wins over that of the candidate', async () => {
  const sent = await askCandidate({ effort: 'off' }, { thinking: { type: 'enabled' } })
  expect(effortFields(sent)).toBe('thinking.type=enabled')
})

it('an effort in the name wins over that of the candidate', async () => {
  const candidates = [{ model: 'm-zhipu', effort: 'off' }]
  await hub.app.root.post('/api/virtual_model/', { name: 'named', candidates })
  await call('chat', 'named-high')
  expect(effortFields(received())).toBe('thinking.type=enabled')
})

it('the parameters of a candidate are set in its requests, and its rules follow', async () => {
  const rules = [{ when: [{ field: 'top_p', equals: 0.5 }], delete: ['user'] }]
  const parameters = JSON.stringify({ top_p: 0.5, 'metadata.from': 'v', rules })
  const sent = await askCandidate({ parameters }, { top_p: 1, user: 'u', seed: 3 })
  expect(sent).toMatchObject({ top_p: 0.5, metadata: { from: 'v' }, seed: 3 })
  expect(sent).not.toHaveProperty('user')
})

it.each(['[]', 'x', '{"max_tokens": 1}', '{"rules": [{"set": {"model": "x"}}]}', '{"rules": 1}'])(
  'the parameters %s of a candidate are refused',
  async parameters => {
    const candidates = [{ model: 'm-zhipu', parameters }]
    const saved = await hub.app.root.post('/api/virtual_model/', { name: 'refused', candidates })
    expect([saved.status, saved.text]).toEqual([400, expect.stringContaining('parameters')])
  },
)
