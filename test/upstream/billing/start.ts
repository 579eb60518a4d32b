import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { deepseek, groq, mistral, openrouter, xai } from './compatible.ts'
import { figuresOf } from './figures.ts'
import { gemini, vertex } from './gemini.ts'
import { type Line, sumOf, type Usd } from './money.ts'
import { openai } from './openai.ts'
import { type Answer, type Call, type Json, refuse, type Vendor } from './vendor.ts'

/** What one call costs at the vendor. */
export type Entry = {
  vendor: string
  model: string
  status: number
  served: string | undefined
  lines: readonly Line[]
  amount: Usd
  /** The body that arrived. */
  body: Json
}

export type BillingVendors = {
  /** The base address of a vendor's API. */
  url(vendor: string): string
  /** The meter: what each marked call costs. */
  bill: Map<string, Entry[]>
  total(): Usd
  close(): Promise<void>
}

export const billingVendors: readonly Vendor[] = [
  openai,
  anthropic,
  gemini,
  vertex,
  bedrock,
  xai,
  deepseek,
  mistral,
  groq,
  openrouter,
]

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const modelOf = (path: string, body: Json): string => {
  const [, encoded] =
    /\/models?\/([^/:]+(?::\d+)?)[:/](?:converse|\w*[gG]enerateContent)/.exec(path) ?? []
  return encoded === undefined ? String(body.model ?? '') : decodeURIComponent(encoded)
}

const isStreamed = (path: string, body: Json) =>
  body.stream === true || /converse-stream|:streamGenerateContent/.test(path)

/** A client marks its prompt by `call-` and a number. */
const markOf = (body: string) => /call-\d+/.exec(body)?.[0] ?? 'unmarked'

const send = (response: ServerResponse, { status, headers, body, frames }: Answer) => {
  const isBinary = Buffer.isBuffer(frames?.[0])
  const streamType = isBinary ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
  const type = frames ? streamType : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  for (const frame of frames ?? []) response.write(frame)
  response.end(frames ? undefined : JSON.stringify(body))
}

/** Starts the vendors on a free port; `seed` decides their figures. Each vendor is a folder of the address. */
export const startBillingVendors = async (seed: string): Promise<BillingVendors> => {
  const bill: BillingVendors['bill'] = new Map()
  const server = createServer((request, response) => {
    void answer(request, response).catch(error => {
      send(response, { ...refuse(String(error), 500), lines: [] })
    })
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = (await readBody(request)).toString()
    const body: Json = text ? JSON.parse(text) : {}
    const [, name, path = '/'] = /^\/([a-z]+)(\/[^?]*)?/.exec(request.url ?? '') ?? []
    const vendor = billingVendors.find(each => each.name === name)
    if (!vendor || request.method !== 'POST') return send(response, refuse('No such page.', 404))
    const id = markOf(text)
    const attempt = bill.get(id)?.length ?? 0
    const call: Call = {
      id,
      path,
      headers: request.headers,
      body,
      model: modelOf(path, body),
      streamed: isStreamed(path, body),
      figures: figuresOf(`${seed} ${vendor.name} ${id} ${attempt}`),
    }
    const billed = await vendor.answer(call)
    const { status, served, lines } = billed
    const entry: Entry = {
      ...{ vendor: vendor.name, model: call.model, status, served, lines, body },
      amount: sumOf(lines),
    }
    bill.set(id, [...(bill.get(id) ?? []), entry])
    send(response, billed)
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: vendor => `http://127.0.0.1:${port}/${vendor}`,
    bill,
    total: () => [...bill.values()].flat().reduce((sum, { amount }) => sum + amount, 0n),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
