import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects.
export type Event = any

export type SocketClient = {
  socket: WebSocket
  events: Event[]
  send(event: object): void
  /** Resolves with the first event that matches and was not returned before. */
  next(matches: (event: Event) => boolean): Promise<Event>
  closed: Promise<{ code: number; reason: string }>
}

const ends = ['response.completed', 'response.failed', 'response.incomplete', 'error']

/** The event ends a response, of this stream where one is given. */
export const isEnd = (event: Event): boolean => ends.includes(event.type)

/** Opens a WebSocket, and collects what it receives. */
export const openSocket = async (
  url: string,
  headers: Record<string, string>,
  protocols: string[] = [],
): Promise<SocketClient> => {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, { headers })
  const events: Event[] = []
  const returned = new Set<Event>()
  const waiting = new Set<() => void>()
  socket.on('message', data => {
    events.push(JSON.parse(String(data)))
    for (const find of [...waiting]) find()
  })
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve).once('error', reject)
  })
  socket.on('error', () => undefined)
  return {
    socket,
    events,
    closed,
    send: event => socket.send(JSON.stringify(event)),
    next: matches =>
      new Promise((resolve, reject) => {
        const find = () => {
          const found = events.find(each => !returned.has(each) && matches(each))
          if (found === undefined) return
          returned.add(found)
          waiting.delete(find)
          resolve(found)
        }
        waiting.add(find)
        find()
        void closed.then(({ code }) => reject(new Error(`closed with ${code}`)))
      }),
  }
}

/** The status and the body of a refused upgrade. */
export const refusedUpgrade = (
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
    socket.on('open', () => reject(new Error('it was accepted')))
    socket.on('error', reject)
    socket.on('unexpected-response', async (_request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ status: response.statusCode, body: String(Buffer.concat(chunks)) })
    })
  })
