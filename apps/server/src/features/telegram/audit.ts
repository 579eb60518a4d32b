import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as audit from '../../db/queries/audit.ts'

type AuditedCommand = {
  caller: SignedInUser
  /** The endpoint of the console that does the same. */
  action: 'profile.redeem' | 'telegram.unbind'
  /** Without secrets. */
  input: { key?: string }
}

/** Runs a command and writes the audit row that the console's endpoint writes, also when the command fails. */
export const withAudit = async <T>(
  app: App,
  command: AuditedCommand,
  work: () => Promise<T>,
): Promise<T> => {
  let value: T
  try {
    value = await work()
  } catch (error) {
    await append(app, command, error instanceof Fault ? error.code : 'server.failed')
    throw error
  }
  await append(app, command, '')
  return value
}

const append = (app: App, { caller, action, input }: AuditedCommand, outcome: string) =>
  audit.append(app.db, {
    at: nowSeconds(app),
    actor_id: caller.userId,
    actor_name: caller.username,
    actor_role: caller.role,
    action,
    target: input.key ?? '',
    input: JSON.stringify(input),
    changes: JSON.stringify({ changes: [], omitted: 0 }),
    outcome,
    source_ip: caller.ip,
    request_id: caller.requestId,
  })
