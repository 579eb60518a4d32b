import { createHash } from 'node:crypto'
import type { ChatRequest, Message, Part } from '../canon.ts'

/**
 * Replaces the ids of tool calls that the vendor refuses, in the call and in its result alike. The same conversation
 * always gets the same ids, so that the vendor's prompt cache still matches.
 */
export const replaceCallIds = (request: ChatRequest, accepted: RegExp): ChatRequest => {
  const ids = new CallIds(accepted)
  const messages = request.messages.map(each => ids.replaceIn(each))
  return ids.hasReplaced ? { ...request, messages } : request
}

class CallIds {
  hasReplaced = false
  private readonly accepted: RegExp
  private readonly used = new Set<string>()
  /** The sent ids of calls without a result so far, by the caller's id. */
  private readonly open = new Map<string, string[]>()
  private callCount = 0

  constructor(accepted: RegExp) {
    this.accepted = accepted
  }

  replaceIn(message: Message): Message {
    if (!message.parts.some(isCallOrResult)) return message
    return { ...message, parts: message.parts.map(each => this.replace(each)) }
  }

  private replace(part: Part): Part {
    if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
    const id = part.type === 'tool-call' ? this.idOfCall(part.id) : this.idOfResult(part.id)
    if (id === part.id) return part
    this.hasReplaced = true
    return { ...part, id }
  }

  private idOfCall(id: string): string {
    this.callCount += 1
    const isKept = this.accepted.test(id) && !this.used.has(id)
    const sent = isKept ? id : acceptableId(`${id} ${this.callCount}`)
    this.used.add(sent)
    const open = this.open.get(id)
    if (open) open.push(sent)
    else this.open.set(id, [sent])
    return sent
  }

  /** Calls of one id are answered in their order. */
  private idOfResult(id: string): string {
    const sent = this.open.get(id)?.shift() ?? (id === '' ? this.firstOpen() : undefined)
    if (sent !== undefined) return sent
    return this.accepted.test(id) ? id : acceptableId(id)
  }

  /** A result without an id belongs to the oldest call without a result. */
  private firstOpen(): string | undefined {
    for (const waiting of this.open.values()) if (waiting.length > 0) return waiting.shift()
    return undefined
  }
}

const isCallOrResult = ({ type }: Part): boolean => type === 'tool-call' || type === 'tool-result'

/** Nine letters and digits, which every vendor accepts. */
const acceptableId = (text: string): string => {
  const digest = createHash('sha256').update(text).digest()
  return digest.readBigUInt64BE().toString(36).padStart(9, '0').slice(-9)
}
