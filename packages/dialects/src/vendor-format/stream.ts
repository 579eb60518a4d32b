import type { ChatEvent, FinishReason, Part, ReportedUsage } from '../canon.ts'
import type { StreamDecoder } from '../dialect.ts'
import { isJsonObject, type Json } from '../json/json.ts'

/** Writes the events of one choice in order, and opens a part where the last one has another type. */
export type PartWriter = {
  start(id: string, model: string): void
  text(text: string): void
  thinking(text: string): void
  toolCall(call: { id: string; name: string; input?: string }): void
  /** More of the latest tool call's input. */
  toolInput(text: string): void
  usage(reportedUsage: ReportedUsage): void
  finish(reason: FinishReason): void
  /** No event follows it. */
  fail(failure: { message: string; type?: string; code?: string }): void
  /** The frame does not belong to the format. */
  malformed(): void
}

/**
 * Decodes the stream of a vendor's private format. `onFrame` receives the JSON object and the name of each frame. The
 * stream is complete if it ends after a finish; bytes after the finish may still report usage.
 */
export const decodeVendorFrames = (
  emit: (event: ChatEvent) => void,
  onFrame: (frame: Json, write: PartWriter, event: string) => void,
): StreamDecoder => {
  const decoder = new VendorStreamDecoder(emit)
  return {
    pushFrame: (data, event) => {
      if (decoder.isOver || endMarkers.has(data)) return
      const frame = parse(data)
      if (frame) onFrame(frame, decoder, event)
      else decoder.malformed()
    },
    end: () => decoder.end(),
    mayBeComplete: () => decoder.hasFinished,
    malformedFrames: () => decoder.malformedCount,
  }
}

/** The second one is JSON. */
const endMarkers: ReadonlySet<string> = new Set(['[DONE]', '"[DONE]"'])

class VendorStreamDecoder implements PartWriter {
  isOver = false
  hasFinished = false
  malformedCount = 0
  private readonly emitEvent: (event: ChatEvent) => void
  private hasStarted = false
  private partCount = 0
  private openType: Part['type'] | undefined

  constructor(emit: (event: ChatEvent) => void) {
    this.emitEvent = emit
  }

  start(id: string, model: string): void {
    if (this.hasStarted) return
    this.hasStarted = true
    this.emitEvent({ type: 'start', id, model })
  }

  text(text: string): void {
    this.append({ type: 'text', text: '' }, text)
  }

  thinking(text: string): void {
    this.append({ type: 'thinking', text: '' }, text)
  }

  toolCall({ id, name, input = '' }: { id: string; name: string; input?: string }): void {
    this.open({ type: 'tool-call', id, name, input: '' })
    this.toolInput(input)
  }

  toolInput(text: string): void {
    if (this.openType !== 'tool-call') this.malformed()
    else if (text !== '') this.emit({ type: 'delta', index: this.partCount - 1, text })
  }

  usage(reportedUsage: ReportedUsage): void {
    this.emit({ type: 'usage', reportedUsage })
  }

  finish(reason: FinishReason): void {
    if (this.hasFinished) return
    this.emit({ type: 'finish', finish: { reason } })
    this.hasFinished = true
  }

  fail({ message, type = '', code = '' }: { message: string; type?: string; code?: string }): void {
    this.emit({ type: 'failure', failure: { message, type, code } })
    this.isOver = true
  }

  malformed(): void {
    this.malformedCount += 1
  }

  end(): void {
    if (this.isOver) return
    if (this.hasFinished) this.emit({ type: 'end' })
    else
      this.fail({ message: 'The stream ended before the answer was whole.', type: 'stream_broken' })
    this.isOver = true
  }

  private append(part: Part, text: string): void {
    if (text === '') return
    if (this.openType !== part.type) this.open(part)
    this.emit({ type: 'delta', index: this.partCount - 1, text })
  }

  private open(part: Part): void {
    this.emit({ type: 'part', index: this.partCount, part })
    this.partCount += 1
    this.openType = part.type
  }

  private emit(event: ChatEvent): void {
    this.start('', '')
    this.emitEvent(event)
  }
}

const parse = (data: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(data)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
