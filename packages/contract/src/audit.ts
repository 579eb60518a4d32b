import { z } from 'zod'
import { get, ListQuery, orderQuery, pageOf, resource } from './resource.ts'

/** One write by an administrator, or one sign-in. Rows are never changed or deleted. */
export const AuditRow = z.object({
  id: z.number(),
  /** Seconds. */
  at: z.number(),
  actor_id: z.number(),
  actor_name: z.string(),
  /** Resource and endpoint, such as `channels.update`. */
  action: z.string(),
  target: z.string(),
  /** The input of the call, with secrets as fingerprints. */
  input: z.record(z.string(), z.unknown()),
  /** A fault code. Empty: the call succeeded. */
  outcome: z.string(),
  source_ip: z.string(),
  request_id: z.string(),
})
export type AuditRow = z.output<typeof AuditRow>

export const audit = resource('/api/audit', {
  list: get('/', {
    access: 'root',
    input: ListQuery.extend({
      order: orderQuery('id', 'at', 'actor_id', 'action'),
      action: z.string().max(100).optional(),
      actor_id: z.number().int().optional(),
    }),
    reply: pageOf(AuditRow),
    summary: 'Who changed what; `keyword` is the beginning of a target',
  }),
})
