import type { Problem } from '@hub/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { startMailServer } from '../../../../../test/harness/mail-server.ts'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import * as jobRuns from '../../db/queries/job-runs.ts'
import * as options from '../../db/queries/options.ts'
import deliverNotifications from '../../jobs/deliver-notifications.ts'
import reportLateBackup from '../../jobs/report-late-backup.ts'
import { updatePricesIfDue } from '../prices/auto-update.ts'

let hub: TestApp
/** Nothing listens there. */
const closed = 'http://127.0.0.1:9'
const secret = 'a-secret-of-the-test'

const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const problems = async (): Promise<Problem[]> =>
  (await hub.root.get('/api/operations/attention')).body.data.problems
const problemOf = async (kind: Problem['kind']) =>
  (await problems()).find(each => each.kind === kind)
const notified = async (event: string) =>
  (
    await hub.app.db
      .selectFrom('notifications')
      .select('facts')
      .where('event', '=', event)
      .execute()
  ).length
const times = async (count: number, work: () => Promise<unknown>) => {
  for (let n = 0; n < count; n += 1) await work()
}

const mailTests = () => {
  it('name a mail server that refuses until it takes a message, and notify once', async () => {
    const server = await startMailServer()
    server.meet('refuse')
    await set('SMTPServer', '127.0.0.1')
    await set('SMTPPort', String(server.port))
    await set('SMTPFrom', 'hub@example.com')
    const send = () => hub.root.post('/api/option/test-mail', { to: 'ann@example.com' })
    expect(await problemOf('mail')).toBeUndefined()
    await times(5, send)
    expect(await problemOf('mail')).toMatchObject({ failures: 5, code: 'mail.failed' })
    expect((await problemOf('mail'))?.detail).toContain('mailbox unavailable')
    expect(await notified('mail.failed')).toBe(1)
    server.meet('take')
    await send()
    expect(await problemOf('mail')).toBeUndefined()
    server.meet('refuse')
    hub.clock.now += 1_000
    await times(3, send)
    expect(await notified('mail.failed')).toBe(2)
    await server.close()
    await set('SMTPServer', '')
    expect(await problemOf('mail')).toBeUndefined()
  })
}

const serviceTests = () => {
  it('name a target, a payment vendor, the price list and a balance that fail', async () => {
    const target = (
      await hub.root.post('/api/notification/', {
        ...{ name: 'ops', type: 'webhook', events: ['node.lost'] },
        config: { url: closed, secret },
      })
    ).body.data
    await hub.root.post(`/api/notification/${target.id}/test`)
    await deliverNotifications.run(hub.app)
    expect(await problemOf('notifier')).toMatchObject({ id: target.id, name: 'ops' })
    await hub.root.put('/api/notification/', { id: target.id, enabled: false })
    expect(await problemOf('notifier')).toBeUndefined()

    const gateway = (
      await hub.root.post('/api/payment/', {
        ...{ type: 'bepusdt', name: 'Pay', icon: 'pay', currency: 'CNY' },
        config: { pay_domain: closed, key: 'a-token-of-the-test', trade_type: 'usdt.trc20' },
      })
    ).body.data
    const buyer = await hub.person()
    await times(3, () => buyer.post('/api/user/order', { uuid: gateway.uuid, amount: 10 }))
    expect(await problemOf('payment')).toMatchObject({ name: 'Pay', code: 'payment.unreachable' })
    expect(await notified('payment.failed')).toBe(1)

    await set('UpdatePriceService', `${closed}/prices.json`)
    await set('AutoPriceUpdateMinutes', '60')
    await times(2, async () => {
      await expect(updatePricesIfDue(hub.app)).rejects.toThrow()
      hub.clock.now += 3_600_000
    })
    expect(await problemOf('price_list')).toMatchObject({ failures: 2 })
    expect(await notified('price_list.failed')).toBe(1)

    const channel = { name: 'deep', type: 28, key: 'k', models: 'm', base_url: closed }
    await hub.root.post('/api/channel/', channel)
    const { id } = (await hub.root.get('/api/channel/?name=deep')).body.data.data[0]
    await times(2, () => hub.root.post(`/api/channel/update_balance/${id}`))
    expect(await problemOf('balance')).toMatchObject({ id, name: 'deep' })
    expect(await notified('balance.failed')).toBe(1)
  })
}

const jobTests = () => {
  it('name the last backup if it failed, and a schedule that stands still, which notifies once', async () => {
    const now = Math.floor(hub.clock.now / 1_000)
    const run = async (state: 'succeeded' | 'failed', ended_at: number) => {
      await hub.app.db.deleteFrom('backup_runs').execute()
      await hub.app.db
        .insertInto('backup_runs')
        .values({
          ...{ started_at: ended_at, ended_at, state, due_minute: null, epoch: 1, node: 'a' },
          ...{ actor: '', file: '', bytes: 0, rows: 0, error: 'The disk is full.' },
        })
        .execute()
    }
    await run('failed', now)
    expect(await problemOf('backup')).toMatchObject({ detail: 'The disk is full.', since: now })
    await run('succeeded', now - 200_000)
    expect(await problemOf('backup_late')).toBeUndefined()
    await set('BackupIntervalHours', '24')
    expect(await problemOf('backup_late')).toMatchObject({ since: now - 200_000 })
    await times(2, () => reportLateBackup.run(hub.app))
    expect(await notified('backup.late')).toBe(1)
    await run('succeeded', now - 100_000)
    expect(await problemOf('backup_late')).toBeUndefined()
    await reportLateBackup.run(hub.app)
    expect(await notified('backup.late')).toBe(1)
  })

  it('name a job that failed with its last success, without the text of its error', async () => {
    const now = Math.floor(hub.clock.now / 1_000)
    const { epoch } = hub.app.ledger
    const ended = { name: 'make-invoices', epoch, now, durationMs: 1 }
    const claim = () => jobRuns.claim(hub.app.db, { ...ended, everySeconds: 60, now: now + 600 })
    await hub.app.db.deleteFrom('job_runs').execute()
    await jobRuns.addMissing(hub.app.db, ['make-invoices', 'of-an-older-release'], now)
    await claim()
    await jobRuns.succeed(hub.app.db, ended)
    expect(await problemOf('job')).toBeUndefined()
    await hub.app.db.updateTable('job_runs').set({ due_at: 0 }).execute()
    await claim()
    await jobRuns.fail(hub.app.db, { ...ended, error: 'a secret text', dueAt: 0 })
    await hub.app.db
      .updateTable('job_runs')
      .set({ error: 'old' })
      .where('name', '<>', 'make-invoices')
      .execute()
    expect((await problems()).filter(({ kind }) => kind === 'job')).toEqual([
      expect.objectContaining({ name: 'make-invoices', since: now, detail: '' }),
    ])
    await claim()
    await jobRuns.succeed(hub.app.db, ended)
    expect(await problemOf('job')).toBeUndefined()
  })
}

const settingTests = () => {
  it('name an address that something needs and a switch without its settings', async () => {
    const store = async (key: string, value: string) => {
      await options.write(hub.app.db, key, value)
      await hub.app.reloadSettings()
    }
    await store('ServerAddress', '')
    const before = await problemOf('address')
    await store('GitHubOAuthEnabled', 'true')
    expect((await problemOf('address'))?.keys).toEqual([
      'GitHubOAuthEnabled',
      ...(before?.keys ?? []),
    ])
    expect(await problemOf('incomplete')).toMatchObject({
      ...{ name: 'GitHubOAuthEnabled', keys: ['GitHubClientId', 'GitHubClientSecret'] },
    })
    await store('ServerAddress', 'https://hub.example')
    expect(await problemOf('address')).toBeUndefined()
  })
}

onBothEngines('problems of the site', open => {
  beforeAll(async () => {
    hub = await open()
  })
  beforeEach(async () => {
    await hub.root.post('/api/notification/', {
      name: 'all',
      type: 'webhook',
      config: { url: `${closed}/all`, secret },
      events: [
        'mail.failed',
        'payment.failed',
        'price_list.failed',
        'balance.failed',
        'backup.late',
      ],
    })
    return async () => {
      await hub.app.db.deleteFrom('notification_targets').execute()
    }
  })
  mailTests()
  serviceTests()
  jobTests()
  settingTests()
})
