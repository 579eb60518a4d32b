import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from './keep-alive.ts'
import { type NameServer, startNameServer } from './name-server.ts'

/** A second loopback address stands for a public one, so that no test reaches the internet. Linux has all of 127.0.0.0/8. */
export const publicAddress = '127.0.0.2'

/** The smallest image: one transparent pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

type Zone = (name: string) => readonly string[] | undefined

export type FileHost = {
  port: number
  names: NameServer
  /** Received so far; a test may empty it. */
  requests: IncomingMessage[]
  /** How the next requests are answered. */
  respond(listener: RequestListener): void
  /** How the next names are answered; at first `good.example` is the host, and no other name exists. */
  resolve(zone: Zone): void
  close(): Promise<void>
}

export const goodZone: Zone = name => (name === 'good.example' ? [publicAddress] : undefined)

/** A web server with files, and the name server that knows it. */
export const startFileHost = async (port = 0, address = publicAddress): Promise<FileHost> => {
  let zone = goodZone
  let listener: RequestListener = (_request, response) => void response.end(png)
  const requests: IncomingMessage[] = []
  const names = await startNameServer(name => zone(name))
  const server = createServer(keepAlive, (request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>(resolve => server.listen(port, address, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    names,
    requests,
    respond: next => {
      listener = next
    },
    resolve: next => {
      zone = next
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await names.close()
    },
  }
}
