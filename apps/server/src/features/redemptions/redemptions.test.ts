import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { audit } from '../../auditor/audit.ts'

let hub: TestApp
let user: TestUser
const make = async (more: object = {}): Promise<string[]> =>
  (await hub.root.post('/api/redemption/', { name: 'gift', quota: 500, ...more })).body.data
const rowOf = async (key: string) =>
  (await hub.root.get(`/api/redemption/?keyword=${key}`)).body.data.data[0]
/** From an address of its own each time: the limit per address is not what these are about. */
const redeem = async (key: string, person = user) =>
  (
    await hub
      .guest({ headers: { cookie: person.cookie(), origin: 'http://hub.example' } })
      .post('/api/user/topup', { key })
  ).body
const now = () => Math.floor(hub.clock.now / 1000)

const redeemTests = () => {
  it('are made in bulk, 1 to 100 at once, each another one', async () => {
    const codes = await make({ count: 100 })
    expect(new Set(codes).size).toBe(100)
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/)
    for (const count of [0, 101, 1.5, '5'])
      expect((await hub.root.post('/api/redemption/', { name: 'x', count })).status).toBe(400)
    for (const wrong of [{ quota: -1 }, { name: '' }, { name: 'x'.repeat(21) }])
      expect(
        (await hub.root.post('/api/redemption/', { name: 'x', ...wrong })).status,
        JSON.stringify(wrong),
      ).toBe(400)
  })

  it('turn into quota once, with one posting and one log row', async () => {
    const [code = ''] = await make()
    const before = (await user.get('/api/user/self')).body.data.quota
    expect(await redeem(` ${code} `)).toMatchObject({ success: true, data: 500 })
    expect((await user.get('/api/user/self')).body.data.quota).toBe(before + 500)
    expect(await redeem(code)).toMatchObject({ code: 'redemption.used' })
    const row = await rowOf(code)
    expect(row).toMatchObject({ status: 3, used_user_id: user.id, used_username: user.username })
    expect(row.redeemed_time).toBe(now())
    const posted = await hub.app.db
      .selectFrom('transfers')
      .selectAll()
      .where('kind', '=', 'redemption')
      .where('source', '=', `redemption:${row.id}`)
      .execute()
    expect(posted).toMatchObject([{ credit: user.id, amount: 500 }])
    const logged = (await user.get('/api/log/self?log_type=1')).body.data.data
    expect(logged[0]).toMatchObject({ type: 1, quota: 500 })
    expect(JSON.stringify(logged)).not.toContain(code)
  })

  it('that are unknown, disabled, expired or deleted give nothing, and say why', async () => {
    const [disabled = '', expired = '', deleted = ''] = await make({ count: 3 })
    const change = async (key: string, patch: object) =>
      hub.root.put('/api/redemption/', { id: (await rowOf(key)).id, ...patch })
    await change(disabled, { status: 2 })
    await change(expired, { expired_time: now() })
    await hub.root.delete(`/api/redemption/${(await rowOf(deleted)).id}`)
    const codes = [disabled, expired, deleted, 'f'.repeat(32)]
    const refusals = []
    for (const code of codes) refusals.push((await redeem(code)).code)
    expect(refusals).toEqual([
      'redemption.disabled',
      'redemption.expired',
      'redemption.unknown',
      'redemption.unknown',
    ])
    expect((await rowOf(expired)).status).toBe(4)
    await change(disabled, { status: 1 })
    expect((await redeem(disabled)).data).toBe(500)
  })

  it('may be worth nothing', async () => {
    const [code = ''] = await make({ quota: 0 })
    expect((await redeem(code)).data).toBe(0)
    expect((await redeem(code)).code).toBe('redemption.used')
  })
}

const changeAndListTests = () => {
  it('change until they are used, and not later; a time of expiry brings them back', async () => {
    const [code = ''] = await make()
    const { id } = await rowOf(code)
    const put = async (patch: object, query = '') =>
      (await hub.root.put(`/api/redemption/${query}`, { id, ...patch })).body
    expect((await put({ name: 'new', quota: 7, expired_time: now() - 5 })).data).toMatchObject({
      name: 'new',
      quota: 7,
      status: 4,
      key: code,
    })
    expect((await put({ expired_time: 0 })).data).toMatchObject({ status: 1, expired_time: -1 })
    expect((await put({ status: 2, quota: 9 }, '?status_only=true')).data).toMatchObject({
      status: 2,
      quota: 7,
    })
    await put({ status: 1 })
    expect((await redeem(code)).data).toBe(7)
    expect((await put({ quota: 1000 })).code).toBe('redemption.used')
    expect((await put({ status: 1 })).code).toBe('redemption.used')
    expect((await put({ status: 3 })).code).toBe('request.invalid')
  })

  it('are found by id, by a whole code, by the beginning of a name, and by status', async () => {
    const codes = await make({ name: 'summer', count: 3 })
    const list = async (query: string) =>
      (await hub.root.get(`/api/redemption/?size=100&${query}`)).body.data
    expect((await list('keyword=summ')).total_count).toBe(3)
    const { id } = (await list(`keyword=${codes[1]}`)).data[0]
    expect((await list(`keyword=${id}`)).data.map((row: { key: string }) => row.key)).toContain(
      codes[1],
    )
    await redeem(codes[0] ?? '')
    expect((await list('keyword=summer&status=3')).data).toMatchObject([{ key: codes[0] }])
    expect((await list('keyword=summer&status=1')).total_count).toBe(2)
    expect((await list('keyword=summer&status=4')).total_count).toBe(0)
    expect((await list('order=-quota')).data.length).toBeGreaterThan(3)
    expect((await hub.root.get('/api/redemption/?order=key_hash')).status).toBe(400)
  })
}

const secrecyTests = () => {
  it('stand in the database as a hash and a seal, and in the audit log as fingerprints', async () => {
    const [code = ''] = await make()
    await redeem(code)
    const tables = ['redemptions', 'audit', 'logs', 'transfers'] as const
    for (const table of tables) {
      const rows = await hub.app.db.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows), table).not.toContain(code)
    }
    const audited = await hub.app.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'outcome'])
      .where('action', 'in', ['profile.redeem', 'redemptions.create'])
      .execute()
    expect(audited).toContainEqual({ action: 'profile.redeem', actor_id: user.id, outcome: '' })
    expect(audited.map(row => row.action)).toContain('redemptions.create')
    expect(audited.map(row => row.outcome)).toContain('redemption.unknown')
  })

  it('cannot be guessed: a user has 20 failures in 20 minutes, and successes are not counted', async () => {
    const guess = (n: number) => n.toString(16).padStart(32, '0')
    const other = await hub.person()
    const fromMany: string[] = []
    for (let n = 0; n < 10; n++) fromMany.push((await redeem(guess(n), other)).code)
    for (const code of await make({ count: 25 }))
      expect((await redeem(code, other)).success).toBe(true)
    for (let n = 10; n < 21; n++) fromMany.push((await redeem(guess(n), other)).code)
    expect(fromMany.slice(0, 20)).toEqual(Array(20).fill('redemption.unknown'))
    expect(fromMany[20]).toBe('rate.critical')
  })

  it('S33 belong to one, however many ask at once', async () => {
    const [code = ''] = await make()
    const people = await Promise.all(Array.from({ length: 8 }, () => hub.person()))
    const answers = await Promise.all(people.map(each => redeem(code, each)))
    expect(answers.filter(each => each.success)).toHaveLength(1)
    expect(answers.filter(each => each.code === 'redemption.used')).toHaveLength(7)
    const report = await audit(hub.app.env, now())
    expect(report.results.filter(each => each.findings.length > 0)).toEqual([])
  })
}

onBothEngines('redemption codes', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person()
  })
  redeemTests()
  changeAndListTests()
  secrecyTests()
})
