import { type FileHandle, open } from 'node:fs/promises'
import { Fault } from '@hub/contract'
import { failpoint } from '../../lib/failpoint.ts'
import type { Operation } from '../operations.ts'

export type Journal = {
  /** Durable when it resolves; rejects when the journal is full or the disk refuses. */
  append(operation: Operation): Promise<void>
  /** How many were ever appended: whoever has replayed that many may empty it. */
  readonly count: number
  read(): Promise<Operation[]>
  /**
   * Forgets everything, unless something was appended since `count` was read. What is appended meanwhile stays, and the
   * answer is no.
   */
  empty(count: number): Promise<boolean>
  close(): Promise<void>
}

const sizeMax = 64 * 2 ** 20

type Waiting = { line: Buffer; resolve(): void; reject(error: unknown): void }

/** A line that a crash cut short was never acknowledged. */
const parse = (line: string): Operation[] => {
  try {
    return [JSON.parse(line) as Operation]
  } catch {
    return []
  }
}

const newline = 10

/** Cuts off a line that a crash left without its end: the next one appended would join it, and both be lost. */
const withoutTornLine = async (file: FileHandle): Promise<number> => {
  const bytes = await file.readFile()
  const whole = bytes.lastIndexOf(newline) + 1
  if (whole < bytes.length) await file.truncate(whole)
  return whole
}

/** Where finished calls are written down while the database is away: one line each, flushed together. */
export const openJournal = async (path: string): Promise<Journal> => {
  const file: FileHandle = await open(path, 'a+', 0o600)
  let size = await withoutTornLine(file)
  let count = size > 0 ? 1 : 0
  let waiting: Waiting[] = []
  let isWriting = false
  /** One after another: a line that is written while the file is being cut would go with the rest. */
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
        // Half a line must not swallow the next one.
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
