import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

const fields = { type: 1, name: 'vendor', key: 'sk-a-key', base_url: 'https://vendor.example' }
const price = (model: string, input: number) => ({ model, type: 'tokens', input, output: input })

let hub: TestApp
let admin: TestUser
const prices = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await admin.get('/api/prices/')).body.data.map((each: { model: string; input: number }) => [
      each.model,
      each.input,
    ]),
  )
const callable = async () => Object.keys((await admin.get('/api/available_model')).body.data)

const pricedChannels = () => {
  it('a channel is created together with prices, which count at once', async () => {
    const { body } = await admin.post('/api/channel/', {
      ...{ ...fields, models: 'own-a,own-b' },
      prices: [price('own-a', 3)],
    })
    expect(body.data).toMatchObject([{ models: 'own-a,own-b' }])
    expect(body.data[0]).not.toHaveProperty('prices')
    expect((await prices())['own-a']).toBe(3)
    expect(await callable()).toContain('own-a')
    expect(await callable()).not.toContain('own-b')
  })

  it('a change of a channel adds prices, and a price that exists stays', async () => {
    const id = (await admin.post('/api/channel/', { ...fields, models: 'own-c' })).body.data[0].id
    const both = [price('own-c', 5), price('own-a', 9)]
    const { status } = await admin.put('/api/channel/', { id, models: 'own-c,own-d', prices: both })
    expect(status).toBe(200)
    expect(await prices()).toMatchObject({ 'own-c': 5, 'own-a': 3 })
    const [row] = (await hub.root.get('/api/audit/?size=1')).body.data.data
    expect(JSON.stringify(row)).toContain('price own-c')
  })

  it('a channel that is refused leaves no price behind', async () => {
    const { status } = await admin.post('/api/channel/', {
      ...{ ...fields, models: 'own-e', group: 'no-such-group' },
      prices: [price('own-e', 1)],
    })
    expect(status).toBe(422)
    expect(await prices()).not.toHaveProperty('own-e')
  })
}

onBothEngines('prices of a new channel', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
  })
  pricedChannels()
})
