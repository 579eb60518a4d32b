import { open } from 'node:fs/promises'
import type { App } from '../../../core/app.ts'
import { nowSeconds } from '../../../core/app.ts'
import * as copies from '../../../db/queries/task-copies.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import { answerOf, type OpenedOutput } from '../open-output.ts'
import { copyPath } from './file.ts'

type WantedPart = { at: number; range: string | undefined }

/** Opens the copy of an output. Undefined: there is none, or it lies in the folder of another node. */
export const openCopy = async (
  app: App,
  row: TaskRow,
  { at, range }: WantedPart,
): Promise<OpenedOutput | undefined> => {
  const criteria = { taskId: row.id, position: at, now: nowSeconds(app) }
  const copy = await copies.find(app.callDb, criteria)
  const file = copy && (await open(copyPath(app, row.id, at)).catch(() => undefined))
  if (!file) return undefined
  const part = partOf(range, copy.size)
  const stream = file.createReadStream(part)
  const size = part ? part.end - part.start + 1 : copy.size
  const headers = {
    ...{ 'content-type': copy.type, 'content-length': String(size), 'accept-ranges': 'bytes' },
    ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${copy.size}` }),
  }
  return {
    answer: answerOf(part ? 206 : 200, headers, stream),
    close: () => void stream.destroy(),
  }
}

/** A range that is not understood, or holds no byte, is answered with the whole file. */
const partOf = (
  range: string | undefined,
  size: number,
): { start: number; end: number } | undefined => {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to))
  return start <= end ? { start, end } : undefined
}
