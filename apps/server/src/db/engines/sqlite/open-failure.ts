import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { Fault } from '@hub/contract'
import type { ErrorParts } from '../engine.ts'

const damaged = 'is damaged. Stop every server and restore a backup: npm run restore.'
const locked = 'is locked by another program. Stop it, and start again.'

const cannotOpen = 14

/** Primary result codes: https://www.sqlite.org/rescode.html */
const sentences: Record<number, string> = {
  3: 'cannot be opened. Give the user of the server the right to read and write it.',
  5: locked,
  6: locked,
  8: 'cannot be written. Give the user of the server the right, or mount its disk writable.',
  10: 'cannot be read or written: the disk failed, or is full. Check it, and start again.',
  11: damaged,
  13: 'has no space to grow. Free space on its disk and start again; nothing that was stored is lost.',
  [cannotOpen]: 'cannot be opened. Give the user of the server the right to read and write it.',
  26: damaged,
}

/** Undefined: the error is not one of SQLite, or a defect of a statement. */
export const sqliteProblem = (
  { errcode, sqliteCode }: ErrorParts,
  file: string,
  dataDir: string,
): string | undefined => {
  const code = Number(errcode ?? sqliteCode ?? 0) & 0xff
  if (code === cannotOpen && !existsSync(file))
    return `DATA_DIR (${dataDir}) has no database. Set DATA_DIR or DATABASE_URL as for the server.`
  const sentence = sentences[code]
  return sentence && `DATA_DIR (${dataDir}) has a database that ${sentence} Its file is ${file}.`
}

const refuse = (file: string, sentence: string): never => {
  throw new Fault('env.invalid', {
    hint: `DATA_DIR has a damaged database: ${sentence} Stop every server and restore a backup: npm run restore. Its file is ${file}.`,
  })
}

const headerBytes = 100
const pageSizeAt = 16
const pageCountAt = 28

/**
 * Refuses what SQLite would take for a new database, and would empty the log of. The header is compared with the file
 * only without a log, since a log may hold pages that the file does not have yet: https://www.sqlite.org/fileformat.html.
 */
export const checkFile = (file: string): void => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const logSize = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 && logSize > 0)
    refuse(file, existsSync(file) ? 'it is empty, and its log is not.' : 'its log is there alone.')
  if (size === 0 || logSize > 0) return
  if (size < headerBytes) refuse(file, 'it is cut.')
  const header = Buffer.alloc(headerBytes)
  const handle = openSync(file, 'r')
  readSync(handle, header)
  closeSync(handle)
  if (!header.toString('latin1').startsWith('SQLite format 3\0'))
    refuse(file, 'it is not one of SQLite.')
  const pageSize = header.readUInt16BE(pageSizeAt)
  const bytes = header.readUInt32BE(pageCountAt) * (pageSize === 1 ? 65_536 : pageSize)
  if (size < bytes) refuse(file, `it is cut, ${bytes - size} bytes are missing.`)
}
