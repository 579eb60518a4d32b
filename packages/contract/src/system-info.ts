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

export const systemInfo = resource('/api/system_info', {
  log: post('/log', {
    access: 'root',
    input: z.object({ count: z.number().int().min(1).max(500) }),
    reply: z.array(SystemLogLine),
    // It changes nothing, and the console reads it every few seconds.
    audit: false,
    summary: 'The newest lines of the log of the answering node, the oldest first',
  }),
  backups: get('/backups', {
    access: 'root',
    input: NoInput,
    reply: z.array(BackupRun),
    summary: 'The newest backups that the gateway made, the newest first',
  }),
  backup: post('/backup', {
    access: 'root',
    input: NoInput,
    reply: z.object({ id: z.number() }),
    summary: 'Starts a backup',
  }),
})
