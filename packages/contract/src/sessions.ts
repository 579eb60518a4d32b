import { z } from 'zod'

/** A signed-in browser. The id is derived from the cookie and opens nothing. */
export const Session = z.object({
  id: z.string(),
  created_at: z.number(),
  last_seen_at: z.number(),
  expires_at: z.number(),
  ip: z.string(),
  user_agent: z.string(),
  /** True: the session of this request. */
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

export const SessionId = z.string().regex(/^[0-9a-f]{32}$/)
