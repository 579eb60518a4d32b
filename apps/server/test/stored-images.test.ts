import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import * as storedImages from '../src/db/queries/stored-images.ts'
import { removeExpiredImages } from '../src/relay/index.ts'
import { onBothEngines, type TestUser } from './harness.ts'
import { lastCharge } from './relay-calls.ts'
import { answerJson, type Json, useRelayHub } from './relay-hub.ts'
import { S3Server } from './tasks/s3-server.ts'

const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'
const { length: bytes } = Buffer.from(base64, 'base64')
const gibibyte = 1024 ** 3
const model = 'gpt-image-1'
const full =
  'data[0] is not given as url: the links of your images hold 1 GiB, which is the most for one user; each of them ends 24 hours after it was made.'
const failed = 'data[0] is not given as url: it could not be stored.'

const storage = await new S3Server().start()
afterAll(() => storage.close())

type Painter = { user: TestUser; key: string }

const usePainters = (open: Parameters<typeof useRelayHub>[1]) => {
  const hub = useRelayHub({}, open)
  const setOption = async (key: string, value: string) =>
    expect((await hub.app.root.put('/api/option/', { key, value })).status).toBe(200)
  /** Runs while the vendor makes an image. */
  const vendor = { work: async (): Promise<unknown> => undefined }
  beforeAll(async () => {
    storage.now = () => hub.app.clock.now
    await hub.addChannel(1, model)
    await setOption('TaskCopyDays', '1')
    for (const [key, value] of Object.entries(storage.settings)) await setOption(key, value)
    hub.upstream.play(model, async turn => {
      await vendor.work()
      const usage = { input_tokens: 5, output_tokens: 200, total_tokens: 205 }
      answerJson(turn, { created: 1, data: [{ b64_json: base64 }], usage })
    })
  })
  beforeEach(async () => {
    vendor.work = async () => undefined
    storage.refuse = () => undefined
    storage.objects.clear()
    await setOption('TaskStorageEnabled', 'true')
    await hub.app.app.db.deleteFrom('stored_images').execute()
  })

  const painter = async (): Promise<Painter> => {
    const user = await hub.app.person()
    const added = { quota: 10_000_000, remark: 'test' }
    expect((await hub.app.root.post(`/api/user/quota/${user.id}`, added)).status).toBe(200)
    const { data } = (await user.post('/api/token/', { name: 't', unlimited_quota: true })).body
    return { user, key: data.key }
  }
  const draw = async ({ key }: { key: string }): Promise<Json> => {
    const fields = { model, prompt: 'a dot', response_format: 'url' }
    const headers = { authorization: `Bearer ${key}` }
    return (await hub.post('/v1/images/generations', fields, headers)).json()
  }
  const rows = () => hub.app.app.db.selectFrom('stored_images').selectAll().execute()
  const folder = () => join(hub.app.app.env.dataDir, 'task-results')
  const files = () => (existsSync(folder()) ? readdirSync(folder()) : [])
  return { hub, setOption, vendor, painter, draw, rows, folder, files }
}

const statusOf = async (url: string) => (await fetch(url)).status

/** The bytes of stored images that are no file at all. */
const rowOf = (user_id: number, size: number, expires_at: number) => ({
  ...{ name: `image-of-${user_id}`, type: 'image/png', location: null },
  ...{ user_id, size, expires_at },
})

const limitTests = ({ hub, painter, draw, rows, vendor }: ReturnType<typeof usePainters>) => {
  it('have 1 GiB for each user, and beyond it stay bytes, are charged, and say why', async () => {
    const [one, other] = [await painter(), await painter()]
    const ends = Math.floor(hub.app.clock.now / 1_000) + 60
    await storedImages.add(hub.app.app.db, rowOf(one.user.id, gibibyte - bytes, ends))
    const fitting = await draw(one)
    expect([fitting.warnings, await statusOf(fitting.data[0].url)]).toEqual([undefined, 200])
    const before = await lastCharge(hub)
    const refused = await draw(one)
    expect([refused.data, refused.warnings]).toEqual([[{ b64_json: base64 }], [full]])
    const charge = await lastCharge(hub)
    expect([charge?.amount, charge?.id === before?.id]).toEqual([205, false])
    expect([(await rows()).length, storage.objects.size]).toEqual([2, 1])
    expect((await draw(other)).warnings).toBeUndefined()
    hub.app.clock.now += 60_000
    expect((await draw(one)).warnings).toBeUndefined()
  })

  it('stay within 1 GiB for all calls at one time', async () => {
    const one = await painter()
    const ends = Math.floor(hub.app.clock.now / 1_000) + 60
    await storedImages.add(hub.app.app.db, rowOf(one.user.id, gibibyte - bytes, ends))
    const drawn = Promise.withResolvers<void>()
    let waiting = 0
    vendor.work = () => {
      waiting += 1
      if (waiting === 4) drawn.resolve()
      return drawn.promise
    }
    await Promise.all(Array.from({ length: 4 }, () => draw(one)))
    const held = (await rows()).reduce((sum, { size }) => sum + size, 0)
    expect(held).toBeLessThanOrEqual(gibibyte)
  })
}

const crashTests = (tools: ReturnType<typeof usePainters>) => {
  const { hub, painter, draw, rows, folder, files, setOption } = tools
  it('have a row with their place before they have a file, so that a crash leaves none behind', async () => {
    const one = await painter()
    let seen: Awaited<ReturnType<typeof rows>> = []
    storage.refuse = async () => {
      seen = await rows()
      return undefined
    }
    await draw(one)
    const [key] = [...storage.objects.keys()]
    const location = `${storage.url}/${storage.bucket}/${key}`
    expect(seen).toMatchObject([{ user_id: one.user.id, size: bytes, location }])
    expect(await rows()).toEqual(seen)
  })

  it.each(['true', 'false'])(
    'are forgotten where a crash left a row without a file, or with a part of it (storage enabled: %s)',
    async isEnabled => {
      await setOption('TaskStorageEnabled', isEnabled)
      await draw(await painter())
      const [row] = await rows()
      expect(row?.location === null).toBe(isEnabled === 'false')
      const location = row!.location && `${row!.location}-of-the-crash`
      await storedImages.add(hub.app.app.db, { ...row!, name: 'image-of-the-crash', location })
      if (location === null) writeFileSync(join(folder(), 'image-of-the-crash.part'), 'half')
      hub.app.clock.now += (24 * 3_600 + 1) * 1_000
      await removeExpiredImages(hub.app.app)
      expect([await rows(), files(), storage.objects.size]).toEqual([[], [], 0])
    },
  )

  it('are removed where saving failed, also where the storage has them, and hold nothing then', async () => {
    const one = await painter()
    storage.refuse = ({ key }) => {
      storage.objects.set(key, Buffer.from('half an image'))
      return { status: 503, code: 'SlowDown' }
    }
    const { data, warnings } = await draw(one)
    expect([data, warnings]).toEqual([[{ b64_json: base64 }], [failed]])
    const now = Math.floor(hub.app.clock.now / 1_000)
    expect(await storedImages.bytesOf(hub.app.app.db, { userId: one.user.id, now })).toBe(0)
    storage.refuse = () => undefined
    await removeExpiredImages(hub.app.app)
    expect([await rows(), storage.objects.size]).toEqual([[], 0])
  })
}

const deletionTests = (tools: ReturnType<typeof usePainters>) => {
  const { hub, vendor, painter, draw, rows } = tools
  const removeUser = async ({ user }: Painter) =>
    expect((await hub.app.root.delete(`/api/user/${user.id}`)).status).toBe(200)

  it('end with their user at once, and their files are deleted', async () => {
    const [one, other] = [await painter(), await painter()]
    const [gone, kept] = [(await draw(one)).data[0].url, (await draw(other)).data[0].url]
    await removeUser(one)
    expect([await statusOf(gone), await statusOf(kept)]).toEqual([410, 200])
    await removeExpiredImages(hub.app.app)
    expect(await rows()).toMatchObject([{ user_id: other.user.id }])
    expect([storage.objects.size, await statusOf(kept)]).toEqual([1, 200])
  })

  it('are deleted also where a call made them after the deletion of its user', async () => {
    const one = await painter()
    vendor.work = () => removeUser(one)
    await draw(one)
    await removeExpiredImages(hub.app.app)
    expect([await rows(), storage.objects.size]).toEqual([[], 0])
  })

  it('leave no file where their user is deleted, and their row removed, while they are saved', async () => {
    const one = await painter()
    storage.refuse = async ({ method }) => {
      if (method !== 'PUT') return undefined
      storage.refuse = () => undefined
      await removeUser(one)
      await removeExpiredImages(hub.app.app)
      return undefined
    }
    const { warnings } = await draw(one)
    expect([warnings, await rows(), storage.objects.size]).toEqual([[failed], [], 0])
  })
}

onBothEngines('images that are stored for links', open => {
  const tools = usePainters(open)
  limitTests(tools)
  crashTests(tools)
  deletionTests(tools)
})
