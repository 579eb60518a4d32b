import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A login and password; none: the proxy is open to all. */
export type SocksLogin = { user: string; password: string }

export type SocksProxy = {
  url: string
  /** The targets as they were named to the proxy, one for each connection. */
  targets: string[]
  /** The number of bytes that clients sent through the tunnels. */
  sent(): number
  close(): Promise<void>
}

const version = 5
const noLogin = 0
const passwordLogin = 2
const noMethod = 255
const succeeded = 0
const hostUnreachable = 4
const commandUnsupported = 7
const addressUnsupported = 8

/** A SOCKS5 proxy that accepts only what RFC 1928 and RFC 1929 allow, and ends every other connection. */
export const startSocksProxy = async (
  login?: SocksLogin,
  /** The address behind a host's name. */
  addressOf = (host: string): string => host,
): Promise<SocksProxy> => {
  const targets: string[] = []
  const open = new Set<Socket>()
  let sent = 0
  const server = createServer(socket => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    negotiate(socket, login)
      .then(() => openTunnel(socket, targets, addressOf))
      .then(target => {
        open.add(target)
        socket.on('data', chunk => {
          sent += chunk.length
        })
        target.pipe(socket).pipe(target)
        socket.on('close', () => target.destroy())
      })
      .catch(() => socket.destroySoon())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const user = login
    ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
    : ''
  return {
    url: `socks5://${user}127.0.0.1:${port}`,
    targets,
    sent: () => sent,
    close: async () => {
      for (const each of open) each.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** https://www.rfc-editor.org/rfc/rfc1928#section-3 and https://www.rfc-editor.org/rfc/rfc1929#section-2 */
const negotiate = async (socket: Socket, login: SocksLogin | undefined): Promise<void> => {
  const [named, count = 0] = await read(socket, 2)
  if (named !== version) throw new TypeError('not SOCKS5')
  const methods = await read(socket, count)
  const method = login ? passwordLogin : noLogin
  if (!methods.includes(method)) {
    socket.write(Buffer.of(version, noMethod))
    throw new TypeError('no acceptable method')
  }
  socket.write(Buffer.of(version, method))
  if (!login) return
  const [subversion, userLength = 0] = await read(socket, 2)
  const user = String(await read(socket, userLength))
  const [passwordLength = 0] = await read(socket, 1)
  const password = String(await read(socket, passwordLength))
  const isRight = subversion === 1 && user === login.user && password === login.password
  socket.write(Buffer.of(1, isRight ? 0 : 1))
  if (!isRight) throw new TypeError('wrong login')
}

/** https://www.rfc-editor.org/rfc/rfc1928#section-4 */
const openTunnel = async (
  socket: Socket,
  targets: string[],
  addressOf: (host: string) => string,
): Promise<Socket> => {
  const [named, command, , kind = 0] = await read(socket, 4)
  const host = await readHost(socket, kind)
  if (named !== version || command !== 1) throw refuse(socket, commandUnsupported)
  if (host === undefined) throw refuse(socket, addressUnsupported)
  const port = (await read(socket, 2)).readUInt16BE()
  targets.push(`${host}:${port}`)
  const target = connect(port, addressOf(host)).on('error', () => refuse(socket, hostUnreachable))
  await once(target, 'connect')
  socket.write(answer(succeeded))
  return target
}

const readHost = async (socket: Socket, kind: number): Promise<string | undefined> => {
  if (kind === 1) return (await read(socket, 4)).join('.')
  if (kind === 3) return String(await read(socket, (await read(socket, 1))[0]!))
  if (kind !== 4) return undefined
  return (await read(socket, 16)).toString('hex').replace(/(....)(?=.)/g, '$1:')
}

const refuse = (socket: Socket, code: number): TypeError => {
  socket.end(answer(code))
  return new TypeError(`refused with ${code}`)
}

const answer = (code: number) => Buffer.of(version, code, 0, 1, 0, 0, 0, 0, 0, 0)

/** Waits for exactly this many bytes; rejects when the client leaves before. */
const read = async (socket: Socket, size: number): Promise<Buffer> => {
  if (size === 0) return Buffer.alloc(0)
  for (;;) {
    const bytes = socket.read(size) as Buffer | null
    if (bytes?.length === size) return bytes
    if (socket.readableEnded || socket.destroyed) throw new TypeError('the client left')
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
}
