import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { until } from '../../../../test/harness/runner/until.ts'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import { makeTempFolder } from '../../test/temp-folder.ts'
import { readBackup } from './read.ts'
import { runDueBackup } from './run.ts'
import { latestDue } from './schedule.ts'

const hour = 3_600_000
const utc = (text: string) => Date.parse(`${text}:00Z`)
const asWall = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(0, 16)

it.each([
  [24, '03:00', 'UTC', '2026-11-25T02:59', '2026-11-24T03:00'],
  [24, '03:00', 'UTC', '2026-11-25T03:00', '2026-11-25T03:00'],
  [6, '03:00', 'UTC', '2026-11-25T22:10', '2026-11-25T21:00'],
  [24, '03:00', 'Asia/Shanghai', '2026-11-24T19:00', '2026-11-25T03:00'],
  // The night in which clocks go back: 03:00 is at 02:00 UTC, and the day has 25 hours.
  [24, '03:00', 'Europe/Berlin', '2026-10-25T01:59', '2026-10-24T03:00'],
  [24, '03:00', 'Europe/Berlin', '2026-10-25T02:00', '2026-10-25T03:00'],
])(
  'every %i h from %s in %s, at %s the latest is due %s',
  (everyHours, time, timeZone, at, due) => {
    expect(asWall(latestDue(utc(at), { everyHours, time, timeZone }))).toBe(due)
  },
)

let hub: TestApp
let folder: string
const set = async (key: string, value: string) =>
  expect([key, (await hub.root.put('/api/option/', { key, value })).status]).toEqual([key, 200])
const list = async () => (await hub.root.get('/api/system_info/backups')).body.data
const start = async (time: string) => {
  folder = makeTempFolder()
  hub.clock.now = utc(time)
  await hub.app.db.deleteFrom('backup_runs').execute()
  await set('TimeZone', 'UTC')
  await set('BackupFolder', folder)
  await set('BackupIntervalHours', '24')
  await set('BackupKeep', '2')
}

const dueTests = () => {
  it('a backup is made once when it is due, and the oldest are deleted', async () => {
    await start('2026-11-25T10:00')
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    await Promise.all([runDueBackup(hub.app), runDueBackup(hub.app)])
    await runDueBackup(hub.app)
    const [first, ...others] = await list()
    expect(others).toEqual([])
    expect(first).toMatchObject({
      state: 'succeeded',
      actor: '',
      error: '',
      rows: expect.any(Number),
    })
    expect(first.file).toBe(join(folder, 'hub-backup-2026-11-25T10-00-00Z.jsonl.gz'))
    const nothing = () => {}
    const end = await readBackup(first.file, { header: nothing, table: nothing, rows: nothing })
    expect(end.rows).toBe(first.rows)

    for (const days of [1, 2]) {
      hub.clock.now = utc('2026-11-25T10:00') + days * 24 * hour
      await runDueBackup(hub.app)
    }
    expect(readdirSync(folder).sort()).toEqual([
      'hub-backup-2026-11-26T10-00-00Z.jsonl.gz',
      'hub-backup-2026-11-27T10-00-00Z.jsonl.gz',
      'mine.txt',
    ])
    await set('BackupIntervalHours', '0')
    hub.clock.now += 24 * hour
    await runDueBackup(hub.app)
    expect(await list()).toHaveLength(3)
  })

  it('a failed backup is listed with its reason, and the administrators are notified once', async () => {
    await start('2026-12-01T10:00')
    const target = await hub.root.post('/api/notification/', {
      ...{ name: 'hook', type: 'webhook', events: ['backup.failed'] },
      config: { url: 'http://127.0.0.1:1/', secret: 'made-up-secret-16' },
    })
    expect(target.status).toBe(200)
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    await set('BackupFolder', file)
    await runDueBackup(hub.app)
    await runDueBackup(hub.app)
    expect(await list()).toMatchObject([
      { state: 'failed', file: '', error: expect.stringMatching(/ENOTDIR|EEXIST/) },
    ])
    const emitted = await hub.app.db
      .selectFrom('notifications')
      .select(['event', 'facts'])
      .where('event', '=', 'backup.failed')
      .execute()
    expect(emitted).toEqual([
      { event: 'backup.failed', facts: expect.stringMatching(/ENOTDIR|EEXIST/) },
    ])
  })
}

const runTests = () => {
  it('a person starts one at once, only one runs at a time, and one of a dead node is given up', async () => {
    await start('2026-12-02T10:00')
    const run = { started_at: 1, state: 'running' as const, due_minute: null, node: 'a', actor: '' }
    const none = { ended_at: null, file: '', bytes: 0, rows: 0, error: '' }
    const insert = (epoch: number) =>
      hub.app.db
        .insertInto('backup_runs')
        .values({ ...run, ...none, epoch })
        .execute()
    await insert(hub.app.ledger.epoch)
    const refused = await hub.root.post('/api/system_info/backup')
    expect([refused.status, refused.body.code]).toEqual([409, 'backup.running'])
    await hub.app.db.deleteFrom('backup_runs').execute()
    await insert(hub.app.ledger.epoch + 500)
    const started = await hub.root.post('/api/system_info/backup')
    expect(started.status).toBe(200)
    await until('it has ended', async () => (await list())[0].state !== 'running')
    expect(await list()).toMatchObject([
      { id: started.body.data.id, state: 'succeeded', actor: 'root' },
      { state: 'failed', error: 'The node that made it has died.' },
    ])
    const admin = await hub.person(10)
    expect((await admin.post('/api/system_info/backup')).body.code).toBe('access.denied')
  })

  it('what a killed process left is removed after an hour', async () => {
    await start('2026-12-03T10:00')
    const [old, young, other] = ['26', '27', '28'].map(
      day => `hub-backup-2026-11-${day}T10-00-00Z.jsonl.gz.unfinished`,
    ) as [string, string, string]
    const names = [old, young, `${other}.mine`]
    for (const name of names) writeFileSync(join(folder, name), 'x')
    const longAgo = Date.now() / 1000 - 7200
    for (const name of [old, `${other}.mine`]) utimesSync(join(folder, name), longAgo, longAgo)
    await runDueBackup(hub.app)
    const left = readdirSync(folder).filter(each => each.includes('unfinished'))
    expect(left.sort()).toEqual([young, `${other}.mine`])
  })
}

onBothEngines('scheduled backups', open => {
  beforeAll(async () => {
    hub = await open()
  })
  dueTests()
  runTests()
})
