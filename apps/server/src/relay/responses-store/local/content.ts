import type { ResponseItem, ResponseObject } from '@hub/dialects'
import type { App } from '../../../core/app.ts'

/** The stored content of a call: its own input, and the response as its caller received it. */
export type StoredContent = { input: readonly ResponseItem[]; response: ResponseObject }

/** Limits one response with its call's own input. The conversation before it is stored with its own calls. */
export const contentMax = 8 * 1024 * 1024
/** A small response counts as much as its smallest footprint on disk. */
export const contentMin = 4 * 1024
/** Limits all responses of one user; above it the oldest are deleted. */
export const userBytesMax = 256 * 1024 * 1024

const purpose = (id: string) => `stored_answers.content_sealed:${id}`

export const sealContent = (app: App, id: string, text: string): string =>
  app.seal.seal('kept-answer', purpose(id), text)

export const openContent = (app: App, id: string, sealed: string): StoredContent =>
  JSON.parse(app.seal.open('kept-answer', purpose(id), sealed))
