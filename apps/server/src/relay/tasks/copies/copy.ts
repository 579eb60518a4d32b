import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '@hub/contract'
import type { TaskOutput } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import { nowSeconds } from '../../../core/app.ts'
import * as copies from '../../../db/queries/task-copies.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import type { Abortable } from '../../context.ts'
import type { Answer } from '../../upstream/send.ts'
import { openContent } from '../content.ts'
import { bytesMax, headersOf, openOutput } from '../open-output.ts'
import { copyFolder, copyPath } from './file.ts'

const leasedMax = 4
/** For one file; a lease lasts longer than a task with many of them. */
const timeoutMs = 10 * 60_000
const leaseSeconds = 3_600
const attemptsMax = 6
const firstDelaySeconds = 60
const daySeconds = 86_400
/** The database is usually on the same disk, and must never find it full. */
const diskFreeMin = 1024 ** 3

/** Copies the results of completed tasks into the data folder, before their vendors delete them. */
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
  const path = copyPath(app, row.id, at)
  const context: Abortable = {
    aborted: undefined,
    isUpstreamRequestSent: false,
    onAbort: undefined,
  }
  const timer = setTimeout(() => context.onAbort?.('stopping'), timeoutMs)
  await mkdir(copyFolder(app), { recursive: true })
  try {
    const { answer, close } = await openOutput(app, context, { row, output })
    try {
      const [, type = ''] = headersOf(output, answer)
      await checkSpace(app, answer)
      const signal = AbortSignal.timeout(timeoutMs)
      const file = createWriteStream(`${path}.part`, { mode: 0o600 })
      await pipeline(readableOf(answer), file, { signal })
      await rename(`${path}.part`, path)
      const { size } = await stat(path)
      const expires_at = now + app.settings().tasks.TaskCopyDays * daySeconds
      await copies.add(app.db, { task_id: row.id, position: at, type, size, expires_at })
    } finally {
      close()
    }
  } finally {
    clearTimeout(timer)
    await rm(`${path}.part`, { force: true })
  }
}

const checkSpace = async (app: App, { headers, drop }: Answer): Promise<void> => {
  const { bavail, bsize } = await statfs(copyFolder(app))
  if (bavail * bsize - Number(headers['content-length'] ?? 0) > diskFreeMin) return
  drop()
  throw new Fault('server.storage_full')
}

const readableOf = (answer: Answer): Readable => {
  let size = 0
  const readable = new Readable({
    read: () => answer.resume(),
    destroy: (error, done) => {
      if (error) answer.drop()
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
    end: () => readable.push(null),
    broke: fault => readable.destroy(fault),
  })
  return readable
}
