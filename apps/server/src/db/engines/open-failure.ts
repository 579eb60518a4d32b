import { join } from 'node:path'
import { Fault } from '@hub/contract'
import type { ErrorParts } from './engine.ts'
import { postgresProblem } from './postgres/failures/open-failure.ts'
import type { SnapshotSource } from './snapshot-types.ts'
import { sqliteProblem } from './sqlite/open-failure.ts'

/** Runs work on a database. The usual mistakes of its configuration fail with a sentence that says what to do. */
export const withExplainedFailures = async <T>(
  where: SnapshotSource,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw explainFailure(error, where)
  }
}

/** A fault with a sentence, or the error itself if its reason is unknown. */
const explainFailure = (error: unknown, where: SnapshotSource): unknown => {
  for (const each of causesOf(error)) {
    const hint = folderProblem(each, where.dataDir) ?? databaseProblem(each, where)
    if (hint !== undefined) return new Fault('env.invalid', { hint, cause: error })
  }
  return error
}

const databaseProblem = (error: ErrorParts, { databaseUrl, dataDir }: SnapshotSource) =>
  databaseUrl
    ? postgresProblem(error, databaseUrl)
    : sqliteProblem(error, join(dataDir, 'hub.db'), dataDir)

const causesMax = 5

/** The error, its causes, and the first of several addresses that were tried. */
const causesOf = (error: unknown): ErrorParts[] => {
  const found: ErrorParts[] = []
  let next = error as (ErrorParts & { cause?: unknown; errors?: unknown[] }) | undefined
  while (next && found.length < causesMax) {
    found.push(next)
    next = (next.cause ?? next.errors?.[0]) as typeof next
  }
  return found
}

const folderSentences: Record<string, string> = {
  EEXIST: 'is not a folder. Set it to a folder.',
  ENOTDIR: 'is not a folder, or lies in a file. Set it to a folder.',
  EACCES: 'cannot be written. Give the user of the server the right to write there.',
  EPERM: 'cannot be written. Give the user of the server the right to write there.',
  EROFS: 'is on a read-only file system. Mount it writable, or choose another folder.',
  ENOENT: 'cannot be made, because the folder above it is missing. Make that one first.',
  ENOSPC: 'is on a full disk. Free space and start again; nothing that was stored is lost.',
  EDQUOT: 'has reached its quota. Free space and start again; nothing that was stored is lost.',
}

/** Only for failed calls about a file in the folder, or about the folder itself. */
const folderProblem = ({ code, path }: ErrorParts, dataDir: string): string | undefined => {
  const sentence = folderSentences[String(code)]
  if (!sentence || typeof path !== 'string') return undefined
  const isInside = path.startsWith(dataDir) || dataDir.startsWith(path)
  return isInside ? `DATA_DIR (${dataDir}) ${sentence}` : undefined
}
