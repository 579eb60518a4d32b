import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../harness/addresses/keep-alive.ts'
import { engines } from '../../../harness/engines.ts'
import { rssBytes } from '../../../harness/process/stats.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const mebibyte = 1024 * 1024
const fileBytes = 100_000_000
/** In MiB: what the heap grows by on a busy machine, and half of a file. */
const growthMax = 48
const boundary = 'measured'
const head = Buffer.from(
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`,
)
const tail = Buffer.from(
  `\r\n--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--${boundary}--\r\n`,
)

let hub: TestHub
let key: string
let received = 0
const pieces = function* () {
  const piece = Buffer.alloc(mebibyte / 16, 'x')
  for (let rest = fileBytes; rest > 0; rest -= piece.length) yield piece.subarray(0, rest)
}
const vendor = createServer(keepAlive, (call, response) => {
  received = 0
  if (call.url?.endsWith('/speech')) {
    call.resume()
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    void pipeline(Readable.from(pieces()), response).catch(() => undefined)
    return
  }
  call.on('data', chunk => {
    received += chunk.length
  })
  call.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ text: 'hi', usage: { type: 'duration', seconds: 60 } }))
  })
})

beforeAll(async () => {
  hub = await startTestHub(engines[0]!)
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const { port } = vendor.address() as AddressInfo
  await hub.admin.addChannel(`http://127.0.0.1:${port}`, { models: 'whisper-1,tts-1' })
  key = (await hub.admin.addPerson(100_000_000)).key
})
afterAll(async () => {
  vendor.close()
  await hub?.close()
})

const upload = async (): Promise<number> => {
  const chunk = Buffer.alloc(mebibyte / 4, 'x')
  const call = request(`${hub.gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + fileBytes + tail.length,
    },
  })
  const answered = once(call, 'response')
  call.write(head)
  for (let rest = fileBytes; rest > 0; rest -= chunk.length)
    if (!call.write(chunk.subarray(0, rest))) await once(call, 'drain')
  call.end(tail)
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

const download = async (): Promise<number> => {
  const response = await fetch(`${hub.gateway.url}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', input: 'A long story.', voice: 'alloy' }),
  })
  let bytes = 0
  for await (const chunk of response.body!) bytes += chunk.length
  return bytes
}

it('downloads of 100 MB one after another are passed on whole, and never held in memory', async () => {
  expect(await download()).toBe(fileBytes)
  const before = rssBytes(hub.gateway.pid)
  for (let n = 0; n < 3; n += 1) {
    expect(await download()).toBe(fileBytes)
    const growth = (rssBytes(hub.gateway.pid) - before) / mebibyte
    console.log(`a download of 100 MB: ${growth.toFixed(1)} MiB more`)
    expect(growth).toBeLessThan(growthMax)
  }
  await hub.settled()
})

it('uploads of 100 MB one after another are passed on whole, and never held in memory', async () => {
  expect(await upload()).toBe(200)
  const before = rssBytes(hub.gateway.pid)
  for (let n = 0; n < 3; n += 1) {
    expect(await upload()).toBe(200)
    expect(received).toBeGreaterThan(fileBytes)
    const growth = (rssBytes(hub.gateway.pid) - before) / mebibyte
    console.log(`an upload of 100 MB: ${growth.toFixed(1)} MiB more`)
    expect(growth).toBeLessThan(growthMax)
  }
  await hub.settled()
})
