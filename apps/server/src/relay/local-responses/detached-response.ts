import { Writable } from 'node:stream'
import type { CallerResponse } from '../call-state.ts'

/**
 * The response of a call in the background. It passes a stream on while its caller reads, and discards everything once
 * the caller has left, so that the call goes on.
 */
export class DetachedResponse extends Writable {
  headersSent = false
  readonly socket = null
  readonly chunkedEncoding = false
  private caller: CallerResponse | undefined
  /** Continues once the caller reads again, or has left. */
  private onReady: (() => void) | undefined

  constructor(caller: CallerResponse | undefined) {
    super({ autoDestroy: false })
    this.caller = caller
    caller?.on('drain', () => this.ready())
    caller?.on('close', () => {
      this.caller = undefined
      this.ready()
    })
  }

  writeHead(status: number, headers: string[]): void {
    this.headersSent = true
    this.caller?.writeHead(status, headers)
  }

  override _write(chunk: Buffer, _encoding: string, onWritten: () => void): void {
    if (!this.caller || this.caller.write(chunk)) return void onWritten()
    this.onReady = onWritten
  }

  override _final(onEnded: () => void): void {
    this.caller?.end()
    onEnded()
  }

  /** Disconnects a caller who does not read. The call itself goes on. */
  override destroy(): this {
    this.caller?.destroy()
    return this
  }

  private ready(): void {
    const { onReady } = this
    this.onReady = undefined
    onReady?.()
  }
}
