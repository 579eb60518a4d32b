import { createServer, type Server, type Socket } from 'node:net'

export type Canary = {
  port: number
  /** Connections so far; it must stay 0. */
  connections(): number
  close(): Promise<void>
}

/** A server on the loopback addresses of both families that must never be called. */
export const startCanary = async (): Promise<Canary> => {
  let connections = 0
  const sockets = new Set<Socket>()
  const make = () =>
    createServer(socket => {
      connections += 1
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
    })
  const first = make()
  await listen(first, '127.0.0.1', 0)
  const { port } = first.address() as { port: number }
  const second = make()
  // Some machines have no IPv6.
  const servers = (await listen(second, '::1', port)) ? [first, second] : [first]
  return {
    port,
    connections: () => connections,
    close: async () => {
      // A test that failed may have left a connection, which would keep the server open for ever.
      for (const each of sockets) each.destroy()
      for (const each of servers) await new Promise(resolve => each.close(resolve))
    },
  }
}

const listen = (server: Server, host: string, port: number): Promise<boolean> =>
  new Promise(resolve => {
    server.once('error', () => resolve(false)).listen(port, host, () => resolve(true))
  })
