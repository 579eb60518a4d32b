import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mapConcurrently } from '../../../harness/client.ts'
import { filesMax, rssBytes } from '../../../harness/process/stats.ts'
import { openUnread } from '../../../harness/raw-http.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { until } from '../../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const mebibyte = 1024 * 1024

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setOption('SlowReaderSeconds', '5')
    // No other limit may give a stream up.
    for (const limit of ['FirstByteTimeoutSeconds', 'IdleTimeoutSeconds'])
      await hub.admin.setOption(limit, '3600')
  })
  afterAll(() => hub?.close())

  it('R21 200 slow readers pause the vendor, cost at most 1 MiB each, and are given up in the end', {
    ...retryTiming,
  }, async () => {
    const person = await hub.admin.addPerson(500_000_000)
    // Memory that the process retains after any work is not caused by slow readers: a fifth of the bound.
    await mapConcurrently(2_000, 50, () =>
      hub.ask({ key: person.key, model: 'any:out=100', stream: true }),
    )
    const before = rssBytes(hub.gateway.pid)
    hub.upstream.forget()
    const open = () => openUnread(hub.gateway.url, person.key, `any:flood=${40 * mebibyte}`)
    const sockets = await mapConcurrently(200, 50, open)
    const readers = setInterval(() => {
      for (const each of sockets) each.read(1024)
    }, 1000)
    // Under load the gateway may answer 503; the client retries.
    for (let again = 0; again < 8 && hub.upstream.served.length < 200; again += 1) {
      await sleep(2_000)
      sockets.push(
        ...(await mapConcurrently(Math.max(0, 200 - hub.upstream.served.length), 50, open)),
      )
    }
    await until('all are being served', () => hub.upstream.served.length >= 200)
    await sleep(3_000)
    const growth = (rssBytes(hub.gateway.pid) - before) / mebibyte
    const sent = hub.upstream.served.map(each => each.bytes)
    clearInterval(readers)
    const stoppedAt = performance.now()
    // Forty megabytes each were to be had; the kernel's buffers of two connections hold up to ten of it.
    expect(Math.max(...sent)).toBeLessThan(20 * mebibyte)
    expect(growth).toBeLessThan(200)
    // No client reads any more: SlowReaderSeconds later the gateway closes the upstream connection.
    await until('every stream was given up', () =>
      hub.upstream.served.every(each => each.closedAt !== undefined),
    )
    expect(performance.now() - stoppedAt).toBeLessThan(25_000)
    for (const each of sockets) each.destroy()
    await hub.settled()
    await hub.audit()
  })

  it('R22 ten thousand half-open connections and crawling bodies do not slow the others down', {
    ...retryTiming,
  }, async () => {
    const person = await hub.admin.addPerson(50_000_000)
    const p99 = async () => {
      const seen = await mapConcurrently(1_000, 4, () =>
        hub.ask({ key: person.key, model: 'any:out=1' }),
      )
      expect(seen.every(each => each.complete)).toBe(true)
      const times = seen
        .map(each => each.endedAt - each.startedAt)
        .sort((one, other) => one - other)
      return times[989] ?? 0
    }
    // Noise of the machine only adds: the best of three is what the gateway costs.
    const best = async () => Math.min(await p99(), await p99(), await p99())
    await p99()
    const calm = await best()
    const { hostname, port } = new URL(hub.gateway.url)
    // Each stream needs a file on both sides; a machine with a lower limit runs fewer and prints the number.
    const count = Math.min(10_000, filesMax() - 1_000)
    console.log(`R22 on ${engine.name}: ${count} half-open connections`)
    const crawlers = await mapConcurrently(count, 100, async at => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      if (at % 2 === 0) socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-slow: ')
      else
        socket.write(
          `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.key}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
        )
      return socket
    })
    // Starting all at once would measure a burst; the test measures established streams.
    await sleep(1_000)
    const since = performance.now()
    const crowded = await best()
    // One crawling byte now and then must not count as being alive for ever.
    expect(crowded).toBeLessThan(Math.max(2 * calm, calm + 25))
    expect(performance.now() - since).toBeLessThan(90_000)
    for (const each of crawlers) each.destroy()
  })
})
