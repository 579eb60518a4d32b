import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type KlingVendor,
  startKlingVendor,
} from '../../../../apps/server/test/tasks/kling-vendor.ts'
import { S3Server } from '../../../../apps/server/test/tasks/s3-server.ts'
import { keepAlive } from '../../../harness/addresses/keep-alive.ts'
import { change, query } from '../../../harness/ledger.ts'
import { rssBytes } from '../../../harness/process/stats.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { until } from '../../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const mebibyte = 1024 * 1024
const piece = Buffer.alloc(64 * 1024, 'frames of a video. ')

const pieces = function* (size: number) {
  for (let sent = 0; sent < size; sent += piece.length) yield piece
}

/** A storage whose files are as large as their path says, written as fast as they are read. */
const storage = createServer(keepAlive, async (request, response) => {
  const size = Number(/\d+/.exec(request.url ?? '')?.[0]) * mebibyte
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size })
  await pipeline(Readable.from(pieces(size)), response).catch(() => undefined)
})

describeOneEngine(engine => {
  let hub: TestHub
  let vendor: KlingVendor
  let port: number
  let headers: Record<string, string>
  /** Taken once, because a process that has grown stays so for the next try. */
  const before: { download?: number; copy?: number } = {}
  beforeAll(async () => {
    storage.listen(0, '127.0.0.1')
    await once(storage, 'listening')
    port = (storage.address() as AddressInfo).port
    vendor = await startKlingVendor()
    hub = await startTestHub(engine, {
      env: { FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: String(port) },
    })
    await hub.admin.addChannel(vendor.url, { type: 53, models: 'kling-v1', key: vendor.key })
    await hub.admin.setPrice('kling-v1', 'times', 1, 1)
    const { key } = await hub.admin.addPerson(1_000_000)
    headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  })
  afterAll(async () => {
    await hub?.close()
    await vendor?.close()
    storage.closeAllConnections()
    storage.close()
  })

  const makeVideo = async (size: number): Promise<string> => {
    const { gateway } = hub
    const body = JSON.stringify({ model: 'kling-v1', prompt: 'A dog' })
    const made = await fetch(`${gateway.url}/v1/videos`, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: string }
    for (const task of vendor.tasks.values())
      if (task.status === 'submitted')
        Object.assign(task, {
          status: 'succeed',
          videoUrl: `http://127.0.0.1:${port}/${size}.mp4`,
        })
    await change(gateway, 'update tasks set run_at = 0 where run_at is not null')
    await until('the video is done', async () => {
      const shown = await fetch(`${gateway.url}/v1/videos/${id}`, { headers })
      return ((await shown.json()) as { status: string }).status === 'completed'
    })
    return id
  }

  it('a video of 500 MiB passes through in less than 32 MiB more memory', retryTiming, async () => {
    const { gateway } = hub
    const download = async (id: string) => {
      const content = await fetch(`${gateway.url}/v1/videos/${id}/content`, { headers })
      let bytes = 0
      let highest = 0
      let looks = 0
      for await (const chunk of content.body!) {
        bytes += chunk.length
        looks += 1
        if (looks % 50 === 0) highest = Math.max(highest, rssBytes(gateway.pid))
      }
      return { bytes, highest }
    }
    // Buffers that any download takes are not caused by a large one: peaks are compared with peaks.
    const video = await makeVideo(64)
    const small: number[] = []
    for (let again = 0; again < 3; again += 1) small.push((await download(video)).highest)
    before.download ??= Math.max(...small)
    const { bytes, highest } = await download(await makeVideo(500))
    const growth = (highest - before.download) / mebibyte
    console.log(`R15 on ${engine.name}, a video of 500 MiB: ${growth.toFixed(1)} MiB more`)
    expect(bytes).toBe(500 * mebibyte)
    expect(growth).toBeLessThan(32)
  })

  it(
    'a video of 500 MiB is copied to S3 in less than 32 MiB more memory',
    retryTiming,
    async () => {
      const { gateway, admin } = hub
      const s3 = await new S3Server().start()
      s3.isStoring = false
      try {
        const settings = { ...s3.settings, TaskCopyDays: '1' }
        for (const [key, value] of Object.entries(settings)) await admin.setOption(key, value)
        /** Returns the most resident memory while the video is copied. */
        const copy = async (size: number): Promise<number> => {
          s3.calls.length = 0
          const id = await makeVideo(size)
          const copies = `select size from task_copies where task_id = (select id from tasks where public_id = '${id}')`
          let highest = 0
          const isCopied = async () => {
            highest = Math.max(highest, rssBytes(gateway.pid))
            return (await query(gateway, copies)).length > 0
          }
          await until('the video is copied', isCopied)
          const sent = s3.calls.filter(each => each.method === 'PUT')
          expect(sent.reduce((sum, each) => sum + each.size, 0)).toBe(size * mebibyte)
          return highest
        }
        // Buffers that any copy takes are not caused by a large one: peaks are compared with peaks.
        const small: number[] = []
        for (let again = 0; again < 3; again += 1) small.push(await copy(64))
        before.copy ??= Math.max(...small)
        const growth = ((await copy(500)) - before.copy) / mebibyte
        console.log(`R15 on ${engine.name}, a copy of 500 MiB: ${growth.toFixed(1)} MiB more`)
        expect(growth).toBeLessThan(32)
      } finally {
        await admin.setOption('TaskCopyDays', '0')
        await s3.close()
      }
    },
  )
})
