import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Fault } from '@hub/contract'
import { expect, it } from 'vitest'
import { decoded } from './decode.ts'
import type { Answer, Reader } from './send.ts'

/** An answer whose bytes the test sends, and what its reader is told. */
const upstream = (encoding: string) => {
  const told = { paused: 0, resumed: 0, dropped: false }
  const heard = { bytes: 0, largest: 0, end: false, broke: undefined as Fault | undefined }
  let sends: Reader | undefined
  const answer: Answer = {
    status: 200,
    headers: { 'content-encoding': encoding, 'content-type': 'application/json' },
    read: reader => {
      sends = reader
    },
    pause: () => void told.paused++,
    resume: () => void told.resumed++,
    drop: () => {
      told.dropped = true
    },
  }
  const reader: Reader = {
    data: piece => {
      heard.bytes += piece.length
      heard.largest = Math.max(heard.largest, piece.length)
    },
    end: () => {
      heard.end = true
    },
    broke: fault => {
      heard.broke = fault
    },
  }
  return { answer, reader, told, heard, send: () => sends! }
}
const size = 40 * 1024 * 1024
const zeros = Buffer.alloc(size)

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('%s swells in bounded pieces, and waits while nobody reads', async (name, pack) => {
  const { answer, reader, told, heard, send } = upstream(name)
  const plain = decoded(answer)
  expect(plain.headers).toEqual({ 'content-type': 'application/json' })
  plain.read(reader)
  plain.pause()
  const bomb = pack(zeros)
  for (let at = 0; at < bomb.length; at += 16_384) send().data(bomb.subarray(at, at + 16_384))
  send().end()
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(heard.bytes).toBe(0)
  plain.resume()
  await expect.poll(() => heard.end, { timeout: 10_000 }).toBe(true)
  expect(heard.bytes).toBe(size)
  expect(heard.largest).toBeLessThanOrEqual(64 * 1024)
  expect(told.dropped).toBe(false)
})

it('an upstream that breaks off is broken, after what came before it was read', async () => {
  const { answer, reader, heard, send } = upstream('gzip')
  decoded(answer).read(reader)
  const packed = gzipSync(Buffer.alloc(100_000, 'a'), { level: 0 })
  send().data(packed.subarray(0, packed.length / 2))
  const fault = { code: 'upstream.broken' } as Fault
  send().broke(fault)
  await expect.poll(() => heard.broke).toBe(fault)
  expect(heard.bytes).toBeGreaterThan(10_000)
})

it('what is cut, is no archive, or is packed in an unknown way is a fault', async () => {
  for (const [bytes, code] of [
    [gzipSync('{"a":1}').subarray(0, 12), 'upstream.garbage'],
    [Buffer.from('{"a":1}'), 'upstream.garbage'],
  ] as const) {
    const { answer, reader, told, heard, send } = upstream('gzip')
    decoded(answer).read(reader)
    send().data(bytes)
    send().end()
    await expect.poll(() => heard.broke?.code).toBe(code)
    expect([heard.end, told.dropped]).toEqual([false, true])
  }
  const strange = upstream('gzip, br')
  expect(() => decoded(strange.answer)).toThrow(
    expect.objectContaining({ code: 'upstream.garbage' }),
  )
  expect(strange.told.dropped).toBe(true)
})

it('after it was let go nothing is unpacked any more', async () => {
  const { answer, reader, heard, told, send } = upstream('gzip')
  const plain = decoded(answer)
  plain.read(reader)
  send().data(gzipSync(zeros))
  plain.drop()
  send().data(Buffer.from('more'))
  await new Promise(resolve => setTimeout(resolve, 100))
  expect([heard.bytes, heard.end, heard.broke, told.dropped]).toEqual([0, false, undefined, true])
})

it('an answer that is not packed is the same answer', () => {
  const { answer } = upstream('identity')
  expect(decoded(answer)).toBe(answer)
})
