import { statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = 'hub-backup-'
const suffix = '.jsonl.gz'
const pattern = /^hub-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.jsonl\.gz$/

/** The name tells the time in UTC, so that the order of names is the order of times. */
export const backupName = (now: Date): string =>
  `${prefix}${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z${suffix}`

const isBackupName = (name: string): boolean => pattern.test(name)

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** A path that is no folder is the file itself. */
export const fileIn = (path: string, now: Date): string =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() || path.endsWith('/')
    ? join(path, backupName(now))
    : path

/** A backup that is being written is touched all the time. */
const abandonedMs = 3_600_000

const list = (folder: string): Promise<string[]> =>
  readdir(folder).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })

/** Deletes all but the newest backups. Files with other names stay. */
export const removeOldBackups = async (folder: string, keep: number): Promise<void> => {
  const names = (await list(folder)).filter(isBackupName).sort()
  for (const name of names.slice(0, -keep)) await rm(join(folder, name))
}

/** Deletes what a killed process has left. */
export const removeUnfinished = async (folder: string): Promise<void> => {
  for (const name of await list(folder)) {
    if (!name.endsWith('.unfinished') || !isBackupName(name.slice(0, -'.unfinished'.length)))
      continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > abandonedMs) await rm(join(folder, name), { force: true })
  }
}
