import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'

/** A request as the vendor read it. */
export type FormCall = {
  path: string
  headers: IncomingMessage['headers']
  /** Fields and files in the order of the form: name, then text, or file name, type and size. */
  parts: (readonly unknown[])[]
  /** The body where it is JSON. */
  json: Record<string, unknown> | undefined
  /** The body where it is neither a form nor JSON. */
  body?: Buffer
  response: ServerResponse
}

export type FormVendor = {
  url: string
  calls: FormCall[]
  /** Answers instead of the vendor's rules. */
  answer: ((call: FormCall) => void) | undefined
  close(): Promise<void>
}

export const refuse = ({ response }: FormCall, message: string): void => {
  response.writeHead(400, { 'content-type': 'application/json' })
  const error = { message, type: 'invalid_request_error', param: null, code: null }
  response.end(JSON.stringify({ error }))
}

const read = async (request: IncomingMessage, response: ServerResponse): Promise<FormCall> => {
  const body = Buffer.concat(await request.toArray())
  const type = request.headers['content-type']!
  const call = { path: request.url!, headers: request.headers, response }
  if (type === 'application/json') return { ...call, parts: [], json: JSON.parse(body.toString()) }
  if (!type.startsWith('multipart/form-data')) return { ...call, parts: [], json: undefined, body }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const parts = [...form].map(([name, value]) =>
    typeof value === 'string' ? [name, value] : [name, value.name, value.type, value.size],
  )
  return { ...call, parts, json: undefined }
}

/** A listening vendor that reads forms with another parser than the gateway's, and answers by its rules. */
export const startFormVendor = async (serve: (call: FormCall) => void): Promise<FormVendor> => {
  const calls: FormCall[] = []
  const server = createServer(keepAlive, async (request, response) => {
    const call = await read(request, response).catch(() => undefined)
    if (!call) return response.destroy()
    calls.push(call)
    const { answer = serve } = vendor
    answer(call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const vendor: FormVendor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
  return vendor
}
