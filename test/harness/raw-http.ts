import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Bytes as they are, everything that comes back until it is quiet: what no HTTP client would send. */
export const rawRequest = (url: string, text: string, quietMs = 1_000): Promise<string> =>
  new Promise(resolve => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.setTimeout(quietMs, () => socket.destroy())
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })

/** Asks for a stream and reads nothing of it. */
export const openUnread = async (url: string, key: string, model: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] })
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: x',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}
