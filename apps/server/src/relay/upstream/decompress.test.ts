import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Fault } from '@hub/contract'
import { expect, it } from 'vitest'
import { decompressed } from './decompress.ts'
import type { Answer, Reader } from './send.ts'

/** An answer whose bytes the test sends, with the calls it got and what its reader received. */
const upstream = (encoding: string) => {
  const calls = { paused: 0, resumed: 0, dropped: false }
  const received = { bytes: 0, largest: 0, end: false, broke: undefined as Fault | undefined }
  let sends: Reader | undefined
  const answer: Answer = {
    status: 200,
    headers: { 'content-encoding': encoding, 'content-type': 'application/json' },
    read: reader => {
      sends = reader
    },
    pause: () => void calls.paused++,
    resume: () => void calls.resumed++,
    drop: () => {
      calls.dropped = true
    },
  }
  const reader: Reader = {
    data: piece => {
      received.bytes += piece.length
      received.largest = Math.max(received.largest, piece.length)
    },
    end: () => {
      received.end = true
    },
    broke: fault => {
      received.broke = fault
    },
  }
  return { answer, reader, calls, received, send: () => sends! }
}
const size = 12 * 1024 * 1024
const zeros = Buffer.alloc(size)

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('%s swells in bounded pieces, and waits while nobody reads', async (name, pack) => {
  const { answer, reader, calls, received, send } = upstream(name)
  const plain = decompressed(answer)
  expect(plain.headers).toEqual({ 'content-type': 'application/json' })
  plain.read(reader)
  plain.pause()
  const bomb = pack(zeros)
  for (let at = 0; at < bomb.length; at += 16_384) send().data(bomb.subarray(at, at + 16_384))
  send().end()
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(received.bytes).toBe(0)
  plain.resume()
  await expect.poll(() => received.end).toBe(true)
  expect(received.bytes).toBe(size)
  expect(received.largest).toBeLessThanOrEqual(64 * 1024)
  expect(calls.dropped).toBe(false)
})

it('packed bytes that nobody reads yet pause the upstream', async () => {
  const { answer, reader, calls, received, send } = upstream('gzip')
  const plain = decompressed(answer)
  plain.read(reader)
  plain.pause()
  const packed = gzipSync(randomBytes(1024 * 1024))
  for (let at = 0; at < packed.length; at += 16_384) send().data(packed.subarray(at, at + 16_384))
  expect(calls.paused).toBeGreaterThan(0)
  expect(calls.resumed).toBe(0)
  plain.resume()
  send().end()
  await expect.poll(() => received.end).toBe(true)
  expect(received.bytes).toBe(1024 * 1024)
})

it('an upstream that breaks off is broken, after what came before it was read', async () => {
  const { answer, reader, received, send } = upstream('gzip')
  decompressed(answer).read(reader)
  const packed = gzipSync(Buffer.alloc(100_000, 'a'), { level: 0 })
  send().data(packed.subarray(0, packed.length / 2))
  const fault = { code: 'upstream.broken' } as Fault
  send().broke(fault)
  await expect.poll(() => received.broke).toBe(fault)
  expect(received.bytes).toBeGreaterThan(10_000)
})

it('a cut or invalid archive and an unknown encoding are faults', async () => {
  for (const [bytes, code] of [
    [gzipSync('{"a":1}').subarray(0, 12), 'upstream.invalid_response'],
    [Buffer.from('{"a":1}'), 'upstream.invalid_response'],
  ] as const) {
    const { answer, reader, calls, received, send } = upstream('gzip')
    decompressed(answer).read(reader)
    send().data(bytes)
    send().end()
    await expect.poll(() => received.broke?.code).toBe(code)
    expect([received.end, calls.dropped]).toEqual([false, true])
  }
  const strange = upstream('gzip, br')
  expect(() => decompressed(strange.answer)).toThrow(
    expect.objectContaining({ code: 'upstream.invalid_response' }),
  )
  expect(strange.calls.dropped).toBe(true)
})

it('a dropped answer is not unpacked any further', async () => {
  const { answer, reader, received, calls, send } = upstream('gzip')
  const plain = decompressed(answer)
  plain.read(reader)
  send().data(gzipSync(zeros))
  plain.drop()
  send().data(Buffer.from('more'))
  await new Promise(resolve => setTimeout(resolve, 100))
  expect([received.bytes, received.end, received.broke, calls.dropped]).toEqual([
    0,
    false,
    undefined,
    true,
  ])
})

it('an answer that is not packed is the same answer', () => {
  const { answer } = upstream('identity')
  expect(decompressed(answer)).toBe(answer)
})
