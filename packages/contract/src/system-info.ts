import { z } from 'zod'
import { get, NoInput, post, resource } from './resource.ts'

/** One line of the log, with One Hub's names. */
export const SystemLogLine = z.object({
  /** RFC 3339. */
  Timestamp: z.string(),
  Level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERR', 'FATAL']),
  Message: z.string(),
})
export type SystemLogLine = z.output<typeof SystemLogLine>

/** A backup that the gateway made. */
export const BackupRun = z.object({
  id: z.number(),
  started_at: z.number(),
  /** Null: it runs. */
  ended_at: z.number().nullable(),
  state: z.enum(['running', 'succeeded', 'failed']),
  /** The host name of the node that made it. */
  node: z.string(),
  /** Empty: the schedule. */
  actor: z.string(),
  file: z.string(),
  bytes: z.number(),
  rows: z.number(),
  error: z.string(),
})
export type BackupRun = z.output<typeof BackupRun>

/** The last report of a node about itself. */
export const NodeInfo = z.object({
  /** The number of this run of a process. */
  epoch: z.number(),
  host: z.string(),
  version: z.string(),
  runtime: z.string(),
  /** `silent`: it has said nothing for half a minute. `ended`: it was stopped, or another node has taken over its calls. */
  state: z.enum(['running', 'silent', 'ended']),
  /** This answer comes from it. */
  is_answering: z.boolean(),
  started_at: z.number(),
  reported_at: z.number(),
  live_calls: z.number(),
  /** Share of the time in which its main thread worked. */
  load_percent: z.number(),
  /** Age of the oldest write to the ledger that was not answered. */
  lag_ms: z.number(),
  memory_mib: z.number(),
})
export type NodeInfo = z.output<typeof NodeInfo>

/** The jobs whose due times are in the database. */
export const jobNames = [
  'end-stale-sessions',
  'forget-channel-balances',
  'forget-channel-changes',
  'forget-idempotency-keys',
  'forget-local-responses',
  'forget-notifications',
  'forget-queued',
  'forget-refused-notices',
  'forget-stored-objects',
  'forget-vendor-responses',
  'maintain-store',
  'make-backup',
  'make-invoices',
  'optimize-store',
  'remove-old-logs',
  'remove-old-tasks',
  'remove-task-copies',
  'report-late-backup',
  'reward-inviters',
  'sum-usage',
  'test-channels',
  'update-balances',
  'update-prices',
  'watch-upstreams',
] as const
export type JobName = (typeof jobNames)[number]

/** A recurring job and its last run. */
export const JobInfo = z.object({
  name: z.enum(jobNames),
  /** `failed`: the last run that ended. `waiting`: it has never ended. */
  state: z.enum(['waiting', 'running', 'succeeded', 'failed']),
  due_at: z.number(),
  /** Null: it has not run yet. */
  started_at: z.number().nullable(),
  succeeded_at: z.number().nullable(),
  /** The duration of the last run that ended. */
  duration_ms: z.number(),
  /** The node that runs it now. */
  epoch: z.number().nullable(),
  /** Empty: none. */
  error: z.string(),
})
export type JobInfo = z.output<typeof JobInfo>

export const systemInfo = resource('/api/system_info', {
  log: post('/log', {
    access: 'root',
    input: z.object({ count: z.number().int().min(1).max(500) }),
    response: z.array(SystemLogLine),
    // It changes nothing, and the console reads it every few seconds.
    audit: false,
    summary: 'The newest lines of the log of the answering node, the oldest first',
  }),
  nodes: get('/nodes', {
    access: 'root',
    input: NoInput,
    response: z.array(NodeInfo),
    summary:
      'What each node of the last day said about itself within the last ten seconds, the latest start first',
  }),
  jobs: get('/jobs', {
    access: 'root',
    input: NoInput,
    response: z.array(JobInfo),
    summary: 'The recurring jobs that run once a minute or less often, and how each last ended',
  }),
  backups: get('/backups', {
    access: 'root',
    input: NoInput,
    response: z.array(BackupRun),
    summary: 'The newest backups that the gateway made, the newest first',
  }),
  backup: post('/backup', {
    access: 'root',
    input: NoInput,
    response: z.object({ id: z.number() }),
    summary: 'Starts a backup',
  }),
})
