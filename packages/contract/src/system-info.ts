import { z } from 'zod'
import { post, resource } from './resource.ts'

/** One line of the log, with One Hub's names. */
export const SystemLogLine = z.object({
  /** RFC 3339. */
  Timestamp: z.string(),
  Level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERR', 'FATAL']),
  Message: z.string(),
})
export type SystemLogLine = z.output<typeof SystemLogLine>

export const systemInfo = resource('/api/system_info', {
  log: post('/log', {
    access: 'root',
    input: z.object({ count: z.number().int().min(1).max(500) }),
    reply: z.array(SystemLogLine),
    // It changes nothing, and the console reads it every few seconds.
    audit: false,
    summary: 'The newest lines of the log of the answering node, the oldest first',
  }),
})
