import { type Endpoint, Fault } from '@hub/contract'
import { z } from 'zod'
import type { App } from '../core/app.ts'
import type { SignedIn, Visit } from '../core/implement.ts'
import * as audit from '../db/queries/audit.ts'

type Asked = {
  action: string
  endpoint: Endpoint
  caller: SignedIn | undefined
  visit: Visit
  input: Record<string, unknown>
}

/** Every write that needs an administrator, and what the contract marks, whether it succeeds or is refused. */
export const isAudited = ({ method, access, audit }: Endpoint): boolean =>
  audit ?? (method !== 'GET' && (access === 'admin' || access === 'root'))

/** Runs the work and writes down that it was asked for. An answer that cannot be written down is not given. */
export const audited = async <T>(app: App, asked: Asked, work: () => Promise<T>): Promise<T> => {
  try {
    const value = await work()
    await write(app, asked, '')
    return value
  } catch (error) {
    await write(app, asked, error instanceof Fault ? error.code : 'server.failed')
    throw error
  }
}

const write = (app: App, { action, endpoint, caller, visit, input }: Asked, outcome: string) => {
  const clean = withoutSecrets(app, endpoint, input)
  return audit.append(app.db, {
    at: Math.floor(app.now() / 1000),
    actor_id: caller?.userId ?? 0,
    actor_name: caller?.username ?? textOf(input.username),
    action,
    target: targetOf(clean),
    input: JSON.stringify(clean),
    outcome,
    source_ip: visit.ip,
    request_id: visit.requestId,
  })
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value).slice(0, 200)

const targetOf = (input: Record<string, unknown>): string =>
  textOf(input.id ?? input.ids ?? input.name ?? input.username ?? input.model ?? input.key)

/** Secrets become fingerprints: that one was changed shows, and to the same as before or not, but never what it is. */
const withoutSecrets = (app: App, endpoint: Endpoint, input: Record<string, unknown>) => {
  const shape = endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
  const named = endpoint.secrets?.(input) ?? []
  const clean = Object.entries(input).map(([key, value]) => [
    key,
    value && (isSecret(shape[key]) || named.includes(key))
      ? `fingerprint:${app.seal.fingerprint('audit', JSON.stringify(value)).slice(0, 16)}`
      : short(value),
  ])
  return Object.fromEntries(clean)
}

/** Marked in the contract, on the schema itself or below its `optional` and `default`. */
const isSecret = (schema: unknown): boolean => {
  if (!(schema instanceof z.ZodType)) return false
  if (schema.meta()?.secret === true) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return isSecret(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.some(isSecret)
  return false
}

const textMax = 2000
const short = (value: unknown): unknown =>
  typeof value === 'string' && value.length > textMax ? `${value.slice(0, textMax)}…` : value
