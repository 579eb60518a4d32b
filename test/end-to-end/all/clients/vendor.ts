import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepAlive } from '../../../harness/addresses/keep-alive.ts'
import { openaiRefusal, type Refusal } from '../../../upstream/dialects/openai-rules.ts'

/** A request as the vendor got it. */
export type ReceivedRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: each dialect has its own shape
  body: any
}

/** Texts are written one after another; numbers are milliseconds of silence between them, promises are waited for. */
export type Answer = {
  status?: number
  headers?: Record<string, string>
  say: readonly (string | number | Promise<unknown>)[]
}

/** One account at the vendor: the requests that it received, and its next responses in order. */
export type Account = { url: string; requests: ReceivedRequest[]; next(...answers: Answer[]): void }

export type Vendor = { account(): Account; close(): Promise<void> }

const write = async (response: ServerResponse, { status = 200, headers, say }: Answer) => {
  response.writeHead(status, headers ?? { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for (const each of say)
    if (typeof each === 'number') await sleep(each)
    else if (each instanceof Promise) await each
    else response.write(each)
  response.end()
}

const refused = ({ status, body }: Refusal): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  say: [JSON.stringify(body)],
})

/** Starts a vendor that returns the responses a test queued, unless OpenAI would refuse the request. */
export const startVendor = async (): Promise<Vendor> => {
  const accounts = new Map<string, { requests: ReceivedRequest[]; answers: Answer[] }>()
  const server = createServer(keepAlive, async (request, response) => {
    const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? []
    const account = accounts.get(name)
    let text = ''
    for await (const chunk of request) text += chunk
    const refusal = openaiRefusal(path, Buffer.from(text))
    const answer = refusal ? refused(refusal) : account?.answers.shift()
    const body = text.startsWith('{') ? JSON.parse(text) : undefined
    account?.requests.push({
      method: request.method ?? '',
      path,
      headers: request.headers,
      text,
      body,
    })
    await write(response, answer ?? { status: 418, say: ['Nobody said what to answer.'] })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    account: () => {
      const name = `account-${accounts.size + 1}`
      const requests: ReceivedRequest[] = []
      const answers: Answer[] = []
      accounts.set(name, { requests, answers })
      const next = (...more: Answer[]) => void answers.push(...more)
      return { url: `http://127.0.0.1:${port}/${name}`, requests, next }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
