import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startSocksProxy } from '../../../../../../test/harness/sockets/socks-proxy.ts'
import type { Channel } from '../../channels/channel.ts'
import { publicLookup } from './addresses.ts'
import { connectByTunnel, connectorOf } from './connector.ts'

const open = (origin: string, connector: ReturnType<typeof connectorOf>) => {
  const { protocol, host, hostname, port } = new URL(origin)
  return new Promise((resolve, reject) =>
    connector({ protocol, host, hostname, port }, (...[error, socket]) =>
      socket ? resolve(socket.destroy()) : reject(error),
    ),
  )
}

it('a proxy is given a public address, and no name that it could resolve otherwise', async () => {
  const targets: string[] = []
  const openTunnel = async (host: string, port: number) => {
    targets.push(`${host} ${port}`)
    return connect({ port: 1, host: '127.0.0.1', autoSelectFamily: false }).on('error', () => {})
  }
  const guarded = connectByTunnel(openTunnel, { timeout: 1_000, lookup: publicLookup })
  await open('http://1.1.1.1', guarded)
  await open('http://[2606:4700::1111]:81', guarded)
  for (const origin of ['http://localhost', 'http://127.0.0.1', 'https://[::1]'])
    await expect(open(origin, guarded)).rejects.toMatchObject({ code: 'address.forbidden' })
  expect(targets).toEqual(['1.1.1.1 80', '2606:4700::1111 81'])
})

it.each(['http', 'https', 'socks5', 'socks5h'])(
  'a proxy (%s) whose name leads to a private address is not called',
  async scheme => {
    const socks = await startSocksProxy()
    const proxy = `${scheme}://localhost:${new URL(socks.url).port}`
    const target = { channel: { proxy } as Channel, credential: 'k', origin: 'http://1.1.1.1' }
    const connector = connectorOf(target, { timeout: 1_000, isPrivateAllowed: false })
    await expect(open(target.origin, connector)).rejects.toMatchObject({
      code: 'address.forbidden',
    })
    expect(socks.targets).toEqual([])
    await socks.close()
  },
)

it('a SOCKS5 proxy that is silent is left after the timeout', async () => {
  const silent = createServer()
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const proxy = `socks5://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const target = { channel: { proxy } as Channel, credential: 'k', origin: 'http://1.1.1.1' }
  const connector = connectorOf(target, { timeout: 50, isPrivateAllowed: true })
  await expect(open(target.origin, connector)).rejects.toThrow(/timed out/i)
  silent.close()
})

/** Calls a proxy that reads a CONNECT request and ends the connection by `end`. */
const connectTo = async (end: (socket: Socket) => void) => {
  let connections = 0
  const proxy = createServer(socket => {
    connections += 1
    socket.on('error', () => {}).once('data', () => end(socket))
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const target = {
    channel: { proxy: address } as Channel,
    credential: 'k',
    origin: 'https://1.1.1.1',
  }
  const connector = connectorOf(target, { timeout: 60_000, isPrivateAllowed: true })
  const error = await open(target.origin, connector).catch((error: Error) => error)
  proxy.close()
  return { error, connections: () => connections }
}

it('an HTTP proxy that closes without an answer is asked once', async () => {
  const { error, connections } = await connectTo(socket => socket.destroy())
  expect(error).toMatchObject({ code: 'ECONNRESET' })
  expect(connections()).toBe(1)
})

it('an HTTP proxy that refuses is asked once, and its status is in the error', async () => {
  const { error, connections } = await connectTo(socket =>
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
  )
  expect(error).toMatchObject({ code: 'upstream.unreachable' })
  expect(connections()).toBe(1)
})
