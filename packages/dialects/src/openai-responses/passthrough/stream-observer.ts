import type { StreamObserver } from '../../dialect.ts'
import { type Emptiness, trackEmptiness } from '../../empty-answers/emptiness.ts'
import type { FrameAction, FrameObserver } from '../../framing/frame-observer.ts'
import { sseStreamObserver } from '../../framing/sse-stream-observer.ts'
import { type Cursor, cursorOf, isWord, isWritten, rewind } from '../../json/cursor.ts'
import { isJsonObject } from '../../json/json.ts'
import { type AnswerIds, addItemIds, noAnswerIds } from '../../references/answer-ids.ts'
import type { ToolCounts, Usage } from '../../usage.ts'
import { failedFrame } from '../errors.ts'
import { countTool } from '../usage.ts'
import { openingTypes, readEmptiness } from './emptiness.ts'
import { emptyFrame, inspect, type ResponseFrame } from './inspect-frame.ts'
import { stringAt, usageWithTools } from './read-usage.ts'

export const observeStream = (): StreamObserver => sseStreamObserver(new ResponsesFrameObserver())

/** Events that end a stream with usage. A failed response is an error instead. */
const closingTypes = ['response.completed', 'response.incomplete', 'response.cancelled'] as const

class ResponsesFrameObserver implements FrameObserver {
  private readonly frame: ResponseFrame = emptyFrame()
  private readonly toolCalls = new Map<string, number>()
  private cursor: Cursor | undefined
  private reportedUsage: Buffer | undefined
  private toolUsage: Buffer | undefined
  private tier: string | undefined
  private readonly empty = trackEmptiness(readEmptiness)
  private weight = 0
  private id: string | undefined
  private readonly ids = noAnswerIds()
  private isPartDone = false
  /** The last frame was an `error` event, behind which the failed response follows. */
  private isError = false

  observe(bytes: Buffer, start: number, end: number): FrameAction {
    const { frame } = this
    if (this.cursor) rewind(this.cursor, bytes, start, end)
    else this.cursor = cursorOf(bytes, start, end)
    // Some vendors append the `[DONE]` frame of chat.
    if (!inspect(this.cursor, frame)) return isDone(bytes, start, end) ? 'drop' : 'malformed'
    this.isError = frame.typeEnd === 0 && frame.isError
    if (frame.typeEnd === 0) return frame.isError ? 'error' : 'malformed'
    this.isPartDone = endsWithDone(bytes, frame.typeEnd)
    if (this.id === undefined && frame.idEnd > 0)
      this.id = stringAt(bytes, frame.idStart, frame.idEnd)
    if (!isType(bytes, frame, 'response.audio.delta')) this.weight += frame.weightedChars
    if (this.weight === 0 && !openingTypes.some(each => isType(bytes, frame, each)))
      this.empty.observe(bytes, start, end)
    if (frame.usageEnd > 0) this.rememberUsage(bytes)
    if (frame.itemEnd > 0 && isType(bytes, frame, 'response.output_item.done')) this.readItem(bytes)
    this.isError = isType(bytes, frame, 'error')
    if (this.isError || isType(bytes, frame, 'response.failed')) return 'error'
    return closingTypes.some(each => isType(bytes, frame, each)) ? 'closing' : 'forward'
  }

  mayBeComplete(): boolean {
    return this.isPartDone
  }

  weightedChars(): number {
    return this.weight
  }

  usage(): Usage | 'broken' | undefined {
    return this.reportedUsage
      ? usageWithTools(this.reportedUsage, this.toolUsage, this.toolCalls, this.tier)
      : undefined
  }

  tools = (): ToolCounts => Object.fromEntries(this.toolCalls)

  emptiness = (): Emptiness | undefined => (this.weight > 0 ? undefined : this.empty.current())

  responseId = (): string | undefined => this.id

  answerIds = (): AnswerIds => this.ids

  endOfFailure = (failure: unknown): Buffer | undefined => {
    if (!this.isError || !isJsonObject(failure)) return undefined
    const error = isJsonObject(failure.error) ? failure.error : failure
    return Buffer.from(failedFrame(this.id ?? '', error))
  }

  private rememberUsage(bytes: Buffer): void {
    const { usageStart, usageEnd, toolsStart, toolsEnd, tierStart, tierEnd } = this.frame
    this.reportedUsage = Buffer.from(bytes.subarray(usageStart, usageEnd))
    if (tierEnd > 0) this.tier = stringAt(bytes, tierStart, tierEnd)
    if (toolsEnd > 0) this.toolUsage = Buffer.from(bytes.subarray(toolsStart, toolsEnd))
  }

  private readItem(bytes: Buffer): void {
    const { itemStart, itemEnd } = this.frame
    const item: unknown = JSON.parse(bytes.toString('utf8', itemStart, itemEnd))
    addItemIds(this.ids, item)
    countTool(this.toolCalls, item)
  }
}

const isType = (bytes: Buffer, { typeStart, typeEnd }: ResponseFrame, type: string): boolean =>
  isWord(bytes, typeStart, typeEnd, type)

/** `response.output_text.done`, `response.output_item.done` and their like end a part of the output. */
const endsWithDone = (bytes: Buffer, typeEnd: number): boolean =>
  bytes[typeEnd - 6] === 0x2e && isWritten(bytes, typeEnd - 5, typeEnd - 1, 'done')

const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b && bytes.toString('latin1', start, end).trim() === '[DONE]'
