import { type FormatId, markNeedles, type StateFilter } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'

const digits = 8

/** The mark of this installation, the same on every node, and the forms in which bodies have it. */
const marksOf = appScoped(app => {
  const digest = Buffer.from(app.seal.fingerprint('answer-mark', 'v1'), 'hex').toString('base64')
  const mark = digest.replace(/[^A-Za-z0-9]/g, '').slice(0, digits)
  return { mark, needles: markNeedles(mark).map(each => Buffer.from(each)) }
})

export const markOf = (app: App): string => marksOf(app).mark

/**
 * Says whether a request may have something that the gateway invented. Most sessions stay at one vendor, and pay for one
 * search. Only Gemini's signatures have the mark in base64.
 */
export const isMarked = (app: App, body: Buffer, dialect: FormatId): boolean => {
  const { needles } = marksOf(app)
  return dialect === 'gemini'
    ? needles.some(each => body.includes(each))
    : body.includes(needles[0]!)
}

/** What the gateway invented is left out of a request to a vendor of the caller's own dialect. */
export const inventedState = (app: App, model: string): StateFilter => {
  const { mark } = marksOf(app)
  const needles = markNeedles(mark)
  return {
    isForeign: text => needles.some(each => text.includes(each)),
    restore: text => text.replace(mark, ''),
    keepsTexts: false,
    model,
  }
}
