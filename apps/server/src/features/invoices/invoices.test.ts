import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { noticesOf, subscribe } from '../../../test/notices.ts'
import { audit } from '../../auditor/audit.ts'
import type { Tables } from '../../db/tables/index.ts'
import { makeDueInvoices } from './make.ts'

let hub: TestApp
let user: TestUser
let other: TestUser

const second = (text: string) => Date.parse(text) / 1000
/** Moves the clock. Sessions have ended by then. */
const setNow = async (text: string) => {
  hub.clock.now = Date.parse(text)
  for (const each of [user, other]) await each?.signIn(each.username, each.password)
}
const option = (key: string, value: string) => hub.root.put('/api/option/', { key, value })

let lastId = 0
/** A charge as the ledger posts it. */
const post = async (
  who: TestUser,
  at: string,
  { model = 'm', amount = 100, input = 10, output = 5, ...more }: Record<string, unknown> = {},
) => {
  lastId += 1
  const usage = { usage: { input, output }, model, requested: model, finish: 'complete' }
  const row = {
    ...{ id: 2 ** 40 + lastId, at: second(at), kind: 'request', source: `${lastId}` },
    ...{ debit: who.id, credit: -1, amount, token_id: 1, channel_id: 1, price_id: 1 },
    usage: JSON.stringify(usage),
    ...more,
  }
  await hub.app.db
    .insertInto('transfers')
    .values(row as Insertable<Tables['transfers']>)
    .execute()
  return row
}
const listOf = async (who: TestUser) =>
  (await who.get('/api/user/invoice?order=date')).body.data.data
const documentOf = async (who: TestUser, date: string) =>
  (await who.get(`/api/user/invoice/document?date=${date}`)).body.data

const monthTests = () => {
  it('are made once for the month that has ended, a minute after midnight of the site', async () => {
    await setNow('2026-10-20T12:00:00Z')
    await subscribe(user, 'account', ['invoice.ready'])
    // In Shanghai the month begins at 16:00 UTC of the day before.
    await post(user, '2026-09-30T15:59:59Z', { amount: 7 })
    await post(user, '2026-09-30T16:00:00Z', { amount: 100 })
    await post(user, '2026-10-01T16:30:00Z', { amount: 20, model: 'other' })
    await post(user, '2026-10-31T15:59:59Z', { amount: 3 })
    await post(user, '2026-10-31T16:00:00Z', { amount: 1000 })
    await post(other, '2026-10-05T00:00:00Z', { amount: 55 })

    await makeDueInvoices(hub.app)
    expect((await listOf(user)).map((each: { date: string }) => each.date)).toEqual(['2026-09-01'])

    await setNow('2026-10-31T16:00:59Z')
    await makeDueInvoices(hub.app)
    expect(await listOf(user)).toHaveLength(1)

    await setNow('2026-10-31T16:01:00Z')
    await Promise.all([makeDueInvoices(hub.app), makeDueInvoices(hub.app)])
    await makeDueInvoices(hub.app)
    expect(await listOf(user)).toMatchObject([
      { date: '2026-09-01', quota: 7, status: 'unpaid', paid_time: 0 },
      {
        ...{ date: '2026-10-01', name: `202610-${user.id}`, quota: 123, amount: 0.000246 },
        ...{ request_count: 3, prompt_tokens: 30, completion_tokens: 15 },
        created_time: second('2026-10-31T16:01:00Z'),
      },
    ])
    expect(await listOf(other)).toMatchObject([{ date: '2026-10-01', quota: 55 }])
    expect(await noticesOf(user, 'account', 'invoice.ready')).toEqual([
      [1, 'Your invoice for 2026-09 is ready'],
      [1, 'Your invoice for 2026-10 is ready'],
    ])
  })

  it('add up what was posted, by day and model', async () => {
    const { document, sha256 } = await documentOf(user, '2026-10-01')
    expect(document).toMatchObject({
      ...{ number: `202610-${user.id}`, time_zone: 'Asia/Shanghai', quota_per_unit: 500_000 },
      user: { id: user.id, username: user.username },
      total: { quota: 123, request_count: 3 },
      lines: [
        { date: '2026-10-01', model_name: 'm', quota: 100, request_count: 1 },
        { date: '2026-10-02', model_name: 'other', quota: 20 },
        { date: '2026-10-31', model_name: 'm', quota: 3 },
      ],
    })
    const stored = await hub.app.db
      .selectFrom('invoice_documents')
      .innerJoin('invoices', 'invoices.id', 'invoice_documents.invoice_id')
      .where('user_id', '=', user.id)
      .where('month', '=', '2026-10')
      .select(['body', 'sha256'])
      .executeTakeFirstOrThrow()
    expect(stored.sha256).toBe(sha256)
    expect(createHash('sha256').update(stored.body).digest('hex')).toBe(sha256)
    const detail = (await user.get('/api/user/invoice/detail?date=2026-10-01')).body.data
    expect(detail).toMatchObject([
      { model_name: 'm', quota: 103, request_count: 2, date: '2026-10-01' },
      { model_name: 'other', quota: 20 },
    ])
  })
}

const postingTests = () => {
  it('count the rest of a charge that came late without another request', async () => {
    await setNow('2026-11-20T00:00:00Z')
    const first = await post(other, '2026-11-02T00:00:00Z', { amount: 10 })
    await post(other, '2026-11-03T00:00:00Z', { amount: 5, kind: 'late', id: -first.id })
    await post(other, '2026-11-04T00:00:00Z', { amount: 1, usage: '{}' })
    await setNow('2026-12-01T00:00:00Z')
    await makeDueInvoices(hub.app)
    expect((await listOf(other)).at(-1)).toMatchObject({
      ...{ date: '2026-11-01', quota: 16, request_count: 2, prompt_tokens: 10 },
    })
  })

  it('have each posting once after the time zone of the site has changed', async () => {
    await post(user, '2026-12-31T15:30:00Z', { amount: 2 })
    await post(user, '2026-12-31T20:00:00Z', { amount: 40 })
    await setNow('2027-01-01T00:00:00Z')
    await makeDueInvoices(hub.app)
    expect((await listOf(user)).at(-1)).toMatchObject({ date: '2026-12-01', quota: 2 })
    await option('TimeZone', 'UTC')
    await setNow('2027-02-01T00:01:00Z')
    await makeDueInvoices(hub.app)
    expect((await listOf(user)).at(-1)).toMatchObject({ date: '2027-01-01', quota: 40 })
    const invoiced = await hub.app.db
      .selectFrom('invoices')
      .select(({ fn }) => fn.sum<number>('quota').as('sum'))
      .executeTakeFirstOrThrow()
    const posted = await hub.app.db
      .selectFrom('transfers')
      .where('kind', 'in', ['request', 'late'])
      .select(({ fn }) => fn.sum<number>('amount').as('sum'))
      .executeTakeFirstOrThrow()
    expect(Number(invoiced.sum)).toBe(Number(posted.sum))
  })
}

const changeTests = () => {
  it('become paid once, by an administrator', async () => {
    const [{ id }] = await listOf(user)
    const admin = await hub.person(10)
    expect((await user.post(`/api/invoice/${id}/paid`)).status).toBe(403)
    expect((await admin.post(`/api/invoice/${id}/paid`)).status).toBe(200)
    expect((await admin.post(`/api/invoice/${id}/paid`)).body.code).toBe('invoice.paid')
    expect((await admin.post('/api/invoice/999999/paid')).body.code).toBe('resource.missing')
    expect((await listOf(user))[0]).toMatchObject({
      ...{ status: 'paid', paid_time: second('2027-02-01T00:01:00Z') },
    })
    const paid = (await admin.get('/api/invoice?status=paid')).body.data
    expect(paid).toMatchObject({ total_count: 1, data: [{ username: user.username }] })
  })

  it('are made again for the unpaid ones, and the paid ones stay', async () => {
    const again = async (time: string) =>
      (await hub.root.post(`/api/option/invoice/update/${time}`)).body
    expect((await again('2026-10-15')).data).toEqual({ created: 0, changed: 0, kept: 0 })
    await post(user, '2026-10-20T00:00:00Z', { amount: 4 })
    await post(user, '2026-09-20T00:00:00Z', { amount: 9 })
    const before = await documentOf(user, '2026-10-01')
    expect((await again('2026-10-15')).data).toEqual({ created: 0, changed: 1, kept: 0 })
    const after = await documentOf(user, '2026-10-01')
    expect(after.document.total.quota).toBe(127)
    expect(after.sha256).not.toBe(before.sha256)
    expect((await again('2026-09-01')).data).toEqual({ created: 0, changed: 0, kept: 1 })
    expect((await listOf(user))[0]).toMatchObject({ quota: 7, status: 'paid' })
  })

  it('are made on request for months that have ended and have none', async () => {
    const generate = async (time: string) =>
      (await hub.root.post(`/api/option/invoice/gen/${time}`)).body
    await post(user, '2026-08-10T00:00:00Z', { amount: 6 })
    expect((await generate('2026-08-31')).data).toMatchObject({ created: 1 })
    expect((await generate('2026-08-01')).code).toBe('invoice.exists')
    expect((await generate('2027-02-01')).code).toBe('invoice.month')
    expect((await generate('2027-13-01')).code).toBe('request.invalid')
    expect((await user.post('/api/option/invoice/gen/2026-07-01')).status).toBe(403)
  })

  it('keep what they said: the database refuses to change or delete it', async () => {
    const { db } = hub.app
    await expect(
      db.updateTable('invoice_documents').set({ body: '{}' }).execute(),
    ).rejects.toThrow()
    await expect(db.deleteFrom('invoice_documents').execute()).rejects.toThrow()
    const report = await audit(hub.app.env, Math.floor(hub.clock.now / 1000))
    expect(report.results.length).toBeGreaterThan(0)
  })
}

const accessTests = () => {
  it('are seen by their owner and by administrators only', async () => {
    const [{ id }] = await listOf(user)
    expect((await hub.guest().get('/api/user/invoice')).status).toBe(401)
    expect((await user.get(`/api/invoice/${id}`)).status).toBe(403)
    expect((await documentOf(other, '2026-09-01')) ?? null).toBe(null)
    expect((await hub.root.get(`/api/invoice/${id}`)).body.data.document.user.id).toBe(user.id)
  })

  it('are hidden from users while they are not enabled', async () => {
    await option('UserInvoiceMonth', 'false')
    for (const path of ['', '/detail?date=2026-10-01', '/file?date=2026-10-01&format=csv'])
      expect((await user.get(`/api/user/invoice${path}`)).body.code).toBe('invoice.disabled')
    const count = (await hub.root.get('/api/invoice')).body.data.total_count
    await setNow('2027-03-05T00:00:00Z')
    await post(user, '2027-02-02T00:00:00Z')
    await makeDueInvoices(hub.app)
    expect((await hub.root.get('/api/invoice')).body.data.total_count).toBe(count)
    await option('UserInvoiceMonth', 'true')
  })
}

onBothEngines('monthly invoices', open => {
  beforeAll(async () => {
    hub = await open()
    hub.clock.now = Date.parse('2026-10-01T00:00:00Z')
    await option('UserInvoiceMonth', 'true')
    await option('TimeZone', 'Asia/Shanghai')
    user = await hub.person()
    other = await hub.person()
  })
  monthTests()
  postingTests()
  changeTests()
  accessTests()
})
