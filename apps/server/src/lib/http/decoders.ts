import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** Bytes unpacked per step, so that a decompression bomb meets the reader's size limit like any answer. */
const chunkSize = 64 * 1024

/** Creates the decoder of a content encoding. The first bytes show which form of `deflate` it is. */
export type MakeDecoder = (first: Buffer) => Transform

/** RFC 9110, 8.4.1 and RFC 8878. Some servers send `deflate` without the zlib header that the RFC requires. */
const decoders: Readonly<Record<string, MakeDecoder>> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  // A frame header can demand gigabytes of memory; the RFC recommends a limit of 8 MiB.
  zstd: () => createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  deflate: first =>
    (first[0]! & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }),
}

/** Returns `none` for content that is not encoded, and undefined for an unknown or repeated encoding. */
export const decoderOf = (
  encoding: string | string[] | undefined,
): MakeDecoder | 'none' | undefined => {
  if (encoding === undefined || encoding === 'identity') return 'none'
  return typeof encoding === 'string' ? decoders[encoding.trim().toLowerCase()] : undefined
}
