import type { Channel } from '@hub/contract'
import { errorText } from '../../../api/error-text.ts'
import { api } from '../../../api/index.ts'
import type { T } from '../../../ui/index.ts'

export type TestResult =
  | { state: 'waiting' | 'running' }
  | { state: 'passed'; model: string; seconds: number }
  /** The channel carries the words of the provider in `test_error`. */
  | { state: 'failed'; channel: Channel }

/** Channels that are tested at the same time. Each test is a call to a provider, which may limit calls. */
const parallelTests = 4

/** Tests one channel; a failure is a result and not an error. */
export const testChannel = async (
  t: T,
  channel: Channel,
  signal?: AbortSignal,
): Promise<TestResult> => {
  const { id } = channel
  try {
    const { model, time } = await api.channels.test({ id }, signal)
    return { state: 'passed', model, seconds: time }
  } catch (error) {
    // The channel exists now: an error of this look-up must not offer to create it again.
    const stored = await api.channels.get({ id }, signal).catch(() => channel)
    const test_error = stored.test_error || errorText(t, error).text
    return { state: 'failed', channel: { ...stored, test_error } }
  }
}

/** Tests all channels, a few at a time, until the signal stops it. */
export const testChannels = async (
  t: T,
  channels: readonly Channel[],
  report: (id: number, result: TestResult) => void,
  signal: AbortSignal,
): Promise<void> => {
  const waiting = [...channels]
  const testNext = async () => {
    for (let channel = waiting.shift(); channel; channel = waiting.shift()) {
      report(channel.id, { state: 'running' })
      const result = await testChannel(t, channel, signal)
      if (signal.aborted) return
      report(channel.id, result)
    }
  }
  await Promise.all(Array.from({ length: parallelTests }, testNext))
}
