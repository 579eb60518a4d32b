import type { NewModelInfo } from '@hub/contract'
import { isApiError } from '../../../api/index.ts'

/** The treatment of models that have an entry already. */
export const importModes = ['skip', 'overwrite'] as const
export type ImportMode = (typeof importModes)[number]

/** One entry to write. With an id it replaces the stored entry. */
export type ImportStep = { info: NewModelInfo; id?: number }

export type ImportResult = {
  created: number
  updated: number
  failed: { model: string; error: unknown }[]
  /** Entries that were not tried. */
  left: number
  /** The failure that ended the import, because every further entry would fail too. */
  error?: unknown
}

/** The entries to write, in the order of the list. `ids` are those of the stored entries by model. */
export const planImport = (
  infos: readonly NewModelInfo[],
  ids: ReadonlyMap<string, number>,
  mode: ImportMode,
): ImportStep[] =>
  infos.flatMap(info => {
    const id = ids.get(info.model)
    if (id === undefined) return { info }
    return mode === 'overwrite' ? { info, id } : []
  })

type RunOptions = {
  send: (step: ImportStep) => Promise<unknown>
  onProgress: (done: number) => void
  isStopped: () => boolean
}

/** Writes one entry after the other. A refused entry is reported and does not end the import. */
export const runImport = async (
  steps: readonly ImportStep[],
  { send, onProgress, isStopped }: RunOptions,
): Promise<ImportResult> => {
  const result: ImportResult = { created: 0, updated: 0, failed: [], left: steps.length }
  for (const step of steps) {
    if (isStopped()) break
    try {
      await send(step)
      result[step.id === undefined ? 'created' : 'updated'] += 1
    } catch (error) {
      if (isGeneral(error)) return { ...result, error }
      result.failed.push({ model: step.info.model, error })
    }
    result.left -= 1
    onProgress(steps.length - result.left)
  }
  return result
}

/** Not reached, not signed in, not allowed, too many requests, or not available: the entry is not the reason. */
const generalStatuses = [0, 401, 403, 429, 502, 503, 504]
const isGeneral = (error: unknown): boolean =>
  !isApiError(error) || generalStatuses.includes(error.status)
