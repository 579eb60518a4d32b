import type { ResponseItem, ResponseObject } from '@hub/dialects'
import type { App } from '../../core/app.ts'

/** What is kept of a call: its own items, and the answer as its caller got it. */
export type Content = { input: readonly ResponseItem[]; response: ResponseObject }

/** Of one answer, with its call's own input. What it goes on from is kept once, with its own. */
export const contentMax = 8 * 1024 * 1024
/** A small one counts as what the smallest takes on a disk. */
export const contentLeast = 4 * 1024
/** Of all that one user has; beyond it the oldest go. */
export const userBytesMax = 256 * 1024 * 1024

const place = (id: string) => `stored_answers.content_sealed:${id}`

export const sealContent = (app: App, id: string, text: string): string =>
  app.seal.seal('kept-answer', place(id), text)

export const openContent = (app: App, id: string, sealed: string): Content =>
  JSON.parse(app.seal.open('kept-answer', place(id), sealed))
