import type { ResponseItem } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'

/** Bytes that all connections of the process remember, and those of one connection. */
type Limits = { total: number; each: number }
const defaultLimits: Limits = { total: 64 * 1024 * 1024, each: 16 * 1024 * 1024 }

/** A response of this connection that may be continued. Each turn has its own items only. */
type Turn = {
  previous: Turn | undefined
  /** The stored response that the first turn continues. */
  stored: string | undefined
  /** The turn's input and output, as a JSON list. */
  items: string
  isStored: boolean
}

/** A conversation up to one of its responses. */
export type Conversation = {
  items: ResponseItem[]
  /** The stored response that it continues, which holds everything before the items. */
  stored: string | undefined
  /** Bytes of the items. */
  bytes: number
}

export type NewTurn = {
  id: string
  /** The response that it continues. */
  previousId: string | undefined
  /** The response that it continues is stored, so that this memory begins here. */
  isBeginning: boolean
  items: readonly unknown[]
  /** The caller asked for the response to be stored. */
  isStored: boolean
}

/**
 * The responses of one connection, by which its next requests continue them although nobody stores them
 * (https://developers.openai.com/api/docs/guides/websocket-mode).
 */
export type ConversationMemory = {
  add(turn: NewTurn): void
  has(id: string): boolean
  /** A failed turn cannot be continued: the vendor's guide has the caller start a new conversation. */
  forget(id: string): void
  /** The caller asked for this response to be stored, so that a vendor may have it. */
  isStored(id: string): boolean
  read(id: string): Conversation | undefined
  clear(): void
}

/** Memories in the order of their last use. The one that was not used for the longest time is cleared first. */
type Budget = { used: number; memories: Map<ConversationMemory, number> }

export const makeMemories = (limits: Limits = defaultLimits) => {
  const budget: Budget = { used: 0, memories: new Map() }
  return { open: () => openMemory(budget, limits), used: () => budget.used }
}

const memories = appScoped(() => makeMemories())

export const openConversations = (app: App): ConversationMemory => memories(app).open()

const openMemory = (budget: Budget, limits: Limits): ConversationMemory => {
  const turns = new Map<string, Turn>()

  const take = (bytes: number) => {
    const held = budget.memories.get(memory) ?? 0
    budget.memories.delete(memory)
    if (bytes + held > 0) budget.memories.set(memory, held + bytes)
    budget.used += bytes
  }

  const memory: ConversationMemory = {
    add: ({ id, previousId, isBeginning, items, isStored }) => {
      const text = JSON.stringify(items)
      if ((budget.memories.get(memory) ?? 0) + text.length > limits.each) memory.clear()
      const previous = previousId === undefined ? undefined : turns.get(previousId)
      const isComplete = previousId === undefined || previous !== undefined || isBeginning
      if (text.length > limits.each || !isComplete) return
      const stored = previous ? undefined : previousId
      turns.set(id, { previous, stored, items: text, isStored })
      take(text.length)
      for (const [oldest] of budget.memories) {
        if (budget.used <= limits.total) break
        oldest.clear()
      }
    },
    has: id => turns.has(id),
    forget: id => void turns.delete(id),
    isStored: id => turns.get(id)?.isStored === true,
    read: id => {
      const last = turns.get(id)
      if (!last) return undefined
      take(0)
      const texts: string[] = []
      let first = last
      for (let turn: Turn | undefined = last; turn; turn = turn.previous) {
        texts.push(turn.items)
        first = turn
      }
      const bytes = texts.reduce((sum, each) => sum + each.length, 0)
      return {
        items: texts.toReversed().flatMap(each => JSON.parse(each)),
        stored: first.stored,
        bytes,
      }
    },
    clear: () => {
      turns.clear()
      budget.used -= budget.memories.get(memory) ?? 0
      budget.memories.delete(memory)
    },
  }
  return memory
}
