import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'

/** One counter for all critical routes of an address, as One Hub has it. */
const criticalMax = 20
const criticalSeconds = 1200

export const limitCritical = async (app: App, ip: string) => {
  const { ok, retryAfterSeconds } = await app.state.count(
    `critical:${ip}`,
    criticalSeconds,
    criticalMax,
  )
  if (!ok) throw new Fault('rate.critical', { retryAfterSeconds })
}
