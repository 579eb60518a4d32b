import { addressesOf, callFormats } from '@hub/contract/call-operations'
import {
  anthropic,
  type CallerFormat,
  callerFormats,
  openaiResponses,
  type Usage,
} from '@hub/dialects'
import type { StoredObject } from './stored-objects.ts'
import type { ResourceKind } from './stored-resources.ts'

/** A file of results, one request a line. */
export type ResultFile = { kind: ResourceKind; id: string; pathSuffix: string }

/** The answer to one request of a batch; `body` is absent where there is none to charge. */
export type BatchResult = { customId: string; body?: unknown }

/** The parts in which the batches of two vendors differ. */
export type BatchApi = {
  kind: 'batches' | 'message-batches'
  /** Models whose requests may stand in one batch. */
  modelsMax: number
  isEnded(batch: StoredObject): boolean
  /** The batch as its caller sees it between its end and its charge. */
  asRunning(batch: StoredObject): StoredObject
  resultFiles(batch: StoredObject): ResultFile[]
  readResult(line: BatchLine): BatchResult
  /** The vendor's own sum of all requests; undefined where the batch names none. */
  readTotal(batch: StoredObject): Usage | undefined
  formatOf(batch: Readonly<Record<string, unknown>>): CallerFormat | undefined
}

export type BatchLine = Record<string, unknown> & { custom_id?: unknown }

/** https://developers.openai.com/api/reference/resources/batches/methods/create */
const formats: Readonly<Record<string, CallerFormat>> = Object.fromEntries(
  callFormats
    .filter(({ isBatched }) => isBatched)
    .map(each => [addressesOf(each)[0], callerFormats[each.format]]),
)

const endedStatuses = new Set<unknown>(['completed', 'failed', 'expired', 'cancelled'])

/** Fields that only an ended batch has. */
const fieldsOfEnd = [
  ...['output_file_id', 'error_file_id', 'usage', 'errors'],
  ...['completed_at', 'failed_at', 'expired_at', 'cancelled_at'],
]

const openai: BatchApi = {
  kind: 'batches',
  // "Each input file can only include requests to a single model": https://developers.openai.com/api/docs/guides/batch
  modelsMax: 1,
  isEnded: ({ status }) => endedStatuses.has(status),
  asRunning: batch => {
    const status = batch.status === 'cancelled' ? 'cancelling' : 'finalizing'
    const running: StoredObject = { ...batch, status }
    for (const each of fieldsOfEnd) delete running[each]
    return running
  },
  resultFiles: ({ output_file_id, error_file_id }) =>
    [output_file_id, error_file_id].flatMap(id =>
      typeof id === 'string' ? [{ kind: 'files' as const, id, pathSuffix: `/${id}/content` }] : [],
    ),
  readResult: ({ custom_id, response }) => {
    const { status_code, body } = (response ?? {}) as { status_code?: unknown; body?: unknown }
    return { customId: String(custom_id), ...(status_code === 200 && { body }) }
  },
  readTotal: ({ usage }) => {
    const total = openaiResponses.decodeUsage(usage)
    return typeof total === 'object' ? total : undefined
  },
  formatOf: ({ endpoint }) => formats[String(endpoint)],
}

/** https://platform.claude.com/docs/en/build-with-claude/batch-processing */
const messages: BatchApi = {
  kind: 'message-batches',
  modelsMax: 20,
  isEnded: ({ processing_status }) => processing_status === 'ended',
  asRunning: batch => ({
    ...batch,
    processing_status: batch.cancel_initiated_at ? 'canceling' : 'in_progress',
    ended_at: null,
    results_url: null,
  }),
  resultFiles: ({ id }) => [{ kind: 'message-batches', id, pathSuffix: `/${id}/results` }],
  readResult: ({ custom_id, result }) => {
    const { type, message } = (result ?? {}) as { type?: unknown; message?: unknown }
    return { customId: String(custom_id), ...(type === 'succeeded' && { body: message }) }
  },
  readTotal: () => undefined,
  formatOf: () => anthropic,
}

export const batchApiOf = (kind: string): BatchApi => (kind === messages.kind ? messages : openai)
