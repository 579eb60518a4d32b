import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { App } from '../../core/app.ts'
import type { Abortable } from '../context.ts'
import type { Answer } from '../upstream/send.ts'
import { answerOf } from './answer.ts'
import { filePath, removeFile } from './file.ts'
import { openObject, removeObject } from './object.ts'
import type { SavedFile } from './save.ts'

export type StoredFile = SavedFile & { name: string; type: string }

export type OpenedStorage = { answer: Answer; close(): void }

/** Opens a stored file, or the range of it that was requested. Undefined: there is none that can be read. */
export const openStoredFile = async (
  app: App,
  context: Abortable,
  file: StoredFile,
  range: string | undefined,
): Promise<OpenedStorage | undefined> => {
  const part = partOf(range, file.size)
  const size = part ? part.end - part.start + 1 : file.size
  const opened = await openBody(app, context, { file, size, part })
  if (!opened) return undefined
  const headers = {
    ...{ 'content-type': file.type, 'content-length': String(size), 'accept-ranges': 'bytes' },
    ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${file.size}` }),
  }
  return { answer: answerOf(part ? 206 : 200, headers, opened.body), close: opened.close }
}

type BytePart = { start: number; end: number }
type OpenedBody = { body: Readable; close(): void }
type StoredPart = { file: StoredFile; size: number; part: BytePart | undefined }

const openBody = async (
  app: App,
  context: Abortable,
  { file: { name, location }, size, part }: StoredPart,
): Promise<OpenedBody | undefined> => {
  if (location === null) return openLocal(filePath(app, name), part)
  try {
    return await openObject(app, context, { location, size, ...(part && { part }) })
  } catch (error) {
    if (context.abort.reason) throw error
    app.log.warn({ err: error, location }, 'a copy could not be read')
    return undefined
  }
}

/** Undefined: the file lies in the folder of another node. */
const openLocal = async (path: string, part?: BytePart): Promise<OpenedBody | undefined> => {
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

/**
 * Deletes a stored file, and then forgets it. One whose storage does not answer is tried again by the next run.
 */
export const removeStoredFile = async (
  app: App,
  { name, location }: Pick<StoredFile, 'name' | 'location'>,
  forget: () => Promise<void>,
): Promise<void> => {
  try {
    if (location === null) await removeFile(filePath(app, name))
    else if (!(await removeObject(app, location)))
      app.log.warn({ location }, 'a copy stays in a storage that the settings no longer name')
    await forget()
  } catch (error) {
    app.log.warn({ err: error, location }, 'a copy could not be deleted')
  }
}
