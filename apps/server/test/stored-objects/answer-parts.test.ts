import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { type FileVendor, startFileVendor, type VendorAnswer, type VendorCall } from './vendor.ts'

// Parts of answers that later requests name by their ids: items and containers.

const hub = useRelayHub()
let vendor: FileVendor
let stranger: string
let made: Json[] = []

const random = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

const frames = (events: Json[]): VendorAnswer => ({
  type: 'text/event-stream',
  bytes: Buffer.from(
    events.map(each => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
  ),
})

/** https://developers.openai.com/api/reference/resources/responses/methods/create */
const answerResponse = (body: Json): VendorAnswer => {
  made = [
    { type: 'reasoning', id: random('rs'), summary: [] },
    {
      ...{ type: 'code_interpreter_call', id: random('ci'), status: 'completed', code: '1' },
      ...{ container_id: random('cntr'), outputs: null },
    },
    { type: 'image_generation_call', id: random('ig'), status: 'completed', result: 'AAAA' },
    {
      ...{ type: 'message', id: random('msg'), role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    },
  ]
  const response = {
    ...{ id: random('resp'), object: 'response', status: 'completed', model: 'gpt-5.4' },
    output: made,
    usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
  }
  if (!body.stream) return { json: response }
  return frames([
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...made.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
    { type: 'response.completed', response },
  ])
}

/** https://docs.claude.com/en/docs/agents-and-tools/tool-use/code-execution-tool */
const answerMessage = (body: Json): VendorAnswer => {
  const container = { id: random('container'), expires_at: '2027-01-01T00:00:00Z' }
  const usage = { input_tokens: 5, output_tokens: 2 }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-6' }
  made = [container]
  const call = { type: 'tool_use', id: 'a', name: 'b', input: { container: 'x', other: {} } }
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  if (!body.stream) return { json: { ...head, content: [call], ...end, usage, container } }
  return frames([
    { type: 'message_start', message: { ...head, content: [], container: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { ...end, container }, usage },
    { type: 'message_stop' },
  ])
}

/** https://developers.openai.com/api/docs/guides/audio */
const answerWithAudio = ({ stream }: Json): VendorAnswer => {
  const audio = { id: random('audio'), expires_at: 1_900_000_000 }
  made = [audio]
  const head = { id: 'chatcmpl-1', created: 1, model: 'gpt-audio' }
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
  const sound = { ...audio, data: 'AAAA', transcript: 'Done.' }
  const message = { role: 'assistant', content: null, audio: sound }
  if (!stream)
    return {
      json: {
        ...{ ...head, object: 'chat.completion', usage },
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      },
    }
  const chunk = (delta: Json, finish_reason: string | null = null) => ({
    ...{ ...head, object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const events = [
    chunk({ role: 'assistant', audio: { id: audio.id, transcript: 'Done.' } }),
    chunk({ audio: { id: audio.id, data: 'AAAA' } }),
    chunk({ audio }),
    chunk({}, 'stop'),
    { ...head, object: 'chat.completion.chunk', choices: [], usage },
  ]
  const lines = [...events.map(each => JSON.stringify(each)), '[DONE]']
  return {
    type: 'text/event-stream',
    bytes: Buffer.from(lines.map(each => `data: ${each}\n\n`).join('')),
  }
}

const answer = ({ path, body }: VendorCall): VendorAnswer | undefined => {
  if (path === '/v1/responses') return answerResponse(JSON.parse(body.toString()))
  if (path === '/v1/chat/completions') return answerWithAudio(JSON.parse(body.toString()))
  return path === '/v1/messages' ? answerMessage(JSON.parse(body.toString())) : undefined
}

beforeAll(async () => {
  vendor = await startFileVendor()
  vendor.routes.push(answer)
  for (const name of ['one', 'two', 'three'])
    for (const [type, model] of [
      [1, 'gpt-5.4'],
      [1, 'gpt-audio'],
      [14, 'claude-opus-4-6'],
    ] as const)
      await hub.addChannel(type, model, {
        ...{ base_url: vendor.url, name: `${model} ${name}` },
        key: `account-${name}-a\naccount-${name}-b`,
      })
  await hub.addChannel(14, 'claude-x', { base_url: vendor.url })
  const person = await hub.app.person(1, { quota: 1_000_000_000 })
  const token = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  stranger = token.body.data.key
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.calls.length = 0
})

const post = async (path: string, body: Json, key = hub.key): Promise<number> => {
  const response = await hub.post(path, body, { authorization: `Bearer ${key}` })
  await response.text()
  return response.status
}
const respond = (fields: Json, key?: string) =>
  post('/v1/responses', { model: 'gpt-5.4', input: 'x', ...fields }, key)
const message = (fields: Json, key?: string) => {
  const messages = [{ role: 'user', content: 'x' }]
  return post(
    '/v1/messages',
    { model: 'claude-opus-4-6', max_tokens: 50, messages, ...fields },
    key,
  )
}

const askForAudio = (fields: Json, key?: string) =>
  post(
    '/v1/chat/completions',
    {
      ...{ model: 'gpt-audio', modalities: ['text', 'audio'] },
      ...{ audio: { voice: 'alloy', format: 'wav' }, messages: [{ role: 'user', content: 'x' }] },
      ...fields,
    },
    key,
  )

/** Names it several times: each call goes to the account that made it, and none for somebody else. */
const expectOwned = async (name: (key?: string) => Promise<number>) => {
  const { account } = vendor.calls.at(-1)!
  vendor.calls.length = 0
  expect(await name(stranger)).toBe(404)
  expect(vendor.calls).toEqual([])
  for (let at = 0; at < 6; at += 1) expect(await name()).toBe(200)
  expect(new Set(vendor.calls.map(each => each.account))).toEqual(new Set([account]))
}

const input = (item: Json) => ({ input: [{ role: 'user', content: 'x' }, item] })

for (const stream of [false, true]) {
  const kind = stream ? 'a stream' : 'a whole answer'

  it(`S26 each item of ${kind} belongs to its caller, and is named at its account`, async () => {
    for (let at = 0; at < 4; at += 1) {
      vendor.calls.length = 0
      await respond({ stream })
      const { id } = made[at]!
      await expectOwned(key => respond(input({ type: 'item_reference', id }), key))
    }
  })

  it(`S26 reasoning and images of ${kind} are looked up at their account only`, async () => {
    await respond({ stream })
    const [reasoning, , image] = made
    const withoutResult = { type: 'image_generation_call', id: image!.id }
    const both = { input: [{ role: 'user', content: 'x' }, reasoning!, withoutResult] }
    await expectOwned(key => respond(both, key))
  })

  it(`S26 audio of ${kind} belongs to its caller, and is named at its account`, async () => {
    await askForAudio({ stream })
    const [{ id }] = made as [Json]
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', audio: { id } },
      { role: 'user', content: 'y' },
    ]
    await expectOwned(key => askForAudio({ messages }, key))
  })

  it(`S26 the container of ${kind} belongs to its caller, also where nothing else is stored`, async () => {
    await respond({ stream, store: false })
    const { container_id } = made[1]!
    const tools = [{ type: 'code_interpreter', container: container_id }]
    await expectOwned(key => respond({ tools }, key))
    vendor.calls.length = 0
    await message({ stream })
    const [{ id }] = made as [Json]
    await expectOwned(key => message({ container: id }, key))
    vendor.calls.length = 0
    await message({ stream })
    const [other] = made
    await expectOwned(key => message({ container: { id: other!.id, skills: [] } }, key))
  })
}

it('items of a response that is not stored are nobody’s', async () => {
  await respond({ store: false })
  expect(await respond(input({ type: 'item_reference', id: made[3]!.id }))).toBe(404)
})

it('reasoning with its content, and reasoning for another vendor, passes', async () => {
  const reasoning = { type: 'reasoning', id: 'rs_elsewhere', summary: [] }
  const encrypted = { ...reasoning, encrypted_content: 'gAAAA' }
  expect(await respond(input(encrypted), stranger)).toBe(200)
  expect(await respond({ model: 'claude-x', ...input(reasoning) }, stranger)).toBe(200)
  vendor.calls.length = 0
  expect(await respond(input(reasoning), stranger)).toBe(404)
  expect(vendor.calls).toEqual([])
})

it('skills of the vendors themselves pass', async () => {
  const skill = { type: 'anthropic', skill_id: 'pptx', version: 'latest' }
  expect(await message({ container: { skills: [skill] } }, stranger)).toBe(200)
  const skills = [{ type: 'skill_reference', skill_id: 'openai-spreadsheets' }]
  const tools = [{ type: 'shell', environment: { type: 'container_auto', skills } }]
  expect(await respond({ tools }, stranger)).toBe(200)
})

it('code in a container reads files of earlier calls by their names', async () => {
  const content = [{ type: 'bash_code_execution_output', file_id: 'file_made' }]
  const result = {
    type: 'bash_code_execution_result',
    stdout: '',
    stderr: '',
    return_code: 0,
    content,
  }
  const block = { type: 'bash_code_execution_tool_result', tool_use_id: 'a', content: result }
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [block] },
  ]
  expect(await message({ messages: [...messages, messages[0]!] })).toBe(200)
})
