import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mapConcurrently } from '../../../harness/client.ts'
import { filesMax, rssBytes } from '../../../harness/process/stats.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { until } from '../../../harness/runner/until.ts'
import { openSocket, type SocketClient } from '../../../harness/sockets/client.ts'
import {
  type RealtimeVendor,
  startRealtimeVendor,
} from '../../../harness/sockets/realtime-vendor.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
/** Both ends of each session are in this process. */
const sessionCount = Math.min(1_000, Math.floor((filesMax() - 1_000) / 2))
/** The soak waits for a minute. */
const stallSeconds = Number(process.env.HUB_STALL_SECONDS ?? 0)

describeOneEngine(engine => {
  let hub: TestHub
  let vendor: RealtimeVendor
  beforeAll(async () => {
    vendor = await startRealtimeVendor()
    hub = await startTestHub(engine)
    const { admin } = hub
    await admin.addChannel(vendor.url, { type: 1, models: 'gpt-realtime', key: 'vendor-key' })
    await admin.setPrice('gpt-realtime', 'tokens', 1, 1)
    await admin.setOption('SocketsPerTokenMax', '10000')
  })
  afterAll(async () => {
    await hub?.close()
    await vendor?.close()
  })

  const open = async (key: string): Promise<SocketClient> => {
    const url = `${hub.gateway.url}/v1/realtime?model=gpt-realtime`
    const client = await openSocket(url, { authorization: `Bearer ${key}` })
    await client.next(each => each.type === 'session.created')
    return client
  }
  const rss = () => rssBytes(hub.gateway.pid)

  it('R23 idle sessions cost at most 64 KiB each, and their memory is given back', async () => {
    const person = await hub.admin.addPerson(2_000_000_000)
    const openMany = (count: number) =>
      mapConcurrently(count, 20, () => open(person.key)) as Promise<SocketClient[]>
    // The first sessions allocate shared memory: compiled code and initial heap.
    const warm = await openMany(200)
    for (const { socket } of warm) socket.terminate()
    await hub.settled()
    const before = rss()
    const sessions = await openMany(sessionCount)
    const perSession = (rss() - before) / sessionCount / kibibyte
    console.log(
      `R23 on ${engine.name}: ${sessionCount} sessions, ${Math.round(perSession)} KiB each`,
    )
    expect(perSession).toBeLessThanOrEqual(64)
    expect(sessions.filter(({ socket }) => socket.readyState !== socket.OPEN)).toEqual([])
    for (const { socket } of sessions) socket.terminate()
    await hub.settled()
    await until('memory is given back', () => rss() <= 1.5 * before)
    await hub.audit()
  })

  it(
    'R21 a caller who does not read pauses the vendor, and costs at most 8 MiB',
    retryTiming,
    async () => {
      const person = await hub.admin.addPerson(2_000_000_000)
      const delta = 'A'.repeat(64 * kibibyte)
      const count = 1_000
      /** Sends more than both connections hold. Returns the bytes that the vendor could not send. */
      const flood = async () => {
        const session = vendor.sessions.at(-1)!
        for (let n = 0; n < count; n++) session.send({ type: 'conversation.other', n, delta })
        let last = -1
        let unchanged = 0
        await until('nothing moves any more', async () => {
          await sleep(50)
          const { bufferedAmount } = session.socket
          unchanged = bufferedAmount === last ? unchanged + 1 : 0
          last = bufferedAmount
          return unchanged >= 20
        })
        return last
      }
      // Buffers of the first large messages stay with the process.
      const warm = await open(person.key)
      await flood()
      await warm.next(each => each.n === count - 1)
      warm.socket.terminate()
      await hub.settled()

      const before = rss()
      const client = await open(person.key)
      client.socket.pause()
      const unsent = await flood()
      await sleep(stallSeconds * 1_000)
      const growth = (rss() - before) / mebibyte
      const line = `${growth.toFixed(1)} MiB more, ${Math.round(unsent / mebibyte)} of ${Math.round((count * delta.length) / mebibyte)} MiB not sent`
      console.log(`R21 on ${engine.name}: a caller stalled for ${stallSeconds} s: ${line}`)
      expect(unsent).toBeGreaterThan((count * delta.length) / 2)
      expect(growth).toBeLessThan(8)
      client.socket.resume()
      await client.next(each => each.n === count - 1)
      client.socket.terminate()
      await hub.settled()
      await hub.audit()
    },
  )
})
