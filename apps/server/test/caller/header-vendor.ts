import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the vendor received it. */
export type Received = {
  /** Method and path. */
  request: string
  /** Name and value in turn, as they came. */
  rawHeaders: string[]
  body: string
}

export type HeaderVendor = { url: string; received: Received[]; close(): Promise<void> }

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Objects that the vendor stores, by a part of the path. */
const stored: Readonly<Record<string, object>> = {
  '/vector_stores': { id: 'vs_1', object: 'vector_store' },
  '/uploads': { id: 'upload_1', object: 'upload', status: 'pending' },
  '/files': { id: 'file-1', object: 'file', bytes: 3, purpose: 'user_data', filename: 'a.txt' },
}

/** Records what every request has, stores objects, and refuses everything else and every WebSocket. */
export const startHeaderVendor = async (): Promise<HeaderVendor> => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url = '', rawHeaders } = request
    received.push({ request: `${method} ${url}`, rawHeaders, body: await read(request) })
    const object = Object.entries(stored).find(([path]) => url.includes(path))?.[1]
    response.writeHead(object ? 200 : 400, { 'content-type': 'application/json' })
    const error = { message: 'no', type: 'invalid_request_error', code: 400 }
    response.end(JSON.stringify(object ?? { type: 'error', error }))
  })
  server.on('upgrade', ({ method, url, rawHeaders }, socket) => {
    received.push({ request: `${method} ${url}`, rawHeaders, body: '' })
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** The values of a header that left, in their order. */
export const valuesOf = ({ rawHeaders }: Received, name: string): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === name)
