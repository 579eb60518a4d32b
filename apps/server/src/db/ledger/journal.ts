import { type FileHandle, open } from 'node:fs/promises'
import { Fault } from '@hub/contract'
import { failpoint } from '../../lib/failpoint.ts'
import type { LedgerOperation } from '../operations.ts'

export type Journal = {
  /** Durable when it resolves; rejects when the journal is full or the disk refuses. */
  append(operation: LedgerOperation): Promise<void>
  /** Number of operations ever appended. A reader that has replayed so many may empty the journal. */
  readonly count: number
  /** Bytes that wait for a replay. */
  readonly size: number
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
  return new FileJournal(file, await withoutTornLine(file))
}

class FileJournal implements Journal {
  count: number
  #size: number
  readonly #file: FileHandle
  #waiting: Waiting[] = []
  #isWriting = false
  /** Serialises file operations: a line written during a truncation would be lost. */
  #busy: Promise<unknown> = Promise.resolve()

  constructor(file: FileHandle, size: number) {
    this.#file = file
    this.#size = size
    this.count = size > 0 ? 1 : 0
  }

  get size(): number {
    return this.#size
  }

  append(operation: LedgerOperation): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(operation)}\n`)
    const queued = this.#waiting.reduce((sum, each) => sum + each.line.length, 0)
    if (this.#size + queued + line.length > sizeMax) {
      return Promise.reject(new Fault('server.ledger', { detail: 'the journal is full' }))
    }
    this.count++
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject })
      if (this.#isWriting) return
      this.#isWriting = true
      void this.#exclusive(() => this.#write())
    })
  }

  read(): Promise<LedgerOperation[]> {
    return this.#exclusive(async () => {
      const bytes = Buffer.alloc(this.#size)
      await this.#file.read(bytes, 0, this.#size, 0)
      return bytes.toString().split('\n').filter(Boolean).flatMap(parse)
    })
  }

  empty(count: number): Promise<boolean> {
    return this.#exclusive(async () => {
      if (this.count !== count) return false
      failpoint('journal emptying')
      await this.#file.truncate(0)
      failpoint('journal emptied')
      this.#size = 0
      return this.count === count
    })
  }

  close(): Promise<void> {
    return this.#exclusive(() => this.#file.close())
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work)
    this.#busy = done.catch(() => {})
    return done
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting
      this.#waiting = []
      const start = this.#size
      const bytes = Buffer.concat(lines.map(each => each.line))
      try {
        failpoint('journal write')
        await this.#file.appendFile(bytes)
        failpoint('journal written')
        await this.#file.datasync()
        failpoint('journal flushed')
        this.#size += bytes.length
        for (const each of lines) each.resolve()
      } catch (cause) {
        // A partial line must not corrupt the next one.
        await this.#file.truncate(start).catch(() => {})
        const fault = new Fault('server.ledger', { detail: 'the journal cannot be written', cause })
        for (const each of lines) each.reject(fault)
      }
    }
    this.#isWriting = false
  }
}
