import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../core/app.ts'
import { emitBackupFailed } from '../core/notifications/backup-failed.ts'
import * as runs from '../db/queries/backup-runs.ts'
import { backupFolder, backupName, removeOldBackups, removeUnfinished } from './folder.ts'
import { latestDue } from './schedule.ts'
import { writeInThread } from './thread.ts'

/** Makes the scheduled backup that is due. On several nodes, the database lets one of them make it. */
export const runDueBackup = async (app: App): Promise<void> => {
  await failAbandoned(app)
  const { BackupIntervalHours: everyHours, BackupTime: time } = app.settings().backups
  if (everyHours === 0) return
  const due = latestDue(app.now(), { everyHours, time, timeZone: app.settings().site.TimeZone })
  const last = await runs.findLastDue(app.db)
  if (last !== undefined && last >= due) return
  const id = await claim(app, { due_minute: due, actor: '' })
  if (id !== undefined) await makeBackup(app, id)
}

/** Starts a backup for a person, and returns its id at once. */
export const startBackup = async (app: App, actor: string): Promise<number> => {
  await failAbandoned(app)
  const id = await claim(app, { due_minute: null, actor })
  if (id === undefined) throw new Fault('backup.running')
  makeBackup(app, id).catch(error => app.log.error({ err: error }, 'the end of a backup was lost'))
  return id
}

const claim = (app: App, start: { due_minute: number | null; actor: string }) =>
  runs.claim(app.db, {
    ...start,
    started_at: nowSeconds(app),
    epoch: app.ledger.epoch,
    node: hostname(),
  })

const makeBackup = async (app: App, id: number): Promise<void> => {
  const { databaseUrl, dataDir, masterKey } = app.env
  const { BackupFolder, BackupKeep } = app.settings().backups
  const folder = BackupFolder ? resolve(dataDir, BackupFolder) : backupFolder(dataDir)
  const now = new Date(app.now())
  const file = join(folder, backupName(now))
  try {
    await removeUnfinished(folder)
    const result = await writeInThread({ databaseUrl, dataDir, masterKey, file, now }, app.stopping)
    if (!result) return abandon(app, id, file)
    await removeOldBackups(folder, BackupKeep)
    const { bytes, rows } = result
    await end(app, id, { state: 'succeeded', file, bytes, rows, error: '' })
  } catch (error) {
    app.log.error({ err: error }, 'a backup failed')
    await fail(app, id, error instanceof Error ? error.message : String(error))
  }
  await runs.prune(app.db)
}

/** A stopping node gives it up: it is due again, for another node or the next start. */
const abandon = async (app: App, id: number, file: string) => {
  await rm(`${file}.unfinished`, { force: true })
  await runs.remove(app.db, id)
}

type RunEnd = Omit<Parameters<typeof runs.end>[2], 'ended_at'>

const end = (app: App, id: number, outcome: RunEnd) =>
  runs.end(app.db, id, { ...outcome, ended_at: nowSeconds(app) })

const fail = async (app: App, id: number, reason: string) => {
  const error = reason.replaceAll('\0', '').slice(0, 500)
  if (await end(app, id, { state: 'failed', file: '', bytes: 0, rows: 0, error }))
    await emitBackupFailed(app, app.db, { run: id, reason: error })
}

const failAbandoned = async (app: App) => {
  for (const { id } of await runs.listAbandoned(app.db))
    await fail(app, id, 'The node that made it has died.')
}
