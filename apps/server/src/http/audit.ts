import { type Endpoint, Fault } from '@hub/contract'
import { z } from 'zod'
import { type App, nowSeconds } from '../core/app.ts'
import type { HttpContext, SignedInUser } from '../core/implement.ts'
import * as audit from '../db/queries/audit.ts'

type AuditedRequest = {
  action: string
  endpoint: Endpoint
  caller: SignedInUser | undefined
  context: HttpContext
  input: Record<string, unknown>
}

/** Returns the contract's `audit` flag if set; otherwise true for every write that needs an administrator. */
export const isAudited = ({ method, access, audit }: Endpoint): boolean =>
  audit ?? (method !== 'GET' && (access === 'admin' || access === 'root'))

/**
 * Runs the work and writes an audit row with its outcome: a fault code, or an empty text for success. When the row cannot
 * be written, the request fails, but completed work stays done.
 */
export const withAudit = async <T>(
  app: App,
  request: AuditedRequest,
  work: () => Promise<T>,
): Promise<T> => {
  let value: T
  try {
    value = await work()
  } catch (error) {
    await writeEntry(app, request, error instanceof Fault ? error.code : 'server.failed')
    throw error
  }
  await writeEntry(app, request, '')
  return value
}

const writeEntry = (
  app: App,
  { action, endpoint, caller, context, input }: AuditedRequest,
  outcome: string,
) => {
  const clean = withoutSecrets(app, endpoint, input)
  return audit.append(app.db, {
    at: nowSeconds(app),
    actor_id: caller?.userId ?? 0,
    actor_name: caller?.username ?? toText(input.username),
    action,
    target: auditTarget(clean),
    input: JSON.stringify(clean),
    outcome,
    source_ip: context.ip,
    request_id: context.requestId,
  })
}

const toText = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value).slice(0, 200)

const auditTarget = (input: Record<string, unknown>): string =>
  toText(input.id ?? input.ids ?? input.name ?? input.username ?? input.model ?? input.key)

/** Replaces secrets by fingerprints, which show whether a secret changed but not its value. */
const withoutSecrets = (app: App, endpoint: Endpoint, input: Record<string, unknown>) => {
  const shape = endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
  const secretNames = endpoint.secrets?.(input) ?? []
  const clean = Object.entries(input).map(([key, value]) => [
    key,
    value && (isSecret(shape[key]) || secretNames.includes(key))
      ? `fingerprint:${app.seal.fingerprint('audit', JSON.stringify(value)).slice(0, 16)}`
      : truncate(value),
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

const textMax = 2000
const truncate = (value: unknown): unknown =>
  typeof value === 'string' && value.length > textMax ? `${value.slice(0, textMax)}…` : value
