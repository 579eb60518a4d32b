import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as copies from '../../db/queries/task-copies.ts'
import type { TaskRow } from '../../db/queries/tasks.ts'
import type { TaskCopiesTable } from '../../db/tables/tasks.ts'
import type { Abortable } from '../../relay/context.ts'
import { answerOf, type OpenedOutput } from '../open-output.ts'
import { copyPath } from './file.ts'
import { openObject } from './object.ts'

type WantedPart = { row: TaskRow; at: number; range: string | undefined }
type BytePart = { start: number; end: number }
type OpenedBody = { body: Readable; close(): void }

/** Opens the copy of an output. Undefined: there is none that can be read. */
export const openCopy = async (
  app: App,
  context: Abortable,
  { row, at, range }: WantedPart,
): Promise<OpenedOutput | undefined> => {
  const criteria = { taskId: row.id, position: at, now: nowSeconds(app) }
  const copy = await copies.find(app.callDb, criteria)
  if (!copy) return undefined
  const part = partOf(range, copy.size)
  const size = part ? part.end - part.start + 1 : copy.size
  const opened = await openStored(app, context, { copy, size, part })
  if (!opened) return undefined
  const headers = {
    ...{ 'content-type': copy.type, 'content-length': String(size), 'accept-ranges': 'bytes' },
    ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${copy.size}` }),
  }
  return { answer: answerOf(part ? 206 : 200, headers, opened.body), close: opened.close }
}

type StoredPart = { copy: TaskCopiesTable; size: number; part: BytePart | undefined }

const openStored = async (
  app: App,
  context: Abortable,
  { copy: { task_id, position, location }, size, part }: StoredPart,
): Promise<OpenedBody | undefined> => {
  if (location === null) return openFile(copyPath(app, task_id, position), part)
  try {
    return await openObject(app, context, { location, size, ...(part && { part }) })
  } catch (error) {
    if (context.abort.reason) throw error
    app.log.warn({ err: error, location }, 'a copy could not be read')
    return undefined
  }
}

/** Undefined: the copy lies in the folder of another node. */
const openFile = async (path: string, part?: BytePart): Promise<OpenedBody | undefined> => {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  const body = file.createReadStream(part)
  return { body, close: () => void body.destroy() }
}

/** A range that is not understood, or holds no byte, is answered with the whole file. */
const partOf = (range: string | undefined, size: number): BytePart | undefined => {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to))
  return start <= end ? { start, end } : undefined
}
