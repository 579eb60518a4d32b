import type { FrameReader, OnFrame } from '../frame-reader.ts'
import { GrowableBuffer } from '../growable-buffer.ts'

/**
 * Reads `application/vnd.amazon.eventstream`. A message is a prelude of lengths, headers and a payload, with checksums.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html
 */
export const awsFrames = (onFrame: OnFrame): FrameReader => {
  const open = new GrowableBuffer()
  let isBroken = false

  return {
    push: chunk => {
      if (isBroken) return false
      open.add(chunk, 0, chunk.length)
      if (open.size < preludeBytes) return true
      const bytes = open.take()
      let at = 0
      while (bytes.length - at >= preludeBytes) {
        const length = bytes.readUInt32BE(at)
        if (!isPrelude(bytes, at, length)) {
          isBroken = true
          return false
        }
        if (bytes.length - at < length) break
        if (bytes.readUInt32BE(at + length - 4) !== checksum(bytes, at, at + length - 4)) {
          isBroken = true
          return false
        }
        emitMessage(bytes, at, length, onFrame)
        at += length
      }
      open.add(bytes, at, bytes.length)
      return true
    },
    // An incomplete message has no checksum, so it is dropped.
    end: () => {},
  }
}

const preludeBytes = 12
/** The vendor's limit: https://smithy.io/2.0/aws/amazon-eventstream.html */
const messageBytesMax = 24 * 1024 * 1024

const isPrelude = (bytes: Buffer, at: number, length: number): boolean =>
  length >= preludeBytes + 4 &&
  length <= messageBytesMax &&
  bytes.readUInt32BE(at + 4) <= length - preludeBytes - 4 &&
  bytes.readUInt32BE(at + 8) === checksum(bytes, at, at + 8)

const emitMessage = (bytes: Buffer, at: number, length: number, onFrame: OnFrame): void => {
  const payload = at + preludeBytes + bytes.readUInt32BE(at + 4)
  const headers = headersOf(bytes, at + preludeBytes, payload)
  const data = bytes.toString('utf8', payload, at + length - 4)
  const kind = headers[':message-type']
  if (kind === 'exception' || kind === 'error') {
    const type = headers[':exception-type'] ?? headers[':error-code'] ?? kind
    const message = messageIn(data) ?? headers[':error-message'] ?? ''
    onFrame(JSON.stringify({ type: 'error', error: { type, message } }), 'error')
    return
  }
  const wrapped = data.startsWith('{"bytes"') ? innerOf(data) : undefined
  if (wrapped !== undefined) onFrame(wrapped, '')
  else onFrame(data, headers[':event-type'] ?? '')
}

/** Some models' own streams arrive as base64 inside JSON. */
const innerOf = (data: string): string | undefined => {
  const bytes = fieldOf(data, 'bytes')
  return bytes === undefined ? undefined : Buffer.from(bytes, 'base64').toString()
}

const messageIn = (data: string): string | undefined =>
  fieldOf(data, 'message') ?? fieldOf(data, 'Message')

const fieldOf = (data: string, name: string): string | undefined => {
  try {
    const value = JSON.parse(data)?.[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The size of a value by its type. Strings and bytes (6, 7) have their own length. */
const sizes = [0, 0, 1, 2, 4, 8, 0, 0, 8, 16]

const headersOf = (bytes: Buffer, start: number, end: number): Record<string, string> => {
  const headers: Record<string, string> = {}
  let at = start
  while (at < end) {
    const nameEnd = at + 1 + bytes[at]!
    const type = bytes[nameEnd] ?? 0
    const isLong = type === 6 || type === 7
    const value = nameEnd + 1 + (isLong ? 2 : 0)
    const size = isLong && value <= end ? bytes.readUInt16BE(nameEnd + 1) : (sizes[type] ?? end)
    if (type === 7)
      headers[bytes.toString('utf8', at + 1, nameEnd)] = bytes.toString('utf8', value, value + size)
    at = value + size
  }
  return headers
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32, as in zlib. */
const checksum = (bytes: Buffer, start: number, end: number): number => {
  let crc = 0xffffffff
  for (let at = start; at < end; at += 1) crc = table[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
