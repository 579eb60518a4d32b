import { Fault } from '@hub/contract'
import {
  collectOutput,
  encodeSocketFault,
  readSocketEvent,
  type SocketEnd,
  steerRefusal,
  withoutSocketHeaders,
  withStreamId,
} from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { RunCall } from '../../relay/context.ts'
import { reserveBytes, returnBytes } from '../../relay/request/body.ts'
import { unreadableFault } from '../../relay/request/unreadable.ts'
import { errorInfo } from '../../relay/response/write.ts'
import type { SocketOperation } from '../accept.ts'
import type { SessionHandler, SocketSession } from '../session.ts'
import { type ConversationMemory, openConversations } from './conversations.ts'
import { type CreateEvent, type CreateSteps, createResponse } from './create.ts'
import { SocketResponse } from './response.ts'

// The vendor's limits: https://developers.openai.com/api/docs/guides/websocket-mode
const runningMax = 16
const streamsMax = 32
const ageMaxMs = 60 * 60 * 1_000
/** Requests that wait for a running one to end. */
const waitingMax = 64

type Parts = {
  /** Serves a posted request. */
  serve: CreateSteps['serve']
  runner(app: App): RunCall
}

/** Responses over a WebSocket. Each request runs through the pipeline of a posted one, whatever its channel is. */
export const responsesOverSocket = ({ serve, runner }: Parts): SocketOperation => ({
  ageMaxMs,
  expired: new Fault('socket.expired'),
  prepare: app => ({
    open: session => new ResponsesSession(app, session, { serve, run: runner(app) }),
    abandon: () => undefined,
  }),
})

type Job = { event: CreateEvent; bytes: number }

class ResponsesSession implements SessionHandler {
  private readonly app: App
  private readonly session: SocketSession
  private readonly serve: CreateSteps['serve']
  private readonly run: RunCall
  private readonly memory: ConversationMemory
  /** Requests in the order of their arrival. */
  private waiting: Job[] = []
  /** The running response of each stream. */
  private readonly running = new Map<string | undefined, SocketResponse>()
  private readonly streamIds = new Set<string>()

  constructor(
    app: App,
    session: SocketSession,
    { serve, run }: { serve: CreateSteps['serve']; run: RunCall },
  ) {
    this.app = app
    this.session = session
    this.serve = serve
    this.run = run
    this.memory = openConversations(app)
    const { request } = session.caller
    request.rawHeaders = withoutSocketHeaders(request.rawHeaders)
  }

  isIdle(): boolean {
    return this.running.size === 0 && this.waiting.length === 0
  }

  encodeEnd(fault: Fault): SocketEnd {
    return { message: this.encodeFault(fault), reason: fault.code }
  }

  private encodeFault(fault: Fault): string {
    return encodeSocketFault(errorInfo({ requestId: String(this.app.ledger.nextId()) }, fault))
  }

  onClose(): void {
    for (const job of this.waiting) returnBytes(this.app, job)
    this.waiting = []
    for (const response of this.running.values()) response.destroy()
    this.memory.clear()
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    if (isBinary)
      return void this.refuse(new Fault('request.invalid', { hint: 'Send text messages.' }))
    const event = readSocketEvent(data)
    if (event.kind === 'processed') return
    if (event.kind === 'steer')
      return void this.session.send(steerRefusal(event.previousResponseId, event.input))
    if (event.kind === 'invalid-stream-id') return void this.refuse(new Fault('socket.stream_id'))
    if (event.kind === 'invalid')
      return void this.refuse(unreadableFault(event.unreadable), event.streamId)
    try {
      this.accept(event)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      this.refuse(error, event.streamId)
    }
  }

  private accept(event: CreateEvent): void {
    const { streamIds } = this
    const retired = this.session.retired()
    if (retired) throw retired
    if (this.waiting.length >= waitingMax)
      throw new Fault('rate.concurrent', {
        hint: `${waitingMax} requests of this connection wait.`,
      })
    if (event.streamId !== undefined && !streamIds.has(event.streamId)) {
      if (streamIds.size === streamsMax)
        throw new Fault('socket.stream_limit', { hint: `The limit is ${streamsMax}.` })
      streamIds.add(event.streamId)
    }
    const job = { event, bytes: 0 }
    reserveBytes(this.app, job, event.body.length)
    this.waiting.push(job)
    this.startNext()
  }

  private refuse(fault: Fault, streamId?: string): void {
    this.session.send(withStreamId(this.encodeFault(fault), streamId))
  }

  /** Starts every request that may run: one of each stream, in order. */
  private startNext(): void {
    while (this.running.size < runningMax) {
      const at = this.waiting.findIndex(({ event }) => !this.running.has(event.streamId))
      if (at === -1) return
      const [job] = this.waiting.splice(at, 1)
      void this.start(job!)
    }
  }

  private async start({ event, bytes }: Job): Promise<void> {
    const { app, session, memory, serve } = this
    const { streamId } = event
    const output = collectOutput()
    const response = new SocketResponse(session, streamId, output)
    this.running.set(streamId, response)
    const requestId = String(app.ledger.nextId())
    const { request } = session.caller
    await this.run({ request, response, requestId }, (_app, context) => {
      context.body.bytes = bytes
      return createResponse(app, context, { event, memory, output, serve })
    })
    this.running.delete(streamId)
    this.startNext()
    session.closeIfIdle()
  }
}
