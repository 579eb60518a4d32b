import { FailedAttempt } from '@hub/contract'
import { z } from 'zod'
import { withDeadline } from '../../db/engines/deadline.ts'
import type { Database } from '../../db/index.ts'
import { listFailedAttempts } from '../../db/queries/channel-figures.ts'
import type { TimeRange } from '../../db/queries/usage-sums.ts'

/** Calls of the site with a failed attempt that are read for one view. */
const callsMax = 20_000

/** The part of the metadata that tells which channels failed. One row of an error can stand for many calls. */
const Attempts = z.object({
  attempts: z.array(FailedAttempt.pick({ channel_id: true, code: true })),
  count: z.number().default(1),
})

/** Reads the failed attempts of all channels, also those after which another channel answered. */
export const readFailedAttempts = async (db: Database, range: TimeRange) => {
  const rows = await withDeadline(db, limited => listFailedAttempts(limited, range, callsMax))
  const attempts = rows.flatMap(({ at, metadata }) => {
    const read = Attempts.safeParse(JSON.parse(metadata))
    if (!read.success) return []
    return read.data.attempts.map(each => ({ ...each, at, count: read.data.count }))
  })
  return { attempts, isComplete: rows.length < callsMax }
}
