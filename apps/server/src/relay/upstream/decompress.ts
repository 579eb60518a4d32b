import type { Transform } from 'node:stream'
import { Fault } from '@hub/contract'
import { decoderOf, type MakeDecoder } from '../../lib/http/decoders.ts'
import type { Answer, Reader } from './send.ts'

/** Decompresses an answer that came compressed although `identity` was requested. Throws for an unknown encoding. */
export const decompressed = (answer: Answer): Answer => {
  const encoding = answer.headers['content-encoding']
  const make = decoderOf(encoding)
  if (make === 'none') return answer
  if (make) return decompress(answer, make)
  answer.drop()
  throw new Fault('upstream.invalid_response', { detail: `encoded as ${encoding}` })
}

const decompress = (answer: Answer, make: MakeDecoder): Answer => {
  let decoder: Transform | undefined
  let reader: Reader | undefined
  let isReading = false
  let isPaused = false
  /** The upstream's break, reported after everything before it is unpacked. */
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
        end(broken ?? new Fault('upstream.invalid_response', { cause, detail }))
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
      ended ??= new Fault('upstream.broken', { detail: 'dropped' })
      decoder?.destroy()
      answer.drop()
    },
  }
}
