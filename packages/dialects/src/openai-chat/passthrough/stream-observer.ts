import type { StreamObserver } from '../../dialect.ts'
import { type Emptiness, trackEmptiness } from '../../empty-answers/emptiness.ts'
import type { FrameAction, FrameObserver } from '../../framing/frame-observer.ts'
import { sseStreamObserver } from '../../framing/sse-stream-observer.ts'
import { type Cursor, cursorOf, rewind } from '../../json/cursor.ts'
import { weightedCharsInJson } from '../../meter.ts'
import type { ParsedRequest } from '../../parsed-request.ts'
import type { AnswerIds } from '../../references/answer-ids.ts'
import type { Usage } from '../../usage.ts'
import { decodeUsage, withTier } from '../usage.ts'
import { readEmptiness } from './emptiness.ts'
import {
  type ChatFrame,
  emptyFrame,
  hasCount,
  inspectFrame,
  tierIn,
  weightedCharsOf,
} from './inspect-frame.ts'

type StreamRequest = Pick<ParsedRequest, 'wantsUsage' | 'n'>

export const observeStream = (request: StreamRequest): StreamObserver =>
  sseStreamObserver(new ChatFrameObserver(request))

/** Removes the usage that the gateway requested and the caller did not. */
class ChatFrameObserver implements FrameObserver {
  readonly omittedClosing = Buffer.from('data: [DONE]\n\n')
  private readonly wantsUsage: boolean
  /** The number of choices that the caller requested. */
  private readonly n: number
  private readonly frame: ChatFrame = emptyFrame()
  private cursor: Cursor | undefined
  private reportedUsage: Buffer | undefined
  private tier: string | undefined
  private readonly audioIds = new Set<string>()
  private readonly empty = trackEmptiness(readEmptiness)
  private weight = 0
  private reasoningWeight = 0
  private audioWeight = 0
  /** The text of the frames that equal the template is reasoning. */
  private isReasoningText = false
  private readonly finishedChoices = new Set<number>()
  /** Output followed the finish of its choice, so that a finish does not mean the end. */
  private repeatsFinish = false

  constructor({ wantsUsage, n }: StreamRequest) {
    this.wantsUsage = wantsUsage
    this.n = n
  }

  observe(bytes: Buffer, start: number, end: number): FrameAction {
    const { frame } = this
    if (isDone(bytes, start, end)) return 'closing'
    if (this.cursor) rewind(this.cursor, bytes, start, end)
    else this.cursor = cursorOf(bytes, start, end)
    if (!inspectFrame(this.cursor, frame)) return 'malformed'
    if (frame.isError) return 'error'
    const weight = weightedCharsOf(frame)
    this.weight += weight
    this.audioWeight += frame.audio
    this.reasoningWeight += weight - frame.answer - frame.audio
    for (const id of frame.audioIds) this.audioIds.add(id)
    if (this.weight === 0) this.empty.observe(bytes, start, end)
    if (frame.finishedChoices.length > 0) this.addFinished(weight > 0)
    if (frame.tierEnd > 0 && (this.tier === undefined || frame.usageEnd > 0))
      this.tier = tierIn(bytes, frame)
    if (frame.usageEnd === 0) return 'forward'
    // Decoded only on demand, because some vendors send it in every frame.
    if (!this.reportedUsage || hasCount(bytes, frame.usageStart, frame.usageEnd))
      this.reportedUsage = Buffer.from(bytes.subarray(frame.usageStart, frame.usageEnd))
    return frame.isChoiceless && !this.wantsUsage ? 'drop' : 'forward'
  }

  cutRange(): ChatFrame | undefined {
    return this.frame.cutEnd > 0 && !this.wantsUsage ? this.frame : undefined
  }

  textRange(): ChatFrame | undefined {
    const { texts, usageEnd, finishedChoices, answer } = this.frame
    if (texts !== 1 || usageEnd !== 0 || finishedChoices.length > 0) return undefined
    this.isReasoningText = answer === 0
    return this.frame
  }

  observeText(bytes: Buffer, start: number, end: number): void {
    const weight = weightedCharsInJson(bytes, start, end)
    this.weight += weight
    if (this.isReasoningText) this.reasoningWeight += weight
  }

  readonly answerIds = (): AnswerIds => ({ items: [], others: [...this.audioIds] })

  mayBeComplete(): boolean {
    return this.finishedChoices.size > 0
  }

  weightedChars(): number {
    return this.weight
  }

  audioChars(): number {
    return this.audioWeight
  }

  answerChars(): number {
    return this.weight - this.reasoningWeight
  }

  usage(): Usage | 'broken' | undefined {
    return this.reportedUsage
      ? withTier(decodeUsage(JSON.parse(this.reportedUsage.toString())), this.tier)
      : undefined
  }

  emptiness = (): Emptiness | undefined => (this.weight > 0 ? undefined : this.empty.current())

  /** Some vendors close the connection after the last frame without `[DONE]`. */
  isFinished(): boolean {
    const hasUsage = !this.wantsUsage || this.reportedUsage !== undefined
    return !this.repeatsFinish && hasUsage && this.finishedChoices.size >= this.n
  }

  /** Some vendors close the connection after `[DONE]` without the blank line that ends a frame. */
  closingOf(rest: Buffer): Buffer | undefined {
    return rest.length > 10 &&
      rest.length < 32 &&
      /^(\uFEFF)?data: ?\[DONE\]\s*$/.test(rest.toString())
      ? Buffer.concat([rest, Buffer.from('\n\n')])
      : undefined
  }

  private addFinished(hasOutput: boolean): void {
    for (const choice of this.frame.finishedChoices) {
      if (hasOutput && this.finishedChoices.has(choice)) this.repeatsFinish = true
      this.finishedChoices.add(choice)
    }
  }
}

const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b &&
  bytes[start + 1] === 0x44 &&
  bytes.toString('latin1', start, end).trim() === '[DONE]'
