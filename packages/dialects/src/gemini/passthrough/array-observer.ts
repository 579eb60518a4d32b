import type { StreamObserver } from '../../dialect.ts'
import { GrowableBuffer } from '../../framing/growable-buffer.ts'
import { frameBytesMax, tooLarge } from '../../framing/sse-stream-observer.ts'
import { frameObserver } from './frame-observer.ts'

const nothing: readonly Buffer[] = []

const beforeArray = 0
const betweenElements = 1
const insideElement = 2
const afterArray = 3
const unreadable = 4

/** Observes a stream without `alt=sse`: one JSON array whose elements are the frames. */
export const observeArray = (): StreamObserver => new ArrayObserver()

class ArrayObserver implements StreamObserver {
  private readonly frames = frameObserver()
  private readonly open = new GrowableBuffer()
  private out: Buffer[] = []
  private held: Buffer | undefined
  private error: unknown
  private malformedCount = 0
  private state = beforeArray
  private hasEnded = false
  /** An element stands outside of an array. */
  private isBare = false
  private readonly position = { depth: 0, isText: false, isEscaped: false, offset: 0 }

  push(chunk: Buffer): readonly Buffer[] {
    if (this.error !== undefined || this.state === unreadable) return nothing
    const { open, position } = this
    let from = 0
    for (let at = 0; at < chunk.length && this.state !== unreadable; at += 1) {
      const wasInside = this.state === insideElement
      if (!wasInside) this.addOuterByte(chunk[at]!)
      else walk(position, chunk[at]!)
      if (!wasInside && this.state === insideElement) position.offset = open.size + at - from
      if (!wasInside || position.depth > 0) continue
      open.add(chunk, from, at + 1)
      from = at + 1
      this.state = betweenElements
      this.addElement(open.take())
      if (this.error !== undefined) break
    }
    if (this.error === undefined && this.state !== unreadable) open.add(chunk, from, chunk.length)
    if (open.size > frameBytesMax) this.error ??= tooLarge
    if (this.out.length === 0) return nothing
    const joined = [this.out.length === 1 ? this.out[0]! : Buffer.concat(this.out)]
    this.out = []
    return joined
  }

  end(): boolean {
    this.hasEnded = true
    return this.isClosed()
  }

  isClosed(): boolean {
    const isComplete = this.state === afterArray && this.frames.isFinished()
    return this.hasEnded && this.error === undefined && isComplete
  }

  mayBeComplete(): boolean {
    return this.frames.mayBeComplete()
  }

  tail(): Buffer {
    if (!this.isClosed()) return Buffer.alloc(0)
    return Buffer.concat([...(this.held ? [this.held] : []), this.open.peek()])
  }

  audioTokens(): number {
    return Math.ceil(this.frames.audioChars() / 4)
  }

  meteredTokens(): number {
    return Math.ceil(this.frames.weightedChars() / 4)
  }

  emptiness() {
    return this.frames.emptiness()
  }

  tools() {
    return this.frames.tools()
  }

  usage() {
    return this.frames.usage()
  }

  failure(): unknown {
    return this.error
  }

  malformedFrames(): number {
    return this.malformedCount
  }

  /** `element` includes the separator before it. */
  private addElement(element: Buffer) {
    const { offset } = this.position
    const action = this.frames.observe(element, offset, element.length)
    if (action === 'error') {
      this.error = JSON.parse(element.toString('utf8', offset))
      return
    }
    // A client cannot parse the rest of the array after a dropped element, or an element outside of an array.
    if (this.isBare || (action !== 'forward' && action !== 'hold')) return this.markUnreadable()
    if (this.held) this.out.push(this.held)
    this.held = action === 'hold' ? element : undefined
    if (action === 'forward') this.out.push(element)
  }

  private addOuterByte(byte: number) {
    if (isBlank(byte)) return
    const { state } = this
    if (state === beforeArray && byte === 0x7b) this.isBare = true
    if (state === beforeArray && byte === 0x5b) this.state = betweenElements
    else if (state !== afterArray && byte === 0x7b) this.beginElement()
    else if (state === betweenElements && byte === 0x5d) this.state = afterArray
    else if (!(state === betweenElements && byte === 0x2c)) this.markUnreadable()
  }

  private beginElement() {
    this.state = insideElement
    this.position.depth = 1
  }

  private markUnreadable() {
    this.malformedCount += 1
    this.state = unreadable
  }
}

/** Tracks depth and strings for one byte inside an element. */
const walk = (position: { depth: number; isText: boolean; isEscaped: boolean }, byte: number) => {
  if (position.isText) {
    if (position.isEscaped) position.isEscaped = false
    else if (byte === 0x5c) position.isEscaped = true
    else if (byte === 0x22) position.isText = false
  } else if (byte === 0x22) position.isText = true
  else if (byte === 0x7b || byte === 0x5b) position.depth += 1
  else if (byte === 0x7d || byte === 0x5d) position.depth -= 1
}

/** White space, or a byte of the UTF-8 byte order mark. */
const isBlank = (byte: number): boolean =>
  byte === 0x20 ||
  byte === 0x0a ||
  byte === 0x0d ||
  byte === 0x09 ||
  byte === 0xef ||
  byte === 0xbb ||
  byte === 0xbf
