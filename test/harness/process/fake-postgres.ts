import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Messages of https://www.postgresql.org/docs/current/protocol-message-formats.html */
const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const text = (value: string) => Buffer.from(`${value}\0`)
const ready = message('Z', Buffer.from('I'))
const authenticated = message('R', Buffer.alloc(4))

const failure = (state: string) =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mrefused\0\0`))

/** One row with one column of text. */
const row = (value: string) => {
  const column = Buffer.alloc(18)
  column.writeInt32BE(25, 6)
  column.writeInt16BE(-1, 10)
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(6)
  length.writeInt16BE(1)
  length.writeInt32BE(bytes.length, 2)
  return Buffer.concat([
    message('T', Buffer.concat([Buffer.from([0, 1]), text('server_version_num'), column])),
    message('D', Buffer.concat([length, bytes])),
    message('C', text('SHOW')),
    ready,
  ])
}

const serve = (socket: Socket, answer: { refuses: string } | { version: string } | 'closes') => {
  if (answer === 'closes') return void socket.once('data', () => socket.destroy())
  if ('refuses' in answer)
    return void socket.once('data', () => socket.end(failure(answer.refuses)))
  socket.once('data', () => {
    socket.write(Buffer.concat([authenticated, ready]))
    socket.on('data', chunk => {
      if (chunk.toString('latin1', 0, 1) === 'Q') socket.write(row(answer.version))
    })
  })
}

/** Listens as a PostgreSQL that refuses with this state, is of this version, or only closes connections. */
export const startFakePostgres = async (answer: Parameters<typeof serve>[1]) => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    serve(socket, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { place, url: `postgres://hub:hunter2@${place}/hub`, close: () => server.close() }
}
