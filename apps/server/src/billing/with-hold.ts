import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import { reserve } from './calls/reserve.ts'
import type { OpenHold, Reservation } from './open-hold.ts'

/**
 * Reserves quota, runs `work` with the hold, and releases the hold unless `work` settled it. The reservation is one
 * guarded statement, so no cache decides about balance, cap, expiry or status.
 */
export const withHold = async <T>(
  app: App,
  call: Call,
  reservation: Reservation,
  work: (hold: OpenHold) => Promise<T>,
): Promise<T> => {
  const hold = await reserve(app, call, reservation)
  try {
    return await work(hold)
  } finally {
    const releasing = hold.release()
    if (releasing) await releasing
  }
}
