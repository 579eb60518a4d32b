import type { Log } from '@hub/contract'
import { firstByteOf } from '../speed.ts'

/** A part of a call's time, in milliseconds from the request. */
export type Phase = {
  key: 'queue' | 'connect' | 'wait' | 'first' | 'before' | 'answer'
  from: number
  to: number
}

/** The measured phases of an answered call. Rows of earlier releases have the first byte only. */
export const phasesOf = (log: Pick<Log, 'metadata' | 'request_time' | 'is_stream'>): Phase[] => {
  const total = log.request_time
  const first = firstByteOf(log)
  if (total <= 0) return []
  const stored = storedTimes(log.metadata.phases)
  const ends: [Phase['key'], number][] = stored
    ? [
        ['queue', stored.sent],
        ['connect', stored.connected],
        ['wait', stored.head],
        ['first', first],
        ['answer', total],
      ]
    : [
        ['before', first],
        ['answer', total],
      ]
  const isInOrder = ends.every(([, at], index) => at >= (ends[index - 1]?.[1] ?? 0))
  if (first === 0 || !isInOrder) return []
  return ends.map(([key, to], index) => ({ key, from: ends[index - 1]?.[1] ?? 0, to }))
}

const storedTimes = (value: unknown) => {
  if (typeof value !== 'object' || value === null) return undefined
  const { sent, connected, head } = value as Record<string, unknown>
  const isTime = (each: unknown): each is number => typeof each === 'number' && each >= 0
  return isTime(sent) && isTime(connected) && isTime(head) ? { sent, connected, head } : undefined
}
