import { z } from 'zod'
import { get, ListQuery, NoInput, orderQuery, pageOf, resource } from './resource.ts'

/** A field of a row that a write changed. `before` is absent in a new row, `after` in a deleted one. */
export const AuditChange = z.object({
  /** The name of the row: its id, a model, the key of a setting. */
  row: z.string(),
  /** Empty: the row is new or deleted, and the value has all its fields. */
  field: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})
export type AuditChange = z.output<typeof AuditChange>

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
  /** At most 500. Rows written by other requests at the same time may be among them. */
  changes: z.array(AuditChange),
  /** The number of further changes. */
  changes_omitted: z.number(),
  /** A fault code. Empty: the call succeeded. */
  outcome: z.string(),
  source_ip: z.string(),
  request_id: z.string(),
})
export type AuditRow = z.output<typeof AuditRow>

export const audit = resource('/api/audit', {
  list: get('/', {
    access: 'admin',
    input: ListQuery.extend({
      order: orderQuery('id', 'at', 'actor_id', 'action'),
      action: z.string().max(100).optional(),
      actor_id: z.number().int().optional(),
      /** The beginning of a name. */
      actor_name: z.string().trim().max(100).optional(),
      outcome: z.enum(['succeeded', 'failed']).optional(),
      start_timestamp: z.number().int().optional(),
      end_timestamp: z.number().int().optional(),
    }),
    response: pageOf(AuditRow),
    summary:
      'Who changed what: all rows for the super administrator, else the caller’s own and those of lower roles; `keyword` is the beginning of a target',
  }),
  actions: get('/actions', {
    access: 'admin',
    input: NoInput,
    response: z.array(z.string()),
    summary: 'Every action that the audit log can have, for its filter',
  }),
})
