import type { ChatAnswer, ChatEvent, Part } from '@hub/dialects'

const opening = '<think>\n'
const closing = '\n</think>\n'

/** Passes events on with thoughts as text between marks, for callers that show nothing but text. */
export const thoughtsAsText = (push: (event: ChatEvent) => void): ((event: ChatEvent) => void) => {
  /** The part of a choice whose thought is being written. */
  const open = new Map<number, number>()
  const close = (choice: number | undefined): void => {
    const index = open.get(choice ?? 0)
    if (index === undefined) return
    open.delete(choice ?? 0)
    push({ type: 'delta', ...(choice === undefined ? {} : { choice }), index, text: closing })
  }
  const closeAll = (): void => {
    for (const choice of [...open.keys()]) close(choice)
  }
  return event => {
    if (event.type === 'signature' && open.get(event.choice ?? 0) === event.index) return
    if (event.type === 'finish') close(event.choice)
    if (event.type === 'end') closeAll()
    if (event.type !== 'part') return push(event)
    close(event.choice)
    const { part } = event
    if (part.type !== 'thinking' || part.redacted) return push(event)
    open.set(event.choice ?? 0, event.index)
    push({ ...event, part: { type: 'text', text: opening + part.text } })
  }
}

const asText = (part: Part): Part =>
  part.type === 'thinking' && !part.redacted && part.text !== ''
    ? { type: 'text', text: opening + part.text + closing }
    : part

/** The whole answer with its thoughts as text. */
export const withThoughtsAsText = (answer: ChatAnswer): ChatAnswer => ({
  ...answer,
  choices: answer.choices.map(each => ({ ...each, parts: each.parts.map(asText) })),
})
