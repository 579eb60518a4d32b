import { type Endpoint, Fault } from '@hub/contract'
import { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import type {
  AuditedRows,
  HttpContext,
  ReadAuditedRows,
  SignedInUser,
} from '../../core/implement.ts'
import { auditedSecret } from '../../core/secrets/audited-secret.ts'
import * as audit from '../../db/queries/audit.ts'
import { type Changes, compareRows, truncateTexts } from './changes.ts'

type AuditedRequest = {
  action: string
  endpoint: Endpoint
  caller: SignedInUser | undefined
  context: HttpContext
  input: Record<string, unknown>
  /** Reads the rows that the write changes. Absent: the endpoint changes no rows that administrators see. */
  readRows?: ReadAuditedRows | undefined
}

/**
 * Runs the work and writes an audit row with its outcome: a fault code, or an empty text for success. When the row cannot
 * be written, the request fails, but completed work stays done.
 */
export const withAudit = async <T>(
  app: App,
  request: AuditedRequest,
  work: () => Promise<T>,
): Promise<T> => {
  const before = await readRows(app, request)
  let value: T
  try {
    value = await work()
  } catch (error) {
    await writeEntry(app, request, error instanceof Fault ? error.code : 'server.failed')
    throw error
  }
  const after = await readRows(app, request, idsOf(value))
  await writeEntry(app, request, '', compareRows(before, after))
  return value
}

const readRows = async (
  app: App,
  { readRows, caller, context, action, input }: AuditedRequest,
  made: readonly number[] = [],
): Promise<AuditedRows> => {
  if (!readRows) return {}
  const { id, ids } = input
  const named = [id, ...(Array.isArray(ids) ? ids : [])].filter(each => typeof each === 'number')
  const request = { action, input, ids: [...new Set([...named, ...made])], context }
  return readRows(app, caller ?? null, request)
}

/** The ids of the rows that a write answered with, as rows or as a list of ids. */
const idsOf = (value: unknown): number[] => {
  const { ids } = (value ?? {}) as { ids?: unknown }
  if (Array.isArray(ids)) return ids
  return (Array.isArray(value) ? value : [value])
    .map(row => (row as { id?: unknown } | null | undefined)?.id)
    .filter(id => typeof id === 'number')
}

const writeEntry = (
  app: App,
  { action, endpoint, caller, context, input }: AuditedRequest,
  outcome: string,
  { changes, omitted }: Changes = { changes: [], omitted: 0 },
) => {
  const clean = withoutSecrets(app, endpoint, input)
  return audit.append(app.db, {
    at: nowSeconds(app),
    actor_id: caller?.userId ?? 0,
    actor_name: caller?.username ?? toText(input.username),
    actor_role: caller?.role ?? 0,
    action,
    target: auditTarget(clean),
    input: JSON.stringify(clean),
    changes: JSON.stringify({ changes, omitted }),
    outcome,
    source_ip: context.ip,
    request_id: context.requestId,
  })
}

const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value).slice(0, 200)

const auditTarget = (input: Record<string, unknown>): string =>
  toText(input.id ?? input.ids ?? input.name ?? input.username ?? input.model ?? input.key)

/** Replaces secrets by fingerprints. */
const withoutSecrets = (app: App, endpoint: Endpoint, input: Record<string, unknown>) => {
  const shape = endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
  const secretNames = endpoint.secrets?.(input) ?? []
  const clean = Object.entries(input).map(([key, value]) => [
    key,
    value && (isSecret(shape[key]) || secretNames.includes(key))
      ? auditedSecret(app, value)
      : truncateTexts(value),
  ])
  return Object.fromEntries(clean)
}

/** True when the schema is marked as secret in the contract, also below `optional`, `default` or a union. */
const isSecret = (schema: unknown): boolean => {
  if (!(schema instanceof z.ZodType)) return false
  if (schema.meta()?.secret === true) return true
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return isSecret(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.some(isSecret)
  return false
}
