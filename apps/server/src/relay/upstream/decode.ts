import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { Fault } from '@hub/contract'
import type { Answer, Reader } from './send.ts'

/** What one step may unpack: a bomb swells in pieces of this size, and meets the reader's own limit like any answer. */
const chunkSize = 64 * 1024

/** RFC 9110, 8.4.1 and RFC 8878. Some servers send `deflate` without the zlib head that the RFC asks for. */
const decoders: Readonly<Record<string, (first: Buffer) => Transform>> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  // A frame may ask its reader for gigabytes of memory before its first byte: 8 MiB is what the RFC recommends.
  zstd: () => createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  deflate: first =>
    (first[0]! & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }),
}

/** The answer as if it had come uncompressed, which is what was asked for. An encoding nobody knows is a fault. */
export const decoded = (answer: Answer): Answer => {
  const encoding = answer.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return answer
  const make = typeof encoding === 'string' ? decoders[encoding.trim().toLowerCase()] : undefined
  if (make) return decode(answer, make)
  answer.drop()
  throw new Fault('upstream.garbage', { detail: `encoded as ${encoding}` })
}

const decode = (answer: Answer, make: (first: Buffer) => Transform): Answer => {
  let decoder: Transform | undefined
  let reader: Reader | undefined
  let isReading = false
  let isPaused = false
  /** Why the upstream broke off: told once everything that came before is unpacked. */
  let broken: Fault | undefined
  let ended: Fault | 'end' | undefined

  const end = (how: Fault | 'end') => {
    if (ended) return
    ended = how
    if (how === 'end') reader?.end()
    else reader?.broke(how)
  }
  const begin = (first: Buffer) =>
    make(first)
      .on('data', (piece: Buffer) => reader?.data(piece))
      .on('drain', () => answer.resume())
      .on('end', () => end(broken ?? 'end'))
      .on('error', cause => {
        const detail = `cannot be unpacked: ${cause.message}`
        end(broken ?? new Fault('upstream.garbage', { cause, detail }))
        answer.drop()
      })
  const packed: Reader = {
    data: chunk => {
      if (ended) return
      if (!decoder) {
        decoder = begin(chunk)
        if (isPaused) decoder.pause()
      }
      if (!decoder.write(chunk)) answer.pause()
    },
    end: () => (decoder ? decoder.end() : end('end')),
    broke: fault => {
      broken = fault
      if (decoder) decoder.end()
      else end(fault)
    },
  }
  const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
  return {
    status: answer.status,
    headers,
    read: next => {
      reader = next
      if (ended === 'end') return next.end()
      if (ended) return next.broke(ended)
      if (isReading) return
      isReading = true
      answer.read(packed)
    },
    pause: () => {
      isPaused = true
      decoder?.pause()
    },
    resume: () => {
      isPaused = false
      decoder?.resume()
    },
    drop: () => {
      reader = undefined
      ended ??= new Fault('upstream.broken', { detail: 'let go' })
      decoder?.destroy()
      answer.drop()
    },
  }
}
