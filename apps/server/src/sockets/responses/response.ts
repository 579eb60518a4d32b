import { Writable } from 'node:stream'
import { frameReader, type OutputCollector, socketError, withStreamId } from '@hub/dialects'
import type { SocketSession } from '../session.ts'

/**
 * The response of one call over a WebSocket: each server-sent event becomes a message, and an HTTP error an `error`
 * event. A write is done when the kernel has its messages, which is the back-pressure of the socket.
 */
export class SocketResponse extends Writable {
  /** A message was sent. A head alone is not visible, so that an error may still replace the stream. */
  headersSent = false
  readonly socket = null
  readonly chunkedEncoding = false
  private status = 200
  private retryAfter: string | undefined
  private readonly refusal: Buffer[] = []
  private readonly session: SocketSession
  private readonly streamId: string | undefined
  private readonly output: OutputCollector
  private readonly reader = frameReader('sse', data => this.messages.push(data))
  private messages: string[] = []

  constructor(session: SocketSession, streamId: string | undefined, output: OutputCollector) {
    super()
    this.session = session
    this.streamId = streamId
    this.output = output
  }

  writeHead(status: number, headers: readonly string[]): void {
    this.status = status
    const at = headers.indexOf('retry-after')
    this.retryAfter = at === -1 ? undefined : headers[at + 1]
  }

  override _write(chunk: Buffer, _encoding: string, onWritten: () => void): void {
    if (this.status >= 400) {
      this.refusal.push(chunk)
      return void onWritten()
    }
    this.reader.push(chunk)
    this.flush(onWritten)
  }

  override _final(onWritten: () => void): void {
    if (this.status >= 400) {
      const headers: Record<string, string> =
        this.retryAfter === undefined ? {} : { 'retry-after': this.retryAfter }
      const body = Buffer.concat(this.refusal).toString()
      return void this.send([socketError(this.status, body, headers)], onWritten)
    }
    this.reader.end()
    this.flush(onWritten)
  }

  override _destroy(error: Error | null, onDestroyed: (error?: Error | null) => void): void {
    // A call that cannot be ended in order takes its connection along, as it does over HTTP.
    if (!this.writableFinished) this.session.terminate()
    onDestroyed(error)
  }

  private flush(onWritten: () => void): void {
    const { messages } = this
    this.messages = []
    // A failed response has its error in `response.failed`. The `error` event before it would be a second end.
    this.send(
      messages.filter(each => !isErrorEvent(each)),
      onWritten,
    )
  }

  private send(messages: readonly string[], onWritten: () => void): void {
    if (messages.length === 0) return void onWritten()
    this.headersSent = true
    for (const [index, each] of messages.entries()) {
      this.output.observe(each)
      const onSent = index === messages.length - 1 ? onWritten : undefined
      this.session.send(withStreamId(each, this.streamId), onSent)
    }
  }
}

const isErrorEvent = (message: string): boolean => message.startsWith('{"type":"error"')
