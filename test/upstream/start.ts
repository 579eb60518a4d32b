import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { keepAlive } from '../harness/addresses/keep-alive.ts'
import { chat } from './dialects/chat.ts'
import { converse, converseModel } from './dialects/converse.ts'
import { embedContent, embeddings } from './dialects/embeddings.ts'
import { fieldRefusal } from './dialects/field-limits.ts'
import { countTokens, generateContent, messages } from './dialects/index.ts'
import { openaiRefusal, type Refusal } from './dialects/openai-rules.ts'
import { operationRefusal } from './dialects/operation-rules.ts'
import { reservedWordRefusal } from './dialects/reserved-words.ts'
import {
  handleCompact,
  handleCreate,
  handleStored,
  type StoredResponses,
} from './dialects/responses.ts'
import { beforeHeaders, faults } from './faults.ts'
import { unusualResponses } from './malformed.ts'
import { applyContentEncoding } from './pack.ts'
import { numberOf, readScript } from './script.ts'
import type { Served, Turn } from './turn.ts'

export type { Served } from './turn.ts'

export type Upstream = {
  url: string
  served: Served[]
  /** Requests to the host that a redirect points to: must stay empty. */
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

type State = {
  served: Served[]
  canary: string[]
  canaryUrl: string
  channelScripts: Map<string, string>
  plays: Map<string, Play>
  storedResponses: StoredResponses
  /** Open sockets with their numbers. */
  sockets: Map<Socket, number>
  requestCount: number
}

/** `POST /control` sets the script of a channel; any method returns the counters. */
const control = async (state: State, request: IncomingMessage, response: ServerResponse) => {
  if (request.method === 'POST') {
    const { channel, script } = JSON.parse((await readBody(request)).toString())
    state.channelScripts.set(channel, script)
  }
  response.end(
    JSON.stringify({
      served: state.served.length,
      complete: state.served.filter(each => each.complete).length,
      sockets: state.sockets.size,
    }),
  )
}

const channelPattern =
  /^\/([^/]*)\/(?:v1(?:beta)?\/)?(?:chat|completions|embeddings|messages|models?|responses)/

/** Gemini's paths have the model, and those of Bedrock too. */
const modelOfPath = (path: string): string => {
  const [, name, id = ''] = /\/models\/([^:]+):|\/model\/([^/]+)\/invoke/.exec(path) ?? []
  return name ?? decodeURIComponent(id)
}

const begin = async (
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Turn> => {
  const at = performance.now()
  const body = await readBody(request)
  const fields = parse(body)
  const path = request.url ?? '/'
  const channel = channelPattern.exec(path)?.[1] ?? ''
  const model = fields.model ?? converseModel(path) ?? modelOfPath(path)
  const script = readScript(model, state.channelScripts.get(channel))
  state.requestCount += 1
  const entry: Served = {
    n: state.requestCount,
    channel,
    path,
    model,
    mark: fields.user ?? '',
    credential: request.headers.authorization ?? '',
    headers: request.headers,
    body,
    socket: state.sockets.get(request.socket) ?? 0,
    at,
    pieces: 0,
    bytes: 0,
    promptTokens: numberOf(script, 'in', 10),
    outputTokens: numberOf(script, 'out', 5),
    complete: false,
    closedAt: undefined,
    blockedMs: 0,
  }
  state.served.push(entry)
  response.once('close', () => {
    entry.closedAt = performance.now()
  })
  return {
    request,
    response,
    script,
    stream: fields.stream === true,
    wantsUsage: fields.stream_options?.include_usage === true,
    served: entry,
    canary: state.canaryUrl,
  }
}

const answer = async (state: State, request: IncomingMessage, response: ServerResponse) => {
  if (request.url === '/control') return control(state, request, response)
  const isStored = /\/responses\/resp_/.test(request.url ?? '')
  if (request.method === 'GET' && !isStored)
    return void response.end(
      JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o-mini', object: 'model' }] }),
    )
  const turn = await begin(state, request, response)
  const { path, headers, body } = turn.served
  const refusal =
    openaiRefusal(path, body) ??
    operationRefusal(path, body) ??
    fieldRefusal(path, body) ??
    reservedWordRefusal(path, headers, body)
  if (refusal) return refuse(turn, refusal)
  if (isStored) return handleStored(turn, state.storedResponses)
  const play = state.plays.get(turn.served.model)
  if (play) return play(turn)
  if (await beforeHeaders(turn)) return
  if (converseModel(turn.served.path) !== undefined) return converse(turn)
  if (applyContentEncoding(turn)) return
  const word = Object.keys(faults).find(each => turn.script.has(each))
  if (word) return faults[word]?.(turn, turn.script.get(word) ?? '')
  const malformed = turn.script.get('garbage')
  if (malformed && turn.stream) return unusualResponses[malformed]?.(turn)
  return answerByPath(state, turn)
}

/** Bedrock's address of a model, with a body of the Messages API. */
const isMessagesInvoke = ({ served: { path, body } }: Turn): boolean =>
  /\/model\/[^/]+\/invoke$/.test(path) && body.includes('"messages"')

const refuse = ({ response }: Turn, { status, body }: Refusal) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const answerByPath = (state: State, turn: Turn) => {
  const { path } = turn.served
  if (/[:/](count_?tokens|input_tokens)$/i.test(path)) return countTokens(turn)
  if (path.endsWith('/responses')) return handleCreate(turn, state.storedResponses)
  if (path.endsWith('/responses/compact')) return handleCompact(turn, state.storedResponses)
  if (path.endsWith('/embeddings')) return embeddings(turn)
  if (/:(batchE|e)mbedContent/.test(path)) return embedContent(turn)
  if (path.endsWith('/messages') || isMessagesInvoke(turn)) return messages(turn)
  if (/:(streamG|g)enerateContent/.test(path)) return generateContent(turn)
  return chat(turn)
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Starts the host that no request may reach. */
const startCanary = async (canary: string[]): Promise<Server> => {
  const server = createServer(keepAlive, (request, response) => {
    canary.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`)
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

const startServer = async (state: State, port: number): Promise<Server> => {
  const server = createServer(keepAlive, (request, response) => {
    // A client that disconnects is part of every test, never a failure of the vendor.
    response.on('error', () => undefined)
    answer(state, request, response).catch(() => response.destroy())
  })
  let socketCount = 0
  server.on('connection', socket => {
    state.sockets.set(socket, ++socketCount)
    socket.on('error', () => undefined)
    socket.once('close', () => state.sockets.delete(socket))
  })
  await new Promise<void>(resolve =>
    server.listen({ port, host: '127.0.0.1', backlog: 4096 }, resolve),
  )
  return server
}

/** Starts a vendor whose behaviour is scripted by the names of its models. */
export const startUpstream = async (port = 0): Promise<Upstream> => {
  const canary: string[] = []
  const canaryServer = await startCanary(canary)
  const state: State = {
    served: [],
    canary,
    canaryUrl: urlOf(canaryServer),
    channelScripts: new Map(),
    plays: new Map(),
    storedResponses: new Map(),
    sockets: new Map(),
    requestCount: 0,
  }
  const server = await startServer(state, port)
  return {
    url: urlOf(server),
    served: state.served,
    canary,
    behave: (channel, script) => void state.channelScripts.set(channel, script),
    play: (model, play) => void state.plays.set(model, play),
    sockets: () => state.sockets.size,
    forget: () => {
      state.served.length = 0
      canary.length = 0
    },
    close: async () => {
      for (const each of [server, canaryServer]) {
        each.closeAllConnections()
        await new Promise(resolve => each.close(resolve))
      }
    },
  }
}
