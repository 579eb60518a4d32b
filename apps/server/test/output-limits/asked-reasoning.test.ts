import { beforeAll, describe, expect, it } from 'vitest'
import { openCall } from '../left/callers.ts'
import { beginStream, frame, lastCharge } from '../relay-calls.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'

// A caller whose body turns reasoning off, while the vendor is asked for it: hold and charge go by what the vendor is asked.

const hub = useRelayHub()
const limit = 64_000
const hidden = 20_000
const messages = [{ role: 'user', content: 'x' }]

/** Each has a channel and a price of its own. */
const models = {
  twice: 'gpt-5.4',
  always: 'o3',
  written: 'gpt-5.4-a',
  ruled: 'gpt-5.4-b',
  deleted: 'gpt-5.4-c',
  candidate: 'gpt-5.4-d',
}
const chat = (model: string, more: Json) => ({
  ...{ model, stream: true, max_tokens: limit, messages },
  ...more,
})
const off = { reasoning_effort: 'none' }

/** Requests that turn reasoning off in the caller's eyes: what does so, the path, and the body as text. */
const ways: readonly (readonly [string, string, string, string])[] = [
  [
    'a key that stands twice',
    '/v1/responses',
    models.twice,
    `{"model":"${models.twice}","stream":true,"store":false,"max_output_tokens":${limit},"input":"x","reasoning":{"effort":"none","effort":"high"}}`,
  ],
  [
    'two fields of which one says high',
    '/v1/chat/completions',
    models.twice,
    JSON.stringify(chat(models.twice, { ...off, reasoning: { effort: 'high' } })),
  ],
  [
    'an effort behind the name of the model',
    '/v1/chat/completions',
    models.twice,
    JSON.stringify(chat(`${models.twice}#high`, off)),
  ],
  [
    'a model that always thinks',
    '/v1/messages',
    models.always,
    JSON.stringify(chat(models.always, { thinking: { type: 'disabled' } })),
  ],
  [
    'a custom parameter of the channel',
    '/v1/chat/completions',
    models.written,
    JSON.stringify(chat(models.written, off)),
  ],
  [
    'a rule of the channel',
    '/v1/chat/completions',
    models.ruled,
    JSON.stringify(chat(models.ruled, off)),
  ],
  [
    'a rule of the channel for thoughts of Gemini',
    '/v1/chat/completions',
    'gemini-2.5-flash',
    JSON.stringify(chat('gemini-2.5-flash', off)),
  ],
  [
    'a rule of the candidate of a virtual model',
    '/v1/chat/completions',
    models.candidate,
    JSON.stringify(chat('virtual', off)),
  ],
]

const usage = {
  ...{ prompt_tokens: 1, completion_tokens: hidden, total_tokens: hidden + 1 },
  completion_tokens_details: { reasoning_tokens: hidden - 5 },
}

const openingOf = (path: string, isGemini: boolean): string => {
  if (isGemini)
    return frame({ candidates: [{ index: 0, content: { parts: [{ text: 'Well ' }] } }] })
  if (path === '/v1/responses')
    return frame({
      ...{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0 },
      delta: 'Well ',
    })
  return frame({ id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'Well ' } }] })
}

const endingOf = (path: string, isGemini: boolean): string => {
  if (isGemini)
    return frame({
      candidates: [{ index: 0, content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 5, thoughtsTokenCount: hidden },
    })
  if (path === '/v1/responses')
    return frame({
      type: 'response.completed',
      response: {
        ...{ id: 'resp_1', object: 'response', status: 'completed', output: [] },
        usage: { input_tokens: 1, output_tokens: hidden, total_tokens: hidden + 1 },
      },
    })
  const finish = frame({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  return `${finish}${frame({ id: 'c', choices: [], usage })}data: [DONE]\n\n`
}

beforeAll(async () => {
  await hub.addChannel(1, models.twice)
  await hub.addChannel(1, models.always)
  const parameter = (value: Json) => ({ custom_parameter: JSON.stringify(value) })
  const effort = { reasoning_effort: 'high' }
  await hub.addChannel(1, models.written, parameter({ overwrite: true, ...effort }))
  await hub.addChannel(1, models.ruled, parameter({ rules: [{ set: effort }] }))
  const thoughts = { 'generationConfig.thinkingConfig.thinkingBudget': -1 }
  await hub.addChannel(25, 'gemini-2.5-flash', parameter({ rules: [{ set: thoughts }] }))
  await hub.addChannel(1, models.candidate)
  const parameters = JSON.stringify(effort)
  const candidates = [{ model: models.candidate, parameters }]
  const made = await hub.app.root.post('/api/virtual_model/', { name: 'virtual', candidates })
  expect([made.status, made.text]).toEqual([200, expect.any(String)])
  await hub.app.root.put('/api/option/', { key: 'PreConsumedQuota', value: '0' })
})

const shortfalls = async () => {
  const { values } = await hub.app.app.metrics.shortfalls.get()
  return values.find(each => each.labels.kind === 'other')?.value ?? 0
}

const payer = async (quota: number): Promise<string> => {
  const user = await hub.app.person(1, { quota })
  const made = await user.post('/api/token/', { name: 't', unlimited_quota: true })
  return made.body.data.key
}

describe.each(ways)('SEC-1 reasoning that the body turns off: %s', (_, path, model, body) => {
  const isGemini = model.startsWith('gemini')

  it('five streams at once leave no shortfall', async () => {
    hub.upstream.play(model, turn => {
      beginStream(turn).write(openingOf(path, isGemini))
      // The others have begun or wait by then.
      setTimeout(() => turn.response.end(endingOf(path, isGemini)), 100)
    })
    const before = await shortfalls()
    const key = await payer(5 * 4_300)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const calls = Array.from({ length: 5 }, () =>
      fetch(`${hub.url}${path}`, { method: 'POST', headers, body }),
    )
    const answers = await Promise.all(calls)
    await Promise.all(answers.map(each => each.text()))
    expect(answers.map(each => each.status)).toContain(200)
    expect(await shortfalls()).toBe(before)
  })

  it('a caller who leaves pays the estimate', async () => {
    hub.upstream.play(model, turn => {
      beginStream(turn).write(openingOf(path, isGemini))
    })
    const key = await payer(1_000_000)
    await new Promise<void>((resolve, reject) => {
      const call = { path, body: JSON.parse(body), text: body, headers: {} }
      const caller = openCall(
        { ...hub, key },
        { call },
        {
          onText: () => void caller.then(({ leave }) => resolve(leave())),
          onEnd: seen => reject(new Error(seen)),
        },
      )
    })
    expect((await lastCharge(hub))?.estimatedReasoning).toBeGreaterThan(0)
  })
})
