import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'

/** The database is usually on the same disk, and must never find it full. */
const diskFreeMin = 1024 ** 3

const copyFolder = ({ env }: Pick<App, 'env'>): string => join(env.dataDir, 'task-results')

export const filePath = (app: Pick<App, 'env'>, name: string): string => join(copyFolder(app), name)

type NewFile = { path: string; content: Readable; expectedSize: number; signal: AbortSignal }

/** Writes a copy, which is complete as soon as it has its name. Throws `server.storage_full`. Returns its size. */
export const saveFile = async (
  app: App,
  { path, content, expectedSize, signal }: NewFile,
): Promise<number> => {
  await mkdir(copyFolder(app), { recursive: true })
  try {
    await checkSpace(app, expectedSize)
    await pipeline(content, createWriteStream(`${path}.part`, { mode: 0o600 }), { signal })
    await rename(`${path}.part`, path)
    return (await stat(path)).size
  } finally {
    await rm(`${path}.part`, { force: true })
  }
}

/** Deletes a copy, and what a crash left of its writing. One that is gone already counts as deleted. */
export const removeFile = async (path: string): Promise<void> => {
  for (const each of [path, `${path}.part`]) await rm(each, { force: true })
}

const checkSpace = async (app: App, size: number): Promise<void> => {
  const { bavail, bsize } = await statfs(copyFolder(app))
  if (bavail * bsize - size <= diskFreeMin) throw new Fault('server.storage_full')
}
