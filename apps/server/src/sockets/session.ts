import type { Fault } from '@hub/contract'
import type { SocketEnd } from '@hub/dialects'
import { WebSocket } from 'ws'
import type { App } from '../core/app.ts'
import { timers } from '../core/timers.ts'
import type { Timer } from '../lib/time/timers.ts'
import type { CallerSource } from '../relay/auth/identify.ts'
import { renewedLeases } from '../relay/limits/leases.ts'
import type { Lease } from '../state/index.ts'

/** Proxies cut connections that are silent for a minute. */
const pingMs = 20_000
/** A peer that answers none of these pings is gone. */
const missedPingsMax = 3

// https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1
export const closeCodes = { normal: 1000, goingAway: 1001, policy: 1008, failed: 1011 } as const

/** The parts of a session that depend on the operation. */
export type SessionHandler = {
  /** Takes a message; text as bytes. */
  onMessage(data: Buffer, isBinary: boolean): void
  /** Aborts what still runs. The connection is closed already. */
  onClose(): void
  /** Nothing runs, so that the connection may be closed without harm. */
  isIdle(): boolean
  /** The channel that the whole session depends on; absent where each request chooses its own. */
  channelId?(): number
  /** The last message of the session, if there is one for the error, and the reason in the close frame. */
  encodeEnd(fault: Fault): SocketEnd
}

export type SessionFields = {
  socket: WebSocket
  caller: CallerSource
  /** Holds the session's place among those of its token. */
  lease: Lease
  /** The connection ends after this, as at the vendor. */
  ageMaxMs: number
  /** The error of a connection that is too old. */
  expired: Fault
}

type End = { fault: Fault; code: number }

/** A close frame has 123 bytes for the reason: https://www.rfc-editor.org/rfc/rfc6455#section-5.5 */
const fittingReason = (text: string): string => {
  let reason = text
  while (Buffer.byteLength(reason) > 123) reason = reason.slice(0, -1)
  return reason
}

/** One WebSocket of a caller: its pings, its age, its place among those of its token, and its end. */
export class SocketSession {
  /** Index in the list of sessions; -1 outside. */
  listIndex = -1
  readonly caller: CallerSource
  private readonly app: App
  private readonly socket: WebSocket
  private readonly lease: Lease
  private readonly pingTimer: Timer
  private readonly ageTimer: Timer
  private handler: SessionHandler | undefined
  private missedPings = 0
  private end: End | undefined
  private readonly onEnd: (session: SocketSession) => void

  constructor(app: App, fields: SessionFields, onEnd: (session: SocketSession) => void) {
    const { socket, caller, lease, ageMaxMs, expired } = fields
    this.app = app
    this.socket = socket
    this.caller = caller
    this.lease = lease
    this.onEnd = onEnd
    this.pingTimer = timers(app).start(pingMs, () => this.ping())
    this.ageTimer = timers(app).start(ageMaxMs, () => this.retire(expired, closeCodes.normal))
    renewedLeases(app).add(lease)
    socket.on('pong', () => this.onAlive())
    socket.on('message', (data, isBinary) => this.onMessage(data as Buffer, isBinary))
    socket.on('close', () => this.onClose())
    // `close` follows, and says everything.
    socket.on('error', () => undefined)
  }

  start(handler: SessionHandler): void {
    this.handler = handler
  }

  /** Sends a text. `onSent` runs when the kernel has it, or the connection is gone. */
  send(text: string, onSent?: () => void): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text, onSent)
    else onSent?.()
  }

  /** Sends a message as it came. */
  forward(data: Buffer, isBinary: boolean, onSent: () => void): void {
    if (this.socket.readyState === WebSocket.OPEN)
      this.socket.send(data, { binary: isBinary }, onSent)
    else onSent()
  }

  channelId(): number | undefined {
    return this.handler?.channelId?.()
  }

  bufferedAmount(): number {
    return this.socket.bufferedAmount
  }

  /** Reads nothing more from the caller until `resume`. */
  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    if (this.socket.isPaused) this.socket.resume()
  }

  /** The error that ends the session as soon as it is idle; undefined while it accepts requests. */
  retired(): Fault | undefined {
    return this.end?.fault
  }

  /** Ends the session once nothing runs on it. */
  retire(fault: Fault, code: number): void {
    this.end ??= { fault, code }
    this.closeIfIdle()
  }

  /** Call this when something ended on the session. */
  closeIfIdle(): void {
    if (this.end && this.handler?.isIdle()) this.close(this.end.fault, this.end.code)
  }

  /** Reports the error and closes, whatever runs. */
  close(fault: Fault, code: number): void {
    if (this.socket.readyState !== WebSocket.OPEN) return
    const { message, reason = fault.code } = this.handler?.encodeEnd(fault) ?? {}
    if (message !== undefined) this.send(message)
    // The caller's own close frame must be read, or the connection would linger.
    this.resume()
    this.socket.close(code, fittingReason(reason))
    this.handler?.onClose()
  }

  terminate(): void {
    this.socket.terminate()
  }

  private onMessage(data: Buffer, isBinary: boolean): void {
    this.onAlive()
    if (this.socket.readyState === WebSocket.OPEN) this.handler?.onMessage(data, isBinary)
  }

  private onAlive(): void {
    this.missedPings = 0
  }

  private ping(): void {
    if (this.missedPings === missedPingsMax) return void this.terminate()
    this.missedPings++
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping()
    timers(this.app).refresh(this.pingTimer, pingMs)
  }

  private onClose(): void {
    const { app, lease } = this
    timers(app).stop(this.pingTimer)
    timers(app).stop(this.ageTimer)
    renewedLeases(app).remove(lease.id)
    this.onEnd(this)
    this.handler?.onClose()
    app.state
      .release([{ kind: 'lease', key: lease.key, id: lease.id }])
      .catch(error => app.log.warn({ err: error }, 'the place of a WebSocket was not released'))
  }
}
