import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AttentionReason, ChannelUpstream } from '@hub/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEngines, type TestApp } from '../../../../test/harness.ts'
import { noticesOf, subscribe } from '../../../../test/notices.ts'
import watchUpstreams from '../../../jobs/watch-upstreams.ts'

/** A vendor whose list of models a test chooses. */
let vendor: Server
let url: string
let hub: TestApp
let requests = 0
let answer: [status: number, body: unknown] = [200, { data: [] }]

beforeAll(async () => {
  vendor = createServer(keepAlive, (_request, response) => {
    requests += 1
    const [status, body] = answer
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => vendor.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => void vendor.close())

const offer = (...names: string[]) => {
  answer = [200, { data: names.map(id => ({ id })) }]
}
const hours = (count: number) => {
  hub.clock.now += count * 3_600_000
}
const run = () => watchUpstreams.run(hub.app)
const nextRun = () => {
  hours(24)
  return run()
}
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const add = async (mode: string, more: object = {}) => {
  const plugin = { watch: { models: mode } }
  const channel = { type: 1, name: 'main', key: 'sk-secret', base_url: url, models: 'a,b', plugin }
  const { body } = await hub.root.post('/api/channel/', { ...channel, ...more })
  return body.data[0].id as number
}
const modelsOf = async (id: number) =>
  (await hub.root.get(`/api/channel/${id}`)).body.data.models as string
const upstreamOf = async (id: number) =>
  (await hub.root.get(`/api/channel/${id}/upstream`)).body.data as ChannelUpstream
const proposed = async (id: number) => {
  const { models } = await upstreamOf(id)
  return { added: models!.added.map(each => each.model), removed: models!.removed }
}
const attention = async () => (await hub.root.get('/api/operations/attention')).body.data
const reasonsOf = async (id: number): Promise<AttentionReason[]> =>
  (await attention()).channels.find((each: { id: number }) => each.id === id)?.reasons ?? []
const price = (...models: string[]) =>
  hub.root.post('/api/prices/multiple', {
    models,
    price: { model: models[0], type: 'tokens', input: 1, output: 1, channel_type: 1 },
  })
const auditRows = async () =>
  (await hub.root.get('/api/audit/?action=channels.applyModels&size=20')).body.data.data
const none = { added: [], removed: [] }

const readings = () => {
  it('a channel without the setting is never read', async () => {
    const id = await add('off')
    offer('a', 'b', 'new')
    await run()
    await hub.root.post(`/api/channel/${id}/upstream`)
    expect([requests, await proposed(id)]).toEqual([0, none])
  })

  it('the list is read at the interval of the setting, and never where the interval is 0', async () => {
    await add('propose')
    offer('a')
    await run()
    await run()
    expect(requests).toBe(1)
    hours(20)
    await run()
    expect(requests).toBe(1)
    hours(4)
    await run()
    expect(requests).toBe(2)
    await set('ModelWatchHours', '0')
    await nextRun()
    expect(requests).toBe(2)
    await set('ModelWatchHours', '24')
  })

  it('a channel that a person disabled is not read', async () => {
    const id = await add('propose')
    await hub.root.put('/api/channel/', { id, status: 2 })
    await run()
    expect(requests).toBe(0)
  })
}

const proposals = () => {
  it('names new and vanished models on the page, in the list, in the attention and in one notice', async () => {
    const id = await add('propose')
    offer('a', 'c', 'd', 'e')
    await run()
    expect(await proposed(id)).toEqual({ added: ['c', 'd', 'e'], removed: ['b'] })
    expect(await modelsOf(id)).toBe('a,b')
    const { body } = await hub.root.get(`/api/channel/health?ids=${id}`)
    expect(body.data.channels[0].proposed).toEqual({ added: 3, removed: 1 })
    expect(await reasonsOf(id)).toEqual([{ kind: 'models', added: 3, removed: 1 }])
    await nextRun()
    expect(await noticesOf(hub.root, 'site', 'channel.models')).toEqual([
      [1, 'The provider of channel main changed its models: 3 new, 1 gone'],
    ])
    await hub.root.post(`/api/channel/${id}/models/ignore`, { models: ['c'] })
    await nextRun()
    expect((await noticesOf(hub.root, 'site', 'channel.models')).length).toBe(1)
    offer('a', 'c', 'd', 'e', 'f')
    await nextRun()
    expect((await noticesOf(hub.root, 'site', 'channel.models')).length).toBe(2)
  })

  it('applies the chosen models, with the change in the audit log', async () => {
    const id = await add('propose', {
      model_mapping: JSON.stringify({ b: 'gone' }),
      test_model: 'b',
    })
    offer('a', 'c', 'd')
    await run()
    const { body } = await hub.root.post(`/api/channel/${id}/models/apply`, {
      add: ['d'],
      remove: ['b'],
    })
    expect(body.data.models).toMatchObject({ added: [{ model: 'c' }], removed: [] })
    const channel = (await hub.root.get(`/api/channel/${id}`)).body.data
    expect([channel.models, channel.model_mapping, channel.test_model]).toEqual(['a,d', '', ''])
    const [row] = await auditRows()
    expect(JSON.stringify(row)).toContain('a,d')
  })

  it('refuses what is not proposed, and a removal that leaves no model', async () => {
    const id = await add('propose')
    offer('c')
    await run()
    for (const body of [{ add: ['a'] }, { remove: ['c'] }, { remove: ['a', 'b'] }]) {
      const response = await hub.root.post(`/api/channel/${id}/models/apply`, body)
      expect([response.status, response.body.code]).toEqual([400, 'request.invalid'])
    }
    expect(await modelsOf(id)).toBe('a,b')
  })

  it('never proposes an ignored model again, until the channel ignores it no longer', async () => {
    const id = await add('propose', { plugin: { watch: { models: 'propose', ignored: 'x-*' } } })
    offer('a', 'b', 'c', 'x-1')
    await run()
    expect(await proposed(id)).toEqual({ added: ['c'], removed: [] })
    await hub.root.post(`/api/channel/${id}/models/ignore`, { models: ['c', 'b'] })
    expect(await proposed(id)).toEqual(none)
    offer('a', 'c')
    await nextRun()
    expect(await proposed(id)).toEqual(none)
    const { plugin } = (await hub.root.get(`/api/channel/${id}`)).body.data
    expect(plugin).toEqual({ watch: { models: 'propose', ignored: 'x-*, c, b' } })
    await hub.root.put('/api/channel/', { id, plugin: { watch: { models: 'propose' } } })
    expect(await proposed(id)).toEqual({ added: ['c'], removed: ['b'] })
  })

  it('is gone once the setting is off, or the models are changed by hand', async () => {
    const id = await add('propose')
    offer('a', 'c')
    await run()
    await hub.root.put('/api/channel/', { id, models: 'a,c' })
    expect(await proposed(id)).toEqual(none)
    await hub.root.put('/api/channel/', { id, models: 'a,b', plugin: {} })
    expect([await proposed(id), await reasonsOf(id)]).toEqual([none, []])
  })
}

const applications = () => {
  it('adds models with a price, and leaves the others as a proposal', async () => {
    await price('priced-1', 'priced-2')
    await set('DefaultPrice', '5')
    const id = await add('apply')
    offer('a', 'b', 'priced-1', 'priced-2', 'unpriced')
    await run()
    expect(await modelsOf(id)).toBe('a,b,priced-1,priced-2')
    expect((await upstreamOf(id)).models!.added).toEqual([{ model: 'unpriced', is_priced: false }])
    const [row] = await auditRows()
    expect([row.actor_name, row.target]).toEqual(['gateway', `channel ${id} main`])
    expect(row.input).toEqual({ id, add: ['priced-1', 'priced-2'] })
    expect(await noticesOf(hub.root, 'site', 'channel.models')).toEqual([
      [1, 'The provider of channel main changed its models: 1 new, 0 gone'],
    ])
    await set('DefaultPrice', '')
  })

  it('never removes a model, and proposes its removal after two equal lists in a row only', async () => {
    const id = await add('apply', { models: 'a,claude-haiku-4-5,m-latest,m:online' })
    const seen: string[][] = []
    for (const list of [['a'], ['a', 'z'], ['a'], ['a'], ['a']]) {
      offer(...list)
      await nextRun()
      seen.push((await proposed(id)).removed)
    }
    const unlisted = ['claude-haiku-4-5', 'm-latest', 'm:online']
    expect(seen).toEqual([[], [], [], unlisted, unlisted])
    expect(await modelsOf(id)).toBe('a,claude-haiku-4-5,m-latest,m:online')
    expect(await noticesOf(hub.root, 'site', 'channel.models')).toEqual([
      [1, 'The provider of channel main changed its models: 1 new, 0 gone'],
      [1, 'The provider of channel main changed its models: 0 new, 3 gone'],
    ])
  })

  it('adds a model while the removal of another is proposed', async () => {
    await price('priced-3')
    const id = await add('apply')
    offer('a', 'priced-3')
    await run()
    await nextRun()
    expect([await modelsOf(id), await proposed(id)]).toEqual([
      'a,b,priced-3',
      { added: [], removed: ['b'] },
    ])
    await hub.root.post(`/api/channel/${id}/models/apply`, { remove: ['b'] })
    expect(await modelsOf(id)).toBe('a,priced-3')
  })

  it('does not count a list that is read again within minutes', async () => {
    const id = await add('apply')
    offer('a')
    await run()
    for (let n = 0; n < 3; n += 1) await hub.root.post(`/api/channel/${id}/upstream`)
    expect([await modelsOf(id), await proposed(id)]).toEqual(['a,b', none])
  })
}

const broken: [string, [number, unknown]][] = [
  ['a refusal', [401, {}]],
  ['a failure', [500, {}]],
  ['an empty list', [200, { data: [] }]],
  ['another shape', [200, { models: ['a'] }]],
  ['no JSON', [200, '<html>']],
]

const failures = () => {
  it.each(broken)(
    '%s removes nothing and is told once, after the third in a row',
    async (_, bad) => {
      const id = await add('apply')
      answer = bad
      const kinds = async () =>
        (await attention()).problems.map((each: { kind: string; id: number }) => [
          each.kind,
          each.id,
        ])
      for (let n = 1; n <= 5; n += 1) {
        await nextRun()
        expect([n, await kinds()]).toEqual([n, n < 3 ? [] : [['model_list', id]]])
      }
      expect(await noticesOf(hub.root, 'site', 'model_list.failed')).toEqual([
        [1, 'The model list of channel main cannot be read'],
      ])
      expect([await modelsOf(id), await proposed(id)]).toEqual(['a,b', none])
      const { models } = await upstreamOf(id)
      expect([models!.read_at, models!.failure.length > 0]).toEqual([0, true])
      offer('a', 'b')
      await nextRun()
      expect([await kinds(), (await upstreamOf(id)).models!.failure]).toEqual([[], ''])
    },
  )

  it('a failure between two equal lists does not make them fewer, and is no list itself', async () => {
    const id = await add('apply')
    offer('a')
    await run()
    answer = [500, {}]
    await nextRun()
    expect(await proposed(id)).toEqual(none)
    offer('a')
    await nextRun()
    expect(await proposed(id)).toEqual({ added: [], removed: ['b'] })
  })

  it.each(['propose', 'apply'])(
    'a first failure in the mode %s hides no later proposal',
    async mode => {
      const id = await add(mode)
      answer = [500, {}]
      await run()
      offer('a', 'b', 'c')
      for (let n = 0; n < 2; n += 1) {
        const { status } = await hub.root.post(`/api/channel/${id}/upstream`)
        expect([status, await proposed(id)]).toEqual([200, { added: ['c'], removed: [] }])
      }
      await nextRun()
      expect(await noticesOf(hub.root, 'site', 'channel.models')).toEqual([
        [1, 'The provider of channel main changed its models: 1 new, 0 gone'],
      ])
    },
  )

  it('a failure that an earlier version stored hides no proposal either', async () => {
    const id = await add('propose')
    const row = { channel_id: id, checked_at: 1, read_at: 0, equal_reads: 0 }
    const earlier = { ...row, offered: '[]', notified: '' }
    await hub.app.db.insertInto('channel_watches').values(earlier).execute()
    offer('a', 'b', 'c')
    expect((await hub.root.post(`/api/channel/${id}/upstream`)).status).toBe(200)
    expect((await noticesOf(hub.root, 'site', 'channel.models')).length).toBe(1)
  })
}

onBothEngines('the watch of a vendor list', open => {
  beforeAll(async () => {
    hub = await open()
  })
  beforeEach(async () => {
    requests = 0
    offer()
    const { db } = hub.app
    for (const table of ['channels', 'channel_watches', 'service_failures'] as const)
      await db.deleteFrom(table).execute()
    for (const table of ['notifications', 'notification_targets'] as const)
      await db.deleteFrom(table).execute()
    await subscribe(hub.root, 'site', ['channel.models', 'model_list.failed'])
  })
  readings()
  proposals()
  applications()
  failures()
})
