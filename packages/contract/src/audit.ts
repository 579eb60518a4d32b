import { z } from 'zod'
import { get, ListQuery, orderOf, pageOf, resource } from './resource.ts'

/** One write by an administrator, or one sign-in. Rows are never changed and never deleted. */
export const AuditRow = z.object({
  id: z.number(),
  /** Seconds. */
  at: z.number(),
  actor_id: z.number(),
  actor_name: z.string(),
  /** `channels.update`: resource and endpoint. */
  action: z.string(),
  target: z.string(),
  /** What was sent, secrets as fingerprints. */
  input: z.record(z.string(), z.unknown()),
  /** A fault's code, or empty. */
  outcome: z.string(),
  source_ip: z.string(),
  request_id: z.string(),
})
export type AuditRow = z.output<typeof AuditRow>

export const audit = resource('/api/audit', {
  list: get('/', {
    access: 'root',
    input: ListQuery.extend({
      order: orderOf('id', 'at', 'actor_id', 'action'),
      action: z.string().max(100).optional(),
      actor_id: z.number().int().optional(),
    }),
    reply: pageOf(AuditRow),
    summary: 'Who changed what; `keyword` is the beginning of a target',
  }),
})
