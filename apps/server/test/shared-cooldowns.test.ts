import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import { openTestApp, type TestApp } from './harness.ts'
import { openPostgres, postgresSkipReason } from './postgres.ts'
import { describeInRedis } from './redis.ts'
import { answerJson } from './relay-hub.ts'

const token = `sk-${randomBytes(24).toString('hex')}`.slice(0, 46)
const environment = {
  MASTER_KEY: randomBytes(32).toString('base64'),
  INITIAL_ROOT_TOKEN: token,
}
const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
const busy = { status: 429, body: { error: { message: 'slow down' } } }
const refusal = { status: 401, body: { error: { message: 'no such key' } } }

const missing = postgresSkipReason()

describeInRedis('cooldowns of two nodes', redis => {
  describe.skipIf(missing)(missing ? `skipped: ${missing}` : 'on PostgreSQL', () => {
    let postgres: Awaited<ReturnType<typeof openPostgres>>
    let upstream: Upstream
    let nodes: TestApp[]
    let answers: Record<string, { status: number; body: object }> = {}

    beforeAll(async () => {
      postgres = await openPostgres()
      upstream = await startUpstream()
      const database = await postgres.migrated('cooldowns')
      const more = { ...environment, REDIS_URL: redis.url }
      nodes = [await openTestApp(database, more), await openTestApp(database, more)]
      // A node listens to the others once it listens to callers.
      for (const each of nodes) await each.listen()
      await nodes[0]!.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
      await nodes[0]!.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: '600' })
    })
    afterAll(async () => {
      for (const each of nodes ?? []) await each.close(1)
      await upstream?.close()
      await postgres?.stop()
    })

    const call = async (node: TestApp, model: string) =>
      (
        await node
          .guest({ headers: { authorization: `Bearer ${token}` } })
          .post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] })
      ).status

    /** The channels that a call of the node asks. */
    const askedBy = async (node: TestApp, model: string) => {
      upstream.forget()
      expect(await call(node, model)).toBe(200)
      return upstream.served.map(each => each.channel)
    }

    /** Adds a preferred channel and a spare one for a model, and waits until both nodes use them. */
    const addChannels = async (model: string, keys = 'sk-first') => {
      for (const [name, priority] of [['first', 9] as const, ['spare', 0] as const]) {
        const key = name === 'first' ? keys : 'sk-spare'
        const channel = { type: 1, name, models: model, priority, key, key_mode: 'one_channel' }
        const base_url = `${upstream.url}/${name}`
        const added = await nodes[0]!.root.post('/api/channel/', { ...channel, base_url })
        expect(added.status, added.text).toBe(200)
      }
      const price = { model, type: 'tokens', input: 1, output: 1 }
      await nodes[0]!.root.post('/api/prices/single', price)
      answers = {}
      upstream.play(model, turn => {
        const { status, body } = answers[turn.served.channel] ?? { status: 200, body: completion }
        answerJson(turn, body, status)
      })
      for (const node of nodes) await expect.poll(() => call(node, model)).toBe(200)
    }

    it('a channel that cools down at one node is passed over at the other, and served again after an edit', async () => {
      await addChannels('shared-a')
      answers.first = busy
      for (let n = 0; n < 3; n++) expect(await call(nodes[0]!, 'shared-a')).toBe(200)
      answers = {}
      await expect.poll(() => askedBy(nodes[1]!, 'shared-a')).toEqual(['spare'])
      expect(await askedBy(nodes[0]!, 'shared-a')).toEqual(['spare'])
      const found = await nodes[0]!.root.get('/api/channel/?models=shared-a&name=first')
      await nodes[0]!.root.put('/api/channel/', { id: found.body.data.data[0].id, weight: 7 })
      for (const node of nodes)
        await expect.poll(() => askedBy(node, 'shared-a')).toEqual(['first'])
    })

    it('a key that is refused at one node is left out at the other, for every model', async () => {
      await addChannels('shared-b')
      answers.first = refusal
      expect(await call(nodes[0]!, 'shared-b')).toBe(200)
      answers = {}
      await expect.poll(() => askedBy(nodes[1]!, 'shared-b')).toEqual(['spare'])
    })

    it('while Redis is away no call fails, and each node has its own cooldowns', async () => {
      await addChannels('shared-c')
      await redis.kill()
      answers.first = busy
      for (let n = 0; n < 4; n++) expect(await call(nodes[0]!, 'shared-c')).toBe(200)
      answers = {}
      expect(await askedBy(nodes[0]!, 'shared-c')).toEqual(['spare'])
      expect(await askedBy(nodes[1]!, 'shared-c')).toEqual(['first'])
    })
  })
})
