import type { ServerResponse } from 'node:http'
import {
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
  gzipSync,
} from 'node:zlib'
import type { Turn } from './turn.ts'

const makers = {
  gzip: createGzip,
  br: createBrotliCompress,
  deflate: createDeflate,
  raw: createDeflateRaw,
  zstd: createZstdCompress,
}
const nameOf = (kind: string) => (kind === 'raw' ? 'deflate' : kind)

/** Compresses the rest of the response unasked, and flushes every piece. */
const pack = (response: ServerResponse, kind: keyof typeof makers): void => {
  const packer = makers[kind]()
  const { writeHead, write, end } = response
  packer.on('data', (chunk: Buffer) => write.call(response, chunk, 'utf8'))
  packer.on('end', () => end.call(response, undefined, 'utf8'))
  Object.assign(response, {
    writeHead: (status: number, headers: object) =>
      writeHead.call(response, status, { ...headers, 'content-encoding': nameOf(kind) } as never),
    write: (chunk: Buffer | string) => {
      packer.write(chunk)
      packer.flush()
      return true
    },
    end: (chunk?: Buffer | string) => {
      packer.end(chunk)
      return response
    },
  })
}

const odd: Record<string, (turn: Turn) => void> = {
  /** 96 MiB in about 100 KB. */
  bomb: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(96 * 1024 * 1024, 0x20)))
  },
  lie: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end('{"not":"gzip"}')
  },
  unknown: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'x-own' })
    response.end('?')
  },
}

/** `pack=gzip` compresses whatever the script contains. True: the response was sent. */
export const applyContentEncoding = (turn: Turn): boolean => {
  const kind = turn.script.get('pack')
  if (kind === undefined) return false
  if (kind in makers) pack(turn.response, kind as keyof typeof makers)
  else odd[kind]?.(turn)
  return kind in odd
}
