import { statSync } from 'node:fs'
import { join } from 'node:path'

const prefix = 'hub-backup-'
const suffix = '.jsonl.gz'
const pattern = /^hub-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.jsonl\.gz$/

/** The name tells the time in UTC, so that the order of names is the order of times. */
export const backupName = (now: Date): string =>
  `${prefix}${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z${suffix}`

export const isBackupName = (name: string): boolean => pattern.test(name)

export const backupFolder = (dataDir: string): string => join(dataDir, 'backups')

/** A path that is no folder is the file itself. */
export const fileIn = (path: string, now: Date): string =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() || path.endsWith('/')
    ? join(path, backupName(now))
    : path
