import { beforeAll, beforeEach, expect, it } from 'vitest'
import { lastCharge, sendCall } from './relay-calls.ts'
import { answerJson, useRelayHub } from './relay-hub.ts'

// A refusal that shows the model's output is charged once, and is the answer of its Idempotency-Key from then on.

const hub = useRelayHub()
const paths = {
  'repeat-chat': '/v1/chat/completions',
  'repeat-responses': '/v1/responses',
  'repeat-messages': '/v1/messages',
  'repeat-gemini': '/v1beta/models/repeat-gemini:generateContent',
} as const
type Name = keyof typeof paths
const names = Object.keys(paths) as Name[]
beforeAll(async () => {
  for (const name of names) await hub.addChannel(67, name)
  await hub.app.root.put('/api/option/', { key: 'PingSeconds', value: '1' })
})
beforeEach(() => hub.upstream.forget())

const essay = 'The sea is wide and old. '.repeat(160)
const generated = { error: { message: 'No JSON.', code: 'x', failed_generation: essay } }
const plain = { error: { message: 'No.', type: 'invalid_request_error' } }

const bodyOf = (name: Name, more: object = {}) => {
  if (name === 'repeat-gemini') return { contents: [{ parts: [{ text: 'Hi.' }] }], ...more }
  if (name === 'repeat-responses') return { model: name, input: 'Hi.', store: false, ...more }
  return { model: name, max_tokens: 5_000, messages: [{ role: 'user', content: 'Hi.' }], ...more }
}

const post = async (name: Name, key: string, more?: object) => {
  const response = await hub.post(paths[name], bodyOf(name, more), { 'idempotency-key': key })
  const { status, headers } = response
  const [type, replay] = ['content-type', 'x-idempotent-replay'].map(each => headers.get(each))
  return { status, type, replay, text: await response.text() }
}

const countCharges = async (): Promise<number> => {
  await lastCharge(hub)
  const rows = hub.app.app.db.selectFrom('transfers').select('id').where('kind', '=', 'request')
  return (await rows.execute()).length
}

it.each(names)(
  'a charged refusal of %s is repeated byte for byte, and charged once',
  async name => {
    const before = await countCharges()
    hub.upstream.play(name, turn => answerJson(turn, generated, 400))
    const first = await post(name, name)
    expect(first).toMatchObject({ status: 400, text: JSON.stringify(generated), replay: null })
    expect(await countCharges()).toBe(before + 1)
    expect(await post(name, name)).toEqual({ ...first, replay: 'true' })
    expect(await countCharges()).toBe(before + 1)
    expect(hub.upstream.served).toHaveLength(1)
    expect((await post(name, name, { user: 'x' })).status).toBe(409)
  },
)

it('a body is another request where its path names another model', async () => {
  await hub.addChannel(67, 'repeat-gemini-too')
  const body = bodyOf('repeat-gemini')
  const headers = { 'idempotency-key': 'by path' }
  const statuses: number[] = []
  for (const model of ['repeat-gemini', 'repeat-gemini-too']) {
    hub.upstream.play(model, turn => answerJson(turn, generated, 400))
    const response = await hub.post(`/v1beta/models/${model}:generateContent`, body, headers)
    statuses.push(response.status)
  }
  expect(statuses).toEqual([400, 409])
})

it('a hundred calls at once with one key get one charged refusal', async () => {
  const before = await countCharges()
  hub.upstream.play('repeat-chat', turn => answerJson(turn, generated, 400))
  const all = await Promise.all(Array.from({ length: 100 }, () => post('repeat-chat', 'at once')))
  expect(new Set(all.map(each => `${each.status} ${each.text}`))).toEqual(
    new Set([`400 ${JSON.stringify(generated)}`]),
  )
  expect(all.filter(each => each.replay !== 'true')).toHaveLength(1)
  expect(hub.upstream.served).toHaveLength(1)
  expect(await countCharges()).toBe(before + 1)
})

it('a refusal that costs nothing leaves its key free', async () => {
  hub.upstream.play('repeat-chat', turn => answerJson(turn, plain, 400))
  const before = await countCharges()
  for (const _ of [1, 2]) expect(await post('repeat-chat', 'free')).toMatchObject({ replay: null })
  expect(hub.upstream.served).toHaveLength(2)
  expect(await countCharges()).toBe(before)
})

it('a pinged stream whose refusal shows nothing of the output is free', async () => {
  const pinged = Promise.withResolvers<void>()
  hub.upstream.play('repeat-chat', async turn => {
    await pinged.promise
    answerJson(turn, generated, 400)
  })
  const before = await countCharges()
  const response = await hub.post(paths['repeat-chat'], bodyOf('repeat-chat', { stream: true }))
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    pinged.resolve()
  }
  expect(text).toContain('"error"')
  expect(text).not.toContain('The sea')
  expect(await countCharges()).toBe(before)
})

it('a caller who left before a charged refusal pays no output of it', async () => {
  const begun = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  hub.upstream.play('repeat-chat', async turn => {
    const text = JSON.stringify(generated)
    turn.response.writeHead(400, { 'content-type': 'application/json' })
    turn.response.write(text.slice(0, 100))
    begun.resolve()
    await left.promise
    turn.response.end(text.slice(100))
  })
  const call = sendCall(hub, { path: paths['repeat-chat'], body: bodyOf('repeat-chat') })
  await begun.promise
  call.destroy()
  setTimeout(left.resolve, 100)
  expect((await lastCharge(hub))!.usage.output ?? 0).toBe(0)
})

it('a charged refusal has the status that its channel shows, in its repeat too', async () => {
  const plugin = { answers: { status_codes: '400: 422' } }
  await hub.addChannel(67, 'repeat-mapped', { plugin })
  hub.upstream.play('repeat-mapped', turn => answerJson(turn, generated, 400))
  const before = await countCharges()
  const body = { ...bodyOf('repeat-chat'), model: 'repeat-mapped' }
  const headers = { 'idempotency-key': 'mapped' }
  const statuses: number[] = []
  for (const _ of [1, 2])
    statuses.push((await hub.post(paths['repeat-chat'], body, headers)).status)
  expect(statuses).toEqual([422, 422])
  expect(await countCharges()).toBe(before + 1)
})

it('a request that is repeated without the state of another account is charged once, for its answer', async () => {
  const message = 'The encrypted content for item rs_1 could not be verified.'
  const refusal = {
    ...{ error: { message, code: 'invalid_encrypted_content', failed_generation: essay } },
    usage: { input_tokens: 500, output_tokens: 900, total_tokens: 1_400 },
  }
  const usage = { input_tokens: 11, output_tokens: 5, total_tokens: 16 }
  const answer = { id: 'resp_1', object: 'response', status: 'completed', output: [], usage }
  let calls = 0
  hub.upstream.play('repeat-responses', turn => {
    calls += 1
    return calls === 1 ? answerJson(turn, refusal, 400) : answerJson(turn, answer)
  })
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAAA' }
  const input = [reasoning, { role: 'user', content: 'Hi.' }]
  const before = await countCharges()
  const response = await hub.post(paths['repeat-responses'], bodyOf('repeat-responses', { input }))
  expect([response.status, calls]).toEqual([200, 2])
  expect(await countCharges()).toBe(before + 1)
  expect((await lastCharge(hub))!).toMatchObject({ amount: 16, usage: { input: 11, output: 5 } })
})
