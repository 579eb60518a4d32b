import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelRouting, ModelTest } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEngines, type TestApp, type TestUser } from '../../../../test/harness.ts'

/** A vendor that refuses the model `bad`. */
let vendor: Server
let url = ''

beforeAll(async () => {
  vendor = createServer(keepAlive, async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const isBad = JSON.parse(text).model === 'bad'
    response.writeHead(isBad ? 400 : 200, { 'content-type': 'application/json' })
    const message = { role: 'assistant', content: 'hi' }
    const answer = { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: {} }
    response.end(JSON.stringify(isBad ? { error: { message: 'no bad for sk-routing' } } : answer))
  })
  await new Promise<void>(resolve => vendor.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => void vendor.close())

let hub: TestApp
let admin: TestUser

const make = async (name: string, more: object): Promise<number> => {
  const fields = { type: 1, name, base_url: url, key: 'sk-routing', ...more }
  return (await admin.post('/api/channel/', fields)).body.data[0].id
}
const routingOf = async (id: number): Promise<ChannelRouting> =>
  (await admin.get(`/api/channel/${id}/routing`)).body.data

const shown = ({ routes }: ChannelRouting) =>
  routes.map(
    ({ group, models, tiers }) =>
      `${group} ${models}: ${tiers
        .map(each => each.channels.map(({ name, share }) => `${name} ${share}`).join(' + '))
        .join(' > ')}`,
  )

const routingTests = () => {
  it('a channel has its share of each tier by weight, and models with equal tiers stand together', async () => {
    const models = 'a,b,c*,alone'
    const main = await make('main', { models, group: 'default,vip', priority: 5, weight: 3 })
    await make('twin', { models: 'a,b', priority: 5, weight: 1 })
    await make('spare', { models: 'a,c*,c-exact', priority: 0 })
    expect(shown(await routingOf(main))).toEqual([
      'default a: main 0.75 + twin 0.25 > spare 1',
      'default b: main 0.75 + twin 0.25',
      'default c*: main 1 > spare 1',
      'default alone: main 1',
      'vip a,b,c*,alone: main 1',
    ])
    const fallback = (await routingOf(main)).routes[0]!.tiers[1]!
    expect(fallback).toMatchObject({ priority: 0, channels: [{ name: 'spare', weight: 1 }] })
  })

  it('a disabled channel shows what it would get, which others do not see', async () => {
    const models = 'new-model,x-1*'
    const first = await make('first', { models, weight: 1 })
    await make('wide', { models: 'x-*' })
    const next = await make('next', { models, weight: 3, status: 2 })
    expect((await admin.get(`/api/channel/${next}`)).body.data.status).toBe(2)
    const routing = await routingOf(next)
    expect(routing).toMatchObject({ enabled: false, cooldowns: [] })
    // A longer prefix has its own channels: those of a shorter one get none of its calls.
    expect(shown(routing)).toEqual(['default new-model,x-1*: first 0.25 + next 0.75'])
    expect(shown(await routingOf(first))).toEqual(['default new-model,x-1*: first 1'])
    await admin.put('/api/channel/', { id: next, status: 1 })
    expect(shown(await routingOf(first))).toEqual([
      'default new-model,x-1*: first 0.25 + next 0.75',
    ])
    expect((await routingOf(next)).enabled).toBe(true)
  })

  it('the last test of each model is kept, without secrets', async () => {
    const id = await make('tested', { models: 'good,bad', status: 2 })
    const tests = async (): Promise<ModelTest[]> =>
      (await admin.get(`/api/channel/${id}/model_tests`)).body.data
    expect(await tests()).toEqual([])
    for (const model of ['good', 'bad', 'good'])
      await admin.post(`/api/channel/test/${id}`, { model })
    const at = Math.floor(hub.clock.now / 1_000)
    expect(await tests()).toEqual([
      { model: 'bad', at, ms: 0, error: expect.stringContaining('no bad for ***'), kind: 'call' },
      { model: 'good', at, ms: expect.any(Number), error: '', kind: 'call' },
    ])
    expect((await tests())[1]!.ms).toBeGreaterThan(0)
    expect((await admin.get('/api/channel/999999/model_tests')).status).toBe(404)
    expect((await admin.get('/api/channel/999999/routing')).status).toBe(404)
  })
}

onBothEngines('routing of channels', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
  })
  routingTests()
})
