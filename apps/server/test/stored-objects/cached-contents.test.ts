import { randomBytes } from 'node:crypto'
import { createPartFromUri, GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../harness.ts'
import { type GeminiVendor, startGeminiVendor } from './gemini-vendor.ts'

const model = 'gemini-own'

const status = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: { status?: number }) => error.status,
  )

type Owner = { client: GoogleGenAI; person: Awaited<ReturnType<TestApp['person']>> }
type Open = Parameters<Parameters<typeof onBothEngines>[1]>[0]

const configure = async ({ root }: TestApp, address: string) => {
  await root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
  const plugin = { storage: { files: true, caches: true } }
  for (const key of ['account-one', 'account-two'])
    await root.post('/api/channel/', {
      ...{ type: 25, name: key, key, base_url: address, group: 'default', plugin },
      models: `${model},unpriced`,
      model_mapping: JSON.stringify({ [model]: '+gemini-upstream' }),
    })
  // 1 point for a token, 0.1 from the cache, 2 for a token-hour; 500,000 points are 1 USD.
  const ratios = { extra_ratios: { cached_read_tokens: 0.1 } }
  const tools = { tool_prices: { cache_storage: 0.000004 } }
  const price = { type: 'tokens', input: 1, output: 1, ...ratios }
  await root.post('/api/prices/single', { ...price, ...tools, model })
  await root.post('/api/prices/single', { ...price, model: 'unpriced' })
}

type Gemini = {
  owner: Owner
  vendor: GeminiVendor
  newOwner(quota?: number): Promise<Owner>
  spent(by?: Owner): Promise<number>
  /** The points that the owner pays for the work. */
  cost(work: () => Promise<unknown>): Promise<number>
  create(config?: object, by?: Owner): ReturnType<GoogleGenAI['caches']['create']>
}

/** A gateway with two accounts of the vendor, and a user. */
const useGemini = (open: Open): Gemini => {
  const use: Gemini = {
    owner: undefined as unknown as Owner,
    vendor: undefined as unknown as GeminiVendor,
    newOwner: async (quota = 10_000_000): Promise<Owner> => {
      const person = await hub.person(1, { quota })
      const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
      const client = new GoogleGenAI({ apiKey: made.body.data.key, httpOptions: { baseUrl: url } })
      return { person, client }
    },
    spent: async ({ person } = use.owner): Promise<number> =>
      (await person.get('/api/user/self')).body.data.used_quota,
    cost: async (work: () => Promise<unknown>): Promise<number> => {
      const before = await use.spent()
      await work()
      return (await use.spent()) - before
    },
    create: (config: object = {}, { client } = use.owner) =>
      client.caches.create({ model, config: { contents: 'A long text.', ...config } }),
  }
  let hub: TestApp
  let url: string
  beforeAll(async () => {
    hub = await open({ INITIAL_ROOT_TOKEN: `sk-${randomBytes(22).toString('hex')}` })
    url = `http://127.0.0.1:${await hub.listen()}`
    use.vendor = await startGeminiVendor(() => hub.app.now())
    await configure(hub, use.vendor.url)
    use.owner = await use.newOwner()
  })
  afterAll(() => use.vendor?.close())
  beforeEach(() => {
    use.vendor.calls.length = 0
    use.vendor.cacheTokens = 3_000
  })
  return use
}

onBothEngines('stored prompts of the Gemini API', open => {
  const use = useGemini(open)

  it('are stored, used, extended, listed and deleted by the official client', async () => {
    const file = await use.owner.client.files.upload({
      file: new Blob(['x'.repeat(7_000)]),
      config: { mimeType: 'text/plain' },
    })
    const cache = await use.create({
      contents: [createPartFromUri(file.uri!, file.mimeType!)],
      ttl: '7200s',
      displayName: 'Book',
    })
    expect(cache).toMatchObject({ model: `models/${model}`, displayName: 'Book' })
    const answer = await use.owner.client.models.generateContent({
      model,
      contents: 'Read it.',
      config: { cachedContent: cache.name! },
    })
    expect(answer.text).toBe('Read.')
    const [list] = (await use.owner.client.caches.list()).page
    expect(list).toMatchObject({ name: cache.name, model: `models/${model}` })
    const extended = await use.owner.client.caches.update({
      name: cache.name!,
      config: { ttl: '14400s' },
    })
    expect(Date.parse(extended.expireTime!)).toBeGreaterThan(Date.parse(cache.expireTime!))
    expect((await use.owner.client.caches.get({ name: cache.name! })).name).toBe(cache.name)
    await use.owner.client.caches.delete({ name: cache.name! })
    expect(use.vendor.caches.size).toBe(0)
    expect((await use.owner.client.caches.list()).page).toEqual([])
    expect(new Set(use.vendor.calls.map(each => each.account)).size).toBe(1)
  })

  it('cost their tokens as input, and each token-hour in advance, by the count that the vendor reports', async () => {
    // 3,000 tokens read, and 3,000 x 2 hours at 2 points.
    let name = ''
    const stored = await use.cost(async () => {
      name = (await use.create({ ttl: '7200s' })).name!
    })
    expect(stored).toBe(3_000 + 12_000)
    const used = await use.cost(() =>
      use.owner.client.models.generateContent({
        ...{ model, contents: 'Read it.', config: { cachedContent: name } },
      }),
    )
    expect(used).toBe(5 + 300 + 2)
    const shorter = await use.cost(() =>
      use.owner.client.caches.update({ name, config: { ttl: '60s' } }),
    )
    expect(shorter).toBe(0)
    const longer = await use.cost(() =>
      use.owner.client.caches.update({ name, config: { ttl: '10800s' } }),
    )
    // One hour more than was paid, and the seconds that have passed since.
    expect(longer).toBeGreaterThanOrEqual(6_000)
    expect(longer).toBeLessThan(6_000 + 120)
    const [row] = (await use.owner.person.get('/api/log/self?page=1&size=1')).body.data.data
    expect(row).toMatchObject({ model_name: model })
  })

  it('without a time are stored and charged for one hour', async () => {
    expect(await use.cost(() => use.create())).toBe(3_000 + 6_000)
    expect(JSON.parse(String(use.vendor.calls.at(-1)?.body))).toMatchObject({
      ttl: '3600s',
      model: 'models/gemini-upstream',
    })
  })
})

onBothEngines('refused prompts of the Gemini API', open => {
  const use = useGemini(open)

  it('cost nothing where the vendor refuses them, and are estimated where it reports no tokens', async () => {
    const file = await use.owner.client.files.upload({
      file: new Blob(['abc']),
      config: { mimeType: 'text/plain' },
    })
    use.vendor.files.delete(file.name!)
    const contents = [createPartFromUri(file.uri!, 'text/plain')]
    expect(
      await use.cost(async () => expect(await status(use.create({ contents }))).toBe(403)),
    ).toBe(0)
    use.vendor.cacheTokens = undefined
    expect(await use.cost(() => use.create({ ttl: '3600s' }))).toBeGreaterThan(0)
  })

  it('are never sent a link to what is not the caller’s', async () => {
    const calls = use.vendor.calls.length
    for (const uri of ['gs://bucket/secret', 'file:///etc/passwd']) {
      const contents = [createPartFromUri(uri, 'text/plain')]
      expect(await status(use.create({ contents }))).toBeOneOf([400, 404])
    }
    expect(use.vendor.calls.length).toBe(calls)
  })

  it('are refused without a price of storage, without an end, and beyond the balance, before a vendor is asked', async () => {
    const contents = 'A long text.'
    expect(
      await status(use.owner.client.caches.create({ model: 'unpriced', config: { contents } })),
    ).toBe(422)
    for (const ttl of ['0s', '-5s', '9999999s', 'forever'])
      expect([ttl, await status(use.create({ ttl }))]).toEqual([ttl, 400])
    const both = { ttl: '60s', expireTime: new Date(Date.now() + 60_000).toISOString() }
    expect(await status(use.create(both))).toBe(400)
    const poor = await use.newOwner(1_000)
    expect(await status(use.create({ contents: 'x'.repeat(40_000), ttl: '3600s' }, poor))).toBe(429)
    expect(use.vendor.calls).toEqual([])
    expect(await use.spent(poor)).toBe(0)
  })
})

onBothEngines('stored prompts of other callers, and changes at once', open => {
  const use = useGemini(open)

  it('S26 of somebody else do not exist, nor can they be used or extended', async () => {
    const { name } = await use.create()
    const other = await use.newOwner()
    use.vendor.calls.length = 0
    expect(await status(other.client.caches.get({ name: name! }))).toBe(404)
    expect(await status(other.client.caches.delete({ name: name! }))).toBe(404)
    expect(await status(other.client.caches.update({ name: name!, config: { ttl: '60s' } }))).toBe(
      404,
    )
    const config = { cachedContent: name! }
    const using = other.client.models.generateContent({ model, contents: 'Read it.', config })
    expect(await status(using)).toBe(404)
    expect((await other.client.caches.list()).page).toEqual([])
    expect(use.vendor.calls).toEqual([])
  })

  it('of which ten changes come at once are charged for no hour twice', async () => {
    const { name } = await use.create({ ttl: '3600s' })
    const charged = await use.cost(() =>
      Promise.allSettled(
        Array.from({ length: 10 }, () =>
          use.owner.client.caches.update({ name: name!, config: { ttl: '7200s' } }),
        ),
      ),
    )
    expect(charged).toBeGreaterThanOrEqual(6_000)
    expect(charged).toBeLessThan(6_000 + 120)
  })
})
