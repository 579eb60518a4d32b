import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { accountOf, chargesOf, countHolds, query } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// Responses that a vendor stores: their owner continues them at the same account, and no other user may read them.

const accounts = ['one', 'two', 'three']
const model = 'kept:out=3;in=7'
/** 7 and 3 tokens at one point each. */
const price = 10

describeEnginesInParallel(engine => {
  let hub: TestHub
  let person: Person
  let channels: number[]
  beforeAll(async () => {
    // Nodes on one database, where the engine can have several.
    hub = await startTestHub(engine, { instances: engine.name === 'SQLite' ? 1 : 2 })
    person = await hub.admin.addPerson(10_000_000)
    channels = []
    for (const name of accounts) {
      const base = `${hub.upstream.url}/${name}`
      const [made] = await hub.admin.addChannel(base, { models: 'kept:*' })
      const id = made?.id ?? 0
      // Two accounts behind one address each.
      const key = `sk-${name}-first\nsk-${name}-second`
      await hub.admin.api('PUT', '/api/channel/', { id, key })
      channels.push(id)
    }
    await hub.admin.addChannel(`${hub.upstream.url}/claude`, { type: 14, models: 'mute' })
    await hub.admin.setPrice('kept:*', 'tokens', 1, 1)
    await hub.admin.setPrice('mute', 'tokens', 1, 1)
  })
  afterAll(() => hub?.close())
  beforeEach(() => hub.upstream.forget())

  const clientOf = (key = person.key, at = 0) =>
    new OpenAI({
      apiKey: key,
      baseURL: `${hub.gateways[at % hub.gateways.length]?.url}/v1`,
      maxRetries: 0,
    })
  const failure = (
    work: Promise<unknown>,
  ): Promise<{ status: number; code: string; message: string }> =>
    work.then(
      () => {
        throw new Error('it was answered')
      },
      error => error,
    )
  const charges = async () => (await chargesOf(hub.gateway, person.id)).map(each => each.amount)
  /** Points charged while `work` runs. */
  const charged = async (work: () => Promise<unknown>) => {
    const before = (await charges()).length
    await work()
    await hub.settled()
    return (await charges()).slice(before)
  }
  const credentials = () => hub.upstream.served.map(each => `${each.channel} ${each.credential}`)

  describe('what is kept', () => {
    it('is gone on from at the account that has it, on each node, and after a restart', async () => {
      const amounts = await charged(async () => {
        for (let chain = 0; chain < 6; chain += 1) {
          hub.upstream.forget()
          const first = await clientOf(person.key, chain).responses.create({ model, input: 'One.' })
          const next = await clientOf(person.key, chain + 1).responses.create({
            model,
            input: 'Two.',
            previous_response_id: first.id,
          })
          expect(next.output_text).toContain(`after ${first.id.slice(-6)}`)
          const stream = clientOf(person.key, chain).responses.stream({
            model,
            input: 'Three.',
            previous_response_id: next.id,
          })
          expect((await stream.finalResponse()).previous_response_id).toBe(next.id)
          expect(new Set(credentials()).size).toBe(1)
        }
      })
      expect(amounts).toEqual(Array.from({ length: 18 }, () => price))

      const before = await clientOf().responses.create({ model, input: 'Before.' })
      for (const each of hub.gateways) {
        await each.stop()
        await each.start()
      }
      const after = await clientOf(person.key, 1).responses.create({
        model,
        input: 'After.',
        previous_response_id: before.id,
      })
      expect(after.output_text).toContain('after')
    })

    it('is read, listed and removed by its owner, free of charge', async () => {
      const client = clientOf()
      const made = await client.responses.create({ model, input: 'Keep it.' })
      const streamed = await client.responses.stream({ model, input: 'And it.' }).finalResponse()
      const amounts = await charged(async () => {
        for (const { id } of [made, streamed]) {
          expect((await clientOf(person.key, 1).responses.retrieve(id)).id).toBe(id)
          const { data } = await client.responses.inputItems.list(id)
          expect(data[0]).toMatchObject({ role: 'user' })
          await client.responses.delete(id)
          expect(await failure(client.responses.retrieve(id))).toMatchObject({ status: 404 })
          const next = { model, input: 'More.', previous_response_id: id }
          expect(await failure(client.responses.create(next))).toMatchObject({
            status: 400,
            code: 'previous_response_not_found',
          })
        }
      })
      expect(amounts).toEqual([])
    })

    it('is streamed once more from any place', async () => {
      const client = clientOf()
      const { id } = await client.responses.create({ model, input: 'Again.' })
      const types = async (query: object) => {
        const seen: string[] = []
        const stream = await client.responses.retrieve(id, { stream: true, ...query })
        for await (const event of stream) seen.push(event.type)
        return seen
      }
      const amounts = await charged(async () => {
        const all = await types({})
        expect([all[0], all.at(-1)]).toEqual(['response.created', 'response.completed'])
        expect(await types({ starting_after: 2 })).toEqual(all.slice(3))
      })
      expect(amounts).toEqual([])
    })

    it('does not exist for anybody else, and no vendor is asked', async () => {
      const { id } = await clientOf().responses.create({ model, input: 'Mine.' })
      const other = await hub.admin.addPerson(1_000_000)
      const stranger = clientOf(other.key)
      hub.upstream.forget()
      const tries = [
        () => stranger.responses.retrieve(id),
        () => stranger.responses.retrieve(id, { stream: true }),
        () => stranger.responses.delete(id),
        () => stranger.responses.cancel(id),
        () => stranger.responses.inputItems.list(id).then(each => each),
      ]
      for (const each of tries) expect(await failure(each())).toMatchObject({ status: 404 })
      const on = { model, input: 'Tell me.', previous_response_id: id }
      const uses = [
        () => stranger.responses.create(on),
        () => stranger.responses.compact(on as never),
        () => stranger.responses.inputTokens.count(on),
      ]
      for (const each of uses)
        expect(await failure(each())).toMatchObject({ code: 'previous_response_not_found' })
      expect(credentials()).toEqual([])
      expect((await clientOf().responses.retrieve(id)).id).toBe(id)
    })

    it('is not, where the caller does not want it, and nothing is written down', async () => {
      const rows = async () =>
        Number((await query(hub.gateway, 'select count(*) as n from stored_answers'))[0]?.n)
      const before = await rows()
      const { id } = await clientOf().responses.create({ model, input: 'Forget it.', store: false })
      await hub.ask({ key: person.key, model: 'any:' })
      expect(await rows()).toBe(before)
      expect(await failure(clientOf().responses.retrieve(id))).toMatchObject({ status: 404 })
    })

    it('is made shorter and counted at the account that has it; the first is charged', async () => {
      const client = clientOf()
      const { id } = await client.responses.create({ model, input: 'Long.' })
      const amounts = await charged(async () => {
        const short = await client.responses.compact({
          model: model as 'gpt-5',
          previous_response_id: id,
        })
        expect(short.object).toBe('response.compaction')
        const count = await client.responses.inputTokens.count({ model, previous_response_id: id })
        expect(count.input_tokens).toBe(7)
      })
      expect(amounts).toEqual([price])
      expect(new Set(credentials()).size).toBe(1)
    })

    it('is refused in words where its channel is gone, and no other account is asked', async () => {
      const client = clientOf()
      const made = await client.responses.create({ model, input: 'Lost.' })
      const at = accounts.indexOf(hub.upstream.served[0]?.channel ?? '')
      const channel = channels[at]
      const set = (status: number) => hub.admin.api('PUT', '/api/channel/', { id: channel, status })
      hub.upstream.forget()
      const readEvents = async () => {
        const on = { model, input: 'Go on.', previous_response_id: made.id }
        for (const each of [
          () => client.responses.create(on),
          () => client.responses.retrieve(made.id),
        ])
          expect(await failure(each())).toMatchObject({ status: 410, code: 'response_unavailable' })
        expect(credentials()).toEqual([])
      }
      await set(2)
      await readEvents()
      await set(1)
      expect((await client.responses.retrieve(made.id)).id).toBe(made.id)
      hub.upstream.forget()
      // The channel has another key now, so its account is unknown.
      await hub.admin.api('PUT', '/api/channel/', { id: channel, key: 'sk-another' })
      await readEvents()
      await hub.admin.api('DELETE', `/api/channel/${channel}`)
      await readEvents()
    })

    it('a part of it stays at its account, on each node, and nobody else may name it', async () => {
      const reference = (id: string) => [{ type: 'item_reference' as const, id }]
      const made = await clientOf().responses.create({ model, input: 'One.' })
      const streamed = await clientOf().responses.stream({ model, input: 'Two.' }).finalResponse()
      const { id: later } = await clientOf().responses.create({
        ...{ model, input: 'Three.', background: true },
      })
      await until('it has ended', async () => {
        const { status } = await clientOf().responses.retrieve(later)
        return status === 'completed'
      })
      const background = await clientOf().responses.retrieve(later)
      const other = await hub.admin.addPerson(1_000_000)
      for (const { output } of [made, streamed, background]) {
        const input = reference(output[0]!.id!)
        hub.upstream.forget()
        for (let at = 0; at < 6; at += 1)
          await clientOf(person.key, at).responses.create({ model, input })
        expect(new Set(credentials()).size).toBe(1)
        hub.upstream.forget()
        const unknown = { status: 404, code: 'stored_unknown' }
        const stranger = clientOf(other.key)
        expect(await failure(stranger.responses.create({ model, input }))).toMatchObject(unknown)
        expect(credentials()).toEqual([])
      }
    })

    it('a conversation does not become the own of a user who names it', async () => {
      const unknown = { status: 404, code: 'stored_unknown' }
      const item = [{ type: 'item_reference' as const, id: 'msg_1' }]
      hub.upstream.forget()
      for (const more of [
        { input: 'x', conversation: 'conv_new' },
        { input: 'x', conversation: { id: 'conv_new' } },
        { input: item },
      ])
        for (let at = 0; at < 2; at += 1)
          expect(await failure(clientOf().responses.create({ model, ...more }))).toMatchObject(
            unknown,
          )
      expect(credentials()).toEqual([])
    })

    it('an id that no vendor of this model has is refused, and nothing is charged', async () => {
      const amounts = await charged(async () => {
        const client = clientOf()
        const params = { model: 'mute', input: 'Hello.' }
        const reference = [{ type: 'item_reference' as const, id: 'msg_1' }]
        const tries = [
          () => client.responses.create({ ...params, background: true }),
          () => client.responses.create({ ...params, conversation: 'conv_1' }),
          () => client.responses.create({ ...params, input: reference }),
        ]
        for (const each of tries)
          expect(await failure(each())).toMatchObject({
            status: 400,
            message: expect.stringContaining('stores its responses'),
          })
      })
      expect(amounts).toEqual([])
    })
  })

  describe('what is made in the background', () => {
    const slow = 'kept:out=3;in=7;every=400'
    const slower = 'kept:out=3;in=7;every=6000'
    const never = 'kept:out=3;in=7;every=600000'
    const ended = (id: string, at = 0) =>
      until('it has ended', async () => {
        const { status } = await clientOf(person.key, at).responses.retrieve(id)
        return status !== 'queued' && status !== 'in_progress'
      })

    it('is charged once when its caller sees the end, on whichever node, however often it is read', async () => {
      const amounts = await charged(async () => {
        const { id, status } = await clientOf().responses.create({
          model: slow,
          input: 'Slow.',
          background: true,
        })
        expect(status).toBe('queued')
        expect(await countHolds(hub.gateway)).toBe(1)
        await ended(id, 1)
        await Promise.all(
          Array.from({ length: 20 }, (_, at) => clientOf(person.key, at).responses.retrieve(id)),
        )
      })
      expect(amounts).toEqual([price])
      await hub.audit()
    })

    it('is charged once without a poll, also when its gateway was killed', async () => {
      const before = (await charges()).length
      const amounts = await charged(async () => {
        for (const gateway of hub.gateways) {
          const at = hub.gateways.indexOf(gateway)
          const params = { model: slower, input: 'Alone.', background: true }
          await clientOf(person.key, at).responses.create(params)
          await gateway.stop('SIGKILL')
          expect(await countHolds(hub.gateway)).toBe(1)
          await gateway.start()
          // The hold stays until the usage is known: neither released nor charged.
          const done = (await charges()).length - before - at
          expect((await countHolds(hub.gateway)) + done).toBe(1)
          await hub.audit()
          await until('it is charged', async () => (await charges()).length === before + at + 1)
        }
      })
      expect(amounts).toEqual(hub.gateways.map(() => price))
    })

    it('streams, and continues when the caller disconnects', async () => {
      const amounts = await charged(async () => {
        const whole = await clientOf()
          .responses.stream({ model: slow, input: 'Stream.', background: true })
          .finalResponse()
        expect(whole.status).toBe('completed')
        expect(await countHolds(hub.gateway)).toBe(0)
        const stream = await clientOf().responses.create({
          model: slow,
          input: 'Leave.',
          background: true,
          stream: true,
        })
        let id = ''
        let seen = 0
        for await (const event of stream) {
          if (event.type === 'response.created') id = event.response.id
          seen = event.sequence_number
          if (seen > 2) break
        }
        const rest = await clientOf(person.key, 1).responses.retrieve(id, {
          stream: true,
          starting_after: seen,
        })
        const types: string[] = []
        for await (const event of rest) types.push(event.type)
        expect(types.at(-1)).toBe('response.completed')
      })
      expect(amounts).toEqual([price, price])
    })

    it('is charged by its stream where its vendor does not keep it after all', async () => {
      const amounts = await charged(async () => {
        const params = { model: `${slow};forgets`, input: 'Forget.', background: true }
        const whole = await clientOf().responses.stream(params).finalResponse()
        expect(whole.status).toBe('completed')
        expect(await countHolds(hub.gateway)).toBe(0)
      })
      expect(amounts).toEqual([price])
    })

    it('costs its prompt where it was stopped, nothing where it failed without a report, and is not deleted before it ends', async () => {
      const amounts = await charged(async () => {
        const client = clientOf()
        const { id } = await client.responses.create({
          model: never,
          input: 'Stop.',
          background: true,
        })
        expect(await failure(client.responses.delete(id))).toMatchObject({
          status: 409,
          code: 'response_running',
        })
        expect((await client.responses.cancel(id)).status).toBe('cancelled')
        expect(await countHolds(hub.gateway)).toBe(0)
        await client.responses.delete(id)
        const failing = await client.responses.create({
          model: 'kept:out=3;every=50;fails',
          input: 'Fail.',
          background: true,
        })
        await ended(failing.id)
      })
      expect(amounts).toEqual([expect.any(Number)])
      expect(amounts[0]).toBeGreaterThan(0)
    })

    it('costs its prompt and what was read of it where it was stopped, on whichever node', async () => {
      const read = async (id: string) => {
        const sql = `select coalesce(read_tokens, 0) as n from background_calls where answer_id = '${id}'`
        return Number((await query(hub.gateway, sql))[0]?.n)
      }
      const stop = async (last: string, at: number) => {
        const ask = { model: slower, input: 'Stop.', background: true, stream: true } as const
        let id = ''
        for await (const event of await clientOf().responses.create(ask)) {
          if (event.type === 'response.created') id = event.response.id
          if (event.type === last) break
        }
        // Another node learns what was read a little later.
        if (at === 1) await until('what was read is known', async () => (await read(id)) > 0)
        expect((await clientOf(person.key, at).responses.cancel(id)).status).toBe('cancelled')
        expect(await countHolds(hub.gateway)).toBe(0)
      }
      const [prompt = 0, ...answers] = await charged(async () => {
        await stop('response.created', 0)
        await stop('response.output_text.delta', 0)
        await stop('response.output_text.delta', 1)
      })
      expect(prompt).toBeGreaterThan(0)
      expect(answers).toEqual([prompt + 3, prompt + 3])
      await hub.audit()
    })

    it('is given up when its result cannot be known any more: its hold is released, and nothing is charged', async () => {
      await hub.admin.setPrice('doomed:*', 'tokens', 1, 1)
      const url = `${hub.upstream.url}/doomed`
      const [channel] = await hub.admin.addChannel(url, { models: 'doomed:*' })
      const amounts = await charged(async () => {
        const params = { model: 'doomed:every=600000', input: 'Doomed.', background: true }
        await clientOf().responses.create(params)
        expect(await countHolds(hub.gateway)).toBe(1)
        // A channel that a person disabled still owes the answer.
        await hub.admin.api('PUT', '/api/channel/', { id: channel?.id, status: 2 })
        hub.upstream.forget()
        await until('it is asked', () => hub.upstream.served.length > 0)
        expect(await countHolds(hub.gateway)).toBe(1)
        await hub.admin.api('DELETE', `/api/channel/${channel?.id}`)
        await until('it is given up', async () => (await countHolds(hub.gateway)) === 0)
      })
      expect(amounts).toEqual([])
      await hub.audit()
    })

    it('holds what it may cost until it is known', async () => {
      const poor = await hub.admin.addPerson(5_000)
      const client = clientOf(poor.key)
      const ask = { model: never, input: 'Hold.', background: true, max_output_tokens: 3_000 }
      const { id } = await client.responses.create(ask)
      expect((await accountOf(hub.gateway, poor.id)).held).toBeGreaterThan(3_000)
      expect(await failure(client.responses.create(ask))).toMatchObject({
        status: 429,
        code: 'rate_limit_exceeded',
      })
      await client.responses.cancel(id)
      const { held, balance } = await accountOf(hub.gateway, poor.id)
      expect(held).toBe(0)
      // Its prompt was read by the vendor.
      expect(balance).toBeGreaterThan(4_900)
      await hub.audit()
    })
  })
})
