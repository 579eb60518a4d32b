import { type FileHandle, open } from 'node:fs/promises'
import { Fault } from '@hub/contract'
import { failpoint } from '../../lib/failpoint.ts'
import type { LedgerOperation } from '../operations.ts'

export type Journal = {
  /** Durable when it resolves; rejects when the journal is full or the disk refuses. */
  append(operation: LedgerOperation): Promise<void>
  /** Number of operations ever appended. A reader that has replayed so many may empty the journal. */
  readonly count: number
  read(): Promise<LedgerOperation[]>
  /**
   * Deletes everything unless an operation was appended since `count` was read. Operations appended meanwhile are kept,
   * and the result is false.
   */
  empty(count: number): Promise<boolean>
  close(): Promise<void>
}

const sizeMax = 64 * 2 ** 20

type Waiting = { line: Buffer; resolve(): void; reject(error: unknown): void }

/** A line truncated by a crash was never acknowledged. */
const parse = (line: string): LedgerOperation[] => {
  try {
    return [JSON.parse(line) as LedgerOperation]
  } catch {
    return []
  }
}

const newline = 10

/** Removes a torn last line, because the next appended line would be joined to it and both be lost. */
const withoutTornLine = async (file: FileHandle): Promise<number> => {
  const bytes = await file.readFile()
  const whole = bytes.lastIndexOf(newline) + 1
  if (whole < bytes.length) await file.truncate(whole)
  return whole
}

/** Opens the journal that takes ends of calls while the database is unavailable: one line each, flushed together. */
export const openJournal = async (path: string): Promise<Journal> => {
  const file: FileHandle = await open(path, 'a+', 0o600)
  let size = await withoutTornLine(file)
  let count = size > 0 ? 1 : 0
  let waiting: Waiting[] = []
  let isWriting = false
  /** Serialises file operations: a line written during a truncation would be lost. */
  let busy: Promise<unknown> = Promise.resolve()

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = busy.then(work)
    busy = done.catch(() => {})
    return done
  }

  const write = async () => {
    while (waiting.length > 0) {
      const lines = waiting
      waiting = []
      const start = size
      const bytes = Buffer.concat(lines.map(each => each.line))
      try {
        failpoint('journal write')
        await file.appendFile(bytes)
        failpoint('journal written')
        await file.datasync()
        failpoint('journal flushed')
        size += bytes.length
        for (const each of lines) each.resolve()
      } catch (cause) {
        // A partial line must not corrupt the next one.
        await file.truncate(start).catch(() => {})
        const fault = new Fault('server.ledger', { detail: 'the journal cannot be written', cause })
        for (const each of lines) each.reject(fault)
      }
    }
    isWriting = false
  }

  const append: Journal['append'] = operation => {
    const line = Buffer.from(`${JSON.stringify(operation)}\n`)
    const queued = waiting.reduce((sum, each) => sum + each.line.length, 0)
    if (size + queued + line.length > sizeMax) {
      return Promise.reject(new Fault('server.ledger', { detail: 'the journal is full' }))
    }
    count++
    return new Promise((resolve, reject) => {
      waiting.push({ line, resolve, reject })
      if (isWriting) return
      isWriting = true
      void alone(write)
    })
  }

  const read = () =>
    alone(async () => {
      const bytes = Buffer.alloc(size)
      await file.read(bytes, 0, size, 0)
      return bytes.toString().split('\n').filter(Boolean).flatMap(parse)
    })

  const empty = (seen: number) =>
    alone(async () => {
      if (count !== seen) return false
      failpoint('journal emptying')
      await file.truncate(0)
      failpoint('journal emptied')
      size = 0
      return count === seen
    })

  const close = () => alone(() => file.close())

  return {
    append,
    get count() {
      return count
    },
    read,
    empty,
    close,
  }
}
