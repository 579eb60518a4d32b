import { z } from 'zod'
import { Receipt } from './receipts.ts'
import { del, get, Id, ListQuery, orderQuery, pageOf, resource } from './resource.ts'

/** 1 top-up, 2 consumption, 3 management, 4 system. */
export const logTypes = { topUp: 1, consume: 2, manage: 3, system: 4 } as const

export const Log = z.object({
  id: z.number(),
  user_id: z.number(),
  /** Seconds. */
  created_at: z.number(),
  type: z.number(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  channel_id: z.number(),
  channel: z.object({ id: z.number(), name: z.string() }).nullable().optional(),
  /** Milliseconds from the request to the end of the answer. */
  request_time: z.number(),
  is_stream: z.boolean(),
  source_ip: z.string(),
  metadata: z.record(z.string(), z.unknown()),
})
export type Log = z.output<typeof Log>

const Filters = z.object({
  log_type: z.number().int().min(0).max(4).optional(),
  start_timestamp: z.number().int().optional(),
  end_timestamp: z.number().int().optional(),
  model_name: z.string().max(200).optional(),
  token_name: z.string().max(30).optional(),
  source_ip: z.string().max(64).optional(),
})
const AdminFilters = Filters.extend({
  username: z.string().max(254).optional(),
  channel_id: z.number().int().optional(),
})
const Sum = z.object({ quota: z.number() })

export const logs = resource('/api/log', {
  list: get('/', {
    access: 'admin',
    input: ListQuery.omit({ keyword: true })
      .extend(AdminFilters.shape)
      .extend({
        order: orderQuery(
          'created_at',
          'id',
          'channel_id',
          'user_id',
          'token_name',
          'model_name',
          'type',
          'source_ip',
        ),
      }),
    reply: pageOf(Log),
    summary: 'Logs of all users',
  }),
  self: get('/self', {
    access: 'user',
    input: ListQuery.omit({ keyword: true })
      .extend(Filters.shape)
      .extend({
        order: orderQuery('created_at', 'id', 'token_name', 'model_name', 'type', 'source_ip'),
      }),
    reply: pageOf(Log),
    summary: 'The caller’s own logs',
  }),
  receipt: get('/:id/receipt', {
    access: 'user',
    input: Id,
    reply: Receipt,
    summary: 'The items of a charge; administrators may read the receipts of all users',
  }),
  stat: get('/stat', {
    access: 'admin',
    input: AdminFilters.extend({ channel: z.number().int().optional() }),
    reply: Sum,
    summary: 'Sum of the consumption',
  }),
  selfStat: get('/self/stat', {
    access: 'user',
    input: Filters,
    reply: Sum,
    summary: 'Sum of the caller’s consumption',
  }),
  remove: del('/', {
    access: 'admin',
    input: z.object({ target_timestamp: z.number().int().positive() }),
    reply: z.number(),
    summary: 'Deletes older consumption logs in small batches; returns their number',
  }),
})
