import type { Log } from '@hub/contract'
import { formatFixed, type Tone } from '../../ui/index.ts'

/** Milliseconds until the first byte of the response; 0 if unknown. */
export const firstByteOf = (log: Pick<Log, 'metadata'>): number => {
  const ms = Number(log.metadata.first_response ?? 0)
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}

/** Output tokens per second of a stream after its first byte; undefined if unknown. */
export const tokensPerSecond = (
  log: Pick<Log, 'metadata' | 'completion_tokens' | 'request_time' | 'is_stream'>,
): number | undefined => {
  const first = firstByteOf(log)
  const ms = log.request_time - first
  if (!log.is_stream || first === 0 || ms <= 0 || log.completion_tokens === 0) return undefined
  return log.completion_tokens / (ms / 1000)
}

export const durationTone = (ms: number): Tone => {
  if (ms <= 0) return 'gray'
  if (ms <= 10_000) return 'green'
  if (ms <= 50_000) return 'blue'
  return ms <= 100_000 ? 'amber' : 'red'
}

export const speedTone = (perSecond: number): Tone => {
  if (perSecond <= 10) return 'red'
  if (perSecond <= 15) return 'amber'
  return perSecond <= 20 ? 'blue' : 'green'
}

/** One decimal place below 10, none above: 8.4, 62, 1,480. */
export const formatSpeed = (perSecond: number): string =>
  formatFixed(perSecond, perSecond < 10 ? 1 : 0)
