import { Fault } from '@hub/contract'
import {
  inputTokens,
  noUsage,
  outputTokens,
  type RealtimeEvent,
  type RealtimeReader,
  type SocketEnd,
  type Usage,
} from '@hub/dialects'
import { WebSocket } from 'ws'
import type { CallResult, Finish } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import type { Timer } from '../../lib/time/timers.ts'
import type { CallContext } from '../../relay/context.ts'
import { checkMessage } from '../../relay/links/check-message.ts'
import { forwardedTurn } from '../../relay/response/left/forwarded.ts'
import { errorInfo } from '../../relay/response/write.ts'
import { closeCodes, type SessionHandler } from '../session.ts'
import type { SocketMessage } from './connect.ts'
import {
  abnormal,
  bufferedMax,
  invalidMessage,
  queueMax,
  type RealtimeFields,
  readOnMs,
} from './fields.ts'
import { recordReasoning, type SeenResponse, withHiddenReasoning } from './hidden-reasoning.ts'
import type { RealtimeTurn } from './turn.ts'
import { estimateTurn, turnResult } from './turn-result.ts'

/**
 * Relays the messages of a session both ways. Each response is charged before its end is passed on, and the next one is
 * reserved before anything else is.
 */
export class RealtimeSession implements SessionHandler {
  private readonly app: App
  private readonly parts: RealtimeFields
  private turn: RealtimeTurn
  private call: CallContext
  /** Messages of the vendor that wait for a charge. */
  private readonly queue: SocketMessage[]
  private readonly reader: RealtimeReader
  private isDraining = false
  private isOver = false
  private readonly running = new Set<string>()
  private readonly charged = new Set<string>()
  /** Output of the running responses, by the gateway's count. */
  private made = noUsage()
  /** Tokens of the conversation so far, and what the caller sent since. */
  private conversationTokens = 0
  private sent = { text: 0, audio: 0, image: 0 }
  /** Usage of the running response, where the vendor reports it before the end. */
  private reported: Usage | undefined
  private transcriptionModel: string | undefined
  /** Monotonic milliseconds when the running response was created. */
  private createdAt: number | undefined
  /** The output that was forwarded, once the caller has left. */
  private left: Usage | undefined
  private leftAt = 0
  private readTimer: Timer | undefined

  constructor(app: App, parts: RealtimeFields) {
    this.app = app
    this.parts = parts
    this.turn = parts.turn
    this.call = parts.call
    this.watch(parts.call)
    this.reader = parts.format.openReader()
    const { socket, received } = parts.upstream
    this.queue = received
    socket.removeAllListeners('message')
    socket.on('message', (data, isBinary) => {
      if (this.queue.push({ data: data as Buffer, isBinary }) > queueMax) socket.pause()
      void this.drain()
    })
    socket.on('close', (code, reason) => this.onUpstreamClose(code, String(reason)))
    if (socket.readyState === WebSocket.OPEN) socket.resume()
    else setImmediate(() => this.onUpstreamClose(abnormal, ''))
    void this.drain()
  }

  isIdle(): boolean {
    return this.running.size === 0 && this.queue.length === 0
  }

  channelId(): number {
    return this.parts.upstream.attempt.channel.id
  }

  encodeEnd(fault: Fault): SocketEnd {
    const info = errorInfo({ requestId: String(this.app.ledger.nextId()) }, fault)
    return this.parts.format.encodeEnd(info)
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    const { session, upstream } = this.parts
    if (!this.mayLeave(data)) return
    const { text, audio, image } = this.reader.readSent(data)
    this.sent.text += text
    this.sent.audio += audio
    this.sent.image += image
    upstream.socket.send(data, { binary: isBinary }, () => {
      if (upstream.socket.bufferedAmount <= bufferedMax) session.resume()
    })
    if (upstream.socket.bufferedAmount > bufferedMax) session.pause()
  }

  /** Closes the session where a message names what is not the caller's. */
  private mayLeave(data: Buffer): boolean {
    const { upstream, format } = this.parts
    try {
      checkMessage(upstream.attempt.channel, format.id, data)
      return true
    } catch (error) {
      this.cut(error instanceof Fault ? error : new Fault('server.failed', { cause: error }))
      return false
    }
  }

  private resumeUpstream(): void {
    const { session, upstream } = this.parts
    if (this.queue.length < queueMax && session.bufferedAmount() <= bufferedMax)
      upstream.socket.resume()
  }

  /** The caller has left, or its session was closed. A running response is read on for its usage. */
  onClose(): void {
    if (this.isOver || this.left) return
    if (this.running.size === 0) this.finish('caller-left')
    else this.readOn()
  }

  private readOn(): void {
    const { upstream, format } = this.parts
    this.left = { ...this.made }
    this.leftAt = this.app.monotonic()
    this.readTimer = timers(this.app).start(readOnMs, () => this.finish('caller-left'))
    if (format.cancelMessage) upstream.socket.send(format.cancelMessage)
    upstream.socket.resume()
  }

  private onUpstreamClose(code: number, reason: string): void {
    if (this.isOver) return
    const detail = `the vendor closed the session: ${code} ${reason}`.slice(0, 500)
    const fault =
      code === invalidMessage
        ? new Fault('upstream.caller', { detail, hint: reason })
        : new Fault('upstream.broken', { detail })
    this.finish(this.left ? 'caller-left' : 'upstream-broke')
    const isOrderly = code === closeCodes.normal
    this.parts.session.close(fault, isOrderly ? closeCodes.normal : closeCodes.failed)
  }

  /** Charges a response that was not finished by what was delivered of it, and releases the next one's hold. */
  private finish(finish: Finish, reported?: Usage | 'broken'): void {
    if (this.isOver) return
    this.isOver = true
    if (this.readTimer) timers(this.app).stop(this.readTimer)
    this.parts.upstream.socket.close()
    const known = this.takeOff(typeof reported === 'object' ? reported : this.reported)
    const usage = this.delivered()
    // The vendor has read the prompt of a response that it has begun.
    const isUsed =
      outputTokens(usage) > 0 || usage === known || (this.left && inputTokens(usage) > 0)
    const result = isUsed ? this.result(reported && known, finish) : undefined
    const { left } = this
    const complete = left
      ? withHiddenReasoning(this.app, this.seen(left, this.leftAt), result)
      : Promise.resolve(result)
    void complete.then(each => this.turn.end(each)).catch(() => undefined)
  }

  /** The running response, with this output at a time in monotonic milliseconds. */
  private seen(made: Usage, at: number): SeenResponse {
    const { call, createdAt = at } = this
    const { attempt } = this.parts.upstream
    return { call, attempt, tokens: outputTokens(made), seconds: (at - createdAt) / 1_000 }
  }

  /** Takes off what was read after the caller had left, also of the vendor's figures. */
  private takeOff(reported: Usage | undefined): Usage | undefined {
    const { left, made } = this
    if (!left) return reported
    this.reported = reported && forwardedTurn(reported, { read: made, forwarded: left })
    this.made = left
    return this.reported
  }

  private watch(call: CallContext): void {
    this.call = call
    call.abort.onAbort = () => {
      const { session } = this.parts
      session.close(new Fault('server.stopping', { retryAfterSeconds: 1 }), closeCodes.goingAway)
      this.finish('cut')
    }
  }

  private async drain(): Promise<void> {
    if (this.isDraining) return
    this.isDraining = true
    const { session, upstream } = this.parts
    try {
      for (let next = this.queue.shift(); next && !this.isOver; next = this.queue.shift()) {
        await this.relay(next)
        if (session.bufferedAmount() > bufferedMax) upstream.socket.pause()
      }
    } catch (error) {
      this.cut(error instanceof Fault ? error : new Fault('server.failed', { cause: error }))
    } finally {
      this.isDraining = false
      this.resumeUpstream()
      session.closeIfIdle()
    }
  }

  private async relay({ data, isBinary }: SocketMessage): Promise<void> {
    const { parts } = this
    let isCharged = false
    for (const event of this.reader.read(data.toString()))
      if (await this.observe(event)) isCharged = true
    if (this.isOver) return
    const rewritten = parts.rewrite?.(data)
    const message = rewritten === undefined ? data : Buffer.from(rewritten)
    parts.session.forward(message, isBinary, () => this.resumeUpstream())
    if (isCharged && !parts.session.retired()) await this.reserveNext()
  }

  /** Resolves to true once a response was charged. */
  private async observe(event: RealtimeEvent): Promise<boolean> {
    if (event.kind === 'done' && this.left) {
      this.finish('caller-left', event.usage)
      return false
    }
    if (event.kind === 'done') return this.charge(event)
    if (event.kind === 'session') this.transcriptionModel = event.transcriptionModel
    if (event.kind === 'created') {
      this.running.add(event.responseId)
      this.createdAt = this.app.monotonic()
    }
    if (event.kind === 'delta') await this.count(event)
    if (event.kind === 'usage') {
      this.reported = event.usage
      await this.extendHold()
    }
    if (event.kind === 'transcribed') {
      const { usage, isEstimated } = event
      await this.parts.chargeTranscription(usage, this.transcriptionModel, isEstimated)
    }
    return false
  }

  /** Counts output as it is made. The hold is extended with it, or the session is cut. */
  private async count({ audioTokens, textTokens }: RealtimeEvent & { kind: 'delta' }) {
    this.call.response.firstByteAt ??= this.app.monotonic()
    this.made.audioOutput += audioTokens
    this.made.output += textTokens
    await this.extendHold()
  }

  private async extendHold(): Promise<void> {
    if (this.left) return
    const progress = this.call.hold.progress(this.billedModel(), this.delivered())
    if (progress === 'cut') throw new Fault('stream.quota')
    if (progress === 'failed') throw new Fault('server.ledger', { hint: 'The session ends here.' })
    if (progress !== 'go') await progress
  }

  /** Charges a response once. */
  private async charge(event: RealtimeEvent & { kind: 'done' }): Promise<boolean> {
    const { responseId, usage } = event
    this.running.delete(responseId)
    if (this.charged.has(responseId)) return false
    this.charged.add(responseId)
    const isUsed = typeof usage === 'object' || outputTokens(this.made) > 0
    const result = isUsed ? this.result(usage, 'complete') : undefined
    if (result && event.isEstimated) result.estimated = true
    else if (typeof usage === 'object')
      recordReasoning(this.app, this.seen(this.made, this.app.monotonic()), usage)
    if (typeof usage === 'object')
      this.conversationTokens = inputTokens(usage) + outputTokens(usage)
    await this.turn.end(result)
    this.made = noUsage()
    this.reported = undefined
    this.sent = { text: 0, audio: 0, image: 0 }
    return true
  }

  private async reserveNext(): Promise<void> {
    this.turn = this.parts.openTurn(this.conversationTokens)
    this.watch(await this.turn.ready)
    // The session may have ended meanwhile.
    if (this.isOver) await this.turn.end()
  }

  /** Ends the session where it cannot be charged any more. */
  private cut(fault: Fault): void {
    if (this.isOver) return
    const { session, upstream, format } = this.parts
    const { cancelMessage } = format
    if (this.running.size > 0 && cancelMessage) upstream.socket.send(cancelMessage)
    this.finish('cut')
    session.close(fault, closeCodes.policy)
  }

  private billedModel(): string {
    return this.parts.upstream.attempt.billedModel
  }

  /** The vendor's own report, unless more was delivered since. */
  private delivered(): Usage {
    const { reported, made, sent, conversationTokens } = this
    const { isContextCached } = this.parts.format
    if (reported && outputTokens(reported) >= outputTokens(made)) return reported
    return estimateTurn({ made, sent, conversationTokens, isContextCached })
  }

  private result(reported: Usage | 'broken' | undefined, finish: Finish): CallResult {
    const { attempt } = this.parts.upstream
    const { headersNotPassed } = this.parts.call.upstream
    const usage = typeof reported === 'object' ? reported : this.delivered()
    const turn = { call: this.call, attempt, headersNotPassed, reported, usage, finish }
    return turnResult(this.app, turn)
  }
}
