import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { BackupRow, TableShape } from '../db/engines/backup.ts'
import {
  type BackupEnd,
  type BackupHeader,
  decodeRow,
  formatName,
  formatVersion,
  refuseBackup,
  type TableEnd,
  type TableLine,
} from './format.ts'

export type BackupReader = {
  header(header: BackupHeader): Promise<void> | void
  table(table: TableShape): Promise<void> | void
  rows(table: TableShape, rows: BackupRow[]): Promise<void> | void
}

const batchRows = 1000

const damaged = (file: string, why: string, cause?: unknown): never =>
  refuseBackup(`${file} is damaged (${why}). Use another backup.`, cause)

/**
 * Reads a backup from its beginning to its end. Throws `backup.refused` at a damaged place, which may be the last line:
 * read it once without effect before its rows are used.
 */
export const readBackup = async (file: string, reader: BackupReader): Promise<BackupEnd> => {
  const state = new ReadState(file, reader)
  for await (const line of linesOf(file)) await state.take(line)
  return state.finish()
}

/** Splits at line feeds only: the texts inside may contain other separators of lines. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.on('error', error => gunzip.destroy(error))
  let begun: Buffer[] = []
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, at + 1)])
        begun = []
        from = at + 1
      }
      if (from < chunk.length) begun.push(chunk.subarray(from))
    }
  } catch (error) {
    explain(file, error as NodeJS.ErrnoException)
  }
  if (begun.length > 0) damaged(file, 'its last line is not whole')
}

const explain = (file: string, error: NodeJS.ErrnoException): never => {
  if (error.code === 'Z_DATA_ERROR' && /header/.test(error.message))
    return refuseBackup(`${file} is no backup of this gateway.`, error)
  if (error.code?.startsWith('Z_')) return damaged(file, error.message, error)
  return refuseBackup(`${file} cannot be read: ${error.message}.`, error)
}

type Line = Partial<BackupHeader & TableLine & TableEnd & BackupEnd> | unknown[]

/** Checks the order of the lines, their counts and their hash. */
class ReadState {
  readonly #file: string
  readonly #reader: BackupReader
  readonly #hash = createHash('sha256')
  #hasHeader = false
  #table: TableShape | undefined
  #batch: BackupRow[] = []
  #tableRows = 0
  #tables = 0
  #rows = 0
  #end: BackupEnd | undefined

  constructor(file: string, reader: BackupReader) {
    this.#file = file
    this.#reader = reader
  }

  async take(bytes: Buffer): Promise<void> {
    const line = this.#parse(bytes.toString())
    if (this.#end) damaged(this.#file, 'there is text after its end')
    if (!this.#hasHeader) await this.#takeHeader(line)
    else if (Array.isArray(line)) await this.#takeRow(line)
    else if (line.table !== undefined) await this.#takeTable(line as TableLine)
    else if (line.end !== undefined) await this.#takeTableEnd(line as TableEnd)
    else return this.#takeEnd(line as BackupEnd)
    this.#hash.update(bytes)
  }

  finish(): BackupEnd {
    return this.#end ?? damaged(this.#file, 'its end is missing')
  }

  #parse(text: string): Line {
    try {
      return JSON.parse(text)
    } catch (error) {
      if (!this.#hasHeader) refuseBackup(`${this.#file} is no backup of this gateway.`, error)
      return damaged(this.#file, 'a line is not JSON', error)
    }
  }

  async #takeHeader(line: Line) {
    if (Array.isArray(line) || line.format !== formatName)
      return refuseBackup(`${this.#file} is no backup of this gateway.`)
    if (line.version !== formatVersion)
      refuseBackup(
        `${this.#file} has format ${line.version}, and this release reads ${formatVersion}. Install the release that made it, then try again.`,
      )
    this.#hasHeader = true
    await this.#reader.header(line as BackupHeader)
  }

  async #takeTable({ table, columns, last_id }: TableLine) {
    if (this.#table) damaged(this.#file, `the end of the table ${this.#table.name} is missing`)
    this.#table = { name: table, columns, lastId: last_id }
    this.#tableRows = 0
    await this.#reader.table(this.#table)
  }

  async #takeRow(cells: unknown[]) {
    const table = this.#table ?? damaged(this.#file, 'a row has no table')
    if (cells.length !== table.columns.length)
      damaged(this.#file, `a row of ${table.name} has ${cells.length} values`)
    this.#batch.push(decodeRow(cells))
    this.#tableRows += 1
    if (this.#batch.length >= batchRows) await this.#flush(table)
  }

  async #flush(table: TableShape) {
    if (this.#batch.length > 0) await this.#reader.rows(table, this.#batch)
    this.#batch = []
  }

  async #takeTableEnd({ end, rows }: TableEnd) {
    const table = this.#table ?? damaged(this.#file, 'a table has no beginning')
    await this.#flush(table)
    if (end !== table.name || rows !== this.#tableRows)
      damaged(this.#file, `the table ${table.name} has ${this.#tableRows} rows instead of ${rows}`)
    this.#table = undefined
    this.#tables += 1
    this.#rows += rows
  }

  #takeEnd(end: BackupEnd) {
    if (end.sha256 !== this.#hash.digest('hex')) damaged(this.#file, 'its checksum is wrong')
    if (this.#table || end.tables !== this.#tables || end.rows !== this.#rows)
      damaged(this.#file, 'a table is missing')
    this.#end = end
  }
}
