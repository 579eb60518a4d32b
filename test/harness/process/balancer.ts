import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../addresses/keep-alive.ts'
import type { Gateway } from '../gateway.ts'

const checkMs = 100

export type Balancer = {
  url: string
  /** Why calls broke between it and a gateway. */
  failures: string[]
  close(): Promise<void>
}

/** A load balancer as operators have: in turn to each gateway whose `/readyz` says 200, and it never sends a request twice. */
export const startBalancer = async (gateways: readonly Gateway[]): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const failures: string[] = []
  let ready: string[] = []
  let turn = 0
  let isClosed = false

  const isReady = (url: string) =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const check = async () => {
    const urls = gateways.map(({ url }) => url)
    const answers = await Promise.all(urls.map(isReady))
    ready = urls.filter((_, at) => answers[at])
  }
  const checkOnAndOn = async () => {
    await check()
    if (!isClosed) setTimeout(() => void checkOnAndOn(), checkMs)
  }

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    turn += 1
    const target = ready[turn % ready.length]
    if (!target) return outgoing.writeHead(502).end()
    const { method, headers } = incoming
    const fail = (error: Error) => {
      failures.push(`${target}: ${error.message}`)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(error.message)
    }
    const sent = request(`${target}${incoming.url}`, { agent, method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.once('error', fail)
    })
    sent.once('error', fail)
    return incoming.pipe(sent)
  }

  const server = createServer(keepAlive, forward).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  await checkOnAndOn()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    close: async () => {
      isClosed = true
      agent.destroy()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
