import type { App } from '../../core/app.ts'

/** The requests of one turn, and the time between two of them. */
export type PollPace = { requests: number; spacingMs: number }

/** A turn takes places for this time at once, so that a fast pace costs few turns. */
const turnMs = 100
/** A request that is not sent this long after its place gives the place up, and takes another. */
const lateMaxMs = 250
/** The clocks of two nodes may differ by this much. */
const clockDifferenceMs = 50
const unlimited: PollPace = { requests: 64, spacingMs: 0 }

/** The pace of polls of each channel, on all nodes together. */
export const paceOf = (app: App): PollPace => makePace(app.settings().tasks.TaskPollsPerSecond)

/**
 * Requests of one second have places within that second and the time before it by which they may be late. The spacing
 * leaves room for no more places there than the limit, so that no second sees more requests.
 */
export const makePace = (perSecond: number): PollPace => {
  if (perSecond === 0) return unlimited
  const spacingMs = (1_000 + lateMaxMs + clockDifferenceMs) / perSecond
  return { requests: Math.max(1, Math.floor(turnMs / spacingMs)), spacingMs }
}

/** Whether a request must not be sent any more at its place. Without a limit no place is ever over. */
export const isPlaceOver = ({ spacingMs }: PollPace, place: number, now: number): boolean =>
  spacingMs > 0 && now >= place + lateMaxMs
