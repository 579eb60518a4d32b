import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as copies from '../../db/queries/task-copies.ts'
import type { TaskRow } from '../../db/queries/tasks.ts'
import type { Abortable } from '../../relay/context.ts'
import { openStoredFile } from '../../relay/result-storage/open.ts'
import type { OpenedOutput } from '../open-output.ts'
import { copyName } from './copy.ts'

type WantedPart = { row: TaskRow; at: number; range: string | undefined }

/** Opens the copy of an output. Undefined: there is none that can be read. */
export const openCopy = async (
  app: App,
  context: Abortable,
  { row, at, range }: WantedPart,
): Promise<OpenedOutput | undefined> => {
  const criteria = { taskId: row.id, position: at, now: nowSeconds(app) }
  const copy = await copies.find(app.callDb, criteria)
  if (!copy) return undefined
  const file = { ...copy, name: copyName(row.id, at) }
  return openStoredFile(app, context, file, range)
}
