import OpenAI from 'openai'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { removeUser } from '../../src/core/accounts/remove-user.ts'
import forgetStoredObjects from '../../src/jobs/forget-stored-objects.ts'
import { onBothEngines } from '../harness.ts'
import { lastCharge } from '../relay-calls.ts'
import { answerJson, answerStream, type Json, receivedBody, useRelayHub } from '../relay-hub.ts'

const daySeconds = 86_400
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
const text = (value: string) => ({
  type: 'message' as const,
  role: 'user' as const,
  content: value,
})

const useConversations = (open: NonNullable<Parameters<typeof useRelayHub>[1]>) => {
  const hub = useRelayHub({}, open)
  const people = {} as { client: OpenAI; stranger: OpenAI; strangerId: number }

  const clientOf = (apiKey: string) =>
    new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })
  const setOption = async (key: string, value: string) =>
    expect((await hub.app.root.put('/api/option/', { key, value })).status).toBe(200)

  beforeAll(async () => {
    // The vendor stores neither responses nor conversations.
    await hub.addChannel(16, 'chatter')
    people.client = clientOf(hub.key)
    const person = await hub.app.person(1, { quota: 1_000_000_000 })
    people.strangerId = person.id
    const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
    people.stranger = clientOf(made.body.data.key)
  })
  beforeEach(async () => {
    hub.upstream.forget()
    await setOption('KeepResponsesEnabled', 'true')
  })

  const answerWith = (content: string) =>
    hub.upstream.play('chatter', turn => {
      const message = { role: 'assistant', content }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      answerJson(turn, { id: 'c', object: 'chat.completion', created: 1, choices, usage })
    })
  const sent = (): Json => receivedBody({ served: hub.upstream.served.at(-1) } as never)
  const ask = (by: OpenAI, fields: object): Promise<Json> =>
    by.responses.create({ model: 'chatter', input: 'x', ...fields } as never)
  const failure = (work: Promise<unknown>): Promise<Json> =>
    work.then(
      () => expect.unreachable('it was answered'),
      error => error,
    )
  const itemsOf = async (id: string): Promise<Json[]> =>
    (await people.client.conversations.items.list(id, { order: 'asc' })).data
  return { hub, people, setOption, answerWith, sent, ask, failure, itemsOf }
}

type Tools = ReturnType<typeof useConversations>

const ownerTests = ({ hub, people, failure, itemsOf }: Tools) => {
  it('are made, read, changed and deleted by their owner', async () => {
    const made = await people.client.conversations.create({
      metadata: { a: 'b' },
      items: [text('One.')],
    })
    const { id } = made
    expect(made).toMatchObject({ object: 'conversation', metadata: { a: 'b' } })
    expect(made).not.toHaveProperty('items')
    expect(await people.client.conversations.retrieve(id)).toMatchObject({ ...made })
    const changed = await people.client.conversations.update(id, { metadata: { a: 'c' } })
    expect(changed).toMatchObject({ id, metadata: { a: 'c' } })

    const added = await people.client.conversations.items.create(id, {
      items: [text('Two.'), text('3.')],
    })
    expect(added.data).toHaveLength(2)
    const listed = await itemsOf(id)
    expect(listed.map(each => each.content[0].text)).toEqual(['One.', 'Two.', '3.'])
    expect(new Set(listed.map(each => each.id)).size).toBe(3)
    const page = await people.client.conversations.items.list(id, { limit: 2 })
    expect([page.data.map(each => each.id), page.has_more]).toEqual([
      [listed[2].id, listed[1].id],
      true,
    ])
    const named = { conversation_id: id }
    expect(await people.client.conversations.items.retrieve(listed[1].id, named)).toEqual(listed[1])
    await people.client.conversations.items.delete(listed[1].id, named)
    expect((await itemsOf(id)).map(each => each.id)).toEqual([listed[0].id, listed[2].id])

    const gone = { status: 404, code: 'stored_unknown' }
    expect(
      await failure(people.client.conversations.items.retrieve(listed[1].id, named)),
    ).toMatchObject(gone)
    expect(
      await failure(people.client.conversations.items.delete(listed[1].id, named)),
    ).toMatchObject(gone)
    expect(await people.client.conversations.delete(id)).toEqual({
      id,
      object: 'conversation.deleted',
      deleted: true,
    })
    expect(await failure(people.client.conversations.retrieve(id))).toMatchObject(gone)
    expect(hub.upstream.served).toEqual([])
  })
}

const callTests = ({ hub, people, answerWith, sent, ask, itemsOf }: Tools) => {
  it('are continued by calls at any vendor, which are sent and charged the whole of it', async () => {
    const { id } = await people.client.conversations.create({ items: [text('My name is Ada.')] })
    answerWith('Hello Ada.')
    const first = await ask(people.client, { conversation: id, input: 'Hi.' })
    expect([first.conversation, first.status]).toEqual([{ id }, 'completed'])
    answerWith('It is Ada.')
    const second = await ask(people.client, {
      conversation: { id },
      input: 'Who am I?',
      store: false,
    })
    expect([second.conversation, second.store]).toEqual([{ id }, false])
    expect(sent().messages.map((each: Json) => JSON.stringify(each.content))).toEqual([
      expect.stringContaining('My name is Ada.'),
      expect.stringContaining('Hi.'),
      expect.stringContaining('Hello Ada.'),
      expect.stringContaining('Who am I?'),
    ])
    expect(JSON.stringify(sent())).not.toContain(id)
    expect((await lastCharge(hub))?.amount).toBe(7)
    const roles = (await itemsOf(id)).map(each => each.role)
    expect(roles).toEqual(['user', 'user', 'assistant', 'user', 'assistant'])
  })

  it('are continued by streams', async () => {
    const { id } = await people.client.conversations.create()
    const choices = (delta: object, finish_reason: string | null = null) => [
      { index: 0, delta, finish_reason },
    ]
    hub.upstream.play('chatter', turn =>
      answerStream(turn, [
        { id: 'c', object: 'chat.completion.chunk', choices: choices({ content: 'Streamed.' }) },
        { id: 'c', object: 'chat.completion.chunk', choices: choices({}, 'stop'), usage },
      ]),
    )
    const stream = await ask(people.client, { conversation: id, input: 'Hi.', stream: true })
    let last: Json
    for await (const event of stream) last = event
    expect([last.type, last.response.conversation]).toEqual(['response.completed', { id }])
    const items = await itemsOf(id)
    expect(items.map(each => each.content[0].text)).toEqual(['Hi.', 'Streamed.'])
  })

  it('keep the turns of calls that end at the same time', async () => {
    const { id } = await people.client.conversations.create()
    answerWith('Yes.')
    await Promise.all(
      ['1', '2', '3', '4'].map(input => ask(people.client, { conversation: id, input })),
    )
    const items = await itemsOf(id)
    expect(items).toHaveLength(8)
    expect(new Set(items.map(each => each.id)).size).toBe(8)
  })

  it('go on from the summary once a call has compacted them', async () => {
    const { id } = await people.client.conversations.create({ items: [text('My name is Ada.')] })
    answerWith('Hello Ada.')
    await ask(people.client, { conversation: id, input: 'Hi.' })
    answerWith('The user is called Ada.')
    const trigger = { type: 'compaction_trigger' }
    const compacted = await ask(people.client, { conversation: id, input: [trigger] })
    expect([compacted.status, compacted.conversation]).toEqual(['completed', { id }])
    expect((await itemsOf(id)).map(each => each.type)).toEqual([
      'message',
      'message',
      'message',
      'compaction',
    ])
    for (const input of ['Who am I?', 'Are you sure?']) {
      answerWith('You are Lovelace.')
      const next = await ask(people.client, { conversation: id, input })
      expect([next.status, next.conversation]).toEqual(['completed', { id }])
      const prompt = JSON.stringify(sent().messages)
      expect(prompt).toContain('The user is called Ada.')
      expect(prompt).toContain(input)
      expect(prompt).not.toMatch(/My name is Ada|Hi\.|Hello Ada/)
    }
  })
}

const refusalTests = ({ hub, people, ask, failure }: Tools) => {
  it('answer a call whose conversation was deleted meanwhile, without it', async () => {
    const { id } = await people.client.conversations.create()
    hub.upstream.play('chatter', turn => {
      const message = { role: 'assistant', content: 'Late.' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      const answer = () => answerJson(turn, { id: 'c', choices, usage })
      people.client.conversations.delete(id).then(answer, answer)
    })
    const response = await ask(people.client, { conversation: id })
    expect([response.status, response.conversation]).toEqual(['completed', null])
    expect(await failure(people.client.conversations.retrieve(id))).toMatchObject({ status: 404 })
  })

  it.each([
    [{ previous_response_id: 'resp_1' }, /previous_response_id/],
    [{ background: true }, /background/],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, /item_reference/],
  ])('refuse %j', async (fields, reason) => {
    const { id } = await people.client.conversations.create()
    const error = await failure(ask(people.client, { conversation: id, ...fields }))
    expect([error.status, error.message]).toEqual([400, expect.stringMatching(reason)])
    expect(hub.upstream.served).toEqual([])
  })

  it.each([
    ['an unknown field', '', { foo: 1 }, /'foo'/],
    [
      'too many pairs',
      '',
      { metadata: Object.fromEntries([...Array(17).keys()].map(n => [n, 'a'])) },
      /16/,
    ],
    ['a value that is too long', '', { metadata: { a: 'x'.repeat(513) } }, /'metadata'/],
    ['items that are no list', '', { items: {} }, /'items'/],
    ['too many items', '', { items: Array.from({ length: 21 }, () => text('x')) }, /'items'/],
    ['a reference', '', { items: [{ type: 'item_reference', id: 'msg_1' }] }, /item_reference/],
    ['a trigger', '', { items: [text('x'), { type: 'compaction_trigger' }] }, /trigger/],
    ['a trigger', '/items', { items: [{ type: 'compaction_trigger' }] }, /trigger/],
    ['an item of no type', '', { items: [{ content: 'x' }] }, /'type'/],
    ['no items', '/items', {}, /'items'/],
    ['items where the metadata is changed', '/', { items: [] }, /'items'/],
  ])('refuse %s at /conversations%s', async (_what, end, body, reason) => {
    const { id } = await people.client.conversations.create()
    const path = end === '' ? '' : `/${id}${end === '/' ? '' : end}`
    const error = await failure(people.client.post(`/conversations${path}`, { body }))
    expect([error.status, error.message]).toEqual([400, expect.stringMatching(reason)])
  })
}

const boundaryTests = ({ hub, people, answerWith, ask, failure, itemsOf }: Tools) => {
  it('refuse more than 1 MiB, and calls still get their answers', async () => {
    const { id } = await people.client.conversations.create({
      items: [text('x'.repeat(600_000))],
    })
    const tooMuch = people.client.conversations.items.create(id, {
      items: [text('y'.repeat(600_000))],
    })
    expect(await failure(tooMuch)).toMatchObject({ status: 409, code: 'stored_full' })
    answerWith('z'.repeat(600_000))
    const response = await ask(people.client, { conversation: id })
    expect([response.status, response.conversation]).toEqual(['completed', null])
    expect(await itemsOf(id)).toHaveLength(1)
  })

  it('S26 do not exist for anybody else', async () => {
    const { id } = await people.client.conversations.create({ items: [text('A secret.')] })
    const [{ id: item }] = await itemsOf(id)
    const { conversations: foreign } = people.stranger
    for (const name of [id, 'conv_unknown']) {
      const tries = [
        () => foreign.retrieve(name),
        () => foreign.update(name, { metadata: { a: 'b' } }),
        () => foreign.items.list(name).then(each => each),
        () => foreign.items.create(name, { items: [text('x')] }),
        () => foreign.items.retrieve(item, { conversation_id: name }),
        () => foreign.items.delete(item, { conversation_id: name }),
        () => foreign.delete(name),
      ]
      for (const each of tries)
        expect(await failure(each())).toMatchObject({ status: 404, code: 'stored_unknown' })
      const error = await failure(ask(people.stranger, { conversation: name }))
      expect(error.status).toBeGreaterThanOrEqual(400)
    }
    const refusals = [id, 'conv_unknown'].map(conversation =>
      failure(ask(people.stranger, { conversation })),
    )
    const [one, other] = (await Promise.all(refusals)).map(({ status, error }) => [
      status,
      error.message.replace(/conv_\w+|request id.*/g, ''),
    ])
    expect(one).toEqual(other)
    expect(hub.upstream.served).toEqual([])
    expect(await itemsOf(id)).toHaveLength(1)
  })
}

const retentionTests = ({ hub, people, ask, failure, itemsOf }: Tools) => {
  it('are encrypted, and deleted with their user', async () => {
    const { id } = await people.stranger.conversations.create({ items: [text('A secret.')] })
    const { db } = hub.app.app
    const rows = () => db.selectFrom('stored_resources').selectAll().where('id', '=', id).execute()
    expect(JSON.stringify(await rows())).not.toContain('A secret.')
    await removeUser(hub.app.app, people.strangerId)
    expect(await rows()).toEqual([])
  })

  it('end after the days of the setting without a call or a change', async () => {
    const { id } = await people.client.conversations.create()
    hub.app.clock.now += 29 * daySeconds * 1_000
    await people.client.conversations.items.create(id, { items: [text('Still here.')] })
    hub.app.clock.now += 29 * daySeconds * 1_000
    expect(await itemsOf(id)).toHaveLength(1)
    hub.app.clock.now += 2 * daySeconds * 1_000
    expect(await failure(people.client.conversations.retrieve(id))).toMatchObject({ status: 404 })
    const error = await failure(ask(people.client, { conversation: id }))
    expect(error.status).toBeGreaterThanOrEqual(400)
    hub.app.clock.now += daySeconds * 1_000
    await forgetStoredObjects.run(hub.app.app)
    const rows = hub.app.app.db.selectFrom('stored_resources').select('id').where('id', '=', id)
    expect(await rows.execute()).toEqual([])
  })
}

const settingTests = ({ people, setOption, ask, failure, itemsOf }: Tools) => {
  it('stay readable and can be deleted once the setting is off, but take no calls', async () => {
    const { id } = await people.client.conversations.create({ items: [text('One.')] })
    await setOption('KeepResponsesEnabled', 'false')
    expect(await itemsOf(id)).toHaveLength(1)
    const error = await failure(ask(people.client, { conversation: id }))
    expect([error.status, error.message]).toEqual([400, expect.stringContaining('KeepResponses')])
    expect(await people.client.conversations.delete(id)).toMatchObject({ deleted: true })
  })

  it('are not made while the setting is off and no channel stores them', async () => {
    await setOption('KeepResponsesEnabled', 'false')
    const error = await failure(people.client.conversations.create())
    expect([error.status, error.code]).toEqual([501, 'stored_none'])
    expect(error.message).toMatch(/`storage\.conversations`.*`KeepResponsesEnabled`/)
  })
}

onBothEngines('conversations that the gateway stores', open => {
  const tools = useConversations(open)
  ownerTests(tools)
  callTests(tools)
  refusalTests(tools)
  boundaryTests(tools)
  retentionTests(tools)
  settingTests(tools)
})
