import { Fault } from '@hub/contract'
import {
  audioInputTokens,
  cancelResponse,
  encodeRealtimeFault,
  noUsage,
  outputTokens,
  type RealtimeEvent,
  readRealtimeEvent,
  type Usage,
} from '@hub/dialects'
import type { CallResult, Finish } from '../../../billing/open-hold.ts'
import type { App } from '../../../core/app.ts'
import type { CallContext } from '../../context.ts'
import { errorInfo } from '../../response/write.ts'
import { closeCodes, type SessionHandler, type SocketSession } from '../session.ts'
import type { UpstreamSocket } from './connect.ts'
import type { RealtimeTurn } from './turn.ts'

/** Above this the sender is paused until the receiver has read. */
const bufferedMax = 4 * 1024 * 1024

/** Messages of the vendor that wait for a charge; above it the vendor is paused. */
const queueMax = 64

export type RealtimeParts = {
  session: SocketSession
  upstream: UpstreamSocket
  /** The turn that was opened with the session. */
  turn: RealtimeTurn
  call: CallContext
  /** Opens the next turn, for a prompt of this many tokens. */
  openTurn(promptTokens: number): RealtimeTurn
  /** Charges a transcription, which is a call of its own. */
  chargeTranscription(usage: Usage, model: string | undefined, isEstimated: boolean): Promise<void>
}

/**
 * Relays the messages of a session both ways. Each response is charged before its end is passed on, and the next one is
 * reserved before anything else is.
 */
export class RealtimeSession implements SessionHandler {
  private readonly app: App
  private readonly parts: RealtimeParts
  private turn: RealtimeTurn
  private call: CallContext
  /** Messages of the vendor that wait for a charge. */
  private readonly queue: { text: string; isBinary: boolean }[] = []
  private isDraining = false
  private isOver = false
  private readonly running = new Set<string>()
  private readonly charged = new Set<string>()
  /** Output of the running responses, by the gateway's count. */
  private made = noUsage()
  /** Tokens of the conversation so far, and what the caller sent since. */
  private conversationTokens = 0
  private sentAudio = 0
  private sentText = 0
  private transcriptionModel: string | undefined

  constructor(app: App, parts: RealtimeParts) {
    this.app = app
    this.parts = parts
    this.turn = parts.turn
    this.call = parts.call
    this.watch(parts.call)
    const { socket } = parts.upstream
    socket.on('message', (data, isBinary) => {
      if (this.queue.push({ text: String(data), isBinary }) > queueMax) socket.pause()
      void this.drain()
    })
    socket.on('close', () => this.onUpstreamClose())
    socket.resume()
  }

  isIdle(): boolean {
    return this.running.size === 0 && this.queue.length === 0
  }

  encodeFault(fault: Fault): string {
    return encodeRealtimeFault(errorInfo({ requestId: String(this.app.ledger.nextId()) }, fault))
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    const { session, upstream } = this.parts
    if (data.includes('input_audio_buffer.append')) this.sentAudio += data.length
    else this.sentText += data.length
    upstream.socket.send(data, { binary: isBinary }, () => session.resume())
    if (upstream.socket.bufferedAmount > bufferedMax) session.pause()
  }

  /** The caller has left, or its session was closed. */
  onClose(): void {
    this.finish('caller-left')
  }

  private onUpstreamClose(): void {
    if (this.isOver) return
    const fault = new Fault('upstream.broken', { detail: 'the vendor closed the session' })
    this.finish('upstream-broke')
    this.parts.session.close(fault, closeCodes.failed)
  }

  /** Charges a response that was not finished by what was delivered of it, and releases the next one's hold. */
  private finish(finish: Finish): void {
    if (this.isOver) return
    this.isOver = true
    this.parts.upstream.socket.close()
    const hasOutput = outputTokens(this.made) > 0
    void this.turn
      .end(hasOutput ? this.result(undefined, finish) : undefined)
      .catch(() => undefined)
  }

  private watch(call: CallContext): void {
    this.call = call
    call.onAbort = () => {
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
        if (next.isBinary) continue
        await this.relay(next.text)
        if (session.bufferedAmount() > bufferedMax) upstream.socket.pause()
      }
    } catch (error) {
      this.cut(error instanceof Fault ? error : new Fault('server.failed', { cause: error }))
    } finally {
      this.isDraining = false
      if (upstream.socket.isPaused && session.bufferedAmount() <= bufferedMax)
        upstream.socket.resume()
      session.closeIfIdle()
    }
  }

  private async relay(text: string): Promise<void> {
    const event = readRealtimeEvent(text)
    const { upstream } = this.parts
    if (event.kind === 'session') this.transcriptionModel = event.transcriptionModel
    if (event.kind === 'created') this.running.add(event.responseId)
    if (event.kind === 'delta') await this.count(event)
    if (event.kind === 'transcribed')
      await this.parts.chargeTranscription(event.usage, this.transcriptionModel, event.isEstimated)
    const isCharged = event.kind === 'done' && (await this.charge(event))
    if (this.isOver) return
    this.parts.session.send(text, () => upstream.socket.resume())
    if (isCharged && !this.parts.session.retired()) await this.reserveNext()
  }

  /** Counts output as it is made. The hold is extended with it, or the session is cut. */
  private async count({ audioTokens, textTokens }: RealtimeEvent & { kind: 'delta' }) {
    const { made, call } = this
    call.firstByteAt ??= this.app.monotonic()
    made.audioOutput += audioTokens
    made.output += textTokens
    const progress = call.hold.progress(this.billedModel(), this.estimate())
    if (progress === 'cut') throw new Fault('stream.quota')
    if (progress === 'failed') throw new Fault('server.ledger')
    if (progress !== 'go') await progress
  }

  /** Charges a response once. */
  private async charge({ responseId, usage }: RealtimeEvent & { kind: 'done' }): Promise<boolean> {
    this.running.delete(responseId)
    if (this.charged.has(responseId)) return false
    this.charged.add(responseId)
    const isUsed = typeof usage === 'object' || outputTokens(this.made) > 0
    const result = isUsed ? this.result(usage, 'complete') : undefined
    if (typeof usage === 'object')
      this.conversationTokens =
        usage.input + usage.cacheRead + usage.audioInput + outputTokens(usage)
    await this.turn.end(result)
    this.made = noUsage()
    this.sentAudio = 0
    this.sentText = 0
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
    const { session, upstream } = this.parts
    if (this.running.size > 0) upstream.socket.send(cancelResponse)
    this.finish('cut')
    session.close(fault, closeCodes.policy)
  }

  private billedModel(): string {
    return this.parts.upstream.attempt.billedModel
  }

  private estimate(): Usage {
    const { made, conversationTokens, sentAudio, sentText } = this
    return {
      ...made,
      input: Math.ceil(sentText / 4),
      cacheRead: conversationTokens,
      audioInput: audioInputTokens(sentAudio),
    }
  }

  private result(reported: Usage | 'broken' | undefined, finish: Finish): CallResult {
    const { call, app, parts } = this
    const isReported = typeof reported === 'object'
    if (!isReported && finish === 'complete')
      app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage_broken' : 'usage_missing' })
    return {
      model: this.billedModel(),
      requestedModel: call.parsed.model,
      channelId: parts.upstream.attempt.channel.id,
      usage: isReported ? reported : this.estimate(),
      estimated: !isReported,
      finish,
      stream: true,
      firstByteMs: Math.round((call.firstByteAt ?? app.monotonic()) - call.startedAt),
      warnings: [],
    }
  }
}
