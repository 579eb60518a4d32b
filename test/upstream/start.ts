import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { chat } from './dialects/chat.ts'
import { converse, converseModel } from './dialects/converse.ts'
import { embedContent, embeddings } from './dialects/embeddings.ts'
import { countTokens, generateContent, messages } from './dialects/index.ts'
import { compact, kept, responses, type Shelf } from './dialects/responses.ts'
import { beforeHeaders, faults } from './faults.ts'
import { garbage } from './malformed.ts'
import { packAnswer } from './pack.ts'
import { numberOf, readScript } from './script.ts'
import type { Served, Turn } from './turn.ts'

export type { Served } from './turn.ts'

export type Upstream = {
  url: string
  served: Served[]
  /** What was asked of the host that a redirect points to: must stay empty. */
  canary: string[]
  behave(channel: string, script: string): void
  /** Leaves the whole answer to every request for this model to the test. */
  play(model: string, answer: Play): void
  /** Sockets that are open now. */
  sockets(): number
  forget(): void
  close(): Promise<void>
}

export type Play = (turn: Turn) => Promise<void> | void

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const parse = (body: Buffer) => {
  try {
    return JSON.parse(body.toString()) as {
      model?: string
      stream?: boolean
      user?: string
      stream_options?: { include_usage?: boolean }
    }
  } catch {
    return {}
  }
}

/** A vendor that says what its models' names tell it to say. */
export const startUpstream = async (port = 0): Promise<Upstream> => {
  const served: Served[] = []
  const canary: string[] = []
  const added = new Map<string, string>()
  const plays = new Map<string, Play>()
  const shelf: Shelf = new Map()
  const sockets = new Map<Socket, number>()
  let count = 0
  let socketCount = 0

  const control = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      const { channel, script } = JSON.parse((await readBody(request)).toString())
      added.set(channel, script)
    }
    response.end(
      JSON.stringify({
        served: served.length,
        complete: served.filter(each => each.complete).length,
        sockets: sockets.size,
      }),
    )
  }

  const begin = async (request: IncomingMessage, response: ServerResponse): Promise<Turn> => {
    const at = performance.now()
    const body = await readBody(request)
    const asked = parse(body)
    const path = request.url ?? '/'
    const channel =
      /^\/([^/]*)\/(?:v1(?:beta)?\/)?(?:chat|embeddings|messages|models?|responses)/.exec(
        path,
      )?.[1] ?? ''
    const model = asked.model ?? converseModel(path) ?? /\/models\/([^:]+):/.exec(path)?.[1] ?? ''
    const script = readScript(model, added.get(channel))
    const entry: Served = {
      n: ++count,
      channel,
      path,
      model,
      mark: asked.user ?? '',
      credential: request.headers.authorization ?? '',
      headers: request.headers,
      body,
      socket: sockets.get(request.socket) ?? 0,
      at,
      pieces: 0,
      bytes: 0,
      promptTokens: numberOf(script, 'in', 10),
      outputTokens: numberOf(script, 'out', 5),
      complete: false,
      closedAt: undefined,
      blockedMs: 0,
    }
    served.push(entry)
    response.once('close', () => {
      entry.closedAt = performance.now()
    })
    return {
      request,
      response,
      script,
      stream: asked.stream === true,
      wantsUsage: asked.stream_options?.include_usage === true,
      served: entry,
      canary: `http://127.0.0.1:${(second.address() as AddressInfo).port}`,
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/control') return control(request, response)
    const isKept = /\/responses\/resp_/.test(request.url ?? '')
    if (request.method === 'GET' && !isKept)
      return void response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o-mini', object: 'model' }] }),
      )
    const turn = await begin(request, response)
    if (isKept) return kept(turn, shelf)
    const play = plays.get(turn.served.model)
    if (play) return play(turn)
    if (await beforeHeaders(turn)) return
    if (converseModel(turn.served.path) !== undefined) return converse(turn)
    if (packAnswer(turn)) return
    const word = Object.keys(faults).find(each => turn.script.has(each))
    if (word) return faults[word]?.(turn, turn.script.get(word) ?? '')
    const mess = turn.script.get('garbage')
    if (mess && turn.stream) return garbage[mess]?.(turn)
    if (/[:/](count_?tokens|input_tokens)$/i.test(turn.served.path)) return countTokens(turn)
    if (turn.served.path.endsWith('/responses')) return responses(turn, shelf)
    if (turn.served.path.endsWith('/responses/compact')) return compact(turn, shelf)
    if (turn.served.path.endsWith('/embeddings')) return embeddings(turn)
    if (/:(batchE|e)mbedContent/.test(turn.served.path)) return embedContent(turn)
    if (turn.served.path.endsWith('/messages')) return messages(turn)
    if (/:(streamG|g)enerateContent/.test(turn.served.path)) return generateContent(turn)
    return chat(turn)
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // A caller who leaves is part of every test, never the vendor's failure.
    response.on('error', () => undefined)
    answer(request, response).catch(() => response.destroy())
  })
  server.on('connection', socket => {
    sockets.set(socket, ++socketCount)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  const second = createServer((request, response) => {
    canary.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`)
    response.end('{}')
  })
  await new Promise<void>(resolve => second.listen(0, '127.0.0.1', resolve))
  await new Promise<void>(resolve =>
    server.listen({ port, host: '127.0.0.1', backlog: 4096 }, resolve),
  )

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    canary,
    behave: (channel, script) => void added.set(channel, script),
    play: (model, answer) => void plays.set(model, answer),
    sockets: () => sockets.size,
    forget: () => {
      served.length = 0
      canary.length = 0
    },
    close: async () => {
      for (const each of [server, second]) {
        each.closeAllConnections()
        await new Promise(resolve => each.close(resolve))
      }
    },
  }
}
