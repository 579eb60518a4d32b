import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mapConcurrently } from '../../../harness/client.ts'
import { filesMax, rssBytes } from '../../../harness/process/stats.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { until } from '../../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const streamCount = Number(process.env.HUB_IDLE_STREAMS ?? 1_000)
const seconds = Number(process.env.HUB_IDLE_SECONDS ?? 10)
const pingSeconds = 2
const kibibyte = 1024

/** Both ends of every stream are in this process; root may have more files than it was given. */
const mostStreams = (): number => {
  const needed = 2 * streamCount + 2_000
  try {
    if (filesMax() < needed)
      execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${needed}:${needed}`])
  } catch {
    // Then as many as there are.
  }
  return Math.min(streamCount, Math.floor((filesMax() - 2_000) / 2))
}

type Idle = { socket: Socket; pings: number; isOpen: boolean }

/** The vendor sends one piece and then nothing; the test counts every heartbeat. */
const openIdle = async (url: string, key: string): Promise<Idle> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const idle: Idle = { socket, pings: 0, isOpen: true }
  socket.on('error', () => undefined)
  socket.on('close', () => {
    idle.isOpen = false
  })
  await once(socket, 'connect')
  const model = 'any:stall=1'
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] })
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  socket.on('data', chunk => {
    if (/^:/m.test(chunk.toString())) idle.pings += 1
  })
  return idle
}

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    mostStreams()
    hub = await startTestHub(engine)
    await hub.admin.setOption('PingSeconds', String(pingSeconds))
    await hub.admin.setOption('IdleTimeoutSeconds', '3600')
  })
  afterAll(() => hub?.close())

  it('R23 idle streams cost at most 64 KiB each, all of them live on heartbeats, and their memory is given back', {
    timeout: 300_000 + seconds * 1_000,
  }, async () => {
    const count = mostStreams()
    console.log(`R23 on ${engine.name}: ${count} of ${streamCount} streams for ${seconds} s`)
    const person = await hub.admin.addPerson(2_000_000_000)
    const open = (number: number) =>
      mapConcurrently(number, 50, () => openIdle(hub.gateway.url, person.key))
    // The first streams allocate shared memory: compiled code and initial heap.
    await mapConcurrently(600, 50, () =>
      hub.ask({ key: person.key, model: 'any:out=3', stream: true }),
    )
    const first = await open(50)
    await sleep(1_000)
    const before = rssBytes(hub.gateway.pid)
    const idle = [...first, ...(await open(count - first.length))]
    await sleep(seconds * 1_000)
    const perStream = (rssBytes(hub.gateway.pid) - before) / (count - first.length)
    console.log(`R23 on ${engine.name}: ${Math.round(perStream / kibibyte)} KiB for each`)
    expect(perStream / kibibyte).toBeLessThanOrEqual(64)
    expect(idle.filter(each => !each.isOpen)).toHaveLength(0)
    const fewest = Math.min(...idle.map(each => each.pings))
    expect(fewest).toBeGreaterThanOrEqual(Math.floor(seconds / pingSeconds / 2))
    for (const { socket } of idle) socket.destroy()
    await hub.settled()
    await until('memory is given back', () => rssBytes(hub.gateway.pid) <= 1.5 * before)
    await hub.audit()
  })
})
