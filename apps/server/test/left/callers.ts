import { expect } from 'vitest'
import { openSocket } from '../../../../test/harness/sockets/client.ts'
import { liveCalls } from '../../src/relay/limits/live-calls.ts'
import { sendCall } from '../relay-calls.ts'
import type { RelayHub } from '../relay-hub.ts'
import type { LeftStream } from './streams.ts'

/** A call whose caller reads until it leaves. */
export type LeavingCaller = { leave(): void }

type CallerEvents = {
  /** Gets the text so far with each chunk. */
  onText(seen: string): void
  /** Gets the number of bytes so far, of an answer that is a file. */
  onBytes?(seen: number): void
  onEnd(seen: string): void
}

/** Posts the call of a stream, or sends it over a WebSocket. */
export const openCall = async (
  hub: RelayHub,
  { call, isSocket }: Pick<LeftStream, 'call' | 'isSocket'>,
  { onText, onBytes, onEnd }: CallerEvents,
): Promise<LeavingCaller> => {
  let seen = ''
  let size = 0
  let hasLeft = false
  const read = (chunk: unknown) => {
    if (hasLeft) return
    size += (chunk as Buffer).length
    if (onBytes) return onBytes(size)
    seen += String(chunk)
    onText(seen)
  }
  const end = () => {
    if (!hasLeft) onEnd(seen)
  }
  const leaveBy = (work: () => void) => ({
    leave: () => {
      hasLeft = true
      work()
    },
  })
  if (isSocket) {
    const headers = { authorization: `Bearer ${hub.key}` }
    const client = await openSocket(`${hub.url}${call.path}`, headers)
    client.socket.on('message', read).on('close', end)
    client.send({ type: 'response.create', ...call.body })
    return leaveBy(() => client.socket.terminate())
  }
  const sent = sendCall(hub, call)
  sent.on('response', response => {
    response.on('error', () => undefined)
    response.on('data', read).on('end', end)
  })
  return leaveBy(() => sent.destroy())
}

/** Resolves once the gateway has the first byte of all its calls. A caller may have seen nothing by then. */
export const firstByte = async ({ app }: RelayHub): Promise<void> => {
  const begun = () =>
    liveCalls(app.app)
      .toArray()
      .every(each => each.upstream.times?.hasBegun() === true)
  await expect.poll(begun, { interval: 2 }).toBe(true)
}
