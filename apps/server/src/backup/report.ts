import type { RestoreResult } from './restore.ts'
import type { BackupResult } from './write.ts'

/** Parts of an installation that lie outside the database. */
const notIncluded = `Not in it, so keep them as well:
  the master key    master.key in DATA_DIR, or MASTER_KEY; without it the secrets cannot be opened
  the journal       journal-*.jsonl in DATA_DIR of each node; it has content only while the database is away
  task results      task-results in DATA_DIR, with TaskCopyDays above 0
`

export const printBackup = ({ file, bytes, tables, rows, createdAt }: BackupResult): string =>
  `Backup of ${createdAt}: ${rows} rows of ${tables} tables, ${bytes} bytes.
  ${file}

In it: every table, with accounts, postings, logs, settings, and the secrets as they are sealed.
${notIncluded}`

export const printRestore = (result: RestoreResult): string => {
  const { header, end, kept, movedFiles, foreignTables } = result
  const lines = [
    `Restored the state of ${header.created_at}, written by release ${header.release}: ${end.rows} rows of ${end.tables} tables.`,
    ...(kept ? [`The earlier database is ${kept}.`] : []),
    ...movedFiles.map(each => `A file of the earlier database is now ${each}.`),
    ...foreignTables.map(each => `The table ${each} was left out, because it is none of ours.`),
    '',
    'Before the next start:',
    '  move journal-* and epoch-* out of DATA_DIR of every other node',
    '  empty Redis (FLUSHDB), if REDIS_URL is set: it counts usage that was undone',
    '  run npm run audit',
  ]
  return `${lines.join('\n')}\n`
}
