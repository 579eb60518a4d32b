import type { FirstSteps } from '@hub/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

let hub: TestApp
const vendor = { type: 1, name: 'vendor', key: 'sk-a-key', base_url: 'https://vendor.example' }
const price = (model: string) => ({ model, type: 'tokens', input: 1, output: 1 })

const steps = async (): Promise<FirstSteps> =>
  (await hub.root.get('/api/operations/first_steps')).body.data
const addChannel = async (more: object): Promise<number> =>
  (await hub.root.post('/api/channel/', { ...vendor, ...more })).body.data[0].id
const addToken = async (more: object = {}): Promise<number> => {
  const fields = { name: 'mine', unlimited_quota: true, expired_time: -1, ...more }
  return (await hub.root.post('/api/token/', fields)).body.data.id
}
const setBalance = (balance: number) =>
  hub.app.db.updateTable('accounts').set({ balance }).where('user_id', '=', 1).execute()

const channelSteps = () => {
  it.each([
    ['none', []],
    ['disabled', [{ models: 'own', status: 2, prices: [price('own')] }]],
    ['group', [{ models: 'own', group: 'secret', prices: [price('own')] }]],
    ['unpriced', [{ models: 'no-price,other*' }]],
    ['', [{ models: 'no-price' }, { models: 'own', prices: [price('own')] }]],
    ['', [{ models: 'pattern-*', prices: [price('pattern-a')] }]],
    ['', [{ models: 'longer-pattern-*', prices: [price('longer-*')] }]],
  ])('the channel step misses “%s” with the channels %j', async (missing, channels) => {
    let id = 0
    for (const each of channels) id = await addChannel(each)
    const { channel } = await steps()
    expect(channel).toMatchObject({ missing, done: missing === '' })
    if (missing !== '') expect(channel.channel_id).toBe(id)
  })

  it('a channel of a type that this release does not know is unusable', async () => {
    const id = await addChannel({ models: 'own', prices: [price('own')] })
    await hub.app.db.updateTable('channels').set({ type: 9_999 }).where('id', '=', id).execute()
    await hub.root.put('/api/channel/', { id, name: 'again' })
    expect((await steps()).channel).toMatchObject({ missing: 'unusable', channel_id: id })
  })

  it('models without a price are named, also where another one can be called', async () => {
    const models = 'own,no-price-1,no-price-2,pattern-*'
    const id = await addChannel({ models, prices: [price('own')] })
    expect((await steps()).channel).toMatchObject({
      ...{ done: true, channel_id: id },
      ...{ unpriced: ['no-price-1', 'no-price-2'], unpriced_count: 2 },
    })
  })
}

const keySteps = () => {
  const limitedTo = (models: string[]) => ({
    setting: { limits: { limit_model_setting: { enabled: true, models } } },
  })
  it.each([
    ['none', []],
    ['', [{}]],
    ['exhausted', [{ unlimited_quota: false, remain_quota: 0 }]],
    ['models', [limitedTo(['no-such-model'])]],
    ['', [limitedTo(['no-such-model', 'own'])]],
    ['', [limitedTo(['no-such-model']), {}]],
  ])('the key step misses “%s” with the keys %j', async (missing, tokens) => {
    await addChannel({ models: 'own', prices: [price('own')] })
    for (const each of tokens) await addToken(each)
    expect((await steps()).key).toMatchObject({ missing, done: missing === '' })
  })

  it('a key is disabled, expires, or belongs to somebody without points', async () => {
    const id = await addToken({ expired_time: Math.floor(hub.clock.now / 1_000) + 100 })
    expect((await steps()).key).toMatchObject({ missing: '', token_id: id })
    await setBalance(0)
    expect((await steps()).key).toMatchObject({ missing: 'balance', token_id: id })
    await setBalance(1_000_000)
    hub.clock.now += 200_000
    expect((await steps()).key).toMatchObject({ missing: 'expired', token_id: id })
    await hub.root.put('/api/token/?status_only=true', { id, status: 2 })
    expect((await steps()).key).toMatchObject({ missing: 'disabled', token_id: id })
  })
}

const callSteps = () => {
  const row = (type: number, content: string) => ({
    ...{ id: hub.app.ledger.nextId(), user_id: 1, created_at: 1, type, content, username: 'u' },
    ...{ token_name: 't', model_name: 'gpt', quota: 1, prompt_tokens: 1, completion_tokens: 1 },
    ...{ channel_id: 5, request_time: 1, is_stream: 0, source_ip: '', metadata: '{}' },
  })
  it('the call step names the last failure until a call is answered', async () => {
    expect((await steps()).call).toMatchObject({ missing: 'none', done: false })
    const failed = row(5, 'model.unpriced')
    await hub.app.db.insertInto('logs').values(failed).execute()
    const call = { done: false, missing: 'failed', log_id: failed.id, code: 'model.unpriced' }
    expect((await steps()).call).toEqual(call)
    await hub.app.db.insertInto('logs').values(row(2, '')).execute()
    expect((await steps()).call).toMatchObject({ done: true, missing: '' })
    await hub.app.db.deleteFrom('logs').execute()
    expect((await steps()).call.done).toBe(false)
    await hub.app.db.updateTable('accounts').set({ requests: 1 }).execute()
    expect((await steps()).call.done).toBe(true)
    await hub.app.db.updateTable('accounts').set({ requests: 0 }).execute()
  })

  it('the address step is done once there is an address', async () => {
    expect((await steps()).address.done).toBe(true)
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: '' })
    expect((await steps()).address.done).toBe(false)
  })
}

onBothEngines('first steps', open => {
  beforeAll(async () => {
    hub = await open()
    await hub.root.post('/api/user_group/', {
      ...{ symbol: 'secret', name: 'Secret', ratio: 1, api_rate: 60, public: false },
    })
  })
  beforeEach(async () => {
    await setBalance(1_000_000)
    const ids = (await hub.root.get('/api/channel/?size=100')).body.data.data.map(
      (each: { id: number }) => each.id,
    )
    if (ids.length > 0) await hub.root.delete('/api/channel/batch', { ids })
    await hub.app.db.deleteFrom('prices').where('model', 'like', '%own%').execute()
    const tokens = (await hub.root.get('/api/token/?size=100')).body.data.data
    for (const { id } of tokens) await hub.root.delete(`/api/token/${id}`)
    await hub.app.db.deleteFrom('logs').execute()
  })
  channelSteps()
  keySteps()
  callSteps()
})
