import { Readable } from 'node:stream'
import { Fault } from '@hub/contract'
import type { TaskOutput } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as copies from '../../db/queries/task-copies.ts'
import type { TaskRow } from '../../db/queries/tasks.ts'
import { makeAbort, makeUpstreamState } from '../../relay/call-state.ts'
import type { Abortable } from '../../relay/context.ts'
import { bytesMax } from '../../relay/result-storage/answer.ts'
import { type SavedFile, saveResult } from '../../relay/result-storage/save.ts'
import type { Answer } from '../../relay/upstream/send.ts'
import { openContent } from '../content.ts'
import { headersOf, openOutput } from '../open-output.ts'

const leasedMax = 4
/** For one file; a lease lasts longer than a task with many of them. */
const timeoutMs = 10 * 60_000
const leaseSeconds = 3_600
const attemptsMax = 6
const firstDelaySeconds = 60
const daySeconds = 86_400

/** Copies the results of completed tasks into the data folder or the storage, before their vendors delete them. */
export const copyResults = async (app: App): Promise<void> => {
  while (!app.stopping()) {
    const now = nowSeconds(app)
    const criteria = { now, leaseEnds: now + leaseSeconds, limit: leasedMax }
    const rows = await copies.lease(app.db, criteria)
    if (rows.length === 0) return
    await Promise.all(rows.map(row => copyTask(app, row)))
  }
}

const copyTask = async (app: App, row: TaskRow): Promise<void> => {
  const attempts = row.copy_attempts ?? 1
  try {
    for (const [at, output] of openContent(app, row).outputs.entries())
      if (output.kind !== 'text') await copyOutput(app, row, at, output)
    await copies.reschedule(app.db, row, null)
  } catch (error) {
    const isOver = attempts >= attemptsMax
    app.log.warn({ err: error, task: row.id, isOver }, 'a result could not be copied')
    const runAt = nowSeconds(app) + firstDelaySeconds * 4 ** (attempts - 1)
    await copies.reschedule(app.db, row, isOver ? null : runAt)
  }
}

const copyOutput = async (
  app: App,
  row: TaskRow,
  ...[at, output]: [number, TaskOutput]
): Promise<void> => {
  const now = nowSeconds(app)
  if (await copies.find(app.db, { taskId: row.id, position: at, now })) return
  const context: Abortable = { abort: makeAbort(), upstream: makeUpstreamState() }
  const timer = setTimeout(() => context.abort.onAbort?.('stopping'), timeoutMs)
  try {
    const { answer, close } = await openOutput(app, context, { row, output })
    try {
      const [, type = ''] = headersOf(output, answer)
      const saved = await save(app, copyName(row.id, at), answer)
      const expires_at = now + app.settings().tasks.TaskCopyDays * daySeconds
      await copies.add(app.db, { task_id: row.id, position: at, type, expires_at, ...saved })
    } finally {
      close()
    }
  } finally {
    clearTimeout(timer)
  }
}

export const copyName = (taskId: number, position: number): string => `${taskId}-${position}`

const save = (app: App, name: string, answer: Answer): Promise<SavedFile> =>
  saveResult(app, {
    name,
    content: readableOf(answer),
    expectedSize: Number(answer.headers['content-length'] ?? 0),
    signal: AbortSignal.timeout(timeoutMs),
  })

const readableOf = (answer: Answer): Readable => {
  let size = 0
  let isEnded = false
  const readable = new Readable({
    read: () => answer.resume(),
    destroy: (error, done) => {
      if (!isEnded) answer.drop()
      done(error)
    },
  })
  answer.read({
    data: chunk => {
      size += chunk.length
      if (size > bytesMax)
        readable.destroy(new Fault('stored.unavailable', { detail: 'too large' }))
      else if (!readable.push(chunk)) answer.pause()
    },
    end: () => {
      isEnded = true
      readable.push(null)
    },
    broke: fault => readable.destroy(fault),
  })
  return readable
}
