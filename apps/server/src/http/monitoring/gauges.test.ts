import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { recordAudit } from '../../auditor/last-audit.ts'
import { storeState } from '../../db/queries/channel-balances.ts'

let hub: TestApp
let now: number
let skippedMs = 0
/** Gauges of one scrape share a query for three seconds. */
const nextScrape = () => {
  skippedMs += 10_000
}

const samples = async () => {
  const text = await hub.app.metrics.readRegistry().metrics()
  return Object.fromEntries(
    text
      .split('\n')
      .filter(line => /^hub_(job_(late|failed)|backup|audit|disk|channels)/.test(line))
      .map(line => line.split(' ') as [string, string]),
  )
}

const recordTests = () => {
  it('a job that is late or failed', async () => {
    const run = { epoch: null, started_at: now, ended_at: now, succeeded_at: null, duration_ms: 1 }
    await hub.app.db
      .insertInto('job_runs')
      .values([
        { name: 'remove-old-logs', due_at: now - 100, error: '', ...run },
        { name: 'make-backup', due_at: now + 100, error: 'the disk is full', ...run },
        { name: 'of-another-release', due_at: now - 9_999, error: '', ...run },
      ])
      .execute()
    expect(await samples()).toMatchObject({
      'hub_job_late_seconds{job="remove-old-logs"}': '100',
      'hub_job_late_seconds{job="make-backup"}': '0',
      'hub_job_failed{job="remove-old-logs"}': '0',
      'hub_job_failed{job="make-backup"}': '1',
    })
    expect(JSON.stringify(await samples())).not.toContain('of-another-release')
  })

  it('the age of the last backup that succeeded, which is infinite before the first', async () => {
    await hub.root.put('/api/option/', { key: 'BackupIntervalHours', value: '6' })
    expect(await samples()).toMatchObject({
      hub_backup_age_seconds: '+Inf',
      hub_backup_failed: '0',
      hub_backup_interval_seconds: '21600',
    })
    nextScrape()
    const run = { due_minute: null, epoch: 1, node: 'n', actor: '', file: '', bytes: 0, rows: 0 }
    await hub.app.db
      .insertInto('backup_runs')
      .values([
        { ...run, started_at: now - 500, ended_at: now, state: 'succeeded', error: '' },
        { ...run, started_at: now - 90, ended_at: now, state: 'failed', error: 'no' },
      ])
      .execute()
    expect(await samples()).toMatchObject({ hub_backup_age_seconds: '500', hub_backup_failed: '1' })
  })

  it('an audit that was made with this DATA_DIR, and nothing without one', async () => {
    expect(Object.keys(await samples())).not.toContain('hub_audit_age_seconds')
    nextScrape()
    recordAudit(hub.app.env.dataDir, 2)
    const { hub_audit_age_seconds: age, hub_audit_findings: findings } = await samples()
    expect([Number(age) < 600, findings]).toEqual([true, '2'])
    nextScrape()
    writeFileSync(join(hub.app.env.dataDir, 'last-audit.json'), 'broken')
    expect(Object.keys(await samples())).not.toContain('hub_audit_findings')
  })
}

const stateTests = () => {
  it('the space of DATA_DIR, and channels by state', async () => {
    await hub.root.put('/api/option/', { key: 'ChannelUpdateFrequency', value: '10' })
    const add = async (name: string) => {
      const key = 'sk-made-up'
      const made = await hub.root.post('/api/channel/', { type: 1, name, key, models: 'm' })
      expect(made.status, made.text).toBe(200)
    }
    for (const name of ['sound', 'disabled', 'empty', 'stale', 'window']) await add(name)
    const set = (name: string, values: object) =>
      hub.app.db.updateTable('channels').set(values).where('name', '=', name).execute()
    await set('sound', { balance: 9, balance_updated_time: now - 60 })
    await set('disabled', { status: 3, balance: 0, balance_updated_time: 5 })
    await set('empty', { balance: 0, balance_updated_time: now - 60 })
    await set('stale', { balance: 9, balance_updated_time: now - 1_801 })
    await set('window', { balance: 0, balance_updated_time: now - 60 })
    const { id } = await hub.app.db
      .selectFrom('channels')
      .select('id')
      .where('name', '=', 'window')
      .executeTakeFirstOrThrow()
    const state = { checked_at: now - 60, lasts_until: 0, warning: '', notified: 0 }
    await storeState(hub.app.db, { channel_id: id, kind: 'window', ...state })
    const seen = await samples()
    expect(seen).toMatchObject({
      ...{ hub_channels_enabled: '4', hub_channels_disabled: '1' },
      ...{ hub_channels_without_balance: '1', hub_channels_stale_balance: '1' },
    })
    expect(Number(seen.hub_disk_free_bytes)).toBeGreaterThan(0)
    expect(Number(seen.hub_disk_bytes)).toBeGreaterThan(Number(seen.hub_disk_free_bytes))
  })
}

onBothEngines('the gauges show', open => {
  beforeAll(async () => {
    hub = await open()
    now = Math.floor(hub.clock.now / 1000)
    Object.assign(hub.app, { monotonic: () => performance.now() + skippedMs })
  })
  afterEach(nextScrape)
  recordTests()
  stateTests()
})
