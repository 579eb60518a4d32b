import { inputItems, type ResponseItem, type ResponseObject } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { SealedContent } from '../../db/queries/local-responses.ts'
import type { CallContext } from '../context.ts'

/** The stored content of a call: its own input, and the response as its caller received it. */
export type StoredContent = { input: readonly ResponseItem[]; response: ResponseObject }

/** Limits one response with its call's own input. The conversation before it is stored with its own calls. */
export const contentMax = 8 * 1024 * 1024
/** A small response counts as much as its smallest footprint on disk. */
export const contentMin = 4 * 1024
/** Limits all responses of one user; above it the oldest are deleted. */
export const userBytesMax = 256 * 1024 * 1024

const purpose = (id: string) => `stored_answers.content_sealed:${id}`

/** The content as text, whose size is compared with `contentMax` before it is encrypted. */
export const encodeContent = (content: StoredContent) => {
  const text = JSON.stringify(content)
  return { text, size: Buffer.byteLength(text) }
}

export const sealContent = (
  app: App,
  id: string,
  { text, size }: ReturnType<typeof encodeContent>,
): SealedContent => ({
  id,
  size: Math.max(size, contentMin),
  content_sealed: app.seal.seal('kept-answer', purpose(id), text),
})

/** The call's own input, without the conversation before it. */
export const inputOf = ({ target, parsed }: CallContext): readonly ResponseItem[] =>
  target.continuation?.input ?? inputItems(parsed) ?? []

export const openContent = (app: App, id: string, sealed: string): StoredContent =>
  JSON.parse(app.seal.open('kept-answer', purpose(id), sealed))
