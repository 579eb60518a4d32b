import { z } from 'zod'
import { CallRoute } from './call-routes.ts'
import { callCaches } from './prompt-cache.ts'
import { Receipt } from './receipts.ts'
import {
  del,
  FileStream,
  get,
  Id,
  ListQuery,
  orderQuery,
  pageOf,
  resource,
  Seconds,
} from './resource.ts'

/** 6: a row of another gateway's history. It stands for no posting here, and its metadata names the gateway. */
export const logTypes = {
  topUp: 1,
  consume: 2,
  manage: 3,
  system: 4,
  error: 5,
  imported: 6,
} as const

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

/** The metadata `phases`: milliseconds from the request, of the attempt that answered. Absent where not measured. */
export const CallPhases = z.object({
  /** The request was given to a connection of the channel. */
  sent: z.number(),
  /** The connection was ready. */
  connected: z.number(),
  /** The head of the answer came. */
  head: z.number(),
})
export type CallPhases = z.output<typeof CallPhases>

/**
 * The beginning that the server chose, seven days before the end: no index has the filter, there are many rows, and the call
 * has no `start_timestamp`. With `start_timestamp=0` all rows are searched. Null: no beginning was chosen.
 */
const Since = Seconds.nullable()

/** Counts of rows by time, of the same filters as a list. */
export const LogHistogram = z.object({
  /** The first bucket begins here, in seconds. */
  begin: Seconds,
  /** Not included. */
  end: Seconds,
  /** The seconds of one bucket. */
  step: z.number(),
  /** Those that have rows, oldest first. `errors` is a part of `count`. */
  buckets: z.array(z.object({ begin: Seconds, count: z.number(), errors: z.number() })),
  /** False: only the newest 50,000 rows are counted, and `begin` is near the oldest of them. */
  complete: z.boolean(),
  since: Since,
})
export type LogHistogram = z.output<typeof LogHistogram>

/** A place in an order by time, `created_at.id`, as `next` has it. */
const Cursor = z.string().regex(/^\d{1,12}\.\d{1,16}$/, 'must be the `next` of a page')

const LogPage = pageOf(Log).extend({
  /** Send it as `after` for the next page. Null at the end, and in orders other than `-created_at` and `created_at`. */
  next: z.string().nullable(),
  since: Since,
})

/** The calls that a client, such as a coding agent, gave one session id. */
export const CallSession = z.object({
  /** As the client sent it; a long one, or one with unusual characters, is a hash. */
  key: z.string(),
  user_id: z.number(),
  username: z.string(),
  /** When its first and last rows were written. */
  first_at: Seconds,
  last_at: Seconds,
  /** False: only the newest 10,000 rows are counted. */
  complete: z.boolean(),
  /** Charged calls. */
  calls: z.number(),
  errors: z.number(),
  /** Points. */
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** The parts of the prompts that a provider's prompt cache read, and that were written to it. */
  read_tokens: z.number(),
  written_tokens: z.number(),
  /** Milliseconds of all charged calls together. */
  request_time: z.number(),
  /** At most 10, the most called first. */
  models: z.array(z.string()),
})
export type CallSession = z.output<typeof CallSession>

export const CallSessions = z.object({
  /** By their last row, newest first. */
  data: z.array(CallSession),
  /** Send it as `after` for the next page. A page may be short, or empty, and have a next one. */
  next: z.string().nullable(),
})
export type CallSessions = z.output<typeof CallSessions>

const SessionQuery = z.object({
  after: Cursor.optional(),
  size: z.number().int().min(1).max(100).default(20),
})

const Filters = z.object({
  /** The id of a row. For calls it is that of the request, which clients have from `X-Oneapi-Request-Id`: it finds failed ones too. */
  id: z.number().int().positive().optional(),
  log_type: z.number().int().min(0).max(6).optional(),
  /** A fault code; only errors have one. */
  code: z.string().max(100).optional(),
  /** 0: from the first row on. */
  start_timestamp: z.number().int().optional(),
  end_timestamp: z.number().int().optional(),
  /** A part of the name, or the complete name in double quotes. */
  model_name: z.string().max(202).optional(),
  token_name: z.string().max(30).optional(),
  source_ip: z.string().max(64).optional(),
  /** The key of a session, complete. */
  session: z.string().max(100).optional(),
})
const AdminFilters = Filters.extend({
  username: z.string().max(254).optional(),
  channel_id: z.number().int().optional(),
  /** The group that a call counts for. It needs a `start_timestamp` and a range of at most 31 days. */
  group: z.string().max(50).optional(),
})
const ModelQuery = ListQuery.pick({ keyword: true })
const Sum = z.object({ quota: z.number(), since: Since })

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
          'quota',
          'request_time',
        ),
        after: Cursor.optional(),
      }),
    response: LogPage,
    summary: 'Logs of all users',
  }),
  self: get('/self', {
    access: 'user',
    input: ListQuery.omit({ keyword: true })
      .extend(Filters.shape)
      .extend({
        order: orderQuery(
          'created_at',
          'id',
          'token_name',
          'model_name',
          'type',
          'source_ip',
          'quota',
          'request_time',
        ),
        after: Cursor.optional(),
      }),
    response: LogPage,
    summary: 'The caller’s own logs',
  }),
  models: get('/models', {
    access: 'admin',
    input: ModelQuery,
    response: z.array(z.string()),
    summary: 'Models of charged calls whose names contain `keyword`, at most 20',
  }),
  selfModels: get('/self/models', {
    access: 'user',
    input: ModelQuery,
    response: z.array(z.string()),
    summary: 'Models of the caller’s latest calls whose names contain `keyword`, at most 20',
  }),
  histogram: get('/histogram', {
    access: 'admin',
    input: AdminFilters,
    response: LogHistogram,
    summary: 'Counts of the logs of all users by time, in at most 72 buckets',
  }),
  selfHistogram: get('/self/histogram', {
    access: 'user',
    input: Filters,
    response: LogHistogram,
    summary: 'Counts of the caller’s own logs by time, in at most 72 buckets',
  }),
  export: get('/export', {
    access: 'admin',
    input: AdminFilters,
    response: FileStream,
    file: true,
    summary: 'All logs that match the filters as CSV, newest first',
  }),
  selfExport: get('/self/export', {
    access: 'user',
    input: Filters,
    response: FileStream,
    file: true,
    summary: 'All of the caller’s own logs that match the filters as CSV, newest first',
  }),
  sessions: get('/sessions', {
    access: 'admin',
    input: SessionQuery.extend({ user_id: z.number().int().positive().optional() }),
    response: CallSessions,
    summary: 'Sessions of coding agents and other clients, of all users',
  }),
  selfSessions: get('/self/sessions', {
    access: 'user',
    input: SessionQuery,
    response: CallSessions,
    summary: 'The caller’s own sessions',
  }),
  ...callCaches,
  get: get('/:id', {
    access: 'user',
    input: Id,
    response: Log,
    summary: 'One log; administrators may read the logs of all users',
  }),
  receipt: get('/:id/receipt', {
    access: 'user',
    input: Id,
    response: Receipt,
    summary: 'The items of a charge; administrators may read the receipts of all users',
  }),
  route: get('/:id/route', {
    access: 'admin',
    input: Id,
    response: CallRoute,
    summary: 'The channels that a call tried, and why it did not try the others',
  }),
  stat: get('/stat', {
    access: 'admin',
    input: AdminFilters.extend({ channel: z.number().int().optional() }),
    response: Sum,
    summary: 'Sum of the consumption',
  }),
  selfStat: get('/self/stat', {
    access: 'user',
    input: Filters,
    response: Sum,
    summary: 'Sum of the caller’s consumption',
  }),
  remove: del('/', {
    access: 'admin',
    input: z.object({ target_timestamp: z.number().int().positive() }),
    query: ['target_timestamp'],
    response: z.number(),
    summary: 'Deletes older logs of consumption and errors in small batches; returns their number',
  }),
})
