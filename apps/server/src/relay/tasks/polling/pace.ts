import type { App } from '../../../core/app.ts'

/** Requests of one turn, and the time until the channel's next turn. */
export type PollPace = { requests: number; intervalMs: number }

/** A turn lasts for at least this long, so that a fast pace costs few turns. */
const turnMs = 100
/** Turns that are late move together. This share of the limit keeps their requests within it. */
const usedShare = 0.8
const unlimited: PollPace = { requests: 64, intervalMs: 0 }

/** The pace of polls of each channel, on all nodes together. */
export const paceOf = (app: App): PollPace => makePace(app.settings().tasks.TaskPollsPerSecond)

export const makePace = (perSecond: number): PollPace => {
  if (perSecond === 0) return unlimited
  const used = perSecond * usedShare
  const requests = Math.max(1, Math.floor((used * turnMs) / 1_000))
  return { requests, intervalMs: Math.ceil((requests * 1_000) / used) }
}
